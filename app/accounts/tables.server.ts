import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  pgView,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, checkValues, createMomentColumn } from "../platform/tables.server.ts";
import type { ChoosableMail, MailChoice } from "./mail-choices.ts";
import { staffRoleNames } from "./roles.ts";

/** People who can sign in. */
export const users = pgTable(
  "users",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    emailVerified: boolean("email_verified").notNull().default(false),
    image: text("image"),
    createdAt: createMomentColumn("created_at").notNull(),
    updatedAt: createMomentColumn("updated_at").notNull(),
    bannedUntil: createMomentColumn("banned_until"),
    /** When the account was closed. Its name and address are in `sealed_accounts` then, and deleted later. */
    closedAt: createMomentColumn("closed_at"),
    /** Null until the first sign-in. */
    firstSignInAt: createMomentColumn("first_sign_in_at"),
    /** The highest of their staff roles, or "user"; a trigger of `staff_roles` writes it. */
    highestRole: text("highest_role").notNull().default("user"),
  },
  (table) => [
    uniqueIndex("users_email").on(table.email),
    index("users_created_at").on(table.createdAt, table.id),
    index("users_highest_role").on(table.highestRole, table.email),
    // Searches match any part of an address.
    index("users_email_parts").using("gin", table.email.op("gin_trgm_ops")),
    index("users_email_short").using("gin", sql`pairs_in(${table.email})`),
    check("users_email_lower_case", sql`${table.email} = lower(${table.email})`),
  ],
);

/**
 * The names and addresses of closed accounts, until they are purged. No screen reads it, so that nobody sees a closed account's name or
 * address. Signing in restores the account from it.
 */
export const sealedAccounts = pgTable(
  "sealed_accounts",
  {
    userId: uuid("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    name: text("name").notNull(),
    fullName: text("full_name"),
    phone: text("phone"),
    portfolioUrl: text("portfolio_url"),
    /** The account can be restored until then. */
    purgeAt: createMomentColumn("purge_at").notNull(),
  },
  (table) => [
    uniqueIndex("sealed_accounts_email").on(table.email),
    index("sealed_accounts_purge_at").on(table.purgeAt),
    check("sealed_accounts_email_lower_case", sql`${table.email} = lower(${table.email})`),
  ],
);

/** Signed-in browsers. The cookie has the token; the table has only its hash. */
export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tokenHash: text("token_hash").notNull(),
    createdAt: createMomentColumn("created_at").notNull(),
    updatedAt: createMomentColumn("updated_at").notNull(),
    expiresAt: createMomentColumn("expires_at").notNull(),
    /** The time of the last request, accurate to a few minutes. */
    seenAt: createMomentColumn("seen_at").notNull().defaultNow(),
    /** The time of the last full sign-in; null if an emailed link opened the session. */
    provedAt: createMomentColumn("proved_at"),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
  },
  (table) => [
    uniqueIndex("sessions_token_hash").on(table.tokenHash),
    index("sessions_user").on(table.userId),
  ],
);

/** The last day on which each person used their account, to close those that nobody uses. */
export const accountUses = pgTable(
  "account_uses",
  {
    userId: uuid("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** In India. */
    day: date("day", { mode: "string" }).notNull(),
    /** When they were emailed that the account will be closed. */
    warnedAt: createMomentColumn("warned_at"),
  },
  (table) => [index("account_uses_day").on(table.day)],
);

/** A user's password: one row for each user who has ever signed up. */
export const accounts = pgTable(
  "accounts",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** An argon2id hash, or a bcrypt hash until an imported account first signs in. */
    password: text("password"),
    createdAt: createMomentColumn("created_at").notNull(),
    updatedAt: createMomentColumn("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("accounts_user").on(table.userId),
    // Each sign-in checks whether any exist.
    index("accounts_imported")
      .on(table.id)
      .where(sql`password like '$2%'`),
  ],
);

/** A person's details and subscription. */
export const profiles = pgTable(
  "profiles",
  {
    id: uuid("id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    fullName: text("full_name"),
    phone: text("phone"),
    /** The address of their work, which begins with https://. */
    portfolioUrl: text("portfolio_url"),
    createdAt: createMomentColumn("created_at").notNull(),
    isSubscribed: boolean("is_subscribed").notNull().default(false),
    subscriptionEndsAt: createMomentColumn("subscription_ends_at"),
    subscriptionId: text("subscription_id"),
    isRecurring: boolean("is_recurring").notNull().default(false),
  },
  (table) => [
    index("profiles_created_at").on(table.createdAt, table.id),
    // Searches match any part of a name.
    index("profiles_name_parts").using("gin", sql`search_form(${table.fullName}) gin_trgm_ops`),
    index("profiles_name_short").using("gin", sql`pairs_in(search_form(${table.fullName}))`),
  ],
);

/** One row for each role of a person. */
export const staffRoles = pgTable(
  "staff_roles",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: staffRoleNames }).notNull(),
    createdAt: createMomentColumn("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.role] }),
    checkValues("staff_roles_known", table.role, staffRoleNames),
  ],
);

/** Staff by name and role; `role = 'reviewer'` marks people who can be assigned a review. */
export const reviewers = pgView("reviewers", {
  id: uuid("id").notNull(),
  fullName: text("full_name"),
  role: text("role").notNull(),
}).as(sql`
  select staff_roles.user_id as id, profiles.full_name, staff_roles.role
  from staff_roles join profiles on profiles.id = staff_roles.user_id`);

/**
 * One-time links sent by email. Only the hash of the token is stored. A sign-up link has the name and password
 * of its sign-up, so that the owner of the address gets the account they asked for.
 */
export const oneTimeLinks = pgTable(
  "one_time_links",
  {
    tokenHash: text("token_hash").primaryKey(),
    kind: text("kind", { enum: ["signup", "recovery"] }).notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    fullName: text("full_name"),
    passwordHash: text("password_hash"),
    /** The path to continue to after the confirmation. */
    next: text("next"),
    createdAt: createMomentColumn("created_at").notNull(),
    expiresAt: createMomentColumn("expires_at").notNull(),
  },
  (table) => [uniqueIndex("one_time_links_user_kind").on(table.userId, table.kind)],
);

/**
 * Changes of people's email addresses. A change takes effect once the new address confirms it. For a week, a link to the old
 * address takes it back.
 */
export const addressChanges = pgTable(
  "address_changes",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    oldEmail: text("old_email").notNull(),
    newEmail: text("new_email").notNull(),
    /** The hash of the token in the email to the new address. */
    confirmHash: text("confirm_hash").notNull().unique(),
    /** The hash of the token in the email to the old address; null if email to it bounced. */
    reverseHash: text("reverse_hash").unique(),
    requestedAt: createMomentColumn("requested_at").notNull(),
    confirmedAt: createMomentColumn("confirmed_at"),
    /** When the old address asked for a staff account, which another god admin then gives back. */
    reversalAskedAt: createMomentColumn("reversal_asked_at"),
    reversedAt: createMomentColumn("reversed_at"),
  },
  (table) => [
    uniqueIndex("address_changes_open")
      .on(table.userId)
      .where(sql`confirmed_at is null`),
    index("address_changes_confirmed").on(table.userId, table.confirmedAt),
  ],
);

/**
 * Forms sent after the session had ended, stored until their sender signs in again. Only the browser that sent
 * a form has the key, whose hash is the id.
 */
export const interruptedForms = pgTable("interrupted_forms", {
  id: text("id").primaryKey(),
  path: text("path").notNull(),
  sealed: bytes("sealed").notNull(),
  createdAt: createMomentColumn("created_at").notNull(),
});

/** Authenticator apps. The secret is encrypted with one of the keys in the settings. */
export const authenticators = pgTable("authenticators", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  sealedSecret: bytes("sealed_secret").notNull(),
  /** The id of the encryption key, which reveals nothing about the key. */
  keyId: text("key_id").notNull(),
  createdAt: createMomentColumn("created_at").notNull(),
  /** Null until the first correct code. From then on, signing in requires a code. */
  confirmedAt: createMomentColumn("confirmed_at"),
  /** The time step of the last accepted code (30 seconds, from 1970), so that no code works twice. */
  lastStep: integer("last_step").notNull().default(0),
});

/** Replacements for a lost app, each usable once. Only hashes are stored. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    codeHash: text("code_hash").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createMomentColumn("created_at").notNull(),
  },
  (table) => [index("recovery_codes_user").on(table.userId)],
);

/** Sign-ins with a correct password that still need the second factor. They grant no access. */
export const halfSignIns = pgTable(
  "half_sign_ins",
  {
    /** The hash of the cookie's token, which is not a session token. */
    tokenHash: text("token_hash").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tries: integer("tries").notNull().default(0),
    createdAt: createMomentColumn("created_at").notNull(),
    expiresAt: createMomentColumn("expires_at").notNull(),
  },
  (table) => [index("half_sign_ins_user").on(table.userId)],
);

/** Keys of people's devices, which sign them in after the device has verified them. */
export const passkeys = pgTable(
  "passkeys",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The id that the device gave it. */
    credentialId: text("credential_id").notNull(),
    publicKey: bytes("public_key").notNull(),
    /** The number of signatures, if the device counts them. */
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: jsonb("transports").$type<string[]>().notNull(),
    /** The name that its owner gave it. */
    name: text("name").notNull(),
    createdAt: createMomentColumn("created_at").notNull(),
    lastUsedAt: createMomentColumn("last_used_at"),
  },
  (table) => [
    uniqueIndex("passkeys_credential").on(table.credentialId),
    index("passkeys_user").on(table.userId, table.createdAt),
  ],
);

/** Challenges that a passkey has signed, so that none works twice. */
export const spentChallenges = pgTable("spent_challenges", {
  challengeHash: text("challenge_hash").primaryKey(),
  expiresAt: createMomentColumn("expires_at").notNull(),
});

/** People's email preferences. A missing row means the default. */
export const chosenMails = pgTable(
  "chosen_mails",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").$type<ChoosableMail>().notNull(),
    choice: text("choice").$type<MailChoice>().notNull(),
    changedAt: createMomentColumn("changed_at").notNull(),
    /** For daily emails: events up to this time have been sent. */
    notifiedUntil: createMomentColumn("notified_until"),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.kind] }),
    index("chosen_mails_gathered")
      .on(table.kind, table.notifiedUntil)
      .where(sql`notified_until is not null`),
  ],
);
