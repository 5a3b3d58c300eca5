import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { assignedReview, pendingReview } from "../../tests/support/rows/review-states.ts";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { auditEvents } from "../platform/tables.server.ts";
import { assignReviews, reassignReviews } from "../review-staff/assign/assign-reviews.server.ts";
import { listChanges, formatEvent, listHistory } from "./history.server.ts";
import { everybody } from "../../tests/support/rows/everybody.ts";

const config = testConfig();
const everything = { type: null, id: null, after: null };
const { db } = await testDatabase();
const who = everybody(db);

beforeEach(() => db.delete(auditEvents));

test("the audit log lists the newest action first, with the names of people it mentions", async () => {
  expect(await listHistory(db, who.gita, everything)).toEqual({
    events: [],
    names: {},
    previous: null,
    next: null,
  });
  const [one, other] = [
    await pendingReview(db, who.asha),
    await assignedReview(db, who.asha, who.meera),
  ];
  await assignReviews(db, who.gita, { reviewIds: [one], reviewerId: who.meera.id }, config);
  await reassignReviews(db, who.gita, { reviewIds: [other], reviewerId: who.kabir.id }, config);
  const { events, names } = await listHistory(db, who.gita, everything);
  expect(events.map(({ event, subjectId }) => [event, subjectId])).toEqual([
    ["review.reassign", other],
    ["review.assign", one],
  ]);
  expect(names).toEqual({
    [who.meera.id]: "Meera Iyer",
    [who.kabir.id]: "Kabir Shah",
    [one]: "Resume Review of Asha Verma",
    [other]: "Resume Review of Asha Verma",
  });
  expect(listChanges("review.reassign", events[0]!.before, events[0]!.after, names)).toEqual([
    { what: "Reviewer", before: "Meera Iyer", after: "Kabir Shah" },
  ]);
});

test("more events are recorded together than fit in one SQL statement", async () => {
  const event = { actor: "operator", event: "mail.retry" } as const;
  const ids = Array.from({ length: 12_000 }, () => randomUUID());
  const events = ids.map((id) => ({ ...event, subject: { type: "mail", id } }));
  await recordAuditEvents(db, events);
  expect(await db.$count(auditEvents)).toBe(12_000);
});

test("the audit log can be filtered by subject and paged without gaps", async () => {
  for (let index = 0; index < 120; index++) {
    const subject = { type: index % 2 ? "review" : "user", id: `thing ${index % 4}` };
    await recordAuditEvents(db, [{ actor: "operator", event: "role.grant", subject }]);
  }
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page = await listHistory(db, who.gita, { ...everything, after });
    ids.push(...page.events.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  expect(new Set(ids).size).toBe(120);
  const ofOne = await listHistory(db, who.gita, { ...everything, type: "review", id: "thing 1" });
  expect(ofOne.events).toHaveLength(30);
  const ofType = await listHistory(db, who.gita, { ...everything, type: "user" });
  expect(new Set(ofType.events.map(({ subjectType }) => subjectType))).toEqual(new Set(["user"]));
});

test("every staff action has a label", () => {
  const sources = globSync("app/**/*.server.{ts,tsx}").map((file) => readFileSync(file, "utf8"));
  const recorded = sources.flatMap((text) => [
    ...text.matchAll(/"((?:review|job|user|subscription|mail|message|order)\.[a-z-]+)"/g),
  ]);
  const written = recorded
    .map(([, event]) => event!)
    .filter((event) => !permissionsWithoutEvent.has(event));
  expect(new Set(written).size).toBeGreaterThan(20);
  expect(written.filter((event) => formatEvent(event) === event)).toEqual([]);
});

const file = `review-files/reviews/1/files/${randomUUID()}-new-order.pdf`;
const [pending, underReview] = [
  { status: "pending", priority: 3 },
  { status: "under_review", priority: 0 },
];
const oldDetails = { skillIds: [1], payMax: null, placeIds: [] };
const newDetails = { skillIds: [1, 2], payMax: 1_800_000, placeIds: [] };
const granted = { isSubscribed: true, subscriptionEndsAt: "2026-12-20T14:14:18.839Z" };
const none = { isSubscribed: false, subscriptionEndsAt: null };

test.each<[event: string, before: unknown, after: unknown, ...(string | null)[][]]>([
  [
    "review.edit",
    underReview,
    pending,
    ["Status", "Under Review", "Pending"],
    ["Priority", "None", "High"],
  ],
  ["review.upload", null, { file }, ["File", null, "new-order.pdf"]],
  ["job.archive", { isArchived: false }, { isArchived: true }, ["Archived", "no", "yes"]],
  [
    "job.update",
    oldDetails,
    newDetails,
    ["Skills", "Figma", "Figma, Sketch"],
    ["Pay to", null, "18,00,000"],
  ],
  ["job.update", { pocName: null }, { pocName: "Devi" }, ["POC name", null, "Devi"]],
  ["order.refund", null, { capturedPaise: 198_50 }, ["Captured", null, "₹198.50"]],
  [
    "subscription.grant",
    none,
    granted,
    ["Subscribed", "no", "yes"],
    ["Subscription ends", null, "Dec 20, 2026"],
  ],
  ["job.create", null, { title: "Engraver", description: "Long." }, ["Title", null, "Engraver"]],
])("the changes of %s use the words of the screens", (event, before, after, ...changes) => {
  const listed = listChanges(event, before, after, {});
  expect(listed.map((change) => [change.what, change.before, change.after])).toEqual(changes);
});

/** Permissions that only allow reading, or whose events have other names. */
const permissionsWithoutEvent = new Set<string>([
  "user.change-role",
  "mail.manage",
  "mail.choose",
  "review.oversee",
  "review.remark",
  "review.write",
  "review.share",
  "review.brief",
  "review.black-out",
  "review.rate",
  "user.oversee",
  "job.manage",
  "job.manage-any",
  "job.post",
  "job.review",
]);

test("events without a label and states of any type are still shown", () => {
  expect(formatEvent("job.archive-all")).toBe("job.archive-all");
  expect(listChanges("job.archive-all", "a", ["b"], {})).toEqual([
    { what: "Value", before: "a", after: null },
    { what: "0", before: null, after: "b" },
  ]);
  expect(
    listChanges("review.edit", null, { feedback: "x".repeat(500), same: 1 }, {})[0]?.after,
  ).toHaveLength(121);
  expect(listChanges("review.edit", { same: 1 }, { same: 1 }, {})).toEqual([]);
});
