import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { remarkOn, withPages } from "../../../tests/support/rows/marked-reviews.ts";
import {
  assignedReview,
  completedReview,
  eventsOn,
} from "../../../tests/support/rows/review-states.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import {
  findOwnComparison,
  findOwnReview,
} from "../../review-customer/result/own-reviews.server.ts";
import { findCompletedRemarks } from "../../review-staff/edit/completed-reviews.server.ts";
import { findWorkspace } from "../../review-staff/workspace/find.server.ts";
import { getDraftVersion } from "../../review-staff/workspace/own-review.server.ts";
import { submitReview } from "../../review-staff/workspace/submit-review.server.ts";
import { findReadableFile } from "../../reviews/may-read-file.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { scoreCriterion } from "../remarks/scores.server.ts";
import { getOutcomes, saveOutcome } from "./outcomes.server.ts";
import { outcomeMessages as messages } from "./outcomes.ts";

const { db } = await testDatabase();
const who = everybody(db);

let first: string;
let look: string;
let must: string;
let nila: Actor;

/** Meera's completed review of Asha's resume, and the second look at it, which is Kabir's. */
beforeEach(async () => {
  first = await completedReview(db, who.asha, who.meera);
  must = await remarkOn(db, first, who.meera, { x: 0.1, y: 0.19, width: 0.6, height: 0.04 });
  await remarkOn(db, first, who.meera, { severity: "keep", text: "Clear headings." });
  look = await assignedReview(db, who.asha, who.kabir);
  await setEarlier(look, first);
  nila = await person(db, "Nila Roy", { roles: ["reviewer"] });
});

async function setEarlier(id: string, secondLookOf: string | null) {
  const resumeFilePath = `${who.asha.id}/${id}.pdf`;
  await db
    .update(serviceReviews)
    .set({ secondLookOf, resumeFilePath })
    .where(eq(serviceReviews.id, id));
}

type Sent = Parameters<typeof saveOutcome>[2];

function save(change: Partial<Sent> = {}, actor = who.kabir) {
  const sent = { outcome: "solved", note: "", target: null, area: null, base: 0 };
  return saveOutcome(db, actor, { reviewId: look, remarkId: must, ...sent, ...change });
}

const submit = () =>
  submitReview(
    db,
    who.kabir,
    { reviewId: look, feedback: "Better.", version: getDraftVersion(null) },
    testConfig(),
  );

test("an outcome is saved as it was chosen, once, and found again", async () => {
  const target = { kind: "page", part: "resume", page: 2 } as const;
  const area = { x: 0.2, y: 0.3, width: 0.1, height: 0.1 };
  const sent = { outcome: "partly", note: "  The date is\u200b missing. ", target, area };
  const saved = await save(sent);
  expect(saved).toEqual({
    outcome: "partly",
    note: "The date is missing.",
    place: { target, area },
    version: 1,
  });
  expect(await save(sent)).toEqual(saved);
  expect(await getOutcomes(db, look)).toEqual({ [must]: saved });
  expect(await eventsOn(db, look)).toEqual([]);
});

test("of concurrent changes one is saved, and the others get a conflict", async () => {
  const results = await Promise.allSettled(["one", "two", "three"].map((note) => save({ note })));
  const refused = results.flatMap((result) => (result.status === "rejected" ? result.reason : []));
  const { [must]: current } = await getOutcomes(db, look);
  expect(current).toMatchObject({ version: 1 });
  const conflict = new Conflict(messages.changed, { code: "changed", current });
  expect(refused).toEqual([conflict, conflict]);
});

test.each<[string, Partial<Sent>, object]>([
  ["an unknown outcome", { outcome: "constructor" }, { outcome: messages.unknown }],
  ["a long note", { note: "a".repeat(301) }, { note: messages.noteTooLong }],
  [
    "a page of a part that the review doesn't have",
    { target: { kind: "page", part: "portfolio", page: 1 } },
    { target: messages.placeUnknown },
  ],
  [
    "a screenshot",
    { target: { kind: "image", imageId: crypto.randomUUID() } },
    { target: messages.placeUnknown },
  ],
  [
    "an area that is none",
    {
      target: { kind: "page", part: "resume", page: 1 },
      area: { x: NaN, y: 0, width: 1, height: 1 },
    },
    { target: messages.placeUnknown },
  ],
])("%s is refused", async (_, sent, fields) => {
  await expect(save(sent)).rejects.toMatchObject({ fields });
  expect(await getOutcomes(db, look)).toEqual({});
});

test("only the second look's reviewer saves outcomes, and only of the earlier review's remarks", async () => {
  await expect(save({}, who.meera)).rejects.toThrow(NotFound);
  await expect(save({}, who.asha)).rejects.toMatchObject({ name: "Denied" });
  const other = await remarkOn(db, look, who.kabir);
  await expect(save({ remarkId: other })).rejects.toThrow(NotFound);
  await expect(save({ remarkId: "1' or '1'='1" })).rejects.toThrow(NotFound);
  await expect(save({ reviewId: first }, who.meera)).rejects.toThrow(Conflict);
  await setEarlier(look, null);
  await expect(save()).rejects.toThrow(NotFound);
});

test("a second look is submitted once each remark that asks for a change has its outcome", async () => {
  const missing = "1 earlier remark still needs an outcome, with a sentence unless it is solved.";
  await expect(submit()).rejects.toMatchObject({ fields: { "": missing } });
  await save({ outcome: "open" });
  await expect(submit()).rejects.toMatchObject({ fields: { "": missing } });
  await save({ outcome: "open", note: "The number is still missing.", base: 1 });
  await submit();
  await expect(save({ base: 2 })).rejects.toThrow(Conflict);
  await save({ outcome: "solved", note: "Now it is there.", base: 2 }, who.gita);
  expect(await eventsOn(db, look)).toEqual(["review.submit", "review.edit-outcome"]);
});

test("a second look of a review that was deleted is an ordinary review", async () => {
  await db.delete(serviceReviews).where(eq(serviceReviews.id, first));
  expect((await findWorkspace(db, who.kabir, look))?.earlier).toBeNull();
  await submit();
  expect(await findOwnComparison(db, who.asha, look)).toEqual({ comparison: null });
});

test("the workspace proposes the place of the same words, and the customer sees only a confirmed one", async () => {
  await withPages(db, first);
  await withPages(db, look);
  const workspace = await findWorkspace(db, who.kabir, look);
  const [{ before, proposal }] = workspace!.earlier!.remarks as [
    NonNullable<NonNullable<typeof workspace>["earlier"]>["remarks"][number],
  ];
  expect(workspace!.earlier!.remarks).toHaveLength(1);
  expect(before).toMatchObject({ label: "Resume, page 1 of 2" });
  expect(proposal).toMatchObject({ hasSameWords: true, target: { page: 1 } });

  await save({ outcome: "solved" });
  await scoreCriterion(db, who.kabir, { reviewId: look, criterion: "story", score: 4 });
  await submit();
  expect((await findOwnReview(db, who.asha, look))!.result!.solved).toBe("1 of 1 solved");
  expect(await findOwnComparison(db, who.ravi, look)).toBeNull();
  expect((await findOwnComparison(db, who.asha, look))!.comparison).toMatchObject({
    earlierIds: [first],
    remarks: [{ outcome: "solved", note: "", after: null, before: { area: { x: 0.1 } } }],
    scores: [],
  });
});

test("what is still open comes first, and scores of both reviews are pairs", async () => {
  const partly = await remarkOn(db, first, who.meera, { text: "Say when.", page: 2 });
  await scoreCriterion(db, who.gita, { reviewId: first, criterion: "story", score: 2 });
  await scoreCriterion(db, who.gita, { reviewId: first, criterion: "impact", score: 3 });
  await scoreCriterion(db, who.kabir, { reviewId: look, criterion: "story", score: 4 });
  await save({ outcome: "solved" });
  await save({ remarkId: partly, outcome: "partly", note: "Only the year." });
  await submit();
  const { comparison } = (await findOwnComparison(db, who.asha, look))!;
  expect(comparison!.remarks.map(({ outcome }) => outcome)).toEqual(["partly", "solved"]);
  expect(comparison!.scores).toEqual([{ criterion: "story", before: 2, after: 4 }]);
});

test("the second look's reviewer reads the files of the earlier review, and nobody else does", async () => {
  await withPages(db, first);
  const path = `${who.asha.id}/1737000000000.pdf`;
  const read = async (reader: Parameters<typeof findReadableFile>[1]) =>
    (await findReadableFile(db, reader, "resumes", path)) !== null;
  expect(await read(who.kabir)).toBe(true);
  await setEarlier(look, null);
  expect(await read(who.kabir)).toBe(false);
});

/** The second look, completed with this outcome, and its next look, which is Nila's. */
async function nextLook(outcome: string): Promise<string> {
  await save({ outcome, note: "The number is still missing." });
  await submit();
  const next = await assignedReview(db, who.asha, nila);
  await setEarlier(next, look);
  return next;
}

const inNext = (reviewId: string, change: Partial<Sent> = {}) =>
  save({ reviewId, ...change }, nila);

test("a remark that stayed open is carried into the next look, with its number", async () => {
  await withPages(db, first);
  const own = await remarkOn(db, look, who.kabir, { text: "Say when." });
  const third = await nextLook("partly");
  await withPages(db, third);
  const { earlier } = (await findWorkspace(db, nila, third))!;
  expect(earlier!.remarks.map(({ remark, from }) => [remark.id, remark.number, from])).toEqual([
    [own, 1, null],
    [must, 2, "first review"],
  ]);
  expect(earlier!.reviewIds).toEqual([look, first]);
  expect(earlier!.remarks[1]).toMatchObject({
    before: { label: "Resume, page 1 of 2" },
    proposal: { hasSameWords: true },
  });

  await inNext(third, { remarkId: own });
  await expect(submitNext(third)).rejects.toMatchObject({
    fields: { "": expect.stringContaining("1 earlier remark") },
  });
  await inNext(third, { outcome: "open", note: "Still missing." });
  await submitNext(third);
  expect((await findOwnReview(db, who.asha, third))!.result!.solved).toBe("1 of 2 solved");
  const { comparison } = (await findOwnComparison(db, who.asha, third))!;
  expect(comparison!.remarks.map(({ outcome, from }) => [outcome, from])).toEqual([
    ["open", "first review"],
    ["solved", null],
  ]);

  const fourth = await assignedReview(db, who.asha, nila);
  await setEarlier(fourth, third);
  const carried = (await findWorkspace(db, nila, fourth))!.earlier!.remarks;
  expect(carried.map(({ remark, from }) => [remark.id, from])).toEqual([[must, "first review"]]);
});

test("a solved remark is not carried, and without its review no remark is", async () => {
  const third = await nextLook("solved");
  expect((await findWorkspace(db, nila, third))!.earlier!.remarks).toEqual([]);
  await expect(inNext(third)).rejects.toThrow(NotFound);
  await save({ outcome: "open", note: "Not yet.", base: 1 }, who.gita);
  await inNext(third);
  await db.delete(serviceReviews).where(eq(serviceReviews.id, first));
  expect((await findWorkspace(db, nila, third))!.earlier!.remarks).toEqual([]);
  await submitNext(third);
});

test("the reviewer of a later look reads the files of all reviews before it, and nobody else does", async () => {
  await withPages(db, first);
  const third = await nextLook("open");
  const path = `${who.asha.id}/1737000000000.pdf`;
  const read = async (reader: Parameters<typeof findReadableFile>[1]) =>
    (await findReadableFile(db, reader, "resumes", path)) !== null;
  expect([await read(nila), await read(who.ravi)]).toEqual([true, false]);
  await setEarlier(third, null);
  expect(await read(nila)).toBe(false);
});

test("an admin sees the outcomes of a completed second look, and of no first review", async () => {
  await save({ outcome: "partly", note: "Only the year." });
  await submit();
  const found = (await findCompletedRemarks(db, who.gita, look))!;
  expect(found.comparison!.remarks).toMatchObject([{ outcome: "partly", note: "Only the year." }]);
  expect((await findCompletedRemarks(db, who.gita, first))!.comparison).toBeNull();
});

const submitNext = (reviewId: string) =>
  submitReview(
    db,
    nila,
    { reviewId, feedback: "Better.", version: getDraftVersion(null) },
    testConfig(),
  );
