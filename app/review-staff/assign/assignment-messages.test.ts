import { expect, test } from "vitest";
import {
  type AssignmentOutcome,
  createAssignmentConflict,
  buildAssignmentToast,
  createReassignmentConflict,
  buildReassignmentToast,
  buildUnassignmentToast,
} from "./assignment-messages.ts";

function outcome(
  assigned: number,
  alreadyAssigned = 0,
  boughtByReviewer = 0,
  gone = 0,
): AssignmentOutcome {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index));
  return {
    assigned: ids(assigned),
    alreadyAssigned: ids(alreadyAssigned),
    boughtByReviewer: ids(boughtByReviewer),
    knownToReviewer: [],
    gone: ids(gone),
  };
}

test("a full success has the number of reviews", () => {
  expect(buildAssignmentToast(outcome(12))).toEqual({
    kind: "success",
    title: "Successfully assigned 12 reviews to reviewer",
  });
  expect(buildAssignmentToast(outcome(1)).title).toBe("Successfully assigned 1 review to reviewer");
});

test("a partial success has both numbers", () => {
  expect(buildAssignmentToast(outcome(3, 2))).toMatchObject({
    kind: "warning",
    title: "Assigned 3 reviews to reviewer. 2 reviews were already assigned.",
  });
  expect(buildAssignmentToast(outcome(1, 1)).title).toBe(
    "Assigned 1 review to reviewer. 1 review was already assigned.",
  );
});

test("reviews left out for other reasons are listed by reason", () => {
  expect(buildAssignmentToast(outcome(2, 0, 1, 3))).toEqual({
    kind: "warning",
    title: "Assigned 2 reviews to reviewer.",
    description: "1 review was bought by this reviewer. 3 reviews are no longer pending.",
  });
});

test("the error has the reason when nothing was assigned", () => {
  expect(createAssignmentConflict(outcome(0, 3)).message).toBe(
    "All selected reviews are already assigned",
  );
  expect(createAssignmentConflict(outcome(0, 0, 1)).message).toBe(
    "1 review was bought by this reviewer.",
  );
  expect(createAssignmentConflict(outcome(0, 2, 0, 1)).message).toBe(
    "2 reviews were already assigned. 1 review is no longer pending.",
  );
});

test("reassigning reports how many, out of how many", () => {
  const all = {
    reassigned: ["a", "b"],
    alreadyTheirs: [],
    boughtByReviewer: [],
    knownToReviewer: [],
    gone: [],
  };
  expect(buildReassignmentToast(all)).toEqual({
    kind: "success",
    title: "Successfully reassigned 2 reviews",
  });
  expect(buildReassignmentToast({ ...all, alreadyTheirs: ["c"], gone: ["d"] })).toEqual({
    kind: "warning",
    title: "Reassigned 2 out of 4 reviews",
    description: "1 review is already assigned to this reviewer. 1 review is no longer assigned.",
  });
});

test("the error has the reason when nothing was reassigned", () => {
  const none = {
    reassigned: [],
    alreadyTheirs: ["a"],
    boughtByReviewer: [],
    knownToReviewer: [],
    gone: [],
  };
  expect(createReassignmentConflict(none).message).toBe(
    "Review is already assigned to this reviewer",
  );
  expect(createReassignmentConflict({ ...none, alreadyTheirs: ["a", "b"] }).message).toBe(
    "2 reviews are already assigned to this reviewer.",
  );
  expect(
    createReassignmentConflict({
      ...none,
      alreadyTheirs: [],
      boughtByReviewer: ["a"],
      knownToReviewer: [],
    }).message,
  ).toBe("1 review was bought by this reviewer.");
});

test("unassigning reports how many", () => {
  expect(buildUnassignmentToast({ unassigned: ["a", "b", "c"], gone: [] }).title).toBe(
    "Successfully unassigned 3 reviews",
  );
  expect(buildUnassignmentToast({ unassigned: ["a"], gone: ["b"] })).toMatchObject({
    kind: "warning",
    title: "Unassigned 1 out of 2 reviews",
  });
});
