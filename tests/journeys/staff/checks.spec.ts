import { eq } from "drizzle-orm";
import type { Page } from "@playwright/test";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { day, now } from "../../../app/platform/clock.ts";
import { person } from "../../support/rows/people.ts";
import { insertJobs } from "../../support/rows/jobs.ts";
import type { RunningProduct } from "../support/product.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

/** Creates an adder with listings whose checks are due, so that no other journey changes them. */
async function ownListings({ db }: RunningProduct, ...titles: string[]) {
  const adder = await person(db, "Anjali Rao", { roles: ["job_board_adder"] });
  const ago = (days: number) => new Date(now().getTime() - days * day);
  const rows = titles.map((title, index) => ({
    title,
    createdBy: adder.id,
    postedAt: ago(40),
    checkedAt: ago(20),
    checkDueAt: ago(6 - index),
  }));
  const inserted = await insertJobs(db, rows);
  return { adder, ids: inserted.map(({ id }) => id) };
}

const rowOf = (page: Page, title: string) => page.getByRole("row").filter({ hasText: title });

test("an adder checks one listing, then several at once", async ({ page, product, browserOf }) => {
  const { adder, ids } = await ownListings(product, "Weaver", "Dyer", "Printer");
  const staff = await browserOf(adder.email);
  await staff.goto("/job-board");
  await staff.getByRole("link", { name: "Checks (3)" }).click();
  await expect(staff.getByRole("heading", { name: "Listings to check" })).toBeVisible();
  await expect(rowOf(staff, "Weaver")).toContainText("Overdue 6 days");
  await expect(
    rowOf(staff, "Weaver").getByRole("link", { name: "person@example.com" }),
  ).toBeVisible();

  await rowOf(staff, "Weaver").getByRole("button", { name: "Still open" }).click();
  await expect(staff.getByText("Marked 1 listing as still open")).toBeVisible();
  await expect(rowOf(staff, "Weaver")).toBeHidden();
  await expect(staff).toHaveURL(/\/job-board\/checks$/);

  await page.goto(`/jobs/${ids[0]}`);
  await expect(page.getByText(/^Checked .* by our team\. Next check .*\.$/)).toBeVisible();

  await staff.getByLabel("Select all").check();
  await staff.getByRole("button", { name: "Filled (2)" }).click();
  await expect(staff.getByText("Archived 2 listings as filled")).toBeVisible();
  await expect(staff.getByText("No listings to check")).toBeVisible();

  await page.goto(`/jobs/${ids[1]}`);
  await expect(page.getByText("The company has filled it.")).toBeVisible();
  await staff.goto("/job-board?tab=archived");
  await expect(rowOf(staff, "Dyer")).toContainText("Filled");
});

for (const width of [360, 1280])
  test(`a listing without a contact is marked until one is added, at ${width} px`, async ({
    browserOf,
    product,
  }) => {
    const { adder, ids } = await ownListings(product, "Weaver", "Dyer");
    const none = { pocName: null, pocContact: null };
    await product.db.update(jobs).set(none).where(eq(jobs.id, ids[0]!));
    const staff = await browserOf(adder.email);
    await staff.setViewportSize({ width, height: 740 });
    await staff.goto("/job-board/checks");
    await expect(rowOf(staff, "Weaver")).toContainText("Nobody to ask");
    await expect(rowOf(staff, "Dyer")).not.toContainText("Nobody to ask");

    await staff.goto(`/job-board?edit=${ids[0]}`);
    const warning = staff.getByText("Nobody to ask: this listing names no contact.");
    await expect(warning).toBeVisible();
    expect(await staff.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await staff.getByLabel("POC name").fill("Leela Menon");
    await staff.getByRole("button", { name: "Update Job" }).click();
    await expect(staff.getByText("Job listing updated successfully")).toBeVisible();
    await staff.goto(`/job-board?edit=${ids[0]}`);
    await expect(staff.getByLabel("POC name")).toHaveValue("Leela Menon");
    await expect(warning).toBeHidden();
    await staff.goto("/job-board/checks");
    await expect(rowOf(staff, "Weaver")).toContainText("Leela Menon");
    await expect(rowOf(staff, "Weaver")).not.toContainText("Nobody to ask");
  });

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("an adder checks listings", async ({ page, product }) => {
    const { adder } = await ownListings(product, "Weaver", "Dyer", "Printer");
    await signInByCookie(page.context(), product, adder.email);
    await page.goto("/job-board/checks");
    await page.getByRole("button", { name: "Still open" }).first().click();
    await expect(page.getByText("Select at least one listing")).toBeVisible();

    await rowOf(page, "Dyer").getByRole("button", { name: "Closed" }).click();
    await expect(page.getByText("Archived 1 listing as closed")).toBeVisible();
    await expect(rowOf(page, "Dyer")).toBeHidden();

    await page.getByLabel("Select Weaver at Sample Studio").check();
    await page.getByLabel("Select Printer at Sample Studio").check();
    await page.getByRole("button", { name: "Still open" }).first().click();
    await expect(page.getByText("Marked 2 listings as still open")).toBeVisible();
    await expect(page.getByText("No listings to check")).toBeVisible();
  });
});

test("an answer for a listing that left the board is refused, and the list is current", async ({
  product,
  browserOf,
}) => {
  const { adder, ids } = await ownListings(product, "Weaver");
  const staff = await browserOf(adder.email);
  await staff.goto("/job-board/checks");
  await product.db.update(jobs).set({ isArchived: true }).where(eq(jobs.id, ids[0]!));
  await rowOf(staff, "Weaver").getByRole("button", { name: "Still open" }).click();
  await expect(staff.getByText("1 listing is no longer on the board.")).toBeVisible();
  await expect(rowOf(staff, "Weaver")).toBeHidden();
});
