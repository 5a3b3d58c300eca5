import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { buildOrder, countUpTo, readPageOrLast } from "../../platform/lists/list.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { changeColumns, pageColumns } from "../page/company-page.server.ts";
import { companies, companyChanges } from "../tables.server.ts";

/** Each has up to 4,000 characters. */
const rowsPerPage = 10;

const isWaiting = eq(companyChanges.state, "waiting");

const oldestFirst = buildOrder("asc", {
  sentAt: companyChanges.sentAt,
  id: companyChanges.companyId,
});

/** Lists the changes of companies' pages that wait for an admin, the oldest first. */
export async function listPageChanges(
  db: Database,
  actor: Actor | null,
  { after }: { after: string | null },
) {
  authorize(actor, "company.approve");
  return readPageOrLast(oldestFirst, { cursor: after, size: rowsPerPage }, (part) =>
    db
      .select({
        id: companyChanges.companyId,
        sentAt: companyChanges.sentAt,
        version: companyChanges.version,
        baseVersion: companyChanges.baseVersion,
        change: changeColumns,
        page: pageColumns,
        slug: companies.slug,
        state: companies.state,
        sender: { id: companyChanges.submittedBy, name: profiles.fullName },
      })
      .from(companyChanges)
      .innerJoin(companies, eq(companies.id, companyChanges.companyId))
      .leftJoin(profiles, eq(profiles.id, companyChanges.submittedBy))
      .where(and(isWaiting, part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
}

/** Counts the changes that wait, up to a thousand. */
export async function countPageChanges(db: Database, actor: Actor | null): Promise<Count> {
  authorize(actor, "company.approve");
  return countUpTo(db, companyChanges, isWaiting);
}
