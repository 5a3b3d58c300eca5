import { randomUUID } from "node:crypto";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { checkJobs } from "../../../app/checks/queue/check-jobs.server.ts";
import {
  archiveReportedJob,
  closeReports,
} from "../../../app/checks/decide/close-reports.server.ts";
import {
  archiveJob,
  deleteJob,
  unarchiveJob,
  updateJob,
} from "../../../app/jobs/manage/job-commands.server.ts";
import { restoreListing } from "../../../app/jobs/manage/restore-listing.server.ts";
import { acceptDetails } from "../../../app/jobs/suggest-details/accept-details.server.ts";
import {
  getProposalsVersion,
  suggestDetails,
} from "../../../app/jobs/suggest-details/suggest-details.server.ts";
import { day, now, toIsoDay } from "../../../app/platform/clock.ts";
import { type Database, isUuid } from "../../../app/platform/database.server.ts";
import {
  addImage,
  deleteImage,
  updateImage,
  updateReview,
} from "../../../app/review-staff/edit/edit-review.server.ts";
import {
  assignReviews,
  reassignReviews,
  unassignReviews,
} from "../../../app/review-staff/assign/assign-reviews.server.ts";
import { assignQuestion } from "../../../app/review-staff/assign/assign-question.server.ts";
import { assignEvenly } from "../../../app/review-staff/assign/assign-evenly.server.ts";
import { extendDueDate } from "../../../app/review-staff/assign/extend-due-date.server.ts";
import { handBackReview } from "../../../app/review-staff/hand-back/hand-back.server.ts";
import { declineDraft, acceptDraft } from "../../../app/review-staff/hand-back/use-draft.server.ts";
import { answerQuestion } from "../../../app/annotations/answers/answers.server.ts";
import {
  saveQuestion,
  sendQuestion,
} from "../../../app/annotations/follow-up/ask-question.server.ts";
import {
  saveAnswer,
  sendAnswer,
} from "../../../app/annotations/follow-up/answer-question.server.ts";
import * as completed from "../../../app/review-staff/edit/completed-reviews.server.ts";
import {
  getDraftVersion,
  openReview,
  saveDraftFeedback,
} from "../../../app/review-staff/workspace/own-review.server.ts";
import {
  deleteRemark,
  rankRemarks,
  saveRemark,
  settleEarlierRemarks,
} from "../../../app/annotations/remarks/remarks.server.ts";
import { saveOutcome } from "../../../app/annotations/second-look/outcomes.server.ts";
import { scoreCriterion } from "../../../app/annotations/remarks/scores.server.ts";
import {
  answerReplyQuestion,
  withdrawReplyAnswer,
} from "../../../app/seekers/tracker/replies.server.ts";
import { closeShare, createShare } from "../../../app/annotations/share/shares.server.ts";
import {
  setPriorities,
  setPriority,
} from "../../../app/review-staff/assign/set-priority.server.ts";
import { rateReview } from "../../../app/reviews/rating/rating.server.ts";
import {
  removeUpload,
  reviewFileUploads,
  reviewImageUploads,
} from "../../../app/review-staff/workspace/review-uploads.server.ts";
import { submitReview } from "../../../app/review-staff/workspace/submit-review.server.ts";
import {
  approveSubmissions,
  returnSubmission,
} from "../../../app/posting/decide/decide-submissions.server.tsx";
import { addListingsToCompany } from "../../../app/posting/link/link-listings.server.ts";
import * as ownListings from "../../../app/posting/own/change-own-listing.server.ts";
import { startListingPayment } from "../../../app/posting/own/listing-payment.server.ts";
import * as ownSubmissions from "../../../app/posting/own/change-submission.server.ts";
import {
  approvePageChange,
  returnPageChange,
} from "../../../app/companies/decide/decide-page-changes.server.tsx";
import {
  sendPageChange,
  withdrawPageChange,
} from "../../../app/companies/page/change-page.server.ts";
import * as changeTeam from "../../../app/companies/team/change-team.server.tsx";
import { joinCompany } from "../../../app/companies/team/join-company.server.ts";
import { Conflict } from "../../../app/platform/errors.ts";
import { testPayments } from "../payments/payments.ts";
import { listingFields } from "../rows/companies.ts";
import { testConfig } from "../product/config.ts";
import type { Everybody } from "../rows/people.ts";
import { seenReports } from "../rows/reports.ts";
import { storedFile } from "../rows/reviews.ts";
import { sentRemark } from "../rows/review-states.ts";
import { jobFields } from "../rows/jobs.ts";
import { type Things } from "../rows/things.ts";

export type Person = keyof Everybody | "nobody";
export type Review = keyof Things["reviews"];
export type Job = keyof Things["jobs"];
export type Submission = keyof Things["submissions"];
type InTeam = keyof Things["team"];
export type Asked = { db: Database; actor: Actor | null; who: Everybody; things: Things };

/** The result of repeating a command, in turn or concurrently. */
type Again = "refused" | "harmless" | "done again";

type Command<Thing> = {
  may: readonly Person[];
  /** The states in which it works. It is refused in all others. */
  on: readonly Thing[];
  again: Again;
  run(asked: Asked, id: string): Promise<unknown>;
};

const noDraft = getDraftVersion(null);
export const config = testConfig({ RATE_LIMITS: "off" });
export const admin = ["gita"] as const;
const itsReviewer = ["meera"] as const;
const owned = ({ things }: Asked, id: string) => things.attachments[id] ?? missingFiles;
const missingFiles = { imageId: randomUUID(), imageVersion: "", fileId: randomUUID() };

const assigned = ["unopened", "open"] as const;
const either = ["published", "archived"] as const;

function command<Thing>(
  may: readonly Person[],
  on: readonly Thing[],
  again: Again,
  run: Command<Thing>["run"],
): Command<Thing> {
  return { may, on, again, run };
}

/** A question or an answer as it is first sent. */
const followUp = {
  text: "Is the first page enough for a quick look?",
  remark: "",
  version: 0,
};

/** Every command about a review. Meera has the assigned reviews; Kabir is the other reviewer. */
export const reviewCommands: Record<string, Command<Review>> = {
  assignReviews: command(admin, ["pending"], "refused", ({ db, actor, who }, id) =>
    assignReviews(db, actor, { reviewIds: [id], reviewerId: who.kabir.id }, config),
  ),
  assignEvenly: command(admin, ["pending"], "refused", ({ db, actor }, id) =>
    assignEvenly(db, actor, { reviewIds: [id] }, config),
  ),
  reassignReviews: command(admin, assigned, "refused", ({ db, actor, who }, id) =>
    reassignReviews(db, actor, { reviewIds: [id], reviewerId: who.kabir.id }, config),
  ),
  unassignReviews: command(admin, assigned, "refused", ({ db, actor }, id) =>
    unassignReviews(db, actor, { reviewIds: [id] }, config),
  ),
  setPriority: command(
    admin,
    ["pending", "unopened", "open", "completed"],
    "harmless",
    ({ db, actor }, id) => setPriority(db, actor, { reviewId: id, priority: 3 }),
  ),
  setPriorities: command(admin, ["pending", "unopened", "open"], "refused", ({ db, actor }, id) =>
    setPriorities(db, actor, { reviewIds: [id], priority: 3 }),
  ),
  extendDueDate: command(
    admin,
    ["pending", "unopened", "open"],
    "refused",
    ({ db, actor, things: { dueAt } }, id) =>
      extendDueDate(
        db,
        actor,
        {
          reviewId: id,
          until: new Date(dueAt.getTime() + day),
          reason: "The reviewer fell ill.",
          seen: dueAt.toISOString(),
        },
        config,
      ),
  ),
  updateReview: command(admin, ["completed"], "harmless", async ({ db, actor, who }, id) => {
    const read = await completed.findCompletedReview(db, who.gita, id);
    const version = read?.version ?? "";
    await updateReview(db, actor, { reviewId: id, priority: 2, feedback: "Shorter.", version });
  }),
  addImage: command(admin, ["completed"], "done again", ({ db, actor }, id) =>
    addImage(db, actor, { reviewId: id, imageUrl: "https://example.com/a.png", annotation: "" }),
  ),
  updateImage: command(admin, ["completed"], "harmless", (asked, id) =>
    updateImage(asked.db, asked.actor, {
      reviewId: id,
      id: owned(asked, id).imageId,
      version: owned(asked, id).imageVersion,
      imageUrl: "https://example.com/b.png",
      annotation: "Another",
    }),
  ),
  deleteImage: command(admin, ["completed"], "refused", (asked, id) =>
    deleteImage(asked.db, asked.actor, {
      reviewId: id,
      id: owned(asked, id).imageId,
      version: owned(asked, id).imageVersion,
    }),
  ),
  openReview: command(itsReviewer, assigned, "harmless", ({ db, actor }, id) =>
    openReview(db, actor, id),
  ),
  saveDraftFeedback: command(itsReviewer, assigned, "done again", ({ db, actor }, id) =>
    saveDraftFeedback(db, actor, { reviewId: id, feedback: "Lead with", version: noDraft }),
  ),
  removeUpload: command(itsReviewer, assigned, "refused", (asked, id) =>
    removeUpload(asked.db, asked.actor, {
      reviewId: id,
      kind: "file",
      id: owned(asked, id).fileId,
    }),
  ),
  saveRemark: command(itsReviewer, assigned, "harmless", ({ db, actor }, id) =>
    saveRemark(db, actor, { ...sentRemark, reviewId: id, id }),
  ),
  deleteRemark: command(itsReviewer, assigned, "harmless", ({ db, actor }, id) =>
    deleteRemark(db, actor, { reviewId: id, id, base: 1 }),
  ),
  rankRemarks: command(itsReviewer, assigned, "harmless", ({ db, actor }, id) =>
    rankRemarks(db, actor, { reviewId: id, ids: [] }),
  ),
  settleEarlierRemarks: command(itsReviewer, assigned, "harmless", ({ db, actor }, id) =>
    settleEarlierRemarks(db, actor, { reviewId: id, keep: true }),
  ),
  scoreCriterion: command(itsReviewer, assigned, "harmless", ({ db, actor }, id) =>
    scoreCriterion(db, actor, { reviewId: id, criterion: "story", score: 4 }),
  ),
  answerQuestion: command(itsReviewer, assigned, "harmless", ({ db, actor }, id) =>
    answerQuestion(db, actor, { reviewId: id, position: 1, answer: "No.", seen: "" }),
  ),
  rateReview: command(["asha"], ["completed"], "harmless", ({ db, actor }, id) =>
    rateReview(db, actor, { reviewId: id, rating: 5, words: "Clear." }),
  ),
  saveQuestion: command(["asha"], ["completed"], "harmless", ({ db, actor }, id) =>
    saveQuestion(db, actor, { reviewId: id, ...followUp }),
  ),
  sendQuestion: command(["asha"], ["completed"], "harmless", ({ db, actor }, id) =>
    sendQuestion(db, actor, { reviewId: id, ...followUp }, config),
  ),
  handBackReview: command(itsReviewer, assigned, "refused", ({ db, actor }, id) =>
    handBackReview(db, actor, { reviewId: id, reason: "ill", note: "" }, config),
  ),
  submitReview: command(itsReviewer, assigned, "refused", ({ db, actor }, id) =>
    submitReview(
      db,
      actor,
      { reviewId: id, feedback: "Lead with the work.", version: noDraft },
      config,
    ),
  ),
  createShare: command(["asha"], ["completed"], "done again", ({ db, actor }, id) =>
    createShare(db, actor, { reviewId: id, hidden: [], withFeedback: false }),
  ),
  closeShare: command(
    ["asha"],
    ["pending", "unopened", "open", "completed"],
    "harmless",
    ({ db, actor }, id) => closeShare(db, actor, { reviewId: id }),
  ),
};

/** Adds an uploaded file to a review. */
function arrival(purpose: "review-image" | "review-file"): Command<Review> {
  const rules = purpose === "review-image" ? reviewImageUploads : reviewFileUploads;
  return {
    may: itsReviewer,
    on: ["unopened", "open"],
    again: "done again",
    run: ({ db, actor }, id) => {
      const uploaderId = actor?.id ?? randomUUID();
      const upload = { purpose, target: id, name: "cover.png", note: null };
      return db.transaction(async (tx) => {
        const file = await storedFile(tx, actor ?? { id: null }, `${purpose}s`);
        await rules.attach(tx, uploaderId, upload, file);
      });
    },
  };
}

/** The commands that a completed upload runs. They know the uploader by id. */
export const uploadCommands: Record<string, Command<Review>> = {
  "attaching a screenshot": arrival("review-image"),
  "attaching a file": arrival("review-file"),
};

/** A decision about the open reports on a listing. */
async function decisionAbout(db: Database, jobId: string) {
  return {
    jobId,
    reason: "Checked with the company.",
    seen: isUuid(jobId) ? await seenReports(db, jobId) : "",
  };
}

const itsAdder = ["devi", "gita"] as const;

/** Every command about a listing. Devi created them; Omar and Sonia may create their own. */
export const jobCommands: Record<string, Command<Job>> = {
  updateJob: command(itsAdder, either, "harmless", ({ db, actor }, id) =>
    updateJob(db, actor, id, { ...jobFields, location: "Kochi" }),
  ),
  acceptDetails: command(admin, ["published"], "refused", ({ db, actor }, id) =>
    acceptDetails(db, actor, {
      id,
      seen: getProposalsVersion(jobFields, suggestDetails(jobFields)),
      keys: ["discipline"],
    }),
  ),
  archiveJob: command(itsAdder, either, "harmless", ({ db, actor }, id) =>
    archiveJob(db, actor, id),
  ),
  unarchiveJob: command(itsAdder, either, "harmless", ({ db, actor }, id) =>
    unarchiveJob(db, actor, id),
  ),
  // Devi archived it, so only she can undo that.
  restoreListing: command(["devi"], ["archived"], "refused", ({ db, actor, things }, id) =>
    restoreListing(db, actor, { id, at: things.archivedAt }),
  ),
  checkJobs: command(itsAdder, ["published"], "refused", ({ db, actor }, id) =>
    checkJobs(db, actor, { jobIds: [id], result: "closed" }, config.checks),
  ),
  deleteJob: command(itsAdder, either, "refused", ({ db, actor }, id) => deleteJob(db, actor, id)),
  addListingsToCompany: command(admin, either, "refused", ({ db, actor, things }, id) =>
    addListingsToCompany(db, actor, { companyId: things.company.id, jobIds: [id] }),
  ),
  archiveReportedJob: command(admin, either, "refused", async ({ db, actor }, id) =>
    archiveReportedJob(db, actor, await decisionAbout(db, id)),
  ),
  closeReports: command(admin, either, "refused", async ({ db, actor }, id) =>
    closeReports(db, actor, await decisionAbout(db, id)),
  ),
};

const company = ["asha"] as const;
const closesOn = toIsoDay(new Date(now().getTime() + 30 * day));
const editable = ["draft", "returned", "changeDraft", "changeReturned"] as const;
const waiting = ["waiting", "changeWaiting"] as const;
const decisionSettings = { ...config, ...config.checks };
/** The version that every new submission has. */
const version = 1;

/** Every command about a listing of a company. Asha posts for it. */
export const submissionCommands: Record<string, Command<Submission>> = {
  saveDraft: command(company, editable, "refused", ({ db, actor }, id) =>
    ownSubmissions.saveDraft(db, actor, { id, version, fields: { title: "Letter Carver" } }),
  ),
  saveComplete: command(company, editable, "refused", ({ db, actor }, id) =>
    ownSubmissions.saveComplete(db, actor, {
      id,
      version,
      fields: { ...listingFields, title: "Letter Carver" },
    }),
  ),
  sendSubmission: command(company, editable, "refused", ({ db, actor }, id) =>
    ownSubmissions.sendSubmission(db, actor, { id, version }, decisionSettings),
  ),
  withdrawSubmission: command(company, [...waiting, "payable"], "refused", ({ db, actor }, id) =>
    ownSubmissions.withdrawSubmission(db, actor, id),
  ),
  startListingPayment: command(company, ["payable"], "harmless", ({ db, actor }, id) =>
    startListingPayment(db, { config, payments: testPayments() }, actor, { id, version }),
  ),
  removeSubmission: command(company, editable, "refused", ({ db, actor }, id) =>
    ownSubmissions.removeSubmission(db, actor, id),
  ),
  createChange: command(company, ["live"], "harmless", ({ db, actor }, id) =>
    ownListings.createChange(db, actor, id),
  ),
  closeEarlier: command(company, ["live"], "harmless", ({ db, actor }, id) =>
    ownListings.closeEarlier(db, actor, { id, closesOn }, config.checks),
  ),
  checkOwnListing: command(company, ["live"], "refused", ({ db, actor }, id) =>
    ownListings.checkOwnListing(db, actor, { id, result: "filled" }, config.checks),
  ),
  approveSubmissions: command(admin, waiting, "refused", async ({ db, actor }, id) => {
    const { refusals } = await approveSubmissions(db, actor, [{ id, version }], decisionSettings);
    if (refusals.length > 0) throw new Conflict(refusals.join(" "));
  }),
  returnSubmission: command(admin, waiting, "refused", ({ db, actor }, id) =>
    returnSubmission(db, actor, { id, version, reason: "State the pay." }, decisionSettings),
  ),
};

/** Every command about the question if a company replied to an application. */
export const replyCommands: Record<string, Command<keyof Things["applications"]>> = {
  answerReplyQuestion: command(["asha"], ["due", "askedAgain"], "harmless", ({ db, actor }, id) =>
    answerReplyQuestion(db, actor, { id, outcome: "later" }),
  ),
  withdrawReplyAnswer: command(
    ["asha"],
    ["askedAgain", "due", "early", "saved", "elsewhere"],
    "harmless",
    ({ db, actor }, id) => withdrawReplyAnswer(db, actor, { id }),
  ),
};

/** Every command about a second look, which Meera does. */
export const lookCommands: Record<string, Command<keyof Things["looks"]>> = {
  saveOutcome: command(itsReviewer, ["open"], "harmless", ({ db, actor, things }, id) =>
    saveOutcome(db, actor, {
      reviewId: id,
      remarkId: things.lookRemark,
      outcome: "solved",
      note: "",
      target: null,
      area: null,
      base: 0,
    }),
  ),
};

/** Every command about a customer's question. Meera answers it; the customer is Sonia. */
export const questionCommands: Record<string, Command<keyof Things["askedReviews"]>> = {
  saveAnswer: command(itsReviewer, ["open"], "harmless", ({ db, actor }, id) =>
    saveAnswer(db, actor, { reviewId: id, ...followUp }),
  ),
  sendAnswer: command(itsReviewer, ["open"], "harmless", ({ db, actor }, id) =>
    sendAnswer(db, actor, { reviewId: id, ...followUp }, config),
  ),
  assignQuestion: command(admin, ["open"], "refused", ({ db, actor, who }, id) =>
    assignQuestion(db, actor, { reviewId: id, reviewerId: who.kabir.id }, config),
  ),
};

/** Every command about the draft of a reviewer who handed a review back. Meera has the review now. */
export const draftCommands: Record<string, Command<keyof Things["drafts"]>> = {
  acceptDraft: command(itsReviewer, ["offered"], "refused", ({ db, actor }, id) =>
    acceptDraft(db, actor, { draftId: id }),
  ),
  declineDraft: command(itsReviewer, ["offered"], "refused", ({ db, actor }, id) =>
    declineDraft(db, actor, { draftId: id }),
  ),
};

const openChanges = ["waiting", "newWaiting"] as const;

/** The form of a company's page, as the member or admin who read it sends it. */
function toPageForm({ things }: Asked, companyId: string) {
  const typed = {
    name: "Sample Studio",
    about: "Signs for shops and streets.",
    removesLogo: false,
  };
  const shown = things.pageForms[companyId] ?? { website: "", version: "", pageVersion: "" };
  return { companyId, picture: null, ...typed, ...shown };
}

/** Every command about a company's page. Asha posts for the companies. */
export const pageCommands: Record<string, Command<keyof Things["pages"]>> = {
  sendPageChange: command(
    company,
    ["unchanged", "returned", ...openChanges],
    "refused",
    (asked, id) => sendPageChange(asked.db, asked.actor, toPageForm(asked, id)),
  ),
  withdrawPageChange: command(company, ["returned", ...openChanges], "refused", (asked, id) =>
    withdrawPageChange(asked.db, asked.actor, toPageForm(asked, id)),
  ),
  approvePageChange: command(admin, openChanges, "refused", (asked, id) =>
    approvePageChange(asked.db, asked.actor, toPageForm(asked, id), config),
  ),
  returnPageChange: command(admin, openChanges, "refused", (asked, id) => {
    const read = { ...toPageForm(asked, id), reason: "Say where you are." };
    return returnPageChange(asked.db, asked.actor, read, config);
  }),
};

const owners = ["asha", "ravi"] as const;

/** Every command about the team of a company. Asha and Ravi own it, and Kabir is a member. */
export const teamCommands: Record<string, Command<InTeam>> = {
  sendInvitation: command(owners, ["company"], "harmless", ({ db, actor, things }, companyId) =>
    changeTeam.sendInvitation(db, actor, config, { companyId, workEmail: things.teamEmail }),
  ),
  withdrawInvitation: command(owners, ["invitation", "expired"], "refused", (asked, id) =>
    changeTeam.withdrawInvitation(asked.db, asked.actor, inTeam(asked, id)),
  ),
  removeMember: command(owners, ["member", "owner"], "refused", (asked, id) =>
    changeTeam.removeMember(asked.db, asked.actor, inTeam(asked, id)),
  ),
  assignOwner: command(owners, ["member"], "refused", (asked, id) =>
    changeTeam.assignOwner(asked.db, asked.actor, inTeam(asked, id)),
  ),
  revokeOwnMembership: command([...owners, "kabir"], ["company"], "refused", ({ db, actor }, id) =>
    changeTeam.revokeOwnMembership(db, actor, id),
  ),
  joinCompany: command(
    ["sonia", "meera", "devi", "omar", "gita"],
    ["invitation"],
    "harmless",
    ({ db, actor }, id) =>
      joinCompany(db, actor, config, changeTeam.buildJoinPath(config, id).split("/").at(-1)!),
  ),
};

const inTeam = ({ things }: Asked, id: string) => ({ companyId: things.team.company, id });
