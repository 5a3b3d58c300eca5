import { eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { writeCursor } from "../../platform/list.server.ts";
import { type Material, preferredMaterial } from "../materials.ts";
import type { ServiceType } from "../rules.ts";
import { serviceReviews } from "../tables.server.ts";

/** How many rows a page of the admin's lists has. */
export const rowsPerPage = 50;

/** A page of a list; `next` is the cursor of the page behind it, `total` counts all pages. */
export type ListPage<Row> = { rows: Row[]; next: string | null; total: number };

/** Cuts the one row too many that tells whether there is a page behind; `place` makes its cursor. */
export function pageOf<Row>(
  rows: Row[],
  place: (last: Row) => (string | number)[],
): { shown: Row[]; next: string | null } {
  const shown = rows.slice(0, rowsPerPage);
  const last = shown.at(-1);
  return { shown, next: last && rows.length > shown.length ? writeCursor(place(last)) : null };
}

/** What every list of reviews shows of one. */
export type ListedReview = {
  id: string;
  serviceType: ServiceType;
  userId: string;
  resource: Material | null;
  priority: number;
  submittedAt: Date;
};

/** The columns that make a {@link ListedReview}. */
export const listed = {
  id: serviceReviews.id,
  serviceType: serviceReviews.serviceType,
  userId: serviceReviews.userId,
  resumeFilePath: serviceReviews.resumeFilePath,
  portfolioUrl: serviceReviews.portfolioUrl,
  portfolioFilePath: serviceReviews.portfolioFilePath,
  priority: serviceReviews.priority,
  submittedAt: serviceReviews.createdAt,
};

type ListedRow = Omit<ListedReview, "resource"> & Parameters<typeof preferredMaterial>[0];

export function listedReview(row: ListedRow): ListedReview {
  const { id, serviceType, userId, priority, submittedAt } = row;
  return { id, serviceType, userId, priority, submittedAt, resource: preferredMaterial(row) };
}

export function ofType(type: ServiceType | null): SQL | undefined {
  return type ? eq(serviceReviews.serviceType, type) : undefined;
}

/** A moment in a cursor, in milliseconds, from the year 1 to 9999: others are written in another way. */
export const cursorMoment = z.number().int().min(-62_135_596_800_000).max(253_402_300_799_999);

/** `moment` as a parameter that is compared with a column of moments. */
export function atMoment(milliseconds: number): SQL {
  return sql`${new Date(milliseconds).toISOString()}::timestamptz`;
}
