import { remarkOn, pageWords, withPages } from "../../support/rows/marked-reviews.ts";
import { assignedReview } from "../../support/rows/review-states.ts";
import { objectionsOn } from "../support/axe.ts";
import { stickingOut } from "../support/looks.ts";
import type { RunningProduct } from "../support/product.ts";
import { openSummary, ownPeople } from "../support/staff.ts";
import { expect, test } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";

test("a reviewer opens What software reads without losing typed text", async ({
  product,
  browserOf,
}) => {
  const { path, email } = await openWork(product);
  const page = await browserOf(email, path);
  await expect(page.locator(".sheet_pin").first()).toBeVisible();
  const feedback = page.getByRole("textbox", { name: "Feedback" });
  await openSummary(page);
  await feedback.fill("Lead with the outcome.");
  await page.getByRole("link", { name: "What software reads" }).click();
  await expect(page.getByRole("heading", { name: "Resume, as software reads it" })).toBeVisible();
  await expect(
    page.getByText("Software finds no email address and no phone number in the text."),
  ).toBeVisible();
  await expect(page.locator(".machine-reading_page").first()).toContainText(pageWords);
  await expect(page.locator(".sheet_pin")).toHaveCount(0);
  await expect(feedback).toHaveValue("Lead with the outcome.");
  expect(await objectionsOn(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await page.evaluate(stickingOut)).toEqual([]);
  await page.getByRole("link", { name: "Pages", exact: true }).click();
  await expect(page.locator(".sheet_pin").first()).toBeVisible();
  await expect(feedback).toHaveValue("Lead with the outcome.");
});

test("without scripts, What software reads is its own page", async ({ product, browser }) => {
  const { path, email } = await openWork(product);
  const page = await openPlainPage(browser, product, email);
  await page.goto(path);
  await page.getByRole("link", { name: "What software reads" }).click();
  await expect(page).toHaveURL(/\?reading$/);
  await expect(page.getByRole("link", { name: "What software reads" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expect(page.locator(".machine-reading_page")).toHaveCount(2);
  await expect(page.getByRole("textbox", { name: "Feedback" })).toBeVisible();
  await page.context().close();
});

async function openWork(product: RunningProduct) {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  await withPages(product.db, id);
  await remarkOn(product.db, id, nila, { x: 0.1, y: 0.2, width: 0.6, height: 0.02 });
  return { path: `/reviewer/submission/${id}`, email: nila.email };
}
