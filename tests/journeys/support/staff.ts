import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { hour, now } from "../../../app/platform/clock.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import { person } from "../../support/rows/people.ts";
import { assignedReview } from "../../support/rows/review-states.ts";
import type { RunningProduct } from "./product.ts";

/** Creates a customer and two reviewers for one test, so that no other journey changes their reviews. */
export async function ownPeople({ db }: RunningProduct) {
  const [customer, nila, omana] = await Promise.all([
    person(db, ownName("Chitra")),
    person(db, ownName("Nila"), { roles: ["reviewer"] }),
    person(db, ownName("Omana"), { roles: ["reviewer"] }),
  ]);
  return { customer, nila, omana };
}

/** Assigns a review of a portfolio URL to a reviewer, since it needs no files. */
export async function ownWork(
  { db }: RunningProduct,
  ...[customer, reviewer, status]: [{ id: string }, { id: string }, "pending" | "under_review"]
): Promise<string> {
  const id = await assignedReview(db, customer, reviewer, { type: "portfolio_review", status });
  await db.update(serviceReviews).set({ portfolioFilePath: null }).where(eq(serviceReviews.id, id));
  return id;
}

/** Creates own people, and a review of theirs that is overdue by two and a half hours. */
export async function ownOverdueWork(product: RunningProduct) {
  const people = await ownPeople(product);
  const dueAt = new Date(now().getTime() - 2.5 * hour);
  await assignedReview(product.db, people.customer, people.nila, { dueAt });
  return people;
}

/** Opens a new review in its reviewer's workspace. */
export async function openOwnWork(
  product: RunningProduct,
  browserOf: (email: string) => Promise<Page>,
): Promise<{ page: Page; id: string; nila: { id: string; email: string } }> {
  const { customer, nila } = await ownPeople(product);
  const id = await ownWork(product, customer, nila, "under_review");
  const page = await browserOf(nila.email);
  await page.goto(`/reviewer/submission/${id}`);
  return { page, id, nila };
}

/** Opens the admins' list of a reviewer's assignments, with one review. */
export async function openAssigned(
  product: RunningProduct,
  browserOf: (email: string) => Promise<Page>,
): Promise<{ page: Page; id: string }> {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  const page = await browserOf("gita@example.in");
  await page.goto(`/admin/reviews/assigned?reviewer=${nila.id}`);
  return { page, id };
}

/** Returns a unique name, so that names and addresses differ between journeys. */
function ownName(first: string): string {
  return `${first} ${randomUUID().slice(0, 8)}`;
}

/** Opens the tab of the workspace with the feedback. */
export async function openSummary(page: Page): Promise<void> {
  await page.locator("#tab-summary").click();
}
