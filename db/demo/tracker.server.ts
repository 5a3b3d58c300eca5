import { and, eq, inArray } from "drizzle-orm";
import { chosenMails, profiles } from "../../app/accounts/tables.server.ts";
import { getClosingEnd } from "../../app/jobs/check-rules.ts";
import { findOpenJobs } from "../../app/jobs/find.server.ts";
import { toCompanyKey } from "../../app/jobs/replies/company-key.ts";
import { jobs } from "../../app/jobs/tables.server.ts";
import { createMail, type Sender } from "../../app/mail/deliver-mail.server.ts";
import { day, hour, second, toIsoDay } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { buildClosingMail } from "../../app/seekers/closing-mails/closing-mail.server.tsx";
import {
  listingPrefix,
  type ReplyAnswer,
  type TrackerState,
} from "../../app/seekers/tracker/rules.ts";
import {
  closingMails,
  replyAnswers,
  trackedEvents,
  trackedJobs,
} from "../../app/seekers/tracker/tables.server.ts";
import type { DemoIds } from "./reviews.server.ts";

type DemoTrackedJob = {
  title: string;
  /** The facts of a job from elsewhere. Those of a listing are copied. */
  elsewhere?: { company: string; place: string; url: string };
  /** Each of its states, with the days since then. The last one is the current state. */
  states: [state: TrackerState, daysAgo: number][];
  /** The days until the next step. */
  nextStepIn?: number;
  notes?: string;
  /** Her answer to whether the company replied, and its age in days. */
  reply?: [outcome: ReplyAnswer, daysAgo: number];
  /** Why she wants the job, for the message to its contact. */
  motivation?: string;
};

/** Asha's list, with a question about a company that hasn't answered: several states, an overdue step and one today, a closed listing, and jobs from elsewhere. */
const demoTrackedJobs: DemoTrackedJob[] = [
  {
    title: "Product Designer, Payments",
    states: [
      ["saved", 19],
      ["applied", 17],
      ["interviewing", 6],
    ],
    nextStepIn: 0,
    motivation:
      "I redesigned the refunds of a payment app, and want to do the same for shopkeepers.",
    notes:
      "Portfolio round with the design lead, 45 minutes, on video.\nShow the refund flow first, then the settings audit. Ask who writes the error messages.",
  },
  {
    title: "Senior Product Designer",
    states: [
      ["saved", 9],
      ["applied", 8],
    ],
    nextStepIn: -1,
    notes: "The recruiter said she would answer within a week. Write to her again.",
  },
  {
    title: "UX Designer, Maps",
    states: [
      ["saved", 24],
      ["applied", 22],
      ["interviewing", 13],
      ["offer", 2],
    ],
    reply: ["within", 8],
    nextStepIn: 4,
    notes: "Offer by email. Ask about the notice period and the hybrid days before the answer.",
  },
  {
    title: "Design Systems Designer",
    states: [["saved", 3]],
    nextStepIn: 6,
    notes: "Add the token migration to the portfolio before applying.",
  },
  { title: "Accessibility Designer", states: [["saved", 1]] },
  {
    title: "Senior Motion Designer",
    states: [
      ["saved", 40],
      ["applied", 38],
    ],
    notes: "Sent the titles reel.",
  },
  {
    title: "Product Designer, Onboarding",
    elsewhere: {
      company: "Patang Travel",
      place: "Goa, hybrid",
      url: "https://patang-travel.example/careers/product-designer-onboarding",
    },
    states: [["applied", 12]],
    notes: "Found through Farah, who worked there for two years.",
  },
  {
    title: "UX Designer",
    states: [
      ["saved", 33],
      ["applied", 31],
      ["rejected", 15],
    ],
    reply: ["later", 15],
    notes: "They looked for more research experience. Try again next year.",
  },
  {
    title: "Design Lead, Museum Apps",
    elsewhere: { company: "Chitrakatha Labs", place: "Mumbai", url: "" },
    states: [
      ["applied", 28],
      ["withdrawn", 20],
    ],
    notes: "A travelling role, which doesn't fit this year.",
  },
];

/** Loads Asha's list of jobs, and the link to her work. */
export async function loadDemoTracker(tx: Database, ids: DemoIds, moment: Date): Promise<void> {
  await tx
    .update(profiles)
    .set({ portfolioUrl: "https://asha-verma.example/work" })
    .where(eq(profiles.id, ids.get("asha")!));
  const titles = demoTrackedJobs.map(({ title }) => title);
  const listings = await tx.select().from(jobs).where(inArray(jobs.title, titles));
  for (const {
    title,
    elsewhere,
    states,
    reply,
    nextStepIn,
    notes,
    motivation,
  } of demoTrackedJobs) {
    const events = states.map(([state, daysAgo]) => ({
      state,
      at: new Date(moment.getTime() - daysAgo * day - 3 * hour),
    }));
    const applied = events.find(({ state }) => state === "applied");
    const facts = elsewhere ?? copyListing(listings.find((job) => job.title === title)!);
    const [row] = await tx
      .insert(trackedJobs)
      .values({
        ...facts,
        userId: ids.get("asha")!,
        title,
        state: events.at(-1)!.state,
        appliedOn: applied && toIsoDay(applied.at),
        nextStepOn:
          nextStepIn === undefined ? null : toIsoDay(new Date(moment.getTime() + nextStepIn * day)),
        notes,
        motivation,
        version: events.length - 1,
        createdAt: events[0]!.at,
        updatedAt: events.at(-1)!.at,
      })
      .returning({ id: trackedJobs.id });
    await tx
      .insert(trackedEvents)
      .values(events.map((event) => ({ ...event, trackedJobId: row!.id })));
    if (reply)
      await tx.insert(replyAnswers).values({
        userId: ids.get("asha")!,
        trackedJobId: row!.id,
        companyKey: toCompanyKey({ companyId: null, company: facts.company }),
        outcome: reply[0],
        at: new Date(moment.getTime() - reply[1] * day),
      });
  }
}

/** Loads Asha's choice to hear of saved jobs that close soon, and this morning's email about one. */
export async function loadDemoClosingMail(
  tx: Database,
  sender: Sender,
  ids: DemoIds,
  moment: Date,
): Promise<void> {
  const userId = ids.get("asha")!;
  const [row] = await tx
    .select({ jobId: trackedJobs.jobId })
    .from(trackedJobs)
    .where(and(eq(trackedJobs.userId, userId), eq(trackedJobs.title, "Accessibility Designer")));
  const jobId = row!.jobId!;
  const closesOn = toIsoDay(new Date(moment.getTime() + 3 * day));
  await tx
    .update(jobs)
    .set({ closesOn, liveUntil: getClosingEnd(closesOn) })
    .where(eq(jobs.id, jobId));
  await tx.insert(chosenMails).values({
    userId,
    kind: "saved-job-closes",
    choice: "at once",
    changedAt: new Date(moment.getTime() - 20 * day),
  });
  const sentAt = new Date(moment.getTime() - 3 * hour);
  await tx.insert(closingMails).values({ userId, jobId, at: sentAt });
  const [job] = await findOpenJobs(tx, [jobId]);
  const mail = buildClosingMail(sender, { id: userId, email: "asha@example.com" }, [job!]);
  await createMail(tx, mail, { createdAt: new Date(sentAt.getTime() - 2 * second), sentAt });
}

function copyListing({ id, company, location }: typeof jobs.$inferSelect) {
  return { jobId: id, company, place: location, url: listingPrefix + id };
}
