import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { inArray } from "drizzle-orm";
import { companies } from "../../../app/companies/tables.server.ts";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { testConfig } from "../../support/product/config.ts";
import { answerTo } from "../../support/product/operator.ts";
import { openPage } from "../support/visitors.ts";
import { expect, test } from "../support/test.ts";

const leverJobs = Array.from({ length: 30 }, (_, number) => ({
  id: `kite-${number}`,
  text: `Kite Designer ${number}`,
  hostedUrl: `https://jobs.lever.co/kiteworks/kite-${number}`,
  categories: { location: "Pune", commitment: "Full-time" },
  workplaceType: "on-site",
  description:
    "<p>You design kites that fly over cities in the light wind of a January morning.</p>",
}));

const csvJobs = Array.from({ length: 25 }, (_, number) =>
  [
    `Drum Designer ${number}`,
    `https://drums.example/jobs/${number}`,
    "Kochi",
    "Full-time",
    "You design drums for temple festivals and for people who play at home.",
    "Lalita Rao",
    "lalita@drums.example",
  ].join(";"),
);

/** Ticks the page's own jobs, and leaves other listings that wait. */
async function selectOwnJobs(page: Page): Promise<number> {
  const boxes = page.getByRole("checkbox", { name: /^Select (?:Kite|Drum) Designer/ });
  await page.getByRole("checkbox", { name: /^Select all \d+ on this page/ }).check();
  const others = page.getByRole("checkbox", { name: /^Select (?!Kite Des|Drum Des|all )/ });
  for (const box of await others.all()) await box.uncheck();
  return boxes.count();
}

test("an owner fills an empty board from two imports", async ({ browser, product }, testInfo) => {
  const runImport = async (name: string, content: string, options: string) => {
    const path = testInfo.outputPath(name);
    writeFileSync(path, content);
    const app = { db: product.db, config: testConfig(), log: null as never };
    return answerTo(product.db, ["jobs", "import", path, ...options.split(" ")], { app });
  };
  const lever = JSON.stringify(leverJobs);
  const first = await runImport(
    "kites.json",
    lever,
    "--from lever --company kiteworks --create-company Kiteworks --website https://kites.example",
  );
  expect(first.text).toContain("30 listings to publish");
  const heads = "title;url;location;jobType;description;pocName;pocContact";
  const second = await runImport(
    "drums.csv",
    [heads, ...csvJobs].join("\r\n"),
    "--from csv --company drumworks --create-company Drumworks --website https://drums.example",
  );
  expect(second.text).toContain("25 listings to publish");

  const phone = { viewport: { width: 360, height: 740 } };
  const page = await openPage(browser, product, "gita@example.in", phone);
  await page.goto("/admin/jobs/waiting");
  const publish = page.getByRole("button", { name: "Publish" });
  const nextPage = page.getByRole("link", { name: "Next page" });
  let selected = await selectOwnJobs(page);
  const row = page.getByRole("row").filter({ hasText: "Kite Designer" }).first();
  await expect(row.getByText("Lever, imported")).toBeVisible();
  await expect(row.getByRole("link", { name: "Open its source" })).toHaveAttribute(
    "href",
    /^https:\/\/jobs\.lever\.co\/kiteworks\/kite-\d+$/,
  );
  while (await nextPage.isVisible()) {
    const address = page.url();
    await nextPage.click();
    await expect(page).not.toHaveURL(address);
    await expect(publish).toHaveText(new RegExp(`^Publish ${selected}\\b`));
    selected += await selectOwnJobs(page);
  }
  expect(selected).toBe(55);
  // The jobs of Lever name nobody to ask.
  await expect(publish).toHaveText("Publish 55 (30 with warnings)");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await publish.click();
  await expect(page.getByText("Published 55 listings")).toBeVisible();
  await expect(publish).toHaveText("Publish 0");

  const visitor = await openPage(browser, product, undefined, phone);
  await visitor.goto("/jobs?search=Kite+Designer");
  await expect(visitor.getByText("30 jobs")).toBeVisible();
  await visitor.goto("/jobs?search=Kite+Designer+7");
  await visitor.getByRole("link", { name: "Kite Designer 7", exact: true }).click();
  await expect(
    visitor.getByText(/^Checked .* on the company's careers page\. Next check .*\.$/),
  ).toBeVisible();
  await visitor.goto("/companies/drumworks");
  await expect(visitor.getByRole("link", { name: /^Drum Designer \d+$/ }).first()).toBeVisible();

  // The same files again change nothing.
  const again = await runImport("kites.json", lever, "--from lever --company kiteworks");
  expect(again.data).toMatchObject({ counts: { new: 0, changed: 0, unchanged: 30, refused: 0 } });

  // Other journeys count the jobs on the board.
  const imported = ["Kiteworks", "Drumworks"];
  await product.db.delete(jobs).where(inArray(jobs.company, imported));
  await product.db.delete(companies).where(inArray(companies.name, imported));
});
