import { eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { getConfirmedAccount } from "../../accounts/bans-and-roles.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { queueMail, type Sender } from "../../mail/deliver-mail.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { requireTicketOf } from "../require-ticket.server.ts";
import { ExportStartedMail } from "./emails.tsx";
import { createExport } from "./exports.server.ts";

/** An admin's reason, and the message in which the person asked for their data. */
type Asked = { userId: string; ticket: string; reason: string };

/**
 * Starts an export for a person who wrote to us, and emails them at once. Only they can download it.
 *
 * @throws {Invalid} if no message of this person has this ticket number, or they never confirmed their address.
 * @throws {Conflict} within a day of the last one.
 * @throws {NotFound} if the person doesn't exist, or closed their account.
 */
export async function startExportFor(
  db: Database,
  actor: Actor | null,
  { userId, ticket, reason }: Asked,
  sender: Sender,
): Promise<void> {
  authorize(actor, "data.export-for");
  await db.transaction(async (tx) => {
    const [person] = isUuid(userId)
      ? await tx.select().from(users).where(eq(users.id, userId))
      : [];
    if (!person || person.closedAt) throw new NotFound("User not found");
    if (!person.emailVerified)
      throw new Invalid({ "": "This person hasn't confirmed their address yet." });
    const number = await requireTicketOf(tx, person, ticket);
    await startForPerson(tx, actor, person, { ticket: number, reason }, sender);
  });
}

/**
 * The same for the operator, without a ticket.
 *
 * @throws {Invalid} if the address has no confirmed account. {Conflict} within a day of the last one.
 */
export async function startExportByEmail(
  db: Database,
  email: string,
  sender: Sender,
): Promise<void> {
  await db.transaction(async (tx) => {
    const person = await getConfirmedAccount(tx, email);
    await startForPerson(tx, "operator", person, { ticket: null, reason: null }, sender);
  });
}

async function startForPerson(
  tx: Database,
  actor: Actor | "operator",
  { id: userId, email }: { id: string; email: string },
  { ticket, reason }: { ticket: string | null; reason: string | null },
  { origin, product }: Sender,
): Promise<void> {
  const created = await createExport(tx, userId, "staff");
  if (typeof created === "string")
    throw new Conflict("This person already has an export of the last 24 hours.");
  const subject = { type: "user", id: userId };
  await recordAuditEvents(tx, [
    { actor, event: "data.export-for", subject, after: { ticket, reason } },
  ]);
  await queueMail(tx, {
    cause: `export-started:${created.id}`,
    to: email,
    replyTo: product.supportEmail,
    subject: `We are preparing a copy of your data at ${product.name}`,
    body: <ExportStartedMail product={product} origin={origin} ticket={ticket} />,
  });
}
