import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { and, eq, ne } from "drizzle-orm";
import { saveLogo } from "../../app/companies/logo/logos.server.ts";
import { getPageVersion } from "../../app/companies/page/company-page.server.ts";
import {
  companies,
  companyChanges,
  companyInvitations,
  companyMembers,
} from "../../app/companies/tables.server.ts";
import { findCompanyJob, getBaseVersion } from "../../app/jobs/manage/company-changes.server.ts";
import { toWrittenFields } from "../../app/jobs/manage/job-commands.server.ts";
import { toJobValues } from "../../app/jobs/manage/job-fields.server.ts";
import { blankJob } from "../../app/jobs/manage/rules.ts";
import { jobDays, jobs } from "../../app/jobs/tables.server.ts";
import { day, hour, minute, toIsoDay } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { toTypedFields } from "../../app/posting/listing-form.server.ts";
import type { DraftFields } from "../../app/posting/rules.ts";
import { jobSources, jobSubmissions } from "../../app/posting/tables.server.ts";
import type { DemoIds } from "./reviews.server.ts";

const { company: _company, ...blankFields } = blankJob;

/** The text of a listing that a demo company wrote. */
function listing(title: string, fields: Partial<DraftFields>): Partial<DraftFields> {
  const typed = {
    title,
    location: "Pune",
    description: "You design the screens with which health workers find the next visit.",
    largeDescription:
      "You work with two engineers and a doctor. Each month you spend two days with health workers, and test what you drew.",
    pocName: "Leena Joseph",
    pocContact: "leena@example.in",
    ...fields,
  };
  const stated = Object.entries({ ...blankFields, ...typed }).filter(([, text]) => text !== "");
  return Object.fromEntries(stated);
}

/** Loads an approved company with a logo, members and listings in every state, a new company, and a claim. */
export async function loadDemoCompanies(
  tx: Database,
  folder: string,
  ids: DemoIds,
  moment: Date,
): Promise<void> {
  const ago = (time: number) => new Date(moment.getTime() - time);
  const [chaupal, kagaz] = await tx
    .insert(companies)
    .values([
      {
        slug: "chaupal-health",
        name: "Chaupal Health",
        website: "https://example.in",
        domain: "example.in",
        about:
          "We make the app with which forty thousand village health workers plan their day.\nSix designers work with doctors, engineers and the people who use what they draw.",
        state: "approved",
        createdAt: ago(60 * day),
        confirmedAt: ago(60 * day),
        decidedBy: ids.get("gita")!,
        decidedAt: ago(59 * day),
      },
      {
        slug: "kagaz-katha",
        name: "Kagaz Katha",
        website: "https://example.org",
        domain: "example.org",
        about: "A small press for picture books in four languages.",
        createdAt: ago(2 * day),
        confirmedAt: ago(2 * day),
      },
    ])
    .returning({ id: companies.id });
  const member = (companyId: string, key: string, workEmail: string, age: number) => ({
    companyId,
    userId: ids.get(key)!,
    workEmail,
    askedAt: ago(age),
    confirmedAt: ago(age),
  });
  await tx.insert(companyMembers).values([
    {
      ...member(chaupal!.id, "leena", "leena@example.in", 60 * day),
      role: "owner",
      approvedAt: ago(60 * day),
    },
    {
      ...member(kagaz!.id, "customer7", "press@example.org", 2 * day),
      role: "owner",
      approvedAt: ago(2 * day),
    },
    {
      ...member(chaupal!.id, "customer9", "research@example.in", 30 * day),
      role: "member",
      approvedAt: ago(30 * day),
    },
    { ...member(chaupal!.id, "customer8", "design@example.in", 5 * hour), role: "member" },
  ]);
  await tx.insert(companyInvitations).values({
    companyId: chaupal!.id,
    workEmail: "content@example.in",
    invitedBy: ids.get("leena")!,
    invitedAt: ago(day),
  });
  await loadImportedListings(tx, chaupal!.id, ago(5 * hour));
  const published = await tx
    .update(jobs)
    .set({ companyId: chaupal!.id })
    // The illustrations wait for an admin who links them.
    .where(and(eq(jobs.company, "Chaupal Health"), ne(jobs.jobType, "Part-time")))
    .returning({ id: jobs.id, title: jobs.title, postedAt: jobs.postedAt });
  await tx
    .insert(jobDays)
    .values(published.flatMap(({ id }, index) => listDemoDays(id, index, ago)));
  await tx.insert(jobSubmissions).values([
    ...published.map(({ id, title, postedAt }) => ({
      companyId: chaupal!.id,
      jobId: id,
      ...(title === "UX Researcher"
        ? { source: "link" as const }
        : { submittedBy: ids.get("leena")!, sentAt: postedAt }),
      fields: {},
      state: "live" as const,
      createdAt: postedAt,
      updatedAt: postedAt,
      decidedBy: ids.get("gita")!,
      decidedAt: postedAt,
    })),
    ...listDemoSubmissions(moment).map(({ age, from, ...submission }) => ({
      companyId: from === "leena" ? chaupal!.id : kagaz!.id,
      submittedBy: ids.get(from)!,
      createdAt: ago(age),
      updatedAt: ago(age),
      ...(submission.state === "waiting" && { sentAt: ago(age) }),
      ...(submission.state === "returned" && {
        sentAt: ago(age + day),
        decidedBy: ids.get("gita")!,
        decidedAt: ago(age),
      }),
      ...submission,
    })),
  ]);
  const sender = { companyId: chaupal!.id, submittedBy: ids.get("leena")! };
  await loadDemoChange(tx, sender, moment);
  await loadDemoPage(tx, folder, sender, ago(90 * minute));
}

/** Loads the logo of a company, and a change of its page with another one that waits for an admin. */
async function loadDemoPage(
  tx: Database,
  folder: string,
  sender: { companyId: string; submittedBy: string },
  sentAt: Date,
): Promise<void> {
  const saveFile = async (name: string) =>
    saveLogo(tx, sender.companyId, await readFile(join(folder, name)));
  const [page] = await tx
    .update(companies)
    .set({ logoHash: await saveFile("chaupal-health.webp") })
    .where(eq(companies.id, sender.companyId))
    .returning();
  const { name, website, about } = page!;
  await tx.insert(companyChanges).values({
    ...sender,
    baseVersion: getPageVersion(page!),
    name,
    website,
    about: about
      .replace("forty thousand", "sixty thousand")
      .concat(" Two of us are in Jaipur, the others in Pune."),
    logoHash: await saveFile("chaupal-health-new.webp"),
    sentAt,
  });
}

/** Loads a change of a published listing that waits for an admin. */
async function loadDemoChange(
  tx: Database,
  from: { companyId: string; submittedBy: string },
  moment: Date,
): Promise<void> {
  const [published] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.companyId, from.companyId), eq(jobs.title, "UX Researcher")));
  const job = (await findCompanyJob(tx, published!.id))!;
  const sentAt = new Date(moment.getTime() - 2 * hour);
  await tx.insert(jobSubmissions).values({
    ...from,
    jobId: job.id,
    baseVersion: getBaseVersion(job),
    fields: {
      ...toTypedFields(toJobValues(toWrittenFields(job))),
      compensation: "₹20–26 LPA",
      payMin: "20 lakh",
      payMax: "26 lakh",
      description: job.description.replace("one more language", "Telugu or Marathi"),
      pocName: "Leena Joseph",
      pocContact: "leena@example.in",
    },
    state: "waiting",
    createdAt: sentAt,
    updatedAt: sentAt,
    sentAt,
  });
}

/** The figures of a listing in the last 18 days: fewer on some days than on others. */
function listDemoDays(jobId: string, index: number, ago: (time: number) => Date) {
  return Array.from({ length: 18 }, (_, age) => {
    const views = 9 + ((age * 7 + index * 5) % 23);
    return {
      jobId,
      day: toIsoDay(ago(age * day)),
      views,
      portal: Math.floor(views / 9),
      contact: Math.floor(views / 3),
      saves: Math.floor(views / 6),
    };
  });
}

/** Loads listings that wait after an import from a careers page. */
async function loadImportedListings(tx: Database, companyId: string, at: Date): Promise<void> {
  const careers = "https://careers.example.com/chaupal-health";
  const imported = ["Service Designer, Clinics", "Visual Designer, Patient Guides"].map(
    (title, place) => ({ title, url: `${careers}/demo-${place + 1}` }),
  );
  for (const { title, url } of imported) {
    const {
      pocName: _name,
      pocContact: _contact,
      ...fields
    } = listing(title, {
      workMode: "hybrid",
      places: "Pune",
      portalApplicationLink: url,
    });
    const [submission] = await tx
      .insert(jobSubmissions)
      .values({
        companyId,
        source: "import",
        fields,
        state: "waiting",
        createdAt: at,
        updatedAt: at,
        sentAt: at,
      })
      .returning({ id: jobSubmissions.id });
    await tx.insert(jobSources).values({
      companyId,
      provider: "lever",
      board: "chaupal-health-example",
      externalId: url,
      url,
      hash: "",
      submissionId: submission!.id,
      seenAt: at,
    });
  }
}

function listDemoSubmissions(moment: Date) {
  return [
    {
      from: "leena",
      age: 3 * hour,
      state: "waiting" as const,
      fields: listing("Content Designer, Health Workers", {
        closesOn: toIsoDay(new Date(moment.getTime() + 30 * day)),
        discipline: "content",
        workMode: "hybrid",
        places: "Pune",
      }),
    },
    {
      from: "leena",
      age: day,
      state: "returned" as const,
      reason: "Please say what you pay, or that you decide it with each person.",
      fields: listing("Interaction Designer", { compensation: "As per standards" }),
    },
    {
      from: "leena",
      age: 2 * day,
      state: "draft" as const,
      fields: { title: "Design Researcher", location: "Pune" },
    },
    {
      from: "customer7",
      age: 30 * hour,
      state: "waiting" as const,
      fields: listing("Picture Book Illustrator", {
        location: "Kolkata",
        jobType: "Part-time",
        description: "You draw one picture book of 32 pages with an author and an editor.",
        largeDescription:
          "Half of the books are in Bengali or Hindi. You keep your originals, and there is no registration fee.",
        pocName: "The press",
        pocContact: "WhatsApp +91 98765 43211",
      }),
    },
  ];
}
