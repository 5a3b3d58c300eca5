import type { RunningProduct } from "../support/product.ts";
import { expect, test } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";
import { insertJob, jobRow } from "../../support/rows/jobs.ts";

const admin = "gita@example.in";

/** Publishes a listing whose text states its details. */
async function publish({ db }: RunningProduct, title: string): Promise<string> {
  const { id } = await insertJob(db, {
    title: `UX Designer, ${title}`,
    location: "Hybrid, Pune",
    compensation: "₹12–18 LPA, negotiable",
    description: "You know Figma and run usability tests.",
  });
  return id;
}

async function readDetails({ db }: RunningProduct, id: string) {
  const job = await jobRow(db, id);
  const { discipline, workMode, payMin, payMax, payPeriod, skillIds, placeIds } = job;
  return { discipline, workMode, payMin, payMax, payPeriod, skillIds, places: placeIds.length };
}

const unset = {
  discipline: null,
  workMode: null,
  payMin: null,
  payMax: null,
  payPeriod: null,
  skillIds: [],
  places: 0,
};

test("an admin accepts the details that a listing's text states", async ({
  browserOf,
  product,
}) => {
  const id = await publish(product, "Atlases");
  const staff = await browserOf(admin, "/admin/jobs");
  await staff.getByRole("link", { name: "Proposed details" }).click();
  await expect(staff.getByRole("heading", { name: "Proposed details" })).toBeVisible();
  await staff.getByRole("link", { name: "UX Designer, Atlases" }).last().click();
  const listing = staff.getByRole("region", { name: "UX Designer, Atlases" });
  const pay = listing.getByRole("listitem").filter({ hasText: "Pay: ₹12–18 LPA" });
  await expect(pay.locator("mark")).toHaveText("₹12–18 LPA");
  await expect(pay).toContainText("Compensation: ₹12–18 LPA, negotiable");
  await expect(listing.getByRole("checkbox")).toHaveCount(6);
  await listing.getByRole("checkbox", { name: "Skill: Usability testing" }).uncheck();
  await listing.getByRole("button", { name: "Accept" }).click();
  await expect(staff.getByText("Details saved")).toBeVisible();
  await expect(staff.getByRole("link", { name: "UX Designer, Atlases" })).toHaveCount(0);
  expect(await readDetails(product, id)).toEqual({
    discipline: "ux",
    workMode: "hybrid",
    payMin: 1_200_000,
    payMax: 1_800_000,
    payPeriod: "year",
    skillIds: [1],
    places: 1,
  });
  await staff.goto(`/admin/history?type=job&id=${id}`);
  await expect(staff.getByRole("cell", { name: "Added proposed details to a job" })).toBeVisible();
  await expect(staff.getByText(/“UX Designer”, “Hybrid”, “Pune”/)).toBeVisible();
});

test("Skip opens the next listing, and Edit opens the form", async ({ browserOf, product }) => {
  const next = await publish(product, "Globes");
  await publish(product, "Charts");
  const staff = await browserOf(admin, "/admin/jobs/details");
  await staff.getByRole("link", { name: "UX Designer, Charts" }).last().click();
  await staff
    .getByRole("region", { name: "UX Designer, Charts" })
    .getByRole("link", { name: "Skip" })
    .click();
  const listing = staff.getByRole("region", { name: "UX Designer, Globes" });
  await listing.getByRole("link", { name: "Edit" }).click();
  await expect(staff.getByRole("dialog", { name: "Edit Job Listing" })).toBeVisible();
  expect(await readDetails(product, next)).toEqual(unset);
});

test("the second of two admins learns that the listing has details", async ({
  browserOf,
  product,
}) => {
  const id = await publish(product, "Legends");
  const path = `/admin/jobs/details?job=${id}`;
  const [first, second] = [await browserOf(admin, path), await browserOf(admin, path)];
  for (const page of [first, second])
    await page
      .getByRole("region", { name: "UX Designer, Legends" })
      .getByRole("checkbox", { name: "Pay: ₹12–18 LPA" })
      .uncheck();
  await first.getByRole("button", { name: "Accept" }).click();
  await expect(first.getByText("Details saved")).toBeVisible();
  await second.getByRole("button", { name: "Accept" }).click();
  await expect(second.getByRole("main").getByRole("alert")).toContainText(
    "Someone else has added details to this listing.",
  );
  await expect(second.getByRole("region", { name: "UX Designer, Legends" })).toHaveCount(0);
});

test("without scripts, a refused choice stays and a corrected one is saved", async ({
  browser,
  product,
}) => {
  const id = await publish(product, "Keys");
  const page = await openPlainPage(browser, product, admin, {
    viewport: { width: 320, height: 640 },
  });
  await page.goto(`/admin/jobs/details?job=${id}`);
  const listing = page.getByRole("region", { name: "UX Designer, Keys" });
  for (const box of await listing.getByRole("checkbox").all()) await box.uncheck();
  await listing.getByRole("button", { name: "Accept" }).click();
  await expect(
    page.getByText("Choose at least one detail, or skip this listing.").first(),
  ).toBeVisible();
  await expect(listing.getByRole("checkbox", { checked: true })).toHaveCount(0);
  await listing.getByRole("checkbox", { name: "Work mode: Hybrid" }).check();
  await listing.getByRole("button", { name: "Accept" }).click();
  await expect(page.getByText("Details saved").first()).toBeVisible();
  expect(await readDetails(product, id)).toEqual({ ...unset, workMode: "hybrid" });
  await page.context().close();
});
