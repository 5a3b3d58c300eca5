import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { person } from "../../../tests/support/rows/people.ts";
import {
  assignedReview,
  completedReview,
  attachFiles,
  pendingReview,
  pendingReviews,
} from "../../../tests/support/rows/review-states.ts";
import { review } from "../../../tests/support/rows/reviews.ts";
import { brief } from "../../../tests/support/rows/things.ts";
import { staffRoles } from "../../accounts/tables.server.ts";
import { day, hour, now } from "../../platform/clock.ts";
import { addBrief } from "../../reviews/brief/brief.server.ts";
import { saveIntroduction } from "../../reviews/reviewer-profile/introductions.server.ts";
import { reviewerProfiles, serviceReviews } from "../../reviews/tables.server.ts";
import {
  buildAssignmentsAddress,
  cardsPerPage,
  readAssignmentsQuery,
  buildMoreQuery,
} from "../workspace/dashboard-query.ts";
import { listAssignedReviews, listPendingReviews, rowsPerPage } from "./lists.server.ts";
import { listCompletedReviews } from "../edit/completed-reviews.server.ts";
import { assignReviews } from "./assign-reviews.server.ts";
import { keepWished, listAssignees } from "./assignees.server.ts";
import { hasAssignedReview, listOwnAssignments, findWorkspace } from "../workspace/find.server.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { setBan, tomorrow } from "../../../tests/support/rows/admin-things.ts";

const { db } = await testDatabase();

beforeEach(async () => {
  await db.delete(serviceReviews);
  await db.delete(staffRoles);
});
const who = everybody(db);

const ago = (milliseconds: number) => new Date(now().getTime() - milliseconds);
const listOwn = (query: string) =>
  listOwnAssignments(db, who.meera, readAssignmentsQuery(new URLSearchParams(query)));
const own = async (query = "") =>
  (await listOwn(query)).assignments.map(({ reviewId }) => reviewId);

test("admins see in all lists which reviews are second looks, and who reviewed before", async () => {
  const { asha, meera, kabir, gita } = who;
  const earlier = await completedReview(db, asha, kabir);
  const look = { secondLookOf: earlier };
  const { id: pending } = await review(db, asha, look);
  const assigned = await assignedReview(db, asha, meera);
  await db.update(serviceReviews).set(look).where(eq(serviceReviews.id, assigned));
  const marked = { secondLookOf: earlier, earlierReviewerId: kabir.id };
  expect((await listPendingReviews(db, gita, {})).rows).toMatchObject([{ id: pending, ...marked }]);
  expect((await listAssignedReviews(db, gita, {})).rows).toMatchObject([
    { id: assigned, ...marked },
  ]);
  const { rows } = await listCompletedReviews(db, gita, { after: null });
  expect(rows).toMatchObject([{ id: earlier, secondLookOf: null, earlierReviewerId: null }]);
});

test("a reviewer sees their own assignments in two tabs, latest first", async () => {
  const older = await assignedReview(db, who.asha, who.meera, {
    assignedAt: ago(2 * day),
    priority: 1,
  });
  const newer = await assignedReview(db, who.asha, who.meera, {
    assignedAt: ago(day),
    priority: 3,
  });
  const newest = await assignedReview(db, who.asha, who.meera, { priority: 2 });
  const done = await completedReview(db, who.asha, who.meera);
  await assignedReview(db, who.asha, who.kabir);
  expect(await own()).toEqual([newest, newer, older]);
  expect(await own("dir=asc")).toEqual([older, newer, newest]);
  expect(await own("sort=priority")).toEqual([newer, newest, older]);
  expect(await own("sort=priority&dir=asc")).toEqual([older, newest, newer]);
  expect(await own("tab=completed")).toEqual([done]);
  expect(await own("show=2")).toEqual([newest, newer]);
  for (const [sort, behind] of [
    ["sort=assigned", older],
    ["sort=priority", older],
    ["sort=priority&dir=asc", newer],
  ]) {
    const { next, counts } = await listOwn(`${sort}&show=2`);
    expect(await own(`${sort}&show=2&after=${next}`)).toEqual([behind]);
    expect([counts.pending.counted, counts.completed.counted]).toEqual([3, 1]);
  }
});

test("loading more continues on a new page when a dashboard page is full", () => {
  const reached = new Set<string>();
  let query = readAssignmentsQuery(new URLSearchParams("tab=completed"));
  for (let shown = 0; shown < 2_000; shown += cardsPerPage) {
    const address = buildAssignmentsAddress(query);
    expect(reached).not.toContain(address);
    reached.add(address);
    expect(readAssignmentsQuery(new URL(address, "http://localhost").searchParams)).toEqual(query);
    const more = buildMoreQuery(query, `behind ${shown}`);
    expect(more.after === query.after ? more.show > query.show : query.show > 900).toBe(true);
    query = more;
  }
});

test("a review is completed when either its status or its assignment says so", async () => {
  const id = await completedReview(db, who.asha, who.meera);
  await db.update(serviceReviews).set({ status: "under_review" }).where(eq(serviceReviews.id, id));
  expect(await own("tab=completed")).toEqual([id]);
  expect(await own()).toEqual([]);
  expect((await findWorkspace(db, who.meera, id))?.isOpen).toBe(false);
});

test("a person who lost the role sees nothing, while the admin still sees the assignment", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  await db.delete(staffRoles).where(eq(staffRoles.userId, who.meera.id));
  expect(await own()).toEqual([]);
  const { rows } = await listAssignedReviews(db, who.gita, { type: null, after: null });
  expect(rows).toMatchObject([{ id, assignedTo: "Meera Iyer" }]);
});

test("a reviewer has the reviews assigned to them, and no others", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  expect(await hasAssignedReview(db, who.meera, id)).toBe(true);
  expect(await hasAssignedReview(db, who.kabir, id)).toBe(false);
  expect(await hasAssignedReview(db, who.meera, "no id")).toBe(false);
  await db.delete(staffRoles);
  expect(await hasAssignedReview(db, who.meera, id)).toBe(false);
});

test("a workspace shows materials in order, and the reviewer's images and files", async () => {
  const id = await assignedReview(db, who.asha, who.meera, { type: "combined_review" });
  await attachFiles(db, id);
  const workspace = await findWorkspace(db, who.meera, id);
  expect(workspace?.materials.map(({ label }) => label)).toEqual([
    "Resume",
    "Portfolio URL",
    "Portfolio file",
  ]);
  expect(workspace?.materials[0]).toMatchObject({
    href: `/storage/resumes/${who.asha.id}/1737000000000.pdf`,
    shownAs: "pdf",
  });
  expect(workspace).toMatchObject({
    images: [{ annotation: "The cover" }],
    files: [{ name: "notes.pdf" }],
  });
  expect(await findWorkspace(db, who.meera, "no id")).toBeNull();
  expect(await findWorkspace(db, who.gita, id)).toBeNull();
});

test("a portfolio address that is not a web address never becomes a link", async () => {
  const id = await assignedReview(db, who.asha, who.meera, { type: "portfolio_review" });
  await db
    .update(serviceReviews)
    .set({ portfolioUrl: "javascript:alert(1)" })
    .where(eq(serviceReviews.id, id));
  expect((await findWorkspace(db, who.meera, id))?.materials[0]).toMatchObject({ href: null });
});

test("pending reviews are sorted by urgency, then by age", async () => {
  const late = await pendingReview(db, who.asha, { createdAt: ago(hour) });
  const early = await pendingReview(db, who.asha, { createdAt: ago(2 * hour) });
  const urgent = await pendingReview(db, who.asha, { type: "combined_review", priority: 3 });
  await assignedReview(db, who.asha, who.kabir);
  const { rows, total } = await listPendingReviews(db, who.gita, { type: null, after: null });
  expect(rows.map(({ id }) => id)).toEqual([urgent, early, late]);
  expect(total).toEqual({ counted: 3, isMore: false });
  const combined = await listPendingReviews(db, who.gita, {
    type: "combined_review",
    after: "nonsense",
  });
  expect(combined.rows.map(({ id }) => id)).toEqual([urgent]);
});

test("the list shows the page before once all reviews on the last page are assigned", async () => {
  await pendingReviews(db, who.asha, rowsPerPage + 1);
  const { next } = await listPendingReviews(db, who.gita, {});
  const { rows: last } = await listPendingReviews(db, who.gita, { after: next });
  const chosen = { reviewIds: last.map(({ id }) => id), reviewerId: who.meera.id };
  await assignReviews(db, who.gita, chosen, testConfig());
  const { rows, total } = await listPendingReviews(db, who.gita, { after: next });
  expect([rows.length, total.counted]).toEqual([rowsPerPage, rowsPerPage]);
});

test("assignees are reviewers who are not banned, with the number of their open assignments", async () => {
  await assignedReview(db, who.asha, who.meera);
  await assignedReview(db, who.asha, who.meera, { status: "pending" });
  await completedReview(db, who.asha, who.meera);
  const banned = await person(db, "Nisha Banned", { roles: ["reviewer"] });
  await setBan(db, banned.id, tomorrow());
  expect(await listAssignees(db, who.gita)).toMatchObject([
    { id: who.kabir.id, name: "Kabir Shah", openAssignments: { counted: 0, isMore: false } },
    { id: who.meera.id, name: "Meera Iyer", openAssignments: { counted: 2, isMore: false } },
  ]);
});

test("the lists show wishes, and assignees what they know of them", async () => {
  const chosen = { firstName: "", field: "", about: "" };
  await saveIntroduction(db, who.kabir, {
    ...chosen,
    knownFields: ["brand", "motion"],
    languages: ["English", "Tamil"],
  });
  const [pending, assigned] = [
    await pendingReview(db, who.asha),
    await assignedReview(db, who.asha, who.meera),
  ];
  await addBrief(db, pending, brief);
  await addBrief(db, assigned, { ...brief, wish: { field: null, language: "Urdu" } });
  const none = await pendingReview(db, who.asha);
  const { rows } = await listPendingReviews(db, who.gita, {});
  expect(rows.map(({ id, wishes }) => [id, wishes])).toEqual([
    [pending, ["Motion design", "Tamil"]],
    [none, []],
  ]);
  const listed = await listAssignedReviews(db, who.gita, {});
  expect(listed.rows.map(({ wishes }) => wishes)).toEqual([["Urdu"]]);
  const assignees = await listAssignees(db, who.gita);
  expect(keepWished(assignees, rows).map(({ knows }) => knows)).toEqual([
    ["Motion design", "Tamil"],
    [],
  ]);
  expect(keepWished(assignees, listed.rows).map(({ knows }) => knows)).toEqual([[], []]);
  await db.delete(reviewerProfiles);
});
