import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Actor } from "../../accounts/actor.server.ts";
import { staffRoles, users } from "../../accounts/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { people, person } from "../../../tests/support/rows/people.ts";
import {
  assignedReview,
  completedReview,
  pendingReview,
} from "../../../tests/support/rows/review-states.ts";
import { setBan, tomorrow } from "../../../tests/support/rows/admin-things.ts";
import { reviewAssignments } from "../tables.server.ts";
import { reassignReviews } from "../../review-staff/assign/assign-reviews.server.ts";
import {
  hideReviewer,
  saveIntroduction,
  listIntroductions,
  findOwnIntroduction,
  findReviewerIntroduction,
  findReviewSignature,
  getReviewerCard,
  listPublicReviewers,
} from "./introductions.server.ts";

const config = testConfig();
const asMeera = { firstName: "Meera", field: "product design", about: "Payments and health." };
const asOwn = { ...asMeera, knownFields: [], languages: [] };
const asKabir = { firstName: "Kabir", field: "brand design", about: "" };

let db: Database;
let asha: Actor;
let meera: Actor;
let kabir: Actor;
let gita: Actor;

beforeAll(async () => {
  ({ db } = await testDatabase());
  ({ asha, meera, kabir, gita } = await people(db));
  await saveIntroduction(db, meera, asMeera);
  await saveIntroduction(db, kabir, asKabir);
});

test("a customer sees the reviewer of an assigned or completed review", async () => {
  expect(await findReviewerIntroduction(db, await pendingReview(db, asha))).toBeNull();
  expect(await findReviewerIntroduction(db, await assignedReview(db, asha, meera))).toEqual({
    initial: "M",
    firstName: "Meera",
    name: "Meera, product design",
    lines: ["Payments and health."],
  });
  expect(await findReviewerIntroduction(db, await completedReview(db, asha, kabir))).toEqual({
    initial: "K",
    firstName: "Kabir",
    name: "Kabir, brand design",
    lines: [],
  });
});

test("an introduction is shown with the first character of the name", async () => {
  const shownAs = (firstName: string) =>
    getReviewerCard(db, kabir.id, { ...asOwn, firstName, isRecordPublic: false });
  expect(await shownAs("काव्या")).toMatchObject({ initial: "का" });
  expect(await shownAs("meera")).toMatchObject({ initial: "M" });
});

test("a completed review names its reviewer and the date", async () => {
  const completedAt = new Date("2026-11-04T12:00:00Z");
  const complete = (reviewId: string) =>
    db
      .update(reviewAssignments)
      .set({ completedAt })
      .where(eq(reviewAssignments.reviewId, reviewId));
  const open = await assignedReview(db, asha, meera);
  expect(await findReviewSignature(db, open)).toBeNull();
  const named = await completedReview(db, asha, meera);
  await complete(named);
  expect(await findReviewSignature(db, named)).toBe("reviewed by Meera · Nov 4, 2026");
  const unnamed = await completedReview(
    db,
    asha,
    await person(db, "Ravi", { roles: ["reviewer"] }),
  );
  await complete(unnamed);
  expect(await findReviewSignature(db, unnamed)).toBe("reviewed Nov 4, 2026");
});

test("a reassigned review shows its current reviewer", async () => {
  const id = await assignedReview(db, asha, meera);
  await reassignReviews(db, gita, { reviewIds: [id], reviewerId: kabir.id }, config);
  expect(await findReviewerIntroduction(db, id)).toMatchObject({ initial: "K" });
});

test("a reviewer without an introduction, or with a withdrawn one, is not shown", async () => {
  const nila = await person(db, "Nila Bose", { roles: ["reviewer"] });
  const id = await assignedReview(db, asha, nila);
  expect(await findReviewerIntroduction(db, id)).toBeNull();
  await saveIntroduction(db, nila, { ...asMeera, firstName: "Nila" });
  expect(await findReviewerIntroduction(db, id)).toMatchObject({ firstName: "Nila" });
  await saveIntroduction(db, nila, { firstName: "", field: "", about: "" });
  expect(await findReviewerIntroduction(db, id)).toBeNull();
  const listed = await listIntroductions(db, gita);
  expect(listed.map(({ reviewerId }) => reviewerId)).not.toContain(nila.id);
});

test("a hidden introduction stays hidden after edits, until an admin shows it again", async () => {
  const omar = await person(db, "Omar Sen", { roles: ["reviewer"] });
  const id = await completedReview(db, asha, omar);
  await saveIntroduction(db, omar, { ...asMeera, about: "Call me on 98765 43210." });
  await hideReviewer(db, gita, { reviewerId: omar.id, hide: true });
  await hideReviewer(db, gita, { reviewerId: omar.id, hide: true });
  expect(await findReviewerIntroduction(db, id)).toBeNull();
  await saveIntroduction(db, omar, asMeera);
  expect(await findReviewerIntroduction(db, id)).toBeNull();
  expect(await findOwnIntroduction(db, omar)).toEqual({
    ...asOwn,
    isHidden: true,
    isPublic: false,
    isRecordPublic: false,
  });
  await hideReviewer(db, gita, { reviewerId: omar.id, hide: false });
  expect(await findReviewerIntroduction(db, id)).toMatchObject({ name: "Meera, product design" });
  const events = await db
    .select({ event: auditEvents.event, actor: auditEvents.actorName })
    .from(auditEvents)
    .where(eq(auditEvents.subjectId, omar.id))
    .orderBy(auditEvents.at);
  expect(events).toEqual([
    { event: "reviewer.introduce", actor: "Omar Sen" },
    { event: "reviewer.hide", actor: "Gita Menon" },
    { event: "reviewer.introduce", actor: "Omar Sen" },
    { event: "reviewer.show", actor: "Gita Menon" },
  ]);
});

test("a reviewer without an introduction cannot be hidden", async () => {
  const hide = hideReviewer(db, gita, { reviewerId: asha.id, hide: true });
  await expect(hide).rejects.toThrow(NotFound);
});

test("only reviewers who agreed are public, in the order in which they agreed, six at most", async () => {
  expect(await listPublicReviewers(db)).toEqual([]);
  const agreed = [];
  for (const name of ["Uma", "Veda", "Wasim", "Xenia", "Yusuf", "Zara", "Arif"]) {
    const reviewer = await person(db, `${name} Roy`, { roles: ["reviewer"] });
    await saveIntroduction(db, reviewer, { ...asMeera, firstName: name, isPublic: true });
    agreed.push(reviewer);
  }
  const names = async () => (await listPublicReviewers(db)).map(({ name }) => name.split(",")[0]);
  expect(await names()).toEqual(["Uma", "Veda", "Wasim", "Xenia", "Yusuf", "Zara"]);
  expect(Object.keys((await listPublicReviewers(db))[0]!)).toEqual([
    "initial",
    "name",
    "about",
    "facts",
  ]);

  // A later edit keeps the place.
  await saveIntroduction(db, agreed[0]!, { ...asKabir, firstName: "Uma", isPublic: true });
  expect((await names())[0]).toBe("Uma");

  await saveIntroduction(db, agreed[0]!, { ...asMeera, firstName: "Uma", isPublic: false });
  await hideReviewer(db, gita, { reviewerId: agreed[1]!.id, hide: true });
  await setBan(db, agreed[2]!.id, tomorrow());
  await db.delete(staffRoles).where(eq(staffRoles.userId, agreed[3]!.id));
  await db.delete(users).where(eq(users.id, agreed[4]!.id));
  expect(await names()).toEqual(["Zara", "Arif"]);

  // An empty introduction also withdraws the agreement.
  await saveIntroduction(db, agreed[5]!, { firstName: "", field: "", about: "", isPublic: true });
  await saveIntroduction(db, agreed[5]!, { ...asMeera, firstName: "Zara" });
  expect(await names()).toEqual(["Arif"]);
});

test("the history says when a reviewer agreed and when they no longer did", async () => {
  const nila = await person(db, "Nila Das", { roles: ["reviewer"] });
  for (const isPublic of [true, true, false])
    await saveIntroduction(db, nila, { ...asMeera, isPublic });
  const events = await db
    .select({ before: auditEvents.before, after: auditEvents.after })
    .from(auditEvents)
    .where(eq(auditEvents.subjectId, nila.id))
    .orderBy(auditEvents.at);
  expect(events).toMatchObject([
    { before: null, after: { isPublic: true } },
    { before: { isPublic: true }, after: { isPublic: false } },
  ]);
});
