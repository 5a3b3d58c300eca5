import { assignedReview, pendingReview } from "../../support/rows/review-states.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

test("an admin finds a customer's reviews in each list", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  const pending = await pendingReview(product.db, customer);
  const assigned = await assignedReview(product.db, customer, nila);
  const page = await browserOf("gita@example.in", "/admin/reviews?type=resume_review");
  const search = page.getByRole("searchbox", { name: "Search reviews" });
  await expect(search).toHaveAccessibleDescription(/first 4 or more characters/);
  await search.fill(customer.email);
  await expect(page).toHaveURL(/search=.*type=resume_review/);
  const found = page.getByRole("checkbox", { name: /^Select review/ });
  await expect(found).toHaveCount(1);
  await expect(page.getByLabel(`Select review ${pending}`)).toBeVisible();
  await expect(search).toBeFocused();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByLabel(`Actions for review ${pending}`).click();
  await page.getByRole("button", { name: "Copy review ID" }).click();
  await expect(page.getByText("Copied the review ID")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(pending);

  await page.getByRole("link", { name: "Assigned Reviews" }).click();
  await expect(page.getByLabel(`Select review ${assigned}`)).toBeVisible();
  await expect(search).toHaveValue(customer.email);
  await page.getByRole("link", { name: "Days Since Purchase" }).click();
  await expect(page).toHaveURL(/search=.*sort=days_since_purchase/);
  await expect(found).toHaveCount(1);

  await search.fill(assigned.slice(0, 13));
  await expect(page).toHaveURL(new RegExp(`search=${assigned.slice(0, 13)}`));
  await expect(found).toHaveCount(1);
  await search.fill("nobody@nowhere.in");
  await expect(
    page.getByRole("heading", { name: "No reviews match “nobody@nowhere.in”" }),
  ).toBeVisible();
  await page.getByRole("link", { name: "Clear search" }).click();
  await expect(search).toHaveValue("");
  await expect(found.first()).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a search is sent with the filters by one button", async ({ page, context, product }) => {
    const { customer } = await ownPeople(product);
    const id = await pendingReview(product.db, customer);
    await signInByCookie(context, product, "gita@example.in");
    await page.goto("/admin/reviews");
    await page.getByRole("searchbox", { name: "Search reviews" }).fill(customer.email);
    await page.getByLabel("Service type").selectOption("Resume Review");
    await page.getByRole("button", { name: "Filter and refresh" }).click();
    await expect(page).toHaveURL(/search=.*type=resume_review/);
    await expect(page.getByRole("checkbox", { name: /^Select review/ })).toHaveCount(1);
    await expect(page.getByLabel(`Select review ${id}`)).toBeVisible();
  });
});
