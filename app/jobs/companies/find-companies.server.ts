import { and, eq, exists } from "drizzle-orm";
import { companiesByName, sortedName } from "../../companies/order.server.ts";
import { companies } from "../../companies/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { countColumn, readPage } from "../../platform/lists/list.server.ts";
import { isOpen, listJobs } from "../find.server.ts";
import { isReplyRecordOf } from "../replies/reply-records.server.ts";
import { jobs, replyRecords } from "../tables.server.ts";

/** A company has a public page once an admin has approved it, and until one hides it. */
const isPublic = eq(companies.state, "approved");

const companiesPerPage = 50;

/** Lists the companies that have a page, by name, with the number of their open jobs, up to 1,000, and their record of replies. */
export async function listCompanies(db: Database, { after }: { after: string | null }) {
  return readPage(companiesByName, { cursor: after, size: companiesPerPage }, (part) =>
    db
      .select({
        id: companies.id,
        sortedName,
        name: companies.name,
        slug: companies.slug,
        logoHash: companies.logoHash,
        openJobs: countColumn(db, jobs, isOpenAtCompany),
        replies: replyRecords,
      })
      .from(companies)
      .leftJoin(replyRecords, isReplyRecordOf(companies.id))
      .where(and(isPublic, part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
}

const isOpenAtCompany = and(eq(jobs.companyId, companies.id), isOpen);

/** Finds the company of a public page; null for a new or hidden one, and for a part of an address that isn't known. */
export async function findCompany(db: Database, slug: string) {
  const [company] = await db
    .select({
      id: companies.id,
      name: companies.name,
      slug: companies.slug,
      website: companies.website,
      about: companies.about,
      logoHash: companies.logoHash,
      replies: replyRecords,
    })
    .from(companies)
    .leftJoin(replyRecords, isReplyRecordOf(companies.id))
    .where(and(eq(companies.slug, slug), isPublic));
  return company ?? null;
}

/** Lists the open jobs of a company, newest first. @param after the cursor from an earlier page */
export async function listCompanyJobs(db: Database, companyId: string, after: string | null) {
  return listJobs(db, { condition: eq(jobs.companyId, companyId), query: { after } });
}

/** The most companies in the sitemap of pages. */
const maxInSitemap = 10_000;

/** Lists the paths of the companies with open jobs, for the sitemap. */
export async function listCompanyPaths(db: Database): Promise<string[]> {
  const rows = await db
    .select({ slug: companies.slug })
    .from(companies)
    .where(and(isPublic, exists(db.select({ id: jobs.id }).from(jobs).where(isOpenAtCompany))))
    .orderBy(companies.slug)
    .limit(maxInSitemap);
  return rows.map(({ slug }) => `/companies/${slug}`);
}
