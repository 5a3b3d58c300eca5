import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { reviewRemarks } from "../../../app/annotations/tables.server.ts";
import { withPages } from "../../support/rows/marked-reviews.ts";
import { assignedReview } from "../../support/rows/review-states.ts";
import type { RunningProduct } from "./product.ts";
import { ownPeople } from "./staff.ts";

export const remark = (page: Page) => page.getByRole("textbox", { name: "Remark", exact: true });
export const listed = (page: Page) => page.locator(".remarks > ol > li");

export async function openWork(
  product: RunningProduct,
  browserOf: (email: string) => Promise<Page>,
) {
  const { customer, nila } = await ownPeople(product);
  const id = await markedWork(product, customer, nila);
  const page = await browserOf(nila.email);
  await page.goto(`/reviewer/submission/${id}`);
  return { page, id, nila };
}

export async function markedWork(
  { db }: RunningProduct,
  customer: { id: string },
  reviewer: { id: string },
): Promise<string> {
  const id = await assignedReview(db, customer, reviewer);
  await withPages(db, id);
  return id;
}

export function rows({ db }: RunningProduct, reviewId: string) {
  return db
    .select()
    .from(reviewRemarks)
    .where(eq(reviewRemarks.reviewId, reviewId))
    .orderBy(reviewRemarks.createdAt);
}

export async function open(page: Page, text: RegExp) {
  await listed(page).filter({ hasText: text }).locator("summary").first().click();
}
