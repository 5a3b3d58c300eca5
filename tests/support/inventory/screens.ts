import type { RouteConfigEntry } from "@react-router/dev/routes";
import { signInPage, signUpPage } from "../../../app/accounts/pages.ts";
import { removedPage } from "../../../app/checks/pages.ts";
import { noticePage } from "../../../app/consents/pages.ts";
import { companiesPage } from "../../../app/jobs/companies/pages.ts";
import { boardPage } from "../../../app/jobs/board/pages.ts";
import { postPage } from "../../../app/posting/pages.ts";
import { readConfig } from "../../../app/platform/config.server.ts";
import { buildServicesPage } from "../../../app/review-customer/buy/pages.ts";
import { buildExampleReviewPage } from "../../../app/review-customer/example/pages.ts";
import { exampleSecondLookPage } from "../../../app/review-customer/example/second-look-page.ts";
import { resumeCheckPage } from "../../../app/review-customer/resume-check/pages.ts";
import routes from "../../../app/routes.ts";
import { aboutPage, buildHomePage } from "../../../app/site/pages.ts";
import { accessibilityPage, trustPage } from "../../../app/site/trust/pages.ts";
import * as support from "../../../app/support/pages.ts";
import type { PublicPage } from "../../../app/ui/meta.ts";
import { crowd, personOfOldNotice } from "../../../db/demo/people.ts";
import type { Demo } from "../rows/demo-screens.ts";
import { getMonthAway, parseMonth } from "../../../app/platform/months.ts";
import { readerOf, workspaceReviewer } from "../rows/screen-people.ts";
import type { Everybody } from "../rows/people.ts";
import type { Things } from "../rows/things.ts";
import { everyone, type Persona, type Sender, senders, signedIn } from "./permissions.ts";

/** A state of a screen in the demo data. */
export type Screen = { name: string; path: string; as?: string };

/**
 * An address of `app/routes.ts`. Every test of all screens reads these rows, and `npm run missing` says what a row
 * lacks. The people come from the specification, not from the code.
 */
export type ScreenRow = {
  /** The people who can open it. */
  who: readonly Persona[];
  /** Its title, description and preview, if it is public. */
  page?: PublicPage;
  /** The states to look at in a browser. An address that starts with `?` belongs to the screen's own. */
  states?: States | ((demo: Demo) => States);
  /** An address that its loader or action answers, if it has no states and its path has an id. */
  at?: string | ((demo: Demo) => string);
  /** The thing behind the id in its address. */
  thing?: Thing;
  /** The names in its query that take a text. */
  queries?: string;
  /** Its forms cannot conflict with other people's changes, or it handles conflicts itself. */
  handlesConflicts?: true;
  /** Every reader is redirected, because it has only an action. */
  redirects?: true;
};

type States = [name: string, address?: string, as?: string][];

/** Kinds of things with ids. A message's number and a link's token are others. */
export type Kind =
  | "review"
  | "job"
  | "submission"
  | "company"
  | "order"
  | "person"
  | "file"
  | "tracked"
  | "draft"
  | "other";

type Facts = { things: Things; who: Everybody };

/** People outside `to` get no answer for any id, and those inside only for the ids that match. */
type Thing = { kind: Kind; to: readonly Sender[]; matches(id: string, facts: Facts): boolean };

const lastMonth = getMonthAway(parseMonth(null), -1).key;

const staff: Persona[] = ["admin"];
const reviewers: Persona[] = ["reviewer"];

const asha = "asha@example.com";
const ravi = "ravi@example.com";
const sonia = "sonia@example.com";
const meera = "meera@example.in";
const gita = "gita@example.in";
const devi = "devi@example.in";
const leena = "leena@example.com";
const claimant = crowd[8]!.email;
const pressOwner = crowd[7]!.email;
const job: Thing = {
  kind: "job",
  to: senders,
  matches: (id, { things }) => id === things.jobs.published,
};
const ownTracked: Thing = {
  kind: "tracked",
  to: ["owner"],
  matches: (id, { things }) => id === things.trackedJob,
};
/** A token shows one thing. The thing's id opens nothing. */
const token: Thing = { kind: "other", to: [], matches: () => false };
const order = (...to: Sender[]): Thing => ({
  kind: "order",
  to,
  matches: (id, { things }) => id === things.order,
});
const review = (to: Sender, ...states: (keyof Things["reviews"])[]): Thing => ({
  kind: "review",
  to: [to],
  matches: (id, { things }) => states.some((state) => things.reviews[state] === id),
});
const submission = (to: Sender, ...states: (keyof Things["submissions"])[]): Thing => ({
  kind: "submission",
  to: [to],
  matches: (id, { things }) => states.some((state) => things.submissions[state] === id),
});
const draft = (to: Sender, ...states: (keyof Things["drafts"])[]): Thing => ({
  kind: "draft",
  to: [to],
  matches: (id, { things }) => states.some((state) => things.drafts[state] === id),
});
const assigned = review("reviewer", "unopened", "open", "completed");
const completed = review("admin", "completed");

const { reviewPrices } = readConfig({});

export const screens: Record<string, ScreenRow> = {
  "/": {
    who: everyone,
    page: buildHomePage(reviewPrices),
    states: [["home"], ["home-signed-in", "", asha]],
  },
  "/*": { who: everyone, handlesConflicts: true, states: [["not-found", "/nowhere"]] },
  "/demo/components": {
    who: everyone,
    queries: "page",
    states: [
      ["components"],
      ["components-dialog", "?dialog=form"],
      ["components-page-narrow", "?page=narrow"],
      ["components-page-text", "?page=text"],
      ["components-page-rail", "?page=rail"],
      ["components-list", "?page=staff-list"],
      ["components-list-empty", "?page=staff-list-empty"],
    ],
  },
  "/about": { who: everyone, page: aboutPage, states: [["about"]] },
  "/trust": { who: everyone, page: trustPage, states: [["trust"]] },
  "/accessibility": { who: everyone, page: accessibilityPage, states: [["accessibility"]] },
  "/contact": {
    who: everyone,
    page: support.newMessagePage,
    handlesConflicts: true,
    states: [["contact"]],
  },
  "/support/:token": {
    who: everyone,
    thing: token,
    states: ({ tickets }) => [
      ["support-open", tickets.open],
      ["support-answered", tickets.answered],
      ["support-shown", tickets.shown],
      ["support-closed", tickets.closed],
      ["support-none", "/support/none"],
    ],
  },
  "/profile/jobs": {
    who: signedIn,
    states: [
      ["tracker"],
      ["tracker-applied", "?state=applied"],
      ["tracker-state-none", "?state=offer", ravi],
      ["tracker-none", "", meera],
    ],
  },
  "/profile/jobs/:trackedId": {
    who: signedIn,
    thing: ownTracked,
    states: ({ tracked }) => [
      ["tracked-job", `/profile/jobs/${tracked.listed}`],
      ["tracked-job-own", `/profile/jobs/${tracked.own}`],
      ["tracked-job-none", "/profile/jobs/none"],
    ],
  },
  "/jobs/:jobId/save": {
    who: signedIn,
    thing: job,
    states: ({ jobs, tracked }) => [
      ["save-job", `/jobs/${jobs.latest}/save`, ravi],
      ["save-job-saved", `/jobs/${tracked.job}/save`],
    ],
  },
  "/jobs/:jobId/portal": {
    who: signedIn,
    // It redirects to another site, and shows nothing.
    thing: { ...job, to: [] },
    at: ({ tracked }) => `/jobs/${tracked.job}/portal`,
  },
  "/jobs/:jobId/message": {
    who: signedIn,
    thing: job,
    states: ({ jobs, tracked }) => [
      ["message", `/jobs/${tracked.job}/message`],
      ["message-new", `/jobs/${jobs.latest}/message`, ravi],
    ],
  },
  "/jobs/:jobId/message/link": {
    who: signedIn,
    thing: job,
    at: ({ tracked }) => `/jobs/${tracked.job}/message/link`,
  },
  "/profile/messages": {
    who: signedIn,
    states: [["own-messages"], ["own-messages-none", "", meera]],
  },
  "/faq": { who: everyone, page: support.faqPage, states: [["faq"]] },
  "/privacy": { who: everyone, page: support.privacyPage, states: [["privacy"]] },
  "/privacy/notice": {
    who: everyone,
    page: noticePage,
    queries: "lang",
    states: [["privacy-notice"], ["privacy-notice-hindi", "/privacy/notice?lang=hi"]],
  },
  "/terms": { who: everyone, page: support.termsPage, states: [["terms"]] },
  "/refund": { who: everyone, page: support.refundPage, states: [["refund"]] },
  "/subscription": {
    who: signedIn,
    states: [
      ["subscription", "", sonia],
      ["subscription-none", "", ravi],
    ],
  },
  "/login": {
    who: ["visitor"],
    page: signInPage,
    queries: "next",
    handlesConflicts: true,
    states: [["login"]],
  },
  "/signup": { who: ["visitor"], page: signUpPage, handlesConflicts: true, states: [["signup"]] },
  "/forgot-password": { who: everyone, handlesConflicts: true, states: [["forgot-password"]] },
  "/reset-password": {
    who: everyone,
    queries: "type=recovery&token_hash",
    handlesConflicts: true,
    states: [["reset-password-refused", "?token_hash=none&type=recovery"]],
  },
  "/account-confirmation": {
    who: everyone,
    handlesConflicts: true,
    states: [["confirmation-refused", "?token_hash=none&type=signup"]],
  },
  "/jobs": {
    who: everyone,
    page: boardPage,
    queries: "search type after place skill experience pay task",
    states: [
      ["jobs"],
      ["jobs-signed-in", "?type=Internship", asha],
      ["jobs-none", "?search=zzzzzz"],
      ["jobs-similar", "?search=prodcut"],
      ["jobs-filtered", "?discipline=ux&mode=remote&pay=6&place=foo"],
    ],
  },
  "/jobs/:jobId": {
    who: everyone,
    thing: job,
    handlesConflicts: true,
    states: ({ jobs, reported }) => [
      ["job", `/jobs/${jobs.latest}`],
      ["job-signed-in", `/jobs/${jobs.latest}`, ravi],
      ["job-remote", `/jobs/${jobs.remote}`],
      ["job-without-details", `/jobs/${jobs.withoutDetails}`],
      ["job-archived", `/jobs/${jobs.archived}`],
      ["job-reported", `/jobs/${reported.job}`],
    ],
  },
  "/jobs/alerts": {
    who: everyone,
    queries: "search place",
    states: [
      ["new-alert", "?discipline=ux&mode=remote&place=pune&search=figma"],
      ["new-alert-all", "?place=nowhere"],
      ["new-alert-excluding", "?type=Internship&experience=10"],
      ["new-alert-signed-in", "?discipline=ux", asha],
    ],
  },
  "/alerts/confirm/:token": {
    who: everyone,
    thing: token,
    states: ({ alerts }) => [
      ["alert-confirm", alerts.toConfirm("pending")],
      ["alert-confirmed", alerts.toConfirm("active")],
      ["alert-confirm-stopped", alerts.toConfirm("stopped")],
      ["alert-confirm-none", "/alerts/confirm/none"],
    ],
  },
  "/alerts/stop/:token": {
    who: everyone,
    thing: token,
    states: ({ alerts }) => [
      ["alert-stop", alerts.toStop("active", "stop")],
      ["alert-stop-all", alerts.toStop("active", "stop-all")],
      ["alert-stopped", alerts.toStop("stopped", "stop")],
      ["alert-stop-none", "/alerts/stop/none"],
    ],
  },
  "/profile/alerts": { who: signedIn, states: [["own-alerts"], ["own-alerts-none", "", meera]] },
  "/jobs/removed": { who: everyone, page: removedPage, states: [["jobs-removed"]] },
  "/jobs/:jobId/report": {
    who: everyone,
    thing: job,
    states: ({ reported }) => [
      ["job-report", `/jobs/${reported.job}/report`],
      ["job-report-signed-in", `/jobs/${reported.job}/report`, asha],
    ],
  },
  "/jobs/report/:token": {
    who: everyone,
    thing: token,
    states: ({ reported }) => [
      ["job-report-confirm", reported.toConfirm],
      ["job-report-confirmed", reported.confirmed],
      ["job-report-none", "/jobs/report/none"],
    ],
  },
  "/check/:token": {
    who: everyone,
    thing: token,
    states: ({ questions }) =>
      [...questions, "none"].map((state) => [
        `check-${state}`,
        `/check/${state === "none" ? "none" : `check-${state}`}`,
      ]),
  },
  "/companies": { who: everyone, page: companiesPage, queries: "after", states: [["companies"]] },
  "/companies/:slug": {
    who: everyone,
    thing: token,
    states: [
      ["company", "/companies/chaupal-health"],
      ["company-none", "/companies/none"],
    ],
  },
  "/post": { who: everyone, page: postPage, states: [["post"]] },
  "/post/company": { who: signedIn, states: [["company-form", "", ravi]] },
  "/post/company/:companyId/page": {
    who: signedIn,
    thing: {
      kind: "company",
      to: ["owner"],
      matches: (id, { things: { company, linked, pages } }) =>
        [
          company.id,
          linked.company,
          pages.unchanged,
          pages.waiting,
          pages.returned,
          pages.newWaiting,
        ].includes(id),
    },
    states: ({ companies }) => [
      ["own-page-waiting", `/post/company/${companies.chaupal}/page`, leena],
      ["own-page", `/post/company/${companies.kagaz}/page`, pressOwner],
    ],
  },
  "/post/confirm/:token": {
    who: signedIn,
    thing: token,
    states: ({ workEmail }) => [
      ["work-email", workEmail, ravi],
      ["work-email-none", "/post/confirm/none"],
    ],
  },
  "/post/team": {
    who: signedIn,
    states: [
      ["team", "", leena],
      ["team-none", "", ravi],
    ],
  },
  "/post/join/:token": {
    who: signedIn,
    thing: token,
    states: ({ invitation }) => [
      ["join", invitation, ravi],
      ["join-none", "/post/join/none"],
    ],
  },
  "/post/listings": {
    who: signedIn,
    queries: "after",
    states: [
      ["own-listings", "", leena],
      ["own-listings-claim", "", claimant],
      ["own-listings-none", "", ravi],
    ],
  },
  "/post/:submissionId": {
    who: signedIn,
    thing: submission("owner", "draft", "returned", "changeDraft", "changeReturned"),
    states: ({ submissions }) => [
      ["own-listing-draft", `/post/${submissions.draft}`, leena],
      ["own-listing-returned", `/post/${submissions.returned}`, leena],
    ],
  },
  "/post/:submissionId/preview": {
    who: signedIn,
    thing: submission(
      "owner",
      "draft",
      "waiting",
      "returned",
      "payable",
      "changeDraft",
      "changeWaiting",
      "changeReturned",
    ),
    states: ({ submissions }) => [
      ["own-listing-preview", `/post/${submissions.returned}/preview`, leena],
      ["own-listing-waiting", `/post/${submissions.waiting}/preview`, leena],
      ["own-listing-change", `/post/${submissions.change}/preview`, leena],
    ],
  },
  "/services": {
    who: everyone,
    page: buildServicesPage(reviewPrices),
    states: [["services"], ["services-signed-in", "", asha]],
  },
  "/services/example-review": {
    who: everyone,
    page: buildExampleReviewPage(reviewPrices),
    states: [["example-review"]],
  },
  "/services/example-review/second-look": {
    who: everyone,
    page: exampleSecondLookPage,
    states: [["example-second-look"]],
  },
  "/services/resume-check": {
    who: everyone,
    page: resumeCheckPage,
    handlesConflicts: true,
    states: [["resume-check"]],
  },
  "/services/resume-review": { who: signedIn, states: [["resume-review", "", ravi]] },
  "/services/portfolio-review": {
    who: signedIn,
    states: [
      ["portfolio-review", "", ravi],
      ["payment-step", "?step=payment", sonia],
      ["payment-step-brief", "?step=payment&brief=last", sonia],
      ["portfolio-look", "?step=portfolio", sonia],
    ],
  },
  "/services/combined-review": {
    who: signedIn,
    states: [
      ["combined-review", "", ravi],
      ["combined-review-resume", "?step=resume"],
      ["combined-review-portfolio", "?step=portfolio"],
      ["combined-review-payment", "?step=payment"],
    ],
  },
  "/services/resume-review/black-out": {
    who: signedIn,
    states: [["black-out-without-file", "", ravi]],
  },
  "/services/portfolio-review/black-out": {
    who: signedIn,
    states: [["black-out-link", "", sonia]],
  },
  "/services/combined-review/black-out": {
    who: signedIn,
    queries: "part",
    states: [["black-out"], ["black-out-portfolio", "?part=portfolio"]],
  },
  "/payment-failure": {
    who: everyone,
    states: ({ orders }) => [["payment-failed", `?txnId=${orders.failed}`]],
  },
  "/payment-success": {
    who: everyone,
    queries: "txnId",
    states: ({ orders }) => [
      ["payment-successful", `?txnId=${orders.paid}`],
      ["payment-own", `?txnId=${orders.own}`, asha],
    ],
  },
  "/profile": { who: signedIn, states: [["profile"], ["profile-empty", "", ravi]] },
  "/profile/payments": {
    who: signedIn,
    queries: "after refund",
    states: ({ orders }) => [
      ["payments"],
      ["payments-take-back", `?refund=${orders.own}`],
      ["payments-declined", "", sonia],
      ["payments-none", "", ravi],
    ],
  },
  "/profile/payments/:orderId": {
    who: signedIn,
    thing: order("owner", "admin"),
    states: ({ orders }) => [
      ["receipt", `/profile/payments/${orders.bought}`],
      ["invoice", `/profile/payments/${orders.invoiced}`],
      ["receipt-none", `/profile/payments/${orders.bought}`, ravi],
    ],
  },
  "/profile/sessions": { who: signedIn, states: [["profile-sessions"]] },
  "/profile/mails": {
    who: signedIn,
    handlesConflicts: true,
    states: [["profile-mails", "", meera]],
  },
  "/profile/data": {
    who: signedIn,
    states: [["profile-data"], ["profile-data-to-accept", "", personOfOldNotice.email]],
  },
  "/profile/details": { who: signedIn, states: [["profile-details"]] },
  "/new-address/:token": {
    who: everyone,
    thing: token,
    states: [["new-address-none", "/new-address/none"]],
  },
  "/earlier-address/:token": {
    who: everyone,
    thing: token,
    states: [["earlier-address-none", "/earlier-address/none"]],
  },
  "/profile/data/export": {
    who: signedIn,
    states: [["own-exports"], ["own-exports-none", "", ravi]],
  },
  "/profile/data/close": {
    who: signedIn,
    states: [["profile-data-close", "", meera], ["profile-data-close-first"]],
  },
  "/profile/second-factor": { who: signedIn, states: [["profile-second-factor"]] },
  "/profile/passkeys": { who: signedIn, states: [["profile-passkeys"]] },
  "/sign-in-again": {
    who: signedIn,
    handlesConflicts: true,
    states: [["sign-in-again", "?next=%2Fprofile"]],
  },
  "/service-review/:id?": {
    who: signedIn,
    queries: "id",
    thing: review("owner", "pending", "unopened", "open", "completed"),
    states: ({ results, reviews, followUps }) => [
      ["review-completed", `/service-review/${reviews.completed}`],
      ["review-second-look", `/service-review/${reviews.secondLook}`],
      ["review-without-remarks", `/service-review/${results.plain}`, readerOf],
      ["review-without-place", `/service-review/${results.placeless}`, readerOf],
      ["review-all-done", `/service-review/${results.done}`, readerOf],
      ["review-to-rate", `/service-review/${reviews.toRate}`, sonia],
      ["review-to-ask", followUps.askable, readerOf],
      ["review-waiting", `/service-review/${reviews.underReview}`],
      ["review-pending", `/service-review/${reviews.pending}`],
      ["review-refused", `/service-review/${reviews.completed}`, ravi],
    ],
  },
  "/service-review/:id/second-look": {
    who: signedIn,
    thing: review("owner", "completed"),
    states: ({ reviews }) => [
      ["second-look", `/service-review/${reviews.completed}/second-look`],
      ["second-look-payment", `/service-review/${reviews.toRate}/second-look?step=payment`, sonia],
    ],
  },
  "/service-review/:id/second-look/black-out": {
    who: signedIn,
    thing: review("owner", "completed"),
    states: ({ reviews }) => [
      ["second-look-black-out", `/service-review/${reviews.completed}/second-look/black-out`],
    ],
  },
  "/service-review/:id/question": {
    who: signedIn,
    queries: "about",
    thing: review("owner", "completed"),
    states: ({ followUps, reviews }) => [
      ["question", `${followUps.askable}/question?about=1`, readerOf],
      ["question-closed", `/service-review/${reviews.completed}/question`],
    ],
  },
  "/service-review/:id/comparison": {
    who: signedIn,
    thing: review("owner", "completed"),
    states: ({ results, reviews }) => [
      ["comparison", `/service-review/${reviews.secondLook}/comparison`],
      ["comparison-of-none", `/service-review/${results.plain}/comparison`, readerOf],
    ],
  },
  "/service-review/:id/share": {
    who: signedIn,
    thing: review("owner", "completed"),
    states: ({ results }) => [
      ["share", `/service-review/${results.plain}/share`, readerOf],
      ["share-open", `/service-review/${results.done}/share`, readerOf],
    ],
  },
  "/shared/:token": {
    who: everyone,
    thing: token,
    states: ({ shares }) => [
      ["shared", `/shared/${shares.marked}`],
      ["shared-without-remarks", `/shared/${shares.unmarked}`],
      ["shared-empty", `/shared/${shares.empty}`],
      ["shared-ended", "/shared/none"],
    ],
  },
  "/reviewer": {
    who: reviewers,
    queries: "tab sort",
    states: [
      ["reviewer"],
      ["reviewer-by-due-date", "?sort=due"],
      ["reviewer-completed", "?tab=completed"],
      ["reviewer-empty", "", "kabir@example.in"],
    ],
  },
  "/reviewer/earnings": {
    who: reviewers,
    queries: "month",
    states: [
      ["earnings"],
      ["earnings-last-month", `?month=${lastMonth}`],
      ["earnings-empty", "", workspaceReviewer],
    ],
  },
  "/reviewer/about-you": {
    who: reviewers,
    handlesConflicts: true,
    states: [["about-you"], ["about-you-empty", "", workspaceReviewer]],
  },
  "/reviewer/questions/:reviewId": {
    who: reviewers,
    thing: {
      kind: "review",
      to: ["reviewer"],
      matches: (id, { things }) =>
        [things.askedReviews.open, things.askedReviews.answered].includes(id),
    },
    states: ({ followUps }) => [
      ["reviewer-question", followUps.open, "kabir@example.in"],
      ["reviewer-question-answered", followUps.answered],
    ],
  },
  "/reviewer/submission/:reviewId?": {
    who: reviewers,
    thing: assigned,
    handlesConflicts: true,
    states: ({ reviews, work }) => [
      ["workspace", `/reviewer/submission/${reviews.underReview}`],
      ["workspace-marked", work.marked, workspaceReviewer],
      ["workspace-unmarked", work.unmarked, workspaceReviewer],
      ["workspace-coming", work.coming, workspaceReviewer],
      ["workspace-failed", work.failed, workspaceReviewer],
      ["workspace-reading", `${work.marked}?reading`, workspaceReviewer],
      ["workspace-completed", `/reviewer/submission/${reviews.done}`],
    ],
  },
  "/reviewer/submission/:reviewId/preview": {
    who: reviewers,
    thing: assigned,
    states: ({ work }) => [
      ["workspace-preview", `${work.marked}/preview`, workspaceReviewer],
      ["workspace-preview-empty", `${work.unmarked}/preview`, workspaceReviewer],
    ],
  },
  "/reviewer/submission/:reviewId/hand-back": {
    who: reviewers,
    thing: review("reviewer", "unopened", "open"),
    states: ({ work, reviews }) => [
      ["hand-back", `${work.marked}/hand-back`, workspaceReviewer],
      ["hand-back-none", `/reviewer/submission/${reviews.done}/hand-back`],
    ],
  },
  "/reviewer/drafts/:draftId": {
    who: reviewers,
    thing: draft("reviewer", "offered"),
    states: ({ drafts }) => [
      ["earlier-draft", `/reviewer/drafts/${drafts.offered}`, workspaceReviewer],
      ["earlier-draft-none", "/reviewer/drafts/none"],
    ],
  },
  "/admin/reviews/handed-back": { who: staff, states: [["admin-handed-back"]] },
  "/admin/reviews/handed-back/:draftId": {
    who: staff,
    thing: draft("admin", "offered", "hidden"),
    states: ({ drafts }) => [
      ["admin-handed-back-draft", `/admin/reviews/handed-back/${drafts.offered}`],
      ["admin-handed-back-empty", `/admin/reviews/handed-back/${drafts.empty}`],
    ],
  },
  "/admin/reviews": {
    who: staff,
    queries: "type after search",
    states: ({ reviews }) => [
      ["admin-reviews"],
      ["admin-set-priority", `?edit=${reviews.pending}`],
      ["admin-extend", `?extend=${reviews.pending}`],
    ],
  },
  "/admin/reviews/assigned": {
    who: staff,
    states: ({ reviews }) => [
      ["admin-by-due-date", "?sort=due.asc"],
      ["admin-assigned"],
      ["admin-reassign", `?reassign=${reviews.underReview}`],
      ["admin-assigned-none", "?reviewer=nobody"],
      ["admin-search-none", "?search=nobody%40nowhere.in&type=resume_review"],
    ],
  },
  "/admin/reviews/questions": { who: staff, states: [["admin-questions"]] },
  "/admin/reviews/completed": {
    who: staff,
    queries: "search",
    states: ({ reviews }) => [
      ["admin-search", "?search=asha"],
      ["admin-completed"],
      ["admin-edit-review", `?edit=${reviews.completed}`],
    ],
  },
  "/admin/reviews/:reviewId/remarks": {
    who: staff,
    thing: completed,
    handlesConflicts: true,
    states: ({ reviews }) => [
      ["admin-edit-remarks", `/admin/reviews/${reviews.completed}/remarks`],
    ],
  },
  "/admin/jobs/waiting": { who: staff, queries: "after", states: [["admin-waiting"]] },
  "/admin/jobs/waiting/:submissionId": {
    who: staff,
    thing: submission("admin", "waiting", "changeWaiting"),
    states: ({ submissions }) => [
      ["admin-waiting-listing", `/admin/jobs/waiting/${submissions.waiting}`],
      ["admin-waiting-first", `/admin/jobs/waiting/${submissions.first}`],
      ["admin-waiting-change", `/admin/jobs/waiting/${submissions.change}`],
    ],
  },
  "/admin/companies": { who: staff, queries: "after", states: [["admin-companies"]] },
  "/admin/companies/claims": { who: staff, queries: "after", states: [["admin-claims"]] },
  "/admin/companies/pages": { who: staff, queries: "after", states: [["admin-pages"]] },
  "/admin/companies/:companyId/listings": {
    who: staff,
    thing: {
      kind: "company",
      to: ["admin"],
      matches: (id, { things: { company, linked, pages } }) =>
        [company.id, linked.company, ...Object.values(pages)].includes(id) &&
        id !== pages.missing &&
        id !== pages.malformed,
    },
    queries: "after show",
    states: ({ companies }) => [
      ["admin-link-listings", `/admin/companies/${companies.chaupal}/listings`],
      ["admin-linked-listings", `/admin/companies/${companies.chaupal}/listings?show=linked`],
      ["admin-link-listings-new", `/admin/companies/${companies.kagaz}/listings`],
    ],
  },
  "/admin/jobs/reports": { who: staff, queries: "after", states: [["admin-reports"]] },
  "/admin/jobs/names": { who: staff, queries: "after", states: [["admin-names"]] },
  "/admin": { who: staff, states: [["admin-overview"]] },
  "/admin/search": {
    who: staff,
    states: [
      ["admin-found", "?search=asha"],
      ["admin-found-none", "?search=zzzzzz"],
    ],
  },
  "/admin/users": {
    who: staff,
    queries: "search",
    states: [["admin-users"], ["admin-users-none", "?search=zzzzzz"]],
  },
  "/admin/users/:userId/give-back": {
    who: staff,
    // The demo has no earlier address that asks for an account.
    thing: { kind: "person", to: ["admin"], matches: () => false },
    states: ({ people }) => [["give-back-none", `/admin/users/${people.asha}/give-back`]],
  },
  "/admin/users/:userId": {
    who: staff,
    thing: {
      kind: "person",
      to: ["admin"],
      matches: (id, { who }) => Object.values(who).some((one) => one.id === id),
    },
    states: ({ people }) => [
      ["admin-user", `/admin/users/${people.asha}`],
      ["admin-user-reviewer", `/admin/users/${people.meera}?revoke=reviewer`],
      ["admin-user-ban", `/admin/users/${people.asha}?ban`],
      ["admin-user-export", `/admin/users/${people.asha}?export`],
      ["admin-user-self", `/admin/users/${people.gita}`],
      ["admin-user-banned", `/admin/users/${people.banned}`],
    ],
  },
  "/admin/users/:userId/close": {
    who: staff,
    thing: {
      kind: "person",
      to: ["admin"],
      matches: (id, { who }) =>
        Object.entries(who).some(([name, one]) => one.id === id && name !== "gita"),
    },
    states: ({ people }) => [["admin-user-close", `/admin/users/${people.asha}/close`]],
  },
  "/admin/mail": {
    who: staff,
    queries: "state drop",
    states: ({ mail }) => [
      ["admin-mail"],
      ["admin-mail-given-up", "?state=given-up"],
      ["admin-mail-call-off", `?drop=${mail}`],
    ],
  },
  "/admin/messages": {
    who: staff,
    queries: "search",
    states: [
      ["admin-messages"],
      ["admin-messages-none", "?search=zzzzzz"],
      ["admin-messages-overdue", "?state=overdue"],
    ],
  },
  "/admin/messages/:ticket": {
    who: staff,
    thing: { ...token, to: ["admin"] },
    states: ({ messages }) => [
      ["admin-message", `/admin/messages/${messages.open}`],
      ["admin-message-answered", `/admin/messages/${messages.answered}`],
    ],
  },
  "/admin/payments": {
    who: staff,
    queries: "settle",
    states: ({ orders }) => [
      ["admin-payments"],
      ["admin-payments-settle", `?settle=${orders.unsettled}`],
    ],
  },
  "/admin/orders": {
    who: staff,
    queries: "search after",
    states: [["admin-orders"], ["admin-orders-none", "?search=zzzzzz"]],
  },
  "/admin/payouts": {
    who: staff,
    queries: "month",
    states: [["admin-payouts"], ["admin-payouts-open", `?month=${parseMonth(null).key}`]],
  },
  "/admin/payouts.csv": { who: staff, queries: "month" },
  "/admin/payouts/:reviewerId": {
    who: staff,
    queries: "month take-back",
    thing: { kind: "person", to: ["admin"], matches: (id, { who }) => id === who.meera.id },
    states: ({ people }) => [
      ["admin-payee", `/admin/payouts/${people.meera}`],
      ["admin-payee-to-pay", `/admin/payouts/${people.meera}?month=${lastMonth}`],
    ],
  },
  "/admin/orders/month": { who: staff, queries: "month", states: [["admin-orders-month"]] },
  "/admin/orders/month.csv": { who: staff, queries: "month" },
  "/admin/orders/:orderId": {
    who: staff,
    thing: order("admin"),
    states: ({ refunds }) => [
      ["admin-order", `/admin/orders/${refunds.settled}`],
      ["admin-order-to-decide", `/admin/orders/${refunds.asked}?decide=decline`],
      ["admin-order-refund", `/admin/orders/${refunds.failed}?refund`],
    ],
  },
  "/admin/product": { who: staff, states: [["admin-product"]] },
  "/admin/reviewers": { who: staff, states: [["admin-reviewers"]] },
  "/admin/settings": { who: staff, states: [["admin-settings"]] },
  "/admin/history": { who: staff, queries: "by id", states: [["admin-history"]] },
  "/admin/jobs": { who: staff, states: [["admin-jobs"]] },
  "/admin/jobs/details": { who: staff, states: [["admin-job-details"]] },
  "/admin/jobs/checks": { who: staff, states: [["admin-checks"]] },
  "/job-board/checks": { who: ["adder"], states: [["job-board-checks", "", devi]] },
  "/job-board": {
    who: ["subscriber", "adder"],
    states: ({ jobs }) => [
      ["job-board", "", devi],
      ["job-board-empty", "", sonia],
      ["job-board-new", "?new", devi],
      ["job-board-edit", `?edit=${jobs.ofAdder}`, devi],
    ],
  },

  // Answers without a screen of their own, or with the screen of another route.
  "/theme": { who: everyone, redirects: true },
  "/session": { who: everyone },
  "/login/second-step": { who: [], handlesConflicts: true, at: "/login/second-step" },
  "/login/passkey": { who: everyone, redirects: true },
  "/resend-confirmation": { who: everyone, handlesConflicts: true, at: "/resend-confirmation" },
  "/email-confirmation": {
    who: everyone,
    handlesConflicts: true,
    at: "/email-confirmation?token_hash=none",
  },
  "/reset-password/check": { who: everyone, redirects: true },
  "/logout": { who: everyone, redirects: true },
  "/services/target-jobs": { who: signedIn },
  "/profile/changes": { who: signedIn, redirects: true },
  "/profile/jobs/listings": { who: signedIn },
  "/profile/jobs.csv": { who: signedIn },
  "/profile/jobs/:trackedId/next-step.ics": {
    who: signedIn,
    thing: ownTracked,
    at: ({ tracked }) => `/profile/jobs/${tracked.listed}/next-step.ics`,
  },
  "/service-review/:id/remarks.csv": {
    who: signedIn,
    thing: review("owner", "completed"),
    at: ({ reviews }) => `/service-review/${reviews.completed}/remarks.csv`,
  },
  "/service-review/:id/remarks.json": {
    who: signedIn,
    thing: review("owner", "completed"),
    at: ({ reviews }) => `/service-review/${reviews.completed}/remarks.json`,
  },
  "/reviewer/submission/:reviewId/remarks": {
    who: reviewers,
    thing: assigned,
    at: ({ reviews }) => `/reviewer/submission/${reviews.underReview}/remarks`,
  },
  "/admin/search/results": { who: staff },
  "/admin/reviews/:reviewId/remarks/changes": {
    who: staff,
    thing: completed,
    at: ({ reviews }) => `/admin/reviews/${reviews.completed}/remarks/changes`,
  },
};

/** Every public page except job pages. */
export const publicPages = Object.values(screens).flatMap(({ page }) => page ?? []);

/** Every address in `app/routes.ts`, with the file of its screen or action below `app`. */
export const screenRoutes = [...routesOf(routes)];

export const screenPaths = screenRoutes.map(({ path }) => path);

function* routesOf(
  entries: RouteConfigEntry[],
  parent = "",
): Generator<{ path: string; file: string }> {
  for (const { path, file, index, children = [] } of entries) {
    const full = path ? `${parent}/${path}` : parent;
    const first = children.find((child) => child.index);
    if (path || (index && !parent)) yield { path: full || "/", file: first?.file ?? file };
    yield* routesOf(children, full);
  }
}

/** The demo person who opens a screen unless a state names another. */
export function getDemoPerson({ who }: ScreenRow): string | undefined {
  if (who.includes("visitor") || who.length === 0) return undefined;
  if (who.includes("customer")) return asha;
  return { reviewer: meera, admin: gita, adder: devi }[who.at(-1) as "reviewer"];
}

/** Lists every screen in the states of the demo data. */
export function listScreens(demo: Demo): Screen[] {
  return Object.entries(screens).flatMap(([route, row]) => {
    const states = typeof row.states === "function" ? row.states(demo) : (row.states ?? []);
    return states.map(([name, address = "", as = getDemoPerson(row)]) => ({
      name,
      path: address.startsWith("/") ? address : route + address,
      ...(as && { as }),
    }));
  });
}
