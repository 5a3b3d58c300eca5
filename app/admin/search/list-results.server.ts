import { and, desc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles, users } from "../../accounts/tables.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { formatShortDate } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { hasIdStart } from "../../platform/lists/list.server.ts";
import { toSearchForm } from "../../platform/text/text.ts";
import { formatReviewStatus } from "../../reviews/rules.ts";
import { getBoughtService } from "../../reviews/second-looks.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { operations, parts, screens } from "../admin-screens.ts";
import type { ResultGroup, SearchResult } from "../result-groups.tsx";
import { matchesPeopleSearch } from "../search-people.server.ts";
import { listOrders } from "../orders/read-orders.server.ts";

/** The most results of each kind. */
const maxResults = 5;

/** People who are considered for a search, before the first ones are shown. */
const maxPeople = 50;

/**
 * Searches people by name, email and id, orders by transaction ID and buyer, reviews by id and customer, and screens
 * by name. The beginning of an id is enough. An empty search lists the screens.
 *
 * @returns the groups with results
 */
export async function listFoundItems(
  db: Database,
  actor: Actor | null,
  search: string,
): Promise<ResultGroup[]> {
  authorize(actor, "product.oversee");
  const screens = listScreens(search);
  if (!search) return [{ name: "Screens", results: screens }];
  const people = await listPeople(db, search);
  const [orders, reviews] = await Promise.all([
    listOrders(db, actor, { search, state: null, after: null }),
    listReviews(
      db,
      search,
      people.map(({ id }) => id),
    ),
  ]);
  return [
    { name: "People", results: people.map(toPersonResult) },
    { name: "Reviews", results: reviews.map(toReviewResult) },
    { name: "Orders", results: orders.rows.slice(0, maxResults).map(toOrderResult) },
    { name: "Screens", results: screens.slice(0, maxResults) },
  ].filter(({ results }) => results.length > 0);
}

function listScreens(search: string): SearchResult[] {
  const sought = toSearchForm(search);
  return [...parts, ...operations, ...screens]
    .filter(({ label }) => toSearchForm(label).includes(sought))
    .map(({ to, label, about = "" }) => ({ to, title: label, note: about }));
}

async function listPeople(db: Database, search: string) {
  return db
    .select({ id: users.id, email: users.email, name: profiles.fullName, role: users.highestRole })
    .from(users)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .where(
      and(
        isNull(users.closedAt),
        or(
          matchesPeopleSearch(db, users.id, { search, max: maxPeople }),
          hasIdStart(users.id, search),
        ),
      ),
    )
    .orderBy(users.email)
    .limit(maxResults);
}

function listReviews(db: Database, search: string, customers: string[]) {
  const { id, userId, serviceType, secondLookOf, status, createdAt } = serviceReviews;
  return db
    .select({ id, serviceType, secondLookOf, status, createdAt, name: profiles.fullName })
    .from(serviceReviews)
    .leftJoin(profiles, eq(profiles.id, userId))
    .where(
      or(hasIdStart(id, search), customers.length > 0 ? inArray(userId, customers) : sql`false`),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(maxResults);
}

type Person = Awaited<ReturnType<typeof listPeople>>[number];

function toPersonResult({ id, email, name, role }: Person): SearchResult {
  const note = [name?.trim() && email, role !== "user" && role].filter(Boolean).join(" · ");
  return { to: `/admin/users/${id}`, title: name?.trim() || email, note };
}

/** The list of each status, which shows the review by its id. */
const lists = {
  pending: "/admin/reviews",
  under_review: "/admin/reviews/assigned",
  completed: "/admin/reviews/completed",
} as const;

function toReviewResult({
  id,
  status,
  createdAt,
  name,
  ...bought
}: Awaited<ReturnType<typeof listReviews>>[number]): SearchResult {
  return {
    to: `${lists[status]}?search=${id}`,
    title: `${getBoughtService(bought).label}, ${name?.trim() || "unnamed customer"}`,
    note: `${formatReviewStatus(status)} · submitted ${formatShortDate(createdAt)}`,
  };
}

function toOrderResult({
  orderId,
  buyer,
  amountPaise,
  status,
  createdAt,
}: Awaited<ReturnType<typeof listOrders>>["rows"][number]): SearchResult {
  return {
    to: `/admin/orders/${encodeURIComponent(orderId)}`,
    title: `${formatRupees(amountPaise)}, ${buyer ?? "deleted account"}`,
    note: `${orderId} · ${status} · ${formatShortDate(createdAt)}`,
  };
}
