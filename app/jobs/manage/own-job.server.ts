import { and, eq, getTableColumns, type SQL } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { permissions } from "../../accounts/permissions.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { isUuid } from "../../platform/uuid.ts";
import { jobs } from "../tables.server.ts";
import { type JobFields, messages } from "./rules.ts";

/**
 * In SQL: this listing, if the actor may manage it. That is one they created, or any for god admins.
 *
 * @throws {NotFound} for what cannot be an id.
 */
export function ownJob(actor: Actor, id: string): SQL | undefined {
  if (!isUuid(id)) throw new NotFound(messages.notFound);
  const isAnybodys = permissions["job.manage-any"](actor);
  return and(eq(jobs.id, id), isAnybodys ? undefined : eq(jobs.createdBy, actor.id));
}

/** Locks a listing that the actor may manage, for the rest of the transaction. */
export async function lockOwnJob(tx: Database, actor: Actor, id: string) {
  const [job] = await tx.select(columns).from(jobs).where(ownJob(actor, id)).for("no key update");
  if (!job) throw new NotFound(messages.notFound);
  return job;
}

const { searchText: _generated, ...columns } = getTableColumns(jobs);
export { columns };

type StoredJob = Omit<typeof jobs.$inferSelect, "searchText">;

/** Of a whole row, what its writer wrote. */
export function writtenFields(job: StoredJob): Record<keyof JobFields, string | null> {
  const {
    id: _id,
    createdBy: _by,
    postedAt: _at,
    updatedAt: _edit,
    isArchived: _state,
    ...fields
  } = job;
  return fields;
}
