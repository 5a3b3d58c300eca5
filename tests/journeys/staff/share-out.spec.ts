import { eq } from "drizzle-orm";
import { day, formatShortDate, now, toIsoDay } from "../../../app/platform/clock.ts";
import { reviewAssignments, serviceReviews } from "../../../app/reviews/tables.server.ts";
import { pendingReviews } from "../../support/rows/review-states.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

test("an admin shares out the selection, and reviewers who are away get none", async ({
  browserOf,
  product,
}) => {
  const { db } = product;
  const { customer, omana } = await ownPeople(product);
  await pendingReviews(db, customer, 4);
  const inAWeek = new Date(now().getTime() + 7 * day);
  const away = await browserOf(omana.email, "/reviewer/about-you");
  await away.getByLabel("Away until (optional)").fill(toIsoDay(inAWeek));
  await away.getByLabel("Reviews a day (optional)").fill("51");
  await away.getByRole("button", { name: "Save availability" }).click();
  await expect(
    away.getByText("Enter a whole number from 1 to 50, or leave it empty"),
  ).toBeVisible();
  await expect(away.getByLabel("Away until (optional)")).toHaveValue(toIsoDay(inAWeek));
  await away.getByLabel("Reviews a day (optional)").fill("5");
  await away.getByRole("button", { name: "Save availability" }).click();
  await expect(away.getByText(`You're away until ${formatShortDate(inAWeek)}`)).toBeVisible();

  const page = await browserOf(
    "gita@example.in",
    `/admin/reviews?search=${encodeURIComponent(customer.email)}`,
  );
  const reviewer = page.locator(".lists_assign-bar").getByLabel("Reviewer", { exact: true });
  await expect(
    reviewer.getByRole("option", {
      name: `${omana.fullName} (0) · Away until ${formatShortDate(inAWeek)}, 0 of 5 today`,
    }),
  ).toBeAttached();
  await page.getByRole("checkbox", { name: "Select all 4 on this page" }).check();
  await reviewer.selectOption("Share out evenly");
  await page.getByRole("button", { name: "Assign Selected (4)" }).click();
  await expect(page.getByText("Successfully assigned 4 reviews to reviewer")).toBeVisible();
  const rows = await db
    .select({ reviewerId: reviewAssignments.reviewerId })
    .from(reviewAssignments)
    .innerJoin(serviceReviews, eq(serviceReviews.id, reviewAssignments.reviewId))
    .where(eq(serviceReviews.userId, customer.id));
  expect(rows).toHaveLength(4);
  expect(rows.map(({ reviewerId }) => reviewerId)).not.toContain(omana.id);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a reviewer sets their availability, and an admin shares out", async ({
    page,
    context,
    product,
  }) => {
    const { customer, nila } = await ownPeople(product);
    await pendingReviews(product.db, customer, 1);
    await signInByCookie(context, product, nila.email);
    await page.goto("/reviewer/about-you");
    await page.getByLabel("Reviews a day (optional)").fill("0");
    await page.getByRole("button", { name: "Save availability" }).click();
    await expect(page.getByText("Enter a whole number from 1 to 50")).toBeVisible();
    await expect(page.getByLabel("Reviews a day (optional)")).toHaveValue("0");
    await page.getByLabel("Reviews a day (optional)").fill("3");
    await page.getByRole("button", { name: "Save availability" }).click();
    await expect(page.getByText("Your availability is saved")).toBeVisible();
    await expect(page.getByLabel("Reviews a day (optional)")).toHaveValue("3");
    await signInByCookie(context, product, "gita@example.in");
    await page.goto(`/admin/reviews?search=${encodeURIComponent(customer.email)}`);
    await page.getByRole("checkbox", { name: /^Select review/ }).check();
    await page
      .locator(".lists_assign-bar")
      .getByLabel("Reviewer", { exact: true })
      .selectOption("Share out evenly");
    await page.getByRole("button", { name: /^Assign Selected/ }).click();
    await expect(page.getByText("Successfully assigned 1 review to reviewer")).toBeVisible();
  });
});
