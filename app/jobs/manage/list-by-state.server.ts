import { and, sql, type SQL } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Database } from "../../platform/database.server.ts";
import { countUpTo, type Part } from "../../platform/lists/list.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { hasLapsed, isOpen } from "../find.server.ts";
import { jobs } from "../tables.server.ts";

/** A listing that has lapsed counts as archived, also before the task archives it. Each part has its own index. */
const archived = [sql`${jobs.isArchived}`, hasLapsed] as const;

/**
 * Selects the rows of one page of open or archived listings, to use in place of the table.
 *
 * @param condition limits both further
 */
export function selectByState(
  db: Database,
  isArchived: boolean,
  condition: SQL | undefined,
  part: Part,
): typeof jobs {
  const select = (state: SQL) =>
    db
      .select(listedColumns)
      .from(jobs)
      .where(and(state, condition, part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit);
  const [done, lapsed] = archived;
  const rows = isArchived ? unionAll(select(done), select(lapsed)) : select(isOpen);
  // The alias lets the order's expressions work on these rows.
  return rows.as("jobs") as unknown as typeof jobs;
}

const listedColumns = {
  id: jobs.id,
  title: jobs.title,
  company: jobs.company,
  location: jobs.location,
  jobType: jobs.jobType,
  postedAt: jobs.postedAt,
  updatedAt: jobs.updatedAt,
  createdBy: jobs.createdBy,
  isArchived: jobs.isArchived,
  archivedReason: jobs.archivedReason,
  closesOn: jobs.closesOn,
  checkedAt: jobs.checkedAt,
  checkDueAt: jobs.checkDueAt,
  liveUntil: jobs.liveUntil,
};

/** Counts open and archived listings, each up to a thousand. */
export async function countByState(
  db: Database,
  condition: SQL | undefined,
): Promise<{ open: Count; archived: Count }> {
  const count = (state: SQL) => countUpTo(db, jobs, and(state, condition));
  const [open, done, lapsed] = await Promise.all([isOpen, ...archived].map(count));
  return { open: open!, archived: addCounts(done!, lapsed!) };
}

function addCounts(one: Count, other: Count): Count {
  const counted = one.counted + other.counted;
  return {
    counted: Math.min(counted, maxCounted),
    isMore: one.isMore || other.isMore || counted > maxCounted,
  };
}

const maxCounted = 1000;
