import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import { PageDecisionMail } from "../emails.tsx";
import { deleteUnusedLogos } from "../logo/logos.server.ts";
import { notifyMember } from "../notify-member.server.ts";
import { lockCompany } from "../own-companies.server.ts";
import {
  changeColumns,
  describePageChange,
  getPageVersion,
  pageColumns,
} from "../page/company-page.server.ts";
import { companies, companyChanges } from "../tables.server.ts";
import type { DecisionSettings } from "./decide-companies.server.tsx";

const messages = {
  changeGone: "This change was withdrawn or decided meanwhile.",
  changedSince: "This change has changed since you opened it. Read it again.",
  pageChanged:
    "The published page is no longer as you saw it. Compare the change with the page as it is now.",
  hidden: "This company is hidden. Approve it first.",
} as const;

/** A change of a company's page as the admin read it. */
type ReadChange = { companyId: string; version: string };

/**
 * Publishes a change of a company's page.
 *
 * @param read.pageVersion the version of the published page that the admin saw beside it
 * @throws {Conflict} if the change doesn't wait, if it or the page has changed since, and for a hidden company
 */
export async function approvePageChange(
  db: Database,
  actor: Actor | null,
  { pageVersion, ...read }: ReadChange & { pageVersion: string },
  settings: DecisionSettings,
): Promise<void> {
  authorize(actor, "company.approve");
  await db.transaction(async (tx) => {
    const waiting = await lockPageChange(tx, read);
    const { companyId, page, change } = waiting;
    if (getPageVersion(page) !== pageVersion) throw new Conflict(messages.pageChanged);
    await tx.update(companies).set(change).where(eq(companies.id, companyId));
    await tx.delete(companyChanges).where(eq(companyChanges.companyId, companyId));
    await deleteUnusedLogos(tx, companyId);
    await recordAuditEvents(tx, [
      {
        actor,
        event: "company.publish-change",
        subject: { type: "company", id: companyId },
        before: { name: page.name, website: page.website },
        after: {
          name: change.name,
          website: change.website,
          ...describePageChange(page, change),
        },
      },
    ]);
    await notifyPageSender(tx, waiting, { company: change.name, reason: null }, settings);
  });
}

/**
 * Returns a change of a company's page to its members, with a reason that is mailed.
 *
 * @throws {Conflict} if it doesn't wait, or has changed since the admin read it, and for a hidden company
 */
export async function returnPageChange(
  db: Database,
  actor: Actor | null,
  { reason, ...read }: ReadChange & { reason: string },
  settings: DecisionSettings,
): Promise<void> {
  authorize(actor, "company.approve");
  await db.transaction(async (tx) => {
    const waiting = await lockPageChange(tx, read);
    const { companyId, page } = waiting;
    await tx
      .update(companyChanges)
      .set({ state: "returned", reason, version: randomUUID() })
      .where(eq(companyChanges.companyId, companyId));
    await recordAuditEvents(tx, [
      {
        actor,
        event: "company.return-change",
        subject: { type: "company", id: companyId },
        after: { reason },
      },
    ]);
    await notifyPageSender(tx, waiting, { company: page.name, reason }, settings);
  });
}

type Waiting = Awaited<ReturnType<typeof lockPageChange>>;

/**
 * Locks a company, and returns its page and the change that waits as the admin read it.
 *
 * @throws {Conflict} as its callers
 */
async function lockPageChange(tx: Database, { companyId, version }: ReadChange) {
  if (!isUuid(companyId)) throw new Conflict(messages.changeGone);
  await lockCompany(tx, companyId);
  const [waiting] = await tx
    .select({
      companyId: companies.id,
      companyState: companies.state,
      page: pageColumns,
      change: changeColumns,
      version: companyChanges.version,
      submittedBy: companyChanges.submittedBy,
    })
    .from(companyChanges)
    .innerJoin(companies, eq(companies.id, companyChanges.companyId))
    .where(and(eq(companyChanges.companyId, companyId), eq(companyChanges.state, "waiting")));
  if (!waiting) throw new Conflict(messages.changeGone);
  if (waiting.version !== version) throw new Conflict(messages.changedSince);
  if (waiting.companyState === "hidden") throw new Conflict(messages.hidden);
  return waiting;
}

async function notifyPageSender(
  tx: Database,
  { companyId, version, submittedBy }: Waiting,
  { company, reason }: { company: string; reason: string | null },
  { product, origin }: DecisionSettings,
): Promise<void> {
  await notifyMember(tx, submittedBy, {
    cause: `company-page-decision:${version}`,
    subject:
      reason === null ? `The page of ${company} is changed` : `Please edit the page of ${company}`,
    body: <PageDecisionMail {...{ product, origin, company, companyId, reason }} />,
  });
}
