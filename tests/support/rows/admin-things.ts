import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { users } from "../../../app/accounts/tables.server.ts";
import { mails } from "../../../app/mail/tables.server.ts";
import { orders } from "../../../app/payments/tables.server.ts";
import { day, now } from "../../../app/platform/clock.ts";
import { readConfig } from "../../../app/platform/config.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { requestRefund } from "../../../app/review-customer/refunds/refunds.server.ts";
import { generateTicket } from "../../../app/support/send-message.server.tsx";
import { supportMessages } from "../../../app/support/tables.server.ts";
import { paidReview, refundsOf } from "./refunds.ts";
import { startedOrder } from "../payments/payments.ts";
import { feeToPay } from "./fees.ts";
import { contactMention } from "./contact-mentions.ts";
import { type Everybody, person } from "./people.ts";

export const tomorrow = () => new Date(now().getTime() + day);

/** Bans or unbans a person without a command. */
export async function setBan(db: Database, userId: string, until: Date | null): Promise<void> {
  await db.update(users).set({ bannedUntil: until }).where(eq(users.id, userId));
}

/** Creates a mail that was given up, if the actor can see it. */
export async function unsentMail(db: Database, actor: Actor | null): Promise<string> {
  if (!actor?.isGodAdmin) return randomUUID();
  const [mail] = await db
    .insert(mails)
    .values({
      cause: `recovery:${randomUUID()}`,
      recipient: "asha@example.com",
      subject: "Create a new password for Naksha",
      html: "<a>token</a>",
      text: "token",
      createdAt: now(),
      attempts: 1,
      lastError: "550 no such mailbox",
      givenUpAt: now(),
    })
    .returning({ id: mails.id });
  return mail!.id;
}

/** Creates a contact message, if the actor can read it. @returns its ticket number */
export async function ticket(
  db: Database,
  actor: Actor | null,
  fields: Partial<typeof supportMessages.$inferInsert> = {},
): Promise<string> {
  const number = generateTicket();
  if (!actor?.isGodAdmin) return number;
  await db.insert(supportMessages).values({
    ticket: number,
    name: "Asha Verma",
    email: "asha@example.com",
    subject: "A question about my review",
    message: "When will it be done?",
    createdAt: now(),
    ...fields,
  });
  return number;
}

/** Creates an order to resolve, which is no longer checked, if the actor can resolve it. */
export async function orderToResolve(
  db: Database,
  actor: Actor | null,
  who: Pick<Everybody, "asha">,
): Promise<string> {
  if (!actor?.isGodAdmin) return `TXN_${randomUUID()}`;
  const { orderId } = await startedOrder(db, who.asha);
  await db.update(orders).set({ nextCheckAt: null }).where(eq(orders.orderId, orderId));
  return orderId;
}

/**
 * Creates a paid order with a requested refund, or one that can be refunded, if the actor can decide about it.
 */
export async function refundToDecide(
  db: Database,
  actor: Actor | null,
  who: Pick<Everybody, "asha" | "gita">,
  { isAsked = true } = {},
): Promise<{ orderId: string; refundId: string }> {
  if (!actor?.isGodAdmin) return { orderId: `TXN_${randomUUID()}`, refundId: randomUUID() };
  const state = isAsked ? "completed" : "pending";
  const { orderId } = await paidReview(db, { buyer: who.asha, reviewer: who.gita }, { state });
  if (!isAsked) return { orderId, refundId: randomUUID() };
  await requestRefund(db, who.asha, orderId, "It is about another resume.", readConfig({}));
  const [refund] = await refundsOf(db, orderId);
  return { orderId, refundId: refund!.id };
}

/** Creates the subjects of admins' forms, except reviews and jobs. */
export async function thingsForAdmins(db: Database, who: Pick<Everybody, "asha" | "gita">) {
  const free = await person(db, "Farida Ali", { roles: ["job_board_adder"] });
  const banned = await person(db, "Bhanu Das");
  await setBan(db, banned.id, tomorrow());
  const order = await orderToResolve(db, who.gita, who);
  return {
    strangers: { free: free.id, banned: banned.id },
    waiting: {
      mail: await unsentMail(db, who.gita),
      order,
      ticket: await ticket(db, who.gita, { orderId: order }),
      ticketOfFree: await ticket(db, who.gita, { senderId: free.id, email: free.email }),
      paid: (await refundToDecide(db, who.gita, who, { isAsked: false })).orderId,
      refund: await refundToDecide(db, who.gita, who),
      namedText: await contactMention(db, who.gita),
      keptText: await contactMention(db, who.gita),
      fee: await feeToPay(db),
    },
  };
}
