import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { assignedReview, pendingReview } from "../../../tests/support/rows/review-states.ts";
import { saveMailChoices } from "../../accounts/mail-choices/mail-choices.server.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { staffRoles } from "../../accounts/tables.server.ts";
import { day, hour } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { reassignReviews } from "../../review-staff/assign/assign-reviews.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { sendReminders } from "./reminders.server.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";

const config = testConfig();
const { db } = await testDatabase();
const log = createLog("silent");
const bought = new Date("2026-03-02T04:30:00Z");

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: bought });
  // Staff of earlier tests would get emails too.
  await db.delete(staffRoles);
  await db.delete(serviceReviews);
});
const who = everybody(db);

test("no reminder is sent before half of the time has passed", async () => {
  await promise(await pendingReview(db, who.asha, { createdAt: bought }));
  await hoursLater(23.9);
  expect(await subjects(who.gita)).toEqual([]);
  expect(await subjects(who.asha)).toEqual([]);
});

test("admins get one reminder about a review that is unassigned at half of its time", async () => {
  await promise(await pendingReview(db, who.asha, { createdAt: bought }));
  await hoursLater(24);
  await hoursLater(24.1);
  await hoursLater(40);
  expect(await subjects(who.gita)).toEqual(["A Resume Review is still unassigned"]);
  expect(await subjects(who.asha)).toEqual([]);
});

test("at 75% of the time the reviewer gets one reminder, and admins none", async () => {
  await promise(await assignedReview(db, who.asha, who.meera, { createdAt: bought }));
  await hoursLater(35);
  expect(await subjects(who.meera)).toEqual([]);
  await hoursLater(36);
  await hoursLater(37);
  expect(await subjects(who.meera)).toEqual(["A Resume Review assigned to you is due soon"]);
  expect(await subjects(who.gita)).toEqual([]);
});

test("a reviewer who gets the review after 75% of the time is reminded too", async () => {
  const id = await assignedReview(db, who.asha, who.meera, { createdAt: bought });
  await promise(id);
  await hoursLater(36);
  await reassignReviews(db, who.gita, { reviewIds: [id], reviewerId: who.kabir.id }, config);
  await hoursLater(36.1);
  expect(await subjects(who.kabir)).toContain("A Resume Review assigned to you is due soon");
  const sent = await subjects(who.meera);
  expect(sent.filter((subject) => subject.includes("due soon"))).toHaveLength(1);
});

test("an overdue review is announced to the customer with their options, and to admins with its reviewer", async () => {
  await promise(await assignedReview(db, who.asha, who.meera, { createdAt: bought }));
  await hoursLater(48);
  await hoursLater(49);
  const [toCustomer, ...others] = await mailsTo(db, who.asha.email);
  expect(others).toEqual([]);
  expect(toCustomer!.subject).toBe("Your Resume Review is late");
  expect(toCustomer!.text).toContain("Mar 4, 2026, 10:00 AM");
  expect(toCustomer!.text).toContain(
    "Paid on Mar 2 → With a reviewer → Ready by Wed, Mar 4, 10:00 AM (late)\n",
  );
  expect(toCustomer!.html + toCustomer!.text).not.toContain("Meera");
  expect(toCustomer!.text).toContain(`${config.origin}/profile/payments`);
  const [toAdmin] = await mailsTo(db, who.gita.email);
  expect(toAdmin!.subject).toBe("A Resume Review is overdue");
  expect(toAdmin!.text).toContain("Assigned to Meera Iyer");
});

test("after downtime only the latest reminder is sent", async () => {
  await promise(await pendingReview(db, who.asha, { createdAt: bought }));
  await hoursLater(60);
  expect(await subjects(who.gita)).toEqual(["A Resume Review is overdue"]);
});

test("an extended due date restarts the reminders", async () => {
  const id = await assignedReview(db, who.asha, who.meera, { createdAt: bought });
  await promise(id);
  await hoursLater(36);
  const extendedTo = new Date(bought.getTime() + 96 * hour);
  await db.update(serviceReviews).set({ extendedTo }).where(eq(serviceReviews.id, id));
  await hoursLater(49);
  expect(await subjects(who.asha)).toEqual([]);
  await hoursLater(72);
  expect(await subjects(who.meera)).toHaveLength(2);
});

test("completed and withdrawn reviews, and those without a due date, get no reminders", async () => {
  const ids = await Promise.all(
    [1, 2, 3].map(() => pendingReview(db, who.asha, { createdAt: bought })),
  );
  await promise(ids[0]!, { status: "completed" });
  await promise(ids[1]!, { withdrawnAt: bought });
  await hoursLater(60);
  expect(await subjects(who.gita)).toEqual([]);
  expect(await subjects(who.asha)).toEqual([]);
});

test("staff can turn these emails off, but customers always get them", async () => {
  await promise(await assignedReview(db, who.asha, who.meera, { createdAt: bought }));
  await saveMailChoices(db, who.gita, { ...all("at once"), "review-late": "never" });
  await saveMailChoices(db, who.meera, { ...all("at once"), "work-due": "never" });
  await saveMailChoices(db, who.asha, { ...all("never") });
  await hoursLater(49);
  expect(await subjects(who.gita)).toEqual([]);
  expect(await subjects(who.meera)).toEqual([]);
  expect(await subjects(who.asha)).toEqual(["Your Resume Review is late"]);
});

test("two processes at the same minute write each email once", async () => {
  for (let index = 0; index < 5; index++)
    await promise(await pendingReview(db, who.asha, { createdAt: bought }));
  vi.setSystemTime(bought.getTime() + 49 * hour);
  await Promise.all([sendReminders({ db, log }, config), sendReminders({ db, log }, config)]);
  expect(await subjects(who.asha)).toHaveLength(5);
  expect(await subjects(who.gita)).toHaveLength(5);
});

// Covered by "admins get one reminder about a review that is unassigned".
test("reminders cover more reviews than one query reads @slow", async () => {
  const createdAt = bought;
  const dueAt = new Date(bought.getTime() + 2 * day);
  await db.insert(serviceReviews).values(
    Array.from({ length: 230 }, () => ({
      userId: who.asha.id,
      serviceType: "resume_review" as const,
      status: "pending" as const,
      createdAt,
      dueAt,
    })),
  );
  await hoursLater(25);
  expect(await subjects(who.gita)).toHaveLength(230);
});

function all(choice: string) {
  const kinds = [
    "review-assigned",
    "review-ready",
    "saved-job-closes",
    "work-changed",
    "work-due",
    "new-order",
    "review-late",
    "job-reported",
  ];
  return Object.fromEntries(kinds.map((kind) => [kind, choice]));
}

async function promise(
  id: string,
  facts: Partial<typeof serviceReviews.$inferInsert> = {},
): Promise<void> {
  const dueAt = new Date(bought.getTime() + 48 * hour);
  await db
    .update(serviceReviews)
    .set({ dueAt, ...facts })
    .where(eq(serviceReviews.id, id));
}

async function hoursLater(hours: number): Promise<void> {
  vi.setSystemTime(bought.getTime() + hours * hour);
  await sendReminders({ db, log }, config);
}

async function subjects({ email }: Actor): Promise<string[]> {
  return (await mailsTo(db, email)).map(({ subject }) => subject);
}
