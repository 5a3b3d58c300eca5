import type { Page } from "@playwright/test";
import { objectionsOn } from "../support/axe.ts";
import { stickingOut } from "../support/looks.ts";
import { fixture } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

/** Checks the fixture on the open page. */
async function checkResume(page: Page, file: string): Promise<void> {
  await page.getByLabel(/resume/).setInputFiles(fixture(file));
  await page.getByRole("button", { name: "Check my resume" }).click();
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });

    test("a visitor sees what software reads in a resume", async ({ page }) => {
      await page.goto("/services");
      await page.getByRole("link", { name: "See what software reads in your resume" }).click();
      await expect(page).toHaveURL("/services/resume-check");
      await expect(page.getByText("We store no file, no text and no result.")).toBeVisible();

      await checkResume(page, "password.pdf");
      await expect(page.getByText("This file is password-protected.")).toBeVisible();

      await checkResume(page, "resume.pdf");
      const result = page.locator(".resume-check_result");
      await expect(result.getByRole("heading", { name: "resume.pdf" })).toBeVisible();
      if (javaScriptEnabled) await expect(result).toBeFocused();
      await expect(result.getByText("All text can be selected.")).toBeVisible();
      await expect(result.getByText("It has 2 pages.")).toBeVisible();
      await expect(result.getByText("Page 1")).toBeHidden();
      await result.getByText("What software reads").click();
      await expect(result.getByText("Page 1")).toBeVisible();
      await expect(result.getByText("Meera Iyer").first()).toBeVisible();
      // The page can be checked only with scripts.
      if (javaScriptEnabled) {
        expect(await objectionsOn(page)).toEqual([]);
        await page.setViewportSize({ width: 360, height: 780 });
        expect(await page.evaluate(stickingOut)).toEqual([]);
      }

      await result.getByRole("link", { name: "See Resume Review" }).click();
      await expect(page).toHaveURL("/services");
    });
  });
}

test("a person who can't reach the server learns that nothing was checked", async ({ page }) => {
  await page.goto("/services/resume-check");
  await page.route("**/services/resume-check.data*", (route) =>
    route.abort("internetdisconnected"),
  );
  await checkResume(page, "resume.pdf");
  await expect(page.getByText("Your file wasn't checked.")).toBeVisible();
  await page.unroute("**/services/resume-check.data*");
  await page.getByRole("button", { name: "Check my resume" }).click();
  await expect(page.getByText("All text can be selected.")).toBeVisible();
});
