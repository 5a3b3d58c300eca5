import { createHash, randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { tokenMailedTo } from "../../tests/support/rows/mailbox.ts";
import { hasApp } from "../../tests/support/rows/factors.ts";
import { givePassword, person, signedIn } from "../../tests/support/rows/people.ts";
import { tomorrow } from "../../tests/support/rows/admin-things.ts";
import { overlap } from "../../tests/support/product/overlap.ts";
import { runLater } from "../../tests/support/product/stop-clock.ts";
import { day, minute, now } from "../platform/clock.ts";
import { banAccount, unbanAccount } from "./bans-and-roles.server.ts";
import { confirmAddress } from "./sign-up/sign-up.server.tsx";
import { createOneTimeLink } from "./one-time-links.server.ts";
import { hashPassword } from "./passwords.server.ts";
import { requestPasswordReset, resetPassword } from "./password-reset/reset-password.server.tsx";
import { finishByCode, type HalfSignIn } from "./second-factor/second-step.server.ts";
import {
  revokeSession,
  revokeUserSessions,
  findActor,
  openSession,
  type Session,
  buildSessionCookie,
  readSessionToken,
  extendSession,
} from "./session.server.ts";
import { signIn } from "./sign-in/sign-in.server.ts";
import { accounts, sessions, staffRoles, users } from "./tables.server.ts";

const config = testConfig();
const password = "correct horse";
const passwordHash = await hashPassword(password);
const { db } = await testDatabase();

test("the session cookie has 256 random bits, and the table only their hash", async () => {
  const asha = await account();
  const { token } = await openSession(db, asha.id);
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  const { rows } = await db.execute(sql`select to_jsonb(sessions)::text as row from sessions`);
  const hash = createHash("sha256").update(token).digest("hex");
  expect(rows.some(({ row }) => String(row).includes(hash))).toBe(true);
  expect(rows.some(({ row }) => String(row).includes(token))).toBe(false);
  expect(await findActor(db, hash)).toBeNull();
});

test("a logged query failure doesn't contain the session token", async () => {
  const asha = await account();
  const { token } = await openSession(db, asha.id);
  await db.execute(sql`alter table sessions rename to sessions_away`);
  const failures = await Promise.allSettled([
    findActor(db, token),
    revokeSession(db, token),
    openSession(db, asha.id, { formerToken: token }),
  ]).finally(() => db.execute(sql`alter table sessions_away rename to sessions`));
  for (const failure of failures) {
    const { reason } = failure as PromiseRejectedResult;
    const logged = inspect(reason, { depth: 10 });
    expect(logged).toContain("sessions");
    expect(logged).not.toContain(token);
  }
});

test("the cookie holds only the token", () => {
  const session = { token: "a".repeat(43), expiresAt: new Date(now().getTime() + 30 * day) };
  expect(buildSessionCookie(config, session)).toMatch(
    /^session-3000=a{43}; Max-Age=2\d{6}; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const online = { origin: "https://example.com", port: 443 };
  expect(buildSessionCookie(online, session)).toMatch(/^__Host-session=a+;.*; HttpOnly; Secure;/);
  expect(readSessionToken(config, "theme=dark; session-3000=abc")).toBe("abc");
  for (const header of [null, "", "session-3000=", "session-3001=abc"])
    expect(readSessionToken(config, header)).toBeNull();
});

test.each(["", "\u0000", "a\u0000b", "'; drop table sessions; --", "x".repeat(100_000), "é"])(
  "an invalid token (%#) finds nobody and causes no error",
  async (token) => {
    expect(await findActor(db, token)).toBeNull();
    await revokeSession(db, token);
  },
);

test("each sign-in opens its own session with the account's roles", async () => {
  const { id, email } = await account();
  await db.insert(staffRoles).values({ userId: id, role: "reviewer", createdAt: now() });
  const first = await signedIn({ db, config }, { email, password });
  const second = await signedIn({ db, config }, { email, password });
  expect(first.session.token).not.toBe(second.session.token);
  expect(first.roles).toEqual({ isGodAdmin: false, isJobBoardAdder: false, isReviewer: true });
  expect((await findActor(db, first.session.token))?.actor.id).toBe(id);
});

test("a sign-in ends only the browser's previous session, even another person's", async () => {
  const [asha, ravi] = [await account(), await account()];
  const elsewhere = await openSession(db, asha.id);
  const former = await openSession(db, asha.id);
  const browser = { formerToken: former.token, clientAddress: "192.0.2.1", userAgent: "Browser" };
  const { session } = await signedIn({ db, config }, { email: ravi.email, password }, browser);
  expect(await findActor(db, former.token)).toBeNull();
  expect(await findActor(db, elsewhere.token)).not.toBeNull();
  expect((await findActor(db, session.token))?.actor.id).toBe(ravi.id);
  const [row] = await db.select().from(sessions).where(eq(sessions.userId, ravi.id));
  expect(row).toMatchObject({ ipAddress: "192.0.2.1", userAgent: "Browser" });
});

test("signing out twice at the same time ends only that session", async () => {
  const { id } = await account();
  const [here, there] = [await openSession(db, id), await openSession(db, id)];
  await Promise.all([revokeSession(db, here.token), revokeSession(db, here.token)]);
  await revokeSession(db, here.token);
  expect(await findActor(db, here.token)).toBeNull();
  expect(await findActor(db, there.token)).not.toBeNull();
});

test("a session ends thirty days after its last use", async () => {
  const { id } = await account();
  const session = await openSession(db, id);
  await runLater(29 * day, async () => expect(await use(session)).toBe(true));
  await runLater(58 * day, async () => expect(await use(session)).toBe(true));
  await runLater(88 * day + minute, async () => expect(await use(session)).toBe(false));
});

test("a session ends ninety days after it was opened, even if it is in use", async () => {
  const { id } = await account();
  const session = await openSession(db, id);
  for (let days = 0; days < 90; days += 5)
    await runLater(days * day + minute, async () => expect(await use(session)).toBe(true));
  await runLater(90 * day - minute, async () => expect(await use(session)).toBe(true));
  await runLater(90 * day + minute, async () => expect(await use(session)).toBe(false));
});

test("a session is extended at most once a day", async () => {
  const { id } = await account();
  const { token } = await openSession(db, id);
  await runLater(day - minute, async () =>
    expect((await findActor(db, token))?.extendsTo).toBeNull(),
  );
  await runLater(day + minute, async () => {
    expect((await findActor(db, token))?.extendsTo).toEqual(new Date(now().getTime() + 30 * day));
  });
});

test("deleting a person ends their sessions", async () => {
  const { id } = await account();
  const { token } = await openSession(db, id);
  await db.delete(users).where(eq(users.id, id));
  expect(await findActor(db, token)).toBeNull();
  await expect(openSession(db, id)).rejects.toThrow("no longer exists");
});

test("sessions that a ban ended don't come back when the ban ends", async () => {
  const { id, email } = await account();
  const { session } = await signedIn({ db, config }, { email, password });
  await banAccount(db, email, { until: tomorrow(), reason: null }, config);
  expect(await findActor(db, session.token)).toBeNull();
  await expect(signIn({ db, config }, { email, password })).rejects.toThrow("suspended until");
  await expect(signIn({ db, config }, { email, password: "wrong one" })).rejects.toThrow(
    "Invalid email or password",
  );
  await runLater(2 * day, async () => {
    expect(await db.select().from(sessions).where(eq(sessions.userId, id))).toHaveLength(0);
    await expect(signIn({ db, config }, { email, password })).resolves.toBeTruthy();
  });
  await unbanAccount(db, email, config);
  await expect(signIn({ db, config }, { email, password })).resolves.toBeTruthy();
});

test("emailed links don't sign in a banned person", async () => {
  const { id, email } = await account();
  await banAccount(db, email, { until: tomorrow(), reason: null }, config);
  const confirmation = new URL(await createOneTimeLink(db, config.origin, "signup", id));
  await expect(confirmAddress(db, confirmation.searchParams.get("token_hash")!)).rejects.toThrow(
    "suspended until",
  );
  await requestPasswordReset(db, config, email);
  expect(await resetPassword(db, config, await tokenMailedTo(db, email), "Another1!one")).toBe(
    true,
  );
  await expect(signIn({ db, config }, { email, password: "Another1!one" })).rejects.toThrow(
    "suspended until",
  );
  expect(await db.select().from(sessions).where(eq(sessions.userId, id))).toHaveLength(0);
});

test("no session remains after a ban and sign-ins at the same time", async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    const { id, email } = await account();
    await Promise.allSettled([
      ...Array.from({ length: 4 }, () => openSession(db, id)),
      banAccount(db, email, { until: tomorrow(), reason: null }, config),
      ...Array.from({ length: 4 }, () => openSession(db, id)),
    ]);
    expect(await db.select().from(sessions).where(eq(sessions.userId, id))).toHaveLength(0);
  }
});

test("a sign-in fails if the password is replaced while it is checked", async () => {
  const { id, email } = await account();
  const [, signedIn] = await overlap(
    db,
    async (tx) => {
      await tx.update(accounts).set({ password: "replaced" }).where(eq(accounts.userId, id));
      await revokeUserSessions(tx, id);
    },
    (other) => signIn({ db: other, config }, { email, password }),
  );
  expect(signedIn!.status).toBe("rejected");
  expect(await db.select().from(sessions).where(eq(sessions.userId, id))).toHaveLength(0);
});

test("a password reset also ends a session that a second factor opens at the same time", async () => {
  const someone = await account();
  const app = await hasApp({ db, config }, someone);
  const signedIn = await signIn({ db, config }, { email: someone.email, password });
  const { half } = signedIn as { half: HalfSignIn };
  const link = new URL(await createOneTimeLink(db, config.origin, "recovery", someone.id));
  const token = link.searchParams.get("token_hash")!;
  const [, reset] = await overlap(
    db,
    (tx) => finishByCode({ db: tx, config }, half.token, app.code(), () => ({})),
    (other) => resetPassword(other, config, token, "another horse"),
  );
  expect(reset).toMatchObject({ value: true });
  expect(await db.$count(sessions, eq(sessions.userId, someone.id))).toBe(0);
});

/** Uses the session like a request; false if it has ended. */
async function use({ token }: Session): Promise<boolean> {
  const found = await findActor(db, token);
  if (found?.extendsTo) await extendSession(db, found.actor.sessionId, found.extendsTo);
  return found !== null;
}

/** Creates a confirmed person with the password. */
async function account() {
  const someone = await person(db, `Asha ${randomBytes(3).toString("hex")}`);
  await givePassword(db, someone, passwordHash);
  return someone;
}
