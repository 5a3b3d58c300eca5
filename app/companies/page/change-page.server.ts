import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { deleteUnusedLogos, saveLogo } from "../logo/logos.server.ts";
import { pageFields } from "../membership/request-membership.server.tsx";
import { isMemberOf, lockOwnCompany, recordCompanyEvent } from "../own-companies.server.ts";
import { companies, companyChanges } from "../tables.server.ts";
import { findWebsiteDomain } from "../work-email.server.ts";
import {
  changeColumns,
  type CompanyPage,
  describePageChange,
  getPageVersion,
  pageColumns,
} from "./company-page.server.ts";

const messages = {
  changedMeanwhile:
    "Someone else changed this page after you opened it. Copy what you need, then reload.",
  nothingChanged:
    "Nothing differs from the published page yet. Change something first, or withdraw your change.",
} as const;

/** The form of a company's page. The logo is read apart from it. */
export const companyPageForm = z.object({
  ...pageFields,
  version: z.string(),
  removesLogo: z.stringbool().catch(false),
});

type PageForm = z.output<typeof companyPageForm> & {
  companyId: string;
  /** The new logo; null keeps the present one. */
  picture: Buffer | null;
};

/**
 * Sends a change of a company's page, or replaces the one that isn't published yet. The published page stays until an admin
 * publishes the change.
 *
 * @param form.version of the page that the person saw, by `getOwnPage`
 * @throws {NotFound} for a company for which the person may not post
 * @throws {Invalid} for a website at another domain, since work emails were compared with this one
 * @throws {Conflict} if the page has changed meanwhile, and if nothing differs from the published one
 */
export async function sendPageChange(
  db: Database,
  actor: Actor | null,
  { companyId, version, picture, removesLogo, ...texts }: PageForm,
): Promise<void> {
  authorize(actor, "company.manage");
  await db.transaction(async (tx) => {
    const { domain } = await lockOwnCompany(tx, actor, companyId);
    if (findWebsiteDomain(texts.website) !== domain)
      throw new Invalid({
        website: `Use an address at ${domain}, like the work emails of your team. If your company moved, contact us.`,
      });
    const { page, change } = await getOwnPage(tx, actor, companyId);
    if (version !== (change?.version ?? getPageVersion(page)))
      throw new Conflict(messages.changedMeanwhile);
    const logoHash = picture
      ? await saveLogo(tx, companyId, picture)
      : removesLogo
        ? null
        : (change ?? page).logoHash;
    const next = { ...texts, logoHash };
    const baseVersion = getPageVersion(page);
    if (getPageVersion(next) === baseVersion) throw new Conflict(messages.nothingChanged);
    const submission = {
      ...next,
      version: randomUUID(),
      state: "waiting" as const,
      reason: null,
      submittedBy: actor.id,
      sentAt: now(),
    };
    await tx
      .insert(companyChanges)
      .values({ companyId, baseVersion, ...submission })
      .onConflictDoUpdate({ target: companyChanges.companyId, set: submission });
    await deleteUnusedLogos(tx, companyId);
    await recordCompanyEvent(
      tx,
      actor,
      "company.send-change",
      companyId,
      describePageChange(page, next),
    );
  });
}

/**
 * Withdraws the change of a company's page, also one that an admin returned. The published page stays.
 *
 * @throws {NotFound} for a company for which the person may not post
 * @throws {Conflict} if it has changed meanwhile, or is published already
 */
export async function withdrawPageChange(
  db: Database,
  actor: Actor | null,
  { companyId, version }: { companyId: string; version: string },
): Promise<void> {
  authorize(actor, "company.manage");
  await db.transaction(async (tx) => {
    await lockOwnCompany(tx, actor, companyId);
    const { change } = await getOwnPage(tx, actor, companyId);
    if (change?.version !== version) throw new Conflict(messages.changedMeanwhile);
    await tx.delete(companyChanges).where(eq(companyChanges.companyId, companyId));
    await deleteUnusedLogos(tx, companyId);
    await recordCompanyEvent(tx, actor, "company.withdraw-change", companyId);
  });
}

/**
 * Returns a company's published page, and the change that isn't published yet, for a person who may post for it.
 *
 * @throws {NotFound} for any other company
 */
export async function getOwnPage(db: Database, actor: Actor | null, companyId: string) {
  authorize(actor, "company.manage");
  const [own] = isUuid(companyId)
    ? await db
        .select({
          slug: companies.slug,
          domain: companies.domain,
          state: companies.state,
          page: pageColumns,
          change: {
            ...changeColumns,
            version: companyChanges.version,
            baseVersion: companyChanges.baseVersion,
            state: companyChanges.state,
            reason: companyChanges.reason,
            sentAt: companyChanges.sentAt,
          },
        })
        .from(companies)
        .leftJoin(companyChanges, eq(companyChanges.companyId, companies.id))
        .where(and(eq(companies.id, companyId), isMemberOf(actor, companies.id)))
    : [];
  if (!own) throw new NotFound("Company not found");
  return own;
}

/** Returns the page that members see in the form: the change that isn't published yet, or else the published page. */
export function getNewestPage({
  page,
  change,
}: {
  page: CompanyPage;
  change: (CompanyPage & { version: string }) | null;
}): CompanyPage & { version: string } {
  return change ?? { ...page, version: getPageVersion(page) };
}
