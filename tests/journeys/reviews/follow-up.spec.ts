import { remarkOn, withPages } from "../../support/rows/marked-reviews.ts";
import { completedReview } from "../../support/rows/review-states.ts";
import { objectionsOn } from "../support/axe.ts";
import { stickingOut } from "../support/looks.ts";
import type { RunningProduct } from "../support/product.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, test } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";

const question = "Should this sentence name the number, or is the outcome enough?";
const answer = "Name the number. Remark 2 shows where it fits best.";
const phone = { viewport: { width: 360, height: 740 } };

/** Creates a completed review with two remarks on its first page. */
async function markedReview(product: RunningProduct) {
  const { customer, nila } = await ownPeople(product);
  const id = await completedReview(product.db, customer, nila);
  await withPages(product.db, id);
  for (const [index, y] of [0.2, 0.6].entries())
    await remarkOn(product.db, id, nila, {
      x: 0.1,
      y,
      width: 0.4,
      height: 0.05,
      number: index + 1,
    });
  return { customer, nila, path: `/service-review/${id}` };
}

test("a customer asks on a phone without scripts, the reviewer answers, and the customer reads it", async ({
  browser,
  browserOf,
  product,
}) => {
  const { customer, nila, path } = await markedReview(product);
  const page = await openPlainPage(browser, product, customer.email, phone);
  await page.goto(path);
  await page.getByRole("link", { name: "Ask about this remark, number 2" }).click();
  await expect(page.getByLabel("About")).toContainText("Remark 2: Say what came of it.");
  await expect(page.getByLabel("About").locator("option:checked")).toContainText("Remark 2");
  await page.getByLabel("Your question").fill("Which one?");
  await page.getByRole("button", { name: "Ask the question" }).click();
  await expect(page.getByText("Please write at least 20 characters")).toBeVisible();
  await expect(page.getByLabel("Your question")).toHaveValue("Which one?");
  await page.getByLabel("Your question").fill(question);
  expect(await page.evaluate(stickingOut)).toEqual([]);
  await page.getByRole("button", { name: "Ask the question" }).click();
  const part = page.getByRole("region", { name: "Your question" });
  await expect(part).toContainText(question);
  await expect(part).toContainText("about remark 2");
  await expect(part).toContainText("Your reviewer answers by");

  const work = await browserOf(nila.email, "/reviewer");
  await expect(work.getByRole("heading", { name: "Questions" })).toBeVisible();
  await work.getByRole("link", { name: question }).click();
  await expect(work.getByRole("heading", { name: "The question" })).toBeVisible();
  await work.getByLabel("Your answer").fill(answer);
  await expect(work.getByText("Saved.")).toBeVisible();
  await work.reload();
  await expect(work.getByLabel("Your answer")).toHaveValue(answer);
  await work.getByLabel("Link a remark (optional)").selectOption({ index: 2 });
  expect(await objectionsOn(work)).toEqual([]);
  await work.getByRole("button", { name: "Send the answer" }).click();
  await expect(work.getByText("Answer sent")).toBeVisible();
  await expect(work.getByRole("heading", { name: "Questions" })).toHaveCount(0);

  await page.goto(path);
  await page.getByRole("link", { name: "Read the answer" }).click();
  await expect(part).toContainText(answer);
  await expect(part.getByRole("link", { name: "remark 2" }).last()).toHaveAttribute(
    "href",
    `${path}#remark-2`,
  );
  expect(await page.evaluate(stickingOut)).toEqual([]);
});

test("a question typed in one tab is in the next, and an older tab keeps both texts", async ({
  browserOf,
  product,
}) => {
  const { customer, path } = await markedReview(product);
  const first = await browserOf(customer.email, `${path}/question`);
  const second = await browserOf(customer.email, `${path}/question`);
  await first.getByLabel("Your question").fill(question);
  await expect(first.getByText("Saved.")).toBeVisible();
  await second.getByLabel("Your question").fill("Another text");
  await expect(second.getByText(question)).toBeVisible();
  await expect(second.getByLabel("Your question")).toHaveValue("Another text");
  await second.getByRole("button", { name: "Use the other text" }).click();
  await expect(second.getByLabel("Your question")).toHaveValue(question);

  await second.getByRole("button", { name: "Ask the question" }).click();
  await expect(second.getByText("Your reviewer answers by")).toBeVisible();
  await first.getByLabel("Your question").fill(`${question} Or neither?`);
  await first.getByRole("button", { name: "Ask the question" }).click();
  await expect(first.getByRole("main").getByRole("alert")).toContainText(
    "You've already asked your question",
  );
  await expect(first.getByText(`${question} Or neither?`)).toBeVisible();
});
