import { services } from "../../../app/reviews/rules.ts";
import { randomUUID } from "node:crypto";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { listHistory } from "../../../app/admin/history.server.ts";
import { listUsers } from "../../../app/admin/list-users.server.ts";
import * as overview from "../../../app/admin/overview.server.ts";
import { getRevenue } from "../../../app/admin/revenue.server.ts";
import { listFoundItems } from "../../../app/admin/search/list-results.server.ts";
import { countByDay } from "../../../app/admin/trends.server.ts";
import {
  changeOwnName,
  requestAddressChange,
} from "../../../app/accounts/details/details.server.tsx";
import {
  approveReversal,
  findAskedReversal,
} from "../../../app/accounts/details/reverse-address.server.tsx";
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
import { startExportFor } from "../../../app/own-data/export/export-for-person.server.tsx";
import { startOwnExport } from "../../../app/own-data/export/exports.server.ts";
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
import { getMonthAccounts } from "../../../app/admin/orders/month-accounts.server.ts";
import { createInvoiceFile } from "../../../app/admin/orders/month-file.server.ts";
import { parseMonth } from "../../../app/platform/months.ts";
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
import { saveFirstMessage } from "../../../app/seekers/first-message/first-message.server.ts";
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
import {
  approveClaim,
  declineClaim,
  setCompanyState,
} from "../../../app/companies/decide/decide-companies.server.tsx";
import {
  countClaims,
  listAllCompanies,
  listClaims,
} from "../../../app/companies/decide/list-companies.server.ts";
import {
  countPageChanges,
  listPageChanges,
} from "../../../app/companies/decide/list-page-changes.server.ts";
import { getOwnPage } from "../../../app/companies/page/change-page.server.ts";
import { confirmWorkEmail } from "../../../app/companies/membership/confirm-work-email.server.tsx";
import {
  buildWorkEmailPath,
  requestMembership,
} from "../../../app/companies/membership/request-membership.server.tsx";
import { listTeams } from "../../../app/companies/team/list-teams.server.ts";
import {
  countWaiting,
  getWaiting,
  listWaiting,
} from "../../../app/posting/decide/list-waiting.server.ts";
import { removeListingFromCompany } from "../../../app/posting/link/link-listings.server.ts";
import {
  getCompanyToLink,
  listLinkable,
  listLinked,
} from "../../../app/posting/link/list-linkable.server.ts";
import { createDraft } from "../../../app/posting/own/change-submission.server.ts";
import {
  getOwnSubmission,
  listOwnSubmissions,
} from "../../../app/posting/own/own-submissions.server.ts";
import { claim, company, linkedListing, member, submission } from "../rows/companies.ts";
import { listWaitingWork } from "../../../app/admin/waiting-work.server.ts";
import { sendPasswordReset } from "../../../app/accounts/password-reset/reset-password.server.tsx";
import { noDetails } from "../../../app/jobs/details.ts";
import { countDueChecks, listDueChecks } from "../../../app/jobs/due-checks.server.ts";
import {
  closeJobEarlier,
  createJob,
  updateCompanyJob,
} from "../../../app/jobs/manage/job-commands.server.ts";
import { findCompanyJob } from "../../../app/jobs/manage/company-changes.server.ts";
import {
  countListings,
  listListings,
  findListing,
} from "../../../app/jobs/manage/job-management.server.ts";
import {
  findProposedDetails,
  listJobsWithoutDetails,
} from "../../../app/jobs/suggest-details/accept-details.server.ts";
import { day, now, toIsoDay } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
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
import { getOwnEarnings } from "../../../app/review-staff/earnings/earnings.server.ts";
import { getPan, savePan } from "../../../app/review-staff/earnings/pan.server.ts";
import {
  createPayoutFile,
  getPayee,
  listPayeeMonths,
  recordPayout,
  withdrawFee,
} from "../../../app/review-staff/earnings/payouts.server.ts";
import * as completed from "../../../app/review-staff/edit/completed-reviews.server.ts";
import {
  changeAlertFrequency,
  createOwnAlert,
  stopAllOwnAlerts,
  stopOwnAlert,
} from "../../../app/seekers/alerts/own-alerts.server.ts";
import {
  countOverdueReviews,
  countReviewsDueToday,
} from "../../../app/reviews/due-dates/due-dates.server.ts";
import { saveBrief } from "../../../app/reviews/brief/brief.server.ts";
import {
  countQuestionsToMove,
  listOpenQuestions,
} from "../../../app/review-staff/assign/assign-question.server.ts";
import {
  countReviewsHandedBack,
  getHandedBackDraft,
  listHandedBackReviews,
} from "../../../app/review-staff/hand-back/drafts.server.ts";
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
import { feeToPay, lastMonth, testPan } from "../rows/fees.ts";
import { askedReversal, beginsApp, hasApp, sparePasskey, spareSession } from "../rows/factors.ts";
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
import { jobFields } from "../rows/jobs.ts";
import { emptyBrief, introduction } from "../rows/things.ts";
import { trackedJob } from "../rows/tracked-jobs.ts";
import { testConfig } from "../product/config.ts";
import {
  countMentions,
  removeFromText,
  acceptText,
  listMentions,
} from "../../../app/checks/question/decide-mentions.server.ts";
import { contactMention } from "../rows/contact-mentions.ts";
import { blackBox, draftToBlackOut } from "../rows/marked-reviews.ts";
import { person } from "../rows/people.ts";
import {
  requestCopy,
  restoreOriginal,
} from "../../../app/review-customer/black-out/black-outs.server.ts";
import {
  closeAccountFor,
  closeOwnAccount,
  getPersonToClose,
} from "../../../app/own-data/closing/close-account.server.tsx";
import { supportMessages } from "../../../app/support/tables.server.ts";

const notConfirmed = { confirmedAt: null, approvedAt: null };

/** Everyone with an account. */
const everybody = ["asha", "ravi", "meera", "kabir", "devi", "omar", "gita", "sonia"] as const;
const reviewers = ["meera", "kabir"] as const;

/** Creates a reviewer with an unpaid fee, if the actor can pay it. */
async function payeeOf(db: Database, actor: Actor | null, { meera }: Asked["who"]) {
  if (actor?.isGodAdmin) return feeToPay(db);
  return { reviewerId: meera.id, reviewId: randomUUID(), month: lastMonth().key, paise: 80_00 };
}

type Run = (asked: Asked) => Promise<unknown>;

const closesOn = toIsoDay(new Date(now().getTime() + 30 * day));

/** Commands without an existing subject, and reads, with the people who may run them. */
export const otherCommands: Record<string, { may: readonly Person[]; run: Run }> = {
  ...only(["devi", "omar", "sonia", "gita"], {
    createJob: ({ db, actor }) =>
      createJob(db, actor, { ...jobFields, ...noDetails, closesOn: null }),
    findListing: ({ db, actor, things }) => findListing(db, actor, "own", things.jobs.published),
  }),
  ...only(admin, {
    findAskedReversal: ({ db, actor, who }) => findAskedReversal(db, actor, who.asha.id),
    approveReversal: async ({ db, actor, who }) => {
      const owner = actor?.isGodAdmin ? await person(db, "Spare Person") : who.ravi;
      if (actor?.isGodAdmin) await askedReversal(db, owner);
      return approveReversal({ db, config }, actor, owner.id);
    },
    sendPasswordReset: ({ db, actor, who }) => sendPasswordReset(db, actor, who.ravi.id, config),
    startExportFor: async ({ db, actor, who }) => {
      const { id: userId, email } = who.asha;
      const own = await ticket(db, actor, { senderId: userId, email });
      return startExportFor(db, actor, { userId, ticket: own, reason: "They asked." }, config);
    },
    banUser: ({ db, actor, who }) =>
      banUser(db, actor, { userId: who.omar.id, until: tomorrow(), reason: "Spam." }, config),
    unbanUser: async ({ db, actor, who }) => {
      if (actor?.isGodAdmin) await setBan(db, who.omar.id, tomorrow());
      return unbanUser(db, actor, who.omar.id, config);
    },
    // Closing makes its own people, since the others run more commands.
    closeAccountFor: async ({ db, actor }) => {
      if (!actor?.isGodAdmin)
        return closeAccountFor(db, actor, { userId: "", ticket: "", reason: "" }, testConfig());
      const { id: userId, email } = await person(db, "Spare Person");
      const ticket = `NAK-${userId.slice(0, 8).toUpperCase()}`;
      await db.insert(supportMessages).values({
        ticket,
        name: "Spare Person",
        email,
        subject: "My account",
        message: "Please close it.",
        createdAt: now(),
      });
      return closeAccountFor(db, actor, { userId, ticket, reason: "They wrote." }, testConfig());
    },
    getPersonToClose: ({ db, actor, who }) => getPersonToClose(db, actor, who.ravi.id),
    changeUserRole: ({ db, actor, who }) =>
      changeUserRole(db, actor, { userId: who.omar.id, role: "reviewer", change: "grant" }),
    getPerson: ({ db, actor, who }) => getPerson(db, actor, who.asha.id),
    listBoughtReviews: ({ db, actor, who }) => listBoughtReviews(db, actor, who.asha.id),
    listUserOrders: ({ db, actor, who }) => listUserOrders(db, actor, who.asha.id),
    countReviewsDueToday: ({ db, actor }) => countReviewsDueToday(db, actor),
    getProductFacts: ({ db, actor }) => getProductFacts(db, actor, config),
    listQueuedMails: ({ db, actor }) => listQueuedMails(db, actor, { state: null, after: null }),
    retryMail: async ({ db, actor }) => retryMail(db, actor, await unsentMail(db, actor)),
    retryGivenUpMails: ({ db, actor }) => retryGivenUpMails(db, actor),
    cancelMail: async ({ db, actor }) => cancelMail(db, actor, await unsentMail(db, actor)),
    listMessages: ({ db, actor }) =>
      listMessages(db, actor, { list: "open", search: "", after: null }),
    getMessage: async ({ db, actor }) => getMessage(db, actor, await ticket(db, actor)),
    answerMessage: async ({ db, actor }) => {
      const fields = { ticket: await ticket(db, actor), answer: "We will.", seen: 0 };
      return answerMessage(db, actor, fields, config);
    },
    changeMessageState: async ({ db, actor }) =>
      messageStates.changeMessageState(db, actor, {
        ticket: await ticket(db, actor),
        state: "closed",
      }),
    claimMessage: async ({ db, actor }) =>
      messageStates.claimMessage(db, actor, { ticket: await ticket(db, actor), seenOwner: "" }),
    changeMessageKind: async ({ db, actor }) =>
      messageStates.changeMessageKind(db, actor, {
        ticket: await ticket(db, actor),
        kind: "complaint",
      }),
    addMessageLink: async ({ db, actor, who }) =>
      addMessageLink(db, actor, {
        ticket: await ticket(db, actor),
        target: await orderToResolve(db, actor, who),
      }),
    removeMessageLink: async ({ db, actor }) =>
      removeMessageLink(db, actor, { ticket: await ticket(db, actor), kind: "job" }),
    listTemplates: ({ db, actor }) => listTemplates(db, actor),
    saveTemplate: ({ db, actor }) =>
      saveTemplate(db, actor, { title: "Refund", text: "It is on its way." }),
    deleteTemplate: ({ db, actor }) => deleteTemplate(db, actor, { id: randomUUID() }),
    getMessageFigures: ({ db, actor }) => getMessageFigures(db, actor),
    saveMessageNote: async ({ db, actor }) =>
      saveMessageNote(db, actor, { ticket: await ticket(db, actor), note: "Called.", seen: "" }),
    listOrdersToResolvePage: ({ db, actor }) => listOrdersToResolvePage(db, actor, null),
    resolveOrder: async ({ db, actor, who }) => {
      const orderId = await orderToResolve(db, actor, who);
      return resolveOrder(db, actor, { orderId, note: "Given back." });
    },
    checkOrderToResolve: async ({ db, actor, who }) => {
      const orderId = await orderToResolve(db, actor, who);
      const app = { db, config, log: createLog("silent") };
      return checkOrderToResolve(app, testPayments(), actor, orderId);
    },
    getMonthAccounts: ({ db, actor }) => getMonthAccounts(db, actor, parseMonth(null)),
    listPayeeMonths: ({ db, actor }) => listPayeeMonths(db, actor, lastMonth()),
    createPayoutFile: ({ db, actor }) => createPayoutFile(db, actor, lastMonth()),
    getPayee: async ({ db, actor, who }) => {
      const { reviewerId } = await payeeOf(db, actor, who);
      return getPayee(db, actor, reviewerId, lastMonth());
    },
    recordPayout: async ({ db, actor, who }) => {
      const due = await payeeOf(db, actor, who);
      return recordPayout(db, actor, { ...due, paidOn: toIsoDay(now()), reference: "UTR 1" });
    },
    withdrawFee: async ({ db, actor, who }) => {
      const { reviewId } = await payeeOf(db, actor, who);
      return withdrawFee(db, actor, { reviewId, reason: "Copied from another review." });
    },
    getPan: async ({ db, actor, who }) => {
      const { reviewerId } = await payeeOf(db, actor, who);
      return getPan({ db, config: testConfig() }, actor, reviewerId);
    },
    createInvoiceFile: ({ db, actor }) => createInvoiceFile(db, actor, parseMonth(null)),
    listOrders: ({ db, actor }) =>
      listOrders(db, actor, { search: "asha", state: null, after: null }),
    getOrder: async ({ db, actor, who }) =>
      getOrder(db, actor, await orderToResolve(db, actor, who)),
    refundOrder: async ({ db, actor, who }) => {
      const { orderId } = await refundToDecide(db, actor, who, { isAsked: false });
      return refundOrder(db, actor, { orderId, reason: "Paid by mistake." }, config);
    },
    approveRequestedRefund: async ({ db, actor, who }) => {
      const { refundId } = await refundToDecide(db, actor, who);
      return approveRequestedRefund(db, actor, { refundId, answer: "" }, config);
    },
    declineRequestedRefund: async ({ db, actor, who }) => {
      const { refundId } = await refundToDecide(db, actor, who);
      return declineRequestedRefund(db, actor, { refundId, answer: "It says it all." }, config);
    },
    listUsers: ({ db, actor }) =>
      listUsers(db, actor, { search: "", by: "email", direction: "asc", after: null }),
    listFoundItems: ({ db, actor }) => listFoundItems(db, actor, "asha"),
    countByDay: ({ db, actor }) => countByDay(db, actor, now()),
    listHistory: ({ db, actor }) => listHistory(db, actor, { type: null, id: null, after: null }),
    listReviewerFigures: ({ db, actor }) => listReviewerFigures(db, actor),
    listIntroductions: ({ db, actor }) => listIntroductions(db, actor),
    listOpenQuestions: ({ db, actor }) => listOpenQuestions(db, actor),
    listHandedBackReviews: ({ db, actor }) => listHandedBackReviews(db, actor),
    countReviewsHandedBack: ({ db, actor }) => countReviewsHandedBack(db, actor),
    getHandedBackDraft: ({ db, actor, things }) =>
      getHandedBackDraft(db, actor, things.drafts.hidden),
    countQuestionsToMove: ({ db, actor }) => countQuestionsToMove(db, actor),
    hideReviewer: async ({ db, actor, who }) => {
      await saveIntroduction(db, who.meera, introduction);
      return hideReviewer(db, actor, { reviewerId: who.meera.id, hide: true });
    },
    countUsers: ({ db, actor }) => overview.countUsers(db, actor),
    countActiveReviews: ({ db, actor }) => overview.countActiveReviews(db, actor),
    countActiveJobs: ({ db, actor }) => overview.countActiveJobs(db, actor),
    getRevenue: ({ db, actor }) => getRevenue(db, actor, now()),
    listRecentUsers: ({ db, actor }) => overview.listRecentUsers(db, actor, now()),
    listNewestOrdersToResolve: ({ db, actor }) => overview.listNewestOrdersToResolve(db, actor),
    listFailingDependencies: async ({ actor }) => overview.listFailingDependencies(actor),
    listUndeliveredMails: ({ db, actor }) => overview.listUndeliveredMails(db, actor),
    listPendingReviews: ({ db, actor }) =>
      listPendingReviews(db, actor, { type: null, after: null }),
    listAssignedReviews: ({ db, actor }) => listAssignedReviews(db, actor, {}),
    listCompletedReviews: ({ db, actor }) =>
      completed.listCompletedReviews(db, actor, { after: null }),
    countPendingReviews: ({ db, actor }) => countPendingReviews(db, actor),
    countOverdueReviews: ({ db, actor }) => countOverdueReviews(db, actor, "pending"),
    listWaitingWork: ({ db, actor }) => listWaitingWork(db, actor),
    countDueAssigned: ({ db, actor }) => countDueAssigned(db, actor, {}),
    listMostOverdue: ({ db, actor }) => listMostOverdue(db, actor),
    countReviews: ({ db, actor }) => countReviews(db, actor),
    restorePriorities: ({ db, actor, things }) =>
      restorePriorities(db, actor, { at: things.prioritisedAt }),
    listAssignees: ({ db, actor }) => listAssignees(db, actor),
    listHolders: ({ db, actor }) => listHolders(db, actor),
    findCompletedReview: ({ db, actor, things }) =>
      completed.findCompletedReview(db, actor, things.reviews.completed),
    findCompletedRemarks: ({ db, actor, things }) =>
      completed.findCompletedRemarks(db, actor, things.reviews.completed),
    listReviewImages: ({ db, actor, things }) =>
      completed.listReviewImages(db, actor, things.reviews.completed),
    listReviewFiles: ({ db, actor, things }) =>
      completed.listReviewFiles(db, actor, things.reviews.completed),
    getBriefAndRating: ({ db, actor, things }) =>
      completed.getBriefAndRating(db, actor, things.reviews.completed),
    listListings: ({ db, actor }) =>
      listListings(db, actor, "all", { isArchived: false, search: "", type: null, after: null }),
    listReportedJobs: ({ db, actor }) => listReportedJobs(db, actor, { after: null }),
    listMentions: ({ db, actor }) => listMentions(db, actor, { after: null }),
    countMentions: ({ db, actor }) => countMentions(db, actor),
    removeFromText: async ({ db, actor }) =>
      removeFromText(db, actor, { id: await contactMention(db, actor) }),
    acceptText: async ({ db, actor }) =>
      acceptText(db, actor, { id: await contactMention(db, actor), reason: "Another person." }),
    countReportedJobs: ({ db, actor }) => countReportedJobs(db, actor),
    countDueChecks: ({ db, actor }) => countDueChecks(db, actor, "all"),
    updateCompanyJob: async ({ db, actor, things, who }) => {
      const stored = await findCompanyJob(db, things.jobs.published);
      const change = { stored: stored!, listing: jobFields, submittedBy: who.asha.id };
      return updateCompanyJob(db, actor, change, config.checks);
    },
    listWaiting: ({ db, actor }) => listWaiting(db, actor, { after: null }),
    countWaiting: ({ db, actor }) => countWaiting(db, actor),
    getWaiting: ({ db, actor, things }) => getWaiting(db, actor, things.submissions.waiting),
    listClaims: ({ db, actor }) => listClaims(db, actor, { after: null }),
    countClaims: ({ db, actor }) => countClaims(db, actor),
    listPageChanges: ({ db, actor }) => listPageChanges(db, actor, { after: null }),
    countPageChanges: ({ db, actor }) => countPageChanges(db, actor),
    listAllCompanies: ({ db, actor }) => listAllCompanies(db, actor, { after: null }),
    approveClaim: async ({ db, actor, who }) =>
      approveClaim(db, actor, await claimToDecide(db, actor, who), config),
    declineClaim: async ({ db, actor, who }) => {
      const memberId = await claimToDecide(db, actor, who);
      return declineClaim(db, actor, { memberId, reason: "Nobody there." }, config);
    },
    setCompanyState: ({ db, actor, things }) =>
      setCompanyState(db, actor, { companyId: things.company.id, state: "hidden" }),
    getCompanyToLink: ({ db, actor, things }) => getCompanyToLink(db, actor, things.company.id),
    listLinkable: ({ db, actor, things }) => listLinkable(db, actor, things.company, null),
    listLinked: ({ db, actor, things }) => listLinked(db, actor, things.company, null),
    removeListingFromCompany: async ({ db, actor, things, who }) => {
      const linked = actor?.isGodAdmin ? await linkedListing(db, who.asha) : things.linked;
      return removeListingFromCompany(db, actor, { companyId: linked.company, jobId: linked.job });
    },
    countListings: ({ db, actor }) => countListings(db, actor, "all"),
    listJobsWithoutDetails: ({ db, actor }) => listJobsWithoutDetails(db, actor, null),
    findProposedDetails: ({ db, actor, things }) =>
      findProposedDetails(db, actor, things.jobs.published),
  }),
  ...only(everybody, {
    requestRefund: async ({ db, actor, who }) => {
      const bought = actor && (await paidReview(db, { buyer: actor, reviewer: who.kabir }));
      return requestRefund(db, actor, bought?.orderId ?? "", "", config);
    },
    revokeOwnSession: async ({ db, actor }) =>
      revokeOwnSession(db, actor, await spareSession(db, actor)),
    revokeOtherSessions: ({ db, actor }) => revokeOtherSessions(db, actor),
    saveMailChoices: ({ db, actor }) =>
      saveMailChoices(db, actor, {
        "review-assigned": "never",
        "review-ready": "never",
        "saved-job-closes": "never",
        "work-changed": "never",
        "work-due": "never",
        "new-order": "never",
        "review-late": "never",
        "job-reported": "never",
      }),
    createOwnAlert: ({ db, actor }) => createOwnAlert(db, actor, { query: "", frequency: "daily" }),
    changeAlertFrequency: async ({ db, actor }) =>
      changeAlertFrequency(db, actor, { id: await spareAlert(db, actor), frequency: "weekly" }),
    stopOwnAlert: async ({ db, actor }) => stopOwnAlert(db, actor, await spareAlert(db, actor)),
    stopAllOwnAlerts: ({ db, actor }) => stopAllOwnAlerts(db, actor),
    requestMembership: ({ db, actor }) =>
      requestMembership(db, actor, config, {
        name: "Sample Studio",
        website: "https://sample.example",
        about: "",
        workEmail: "work@sample.example",
        domain: "sample.example",
      }),
    listTeams: ({ db, actor }) => listTeams(db, actor),
    getOwnPage: async ({ db, actor }) => {
      const own = actor && (await member(db, await company(db), actor));
      return getOwnPage(db, actor, own?.companyId ?? randomUUID());
    },
    confirmWorkEmail: async ({ db, actor }) => {
      const own = actor && (await member(db, await company(db), actor, notConfirmed));
      const token = buildWorkEmailPath(config, own?.id ?? randomUUID())
        .split("/")
        .at(-1)!;
      return confirmWorkEmail(db, actor, config, token);
    },
    createDraft: async ({ db, actor }) => {
      const companyId = actor ? (await ownCompany(db, actor)).id : randomUUID();
      return createDraft(db, actor, { id: randomUUID(), companyId });
    },
    closeJobEarlier: async ({ db, actor, things }) => {
      const stored = (await findCompanyJob(db, things.jobs.published))!;
      return closeJobEarlier(db, actor, { stored, closesOn }, config.checks);
    },
    getOwnSubmission: async ({ db, actor }) => {
      const id = actor && (await submission(db, await ownCompany(db, actor), actor, "draft"));
      return getOwnSubmission(db, actor, id ?? randomUUID());
    },
    listOwnSubmissions: ({ db, actor }) => listOwnSubmissions(db, actor, { after: null }),
    recordOwnConsent: ({ db, actor }) => recordOwnConsent(db, actor, "sample"),
    withdrawOwnConsent: ({ db, actor }) => withdrawOwnConsent(db, actor, "share"),
    removeOwnContact: ({ db, actor }) => removeOwnContact(db, actor, testConfig()),
    saveJob: ({ db, actor, things }) =>
      saveJob(db, actor, { jobId: things.jobs.published, state: "saved" }),
    removeSavedJob: ({ db, actor, things }) =>
      removeSavedJob(db, actor, { jobId: things.jobs.published }),
    saveFirstMessage: ({ db, actor, things }) =>
      saveFirstMessage(db, actor, {
        jobId: things.jobs.published,
        motivation: "I draw maps.",
        portfolio: "https://asha.example/",
        link: "none",
      }),
    addTrackedJob: ({ db, actor }) =>
      addTrackedJob(db, actor, { title: "A", company: "B", place: "", url: "", state: "saved" }),
    changeTrackedJob: async ({ db, actor }) =>
      changeTrackedJob(db, actor, { id: await ownTracked(db, actor), version: 0, state: "offer" }),
    removeTrackedJob: async ({ db, actor }) =>
      removeTrackedJob(db, actor, { id: await ownTracked(db, actor) }),
    restoreTrackedJob: ({ db, actor }) =>
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
        motivation: "",
        version: 0,
        createdAt: now(),
        history: [],
      }),
    acceptNotice: ({ db, actor }) => acceptNotice(db, actor),
    startOwnExport: ({ db, actor }) => startOwnExport(db, actor),
    closeOwnAccount: async ({ db, actor }) =>
      closeOwnAccount(db, actor && (await person(db, "Spare Person")), testConfig()),
    getAuthenticator: async ({ db, actor }) => {
      await beginsApp({ db, config }, actor);
      return authenticator.getAuthenticator({ db, config }, actor);
    },
    startAuthenticatorSetup: ({ db, actor }) =>
      authenticator.startAuthenticatorSetup({ db, config }, actor),
    confirmAuthenticator: async ({ db, actor }) => {
      const app = await beginsApp({ db, config }, actor);
      await authenticator.confirmAuthenticator({ db, config }, actor, app.code());
      if (actor) await authenticator.removeAuthenticator({ db, config }, actor);
    },
    replaceRecoveryCodes: async ({ db, actor }) => {
      await hasApp({ db, config }, actor);
      return authenticator.replaceRecoveryCodes({ db, config }, actor);
    },
    removeAuthenticator: async ({ db, actor }) => {
      await hasApp({ db, config }, actor);
      return authenticator.removeAuthenticator({ db, config }, actor);
    },
    addPasskey: ({ db, actor }) => {
      const challenge = generateChallenge(config, `add:${actor?.id}`).toString("base64url");
      const response = passkeyDevice().register({ origin: config.origin, challenge });
      return addPasskey({ db, config }, actor, { name: "Phone", response });
    },
    changeOwnName: ({ db, actor }) => changeOwnName(db, actor, "Asha V."),
    requestAddressChange: ({ db, actor }) =>
      requestAddressChange(db, actor, config, `${randomUUID()}@example.com`),
    renamePasskey: async ({ db, actor }) =>
      renamePasskey(db, actor, { id: await sparePasskey(db, actor), name: "Telephone" }),
    removePasskey: async ({ db, actor }) =>
      removePasskey({ db, config }, actor, await sparePasskey(db, actor)),
    saveBrief: ({ db, actor }) =>
      saveBrief(db, actor, "resume_review", {
        ...emptyBrief,
        targetRole: "Lead designer",
        years: 4,
        question1: "Are two pages too long?",
      }),
    requestCopy: async ({ db, actor }) =>
      requestCopy({ db, config }, actor, services.resume_review, {
        part: "resume",
        boxes: [blackBox],
        shownVersion: await draftToBlackOut(db, actor),
      }),
    restoreOriginal: async ({ db, actor }) => {
      await draftToBlackOut(db, actor, true);
      return restoreOriginal(db, actor, services.resume_review, "resume");
    },
  }),
  ...only(reviewers, {
    getOwnEarnings: ({ db, actor }) => getOwnEarnings(db, actor, lastMonth()),
    savePan: ({ db, actor }) => savePan({ db, config: testConfig() }, actor, testPan),
    saveIntroduction: ({ db, actor }) => saveIntroduction(db, actor, introduction),
    saveAvailability: ({ db, actor }) =>
      saveAvailability(db, actor, { awayUntil: null, reviewsADay: 5 }),
    savePhrase: ({ db, actor }) => savePhrase(db, actor, { text: "Lead with the outcome." }),
    deletePhrase: ({ db, actor }) => deletePhrase(db, actor, { id: randomUUID() }),
  }),
  ...only(["devi", "omar", "gita"], {
    listDueChecks: ({ db, actor }) => listDueChecks(db, actor, "own", { after: null }),
  }),
};

function only(may: readonly Person[], runs: Record<string, Run>): typeof otherCommands {
  return Object.fromEntries(Object.entries(runs).map(([name, run]) => [name, { may, run }]));
}

/** Creates a claim, if the actor can decide about it. */
async function claimToDecide(db: Asked["db"], actor: Asked["actor"], { kabir }: Asked["who"]) {
  return actor?.isGodAdmin ? claim(db, kabir) : randomUUID();
}

async function ownCompany(db: Asked["db"], actor: NonNullable<Asked["actor"]>) {
  const own = await company(db);
  await member(db, own, actor);
  return own;
}

/** Puts a job into the actor's list. A visitor has none. */
async function ownTracked(db: Asked["db"], actor: Asked["actor"]): Promise<string> {
  return actor ? trackedJob(db, actor) : randomUUID();
}
