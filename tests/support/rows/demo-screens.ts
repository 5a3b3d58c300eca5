import { and, asc, desc, eq, isNotNull, isNull, type SQL } from "drizzle-orm";
import { hashToken } from "../../../app/accounts/session.server.ts";
import { users } from "../../../app/accounts/tables.server.ts";
import { isFoundElsewhere } from "../../../app/seekers/tracker/rules.ts";
import { buildWorkEmailPath } from "../../../app/companies/membership/request-membership.server.tsx";
import {
  companies,
  companyInvitations,
  companyMembers,
} from "../../../app/companies/tables.server.ts";
import { buildJoinPath } from "../../../app/companies/team/change-team.server.tsx";
import { dataExports } from "../../../app/own-data/export/tables.server.ts";
import type { OwnPath } from "../../../app/platform/own-path.ts";
import { jobSubmissions } from "../../../app/posting/tables.server.ts";
import { trackedJobs } from "../../../app/seekers/tracker/tables.server.ts";
import { buildReportPath } from "../../../app/checks/report/send-report.server.tsx";
import { jobReports } from "../../../app/checks/tables.server.ts";
import { buildConfirmPath, buildStopPath } from "../../../app/seekers/alerts/alerts.server.ts";
import { alerts } from "../../../app/seekers/alerts/tables.server.ts";
import { hashContactAddress } from "../../../app/jobs/contact/contact-address.server.ts";
import { contactMentions, contactQuestions } from "../../../app/checks/question/tables.server.ts";
import { followUpQuestions } from "../../../app/annotations/follow-up/tables.server.ts";
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
import { invoices, orders } from "../../../app/payments/tables.server.ts";
import { orderRow } from "../payments/payments.ts";
import { invoicedOrder, settledRefund } from "./invoices.ts";
import {
  handedBackDrafts,
  reviewAssignments,
  serviceReviews,
} from "../../../app/reviews/tables.server.ts";
import { reviewRemarks } from "../../../app/annotations/tables.server.ts";
import { changeDraft } from "../../../app/review-customer/buy/drafts.server.ts";
import { readerOf, workspaceReviewer } from "./screen-people.ts";
import { remarkOn, withPages } from "./marked-reviews.ts";
import { person } from "./people.ts";
import { draftRemark, handedBackDraft } from "./handed-back-drafts.ts";
import { assignedReview } from "./review-states.ts";
import { services } from "../../../app/reviews/rules.ts";

export type Demo = Awaited<ReturnType<typeof makeDemo>>;

/** Finds the things that screens show in the demo data, and creates those it lacks, unless they exist. */
export async function makeDemo(db: Database) {
  const idsOf = async (email: string) => {
    const [user] = await db.select().from(users).where(eq(users.email, email));
    return user!;
  };
  const asha = await idsOf("asha@example.com");
  const meera = await idsOf("meera@example.in");
  const gita = await idsOf("gita@example.in");
  const sonia = await idsOf("sonia@example.com");
  const reviewsOf = (userId: string) =>
    db.select().from(serviceReviews).where(eq(serviceReviews.userId, userId));
  const own = await reviewsOf(asha.id);
  const inState = (status: string) =>
    own.find((review) => review.status === status && review.secondLookOf === null)!;
  const [done] = await db
    .select()
    .from(reviewAssignments)
    .where(eq(reviewAssignments.reviewerId, meera.id))
    .orderBy(desc(reviewAssignments.completedAt));
  const orderIn = async (status: "failed" | "success") => {
    const [found] = await db.select().from(orders).where(eq(orders.status, status)).limit(1);
    return found!.orderId;
  };
  const given = await db.select().from(refunds);
  const refundIn = (state: string) => given.find((refund) => refund.state === state)!.orderId;
  const things = await thingsForAdmins(db, asha);
  await gatherPortfolio(db);
  await exportsInStates(db, asha);
  const [toRate] = await reviewsOf(sonia.id);
  const linkTo = (ticket: string, kind: "mailed" | "shown" = "mailed") =>
    buildTicketPath(testConfig(), ticket, kind);
  return {
    people: { asha: asha.id, meera: meera.id, gita: gita.id, banned: things.banned },
    reviews: {
      pending: inState("pending").id,
      underReview: inState("under_review").id,
      completed: inState("completed").id,
      secondLook: own.find(({ secondLookOf }) => secondLookOf !== null)!.id,
      done: done!.reviewId,
      toRate: toRate!.id,
    },
    orders: {
      failed: await orderIn("failed"),
      paid: await orderIn("success"),
      own: inState("pending").orderId!,
      bought: own.find(({ orderId }) => orderId !== null)!.orderId!,
      unsettled: things.order,
      invoiced: await refundedInvoice(db, asha),
    },
    refunds: { settled: refundIn("settled"), asked: refundIn("asked"), failed: refundIn("failed") },
    jobs: await listingsToShow(db, await idsOf("devi@example.in")),
    tracked: await trackedJobsOf(db, asha),
    results: await resultsInStates(db),
    followUps: await followUpsToShow(db, meera),
    reported: await reportedListings(db),
    companies: await companiesToShow(db),
    submissions: await listingsOfCompanies(db),
    workEmail: await workEmailLink(db),
    invitation: await invitationLink(db),
    alerts: await alertLinks(db),
    questions: await questionsToContacts(db),
    work: await workspaces(db),
    drafts: await draftsToShow(db, meera),
    shares,
    mail: things.mail,
    messages: { open: things.open, answered: things.answered },
    tickets: {
      open: linkTo(things.open),
      answered: linkTo(things.answered),
      shown: linkTo(things.answered, "shown"),
      closed: linkTo(things.closed),
    },
  };
}

async function listingsToShow(db: Database, adder: { id: string }) {
  const idOf = async (...conditions: SQL[]) => {
    const [found] = await db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(...conditions))
      .orderBy(desc(jobs.postedAt))
      .limit(1);
    return found!.id;
  };
  return {
    latest: await idOf(eq(jobs.isArchived, false)),
    ofAdder: await idOf(eq(jobs.isArchived, false), eq(jobs.createdBy, adder.id)),
    archived: await idOf(eq(jobs.isArchived, true)),
    remote: await idOf(eq(jobs.workMode, "remote")),
    withoutDetails: await idOf(isNull(jobs.discipline), eq(jobs.isArchived, false)),
  };
}

/** Creates an order with an invoice and a credit note, unless there is one. */
async function refundedInvoice(db: Database, buyer: { id: string }): Promise<string> {
  const [found] = await db.select({ orderId: invoices.orderId }).from(invoices).limit(1);
  if (found) return found.orderId;
  const company = { state: "Karnataka", gstin: "29ABCDE1234F1ZW" };
  const orderId = await invoicedOrder(db, buyer, company);
  await settledRefund(db, await orderRow(db, orderId));
  return orderId;
}

/** Creates exports in the states that last, unless they exist. */
async function exportsInStates(db: Database, { id: userId }: { id: string }) {
  if ((await db.$count(dataExports, eq(dataExports.userId, userId))) > 0) return;
  const ago = (days: number) => new Date(now().getTime() - days * day);
  const file = { size: 13_002_342, startedBy: "person", userId } as const;
  await db.insert(dataExports).values([
    { ...file, state: "ready", requestedAt: ago(2), readyAt: ago(2), expiresAt: ago(-5) },
    { ...file, state: "failed", requestedAt: ago(3), size: null },
    { ...file, state: "expired", requestedAt: ago(9), readyAt: ago(9), expiresAt: ago(2) },
  ]);
}

/** The tokens of the shares below. */
const shares = {
  marked: "token-of-the-shared-review-screen",
  unmarked: "token-of-the-shared-review-without-remarks",
  empty: "token-of-the-empty-shared-review",
};

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
      { ...share, reviewId: ids.done, tokenHash: hashToken(shares.marked), expiresAt },
      {
        ...share,
        reviewId: ids.unmarked,
        tokenHash: hashToken(shares.unmarked),
        withFeedback: true,
        expiresAt,
      },
      {
        ...share,
        reviewId: ids.placeless,
        tokenHash: hashToken(shares.empty),
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
  return {
    job: ids.job,
    toConfirm: buildReportPath(testConfig(), ids.waiting),
    confirmed: buildReportPath(testConfig(), ids.confirmed),
  };
}

/** Finds the demo's questions after reviews, and creates a review that can be asked about, unless it exists. */
async function followUpsToShow(db: Database, reviewer: { id: string }) {
  const questions = await db
    .select()
    .from(followUpQuestions)
    .where(isNotNull(followUpQuestions.askedAt));
  const toPath = (isAnswered: boolean): OwnPath => {
    const found = questions.find(({ answeredAt }) => (answeredAt !== null) === isAnswered);
    return `/reviewer/questions/${found!.reviewId}`;
  };
  const id = "5c9e1d0e-0000-4000-8000-000000000006";
  const [reader] = await db.select().from(users).where(eq(users.email, readerOf));
  const at = now();
  const made = await db
    .insert(serviceReviews)
    .values({
      id,
      userId: reader!.id,
      serviceType: "resume_review",
      status: "completed",
      resumeFilePath: `${reader!.id}/1737000000009.pdf`,
      reviewerFeedback: "Lead with the case study.",
      createdAt: at,
    })
    .onConflictDoNothing()
    .returning({ id: serviceReviews.id });
  if (made.length > 0) {
    await withPages(db, id);
    await remarkOn(db, id, reviewer);
    await db
      .insert(reviewAssignments)
      .values({ reviewId: id, reviewerId: reviewer.id, assignedAt: at, completedAt: at });
  }
  return {
    open: toPath(false),
    answered: toPath(true),
    askable: `/service-review/${id}`,
  };
}

/** Finds the demo companies' listings in each state. */
async function companiesToShow(db: Database) {
  const all = await db.select({ id: companies.id, slug: companies.slug }).from(companies);
  const idOf = (slug: string) => all.find((one) => one.slug === slug)!.id;
  return { chaupal: idOf("chaupal-health"), kagaz: idOf("kagaz-katha") };
}

async function listingsOfCompanies(db: Database) {
  const idOf = async (state: "draft" | "waiting" | "returned", order: SQL) => {
    const [found] = await db
      .select({ id: jobSubmissions.id })
      .from(jobSubmissions)
      .where(and(eq(jobSubmissions.state, state), isNull(jobSubmissions.baseVersion)))
      .orderBy(order)
      .limit(1);
    return found!.id;
  };
  const [change] = await db
    .select({ id: jobSubmissions.id })
    .from(jobSubmissions)
    .where(and(eq(jobSubmissions.state, "waiting"), isNotNull(jobSubmissions.baseVersion)));
  const latest = desc(jobSubmissions.updatedAt);
  return {
    draft: await idOf("draft", latest),
    returned: await idOf("returned", latest),
    waiting: await idOf("waiting", latest),
    /** A new company's first. */
    first: await idOf("waiting", asc(jobSubmissions.updatedAt)),
    /** A change of a published listing. */
    change: change!.id,
  };
}

/** Finds the link in the email of the demo company's invitation. */
async function invitationLink(db: Database): Promise<OwnPath> {
  const [invitation] = await db.select().from(companyInvitations);
  return buildJoinPath(testConfig(), invitation!.id);
}

/** Creates a customer's request to post for a company, unless it exists. @returns the link in the work email */
async function workEmailLink(db: Database): Promise<OwnPath> {
  const ids = {
    company: "5c9e1d0e-0000-4000-8000-000000000030",
    request: "5c9e1d0e-0000-4000-8000-000000000031",
  };
  const [ravi] = await db.select().from(users).where(eq(users.email, "ravi@example.com"));
  const at = now();
  await db
    .insert(companies)
    .values({
      id: ids.company,
      slug: "sample-signs",
      name: "Sample Signs",
      website: "https://signs.example",
      domain: "signs.example",
      createdAt: at,
    })
    .onConflictDoNothing();
  await db
    .insert(companyMembers)
    .values({
      id: ids.request,
      companyId: ids.company,
      userId: ravi!.id,
      role: "owner",
      workEmail: "ravi@signs.example",
      askedAt: at,
    })
    .onConflictDoNothing();
  return buildWorkEmailPath(testConfig(), ids.request);
}

/** Creates visitors' alerts in each state, unless they exist. */
async function alertLinks(db: Database) {
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
  type State = keyof typeof ids;
  return {
    toConfirm: (state: State) => buildConfirmPath(testConfig(), idOf(state)),
    toStop: (state: State, link: "stop" | "stop-all") =>
      buildStopPath(testConfig(), idOf(state), link),
  };
}

/** Creates listings whose contacts were asked, in each state of the question, unless they exist. */
async function questionsToContacts(db: Database): Promise<string[]> {
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
  return Object.keys(states);
}

/** Creates a reviewer's reviews with pages in each state, unless they exist. */
async function workspaces(db: Database) {
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
  const paths = own.map(({ reviewId }) => `/reviewer/submission/${reviewId}`);
  const [marked, unmarked, coming, failed] = paths as [string, string, string, string];
  return { marked, unmarked, coming, failed };
}

/** Creates drafts that Meera handed back, of the first reviews in `workspaces`, unless they exist. */
async function draftsToShow(db: Database, meera: { id: string }) {
  const known = await db
    .select({ id: handedBackDrafts.id })
    .from(handedBackDrafts)
    .where(eq(handedBackDrafts.note, draftNote))
    .orderBy(handedBackDrafts.handedBackAt);
  if (known.length === 2) return { offered: known[0]!.id, empty: known[1]!.id };
  const [{ marked, unmarked }, handedBackAt] = [await workspaces(db), now()];
  const [markedId, unmarkedId] = [marked, unmarked].map((path) => path.split("/").at(-1)!);
  const area = { part: "resume" as const, page: 1, x: 0.1, y: 0.2, width: 0.6, height: 0.02 };
  return {
    offered: await handedBackDraft(db, markedId!, meera, {
      note: draftNote,
      handedBackAt,
      content: { remarks: [{ ...draftRemark, ...area }] },
    }),
    empty: await handedBackDraft(db, unmarkedId!, meera, {
      note: draftNote,
      reason: "outside_field",
      handedBackAt: new Date(handedBackAt.getTime() + 1),
      content: { feedback: "", remarks: [], scores: [] },
    }),
  };
}

const draftNote = "I'm in bed with a fever, and it's due tomorrow.";

/** Adds drafts of Sonia's second review, and of a second look at her first one. */
async function gatherPortfolio(db: Database): Promise<void> {
  const [sonia] = await db.select().from(users).where(eq(users.email, "sonia@example.com"));
  const portfolioUrl = "https://www.behance.net/sonia-example";
  await changeDraft(db, sonia!.id, services.portfolio_review, { portfolioUrl });
  const [own] = await db
    .select({ type: serviceReviews.serviceType, secondLookOf: serviceReviews.id })
    .from(serviceReviews)
    .where(and(eq(serviceReviews.userId, sonia!.id), eq(serviceReviews.status, "completed")));
  await changeDraft(db, sonia!.id, own!, { portfolioUrl });
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
