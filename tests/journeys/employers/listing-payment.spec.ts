import type { Page } from "@playwright/test";
import { and, eq } from "drizzle-orm";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { orders } from "../../../app/payments/tables.server.ts";
import { company, listingFields, member, submission } from "../../support/rows/companies.ts";
import { person } from "../../support/rows/people.ts";
import { endPayment } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";
import { openPage, openPlainPage } from "../support/visitors.ts";

/** Starts the payment and chooses its result on the test payment page. Without scripts, each page has a button to go on. */
async function payAs(page: Page, result: "Decline card" | "Pay ₹999.00", isPlain: boolean) {
  await page.getByRole("button", { name: "Pay ₹999 and publish" }).click();
  if (isPlain) {
    await expect(page.getByText("You'll pay ₹999 on the page of PayU")).toBeVisible();
    await page.getByRole("button", { name: "Continue to payment" }).click();
  }
  await endPayment(page, result);
  if (isPlain) await page.getByRole("button", { name: "Return to the merchant" }).click();
}

for (const { name, isPlain, width } of [
  { name: "at 1280 px", isPlain: false, width: 1280 },
  { name: "without scripts at 360 px", isPlain: true, width: 360 },
])
  test(`an employer pays for an approved listing, which is then on the board, ${name}`, async ({
    browser,
    browserOf,
    product,
  }) => {
    const title = `Letter Cutter ${width}`;
    const employer = await person(product.db, "Asha Rao");
    const own = await company(product.db, { name: "Engraved Letters" });
    await member(product.db, own, employer);
    await submission(product.db, own, employer, "payable", {
      fields: { ...listingFields, title, location: "By post" },
    });
    const viewport = { width, height: 740 };
    const open = isPlain ? openPlainPage : openPage;
    const page = await open(browser, product, employer.email, { viewport });
    await page.goto("/post/listings");
    await expect(page.getByText("Approved, not paid yet")).toBeVisible();
    await expect(page.getByText(/₹999, to be paid by /)).toBeVisible();
    await page.getByRole("link", { name: new RegExp(`^Pay.*${title}`) }).click();
    await expect(page.getByText(/We approved it\. Pay by /)).toBeVisible();
    await payAs(page, "Decline card", isPlain);
    await page.getByRole("link", { name: "Try again" }).click();
    await payAs(page, "Pay ₹999.00", isPlain);
    await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
    await page.goto("/profile/payments");
    await expect(page.getByRole("heading", { name: "Job listing" })).toHaveCount(2);
    const visitor = await openPage(browser, product);
    await visitor.goto(`/jobs?search=Letter+Cutter+${width}`);
    await expect(visitor.getByRole("link", { name: title })).toBeVisible();

    const isTheirs = and(eq(orders.buyerId, employer.id), eq(orders.status, "success"));
    const [order] = await product.db.select().from(orders).where(isTheirs);
    const admin = await browserOf("gita@example.in", `/admin/orders/${order!.orderId}`);
    await expect(admin.getByText("Job listing:")).toBeVisible();
    await expect(admin.getByRole("link", { name: title })).toBeVisible();
    // Other journeys count the jobs on the board.
    await product.db.delete(jobs).where(eq(jobs.title, title));
  });
