import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { companies } from "../../companies/tables.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { describeCheck, explainClosed } from "../check-rules.ts";
import type { JobDetails } from "../details.ts";
import { selectLastCheckKind } from "../due-checks.server.ts";
import { isOpen, listed, namesContact } from "../find.server.ts";
import { withJobTexts } from "../job-facts.server.ts";
import { toCompanyKey } from "../replies/company-key.ts";
import type { JobContacts, JobTexts, PublicJob } from "../rules.ts";
import { jobs } from "../tables.server.ts";

type FullJob = PublicJob &
  JobTexts & { largeDescription: string | null; postedAt: Date; isReported: boolean };

/** The result of finding a job. For a visitor, the contacts are not read from the database. */
type FoundJob =
  | {
      state: "open";
      job: FullJob;
      compensation: string | null;
      details: JobDetails;
      /** When and how the job was last checked, as a sentence. */
      check: string;
      closesOn: string | null;
      /** Read for everyone, so that visitors see whether there is a contact. */
      hasContact: boolean;
      contacts: JobContacts | null;
      /** Names the company of the record of replies. */
      companyKey: string;
      /** The address of its company's page; null without one. */
      companyPath: OwnPath | null;
    }
  /** Archived or lapsed, with a sentence that says why. */
  | { state: "archived"; why: string }
  | { state: "missing" };

/** Finds a job with the fields that this actor may see. Contacts are for signed-in people. @param actor null for a visitor */
export async function findJob(db: Database, actor: Actor | null, id: string): Promise<FoundJob> {
  if (!isUuid(id)) return { state: "missing" };
  const [row] = actor
    ? await db
        .select({ ...visible, state: selectState(db), contacts })
        .from(jobs)
        .leftJoin(companies, isCompanyOfJob)
        .where(eq(jobs.id, id))
    : (
        await db
          .select({ ...visible, state: selectState(db) })
          .from(jobs)
          .leftJoin(companies, isCompanyOfJob)
          .where(eq(jobs.id, id))
      ).map(omitContacts);
  if (!row) return { state: "missing" };
  const {
    isOpen: isListed,
    state,
    contacts: shownContacts,
    hasContact,
    slug,
    companyId,
    ...job
  } = row;
  if (!isListed) return { state: "archived", why: explainClosed(state) };
  const { compensation, details } = job;
  return {
    state: "open",
    job: withJobTexts(job),
    compensation,
    details,
    check: describeCheck(state, now()),
    closesOn: state.closesOn,
    hasContact,
    contacts: shownContacts,
    companyKey: toCompanyKey({ companyId, company: job.company }),
    companyPath: slug === null ? null : `/companies/${slug}`,
  };
}

/** Joins the public company of a job. */
const isCompanyOfJob = and(eq(companies.id, jobs.companyId), eq(companies.state, "approved"));

const contacts = {
  pocName: jobs.pocName,
  pocContact: jobs.pocContact,
  portalApplicationLink: jobs.portalApplicationLink,
  directApplicationLink: jobs.directApplicationLink,
};

const visible = {
  ...listed,
  description: jobs.description,
  largeDescription: jobs.largeDescription,
  isOpen: sql<boolean>`${isOpen}`,
  hasContact: namesContact,
  slug: companies.slug,
  companyId: jobs.companyId,
};

const selectState = (db: Database) => ({
  checkedAt: jobs.checkedAt,
  checkDueAt: jobs.checkDueAt,
  closesOn: jobs.closesOn,
  liveUntil: jobs.liveUntil,
  isArchived: jobs.isArchived,
  archivedReason: jobs.archivedReason,
  kind: selectLastCheckKind(db),
});

function omitContacts<Row>(row: Row) {
  return { ...row, contacts: null };
}
