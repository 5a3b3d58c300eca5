import { join } from "node:path";
import { asc, eq, sql } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { createConfirmedAccount } from "../../app/accounts/sign-up/sign-up.server.tsx";
import { profiles, staffRoles, users } from "../../app/accounts/tables.server.ts";
import { formatEvent } from "../../app/admin/history.server.ts";
import { mailKinds } from "../../app/admin/mail/manage-mails.server.ts";
import { listUndeliveredMails } from "../../app/admin/overview.server.ts";
import { createDiskStore } from "../../app/files/disk-store.server.ts";
import { jobs } from "../../app/jobs/tables.server.ts";
import { countUnsentMails } from "../../app/mail/deliver-mail.server.ts";
import { mailStates } from "../../app/mail/rules.ts";
import { mails } from "../../app/mail/tables.server.ts";
import { refunds } from "../../app/payments/refunds/tables.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { day, hour, now } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { auditEvents } from "../../app/platform/tables.server.ts";
import { answerQuestion } from "../../app/annotations/answers/answers.server.ts";
import { saveIntroduction } from "../../app/reviews/reviewer-profile/introductions.server.ts";
import { reviewAssignments, serviceReviews } from "../../app/reviews/tables.server.ts";
import { grantSubscription } from "../../app/subscriptions/subscription.server.ts";
import { listMessages } from "../../app/support/answer/list-messages.server.ts";
import { messageLists } from "../../app/support/rules.ts";
import { supportAnswers, supportMessages } from "../../app/support/tables.server.ts";
import { deleteExpired } from "../../server/services/tasks.ts";
import {
  jobCommands,
  reviewCommands,
  uploadCommands,
} from "../../tests/support/inventory/commands.ts";
import { otherCommands } from "../../tests/support/inventory/other-commands.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";
import { stopClock } from "../../tests/support/product/stop-clock.ts";
import { people, person } from "../../tests/support/rows/people.ts";
import { introduction, makeThings, type Things } from "../../tests/support/rows/things.ts";
import { loadDemo } from "./load.server.ts";

/** The demo's history, messages and emails match its rows and have no effects. */
const { db } = await testDatabase();
const config = testConfig();
let admin: Awaited<ReturnType<typeof person>>;
let history: (typeof auditEvents.$inferSelect)[];

beforeAll(async () => {
  await loadDemo(db, createDiskStore(join(ownFolder(), "files")), config);
  history = await db.select().from(auditEvents).orderBy(asc(auditEvents.at));
  admin = await person(db, "Hema Rao", { roles: ["god_admin"] });
});

test("every history event is about an existing subject at a possible time", async () => {
  const since = new Map<string, Date>([
    ...(await db.select().from(users)).map((row) => [`user ${row.id}`, row.createdAt] as const),
    ...(await db.select().from(jobs)).map((row) => [`job ${row.id}`, row.postedAt] as const),
    ...(await db.select().from(mails)).map((row) => [`mail ${row.id}`, row.createdAt] as const),
    ...(await db.select().from(serviceReviews)).map(
      (row) => [`review ${row.id}`, row.createdAt] as const,
    ),
    ...(await db.select().from(orders)).map(
      (row) => [`order ${row.orderId}`, row.createdAt] as const,
    ),
    ...(await db.select().from(supportMessages)).map(
      (row) => [`message ${row.ticket}`, row.createdAt] as const,
    ),
  ]);
  const names = new Map((await db.select().from(profiles)).map((row) => [row.id, row.fullName]));
  expect(history.length).toBeGreaterThan(100);
  for (const { event, subjectType, subjectId, at, actorId, actorName } of history) {
    const createdAt = since.get(`${subjectType} ${subjectId}`);
    expect(createdAt, `the ${subjectType} of ${event}`).toBeDefined();
    expect(at.getTime(), event).toBeGreaterThanOrEqual(createdAt!.getTime());
    expect(at.getTime(), event).toBeLessThanOrEqual(now().getTime());
    expect(actorName).toBe(actorId === null ? "Operator" : names.get(actorId));
    expect(formatEvent(event)).not.toBe(event);
  }
});

test("every history event looks like those that commands record", async () => {
  const recorded = await recordedShapes();
  for (const event of history) expect(recorded, event.event).toContain(shapeOf(event));
});

test("the history of reviews matches their rows", async () => {
  const rows = await db
    .select({ review: serviceReviews, assignment: reviewAssignments })
    .from(serviceReviews)
    .leftJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id));
  for (const { review, assignment } of rows) {
    const own = history.filter(({ subjectId }) => subjectId === review.id);
    const holders = own.flatMap(({ after, at }) => {
      const { reviewerId } = (after ?? {}) as { reviewerId?: string };
      return reviewerId ? [{ reviewerId, assignedAt: at }] : [];
    });
    const { reviewerId, assignedAt, completedAt } = assignment ?? {};
    expect(holders.at(-1)).toEqual(assignment ? { reviewerId, assignedAt } : undefined);
    const submitted = own.find(({ event }) => event === "review.submit");
    expect(submitted?.at ?? null).toEqual(completedAt ?? null);
    const edited = own.filter(({ event }) => event === "review.edit").at(-1);
    if (edited) expect(edited.after).toMatchObject({ feedback: review.reviewerFeedback });
    const extended = own.filter(({ event }) => event === "review.extend").at(-1);
    const until = (extended?.after as { dueAt: string } | undefined)?.dueAt ?? null;
    expect(until).toBe(review.extendedTo?.toISOString() ?? null);
  }
});

test("the history of listings, roles and decisions matches their rows", async () => {
  expect(subjectsOf("job.create")).toEqual(await idsOf(db.select({ id: jobs.id }).from(jobs)));
  const archived = db.select({ id: jobs.id }).from(jobs).where(eq(jobs.isArchived, true));
  expect(subjectsOf("job.archive")).toEqual(await idsOf(archived));
  const staff = await db.select({ id: staffRoles.userId }).from(staffRoles);
  const granted = staff.map(({ id }) => id).filter((id) => id !== admin.id);
  expect(subjectsOf("role.grant")).toEqual(granted.toSorted());
  const answered = db
    .select({ id: supportMessages.ticket })
    .from(supportAnswers)
    .innerJoin(supportMessages, eq(supportMessages.id, supportAnswers.messageId))
    .where(eq(supportAnswers.isFromWriter, false));
  expect(subjectsOf("message.answer")).toEqual(await idsOf(answered));
  const closed = db
    .select({ id: supportMessages.ticket })
    .from(supportMessages)
    .where(eq(supportMessages.state, "closed"));
  // One closed message was opened again by its writer.
  expect(subjectsOf("message.close")).toEqual(expect.arrayContaining(await idsOf(closed)));
  const declined = db
    .select({ id: refunds.orderId })
    .from(refunds)
    .where(eq(refunds.state, "declined"));
  expect(subjectsOf("order.decline-refund")).toEqual(await idsOf(declined));
});

test("every message list has messages, and every answer has an email", async () => {
  const query = { search: "", after: null };
  // The admin of this test has taken over none.
  for (const list of messageLists.filter((one) => one !== "mine")) {
    const { rows } = await listMessages(db, admin, { ...query, list });
    expect(rows.length, list).toBeGreaterThan(0);
  }
  const causes = new Set(
    (await db.select({ cause: mails.cause }).from(mails)).map(({ cause }) => cause),
  );
  const isReply = eq(supportAnswers.isFromWriter, false);
  for (const { id } of await db.select().from(supportAnswers).where(isReply))
    expect(causes).toContain(`contact-answer:${id}`);
});

test("there are emails in every state and of known kinds, to made-up people", async () => {
  const rows = await db.select().from(mails);
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(mailStates));
  for (const { cause, recipient, state, text, html, createdAt, sentAt } of rows) {
    expect(mailKinds).toHaveProperty(cause.slice(0, cause.indexOf(":")));
    expect(recipient).toMatch(/@([\w-]+\.)?example(\.com|\.in)?$/);
    if (state !== "dropped") expect(`${text}${html}`).toContain(config.product.name);
    expect(createdAt.getTime()).toBeLessThan((sentAt ?? now()).getTime());
  }
});

test("the demo's emails and messages are not sent, deleted or reported, now or a week later", async () => {
  const waiting = sql`select * from pgboss.job where name = 'deliver-mail'`;
  expect((await db.execute(waiting)).rows).toEqual([]);
  const before = await rowsOf(db);
  stopClock();
  for (const later of [0, hour, 7 * day]) {
    vi.setSystemTime(now().getTime() + later);
    expect(await listUndeliveredMails(db, admin)).toEqual({ mails: [], total: 0 });
    expect(await countUnsentMails(db)).toEqual({ waiting: 0, failed: 0 });
    await deleteExpired(db, config);
    expect(await rowsOf(db)).toEqual(before);
  }
});

function subjectsOf(event: string): string[] {
  const found = history.filter((one) => one.event === event).map(({ subjectId }) => subjectId);
  return found.toSorted();
}

async function idsOf(query: PromiseLike<{ id: string }[]>): Promise<string[]> {
  return (await query).map(({ id }) => id).toSorted();
}

async function rowsOf(database: Database) {
  return {
    mails: await database.select().from(mails).orderBy(asc(mails.id)),
    messages: await database.select().from(supportMessages).orderBy(asc(supportMessages.id)),
  };
}

/** Runs every command on another database, and returns the shapes of the events that they record. */
async function recordedShapes(): Promise<Set<string>> {
  const { db: own } = await testDatabase();
  const who = await people(own);
  const byReview = Object.values({ ...reviewCommands, ...uploadCommands });
  const runs = [
    ...byReview.map((row) => ({ ...row, idIn: reviewIn })),
    ...Object.values(jobCommands).map((row) => ({ ...row, idIn: jobIn })),
  ];
  for (const { may, on, run, idIn } of runs) {
    const things = await makeThings(own, who);
    const actor = who[may[0] as keyof typeof who];
    await run({ db: own, actor, who, things }, idIn(things, on[0]!));
  }
  const things = await makeThings(own, who);
  for (const { may, run } of Object.values(otherCommands))
    await run({ db: own, actor: who[may[0] as keyof typeof who], who, things });
  const question = { reviewId: things.reviews.completed, position: 1, answer: "No.", seen: "" };
  await answerQuestion(own, who.gita, question);
  const account = { email: "new@example.in", fullName: "New", password: null };
  await createConfirmedAccount(own, { ...account, roles: ["god_admin"] });
  await grantSubscription(own, who.ravi.email, { endsAt: now(), isRecurring: true });
  const reviewer = await person(own, "Nila Roy", { roles: ["reviewer"] });
  await saveIntroduction(own, reviewer, introduction);
  return new Set((await own.select().from(auditEvents)).map(shapeOf));
}

const reviewIn = ({ reviews }: Things, state: string) => reviews[state as keyof typeof reviews];
const jobIn = ({ jobs: listings }: Things, state: string) =>
  listings[state as keyof typeof listings];

/** Describes an event by its subject's type and by the names and types of the values before and after. */
function shapeOf({ event, subjectType, before, after }: typeof auditEvents.$inferSelect): string {
  return JSON.stringify([event, subjectType, typesIn(before), typesIn(after)]);
}

/** Treats null as the type of the field's other values. */
function typesIn(state: unknown) {
  if (state === null) return null;
  return Object.entries(state as object)
    .map(([name, value]) => `${name}: ${value === null ? getTypeOfField(name) : typeof value}`)
    .toSorted();
}

function getTypeOfField(name: string): "number" | "string" {
  return /^((experience|pay)(Min|Max|Variable)|rounds|testTaskHours|answerDays)$/.test(name)
    ? "number"
    : "string";
}
