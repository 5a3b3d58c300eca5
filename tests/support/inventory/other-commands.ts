import { randomUUID } from "node:crypto";
import { listHistory } from "../../../app/admin/history.server.ts";
import { listUsers } from "../../../app/admin/list-users.server.ts";
import * as overview from "../../../app/admin/overview.server.ts";
import { getRevenue } from "../../../app/admin/revenue.server.ts";
import { listFoundItems } from "../../../app/admin/search/list-results.server.ts";
import { countByDay } from "../../../app/admin/trends.server.ts";
import {
  addPasskey,
  generateChallenge,
  removePasskey,
  renamePasskey,
} from "../../../app/accounts/passkeys/passkeys.server.ts";
import * as authenticator from "../../../app/accounts/second-factor/authenticator.server.ts";
import { saveMailChoices } from "../../../app/accounts/mail-choices/mail-choices.server.ts";
import {
  revokeOtherSessions,
  revokeOwnSession,
} from "../../../app/accounts/sessions/sessions.server.ts";
import { removeOwnContact } from "../../../app/checks/question/own-contact.server.ts";
import {
  acceptNotice,
  recordOwnConsent,
  withdrawOwnConsent,
} from "../../../app/consents/own-consents.server.ts";
import { banUser, changeUserRole, unbanUser } from "../../../app/accounts/bans-and-roles.server.ts";
import {
  cancelMail,
  listQueuedMails,
  retryGivenUpMails,
  retryMail,
} from "../../../app/admin/mail/manage-mails.server.ts";
import {
  listBoughtReviews,
  listUserOrders,
  getPerson,
} from "../../../app/admin/person/read-person.server.ts";
import { listOrders, getOrder } from "../../../app/admin/orders/read-orders.server.ts";
import { getProductFacts } from "../../../app/admin/product/read-product.server.ts";
import {
  checkOrderToResolve,
  resolveOrder,
  listOrdersToResolvePage,
} from "../../../app/payments/resolve/orders-to-resolve.server.ts";
import {
  addTrackedJob,
  changeTrackedJob,
  removeTrackedJob,
  restoreTrackedJob,
} from "../../../app/seekers/tracker/change-tracked-job.server.ts";
import { removeSavedJob, saveJob } from "../../../app/seekers/tracker/save-job.server.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import { getMessageFigures } from "../../../app/support/answer/deadlines.server.tsx";
import { listMessages } from "../../../app/support/answer/list-messages.server.ts";
import {
  addMessageLink,
  removeMessageLink,
} from "../../../app/support/answer/message-links.server.ts";
import * as messageStates from "../../../app/support/answer/message-states.server.ts";
import { answerMessage, saveMessageNote } from "../../../app/support/answer/messages.server.tsx";
import { getMessage } from "../../../app/support/answer/read-message.server.ts";
import {
  deleteTemplate,
  listTemplates,
  saveTemplate,
} from "../../../app/support/answer/templates.server.ts";
import {
  countReportedJobs,
  listReportedJobs,
} from "../../../app/checks/decide/list-reports.server.ts";
import { listWaitingWork } from "../../../app/admin/waiting-work.server.ts";
import { sendPasswordReset } from "../../../app/accounts/password-reset/reset-password.server.tsx";
import { noDetails } from "../../../app/jobs/details.ts";
import { countDueChecks, listDueChecks } from "../../../app/jobs/due-checks.server.ts";
import { createJob } from "../../../app/jobs/manage/job-commands.server.ts";
import {
  countListings,
  listListings,
  findListing,
} from "../../../app/jobs/manage/job-management.server.ts";
import {
  findProposedDetails,
  listJobsWithoutDetails,
} from "../../../app/jobs/suggest-details/accept-details.server.ts";
import { now } from "../../../app/platform/clock.ts";
import {
  countDueAssigned,
  countPendingReviews,
  countReviews,
  listAssignedReviews,
  listMostOverdue,
  listPendingReviews,
} from "../../../app/review-staff/assign/lists.server.ts";
import { listAssignees, listHolders } from "../../../app/review-staff/assign/assignees.server.ts";
import { restorePriorities } from "../../../app/review-staff/assign/set-priority.server.ts";
import * as completed from "../../../app/review-staff/edit/completed-reviews.server.ts";
import {
  changeAlertFrequency,
  createOwnAlert,
  stopAllOwnAlerts,
  stopOwnAlert,
} from "../../../app/seekers/alerts/own-alerts.server.ts";
import {
  countDueReviews,
  countOverdueReviews,
} from "../../../app/reviews/due-dates/due-dates.server.ts";
import { saveBrief } from "../../../app/reviews/brief/brief.server.ts";
import { listReviewerFigures } from "../../../app/reviews/rating/rating.server.ts";
import { saveAvailability } from "../../../app/reviews/reviewer-profile/availability.server.ts";
import {
  hideReviewer,
  saveIntroduction,
  listIntroductions,
} from "../../../app/reviews/reviewer-profile/introductions.server.ts";
import { deletePhrase, savePhrase } from "../../../app/annotations/remarks/scores.server.ts";
import {
  approveRequestedRefund,
  requestRefund,
  declineRequestedRefund,
  refundOrder,
} from "../../../app/review-customer/refunds/refunds.server.ts";
import { admin, type Asked, config, type Person } from "./commands.ts";
import { spareAlert } from "../rows/alerts.ts";
import { beginsApp, hasApp, sparePasskey, spareSession } from "../rows/factors.ts";
import { passkeyDevice } from "../requests/passkey-device.ts";
import {
  orderToResolve,
  refundToDecide,
  setBan,
  ticket,
  tomorrow,
  unsentMail,
} from "../rows/admin-things.ts";
import { testPayments } from "../payments/payments.ts";
import { paidReview } from "../rows/refunds.ts";
import { introduction, jobFields } from "../rows/things.ts";
import { trackedJob } from "../rows/tracked-jobs.ts";
import { testConfig } from "../product/config.ts";
import {
  countMentions,
  removeFromText,
  acceptText,
  listMentions,
} from "../../../app/checks/question/decide-mentions.server.ts";
import { contactMention } from "../rows/contact-mentions.ts";

/** Everyone with an account. */
const everybody = ["asha", "ravi", "meera", "kabir", "devi", "omar", "gita", "sonia"] as const;
const reviewers = ["meera", "kabir"] as const;

/** Commands without an existing subject, and reads, with the people who may run them. */
export const otherCommands: Record<
  string,
  { may: readonly Person[]; run(asked: Asked): Promise<unknown> }
> = {
  createJob: {
    may: ["devi", "omar", "sonia", "gita"],
    run: ({ db, actor }) => createJob(db, actor, { ...jobFields, ...noDetails, closesOn: null }),
  },
  sendPasswordReset: {
    may: admin,
    run: ({ db, actor, who }) => sendPasswordReset(db, actor, who.ravi.id, config),
  },
  banUser: {
    may: admin,
    run: ({ db, actor, who }) =>
      banUser(db, actor, { userId: who.omar.id, until: tomorrow(), reason: "Spam." }, config),
  },
  unbanUser: {
    may: admin,
    async run({ db, actor, who }) {
      if (actor?.isGodAdmin) await setBan(db, who.omar.id, tomorrow());
      return unbanUser(db, actor, who.omar.id, config);
    },
  },
  changeUserRole: {
    may: admin,
    run: ({ db, actor, who }) =>
      changeUserRole(db, actor, { userId: who.omar.id, role: "reviewer", change: "grant" }),
  },
  getPerson: { may: admin, run: ({ db, actor, who }) => getPerson(db, actor, who.asha.id) },
  listBoughtReviews: {
    may: admin,
    run: ({ db, actor, who }) => listBoughtReviews(db, actor, who.asha.id),
  },
  listUserOrders: {
    may: admin,
    run: ({ db, actor, who }) => listUserOrders(db, actor, who.asha.id),
  },
  countDueReviews: { may: admin, run: ({ db, actor }) => countDueReviews(db, actor) },
  getProductFacts: { may: admin, run: ({ db, actor }) => getProductFacts(db, actor, config) },
  listQueuedMails: {
    may: admin,
    run: ({ db, actor }) => listQueuedMails(db, actor, { state: null, after: null }),
  },
  retryMail: {
    may: admin,
    run: async ({ db, actor }) => retryMail(db, actor, await unsentMail(db, actor)),
  },
  retryGivenUpMails: { may: admin, run: ({ db, actor }) => retryGivenUpMails(db, actor) },
  cancelMail: {
    may: admin,
    run: async ({ db, actor }) => cancelMail(db, actor, await unsentMail(db, actor)),
  },
  listMessages: {
    may: admin,
    run: ({ db, actor }) => listMessages(db, actor, { list: "open", search: "", after: null }),
  },
  getMessage: {
    may: admin,
    run: async ({ db, actor }) => getMessage(db, actor, await ticket(db, actor)),
  },
  answerMessage: {
    may: admin,
    run: async ({ db, actor }) => {
      const fields = { ticket: await ticket(db, actor), answer: "We will.", seen: 0 };
      return answerMessage(db, actor, fields, config);
    },
  },
  changeMessageState: {
    may: admin,
    run: async ({ db, actor }) =>
      messageStates.changeMessageState(db, actor, {
        ticket: await ticket(db, actor),
        state: "closed",
      }),
  },
  claimMessage: {
    may: admin,
    run: async ({ db, actor }) =>
      messageStates.claimMessage(db, actor, { ticket: await ticket(db, actor), seenOwner: "" }),
  },
  changeMessageKind: {
    may: admin,
    run: async ({ db, actor }) =>
      messageStates.changeMessageKind(db, actor, {
        ticket: await ticket(db, actor),
        kind: "complaint",
      }),
  },
  addMessageLink: {
    may: admin,
    run: async ({ db, actor, who }) =>
      addMessageLink(db, actor, {
        ticket: await ticket(db, actor),
        target: await orderToResolve(db, actor, who),
      }),
  },
  removeMessageLink: {
    may: admin,
    run: async ({ db, actor }) =>
      removeMessageLink(db, actor, { ticket: await ticket(db, actor), kind: "job" }),
  },
  listTemplates: { may: admin, run: ({ db, actor }) => listTemplates(db, actor) },
  saveTemplate: {
    may: admin,
    run: ({ db, actor }) => saveTemplate(db, actor, { title: "Refund", text: "It is on its way." }),
  },
  deleteTemplate: {
    may: admin,
    run: ({ db, actor }) => deleteTemplate(db, actor, { id: randomUUID() }),
  },
  getMessageFigures: { may: admin, run: ({ db, actor }) => getMessageFigures(db, actor) },
  saveMessageNote: {
    may: admin,
    run: async ({ db, actor }) =>
      saveMessageNote(db, actor, { ticket: await ticket(db, actor), note: "Called.", seen: "" }),
  },
  listOrdersToResolvePage: {
    may: admin,
    run: ({ db, actor }) => listOrdersToResolvePage(db, actor, null),
  },
  resolveOrder: {
    may: admin,
    run: async ({ db, actor, who }) => {
      const orderId = await orderToResolve(db, actor, who);
      return resolveOrder(db, actor, { orderId, note: "Given back." });
    },
  },
  checkOrderToResolve: {
    may: admin,
    run: async ({ db, actor, who }) => {
      const orderId = await orderToResolve(db, actor, who);
      const app = { db, config, log: createLog("silent") };
      return checkOrderToResolve(app, testPayments(), actor, orderId);
    },
  },
  listOrders: {
    may: admin,
    run: ({ db, actor }) => listOrders(db, actor, { search: "asha", state: null, after: null }),
  },
  getOrder: {
    may: admin,
    run: async ({ db, actor, who }) => getOrder(db, actor, await orderToResolve(db, actor, who)),
  },
  requestRefund: {
    may: everybody,
    run: async ({ db, actor, who }) => {
      const bought = actor && (await paidReview(db, { buyer: actor, reviewer: who.kabir }));
      return requestRefund(db, actor, bought?.orderId ?? "", "", config);
    },
  },
  refundOrder: {
    may: admin,
    run: async ({ db, actor, who }) => {
      const { orderId } = await refundToDecide(db, actor, who, { isAsked: false });
      return refundOrder(db, actor, { orderId, reason: "Paid by mistake." }, config);
    },
  },
  approveRequestedRefund: {
    may: admin,
    run: async ({ db, actor, who }) => {
      const { refundId } = await refundToDecide(db, actor, who);
      return approveRequestedRefund(db, actor, { refundId, answer: "" }, config);
    },
  },
  declineRequestedRefund: {
    may: admin,
    run: async ({ db, actor, who }) => {
      const { refundId } = await refundToDecide(db, actor, who);
      return declineRequestedRefund(db, actor, { refundId, answer: "It says it all." }, config);
    },
  },
  revokeOwnSession: {
    may: everybody,
    run: async ({ db, actor }) => revokeOwnSession(db, actor, await spareSession(db, actor)),
  },
  revokeOtherSessions: { may: everybody, run: ({ db, actor }) => revokeOtherSessions(db, actor) },
  saveMailChoices: {
    may: everybody,
    run: ({ db, actor }) =>
      saveMailChoices(db, actor, {
        "review-assigned": "never",
        "review-ready": "never",
        "work-changed": "never",
        "work-due": "never",
        "new-order": "never",
        "review-late": "never",
        "job-reported": "never",
      }),
  },
  createOwnAlert: {
    may: everybody,
    run: ({ db, actor }) => createOwnAlert(db, actor, { query: "", frequency: "daily" }),
  },
  changeAlertFrequency: {
    may: everybody,
    run: async ({ db, actor }) =>
      changeAlertFrequency(db, actor, { id: await spareAlert(db, actor), frequency: "weekly" }),
  },
  stopOwnAlert: {
    may: everybody,
    run: async ({ db, actor }) => stopOwnAlert(db, actor, await spareAlert(db, actor)),
  },
  stopAllOwnAlerts: {
    may: everybody,
    run: ({ db, actor }) => stopAllOwnAlerts(db, actor),
  },
  recordOwnConsent: {
    may: everybody,
    run: ({ db, actor }) => recordOwnConsent(db, actor, "sample"),
  },
  withdrawOwnConsent: {
    may: everybody,
    run: ({ db, actor }) => withdrawOwnConsent(db, actor, "share"),
  },
  removeOwnContact: {
    may: everybody,
    run: ({ db, actor }) => removeOwnContact(db, actor, testConfig()),
  },
  saveJob: {
    may: everybody,
    run: ({ db, actor, things }) =>
      saveJob(db, actor, { jobId: things.jobs.published, state: "saved" }),
  },
  removeSavedJob: {
    may: everybody,
    run: ({ db, actor, things }) => removeSavedJob(db, actor, { jobId: things.jobs.published }),
  },
  addTrackedJob: {
    may: everybody,
    run: ({ db, actor }) =>
      addTrackedJob(db, actor, { title: "A", company: "B", place: "", url: "", state: "saved" }),
  },
  changeTrackedJob: {
    may: everybody,
    run: async ({ db, actor }) =>
      changeTrackedJob(db, actor, { id: await ownTracked(db, actor), version: 0, state: "offer" }),
  },
  removeTrackedJob: {
    may: everybody,
    run: async ({ db, actor }) => removeTrackedJob(db, actor, { id: await ownTracked(db, actor) }),
  },
  restoreTrackedJob: {
    may: everybody,
    run: ({ db, actor }) =>
      restoreTrackedJob(db, actor, {
        id: randomUUID(),
        jobId: null,
        title: "A",
        company: "B",
        place: "",
        url: "",
        state: "saved",
        appliedOn: null,
        nextStepOn: null,
        notes: "",
        version: 0,
        createdAt: now(),
        history: [],
      }),
  },
  acceptNotice: { may: everybody, run: ({ db, actor }) => acceptNotice(db, actor) },
  getAuthenticator: {
    may: everybody,
    run: async ({ db, actor }) => {
      await beginsApp({ db, config }, actor);
      return authenticator.getAuthenticator({ db, config }, actor);
    },
  },
  startAuthenticatorSetup: {
    may: everybody,
    run: ({ db, actor }) => authenticator.startAuthenticatorSetup({ db, config }, actor),
  },
  confirmAuthenticator: {
    may: everybody,
    run: async ({ db, actor }) => {
      const app = await beginsApp({ db, config }, actor);
      await authenticator.confirmAuthenticator({ db, config }, actor, app.code());
      if (actor) await authenticator.removeAuthenticator({ db, config }, actor);
    },
  },
  replaceRecoveryCodes: {
    may: everybody,
    run: async ({ db, actor }) => {
      await hasApp({ db, config }, actor);
      return authenticator.replaceRecoveryCodes({ db, config }, actor);
    },
  },
  removeAuthenticator: {
    may: everybody,
    run: async ({ db, actor }) => {
      await hasApp({ db, config }, actor);
      return authenticator.removeAuthenticator({ db, config }, actor);
    },
  },
  addPasskey: {
    may: everybody,
    run: ({ db, actor }) => {
      const challenge = generateChallenge(config, `add:${actor?.id}`).toString("base64url");
      const response = passkeyDevice().register({ origin: config.origin, challenge });
      return addPasskey({ db, config }, actor, { name: "Phone", response });
    },
  },
  renamePasskey: {
    may: everybody,
    run: async ({ db, actor }) =>
      renamePasskey(db, actor, { id: await sparePasskey(db, actor), name: "Telephone" }),
  },
  removePasskey: {
    may: everybody,
    run: async ({ db, actor }) =>
      removePasskey({ db, config }, actor, await sparePasskey(db, actor)),
  },
  listUsers: {
    may: admin,
    run: ({ db, actor }) =>
      listUsers(db, actor, { search: "", by: "email", direction: "asc", after: null }),
  },
  listFoundItems: { may: admin, run: ({ db, actor }) => listFoundItems(db, actor, "asha") },
  countByDay: { may: admin, run: ({ db, actor }) => countByDay(db, actor, now()) },
  listHistory: {
    may: admin,
    run: ({ db, actor }) => listHistory(db, actor, { type: null, id: null, after: null }),
  },
  saveBrief: {
    may: everybody,
    run: ({ db, actor }) =>
      saveBrief(db, actor, "resume_review", {
        targetRole: "Lead designer",
        years: 4,
        question1: "Are two pages too long?",
        question2: "",
        question3: "",
      }),
  },
  listReviewerFigures: {
    may: admin,
    run: ({ db, actor }) => listReviewerFigures(db, actor),
  },
  saveIntroduction: {
    may: reviewers,
    run: ({ db, actor }) => saveIntroduction(db, actor, introduction),
  },
  saveAvailability: {
    may: reviewers,
    run: ({ db, actor }) => saveAvailability(db, actor, { awayUntil: null, reviewsADay: 5 }),
  },
  listIntroductions: { may: admin, run: ({ db, actor }) => listIntroductions(db, actor) },
  hideReviewer: {
    may: admin,
    run: async ({ db, actor, who }) => {
      await saveIntroduction(db, who.meera, introduction);
      return hideReviewer(db, actor, { reviewerId: who.meera.id, hide: true });
    },
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
  getRevenue: { may: admin, run: ({ db, actor }) => getRevenue(db, actor, now()) },
  listRecentUsers: {
    may: admin,
    run: ({ db, actor }) => overview.listRecentUsers(db, actor, now()),
  },
  listNewestOrdersToResolve: {
    may: admin,
    run: ({ db, actor }) => overview.listNewestOrdersToResolve(db, actor),
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
  countPendingReviews: { may: admin, run: ({ db, actor }) => countPendingReviews(db, actor) },
  countOverdueReviews: {
    may: admin,
    run: ({ db, actor }) => countOverdueReviews(db, actor, "pending"),
  },
  listWaitingWork: { may: admin, run: ({ db, actor }) => listWaitingWork(db, actor) },
  countDueAssigned: { may: admin, run: ({ db, actor }) => countDueAssigned(db, actor, {}) },
  listMostOverdue: { may: admin, run: ({ db, actor }) => listMostOverdue(db, actor) },
  countReviews: { may: admin, run: ({ db, actor }) => countReviews(db, actor) },
  restorePriorities: {
    may: admin,
    run: ({ db, actor, things }) => restorePriorities(db, actor, { at: things.prioritisedAt }),
  },
  listAssignees: { may: admin, run: ({ db, actor }) => listAssignees(db, actor) },
  listHolders: { may: admin, run: ({ db, actor }) => listHolders(db, actor) },
  findCompletedReview: {
    may: admin,
    run: ({ db, actor, things }) =>
      completed.findCompletedReview(db, actor, things.reviews.completed),
  },
  findCompletedRemarks: {
    may: admin,
    run: ({ db, actor, things }) =>
      completed.findCompletedRemarks(db, actor, things.reviews.completed),
  },
  listReviewImages: {
    may: admin,
    run: ({ db, actor, things }) => completed.listReviewImages(db, actor, things.reviews.completed),
  },
  listReviewFiles: {
    may: admin,
    run: ({ db, actor, things }) => completed.listReviewFiles(db, actor, things.reviews.completed),
  },
  getBriefAndRating: {
    may: admin,
    run: ({ db, actor, things }) =>
      completed.getBriefAndRating(db, actor, things.reviews.completed),
  },
  listListings: {
    may: admin,
    run: ({ db, actor }) =>
      listListings(db, actor, "all", { isArchived: false, search: "", type: null, after: null }),
  },
  listReportedJobs: {
    may: admin,
    run: ({ db, actor }) => listReportedJobs(db, actor, { after: null }),
  },
  listMentions: {
    may: admin,
    run: ({ db, actor }) => listMentions(db, actor, { after: null }),
  },
  countMentions: { may: admin, run: ({ db, actor }) => countMentions(db, actor) },
  removeFromText: {
    may: admin,
    run: async ({ db, actor }) =>
      removeFromText(db, actor, { id: await contactMention(db, actor) }),
  },
  acceptText: {
    may: admin,
    run: async ({ db, actor }) =>
      acceptText(db, actor, { id: await contactMention(db, actor), reason: "Another person." }),
  },
  countReportedJobs: { may: admin, run: ({ db, actor }) => countReportedJobs(db, actor) },
  listDueChecks: {
    may: ["devi", "omar", "gita"],
    run: ({ db, actor }) => listDueChecks(db, actor, "own", { after: null }),
  },
  countDueChecks: { may: admin, run: ({ db, actor }) => countDueChecks(db, actor, "all") },
  countListings: { may: admin, run: ({ db, actor }) => countListings(db, actor, "all") },
  listJobsWithoutDetails: {
    may: admin,
    run: ({ db, actor }) => listJobsWithoutDetails(db, actor, null),
  },
  findProposedDetails: {
    may: admin,
    run: ({ db, actor, things }) => findProposedDetails(db, actor, things.jobs.published),
  },
  findListing: {
    may: ["devi", "omar", "sonia", "gita"],
    run: ({ db, actor, things }) => findListing(db, actor, "own", things.jobs.published),
  },
};

/** Puts a job into the actor's list. A visitor has none. */
async function ownTracked(db: Asked["db"], actor: Asked["actor"]): Promise<string> {
  return actor ? trackedJob(db, actor) : randomUUID();
}
