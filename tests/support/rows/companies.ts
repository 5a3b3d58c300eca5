import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { saveLogo } from "../../../app/companies/logo/logos.server.ts";
import { getNewestPage } from "../../../app/companies/page/change-page.server.ts";
import { getPageVersion } from "../../../app/companies/page/company-page.server.ts";
import {
  companies,
  companyChanges,
  companyInvitations,
  companyMembers,
} from "../../../app/companies/tables.server.ts";
import { now } from "../../../app/platform/clock.ts";
import { findCompanyJob, getBaseVersion } from "../../../app/jobs/manage/company-changes.server.ts";
import { toWrittenFields } from "../../../app/jobs/manage/job-commands.server.ts";
import { toJobValues } from "../../../app/jobs/manage/job-fields.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { toTypedFields } from "../../../app/posting/listing-form.server.ts";
import { type DraftFields, payableFor, type SubmissionState } from "../../../app/posting/rules.ts";
import { jobSubmissions } from "../../../app/posting/tables.server.ts";
import { joinWithin } from "../../../app/companies/rules.ts";
import { insertJob } from "./jobs.ts";
import type { Everybody } from "./people.ts";

type CompanyRow = typeof companies.$inferInsert;
type MemberRow = typeof companyMembers.$inferInsert;

/** Creates an approved company with a domain of its own. */
export async function company(db: Database, fields: Partial<CompanyRow> = {}) {
  const name = `sample-${randomUUID()}`;
  const at = now();
  const [row] = await db
    .insert(companies)
    .values({
      slug: name,
      name: "Sample Studio",
      website: `https://${name}.example`,
      domain: `${name}.example`,
      state: "approved",
      createdAt: at,
      confirmedAt: at,
      decidedAt: at,
      ...fields,
    })
    .returning();
  return row!;
}

/** Lets a person post for a company. */
export async function member(
  db: Database,
  { id: companyId, domain }: { id: string; domain: string },
  { id: userId }: Pick<Actor, "id">,
  fields: Partial<MemberRow> = {},
) {
  const at = now();
  const [row] = await db
    .insert(companyMembers)
    .values({
      companyId,
      userId,
      role: "owner",
      workEmail: `work@${domain}`,
      askedAt: at,
      confirmedAt: at,
      approvedAt: at,
      ...fields,
    })
    .returning();
  return row!;
}

/** Invites a work email to a company. @returns the id of the invitation */
export async function invitation(
  db: Database,
  { id: companyId, domain }: { id: string; domain: string },
  { id: invitedBy }: Pick<Actor, "id">,
  fields: Partial<typeof companyInvitations.$inferInsert> = {},
): Promise<string> {
  const workEmail = `invited@${domain}`;
  const [row] = await db
    .insert(companyInvitations)
    .values({ companyId, workEmail, invitedBy, invitedAt: now(), ...fields })
    .returning({ id: companyInvitations.id });
  return row!.id;
}

/** Creates a company of Asha's with Ravi as another owner, Kabir as a member, Meera's claim, and invitations. */
export async function teamOf(db: Database, { asha, ravi, kabir, meera }: Everybody) {
  const own = await company(db);
  const { domain } = own;
  await member(db, own, asha);
  const addMember = async (person: Actor, fields: Partial<MemberRow>) =>
    (await member(db, own, person, { workEmail: `${person.id}@${domain}`, ...fields })).id;
  const team = {
    company: own.id,
    owner: await addMember(ravi, {}),
    member: await addMember(kabir, { role: "member" }),
    claim: await addMember(meera, { role: "member", approvedAt: null }),
    invitation: await invitation(db, own, asha),
    expired: await invitation(db, own, asha, {
      workEmail: `late@${domain}`,
      invitedAt: new Date(now().getTime() - joinWithin),
    }),
    /** Ravi's in another company. */
    foreign: (await member(db, await company(db), ravi)).id,
    missing: randomUUID() as string,
    malformed: "none",
  };
  return { team, teamEmail: `new@${domain}` };
}

/** Creates a change of a company's page, which waits unless it has a reason. @returns its version */
export async function pageChange(
  db: Database,
  own: typeof companies.$inferSelect,
  sender: Pick<Actor, "id">,
  fields: Partial<typeof companyChanges.$inferInsert> = {},
): Promise<string> {
  const [row] = await db
    .insert(companyChanges)
    .values({
      companyId: own.id,
      baseVersion: getPageVersion(own),
      name: own.name,
      website: own.website,
      about: "Signs for shops.",
      submittedBy: sender.id,
      sentAt: now(),
      ...(fields.reason && { state: "returned" }),
      ...fields,
    })
    .returning();
  return row!.version;
}

/** Stores a logo of a company. Any bytes will do. @returns its hash */
export function storedLogo(db: Database, own: { id: string }, text: string): Promise<string> {
  return saveLogo(db, own.id, Buffer.from(text));
}

/** Creates companies of a person, by the state of the changes of their pages. */
export async function companyPages(db: Database, owner: Pick<Actor, "id">) {
  const pageForms: Record<string, { website: string; version: string; pageVersion: string }> = {};
  const inState = async (
    fields: Partial<CompanyRow>,
    reason: string | null | undefined,
  ): Promise<string> => {
    const own = await company(db, fields);
    await member(db, own, owner);
    if (reason !== undefined) await pageChange(db, own, owner, { reason });
    const [change] = await db
      .select()
      .from(companyChanges)
      .where(eq(companyChanges.companyId, own.id));
    const { version } = getNewestPage({ page: own, change: change ?? null });
    pageForms[own.id] = { website: own.website, version, pageVersion: getPageVersion(own) };
    return own.id;
  };
  return {
    pages: {
      unchanged: await inState({}, undefined),
      waiting: await inState({}, null),
      returned: await inState({}, "Say where you are."),
      newWaiting: await inState({ state: "new", decidedAt: null }, null),
      hidden: await inState({ state: "hidden" }, undefined),
      hiddenWaiting: await inState({ state: "hidden" }, null),
      missing: randomUUID() as string,
      malformed: "none",
    },
    /** The hidden fields of the members' and the admins' forms, by company. */
    pageForms,
  };
}

/** A complete listing of a company. */
export const listingFields: Partial<DraftFields> = {
  title: "Type Designer",
  location: "Pune",
  jobType: "Full-time",
  description: "Draws letters.",
  largeDescription: "Draws letters all day.",
  pocName: "Lalita Rao",
  pocContact: "lalita@example.com",
};

/** Creates a listing of a company in a state. */
export async function submission(
  db: Database,
  { id: companyId }: { id: string },
  { id: submittedBy }: Pick<Actor, "id">,
  state: SubmissionState,
  fields: Partial<typeof jobSubmissions.$inferInsert> = {},
): Promise<string> {
  const at = now();
  const isEmpty = state === "live" || state === "discarded";
  const [row] = await db
    .insert(jobSubmissions)
    .values({
      companyId,
      submittedBy,
      state,
      fields: isEmpty ? {} : listingFields,
      createdAt: at,
      updatedAt: at,
      ...(state === "waiting" && { sentAt: at }),
      ...(state === "returned" && { reason: "Please state the pay." }),
      ...(state === "live" &&
        !fields.jobId && { jobId: (await insertJob(db, { companyId, lapses: true })).id }),
      ...(state === "payable" && {
        price: 999_00,
        payableUntil: new Date(at.getTime() + payableFor),
        decidedAt: at,
      }),
      ...fields,
    })
    .returning({ id: jobSubmissions.id });
  return row!.id;
}

/** Creates a published listing of a company, and a change of it in a state. */
export async function changeOfListing(
  db: Database,
  own: { id: string },
  member: Pick<Actor, "id">,
  state: SubmissionState,
  fields: Partial<DraftFields> = listingFields,
) {
  const job = await insertJob(db, { companyId: own.id, lapses: true });
  const listing = await submission(db, own, member, "live", { jobId: job.id });
  const stored = (await findCompanyJob(db, job.id))!;
  const text = toTypedFields(toJobValues(toWrittenFields(stored)));
  const id = await submission(db, own, member, state, {
    jobId: job.id,
    baseVersion: getBaseVersion(stored),
    fields: { ...text, ...fields },
  });
  return { id, listing, jobId: job.id };
}

/** Creates a company of a person with a listing in each state. */
export async function companyWithListings(db: Database, owner: Pick<Actor, "id">) {
  const own = await company(db);
  await member(db, own, owner);
  const inState = (state: SubmissionState) => submission(db, own, owner, state);
  // Another company has limits of its own.
  const changing = await company(db);
  await member(db, changing, owner);
  const changeInState = async (state: SubmissionState) =>
    (await changeOfListing(db, changing, owner, state)).id;
  return {
    company: own,
    submissions: {
      draft: await inState("draft"),
      waiting: await inState("waiting"),
      returned: await inState("returned"),
      payable: await inState("payable"),
      live: await inState("live"),
      discarded: await inState("discarded"),
      changeDraft: await changeInState("draft"),
      changeWaiting: await changeInState("waiting"),
      changeReturned: await changeInState("returned"),
      missing: randomUUID() as string,
      malformed: "none",
    },
  };
}

/** Links a listing of staff to a new company of a person. */
export async function linkedListing(db: Database, owner: Pick<Actor, "id">) {
  const own = await company(db);
  await member(db, own, owner);
  const job = await insertJob(db, { companyId: own.id });
  const id = await submission(db, own, owner, "live", {
    jobId: job.id,
    submittedBy: null,
    source: "link",
  });
  return { id, company: own.id, job: job.id };
}

/** Creates a person's claim on a company of others. @returns the id of the membership */
export async function claim(db: Database, person: Pick<Actor, "id">): Promise<string> {
  const { id } = await member(db, await company(db), person, { role: "member", approvedAt: null });
  return id;
}
