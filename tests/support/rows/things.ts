import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { archiveJob, createJob } from "../../../app/jobs/manage/job-commands.server.ts";
import { day, now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { setPriority } from "../../../app/review-staff/assign/set-priority.server.ts";
import { addBrief, type SentBrief } from "../../../app/reviews/brief/brief.server.ts";
import type { Brief } from "../../../app/reviews/brief.ts";
import { followUpQuestions } from "../../../app/annotations/follow-up/tables.server.ts";
import { reviewerPhrases } from "../../../app/annotations/tables.server.ts";
import { trackedJobs } from "../../../app/seekers/tracker/tables.server.ts";
import {
  reviewAssignments,
  reviewerProfiles,
  serviceReviews,
} from "../../../app/reviews/tables.server.ts";
import { spareAlert } from "./alerts.ts";
import { claim, companyPages, companyWithListings, linkedListing, teamOf } from "./companies.ts";
import { insertJob, jobFields } from "./jobs.ts";
import { remarkOn } from "./marked-reviews.ts";
import type { Everybody } from "./people.ts";
import { order } from "./refunds.ts";
import { jobReport, seenReports } from "./reports.ts";
import { application, replyAnswer, trackedJob } from "./tracked-jobs.ts";
import { handedBackDraft } from "./handed-back-drafts.ts";
import { assignedReview, completedReview, attachFiles, pendingReview } from "./review-states.ts";
import { shareOf } from "./reviews.ts";

export type Things = Awaited<ReturnType<typeof makeThings>>;

/** Creates one of each thing that can be changed: Asha's reviews, Meera's work, Devi's listings. */
export async function makeThings(db: Database, who: Everybody) {
  const dueAt = new Date(now().getTime() + 2 * day);
  const yesterday = new Date(now().getTime() - day);
  const unopened = await assignedReview(db, who.asha, who.meera, { status: "pending", dueAt });
  const open = await assignedReview(db, who.asha, who.meera, { dueAt });
  const completed = await completedReview(db, who.asha, who.meera, { dueAt });
  for (const id of [unopened, open, completed]) await addBrief(db, id, brief);
  await db
    .update(reviewAssignments)
    .set({ feePaise: 80_00 })
    .where(eq(reviewAssignments.reviewId, completed));
  const archivedJob = await createJob(db, who.devi, jobFields);
  const archivedAt = await archiveJob(db, who.devi, archivedJob);
  const published = await createJob(db, who.devi, jobFields);
  for (const id of [published, archivedJob]) await jobReport(db, id, { reporterId: who.ravi.id });
  const pending = await pendingReview(db, who.asha, { dueAt });
  const look = await openSecondLook(db, who);
  return {
    /** Meera's second look at another review of Asha's, and a review that is none. */
    looks: { open: look.id, none: open },
    /** On the earlier review of the second look. */
    lookRemark: look.remarkId,
    reviews: {
      pending,
      unopened,
      open,
      completed,
      missing: randomUUID() as string,
      malformed: "1' or '1'='1",
    },
    jobs: { published, archived: archivedJob, missing: randomUUID() as string, malformed: "none" },
    /** The time at which Devi archived her listing. */
    archivedAt: archivedAt!,
    /** The version of the report on the published listing. */
    seenReports: await seenReports(db, published),
    /** Devi's listing whose check is due. */
    dueJob: (
      await insertJob(db, { createdBy: who.devi.id, postedAt: yesterday, checkDueAt: yesterday })
    ).id,
    attachments: {
      [unopened]: await attachFiles(db, unopened),
      [open]: await attachFiles(db, open),
      [completed]: await attachFiles(db, completed),
    } as Record<string, Awaited<ReturnType<typeof attachFiles>> | undefined>,
    /** Asha's payment for the pending review, early enough for a refund. */
    order: await orderFor(db, who.asha, pending),
    /** The due date of every review. */
    dueAt,
    /** The time at which Gita set the priority of the unopened review. */
    prioritisedAt: (await setPriority(db, who.gita, { reviewId: unopened, priority: 1 }))!,
    /** On the open review, by an earlier reviewer. */
    remark: await remarkOn(db, open, who.kabir),
    /** On the completed review. */
    givenRemark: await remarkOn(db, completed, who.meera),
    /** Sonia's reviews, by the state of the question that Meera answers. */
    askedReviews: {
      open: await askedReview(db, who),
      draft: await askedReview(db, who, { askedAt: null, dueAt: null }),
      answered: await askedReview(db, who, { answer: "The first one.", answeredAt: now() }),
      missing: randomUUID() as string,
      malformed: "none",
    },
    /** Sonia's reviews that Kabir handed back and Meera has now, by who can see Kabir's draft. */
    ...(await handedBackReviews(db, who)),
    /** To the completed review. */
    share: await shareOf(db, completed),
    /** One profile is visible, the other hidden. */
    introduced: await introduce(db, who),
    /** In Asha's list. */
    trackedJob: await trackedJob(db, who.asha, {
      notes: "Asha's work needs one more page.",
      nextStepOn: "2026-12-01",
    }),
    /** In Asha's list too, by what she can answer about their companies. */
    applications: await applications(db, who.asha),
    /** A company of Asha's with listings in each state, and Ravi's claim on another one. */
    ...(await companyWithListings(db, who.asha)),
    /** Asha's companies, by the state of the changes of their pages. */
    ...(await companyPages(db, who.asha)),
    linked: await linkedListing(db, who.asha),
    claim: await claim(db, who.ravi),
    ...(await teamOf(db, who)),
    /** Asha's. */
    alert: await spareAlert(db, who.asha),
    /** Meera's. */
    phrase: await phrase(db, who.meera),
  };
}

async function applications(db: Database, asha: { id: string }) {
  // Her list has room for a thousand jobs, and some files make these things hundreds of times.
  await db
    .delete(trackedJobs)
    .where(and(eq(trackedJobs.userId, asha.id), isNotNull(trackedJobs.appliedOn)));
  const askedAgain = await application(db, asha, 40);
  const at = new Date(now().getTime() - 25 * day);
  await replyAnswer(db, asha, askedAgain, { at });
  return {
    saved: await application(db, asha, 20, { state: "saved" }),
    early: await application(db, asha, 5),
    due: await application(db, asha, 20),
    askedAgain,
    elsewhere: await application(db, asha, 20, { url: "" }),
    missing: randomUUID() as string,
    malformed: "none",
  };
}

/** A reviewer's introduction. */
export const introduction = { firstName: "Meera", field: "product design", about: "Fintech." };

/** The brief of each assigned review, without answers. */
export const brief: Brief = {
  role: "Product Designer",
  company: "Sample Studio",
  years: 4,
  questions: ["Are two pages too long?", "Which project comes first?"],
  wish: { field: "motion", language: "Tamil" },
};

/** A form for a brief without any text. */
export const emptyBrief: SentBrief = {
  targetRole: "",
  years: null,
  question1: "",
  question2: "",
  question3: "",
  wishedField: null,
  wishedLanguage: null,
};

/** Creates a completed review of Sonia's with a question, which is open unless the fields say otherwise. */
async function askedReview(
  db: Database,
  { sonia, meera }: Everybody,
  fields: Partial<typeof followUpQuestions.$inferInsert> = {},
): Promise<string> {
  const reviewId = await completedReview(db, sonia, meera);
  const dueAt = new Date(now().getTime() + 2 * day);
  const question = "Which of the two covers is stronger?";
  const asked = { askedAt: now(), dueAt, reviewerId: meera.id };
  await db.insert(followUpQuestions).values({ reviewId, question, ...asked, ...fields });
  return reviewId;
}

async function handedBackReviews(db: Database, { sonia, meera, kabir }: Everybody) {
  const handedBack = {
    offered: await assignedReview(db, sonia, meera),
    hidden: await assignedReview(db, sonia, meera),
    missing: randomUUID() as string,
    malformed: "none",
  };
  return {
    handedBack,
    drafts: {
      offered: await handedBackDraft(db, handedBack.offered, kabir),
      hidden: await handedBackDraft(db, handedBack.hidden, kabir, { reason: "knows_author" }),
      missing: randomUUID() as string,
      malformed: "none",
    },
  };
}

/** Creates a review with a remark, and Meera's open second look at it. */
async function openSecondLook(db: Database, { asha, meera }: Everybody) {
  const earlier = await completedReview(db, asha, meera);
  const remarkId = await remarkOn(db, earlier, meera);
  const id = await assignedReview(db, asha, meera);
  await db.update(serviceReviews).set({ secondLookOf: earlier }).where(eq(serviceReviews.id, id));
  return { id, remarkId };
}

async function orderFor(db: Database, buyer: { id: string }, reviewId: string): Promise<string> {
  const orderId = await order(db, buyer);
  await db.update(serviceReviews).set({ orderId }).where(eq(serviceReviews.id, reviewId));
  return orderId;
}

async function introduce(db: Database, { meera, kabir }: Everybody) {
  const fields = { ...introduction, updatedAt: now() };
  await db.delete(reviewerProfiles);
  await db.insert(reviewerProfiles).values([
    { ...fields, userId: meera.id },
    { ...fields, userId: kabir.id, firstName: "Kabir", hiddenAt: now() },
  ]);
  return { shown: meera.id, hidden: kabir.id };
}

async function phrase(db: Database, { id: userId }: { id: string }): Promise<string> {
  await db.delete(reviewerPhrases).where(eq(reviewerPhrases.userId, userId));
  const [row] = await db
    .insert(reviewerPhrases)
    .values({ userId, text: "Show the outcome.", createdAt: now() })
    .returning();
  return row!.id;
}

/** Tables that change with visits, not actions. */
const ignoredTables = ["rate_limits", "interrupted_forms"];

/** Hashes all rows of all tables, so that any change shows. */
export async function snapshot(db: Database): Promise<string> {
  const { rows } = await db.execute<{ words: string }>(sql`
    select string_agg(table_name || ' ' || query_to_xml(format(
      'select count(*), md5(string_agg(t::text, '','' order by t::text)) from %I t', table_name
    ), false, true, '')::text, E'\\n' order by table_name) as words
    from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ${ignoredTables}`);
  return rows[0]!.words;
}
