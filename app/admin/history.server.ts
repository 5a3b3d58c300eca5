import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { profiles } from "../accounts/tables.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { type Database, isUuid } from "../platform/database.server.ts";
import { type ListPage, type Order, readPage } from "../platform/list.server.ts";
import { auditEvents } from "../platform/tables.server.ts";
import { services } from "../reviews/rules.ts";
import { serviceReviews } from "../reviews/tables.server.ts";

export const eventsPerPage = 50;

export type ListedEvent = {
  id: string;
  at: Date;
  actorName: string;
  event: string;
  subjectType: string;
  subjectId: string;
  before: unknown;
  after: unknown;
};

export type HistoryQuery = {
  /** Only of one kind of thing; null is all. */
  type: string | null;
  /** Only of the thing with this id. */
  id: string | null;
  /** Only what the person with this id did. */
  by?: string | null;
  after: string | null;
};

/**
 * Lists what staff and the operator did, the newest first, in pages.
 *
 * @returns `names`, what the lines mention by id is called
 */
export async function listHistory(
  db: Database,
  actor: Actor | null,
  { type, id, by = null, after }: HistoryQuery,
): Promise<
  { events: ListedEvent[]; names: Record<string, string> } & Omit<ListPage<ListedEvent>, "rows">
> {
  authorize(actor, "product.oversee");
  const { rows, ...beside } = await readPage(
    newestFirst,
    { cursor: after, size: eventsPerPage },
    (part) =>
      db
        .select()
        .from(auditEvents)
        .where(
          and(
            type === null ? undefined : eq(auditEvents.subjectType, type),
            id === null ? undefined : eq(auditEvents.subjectId, id),
            by === null ? undefined : isBy(by),
            part.where,
          ),
        )
        .orderBy(...part.orderBy)
        .limit(part.limit),
  );
  return { events: rows, names: await namesIn(db, rows, by), ...beside };
}

/** What is no id is nobody's. */
function isBy(by: string): SQL {
  return isUuid(by) ? eq(auditEvents.actorId, by) : sql`false`;
}

const newestFirst: Order<ListedEvent> = {
  keys: [
    { by: auditEvents.at, type: "timestamptz", of: ({ at }) => at },
    { by: auditEvents.id, type: "uuid", of: ({ id }) => id },
  ],
  direction: "desc",
};

/** What the things and people are called that the lines are about or mention, by their ids. */
async function namesIn(
  db: Database,
  events: ListedEvent[],
  by: string | null,
): Promise<Record<string, string>> {
  const idsOf = (type: string) => [
    ...new Set(
      events.filter((event) => event.subjectType === type).map((event) => event.subjectId),
    ),
  ];
  const holders = events.flatMap(({ before, after }) =>
    [before, after].map((state) => String((state as { reviewerId?: unknown } | null)?.reviewerId)),
  );
  const [people, ofReviews, ofJobs] = await Promise.all([
    db
      .select({ id: profiles.id, fullName: profiles.fullName })
      .from(profiles)
      .where(inArray(profiles.id, [...idsOf("user"), ...holders, by ?? ""].filter(isUuid))),
    db
      .select({
        id: serviceReviews.id,
        serviceType: serviceReviews.serviceType,
        fullName: profiles.fullName,
      })
      .from(serviceReviews)
      .leftJoin(profiles, eq(profiles.id, serviceReviews.userId))
      .where(inArray(serviceReviews.id, idsOf("review").filter(isUuid))),
    db
      .select({ id: jobs.id, title: jobs.title })
      .from(jobs)
      .where(inArray(jobs.id, idsOf("job").filter(isUuid))),
  ]);
  return Object.fromEntries([
    ...people.map(({ id, fullName }) => [id, nameOr(fullName)]),
    ...ofReviews.map(({ id, serviceType, fullName }) => [
      id,
      `${services[serviceType].shortLabel} of ${nameOr(fullName)}`,
    ]),
    ...ofJobs.map(({ id, title }) => [id, title]),
  ]);
}

const nameOr = (fullName: string | null) => fullName?.trim() || "Unknown User";
