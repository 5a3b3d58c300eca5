import type { BrowserContext } from "@playwright/test";
import { now } from "../../../app/platform/clock.ts";
import { reviewerPhrases } from "../../../app/annotations/tables.server.ts";
import { listed, openWork, remark, rows } from "../support/remarks.ts";
import { openAssigned } from "../support/staff.ts";
import { expect, test } from "../support/test.ts";

test.use({ reducedMotion: "reduce" });

test("a row menu works with presses that do not take focus", async ({ browserOf, product }) => {
  const { page, id } = await openAssigned(product, browserOf);
  await pressLikeSafari(page.context());
  await page.reload();
  const button = page.getByLabel(`Actions for review ${id}`);
  const choice = page.getByRole("link", { name: "Edit Priority" });
  await button.click();
  await choice.click();
  await expect(page.getByRole("dialog", { name: "Set Priority" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  await button.click();
  await expect(choice).toBeVisible();
  await page.getByRole("heading", { level: 1 }).click();
  await expect(choice).toBeHidden();
});

test("a phrase is inserted by a long press that does not take focus", async ({
  browserOf,
  product,
}) => {
  const { page, nila } = await openWork(product, browserOf);
  const text = "Lead with the outcome.";
  await product.db.insert(reviewerPhrases).values({ userId: nila.id, text, createdAt: now() });
  await pressLikeSafari(page.context());
  await page.reload();
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await expect(remark(page)).toBeFocused();
  await page.keyboard.type("Here: /outc");
  await page.getByRole("button", { name: text }).click({ delay: 300 });
  await expect(remark(page)).toHaveValue(`Here: ${text}`);
  await expect(remark(page)).toBeFocused();
});

test("arrow keys move a pressed pin even if links take no focus", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  await pressLikeSafari(page.context());
  await page.reload();
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await expect(remark(page)).toBeFocused();
  await page.keyboard.type("Lead with the outcome.");
  await page.getByRole("button", { name: "Save remark" }).click();
  await expect(listed(page)).toHaveCount(1);
  await expect.poll(() => rows(product, id)).toHaveLength(1);
  await page.locator("#resume-1 .sheet_pin").click();
  await page.keyboard.press("ArrowRight");
  await expect.poll(async () => (await rows(product, id))[0]!.x).toBe(0.51);
});

/**
 * Imitates Safari on a Mac: pressed buttons, links and choices take no focus unless they have a tabindex. A
 * focusable ancestor takes it instead.
 */
function pressLikeSafari(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(() => {
    addEventListener("mousedown", (event) => {
      const pressed = (event.target as Element).closest(
        "a[href]:not([tabindex]), button, select, input:is([type=checkbox], [type=radio], [type=file])",
      );
      if (!pressed || event.defaultPrevented) return;
      event.preventDefault();
      const around = pressed.parentElement!.closest<HTMLElement>("[tabindex], summary");
      // Keeps the pressed element under the pointer.
      if (around) around.focus({ preventScroll: true });
      else (document.activeElement as HTMLElement | null)?.blur();
    });
  });
}
