import type { Database } from "../platform/database.server.ts";
import type { Count } from "../platform/lists/lists.ts";
import type { OwnPath } from "../platform/own-path.ts";
import type { Actor } from "./actor.server.ts";

/**
 * Work that waits for god admins. A capability defines its own, and `app/admin/waiting-work.server.ts` registers it
 * for the overview and the side menu.
 */
export type WaitingWork = {
  name:
    | "overdue"
    | "handed-back"
    | "unassigned"
    | "questions"
    | "refunds"
    | "messages"
    | "reports"
    | "checks"
    | "payments"
    | "names"
    | "listings"
    | "claims"
    | "company-pages";
  /** The text after the number, for one and for several. */
  one: string;
  several: string;
  /** The link to where it is done. */
  action: string;
  to: OwnPath;
  /** Counts it with one or two indexed queries; `note` adds a detail. */
  count(db: Database, actor: Actor): Promise<Count & { note?: string }>;
};
