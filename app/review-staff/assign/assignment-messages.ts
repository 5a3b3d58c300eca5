/** Messages about assigning, reassigning and unassigning; safe for the browser. */
import { Conflict } from "../../platform/errors.ts";
import type { Toast } from "../../platform/app-context.server.ts";
import { priorityNames } from "../../reviews/rules.ts";
import { messages, formatReviewCount } from "../../reviews/staff-rules.ts";

/** The result of assigning reviews, by their ids. */
export type AssignmentOutcome = {
  assigned: string[];
  /** Already assigned: earlier, or by another admin a moment ago. */
  alreadyAssigned: string[];
  /** Bought by the reviewer, who cannot review their own work. */
  boughtByReviewer: string[];
  /** Handed back by the reviewer, who knows the author. */
  knownToReviewer: string[];
  /** Deleted, completed or refunded. */
  gone: string[];
  /** Pending reviews that no reviewer could take as they were shared out. */
  unplaced?: string[];
};

/** Builds the toast for an outcome with at least one assigned review. */
export function buildAssignmentToast(outcome: AssignmentOutcome): Toast {
  const { assigned, alreadyAssigned } = outcome;
  const others = listAssignmentProblems(outcome);
  if (alreadyAssigned.length === 0 && others.length === 0) {
    return {
      kind: "success",
      title: `Successfully assigned ${formatReviewCount(assigned.length)} to reviewer`,
    };
  }
  const already = alreadyAssigned.length;
  return {
    kind: "warning",
    title:
      `Assigned ${formatReviewCount(assigned.length)} to reviewer.` +
      (already > 0
        ? ` ${formatReviewCount(already)} ${already === 1 ? "was" : "were"} already assigned.`
        : ""),
    description: others.join(" ") || undefined,
  };
}

/** Creates the error when nothing was assigned; its code is "nothing-to-do" if all were assigned before. */
export function createAssignmentConflict(outcome: AssignmentOutcome): Conflict {
  const others = listAssignmentProblems(outcome);
  if (others.length === 0) return new Conflict(messages.allAssigned, { code: "nothing-to-do" });
  const already = outcome.alreadyAssigned.length;
  if (already > 0)
    others.unshift(
      `${formatReviewCount(already)} ${already === 1 ? "was" : "were"} already assigned.`,
    );
  return new Conflict(others.join(" "));
}

function listAssignmentProblems({
  boughtByReviewer,
  knownToReviewer,
  gone,
  unplaced = [],
}: AssignmentOutcome) {
  return [
    formatReviewsSentence(boughtByReviewer.length, "was", "were", "bought by this reviewer"),
    formatKnownReviews(knownToReviewer),
    formatReviewsSentence(gone.length, "is", "are", "no longer pending"),
    unplaced.length > 0
      ? `No reviewer was available for ${formatReviewCount(unplaced.length)}.`
      : null,
  ].filter((sentence) => sentence !== null);
}

/** The result of reassigning reviews, by their ids. */
export type ReassignmentOutcome = {
  reassigned: string[];
  /** Already assigned to the chosen reviewer. */
  alreadyTheirs: string[];
  boughtByReviewer: string[];
  /** Handed back by the chosen reviewer, who knows the author. */
  knownToReviewer: string[];
  /** No longer assigned: unassigned, completed or deleted in the meantime. */
  gone: string[];
};

/** Builds the toast for an outcome with at least one reassigned review. */
export function buildReassignmentToast(outcome: ReassignmentOutcome): Toast {
  const total = Object.values(outcome).flat().length;
  const { length: done } = outcome.reassigned;
  if (done === total) {
    return { kind: "success", title: `Successfully reassigned ${formatReviewCount(done)}` };
  }
  return {
    kind: "warning",
    title: `Reassigned ${done} out of ${formatReviewCount(total)}`,
    description: listReassignmentProblems(outcome).join(" "),
  };
}

/** Creates the error when nothing was reassigned; its code is "nothing-to-do" if it was done before. */
export function createReassignmentConflict(outcome: ReassignmentOutcome): Conflict {
  const isOne = Object.values(outcome).flat().length === 1;
  if (isOne && outcome.alreadyTheirs.length === 1)
    return new Conflict(messages.alreadyTheirs, { code: "nothing-to-do" });
  return new Conflict(listReassignmentProblems(outcome).join(" "));
}

function listReassignmentProblems({
  alreadyTheirs,
  boughtByReviewer,
  knownToReviewer,
  gone,
}: ReassignmentOutcome) {
  return [
    formatReviewsSentence(
      alreadyTheirs.length,
      "is already assigned",
      "are already assigned",
      "to this reviewer",
    ),
    formatReviewsSentence(boughtByReviewer.length, "was bought", "were bought", "by this reviewer"),
    formatKnownReviews(knownToReviewer),
    formatReviewsSentence(gone.length, "is", "are", "no longer assigned"),
  ].filter((sentence) => sentence !== null);
}

/** The result of unassigning reviews, by their ids. */
export type UnassignmentOutcome = { unassigned: string[]; gone: string[] };

/** Builds the toast for an outcome with at least one unassigned review. */
export function buildUnassignmentToast({ unassigned, gone }: UnassignmentOutcome): Toast {
  const { length: done } = unassigned;
  if (gone.length === 0) {
    return { kind: "success", title: `Successfully unassigned ${formatReviewCount(done)}` };
  }
  return {
    kind: "warning",
    title: `Unassigned ${done} out of ${formatReviewCount(done + gone.length)}`,
    description:
      formatReviewsSentence(gone.length, "was", "were", "no longer assigned") ?? undefined,
  };
}

function formatKnownReviews({ length }: readonly string[]): string | null {
  const end = "handed back by this reviewer, who knows the author";
  return formatReviewsSentence(length, "was", "were", end);
}

function formatReviewsSentence(count: number, one: string, many: string, end: string) {
  if (count === 0) return null;
  return `${formatReviewCount(count)} ${count === 1 ? one : many} ${end}.`;
}

/** The result of setting a priority, in numbers of reviews. */
export type PriorityOutcome = {
  /** The time of the change in the history. */
  at: Date;
  priority: number;
  changed: number;
  /** Reviews that had this priority before. */
  same: number;
  /** Completed, refunded or deleted. */
  gone: number;
};

/** Builds the toast for an outcome with at least one changed review. */
export function buildPriorityToast({ priority, changed, same, gone }: PriorityOutcome): Toast {
  const total = changed + same + gone;
  const isAll = changed === total;
  const reviews = isAll
    ? formatReviewCount(total)
    : `${changed} out of ${formatReviewCount(total)}`;
  const title =
    priority === 0
      ? `Removed the priority of ${reviews}`
      : `Set the priority of ${reviews} to ${priorityNames[priority]}`;
  if (isAll) return { kind: "success", title };
  const problems = [
    formatReviewsSentence(same, "already has", "already have", "this priority"),
    formatReviewsSentence(gone, "is", "are", "no longer open"),
  ];
  return {
    kind: "warning",
    title,
    description: problems.filter((sentence) => sentence !== null).join(" "),
  };
}

/** The result of undoing a change of priorities, in numbers of reviews. */
export type RestoredPriorities = {
  restored: number;
  /** Reviews that were changed again, which stay as they are. */
  changed: number;
};

/** Builds the toast for an undo that restored at least one review. */
export function buildRestoredToast({ restored, changed }: RestoredPriorities): Toast {
  if (changed === 0)
    return { kind: "success", title: `Restored the priority of ${formatReviewCount(restored)}` };
  return {
    kind: "warning",
    title: `Restored the priority of ${restored} out of ${formatReviewCount(restored + changed)}`,
    description:
      formatReviewsSentence(changed, "was", "were", "changed again after that") ?? undefined,
  };
}

/** Titles of failures. */
export const failed = {
  assign: "Failed to assign reviews",
  reassign: "Failed to reassign some reviews",
  reassignOne: "Failed to reassign review",
  unassign: "Failed to unassign reviews",
  unassignOne: "Failed to unassign review",
  extend: "Failed to set a later due date",
  changePriority: "Failed to update review",
  changePriorities: "Failed to update reviews",
  undo: "Failed to undo",
};

const inEachList = {
  "set-priority": failed.changePriority,
  "set-priorities": failed.changePriorities,
  "undo-priority": failed.undo,
  extend: failed.extend,
};

/** The titles of failures for each list, by the intent of the form. */
export const failedTitles = {
  pending: { ...inEachList, "": failed.assign },
  assigned: {
    ...inEachList,
    "reassign-one": failed.reassignOne,
    "unassign-one": failed.unassignOne,
    unassign: failed.unassign,
    "": failed.reassign,
  },
};
