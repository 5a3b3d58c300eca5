import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { holdBack, isDrawn } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";
import { insertJobs } from "../../support/rows/jobs.ts";

declare global {
  interface Window {
    sameDocument?: boolean;
  }
}

test("filters update the board and its URL without a page load, and going back undoes them", async ({
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

test("repeating a search adds no history entry, and hiding summaries keeps the current page", async ({
  page,
}) => {
  await page.goto("/jobs?search=design");
  const length = () => page.evaluate(() => history.length);
  const before = await length();
  await page.getByRole("searchbox", { name: "Search jobs" }).press("Enter");
  await isDrawn(page);
  const next = await page.getByRole("link", { name: "Load more" }).getAttribute("href");
  expect(await length()).toBe(before);

  await page.goto(next!);
  const first = page.locator('main article a[href^="/jobs/"]').first();
  const job = (await first.getAttribute("href"))!;
  await page.getByRole("switch", { name: "Show Summary" }).uncheck();
  await expect(page).toHaveURL(/summary=hide/);
  expect(new URL(page.url()).searchParams.get("after")).toBe(
    new URL(next!, page.url()).searchParams.get("after"),
  );
  await expect(first).toHaveAttribute("href", job);
});

test("a late answer does not undo a newer action", async ({ page }) => {
  await page.clock.install();
  await page.goto("/jobs");
  const search = page.getByRole("searchbox", { name: "Search jobs" });
  const letMoreGo = await holdBack(page, /after=/);
  await page.getByRole("link", { name: "Load more" }).click();
  await search.focus();
  letMoreGo();
  await expect(page.getByText(/^Showing 40 of /)).toBeVisible();
  await expect(search).toBeFocused();

  const letJobGo = await holdBack(page, /\/jobs\/[\w-]+\.data/);
  const jobRequest = page.waitForRequest(/\/jobs\/[\w-]+\.data/);
  const job = page.getByRole("main").getByRole("heading", { level: 2 }).getByRole("link").first();
  const title = await job.innerText();
  await search.pressSequentially("de");
  await job.click();
  await jobRequest;
  // The debounce after which the search runs.
  await page.clock.runFor(300);
  letJobGo();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
});

test("a late page of an earlier search is not added to a newer one", async ({
  page,
  product: { db },
}) => {
  const posted = (of: number, title: string) =>
    Array.from({ length: of }, (_, age) => ({
      title,
      company: "Theodolite Works",
      postedAt: new Date(Date.UTC(2026, 0, title === "Vernier" ? 2 : 1) - age),
    }));
  await insertJobs(db, [...posted(25, "Vernier"), ...posted(25, "Carrier")]);
  await page.goto("/jobs?search=theodolite");
  const letGo = await holdBack(page, /after=/);
  const more = page.getByRole("link", { name: "Load more" });
  await more.click();
  await page.getByRole("searchbox", { name: "Search jobs" }).fill("vernier");
  await expect(page.getByText(/^Showing 20 of 25 jobs for “vernier”/)).toBeVisible();
  await expect(more).toHaveAttribute("aria-busy");
  letGo();
  await expect(more).not.toHaveAttribute("aria-busy");
  await expect(page.getByRole("link", { name: "Carrier" })).toHaveCount(0);
  await db.delete(jobs).where(eq(jobs.company, "Theodolite Works"));
});

/** Toasts become a popover once scripts run. */
async function scriptsRun(page: Page): Promise<void> {
  await expect(page.locator(".toasts[popover]")).toBeAttached();
}
