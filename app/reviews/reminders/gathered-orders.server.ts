import { and, eq, lt } from "drizzle-orm";
import { chosenMails } from "../../accounts/mail-choices/tables.server.ts";
import { isNotBanned } from "../../accounts/actor.server.ts";
import { staffRoles, users } from "../../accounts/tables.server.ts";
import { day, dayStart, hour, now } from "../../platform/clock.ts";
import { dayOf } from "../clock/local-time.ts";
import type { Database } from "../../platform/database.server.ts";
import { notifyOfGatheredPurchasesLater } from "../buy/emails.server.tsx";
import type { Sender } from "../emails.server.tsx";

/** When a morning's mail is written, in hours of the product's clock. */
const morning = 9 * hour;

/**
 * Tells each god admin who wants it so what was bought since their last morning's mail, once a morning: also
 * late, when nothing ran in the morning itself. Who wants to know at once since gets what was gathered until then a
 * last time.
 */
export async function gatherOrders(db: Database, sender: Sender): Promise<void> {
  const until = lastMorning(now());
  const isBehind = and(eq(chosenMails.kind, "new-order"), lt(chosenMails.notifiedUntil, until));
  const due = await db.select({ userId: chosenMails.userId }).from(chosenMails).where(isBehind);
  for (const { userId } of due) {
    await db.transaction(async (tx) => {
      const [row] = await tx
        .select()
        .from(chosenMails)
        .where(and(isBehind, eq(chosenMails.userId, userId)))
        .for("update");
      if (!row?.notifiedUntil) return;
      const [admin] = await tx
        .select({ id: users.id, email: users.email })
        .from(users)
        .innerJoin(staffRoles, eq(staffRoles.userId, users.id))
        .where(and(eq(users.id, userId), eq(staffRoles.role, "god_admin"), isNotBanned()));
      const goesOn = row.choice === "every morning";
      if (admin && row.choice !== "never") {
        const cause = `new-orders:${until.toISOString()}:${userId}`;
        const gathered = { since: row.notifiedUntil, until: goesOn ? until : row.changedAt };
        await notifyOfGatheredPurchasesLater(tx, sender, admin, { cause, ...gathered });
      }
      await tx
        .update(chosenMails)
        .set({ notifiedUntil: goesOn ? until : null })
        .where(and(eq(chosenMails.userId, userId), eq(chosenMails.kind, "new-order")));
    });
  }
}

/** Nine in the morning of today, or of yesterday while it is not nine yet. */
function lastMorning(moment: Date): Date {
  const today = dayStart(dayOf(moment)).getTime() + morning;
  return new Date(today <= moment.getTime() ? today : today - day);
}
