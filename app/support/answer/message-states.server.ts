import { eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import { reopened, startClocks } from "../send-message.server.tsx";
import type { MessageKind } from "../rules.ts";
import { supportMessages } from "../tables.server.ts";
import { lockMessage, recordStateChange } from "./read-message.server.ts";

/**
 * Closes or reopens a message. Closing settles it. A reopened spam message is no longer spam.
 *
 * @throws {Conflict} when it is already closed or open.
 * @throws {NotFound} when there is no such ticket.
 */
export async function changeMessageState(
  db: Database,
  actor: Actor | null,
  { ticket, state }: { ticket: string; state: "open" | "closed" },
): Promise<void> {
  authorize(actor, "message.answer");
  await db.transaction(async (tx) => {
    const message = await lockMessage(tx, ticket);
    const { id, isSuspected, acknowledgedAt } = message;
    if (message.state === state && !isSuspected)
      throw new Conflict(`This message is already ${state}.`);
    const at = now();
    const changes =
      state === "closed"
        ? { settledAt: at, acknowledgedAt: acknowledgedAt ?? at }
        : isSuspected
          ? { isSuspected: false, ...startClocks(at) }
          : message.state === "closed"
            ? reopened
            : {};
    await tx
      .update(supportMessages)
      .set({ state, ...changes })
      .where(eq(supportMessages.id, id));
    const event = state === "open" ? "message.reopen" : "message.close";
    await recordStateChange(tx, actor, event, message, state);
  });
}

/**
 * Makes the actor the person who takes care of a message.
 *
 * @param seenOwner the id of the owner that the actor could see, or ""
 * @throws {Conflict} when another person has taken it meanwhile.
 * @throws {NotFound} when there is no such ticket.
 */
export async function claimMessage(
  db: Database,
  actor: Actor | null,
  { ticket, seenOwner }: { ticket: string; seenOwner: string },
): Promise<void> {
  authorize(actor, "message.answer");
  await db.transaction(async (tx) => {
    const message = await lockMessage(tx, ticket);
    const { id, ownerId, acknowledgedAt } = message;
    if (ownerId === actor.id) return;
    if ((ownerId ?? "") !== seenOwner)
      throw new Conflict("Someone else has just taken over this message.");
    await tx
      .update(supportMessages)
      .set({ ownerId: actor.id, acknowledgedAt: acknowledgedAt ?? now() })
      .where(eq(supportMessages.id, id));
    await recordAuditEvents(tx, [
      {
        actor,
        event: "message.take-over",
        subject: { type: "message", id: ticket },
        before: { ownerId },
        after: { ownerId: actor.id },
      },
    ]);
  });
}

/**
 * Sets what a message is about.
 *
 * @throws {NotFound} when there is no such ticket.
 */
export async function changeMessageKind(
  db: Database,
  actor: Actor | null,
  { ticket, kind }: { ticket: string; kind: MessageKind },
): Promise<void> {
  authorize(actor, "message.answer");
  await db.transaction(async (tx) => {
    const message = await lockMessage(tx, ticket);
    await tx.update(supportMessages).set({ kind }).where(eq(supportMessages.id, message.id));
  });
}
