import type { Page } from "@playwright/test";
import { findPlaceBySlug } from "../../../app/jobs/places/find-places.server.ts";
import { updateSearchWords } from "../../../app/jobs/search-words/update-search-words.server.ts";
import { anywhere } from "../../../app/jobs/places/rules.ts";
import { now } from "../../../app/platform/clock.ts";
import { insertJob, insertJobs } from "../../support/rows/jobs.ts";
import type { RunningProduct } from "../support/product.ts";
import { expect, test } from "../support/test.ts";

const idOf = (slug: string) => findPlaceBySlug(slug)!.id;

/** Posts jobs that only a search for the word finds. */
async function postJobs(product: RunningProduct, word: string) {
  const rows = [
    {
      title: "Onsite",
      workMode: "on-site",
      placeIds: [idOf("pune")],
      discipline: "ux",
      testTask: "none",
    },
    {
      title: "Hybrid",
      workMode: "hybrid",
      placeIds: [idOf("bengaluru")],
      discipline: "ux",
      testTask: "unpaid",
    },
    { title: "India", workMode: "remote", applicantPlaceIds: [idOf("india")], discipline: "brand" },
    { title: "Anywhere", workMode: "remote", applicantPlaceIds: [anywhere], skillIds: [1] },
    {
      title: "Paid",
      payMax: 900_000,
      payPeriod: "year",
      experienceMin: 2,
      experienceMax: 4,
      testTask: "paid",
    },
  ] as const;
  const newest = now().getTime();
  await insertJobs(
    product.db,
    rows.map((row, index) => ({
      ...row,
      placeIds: "placeIds" in row ? [...row.placeIds] : [],
      applicantPlaceIds: "applicantPlaceIds" in row ? [...row.applicantPlaceIds] : [],
      skillIds: "skillIds" in row ? [...row.skillIds] : [],
      title: `${row.title} ${word}`,
      postedAt: new Date(newest - index),
    })),
  );
}

const filters = (page: Page) => page.getByRole("group", { name: "Filters", exact: true });
const chip = (page: Page, name: string) => page.getByRole("link", { name: `Remove ${name}` });

async function openGroup(page: Page, name: string) {
  await filters(page).locator("summary", { hasText: name }).click();
}

async function expectJobs(page: Page, titles: string[]) {
  await expect(page.locator("main article h2")).toHaveText(
    titles.map((title) => new RegExp(`^${title} `)),
  );
}

test("filters narrow the list, chips widen it again, and going back restores both", async ({
  page,
  product,
}) => {
  await postJobs(product, "zincograph");
  await page.goto("/jobs?search=zincograph");
  await expectJobs(page, ["Onsite", "Hybrid", "India", "Anywhere", "Paid"]);
  const remote = filters(page).getByRole("checkbox", { name: /^Remote/ });
  await remote.check();
  await expect(page).toHaveURL("/jobs?search=zincograph&mode=remote");
  await expectJobs(page, ["India", "Anywhere"]);
  await expect(remote).toBeFocused();
  await filters(page)
    .getByRole("checkbox", { name: /^UX design/ })
    .check();
  await expect(page.getByText("No jobs found matching your criteria.")).toBeVisible();

  await chip(page, "UX design").click();
  await expect(page).toHaveURL("/jobs?search=zincograph&mode=remote");
  await expectJobs(page, ["India", "Anywhere"]);
  await expect(filters(page).getByRole("checkbox", { name: /^UX design/ })).not.toBeChecked();
  await page.goBack();
  await expect(chip(page, "UX design")).toBeVisible();
  await expect(filters(page).getByRole("checkbox", { name: /^UX design/ })).toBeChecked();

  await page.getByRole("link", { name: "Clear all" }).click();
  await expect(page).toHaveURL("/jobs?search=zincograph");
  await expectJobs(page, ["Onsite", "Hybrid", "India", "Anywhere", "Paid"]);
  await expect(remote).not.toBeChecked();
});

test("the number beside a value is the number of jobs that it finds", async ({ page, product }) => {
  await postJobs(product, "collotype");
  await page.goto("/jobs?search=collotype");
  await expect(filters(page).getByRole("checkbox", { name: "Remote 2 found" })).toBeVisible();
  await filters(page).getByRole("checkbox", { name: "Pune 3 found" }).check();
  await expectJobs(page, ["Onsite", "India", "Anywhere"]);
  await expect(filters(page).getByRole("checkbox", { name: "Remote 2 found" })).toBeVisible();
});

test("another name of a place finds it, and an unknown name stays to be corrected", async ({
  page,
  product,
}) => {
  await postJobs(product, "heliogravure");
  await page.goto("/jobs?search=heliogravure");
  const field = page.getByRole("textbox", { name: "Another place" });
  await field.fill("Bangalore");
  await field.press("Enter");
  await expect(chip(page, "Bengaluru")).toBeVisible();
  await expectJobs(page, ["Hybrid", "India", "Anywhere"]);
  await expect(filters(page).getByRole("checkbox", { name: /^Bengaluru/ })).toBeChecked();
  await expect(field).toHaveValue("");
  await expect(field).toBeFocused();

  await field.fill("Chikkajala");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(
    page.getByText("We ignored “Chikkajala” in the address: it isn't a known place."),
  ).toBeVisible();
  await expect(field).toHaveValue("Chikkajala");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expectJobs(page, ["Hybrid", "India", "Anywhere"]);
});

test("jobs without pay or experience are left out, but linked", async ({ page, product }) => {
  await postJobs(product, "mezzotint");
  await page.goto("/jobs?search=mezzotint");
  await openGroup(page, "Pay");
  await filters(page)
    .getByRole("radio", { name: /^₹6 LPA or more/ })
    .check();
  await expectJobs(page, ["Paid"]);
  await page.getByRole("link", { name: "4 more don't state pay" }).click();
  await expectJobs(page, ["Onsite", "Hybrid", "India", "Anywhere"]);
  await chip(page, "Pay not stated").click();
  await openGroup(page, "Experience");
  await filters(page).getByRole("combobox", { name: "Your experience" }).selectOption("3");
  await expectJobs(page, ["Paid"]);
  await expect(page.getByRole("link", { name: "4 more don't state experience" })).toBeVisible();
});

for (const width of [360, 1280])
  test(`jobs with an unpaid test task are left out, at ${width} px`, async ({ page, product }) => {
    const word = `cyanotype${width}`;
    await page.setViewportSize({ width, height: 740 });
    await postJobs(product, word);
    await page.goto(`/jobs?search=${word}`);
    const isPhone = width === 360;
    if (isPhone) await page.getByRole("button", { name: "Filters", exact: true }).click();
    await openGroup(page, "Test task");
    await filters(page).getByRole("checkbox", { name: "No unpaid test task 2 found" }).check();
    if (isPhone) await page.getByRole("button", { name: "Show 2 jobs" }).click();
    await expect(page).toHaveURL(`/jobs?search=${word}&task=no-unpaid`);
    await expectJobs(page, ["Onsite", "Paid"]);
    await page.getByRole("link", { name: "2 more don't state if there is a test task" }).click();
    await expectJobs(page, ["India", "Anywhere"]);
    await chip(page, "Test task not stated").click();
    await expectJobs(page, ["Onsite", "Hybrid", "India", "Anywhere", "Paid"]);
  });

test("the highest pay comes first if the list is sorted by it", async ({ page, product }) => {
  await postJobs(product, "aquatint");
  await page.goto("/jobs?search=aquatint");
  await openGroup(page, "Sort");
  await page.getByRole("radio", { name: "Highest pay first" }).check();
  await expect(page).toHaveURL("/jobs?search=aquatint&sort=pay");
  await expect(page.locator("main article h2").first()).toHaveText("Paid aquatint");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("the sheet keeps its choices until it is sent", async ({ page, product }) => {
    await postJobs(product, "lithotint");
    await page.goto("/jobs?search=lithotint");
    const open = page.getByRole("button", { name: "Filters", exact: true });
    await open.click();
    await expect(page.getByRole("button", { name: "Close filters" })).toBeFocused();
    await expect(page.getByRole("button", { name: "Show 5 jobs" })).toBeVisible();
    await filters(page)
      .getByRole("checkbox", { name: /^Remote/ })
      .check();
    await expect(page.getByRole("button", { name: "Show 2 jobs" })).toBeVisible();
    await expect(page).toHaveURL("/jobs?search=lithotint");

    await page.keyboard.press("Escape");
    await expect(filters(page)).toBeHidden();
    await expect(open).toBeFocused();
    await open.click();
    await expect(filters(page).getByRole("checkbox", { name: /^Remote/ })).not.toBeChecked();

    await filters(page)
      .getByRole("checkbox", { name: /^Remote/ })
      .check();
    await page.getByRole("button", { name: "Show 2 jobs" }).click();
    await expect(filters(page)).toBeHidden();
    await expect(page).toHaveURL("/jobs?search=lithotint&mode=remote");
    await expectJobs(page, ["India", "Anywhere"]);
    await expect(page.getByRole("button", { name: "Filters (1)" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test("the focus stays in the open sheet", async ({ page }) => {
    await page.goto("/jobs");
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    const close = page.getByRole("button", { name: "Close filters" });
    await expect(close).toBeFocused();
    await page.getByRole("button", { name: /^Show/ }).focus();
    await page.keyboard.press("Tab");
    await expect(close).toBeFocused();
  });
});

for (const width of [360, 1280]) {
  test.describe(`without scripts, ${width} px wide`, () => {
    test.use({ javaScriptEnabled: false, viewport: { width, height: 740 } });

    test("filters are sent with a button and removed by links", async ({ page, product }) => {
      const word = `stipple${width}`;
      await postJobs(product, word);
      await page.goto(`/jobs?search=${word}`);
      if (width < 1280) await page.getByRole("button", { name: "Filters", exact: true }).click();
      await filters(page)
        .getByRole("checkbox", { name: /^Remote/ })
        .check();
      await page.getByRole("textbox", { name: "Another place" }).fill("Bombay");
      await page.getByRole("button", { name: "Show jobs" }).click();
      await expectJobs(page, ["India", "Anywhere"]);
      await expect(chip(page, "Mumbai")).toBeVisible();
      await chip(page, "Remote").click();
      await expect(page).toHaveURL(`/jobs?search=${word}&place=mumbai`);
      await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
        "href",
        new RegExp(`/jobs\\?search=${word}&place=mumbai$`),
      );
    });
  });
}

test.describe("at 1,280 px", () => {
  test.use({ viewport: { width: 1280, height: 720 } });

  test("a choice made far down brings the results into view and keeps the focus", async ({
    page,
    product,
  }) => {
    for (let turn = 0; turn < 4; turn++) await postJobs(product, "photogravure");
    await page.goto("/jobs?search=photogravure");
    await page.locator("main article").last().scrollIntoViewIfNeeded();
    const unusual = filters(page).getByRole("checkbox", { name: /^Brand/ });
    await unusual.check();
    await expectJobs(page, ["India", "India", "India", "India"]);
    await expect(page.locator("main article h2").first()).toBeInViewport();
    await expect(page.locator("main output")).toBeInViewport();
    await expect(unusual).toBeFocused();
    await expect(unusual).toBeInViewport();
  });
});

test("a search that names a place leads to the jobs there, and keeps its own results", async ({
  page,
  product,
}) => {
  const placeIds = [idOf("kozhikode")];
  await insertJob(product.db, { title: "Xylographer", location: "See the website", placeIds });
  await page.goto("/jobs?search=Calicut");
  await expect(page.getByText("No jobs found matching your criteria.")).toBeVisible();
  await expect(page.getByText("Use the filter above instead.")).toBeVisible();
  await page.getByRole("link", { name: /^\d+ jobs? in Kozhikode$/ }).click();
  await expect(page).toHaveURL("/jobs?place=kozhikode");
  await expect(page.getByRole("link", { name: "Xylographer" })).toBeVisible();
  await expect(chip(page, "Kozhikode")).toBeVisible();
  await page.getByRole("link", { name: /more (?:doesn't|don't) state a place$/ }).click();
  await expect(page).toHaveURL("/jobs?place=unstated");
  await expect(chip(page, "Place not stated")).toBeVisible();
});

test.describe("on a phone without scripts", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

  test("a misspelt search leads to the search with a known word", async ({ page, product }) => {
    await insertJob(product.db, { title: "Chromolithographer" });
    await updateSearchWords(product.db);
    await page.goto("/jobs");
    await page.getByRole("searchbox", { name: "Search jobs" }).fill("Chromolitographre");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText("No jobs found matching your criteria.")).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.getByRole("link", { name: "Did you mean “chromolithographer”? 1 job" }).click();
    await expect(page).toHaveURL("/jobs?search=chromolithographer");
    await expect(page.getByRole("link", { name: "Chromolithographer" })).toBeVisible();
  });
});
