import { randomUUID } from "node:crypto";
import { listHistory } from "../../app/admin/history.server.ts";
import { listUsers } from "../../app/admin/list-users.server.ts";
import * as overview from "../../app/admin/overview.server.ts";
import { readRevenue } from "../../app/admin/revenue.server.ts";
import { sendPasswordReset } from "../../app/accounts/password-reset/reset-password.server.tsx";
import { createJob } from "../../app/jobs/manage/job-commands.server.ts";
import { countListings, listListings, readListing } from "../../app/jobs/manage/read.server.ts";
import { now } from "../../app/platform/clock.ts";
import { listAssignedReviews, listPendingReviews } from "../../app/reviews/assign/lists.server.ts";
import { listAssignees, listHolders } from "../../app/reviews/assign/assignees.server.ts";
import * as completed from "../../app/reviews/edit/completed-reviews.server.ts";
import { deletePhrase, savePhrase } from "../../app/reviews/remarks/scores.server.ts";
import { countReviews } from "../../app/reviews/assign/listed-review.server.ts";
import { admin, type Asked, config, type Person } from "./commands.ts";
import { jobFields } from "./things.ts";

const reviewers = ["meera", "kabir"] as const;

/** Commands about nothing that there was before, and reads: who may. */
export const otherCommands: Record<
  string,
  { may: readonly Person[]; run(asked: Asked): Promise<unknown> }
> = {
  createJob: {
    may: ["devi", "omar", "sonia", "gita"],
    run: ({ db, actor }) => createJob(db, actor, jobFields),
  },
  sendPasswordReset: {
    may: admin,
    run: ({ db, actor, who }) => sendPasswordReset(db, actor, who.ravi.id, config),
  },
  listUsers: {
    may: admin,
    run: ({ db, actor }) =>
      listUsers(db, actor, { search: "", by: "email", direction: "asc", after: null }),
  },
  listHistory: {
    may: admin,
    run: ({ db, actor }) => listHistory(db, actor, { type: null, id: null, after: null }),
  },
  savePhrase: {
    may: reviewers,
    run: ({ db, actor }) => savePhrase(db, actor, { text: "Lead with the outcome." }),
  },
  deletePhrase: {
    may: reviewers,
    run: ({ db, actor }) => deletePhrase(db, actor, { id: randomUUID() }),
  },
  countUsers: { may: admin, run: ({ db, actor }) => overview.countUsers(db, actor) },
  countActiveReviews: {
    may: admin,
    run: ({ db, actor }) => overview.countActiveReviews(db, actor),
  },
  countActiveJobs: { may: admin, run: ({ db, actor }) => overview.countActiveJobs(db, actor) },
  readRevenue: { may: admin, run: ({ db, actor }) => readRevenue(db, actor, now()) },
  listRecentUsers: {
    may: admin,
    run: ({ db, actor }) => overview.listRecentUsers(db, actor, now()),
  },
  listPaymentsToLookInto: {
    may: admin,
    run: ({ db, actor }) => overview.listPaymentsToLookInto(db, actor),
  },
  listFailingDependencies: {
    may: admin,
    run: async ({ actor }) => overview.listFailingDependencies(actor),
  },
  listUndeliveredMails: {
    may: admin,
    run: ({ db, actor }) => overview.listUndeliveredMails(db, actor),
  },
  listPendingReviews: {
    may: admin,
    run: ({ db, actor }) => listPendingReviews(db, actor, { type: null, after: null }),
  },
  listAssignedReviews: { may: admin, run: ({ db, actor }) => listAssignedReviews(db, actor, {}) },
  listCompletedReviews: {
    may: admin,
    run: ({ db, actor }) => completed.listCompletedReviews(db, actor, { after: null }),
  },
  countReviews: { may: admin, run: ({ db, actor }) => countReviews(db, actor) },
  listAssignees: { may: admin, run: ({ db, actor }) => listAssignees(db, actor) },
  listHolders: { may: admin, run: ({ db, actor }) => listHolders(db, actor) },
  readCompletedReview: {
    may: admin,
    run: ({ db, actor, things }) =>
      completed.readCompletedReview(db, actor, things.reviews.completed),
  },
  listReviewImages: {
    may: admin,
    run: ({ db, actor, things }) => completed.listReviewImages(db, actor, things.reviews.completed),
  },
  listReviewFiles: {
    may: admin,
    run: ({ db, actor, things }) => completed.listReviewFiles(db, actor, things.reviews.completed),
  },
  listListings: {
    may: admin,
    run: ({ db, actor }) =>
      listListings(db, actor, "all", { isArchived: false, search: "", type: null, after: null }),
  },
  countListings: { may: admin, run: ({ db, actor }) => countListings(db, actor, "all") },
  readListing: {
    may: ["devi", "omar", "sonia", "gita"],
    run: ({ db, actor, things }) => readListing(db, actor, "own", things.jobs.published),
  },
};
