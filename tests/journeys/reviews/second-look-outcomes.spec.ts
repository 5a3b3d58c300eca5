import { eq } from "drizzle-orm";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import { remarkOn, withPages } from "../../support/rows/marked-reviews.ts";
import { assignedReview, completedReview } from "../../support/rows/review-states.ts";
import { objectionsOn } from "../support/axe.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, test } from "../support/test.ts";

test("a reviewer decides about an earlier remark, and the customer compares before and after", async ({
  browserOf,
  product,
}) => {
  const { db } = product;
  const { customer, nila } = await ownPeople(product);
  const earlier = await completedReview(db, customer, nila);
  await withPages(db, earlier);
  await remarkOn(db, earlier, nila, { x: 0.1, y: 0.19, width: 0.6, height: 0.04, number: 1 });
  const look = await assignedReview(db, customer, nila);
  const resumeFilePath = `${customer.id}/${look}.pdf`;
  await db
    .update(serviceReviews)
    .set({ secondLookOf: earlier, resumeFilePath })
    .where(eq(serviceReviews.id, look));
  await withPages(db, look);

  const work = await browserOf(nila.email, `/reviewer/submission/${look}`);
  await expect(work.getByRole("heading", { level: 1 })).toHaveText("Second look: Resume Review");
  await expect(work.getByRole("heading", { name: "Earlier: Resume, page 1 of 2" })).toBeVisible();
  await work.getByLabel("Here: the same words are there").check();
  await work.getByText("Partly", { exact: true }).click();
  await work.getByLabel("A sentence for the customer").fill("The date is still missing.");
  await expect(work.getByRole("tab", { name: "Earlier 1/1" })).toBeVisible();
  await expect(work.getByText("Saved", { exact: true }).first()).toBeVisible();
  await work.reload();
  await expect(work.getByRole("tab", { name: "Earlier 1/1" })).toBeVisible();
  await expect(work.getByLabel("A sentence for the customer")).toHaveValue(
    "The date is still missing.",
  );
  expect(await objectionsOn(work)).toEqual([]);
  const preview = await browserOf(nila.email, `/reviewer/submission/${look}/preview`);
  await expect(preview.getByRole("heading", { name: "0 of 1 solved" })).toBeVisible();
  await expect(preview.getByText("The date is still missing.")).toBeVisible();
  await work.getByRole("tab", { name: /^Summary/ }).click();
  await work.getByLabel("Feedback").fill("Much better.");
  await work.getByRole("button", { name: "Submit Review" }).click();
  await expect(work.getByText("Review submitted successfully")).toBeVisible();

  const page = await browserOf(customer.email, `/service-review/${look}`);
  await page.getByRole("link", { name: "0 of 1 solved" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Before and after");
  await expect(page.getByText("The date is still missing.")).toBeVisible();
  await expect(page.getByText("Before: Resume, page 1 of 2")).toBeVisible();
  await expect(page.getByText("After: Resume, page 1 of 2")).toBeVisible();
  expect(await objectionsOn(page)).toEqual([]);
});
