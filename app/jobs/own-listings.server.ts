import { eq, type SQL } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { permissions } from "../accounts/permissions.server.ts";
import { jobs } from "./tables.server.ts";

/** The listings on a screen: a person's own, or all. */
export type ListingScope = "own" | "all";

/** Matches the listings that a person created. The only rule for the ownership of listings. */
export function isCreatedBy(actor: Actor): SQL {
  return eq(jobs.createdBy, actor.id);
}

/** Matches the listings of a screen. */
export function isInScope(actor: Actor, scope: ListingScope): SQL | undefined {
  return scope === "own" ? isCreatedBy(actor) : undefined;
}

/** Matches the listings that a person may manage: their own, or all for god admins. */
export function isManagedBy(actor: Actor): SQL | undefined {
  return permissions["job.manage-any"](actor) ? undefined : isCreatedBy(actor);
}
