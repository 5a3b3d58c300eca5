import { and, eq, isNotNull, isNull, like, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { queueMailToTypedAddress } from "../../mail/typed-addresses.server.ts";
import { hour, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { buildSignedId } from "../../platform/signed-ids.server.ts";
import { normalizeEmail } from "../../platform/text/text.ts";
import { createFieldLengthCheck, line, lines } from "../../platform/text/text-fields.server.ts";
import { WorkEmailMail } from "../emails.tsx";
import { maxLengths } from "../rules.ts";
import { companies, companyMembers } from "../tables.server.ts";
import { findWebsiteDomain, findWorkEmailProblem } from "../work-email.server.ts";

export type MembershipSettings = Pick<Config, "product" | "origin" | "secrets">;

const limit = (max: number) =>
  z.string().refine(createFieldLengthCheck(max), `Enter at most ${max} characters`);

/** Builds the field of a work email. @param message for what isn't an address */
export function buildWorkEmailField(message: string) {
  return line.transform(normalizeEmail).pipe(z.email(message).max(maxLengths.workEmail, message));
}

/** The fields of a company's page. */
export const pageFields = {
  name: line.pipe(limit(maxLengths.name).min(2, "Enter the company's name")),
  website: line
    .transform(addProtocol)
    .pipe(
      limit(maxLengths.website).refine(
        (website) => findWebsiteDomain(website) !== null,
        "Enter the company's own website, such as https://example.in",
      ),
    ),
  about: lines.pipe(limit(maxLengths.about)),
};

/** The form of a person who wants to post for a company. */
export const companyForm = z
  .object({ ...pageFields, workEmail: buildWorkEmailField("Enter your work email") })
  .transform((form) => ({ ...form, domain: findWebsiteDomain(form.website) ?? "" }));

type CompanyForm = z.output<typeof companyForm>;

/** People type "example.in". Any other protocol than https stays, and is refused. */
function addProtocol(website: string): string {
  const secure = website.replace(/^http:\/\//i, "https://");
  return secure === "" || /^[a-z][a-z+.-]*:/i.test(secure) ? secure : `https://${secure}`;
}

/**
 * Asks a person to confirm their work email, so that they can post for a company. A known company isn't changed, and the
 * result is the same as for an unknown one: nobody learns whether a company is here.
 *
 * @throws {SignedOut} for a visitor
 * @throws {Invalid} for an address that isn't at the website's domain
 * @throws {Conflict} for a person who can post for this company already
 */
export async function requestMembership(
  db: Database,
  actor: Actor | null,
  config: MembershipSettings,
  form: CompanyForm,
): Promise<void> {
  authorize(actor, "company.manage");
  const problem = findWorkEmailProblem(form.workEmail, form.domain);
  if (problem) throw new Invalid({ workEmail: problem });
  await db.transaction(async (tx) => {
    await lockDomain(tx, form.domain);
    const company = await findCompanyAt(tx, actor, form.domain);
    const companyId = company?.id ?? (await insertCompany(tx, form));
    if (company && !company.confirmedAt) await updateUnconfirmedCompany(tx, company.id, form);
    const moment = now();
    const [request] = await tx
      .insert(companyMembers)
      .values({
        companyId,
        userId: actor.id,
        role: company?.confirmedAt ? "member" : "owner",
        workEmail: form.workEmail,
        askedAt: moment,
      })
      .onConflictDoUpdate({
        target: [companyMembers.companyId, companyMembers.userId],
        set: { workEmail: form.workEmail, askedAt: moment },
        setWhere: isNull(companyMembers.confirmedAt),
      })
      .returning({ id: companyMembers.id });
    if (!request) throw new Conflict(`You have confirmed your address at ${form.domain} already.`);
    await queueMailToTypedAddress(tx, ["work-email"], {
      cause: `work-email:${request.id}:${Math.floor(moment.getTime() / hour)}`,
      to: form.workEmail,
      subject: "Confirm your work email",
      body: (
        <WorkEmailMail
          product={config.product}
          link={config.origin + buildWorkEmailPath(config, request.id)}
        />
      ),
    });
  });
}

/** Makes requests and confirmations for one domain wait for each other, until the transaction ends. */
export async function lockDomain(tx: Database, domain: string): Promise<void> {
  const name = `company at ${domain}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** Finds the confirmed company at a domain, or else the person's own that isn't confirmed. */
async function findCompanyAt(tx: Database, actor: Actor, domain: string) {
  const isOwn = and(
    isNull(companies.confirmedAt),
    sql`exists (select 1 from ${companyMembers}
      where ${companyMembers.companyId} = ${companies.id} and ${companyMembers.userId} = ${actor.id})`,
  );
  const [company] = await tx
    .select({ id: companies.id, confirmedAt: companies.confirmedAt })
    .from(companies)
    .where(and(eq(companies.domain, domain), or(isNotNull(companies.confirmedAt), isOwn)))
    .orderBy(companies.confirmedAt)
    .limit(1);
  return company;
}

async function insertCompany(tx: Database, { name, website, about, domain }: CompanyForm) {
  const [inserted] = await tx
    .insert(companies)
    .values({ slug: await findFreeSlug(tx, name), name, website, about, domain, createdAt: now() })
    .returning({ id: companies.id });
  return inserted!.id;
}

async function updateUnconfirmedCompany(
  tx: Database,
  id: string,
  { name, website, about }: CompanyForm,
): Promise<void> {
  await tx.update(companies).set({ name, website, about }).where(eq(companies.id, id));
}

/** Returns a company's part of an address, with a number if another company has the same name. */
async function findFreeSlug(tx: Database, name: string): Promise<string> {
  // One at a time, so that no two transactions choose the same.
  await lockDomain(tx, "");
  const slug = buildSlug(name);
  const rows = await tx
    .select({ slug: companies.slug })
    .from(companies)
    .where(or(eq(companies.slug, slug), like(companies.slug, `${slug}-%`)));
  const slugs = new Set(rows.map((row) => row.slug));
  let number = 2;
  while (slugs.has(`${slug}-${number}`)) number += 1;
  return slugs.has(slug) ? `${slug}-${number}` : slug;
}

const maxSlugLength = 60;

/** Writes a name in small Latin letters, digits and hyphens: "Chaupal Health & Co." as "chaupal-health-co". */
export function buildSlug(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, "-").slice(0, maxSlugLength);
  return slug.replace(/^-+|-+$/g, "") || "company";
}

/** The purpose of the signature in the link. */
export const confirmLink = "work email";

/** Builds the path where a person confirms their work email. */
export function buildWorkEmailPath(config: Pick<Config, "secrets">, id: string): OwnPath {
  return `/post/confirm/${buildSignedId(config, confirmLink, id)}`;
}
