import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import {
  assignedReview,
  completedReview,
  eventsOn,
  attachFiles,
  sentRemark,
} from "../../../tests/support/rows/review-states.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import {
  reassignReviews,
  unassignReviews,
} from "../../review-staff/assign/assign-reviews.server.ts";
import { deleteImage, updateImage } from "../../review-staff/edit/edit-review.server.ts";
import { submitReview } from "../../review-staff/workspace/submit-review.server.ts";
import { getDraftVersion } from "../../review-staff/workspace/own-review.server.ts";
import { removeUpload } from "../../review-staff/workspace/review-uploads.server.ts";
import {
  withoutAuthor,
  deleteRemark,
  listRemarks,
  rankRemarks,
  saveRemark,
  settleEarlierRemarks,
  tickRemark,
} from "./remarks.server.ts";
import type { SentRemark } from "./remark-content.server.ts";
import { limits, parseTarget, remarkMessages as messages, formatTargetKey } from "../rules.ts";
import {
  deletePhrase,
  listPhrases,
  getScores,
  savePhrase,
  scoreCriterion,
} from "./scores.server.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";

const { db } = await testDatabase();
const who = everybody(db);

/** Saves a new remark by Meera. */
function save(reviewId: string, change: Partial<SentRemark> = {}) {
  return saveRemark(db, who.meera, { ...sentRemark, id: randomUUID(), ...change, reviewId });
}

test("a remark is saved as it was written, and found again", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  const saved = await save(id, { text: "  Say what\r\ncame of it. ", suggestion: " " });
  expect(saved).toEqual({
    id: saved.id,
    target: { kind: "page", part: "resume", page: 1 },
    area: { x: 0.1, y: 0.2, width: 0.5, height: 0.05 },
    severity: "must",
    criterion: "impact",
    text: "Say what\ncame of it.",
    quote: "Responsible for checkout",
    suggestion: null,
    rank: null,
    version: 1,
  });
  expect(await listRemarks(db, id)).toEqual([{ ...saved, authorId: who.meera.id, isDone: false }]);
});

test("of concurrent changes one is saved, and the others get a conflict", async () => {
  const reviewId = await assignedReview(db, who.asha, who.meera);
  const { id } = await save(reviewId);
  const results = await Promise.allSettled(
    ["one", "two", "three"].map((text) => save(reviewId, { id, text, base: 1 })),
  );
  const refused = results.flatMap((result) => (result.status === "rejected" ? result.reason : []));
  const [saved] = await listRemarks(db, reviewId);
  expect(saved).toMatchObject({ id, version: 2 });
  const conflict = new Conflict(messages.changed, {
    code: "changed",
    current: withoutAuthor(saved!),
  });
  expect(refused).toEqual([conflict, conflict]);
});

test("a save repeated after a lost response is saved once", async () => {
  const reviewId = await assignedReview(db, who.asha, who.meera);
  const id = randomUUID();
  await Promise.all([save(reviewId, { id }), save(reviewId, { id }), save(reviewId, { id })]);
  expect(await save(reviewId, { id, text: "Shorter.", base: 1 })).toMatchObject({ version: 2 });
  expect(await save(reviewId, { id, text: "Shorter.", base: 1 })).toMatchObject({ version: 2 });
  expect(await listRemarks(db, reviewId)).toHaveLength(1);
});

test("undo restores a deleted remark, and a stale tab overwrites nothing", async () => {
  const reviewId = await assignedReview(db, who.asha, who.meera);
  const { id } = await save(reviewId);
  await expect(deleteRemark(db, who.meera, { reviewId, id, base: 7 })).rejects.toThrow(Conflict);
  await deleteRemark(db, who.meera, { reviewId, id, base: 1 });
  await deleteRemark(db, who.meera, { reviewId, id, base: 1 });
  await expect(save(reviewId, { id, text: "Late.", base: 1 })).rejects.toThrow(messages.deleted);
  expect(await save(reviewId, { id, last: 1 })).toMatchObject({ version: 2 });
  await expect(save(reviewId, { id, text: "Late.", base: 1 })).rejects.toThrow(messages.changed);
});

test("impossible version numbers are ignored", async () => {
  const reviewId = await assignedReview(db, who.asha, who.meera);
  for (const last of [Number.NaN, -1, 0.5, 2 ** 31 - 1, Infinity])
    await expect(save(reviewId, { last }), `${last}`).rejects.toThrow(Invalid);
  expect(await listRemarks(db, reviewId)).toEqual([]);
  expect(await save(reviewId, { last: 0 })).toMatchObject({ version: 1 });
});

test("a place must be on a page or screenshot of the review", async () => {
  const reviewId = await assignedReview(db, who.asha, who.meera);
  const other = await assignedReview(db, who.ravi, who.meera);
  const { imageId } = await attachFiles(db, reviewId);
  const { imageId: foreign } = await attachFiles(db, other);
  const refused: SentRemark["target"][] = [
    null,
    { kind: "page", part: "portfolio", page: 1 },
    { kind: "page", part: "resume", page: 61 },
    { kind: "page", part: "resume", page: 0 },
    { kind: "image", imageId: foreign },
  ];
  for (const target of refused) await expect(save(reviewId, { target })).rejects.toThrow(Invalid);
  const outside = { x: 0.9, y: -3, width: 5, height: 0.123456789 };
  expect(await save(reviewId, { area: outside })).toMatchObject({
    area: { x: 0.9, y: 0, width: 0.1, height: 0 },
  });
  const broken = { ...outside, x: Number.NaN };
  await expect(save(reviewId, { area: broken })).rejects.toThrow(messages.placeUnknown);
  const target = { kind: "image" as const, imageId };
  expect(await save(reviewId, { target, area: null })).toMatchObject({ target, area: null });
});

test("places are parsed from their keys, and from no other text", () => {
  const places = [
    { kind: "page", part: "resume", page: 2 },
    { kind: "image", imageId: randomUUID() },
  ] as const;
  for (const place of places) expect(parseTarget(formatTargetKey(place))).toEqual(place);
  for (const key of ["", "resume-0", "resume-100", "image-1", `image-${"-".repeat(36)}`])
    expect(parseTarget(key)).toBeNull();
});

test("an invalid remark is refused with a message about its field", async () => {
  const reviewId = await assignedReview(db, who.asha, who.meera);
  const refused: [Partial<SentRemark>, string][] = [
    [{ text: " \n " }, messages.textMissing],
    [{ text: "x".repeat(2_001) }, messages.textTooLong],
    [{ quote: "x".repeat(601) }, messages.quoteTooLong],
    [{ suggestion: "x".repeat(601) }, messages.quoteTooLong],
    [{ severity: "terrible" }, messages.severityMissing],
    [{ criterion: "toString" }, messages.criterionUnknown],
    [{ criterion: "own_part" }, messages.criterionUnknown],
  ];
  for (const [change, words] of refused) {
    await expect(save(reviewId, change)).rejects.toThrow(words);
  }
  expect(await listRemarks(db, reviewId)).toEqual([]);
});

test("a review takes 200 remarks", async () => {
  const reviewId = await assignedReview(db, who.asha, who.meera);
  for (let made = 0; made < 200; made++) await save(reviewId);
  await expect(save(reviewId)).rejects.toThrow(messages.tooMany);
});

test("a remark of one review is not changed through another", async () => {
  const reviewId = await assignedReview(db, who.asha, who.meera);
  const other = await assignedReview(db, who.ravi, who.meera);
  const { id } = await save(reviewId);
  await expect(save(other, { id, base: 1 })).rejects.toThrow(NotFound);
  await deleteRemark(db, who.meera, { reviewId: other, id, base: 1 });
  await expect(rankRemarks(db, who.meera, { reviewId: other, ids: [id] })).rejects.toThrow(
    NotFound,
  );
  expect(await listRemarks(db, reviewId)).toHaveLength(1);
});

test("a remark on a screenshot that another tab removes is saved without a place", async () => {
  const reviewId = await assignedReview(db, who.asha, who.meera);
  const { imageId } = await attachFiles(db, reviewId);
  const target = { kind: "image" as const, imageId };
  const { id, version } = await save(reviewId, { target });
  await removeUpload(db, who.meera, { reviewId, kind: "image", id: imageId });
  const nowhere = { target: null, area: null };
  expect(await save(reviewId, { id, target, text: "Changed.", base: version })).toMatchObject({
    ...nowhere,
    text: "Changed.",
  });
  expect(await save(reviewId, { target, text: "New." })).toMatchObject({
    ...nowhere,
    text: "New.",
  });
});

test("remarks stay without a place when their screenshot is removed or replaced", async () => {
  const open = await assignedReview(db, who.asha, who.meera);
  const done = await completedReview(db, who.asha, who.meera);
  const pinned = async (reviewId: string, actor = who.meera) => {
    const { imageId, imageVersion } = await attachFiles(db, reviewId);
    const target = { kind: "image" as const, imageId };
    await saveRemark(db, actor, { ...sentRemark, id: randomUUID(), target, reviewId });
    return { reviewId, id: imageId, version: imageVersion };
  };
  await removeUpload(db, who.meera, { ...(await pinned(open)), kind: "image" });
  const imageUrl = "https://example.com/other.png";
  await updateImage(db, who.gita, { ...(await pinned(done, who.gita)), imageUrl, annotation: "" });
  await deleteImage(db, who.gita, await pinned(done, who.gita));
  const nowhere = { target: null, area: null };
  expect(await listRemarks(db, open)).toMatchObject([nowhere]);
  const [lost] = await listRemarks(db, done);
  expect(await listRemarks(db, done)).toMatchObject([nowhere, nowhere]);
  const again = {
    ...sentRemark,
    ...nowhere,
    id: lost!.id,
    text: "Still true.",
    base: lost!.version,
  };
  expect(await saveRemark(db, who.gita, { ...again, reviewId: done })).toMatchObject(nowhere);
});

test("three remarks come first, in the order in which they were chosen", async () => {
  const reviewId = await assignedReview(db, who.asha, who.meera);
  const ids = await Promise.all([1, 2, 3, 4].map(async () => (await save(reviewId)).id));
  const rank = (chosen: string[]) => rankRemarks(db, who.meera, { reviewId, ids: chosen });
  const ranked = async () =>
    (await listRemarks(db, reviewId))
      .filter((remark) => remark.rank !== null)
      .toSorted((one, other) => one.rank! - other.rank!)
      .map(({ id }) => id);
  await rank([ids[2]!, ids[0]!, ids[1]!]);
  await rank([ids[1]!, ids[2]!]);
  expect(await ranked()).toEqual([ids[1], ids[2]]);
  await expect(rank(ids)).rejects.toThrow(Invalid);
  await expect(rank([ids[0]!, randomUUID()])).rejects.toThrow(NotFound);
  expect(await ranked()).toEqual([ids[1], ids[2]]);
});

test("remarks stay when the review goes to another reviewer, who keeps or discards them", async () => {
  const config = testConfig();
  const kept = await assignedReview(db, who.asha, who.meera);
  const discarded = await assignedReview(db, who.asha, who.meera);
  for (const reviewId of [kept, discarded]) {
    await save(reviewId);
    await unassignReviews(db, who.gita, { reviewIds: [reviewId] }, config);
    expect(await listRemarks(db, reviewId)).toMatchObject([{ authorId: who.meera.id }]);
    await expect(save(reviewId)).rejects.toThrow(NotFound);
  }
  const again = await assignedReview(db, who.asha, who.meera);
  const { id } = await save(again);
  await reassignReviews(db, who.gita, { reviewIds: [again], reviewerId: who.kabir.id }, config);
  const own: SentRemark & { reviewId: string } = {
    ...sentRemark,
    id: randomUUID(),
    reviewId: again,
  };
  await saveRemark(db, who.kabir, own);
  await settleEarlierRemarks(db, who.kabir, { reviewId: again, keep: true });
  expect(await listRemarks(db, again)).toMatchObject([
    { id, authorId: who.kabir.id },
    { id: own.id, authorId: who.kabir.id },
  ]);
  await reassignReviews(db, who.gita, { reviewIds: [again], reviewerId: who.meera.id }, config);
  expect(await settleEarlierRemarks(db, who.meera, { reviewId: again, keep: false })).toBe(2);
  expect(await listRemarks(db, again)).toEqual([]);
});

test("a god admin changes a completed review's remarks and scores, and the history records it", async () => {
  const reviewId = await assignedReview(db, who.asha, who.meera);
  const { id } = await save(reviewId);
  const edit = { ...sentRemark, id, reviewId, text: "Say it with a number.", base: 1 };
  await expect(saveRemark(db, who.gita, edit)).rejects.toThrow(NotFound);
  const feedback = { reviewId, feedback: "Good.", version: getDraftVersion(null) };
  await submitReview(db, who.meera, feedback, testConfig());
  await expect(save(reviewId)).rejects.toThrow(Conflict);
  await saveRemark(db, who.gita, edit);
  await rankRemarks(db, who.gita, { reviewId, ids: [id] });
  await scoreCriterion(db, who.gita, { reviewId, criterion: "fit", score: 2 });
  await deleteRemark(db, who.gita, { reviewId, id, base: 2 });
  expect(await eventsOn(db, reviewId)).toEqual([
    "review.submit",
    "review.edit-remark",
    "review.rank-remarks",
    "review.edit-score",
    "review.edit-remark",
  ]);
});

test("a customer can tick off remarks only of their own completed review", async () => {
  const reviewId = await completedReview(db, who.asha, who.meera);
  const open = await assignedReview(db, who.asha, who.meera);
  const id: string = randomUUID();
  await saveRemark(db, who.gita, { ...sentRemark, id, reviewId });
  const unfinished = await save(open);
  const tick = (actor: { id: string }, asked = { reviewId, id }, isDone = true) =>
    tickRemark(db, actor, { ...asked, isDone });
  for (const other of [who.ravi, who.meera, who.gita]) {
    await expect(tick(other)).rejects.toThrow(NotFound);
  }
  await expect(tick(who.asha, { reviewId: open, id: unfinished.id })).rejects.toThrow(NotFound);
  await tick(who.asha);
  await tick(who.asha);
  expect(await listRemarks(db, reviewId)).toMatchObject([{ isDone: true, version: 1 }]);
  await tick(who.asha, undefined, false);
  expect(await listRemarks(db, reviewId)).toMatchObject([{ isDone: false }]);
});

test("scores are set, changed and removed for each criterion separately", async () => {
  const reviewId = await assignedReview(db, who.asha, who.meera, { type: "combined_review" });
  const score = (criterion: string, value: number | null) =>
    scoreCriterion(db, who.meera, { reviewId, criterion, score: value });
  await Promise.all([score("story", 2), score("way_through", 5), score("impact", 1)]);
  await score("story", 4);
  await score("impact", null);
  for (const wrong of [0, 6, 2.5, Number.NaN]) await expect(score("fit", wrong)).rejects.toThrow();
  await expect(score("beauty", 3)).rejects.toThrow(messages.criterionUnknown);
  expect(await getScores(db, reviewId)).toEqual({ story: 4, way_through: 5 });
});

test("phrases are private to a reviewer, each text once", async () => {
  await savePhrase(db, who.meera, { text: " Lead with the outcome. " });
  await savePhrase(db, who.meera, { text: "Lead with the outcome." });
  await savePhrase(db, who.kabir, { text: "Cut this." });
  await expect(savePhrase(db, who.meera, { text: " " })).rejects.toThrow(Invalid);
  const [own] = await listPhrases(db, who.meera);
  expect(own).toMatchObject({ text: "Lead with the outcome." });
  await deletePhrase(db, who.kabir, own!);
  expect(await listPhrases(db, who.meera)).toHaveLength(1);
  await deletePhrase(db, who.meera, own!);
  expect(await listPhrases(db, who.meera)).toEqual([]);
});

test("concurrent saves cannot exceed a hundred phrases", async () => {
  const phrases = (count: number) => Array.from({ length: count }, (_, turn) => `Phrase ${turn}`);
  for (const text of phrases(limits.phrases - 1)) await savePhrase(db, who.meera, { text });
  await Promise.allSettled(
    phrases(8).map((text) => savePhrase(db, who.meera, { text: `${text}, at once` })),
  );
  expect(await listPhrases(db, who.meera)).toHaveLength(limits.phrases);
});

test("submitting stores the numbers in reading order, and later remarks continue them", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  const at = (y: number) => ({ area: { x: 0.1, y, width: 0.1, height: 0.05 } });
  const lower = await save(id, at(0.6));
  const upper = await save(id, at(0.3));
  expect(lower.number).toBeUndefined();
  const version = getDraftVersion(null);
  await submitReview(db, who.meera, { reviewId: id, feedback: "Good.", version }, testConfig());
  const numbers = async () =>
    new Map((await listRemarks(db, id)).map((remark) => [remark.id, remark.number]));
  expect(await numbers()).toEqual(
    new Map([
      [lower.id, 2],
      [upper.id, 1],
    ]),
  );
  const added = { ...sentRemark, id: randomUUID(), ...at(0.1), reviewId: id };
  expect(await saveRemark(db, who.gita, added)).toMatchObject({ number: 3 });
  await deleteRemark(db, who.gita, { reviewId: id, id: upper.id, base: upper.version });
  expect((await numbers()).get(lower.id)).toBe(2);
});
