import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { formatMonthOfYear } from "../../../app/platform/clock.ts";
import { reviewerPans } from "../../../app/review-staff/earnings/tables.server.ts";
import { fee, lastMonth, testPan } from "../../support/rows/fees.ts";
import { person } from "../../support/rows/people.ts";
import type { RunningProduct } from "../support/product.ts";
import { expect, test, whenLive } from "../support/test.ts";
import { openPage } from "../support/visitors.ts";

const phone = { width: 360, height: 740 };

const fitsPhone = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);

/** A reviewer with ₹41,000 of fees in the last month, of which ₹1,000 belong to a refunded review. */
async function addReviewer({ db }: RunningProduct) {
  const name = `Paro Reviewer ${crypto.randomUUID().slice(0, 8)}`;
  const reviewer = await person(db, name, { roles: ["reviewer"] });
  const customer = await person(db, "Lata Bose");
  const at = lastMonth().start;
  await fee(db, customer, reviewer, { at, paise: 40_000_00 });
  await fee(db, customer, reviewer, { at, paise: 1_000_00, refundedAt: at });
  return reviewer;
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "at 360 px" : "without scripts";
  test.describe(how, () => {
    const open = async (product: RunningProduct, browser: Browser, email: string) => {
      const options = { javaScriptEnabled, viewport: phone };
      const page = await openPage(browser, product, email, options);
      return javaScriptEnabled ? whenLive(page) : page;
    };

    test(`a reviewer reads their fees and gives their PAN, and an admin pays them, ${how}`, async ({
      browser,
      product,
    }) => {
      const reviewer = await addReviewer(product);
      const month = formatMonthOfYear(lastMonth().start);
      const own = await open(product, browser, reviewer.email);
      await own.goto("/reviewer");
      await own.getByRole("link", { name: "Earnings" }).click();
      await expect(own.getByText("No fees in this month")).toBeVisible();
      await own.getByRole("navigation", { name: "Months" }).getByText(month).click();
      await expect(own.getByText("₹41,000, 2 reviews")).toBeVisible();
      await expect(own.getByText("Not paid yet").first()).toBeVisible();
      await fitsPhone(own);
      const pan = own.getByLabel("PAN", { exact: true });
      await pan.fill("ABC");
      await own.getByRole("button", { name: "Save PAN" }).click();
      await expect(pan).toHaveAccessibleDescription(/10 characters/);
      await pan.fill(testPan.toLowerCase());
      await own.getByRole("button", { name: "Save PAN" }).click();
      await expect(own.getByText(/We have your PAN since/)).toBeVisible();
      expect(await own.content()).not.toContain(testPan);
      const [download] = await Promise.all([
        own.waitForEvent("download"),
        own.getByRole("link", { name: "CSV" }).click(),
      ]);
      expect(await readFile(await download.path(), "utf8")).toContain('"41000.00"');

      const admin = await open(product, browser, "gita@example.in");
      await admin.goto("/admin/reviewers");
      await admin.getByRole("link", { name: "Payouts" }).click();
      // The list of reviewers links their names too.
      await expect(admin.getByRole("heading", { level: 1 })).toHaveText(/^Payouts/);
      await admin.getByRole("link", { name: reviewer.fullName! }).click();
      await admin.getByRole("link", { name: "Take back" }).click();
      await admin.getByLabel("Reason").fill("Copied from another review.");
      await admin.getByRole("button", { name: "Take back" }).click();
      await expect(admin.getByRole("link", { name: "Take back" })).toBeHidden();
      await fitsPhone(admin);
      await admin.getByRole("button", { name: "Show PAN" }).click();
      await expect(admin.getByText(testPan)).toBeVisible();
      await admin.getByLabel("The bank's reference").fill("UTR 4711");
      await admin.getByRole("button", { name: "Record payout" }).click();
      await expect(admin.getByText(/Paid ₹41,000 on .*, reference UTR 4711/).first()).toBeVisible();
      await expect(admin.getByRole("button", { name: "Record payout" })).toBeHidden();

      await own.goto("/reviewer/earnings");
      await expect(own.getByText(/taken back: Copied from another review/)).toBeVisible();
      await expect(own.getByText("-₹1,000", { exact: true }).first()).toBeVisible();
      await fitsPhone(own);
      const [row] = await product.db
        .select()
        .from(reviewerPans)
        .where(eq(reviewerPans.userId, reviewer.id));
      expect(row!.sealedPan.toString("latin1")).not.toContain(testPan);
      expect(product.output()).not.toContain(testPan);
    });
  });
}
