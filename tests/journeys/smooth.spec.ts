import type { Page } from "@playwright/test";
import { expect, test } from "./support/test.ts";

declare global {
  interface Window {
    sameDocument?: boolean;
    morphed?: Promise<string[]>;
  }
}

test("filters change the board and its address without a new page, and going back undoes them", async ({
  page,
}) => {
  await page.goto("/jobs");
  await scriptsRun(page);
  await page.evaluate(() => (window.sameDocument = true));
  const internships = page.getByRole("radio", { name: "Internship" });
  await internships.check();
  await expect(page).toHaveURL("/jobs?type=Internship");
  await expect(page.getByText(/^Showing \d+( of \d+)? internship jobs?$/)).toBeVisible();
  await expect(internships).toBeFocused();

  await page.goBack();
  await expect(page).toHaveURL("/jobs");
  await expect(page.getByRole("radio", { name: "All" })).toBeChecked();
  await expect(page.getByText(/^Showing \d+ of \d+ jobs$/)).toBeVisible();
  expect(await page.evaluate(() => window.sameDocument)).toBe(true);
});

for (const [motion, spoken] of [
  ["no-preference", "moves from the board to its page"],
  ["reduce", "is at its place at once for people who want less motion"],
] as const) {
  test(`a job's title ${spoken}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: motion });
    await page.goto("/jobs");
    await scriptsRun(page);
    await watchTransitions(page);
    const link = page.getByRole("main").getByRole("heading", { level: 2 }).getByRole("link");
    const title = await link.first().innerText();
    await link.first().click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    const durations = await page.evaluate(() => window.morphed);
    expect(durations!.length).toBeGreaterThan(0);
    const isShort = durations!.every((duration) => Number(duration) < 1);
    expect(isShort).toBe(motion === "reduce");
  });
}

/** Toasts become a popover once scripts run. */
async function scriptsRun(page: Page): Promise<void> {
  await expect(page.locator(".toasts[popover]")).toBeAttached();
}

/** Keeps how long the parts of the title's transition take, in milliseconds. */
async function watchTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      const transition = start(update);
      window.morphed = transition.ready.then(() =>
        document
          .getAnimations()
          .map(({ effect }) => effect as KeyframeEffect)
          .filter((effect) => effect.pseudoElement === "::view-transition-group(job-title)")
          .map((effect) => String(effect.getComputedTiming().duration)),
      );
      return transition;
    };
  });
}
