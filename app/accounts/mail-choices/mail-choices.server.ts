import { and, eq, inArray, sql } from "drizzle-orm";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { type Actor, isNotBanned } from "../actor.server.ts";
import { authorize } from "../permissions.server.ts";
import type { StaffRole } from "../roles.ts";
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

/**
 * Saves a person's email preferences. Choices for emails of other roles are ignored.
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
  await db
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
