import { and, eq, inArray, sql } from "drizzle-orm";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { type Actor, isNotBanned } from "../actor.server.ts";
import { recordConsent, withdrawConsent } from "../consents/consents.server.ts";
import { authorize } from "../permissions.server.ts";
import type { StaffRole } from "../roles.ts";
import { lockPerson } from "../session.server.ts";
import { chosenMails, staffRoles, users } from "../tables.server.ts";
import {
  choosableMails,
  type ChoosableMail,
  type MailChoice,
  listChoosableMails,
  parseMailChoice,
} from "../mail-choices.ts";

/** Lists a person's choices for their optional emails. */
export async function listOwnMailChoices(
  db: Database,
  actor: Actor,
): Promise<{ kind: ChoosableMail; choice: MailChoice }[]> {
  const rows = await db
    .select({ kind: chosenMails.kind, choice: chosenMails.choice })
    .from(chosenMails)
    .where(eq(chosenMails.userId, actor.id));
  const chosen = new Map(rows.map(({ kind, choice }) => [kind, choice]));
  return listChoosableMails(actor).map((kind) => ({
    kind,
    choice: chosen.get(kind) ?? getDefaultChoice(kind),
  }));
}

/** Checks whether a person gets any optional email. Sending follows the choices, not the consent. */
export async function hasOptionalMails(db: Database, actor: Actor): Promise<boolean> {
  const choices = await listOwnMailChoices(db, actor);
  return choices.some(({ choice }) => choice !== "never");
}

/**
 * Saves a person's email preferences, and their consent to optional emails: withdrawn if they want none. Choices for
 * emails of other roles are ignored.
 *
 * @param choices by kind of email
 * @throws {Invalid} with the emails that don't offer the choice; nothing is saved.
 */
export async function saveMailChoices(
  db: Database,
  actor: Actor | null,
  choices: Partial<Record<string, string>>,
): Promise<void> {
  authorize(actor, "mail.choose");
  const parsed = listChoosableMails(actor).map((kind) => ({
    kind,
    choice: parseMailChoice(kind, choices[kind]),
  }));
  const unknown = parsed.filter(({ choice }) => choice === null).map(({ kind }) => kind);
  if (unknown.length > 0)
    throw new Invalid(
      Object.fromEntries(unknown.map((kind) => [kind, "Choose an option from the list"])),
    );
  const rows = parsed.map(({ kind, choice }) => ({
    userId: actor.id,
    kind,
    choice: choice!,
    changedAt: now(),
    notifiedUntil: choice === "every morning" ? now() : null,
  }));
  await changeMailConsent(db, actor, async (tx) => {
    await tx
      .insert(chosenMails)
      .values(rows)
      .onConflictDoUpdate({
        target: [chosenMails.userId, chosenMails.kind],
        set: {
          choice: sql`excluded.choice`,
          // Sending the same form again changes nothing.
          changedAt: sql`case when ${chosenMails.choice} = excluded.choice
            then ${chosenMails.changedAt} else excluded.changed_at end`,
          // Events collected so far still arrive in the next morning's email.
          notifiedUntil: sql`coalesce(${chosenMails.notifiedUntil}, excluded.notified_until)`,
        },
      });
  });
}

/**
 * Turns off every optional email of a person, also those of roles that they get later, and withdraws the consent. Check
 * permission before calling it.
 */
export async function stopOptionalMails(db: Database, person: Actor): Promise<void> {
  await changeMailConsent(db, person, async (tx) => {
    const off = { choice: "never" as const, changedAt: now(), notifiedUntil: null };
    const kinds = Object.keys(choosableMails) as ChoosableMail[];
    await tx
      .insert(chosenMails)
      .values(kinds.map((kind) => ({ userId: person.id, kind, ...off })))
      .onConflictDoUpdate({
        target: [chosenMails.userId, chosenMails.kind],
        set: off,
        setWhere: sql`${chosenMails.choice} <> 'never' or ${chosenMails.notifiedUntil} is not null`,
      });
  });
}

/**
 * Returns a person without optional emails to the defaults, and records the consent. Check permission before calling
 * it.
 */
export async function resetMailChoices(db: Database, person: Actor): Promise<void> {
  await changeMailConsent(db, person, async (tx, hadMails) => {
    if (!hadMails) await tx.delete(chosenMails).where(eq(chosenMails.userId, person.id));
  });
}

/** Changes email choices, and records in the same transaction whether the person still gets optional emails. */
async function changeMailConsent(
  db: Database,
  person: Actor,
  change: (tx: Database, hadMails: boolean) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPerson(tx, person.id);
    const hadMails = await hasOptionalMails(tx, person);
    await change(tx, hadMails);
    const consenter = { userId: person.id };
    if (await hasOptionalMails(tx, person)) {
      await recordConsent(tx, consenter, { purpose: "mails", how: "profile" });
      return;
    }
    // The emails are on from the start, without a record.
    const [user] = await tx
      .select({ joinedAt: users.createdAt })
      .from(users)
      .where(eq(users.id, person.id));
    await withdrawConsent(tx, consenter, "mails", hadMails && user ? user.joinedAt : null);
  });
}

export type MailRecipient = { id: string; email: string };

/** Lists people of a role who can sign in and chose this option for an email. */
export async function listStaffByMailChoice(
  db: Database,
  role: StaffRole,
  kind: ChoosableMail,
  choice: MailChoice,
): Promise<MailRecipient[]> {
  return db
    .select({ id: users.id, email: users.email })
    .from(users)
    .innerJoin(staffRoles, and(eq(staffRoles.userId, users.id), eq(staffRoles.role, role)))
    .leftJoin(chosenMails, and(eq(chosenMails.userId, users.id), eq(chosenMails.kind, kind)))
    .where(
      and(
        isNotBanned(),
        sql`coalesce(${chosenMails.choice}, ${getDefaultChoice(kind)}) = ${choice}`,
      ),
    )
    .orderBy(users.id);
}

/** Lists people of a role who can sign in, for emails that are always sent. */
export async function listStaff(db: Database, role: StaffRole): Promise<MailRecipient[]> {
  return db
    .select({ id: users.id, email: users.email })
    .from(users)
    .innerJoin(staffRoles, and(eq(staffRoles.userId, users.id), eq(staffRoles.role, role)))
    .where(isNotBanned())
    .orderBy(users.id);
}

/** Lists the addresses of the people who want this email immediately. */
export async function listInstantMailAddresses(
  db: Database,
  kind: ChoosableMail,
  userIds: string[],
): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .leftJoin(chosenMails, and(eq(chosenMails.userId, users.id), eq(chosenMails.kind, kind)))
    .where(
      and(
        inArray(users.id, userIds),
        sql`coalesce(${chosenMails.choice}, ${getDefaultChoice(kind)}) = 'at once'`,
      ),
    );
  return new Map(rows.map(({ id, email }) => [id, email]));
}

function getDefaultChoice(kind: ChoosableMail): MailChoice {
  return choosableMails[kind].choices[0];
}
