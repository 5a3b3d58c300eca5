import { now } from "../../../app/platform/clock.ts";
import { reviewerPhrases } from "../../../app/annotations/tables.server.ts";
import { objectionsOn } from "../support/axe.ts";
import { remark, listed, openWork, rows } from "../support/remarks.ts";
import { expect, test } from "../support/test.ts";

test.use({ reducedMotion: "reduce" });

test("a phrase is saved once and found by its letters", async ({ browserOf, product }) => {
  const { page } = await openWork(product, browserOf);
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await page.keyboard.type("Lead with the outcome.");
  await page.getByRole("button", { name: "Save as a phrase" }).click();
  await expect(page.getByText("Your saved phrases (1)")).toBeVisible();
  await page.getByRole("button", { name: "Save remark" }).click();
  await page.locator("#resume-2").getByRole("button", { name: "Whole page" }).click();
  await page.keyboard.type("Here too: /outc");
  await expect(page.getByRole("group", { name: "Saved phrases" })).toBeVisible();
  expect(await objectionsOn(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(remark(page)).toHaveValue("Here too: Lead with the outcome.");
});

test("a phrase is inserted at the caret", async ({ browserOf, product }) => {
  const { page, id, nila } = await openWork(product, browserOf);
  const text = "Lead with the outcome.";
  await product.db.insert(reviewerPhrases).values({ userId: nila.id, text, createdAt: now() });
  await page.reload();
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await page.keyboard.type("Half of /outc");
  const offered = page.getByRole("group", { name: "Saved phrases" });
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("button", { name: text })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(offered).toBeVisible();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(listed(page)).toHaveText([/Half of \/outc/]);
  await expect
    .poll(() => rows(product, id))
    .toEqual([expect.objectContaining({ text: "Half of /outc" })]);
});
