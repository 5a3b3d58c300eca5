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

/** Lists how a person wants each mail that they can choose. */
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
 * Writes how a person wants the mails that they may choose; what is sent of others is left out.
 *
 * @param wanted a choice for each kind of mail
 * @throws {Invalid} naming the mails whose choice is none of theirs; nothing is written then.
 */
export async function saveMailChoices(
  db: Database,
  actor: Actor | null,
  wanted: Partial<Record<string, string>>,
): Promise<void> {
  authorize(actor, "mail.choose");
  const read = listChoosableMails(actor).map((kind) => ({
    kind,
    choice: parseMailChoice(kind, wanted[kind]),
  }));
  const unknown = read.filter(({ choice }) => choice === null).map(({ kind }) => kind);
  if (unknown.length > 0)
    throw new Invalid(
      Object.fromEntries(unknown.map((kind) => [kind, "Choose an option from the list"])),
    );
  const rows = read.map(({ kind, choice }) => ({
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
        // A form that is sent again as it stands changes nothing.
        changedAt: sql`case when ${chosenMails.choice} = excluded.choice
          then ${chosenMails.changedAt} else excluded.changed_at end`,
        // What was gathered so far still arrives with the next morning's mail.
        notifiedUntil: sql`coalesce(${chosenMails.notifiedUntil}, excluded.notified_until)`,
      },
    });
}

export type MailRecipient = { id: string; email: string };

/** Lists people of a role who chose this option for a mail and can sign in. */
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

/** Lists people of a role who can sign in, for mails that are always sent. */
export async function listStaff(db: Database, role: StaffRole): Promise<MailRecipient[]> {
  return db
    .select({ id: users.id, email: users.email })
    .from(users)
    .innerJoin(staffRoles, and(eq(staffRoles.userId, users.id), eq(staffRoles.role, role)))
    .where(isNotBanned())
    .orderBy(users.id);
}

/** Lists the addresses of those people who want this mail at once. */
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
