import { beforeEach, expect, test } from "vitest";
import { askedBy } from "../../tests/support/requests/asked.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { type Everybody, people } from "../../tests/support/rows/people.ts";
import {
  assignedReview,
  completedReview,
  attachFiles,
  pendingReview,
} from "../../tests/support/rows/review-states.ts";
import type { Posted } from "../platform/forms.server.ts";
import { listReviewImages, findCompletedReview } from "./edit/completed-reviews.server.ts";
import { action as editCompleted } from "./edit/completed-reviews.screen.tsx";
import {
  assign,
  changePriorities,
  changePriority,
  reassign,
  reassignOne,
  unassign,
  unassignOne,
  undoPriority,
} from "./assign/reviews-forms.server.ts";

const { db } = await testDatabase();
let who: Everybody;
let asked: ReturnType<typeof askedBy>;

beforeEach(async () => {
  who = await people(db);
  asked = askedBy(db, who.gita);
});

function posted(fields: Record<string, string>, reviewIds: string[] = []): Posted {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const id of reviewIds) form.append("review", id);
  const url = new URL("http://localhost/");
  const request = new Request(url, { method: "POST", body: form });
  return { request, url, params: {}, context: asked.context, form };
}
const takeToasts = () => asked.toasts.splice(0).map(({ kind, title }) => `${kind}: ${title}`);

test("assigning shows its result", async () => {
  const ids = [await pendingReview(db, who.asha), await pendingReview(db, who.asha)];
  const reviewer = who.meera.id;
  await assign(posted({ reviewer: "" }, ids));
  await assign(posted({ reviewer }));
  await assign(posted({ reviewer }, [ids[0]!]));
  await assign(posted({ reviewer }, ids));
  await assign(posted({ reviewer }, ids));
  await assign(posted({ reviewer: who.asha.id }, ids));
  expect(takeToasts()).toEqual([
    "error: Please select a reviewer first",
    "error: Please select at least one review to assign",
    "success: Successfully assigned 1 review to reviewer",
    "warning: Assigned 1 review to reviewer. 1 review was already assigned.",
    "error: All selected reviews are already assigned",
    "error: Failed to assign reviews",
  ]);
});

test("reassigning one review or a selection shows its result", async () => {
  const ids = [
    await assignedReview(db, who.asha, who.meera),
    await assignedReview(db, who.asha, who.meera),
  ];
  const one = (reviewer: string, id = ids[0]!) => reassignOne(posted({ reviewer }, [id]));
  await one(who.meera.id);
  await one(who.kabir.id);
  await one(who.kabir.id, crypto.randomUUID());
  expect(takeToasts()).toEqual([
    "error: Review is already assigned to this reviewer",
    "success: Successfully reassigned the review",
    "error: Failed to reassign review",
  ]);
  const ticked = (reviewer: string) => reassign(posted({ reviewer }, ids));
  await ticked(who.kabir.id);
  await ticked(who.kabir.id);
  await ticked(who.meera.id);
  expect(takeToasts()).toEqual([
    "warning: Reassigned 1 out of 2 reviews",
    "error: Failed to reassign some reviews",
    "success: Successfully reassigned 2 reviews",
  ]);
});

test("unassigning one review or a selection shows its result", async () => {
  const ids = [
    await assignedReview(db, who.asha, who.meera),
    await assignedReview(db, who.asha, who.meera),
    await assignedReview(db, who.asha, who.meera),
  ];
  await unassignOne(posted({}, [ids[0]!]));
  await unassignOne(posted({}, [ids[0]!]));
  await unassign(posted({}, ids.slice(1)));
  await unassign(posted({}, ids));
  expect(takeToasts()).toEqual([
    "success: Successfully unassigned the review",
    "error: Failed to unassign review",
    "success: Successfully unassigned 2 reviews",
    "error: Failed to unassign reviews",
  ]);
});

test("setting priorities shows its result, which one button undoes", async () => {
  const ids = [await pendingReview(db, who.asha), await pendingReview(db, who.asha)];
  await changePriorities(posted({ priority: "3" }));
  await changePriorities(posted({ priority: "high" }, ids));
  await changePriorities(posted({ priority: "3" }, [...ids, crypto.randomUUID()]));
  await changePriorities(posted({ priority: "3" }, ids));
  const { undo } = asked.toasts.find((toast) => toast.undo)!;
  expect(undo).toEqual({
    action: "/",
    fields: { intent: "undo-priority", at: expect.any(String) },
  });
  await undoPriority(posted(undo!.fields));
  await undoPriority(posted(undo!.fields));
  for (const at of ["", "yesterday", "2026-13-01T00:00:00Z", "+275760-09-13T00:00:00.000Z"])
    await undoPriority(posted({ at }));
  await changePriorities(posted({ priority: "0" }, ids));
  expect(takeToasts()).toEqual([
    "error: Please select at least one review",
    "error: Failed to update reviews",
    "warning: Set the priority of 2 out of 3 reviews to High",
    "error: All selected reviews already have this priority",
    "success: Restored the priority of 2 reviews",
    ...Array.from({ length: 5 }, () => "error: Failed to undo"),
    "error: All selected reviews already have this priority",
  ]);
});

test("setting a priority and editing a completed review show their results", async () => {
  const reviewId = await completedReview(db, who.asha, who.meera);
  const { imageId: id, imageVersion } = await attachFiles(db, reviewId);
  const { version } = (await findCompletedReview(db, who.gita, reviewId))!;
  const send = (intent: string, fields: Record<string, string>) =>
    editCompleted(posted({ intent, reviewId, ...fields }));
  const imageUrl = "https://pictures.example/a.png";
  await changePriority(posted({ reviewId, priority: "0" }));
  for (const none of ["high", "", " "]) await changePriority(posted({ reviewId, priority: none }));
  await send("update-review", { priority: "", feedback: "New", version });
  await send("update-review", { priority: "3", feedback: "New", version });
  await send("update-review", { priority: "3", feedback: "Newer", version });
  await send("add-image", { imageUrl });
  await send("add-image", { imageUrl: "  " });
  await send("update-image", { id, imageUrl, version: imageVersion });
  await send("update-image", { id: "none", imageUrl });
  const [image] = await listReviewImages(db, who.gita, reviewId);
  await send("delete-image", { id, version: image!.version });
  await send("delete-image", { id });
  expect(takeToasts()).toEqual([
    "success: Review updated successfully",
    ...Array.from({ length: 4 }, () => "error: Failed to update review"),
    "success: Review updated successfully",
    "error: Failed to update review",
    "success: Image added successfully",
    "error: Failed to add image",
    "success: Image updated successfully",
    "error: Failed to update image",
    "success: Image deleted successfully",
    "error: Failed to delete image",
  ]);
});
