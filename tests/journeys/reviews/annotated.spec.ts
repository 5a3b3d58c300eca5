import { readFile } from "node:fs/promises";
import { and, eq } from "drizzle-orm";
import { users } from "../../../app/accounts/tables.server.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import { readAnnotations } from "../../support/documents/annotations.ts";
import { remarkOn, withPages } from "../../support/rows/marked-reviews.ts";
import { completedReview } from "../../support/rows/review-states.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, test } from "../support/test.ts";

test("a customer downloads a review as a PDF with annotations", async ({ product, browserOf }) => {
  const [review] = await product.db
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .where(and(eq(users.email, "asha@example.com"), eq(serviceReviews.status, "completed")));
  const page = await browserOf("asha@example.com", `/service-review/${review!.id}`);
  await expect(page.getByText(/Preparing/)).toHaveCount(0, { timeout: 150_000 });
  const [download] = await Promise.all([
    page.waitForEvent("download", { timeout: 60_000 }),
    page.getByRole("link", { name: "PDF with remarks" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.pdf$/);
  const pages = await readAnnotations(await readFile(await download.path()));
  const squares = pages.flatMap(({ annotations }) =>
    annotations.filter(({ kind }) => kind === "square"),
  );
  expect(squares.length).toBeGreaterThan(10);
  await expect(page.getByRole("link", { name: "PDF with remarks" })).toBeVisible();
});

// Covered by "app/annotations/annotated-pdf/annotated-pdfs.test.ts: the review's screen says that pages are being rendered".
test("the result explains why a PDF isn't available yet @slow", async ({ product, browserOf }) => {
  const { customer, nila } = await ownPeople(product);
  const id = await completedReview(product.db, customer, nila);
  await withPages(product.db, id, { state: "rendering", pages: 1 });
  await remarkOn(product.db, id, nila);
  const page = await browserOf(customer.email, `/service-review/${id}`);
  await page.getByRole("link", { name: "PDF with remarks" }).click();
  await expect(page.getByText("No PDF yet")).toBeVisible();
  await expect(page).toHaveURL(`/service-review/${id}`);
  await expect(page.getByText("Say what came of it.").first()).toBeVisible();
});
