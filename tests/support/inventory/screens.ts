import { and, desc, eq, isNull } from "drizzle-orm";
import { hashToken } from "../../../app/accounts/session.server.ts";
import { users } from "../../../app/accounts/tables.server.ts";
import { isFoundElsewhere } from "../../../app/seekers/tracker/rules.ts";
import { trackedJobs } from "../../../app/seekers/tracker/tables.server.ts";
import { buildReportPath } from "../../../app/checks/report/send-report.server.tsx";
import { jobReports } from "../../../app/checks/tables.server.ts";
import { buildConfirmPath, buildStopPath } from "../../../app/seekers/alerts/alerts.server.ts";
import { alerts } from "../../../app/seekers/alerts/tables.server.ts";
import { hashContactAddress } from "../../../app/jobs/contact/contact-address.server.ts";
import { contactMentions, contactQuestions } from "../../../app/checks/question/tables.server.ts";
import { reviewShares } from "../../../app/annotations/share/tables.server.ts";
import { mails } from "../../../app/mail/tables.server.ts";
import { recordAuditEvents } from "../../../app/platform/audit.server.ts";
import { day, hour, now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { supportAnswers, supportMessages } from "../../../app/support/tables.server.ts";
import { buildTicketPath } from "../../../app/support/ticket-links.server.ts";
import { testConfig } from "../product/config.ts";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { refunds } from "../../../app/payments/refunds/tables.server.ts";
import { orders } from "../../../app/payments/tables.server.ts";
import { reviewAssignments, serviceReviews } from "../../../app/reviews/tables.server.ts";
import { reviewRemarks } from "../../../app/annotations/tables.server.ts";
import { changeDraft } from "../../../app/review-customer/buy/drafts.server.ts";
import { crowd, personOfOldNotice } from "../../../db/demo/people.ts";
import type { RunningProduct } from "../../journeys/support/product.ts";
import { remarkOn, withPages } from "../rows/marked-reviews.ts";
import { person } from "../rows/people.ts";
import { assignedReview } from "../rows/review-states.ts";

export type Screen = { name: string; path: string; as?: string };

/** Every screen of the product in the states of the demo data, and who sees it. */
export async function screensOf({ db }: RunningProduct): Promise<Screen[]> {
  const [asha] = await db.select().from(users).where(eq(users.email, "asha@example.com"));
  const own = await db.select().from(serviceReviews).where(eq(serviceReviews.userId, asha!.id));
  const bought = own.find(({ orderId }) => orderId !== null)!.orderId;
  const refundable = own.find(({ status }) => status === "pending")!.orderId;
  const inState = (status: string) => own.find((review) => review.status === status)!.id;
  const ownOrder = own.find(({ status }) => status === "pending")!.orderId!;
  const [job] = await db
    .select()
    .from(jobs)
    .where(eq(jobs.isArchived, false))
    .orderBy(desc(jobs.postedAt))
    .limit(1);
  const [archived] = await db.select().from(jobs).where(eq(jobs.isArchived, true)).limit(1);
  const [remote] = await db.select().from(jobs).where(eq(jobs.workMode, "remote")).limit(1);
  const [withoutDetails] = await db
    .select()
    .from(jobs)
    .where(and(isNull(jobs.discipline), eq(jobs.isArchived, false)))
    .limit(1);
  const [failed] = await db.select().from(orders).where(eq(orders.status, "failed")).limit(1);
  const [paid] = await db.select().from(orders).where(eq(orders.status, "success")).limit(1);
  const [meera] = await db.select().from(users).where(eq(users.email, "meera@example.in"));
  const [done] = await db
    .select()
    .from(reviewAssignments)
    .where(eq(reviewAssignments.reviewerId, meera!.id))
    .orderBy(desc(reviewAssignments.completedAt));
  const [gita] = await db.select().from(users).where(eq(users.email, "gita@example.in"));
  const { banned, mail, order, open, answered, closed } = await thingsForAdmins(db, asha!);
  const results = await resultsInStates(db);
  const reported = await reportedListings(db);
  const [toRate] = await db
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .where(eq(users.email, "sonia@example.com"));
  const gathered = await gatheredPortfolio(db);
  const tracked = await trackedJobsOf(db, asha!);
  const given = await db.select().from(refunds);
  const refundIn = (state: string) =>
    `/admin/orders/${given.find((refund) => refund.state === state)!.orderId}`;
  const customer = "asha@example.com";
  const newcomer = "ravi@example.com";
  const reviewer = "meera@example.in";
  const admin = "gita@example.in";
  return [
    { name: "home", path: "/" },
    { name: "home-signed-in", path: "/", as: customer },
    { name: "not-found", path: "/nowhere" },
    { name: "components", path: "/demo/components" },
    { name: "components-dialog", path: "/demo/components?dialog=form" },
    { name: "components-page-narrow", path: "/demo/components?page=narrow" },
    { name: "components-page-text", path: "/demo/components?page=text" },
    { name: "components-page-rail", path: "/demo/components?page=rail" },
    { name: "components-list", path: "/demo/components?page=staff-list" },
    { name: "components-list-empty", path: "/demo/components?page=staff-list-empty" },
    { name: "about", path: "/about" },
    { name: "contact", path: "/contact" },
    { name: "support-open", path: buildTicketPath(testConfig(), open, "mailed") },
    { name: "support-answered", path: buildTicketPath(testConfig(), answered, "mailed") },
    { name: "support-shown", path: buildTicketPath(testConfig(), answered, "shown") },
    { name: "support-closed", path: buildTicketPath(testConfig(), closed, "mailed") },
    { name: "support-none", path: "/support/none" },
    { name: "tracker", path: "/profile/jobs", as: customer },
    { name: "tracker-applied", path: "/profile/jobs?state=applied", as: customer },
    { name: "tracker-state-none", path: "/profile/jobs?state=offer", as: newcomer },
    { name: "tracker-none", path: "/profile/jobs", as: reviewer },
    { name: "tracked-job", path: `/profile/jobs/${tracked.listed}`, as: customer },
    { name: "tracked-job-own", path: `/profile/jobs/${tracked.own}`, as: customer },
    { name: "tracked-job-none", path: "/profile/jobs/none", as: customer },
    { name: "save-job", path: `/jobs/${job!.id}/save`, as: newcomer },
    { name: "save-job-saved", path: `/jobs/${tracked.job}/save`, as: customer },
    { name: "own-messages", path: "/profile/messages", as: customer },
    { name: "own-messages-none", path: "/profile/messages", as: reviewer },
    { name: "faq", path: "/faq" },
    { name: "privacy", path: "/privacy" },
    { name: "privacy-notice", path: "/privacy/notice" },
    { name: "terms", path: "/terms" },
    { name: "refund", path: "/refund" },
    { name: "subscription", path: "/subscription", as: "sonia@example.com" },
    { name: "subscription-none", path: "/subscription", as: newcomer },
    { name: "login", path: "/login" },
    { name: "signup", path: "/signup" },
    { name: "forgot-password", path: "/forgot-password" },
    { name: "reset-password-refused", path: "/reset-password?token_hash=none&type=recovery" },
    { name: "confirmation-refused", path: "/account-confirmation?token_hash=none&type=signup" },
    { name: "jobs", path: "/jobs" },
    { name: "jobs-signed-in", path: "/jobs?type=Internship", as: customer },
    { name: "jobs-none", path: "/jobs?search=zzzzzz" },
    { name: "atlas", path: "/jobs/map" },
    { name: "jobs-filtered", path: "/jobs?discipline=ux&mode=remote&pay=6&place=foo" },
    { name: "job", path: `/jobs/${job!.id}` },
    { name: "job-signed-in", path: `/jobs/${job!.id}`, as: newcomer },
    { name: "job-remote", path: `/jobs/${remote!.id}` },
    { name: "job-without-details", path: `/jobs/${withoutDetails!.id}` },
    { name: "job-archived", path: `/jobs/${archived!.id}` },
    { name: "new-alert", path: "/jobs/alerts?discipline=ux&mode=remote&place=pune&search=figma" },
    { name: "new-alert-all", path: "/jobs/alerts?place=nowhere" },
    { name: "new-alert-signed-in", path: "/jobs/alerts?discipline=ux", as: customer },
    ...(await alertLinks(db)),
    { name: "own-alerts", path: "/profile/alerts", as: customer },
    { name: "own-alerts-none", path: "/profile/alerts", as: reviewer },
    { name: "jobs-removed", path: "/jobs/removed" },
    { name: "job-reported", path: `/jobs/${reported.job}` },
    { name: "job-report", path: `/jobs/${reported.job}/report` },
    { name: "job-report-signed-in", path: `/jobs/${reported.job}/report`, as: customer },
    { name: "job-report-confirm", path: buildReportPath(testConfig(), reported.waiting) },
    { name: "job-report-confirmed", path: buildReportPath(testConfig(), reported.confirmed) },
    { name: "job-report-none", path: "/jobs/report/none" },
    ...(await questionsToContacts(db)),
    { name: "services", path: "/services" },
    { name: "example-review", path: "/services/example-review" },
    { name: "resume-check", path: "/services/resume-check" },
    { name: "services-signed-in", path: "/services", as: customer },
    { name: "resume-review", path: "/services/resume-review", as: newcomer },
    { name: "portfolio-review", path: "/services/portfolio-review", as: newcomer },
    { name: "combined-review", path: "/services/combined-review", as: newcomer },
    ...["resume", "portfolio", "payment"].map((step) => ({
      name: `combined-review-${step}`,
      path: `/services/combined-review?step=${step}`,
      as: customer,
    })),
    { name: "payment-step", path: gathered, as: "sonia@example.com" },
    { name: "payment-step-brief", path: `${gathered}&brief=last`, as: "sonia@example.com" },
    {
      name: "portfolio-look",
      path: gathered.replace("payment", "portfolio"),
      as: "sonia@example.com",
    },
    { name: "payment-failed", path: `/payment-failure?txnId=${failed!.orderId}` },
    { name: "payment-successful", path: `/payment-success?txnId=${paid!.orderId}` },
    { name: "payment-own", path: `/payment-success?txnId=${ownOrder}`, as: customer },
    { name: "profile", path: "/profile", as: customer },
    { name: "profile-empty", path: "/profile", as: newcomer },
    { name: "payments", path: "/profile/payments", as: customer },
    { name: "payments-take-back", path: `/profile/payments?refund=${refundable}`, as: customer },
    { name: "payments-declined", path: "/profile/payments", as: "sonia@example.com" },
    { name: "payments-none", path: "/profile/payments", as: newcomer },
    { name: "receipt", path: `/profile/payments/${bought}`, as: customer },
    { name: "receipt-none", path: `/profile/payments/${bought}`, as: newcomer },
    { name: "profile-sessions", path: "/profile/sessions", as: customer },
    { name: "profile-mails", path: "/profile/mails", as: reviewer },
    { name: "profile-data", path: "/profile/data", as: customer },
    { name: "profile-data-to-accept", path: "/profile/data", as: personOfOldNotice.email },
    { name: "profile-second-factor", path: "/profile/second-factor", as: customer },
    { name: "profile-passkeys", path: "/profile/passkeys", as: customer },
    { name: "sign-in-again", path: "/sign-in-again?next=%2Fprofile", as: customer },
    { name: "review-completed", path: `/service-review/${inState("completed")}`, as: customer },
    { name: "review-without-remarks", path: `/service-review/${results.plain}`, as: readerOf },
    { name: "review-without-place", path: `/service-review/${results.placeless}`, as: readerOf },
    { name: "review-all-done", path: `/service-review/${results.done}`, as: readerOf },
    { name: "review-to-rate", path: `/service-review/${toRate!.id}`, as: "sonia@example.com" },
    { name: "review-waiting", path: `/service-review/${inState("under_review")}`, as: customer },
    { name: "review-pending", path: `/service-review/${inState("pending")}`, as: customer },
    { name: "review-refused", path: `/service-review/${inState("completed")}`, as: newcomer },
    { name: "share", path: `/service-review/${results.plain}/share`, as: readerOf },
    { name: "share-open", path: `/service-review/${results.done}/share`, as: readerOf },
    { name: "shared", path: `/shared/${shareToken}` },
    { name: "shared-without-remarks", path: `/shared/${unmarkedShareToken}` },
    { name: "shared-empty", path: `/shared/${emptyShareToken}` },
    { name: "shared-ended", path: "/shared/none" },
    { name: "reviewer", path: "/reviewer", as: reviewer },
    { name: "reviewer-by-due-date", path: "/reviewer?sort=due", as: reviewer },
    { name: "reviewer-completed", path: "/reviewer?tab=completed", as: reviewer },
    { name: "about-you", path: "/reviewer/about-you", as: reviewer },
    { name: "about-you-empty", path: "/reviewer/about-you", as: workspaceReviewer },
    { name: "reviewer-empty", path: "/reviewer", as: "kabir@example.in" },
    { name: "workspace", path: `/reviewer/submission/${inState("under_review")}`, as: reviewer },
    ...(await workspaces(db)),
    { name: "workspace-completed", path: `/reviewer/submission/${done!.reviewId}`, as: reviewer },
    { name: "admin-reviews", path: "/admin/reviews", as: admin },
    { name: "admin-by-due-date", path: "/admin/reviews/assigned?sort=due.asc", as: admin },
    { name: "admin-assigned", path: "/admin/reviews/assigned", as: admin },
    {
      name: "admin-set-priority",
      path: `/admin/reviews?edit=${inState("pending")}`,
      as: admin,
    },
    {
      name: "admin-extend",
      path: `/admin/reviews?extend=${inState("pending")}`,
      as: admin,
    },
    {
      name: "admin-reassign",
      path: `/admin/reviews/assigned?reassign=${inState("under_review")}`,
      as: admin,
    },
    {
      name: "admin-assigned-none",
      path: "/admin/reviews/assigned?reviewer=nobody",
      as: admin,
    },
    { name: "admin-search", path: "/admin/reviews/completed?search=asha", as: admin },
    {
      name: "admin-search-none",
      path: "/admin/reviews/assigned?search=nobody%40nowhere.in&type=resume_review",
      as: admin,
    },
    { name: "admin-completed", path: "/admin/reviews/completed", as: admin },
    {
      name: "admin-edit-review",
      path: `/admin/reviews/completed?edit=${inState("completed")}`,
      as: admin,
    },
    {
      name: "admin-edit-remarks",
      path: `/admin/reviews/${inState("completed")}/remarks`,
      as: admin,
    },
    { name: "admin-reports", path: "/admin/jobs/reports", as: admin },
    { name: "admin-names", path: "/admin/jobs/names", as: admin },
    { name: "admin-overview", path: "/admin", as: admin },
    { name: "admin-search", path: "/admin/search?search=asha", as: admin },
    { name: "admin-search-none", path: "/admin/search?search=zzzzzz", as: admin },
    { name: "admin-users", path: "/admin/users", as: admin },
    { name: "admin-users-none", path: "/admin/users?search=zzzzzz", as: admin },
    { name: "admin-user", path: `/admin/users/${asha!.id}`, as: admin },
    { name: "admin-user-reviewer", path: `/admin/users/${meera!.id}?revoke=reviewer`, as: admin },
    { name: "admin-user-ban", path: `/admin/users/${asha!.id}?ban`, as: admin },
    { name: "admin-user-self", path: `/admin/users/${gita!.id}`, as: admin },
    { name: "admin-user-banned", path: `/admin/users/${banned}`, as: admin },
    { name: "admin-mail", path: "/admin/mail", as: admin },
    { name: "admin-mail-given-up", path: "/admin/mail?state=given-up", as: admin },
    { name: "admin-mail-call-off", path: `/admin/mail?drop=${mail}`, as: admin },
    { name: "admin-messages", path: "/admin/messages", as: admin },
    { name: "admin-messages-none", path: "/admin/messages?search=zzzzzz", as: admin },
    { name: "admin-message", path: `/admin/messages/${open}`, as: admin },
    { name: "admin-messages-overdue", path: "/admin/messages?state=overdue", as: admin },
    { name: "admin-message-answered", path: `/admin/messages/${answered}`, as: admin },
    { name: "admin-payments", path: "/admin/payments", as: admin },
    { name: "admin-payments-settle", path: `/admin/payments?settle=${order}`, as: admin },
    { name: "admin-orders", path: "/admin/orders", as: admin },
    { name: "admin-orders-none", path: "/admin/orders?search=zzzzzz", as: admin },
    { name: "admin-order", path: refundIn("settled"), as: admin },
    { name: "admin-order-to-decide", path: `${refundIn("asked")}?decide=decline`, as: admin },
    { name: "admin-order-refund", path: `${refundIn("failed")}?refund`, as: admin },
    { name: "admin-product", path: "/admin/product", as: admin },
    { name: "admin-reviewers", path: "/admin/reviewers", as: admin },
    { name: "admin-settings", path: "/admin/settings", as: admin },
    { name: "admin-history", path: "/admin/history", as: admin },
    { name: "admin-jobs", path: "/admin/jobs", as: admin },
    { name: "admin-job-details", path: "/admin/jobs/details", as: admin },
    { name: "admin-checks", path: "/admin/jobs/checks", as: admin },
    { name: "job-board-checks", path: "/job-board/checks", as: "devi@example.in" },
    { name: "job-board", path: "/job-board", as: "devi@example.in" },
    { name: "job-board-empty", path: "/job-board", as: "sonia@example.com" },
    { name: "job-board-new", path: "/job-board?new", as: "devi@example.in" },
    { name: "job-board-edit", path: `/job-board?edit=${job!.id}`, as: "devi@example.in" },
  ];
}

/** A demo person who has bought nothing. */
const readerOf = crowd[30]!.email;

/** The tokens of the shares below. */
const shareToken = "token-of-the-shared-review-screen";
const unmarkedShareToken = "token-of-the-shared-review-without-remarks";
const emptyShareToken = "token-of-the-empty-shared-review";

/** Creates completed reviews in states that the demo data lacks, unless they exist. */
async function resultsInStates(db: Database) {
  const ids = {
    plain: "5c9e1d0e-0000-4000-8000-000000000002",
    placeless: "5c9e1d0e-0000-4000-8000-000000000003",
    done: "5c9e1d0e-0000-4000-8000-000000000004",
    unmarked: "5c9e1d0e-0000-4000-8000-000000000005",
  };
  const [reader] = await db.select().from(users).where(eq(users.email, readerOf));
  const at = now();
  const completed = {
    userId: reader!.id,
    serviceType: "portfolio_review" as const,
    status: "completed" as const,
    portfolioUrl: "https://portfolio.example.com/work",
    createdAt: at,
  };
  const resumeFilePath = `${reader!.id}/1737000000000.pdf`;
  const made = await db
    .insert(serviceReviews)
    .values([
      {
        ...completed,
        id: ids.plain,
        serviceType: "combined_review",
        resumeFilePath,
        reviewerFeedback: "Lead with the case study.",
      },
      { ...completed, id: ids.placeless, reviewerFeedback: "Say what was yours." },
      { ...completed, id: ids.done, reviewerFeedback: null },
      { ...completed, id: ids.unmarked, reviewerFeedback: "Show one project in depth." },
    ])
    .onConflictDoNothing()
    .returning({ id: serviceReviews.id });
  if (made.length > 0) await withPages(db, ids.plain);
  const written = { authorId: null, createdAt: at, updatedAt: at };
  await db
    .insert(reviewRemarks)
    .values([
      {
        ...written,
        id: ids.placeless,
        reviewId: ids.placeless,
        severity: "must",
        criterion: "own_part",
        text: "Who are “we”? Name your own part in the first paragraph.",
        quote: "We redesigned it from scratch.",
      },
      {
        ...written,
        id: ids.done,
        reviewId: ids.done,
        part: "portfolio",
        page: 1,
        severity: "should",
        text: "The last page has no address.",
        suggestion: "asha@example.com",
        doneAt: at,
      },
    ])
    .onConflictDoNothing();
  // A copied page without pictures.
  const page = { part: "portfolio" as const, number: 1, width: 960, height: 540 };
  const pages = [{ ...page, bands: [{ top: 0, height: 1 }] }];
  const share = { hidden: [], withFeedback: false, pages, createdAt: at };
  const expiresAt = new Date(at.getTime() + 30 * day);
  await db
    .insert(reviewShares)
    .values([
      { ...share, reviewId: ids.done, tokenHash: hashToken(shareToken), expiresAt },
      {
        ...share,
        reviewId: ids.unmarked,
        tokenHash: hashToken(unmarkedShareToken),
        withFeedback: true,
        expiresAt,
      },
      {
        ...share,
        reviewId: ids.placeless,
        tokenHash: hashToken(emptyShareToken),
        pages: [],
        expiresAt,
      },
    ])
    .onConflictDoNothing();
  return ids;
}

/** Creates a listing that is shown as reported, with visitors' reports, and one that was removed. */
async function reportedListings(db: Database) {
  const ids = {
    job: "5c9e1d0e-0000-4000-8000-000000000002",
    removed: "5c9e1d0e-0000-4000-8000-000000000003",
    waiting: "5c9e1d0e-0000-4000-8000-000000000004",
    confirmed: "5c9e1d0e-0000-4000-8000-000000000005",
    decision: "5c9e1d0e-0000-4000-8000-000000000006",
  };
  const at = now();
  const listing = {
    company: "Sample Studio",
    location: "Pune",
    jobType: "Full-time" as const,
    description: "Draws letters for signs.",
    postedAt: new Date(at.getTime() - 80 * day),
  };
  await db
    .insert(jobs)
    .values([
      { ...listing, id: ids.job, title: "Sign Painter", reportedAt: at },
      {
        ...listing,
        id: ids.removed,
        title: "Data Typist",
        isArchived: true,
        archivedReason: "reported",
      },
    ])
    .onConflictDoNothing();
  await db
    .insert(contactMentions)
    .values({
      id: "5c9e1d0e-0000-4000-8000-000000000007",
      kind: "listing",
      subjectId: ids.removed,
      jobId: ids.removed,
      field: "description",
      person: { email: "lata@sample.example", names: ["letters"], phones: [] },
      wasArchived: true,
      archivedReason: "reported",
      foundAt: at,
    })
    .onConflictDoNothing();
  const report = { jobId: ids.job, network: "hash", createdAt: at };
  await db
    .insert(jobReports)
    .values([
      { ...report, id: ids.waiting, email: "a.screens@example.com", reason: "closed" },
      {
        ...report,
        id: ids.confirmed,
        email: "b.screens@example.com",
        reason: "money",
        text: "After the interview they wanted ₹2,000 for a laptop.\nI have their message.",
        confirmedAt: at,
      },
      {
        ...report,
        id: ids.decision,
        jobId: ids.removed,
        email: "c.screens@example.com",
        reason: "fake",
        confirmedAt: at,
        state: "archived",
        decisionId: ids.decision,
        decisionReason: "The company doesn't know this job.",
        decidedAt: at,
      },
    ])
    .onConflictDoNothing();
  return ids;
}

/** Creates visitors' alerts in each state, unless they exist. */
async function alertLinks(db: Database): Promise<Screen[]> {
  const at = now();
  const ids = { pending: 20, active: 21, another: 22, stopped: 23 };
  const idOf = (state: keyof typeof ids) => `5c9e1d0e-0000-4000-8000-0000000000${ids[state]}`;
  const query = "discipline=ux&discipline=ui&mode=remote&place=pune&search=design+systems";
  const alert = { frequency: "daily" as const, createdAt: at, sentUntil: at };
  await db
    .insert(alerts)
    .values([
      { ...alert, id: idOf("pending"), email: "a.screens@example.com", query, state: "pending" },
      { ...alert, id: idOf("active"), email: "b.screens@example.com", query, state: "active" },
      { ...alert, id: idOf("another"), email: "b.screens@example.com", query: "", state: "active" },
      {
        ...alert,
        id: idOf("stopped"),
        email: "c.screens@example.com",
        query,
        state: "stopped",
        stoppedAt: at,
      },
    ])
    .onConflictDoNothing();
  const config = testConfig();
  return [
    { name: "alert-confirm", path: buildConfirmPath(config, idOf("pending")) },
    { name: "alert-confirmed", path: buildConfirmPath(config, idOf("active")) },
    { name: "alert-confirm-stopped", path: buildConfirmPath(config, idOf("stopped")) },
    { name: "alert-confirm-none", path: "/alerts/confirm/none" },
    { name: "alert-stop", path: buildStopPath(config, idOf("active"), "stop") },
    { name: "alert-stop-all", path: buildStopPath(config, idOf("active"), "stop-all") },
    { name: "alert-stopped", path: buildStopPath(config, idOf("stopped"), "stop") },
    { name: "alert-stop-none", path: "/alerts/stop/none" },
  ];
}

/** Creates listings whose contacts were asked, in each state of the question, unless they exist. */
async function questionsToContacts(db: Database): Promise<Screen[]> {
  const at = now();
  const email = "lalita.screens@example.com";
  const states = {
    waiting: {},
    answered: { answer: "open", answeredAt: at },
    removed: { answer: "withdrawn", answeredAt: at, email: null },
    closed: {},
    replaced: { email: "former.screens@example.com" },
    old: { askedAt: new Date(at.getTime() - 22 * day) },
  } as const;
  const questions = Object.entries(states).map(([state, fields], index) => ({
    email,
    emailHash: hashContactAddress(testConfig(), email),
    askedAt: at,
    ...fields,
    jobId: `5c9e1d0e-0000-4000-8000-0000000001${index}0`,
    tokenHash: hashToken(`check-${state}`),
    dueAt: at,
  }));
  await db
    .insert(jobs)
    .values(
      questions.map(({ jobId: id }, index) => ({
        id,
        title: "Letter Carver",
        company: "Sample Stone Works",
        location: "Jaipur",
        jobType: "Full-time" as const,
        description: "Carves letters in stone.",
        pocName: "Lalita Screens",
        pocContact: `${email} / +91 98765 43210`,
        checkEmail: index === 0 ? email : null,
        postedAt: new Date(at.getTime() - 80 * day),
        isArchived: index === 3,
      })),
    )
    .onConflictDoNothing();
  await db.insert(contactQuestions).values(questions).onConflictDoNothing();
  return [
    ...Object.keys(states).map((state) => ({
      name: `check-${state}`,
      path: `/check/check-${state}`,
    })),
    { name: "check-none", path: "/check/none" },
  ];
}

const workspaceReviewer = "nila.screens@example.in";

/** Creates a reviewer's reviews with pages in each state, unless they exist. */
async function workspaces(db: Database): Promise<Screen[]> {
  const known = await db.select().from(users).where(eq(users.email, workspaceReviewer));
  const nila = known[0] ?? (await person(db, "Nila Screens", { roles: ["reviewer"] }));
  if (known.length === 0)
    await db.update(users).set({ email: workspaceReviewer }).where(eq(users.id, nila.id));
  const states = {
    marked: async (id: string) => {
      await withPages(db, id);
      const area = { x: 0.1, y: 0.2, width: 0.6, height: 0.02 };
      await remarkOn(db, id, nila, { ...area, quote: "the clinic app", criterion: "impact" });
      await remarkOn(db, id, nila, { page: 2, severity: "keep", text: "A calm page." });
    },
    unmarked: (id: string) => withPages(db, id),
    coming: (id: string) => withPages(db, id, { state: "rendering", pages: 1 }),
    failed: (id: string) => withPages(db, id, { state: "failed", pages: 0 }),
  };
  if (known.length === 0) {
    for (const make of Object.values(states)) {
      const customer = await person(db, "Chitra Screens");
      await make(await assignedReview(db, customer, nila));
    }
  }
  const own = await db
    .select({ reviewId: reviewAssignments.reviewId })
    .from(reviewAssignments)
    .where(eq(reviewAssignments.reviewerId, nila.id))
    .orderBy(reviewAssignments.assignedAt);
  const path = (index: number) => `/reviewer/submission/${own[index]!.reviewId}`;
  return [
    ...Object.keys(states).map((state, index) => ({
      name: `workspace-${state}`,
      path: path(index),
      as: workspaceReviewer,
    })),
    { name: "workspace-preview", path: `${path(0)}/preview`, as: workspaceReviewer },
    { name: "workspace-preview-empty", path: `${path(1)}/preview`, as: workspaceReviewer },
    { name: "workspace-reading", path: `${path(0)}?reading`, as: workspaceReviewer },
  ];
}

/** Adds a draft of Sonia's second review. @returns the path of its payment step */
async function gatheredPortfolio(db: Database): Promise<string> {
  const [sonia] = await db.select().from(users).where(eq(users.email, "sonia@example.com"));
  const portfolioUrl = "https://www.behance.net/sonia-example";
  await changeDraft(db, sonia!.id, "portfolio_review", { portfolioUrl });
  return "/services/portfolio-review?step=payment";
}

/** Creates the subjects of admin screens with fixed ids, unless they exist. */
async function thingsForAdmins(db: Database, asha: { id: string; email: string }) {
  const at = now();
  const tickets = {
    open: "T-2222-3333",
    answered: "T-4444-5555",
    spam: "T-6666-7777",
    closed: "T-8888-9999",
  };
  const written = {
    name: "Asha Verma",
    email: asha.email,
    senderId: asha.id,
    message: "My portfolio review says completed, but I find no file in it.\n\nWhere is it?",
    createdAt: at,
  };
  await db
    .insert(supportMessages)
    .values([
      { ...written, ticket: tickets.open, subject: "No file in my review" },
      {
        ...written,
        ticket: tickets.answered,
        subject: "Which formats?",
        state: "answered",
        acknowledgedAt: at,
      },
      { ...written, ticket: tickets.spam, subject: "Buy followers now", isSuspected: true },
      {
        ...written,
        ticket: tickets.closed,
        subject: "A review for two",
        state: "closed",
        acknowledgedAt: at,
        settledAt: at,
      },
    ])
    .onConflictDoNothing();
  const [message] = await db
    .select()
    .from(supportMessages)
    .where(eq(supportMessages.ticket, tickets.answered));
  const isOwn = eq(supportAnswers.messageId, message!.id);
  if ((await db.$count(supportAnswers, isOwn)) === 0)
    await db.insert(supportAnswers).values({
      messageId: message!.id,
      at,
      authorName: "Gita Menon",
      answer: "PDF and Word, up to 10 MB.\nSend us the file if it is refused.",
    });
  const text = { html: "", text: "", createdAt: at };
  const lastError = "550 5.1.1 (address): Recipient address rejected: User unknown";
  await db
    .insert(mails)
    .values([
      {
        ...text,
        cause: "recovery:screens",
        recipient: "no.such.person@example.com",
        subject: "Create a new password for Naksha",
        attempts: 1,
        lastError,
        givenUpAt: at,
      },
      {
        ...text,
        cause: "confirm:screens",
        recipient: "slow.server@example.com",
        subject: "Confirm your email address",
        attempts: 4,
        lastError: "451 4.3.0 Try again later",
        createdAt: new Date(at.getTime() - hour),
      },
    ])
    .onConflictDoNothing();
  const [mail] = await db.select().from(mails).where(eq(mails.cause, "recovery:screens"));
  const order = "TXN_1763740800000_screens";
  const startedOrder = { amount: "199.00", purpose: {}, checkoutFields: {}, createdAt: at };
  await db
    .insert(orders)
    .values([
      { ...startedOrder, orderId: order, status: "pending", buyerId: asha.id },
      { ...startedOrder, orderId: `${order}2`, status: "success", reasonToResolve: "no account" },
    ])
    .onConflictDoNothing();
  const banned = "5c9e1d0e-0000-4000-8000-000000000001";
  const bannedUntil = new Date(at.getTime() + 30 * day);
  const account = { id: banned, name: "Bala Rao", email: "bala.screens@example.com" };
  const confirmed = { emailVerified: true, createdAt: at, updatedAt: at, bannedUntil };
  const made = await db
    .insert(users)
    .values({ ...account, ...confirmed })
    .onConflictDoNothing()
    .returning();
  if (made.length > 0)
    await recordAuditEvents(db, [
      {
        actor: "operator",
        event: "user.ban",
        subject: { type: "user", id: banned },
        after: { bannedUntil, reason: "Published the same job forty times." },
      },
    ]);
  return { ...tickets, mail: mail!.id, order, banned };
}

/** Finds a person's job from the board, its listing, and a job that was found elsewhere. */
async function trackedJobsOf(db: Database, { id: userId }: { id: string }) {
  const rows = await db.select().from(trackedJobs).where(eq(trackedJobs.userId, userId));
  const listed = rows.find(({ jobId, state }) => jobId !== null && state === "interviewing")!;
  return { listed: listed.id, job: listed.jobId!, own: rows.find(isFoundElsewhere)!.id };
}
