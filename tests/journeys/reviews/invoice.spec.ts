import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { openPdfium, type PdfDocument } from "../../../app/files/inspect/pdfium.server.ts";
import { invoices, orders } from "../../../app/payments/tables.server.ts";
import { gstSettings } from "../../support/product/config.ts";
import { orderRow } from "../../support/payments/payments.ts";
import { settledRefund } from "../../support/rows/invoices.ts";
import { company, member, submission } from "../../support/rows/companies.ts";
import { person } from "../../support/rows/people.ts";
import type { RunningProduct } from "../support/product.ts";
import { startProduct } from "../support/product.ts";
import { endPayment, goToPayment } from "../support/steps.ts";
import { expect, test, whenLive } from "../support/test.ts";
import { openPage, openPlainPage } from "../support/visitors.ts";

/** A seller with a GSTIN: the buyer's State before payment, the invoice, and the accountant's month. */

let seller: RunningProduct;
test.beforeAll(async () => {
  seller = await startProduct(gstSettings);
});
test.afterAll(() => seller.stop());

const phone = { width: 360, height: 740 };

const fitsPhone = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);

async function readPdf(page: Page, link: ReturnType<Page["getByRole"]>) {
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  const pdf = (await openPdfium()).open(await readFile(await download.path())) as PdfDocument;
  const { text } = pdf.openPage(0)!.text();
  return { name: download.suggestedFilename(), text: text.replaceAll(/\s+/g, " ") };
}

test("a company's GSTIN is on the invoice, from the payment step to its PDF, at 360 px", async ({
  browser,
}) => {
  const buyer = await person(seller.db, "Lata Bose");
  const page = whenLive(await openPage(browser, seller, buyer.email, { viewport: phone }));
  await page.goto("/services/portfolio-review");
  await page.getByLabel("Portfolio URL").fill("https://portfolio.example.com");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  const state = page.getByLabel("State", { exact: true });
  const gstin = page.getByLabel("GSTIN of your company (optional)");
  const pay = page.getByRole("button", { name: "Pay ₹199" });
  await expect(state.locator("option")).toHaveCount(38);
  await fitsPhone(page);

  await pay.click();
  await expect(state).toHaveAccessibleDescription(/Please choose your State/);
  await expect(state).toBeFocused();
  await state.selectOption("Kerala");
  await gstin.fill("29abcde1234f1zx");
  await pay.click();
  await expect(gstin).toHaveAccessibleDescription(/check character, doesn't fit/);
  await expect(gstin).toHaveValue("29abcde1234f1zx");
  await expect(state).toHaveValue("Kerala");
  await fitsPhone(page);

  // The typed text stays while another step is open.
  await gstin.fill("29abcde1234f1zw");
  await page.getByRole("link", { name: "Change portfolio" }).click();
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await expect(state).toHaveValue("Kerala");
  await expect(gstin).toHaveValue("29abcde1234f1zw");
  await pay.click();
  await expect(state).toHaveAccessibleDescription(/This GSTIN belongs to Karnataka/);
  await state.selectOption("Karnataka");
  await goToPayment(page);
  await endPayment(page, "Pay ₹199.00");
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();

  await page.goto("/profile/payments");
  await page.getByRole("link", { name: /^Invoice/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Tax invoice" })).toBeVisible();
  const [invoice] = await seller.db
    .select()
    .from(invoices)
    .where(eq(invoices.buyerName, "Lata Bose"));
  const slip = page.locator(".payments_receipt");
  for (const text of [invoice!.serial, "29ABCDE1234F1ZW", "Karnataka (29)", "₹168.64", "₹30.36"])
    await expect(slip).toContainText(text);
  await fitsPhone(page);
  const { name, text } = await readPdf(page, page.getByRole("link", { name: "Download as PDF" }));
  expect(name).toBe(`Tax invoice ${invoice!.serial.replaceAll("/", "-")} - Naksha.pdf`);
  for (const fact of [
    "Tax invoice",
    invoice!.serial,
    gstSettings.GSTIN,
    "29ABCDE1234F1ZW",
    "Karnataka (29)",
    "IGST 18% ₹30.36",
    "Total paid ₹199",
  ])
    expect(text).toContain(fact);

  await settledRefund(seller.db, await orderRow(seller.db, invoice!.orderId));
  await page.reload();
  await expect(page.getByRole("heading", { name: "Credit note" })).toBeVisible();
  await fitsPhone(page);
  const note = await readPdf(page, page.getByRole("link", { name: "Download as PDF" }).last());
  expect(note.text).toContain(`For invoice ${invoice!.serial}`);

  // The next payment starts with what was entered.
  await page.goto("/services/portfolio-review");
  await page.getByLabel("Portfolio URL").fill("https://portfolio.example.com/again");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await expect(state).toHaveValue("Karnataka");
  await expect(gstin).toHaveValue("29ABCDE1234F1ZW");
});

test("a company pays for its listing with its GSTIN, at 360 px", async ({ browser }) => {
  const employer = await person(seller.db, "Asha Rao");
  const own = await company(seller.db, { name: "Engraved Letters" });
  await member(seller.db, own, employer);
  await submission(seller.db, own, employer, "payable");
  const page = whenLive(await openPage(browser, seller, employer.email, { viewport: phone }));
  await page.goto("/post/listings");
  await page.getByRole("link", { name: /^Pay/ }).click();
  const pay = page.getByRole("button", { name: "Pay ₹999 and publish" });
  await pay.click();
  const state = page.getByLabel("State", { exact: true });
  await expect(state).toHaveAccessibleDescription(/Please choose your State/);
  await fitsPhone(page);
  await page.getByLabel("GSTIN of your company (optional)").fill("29ABCDE1234F1ZW");
  await pay.click();
  await endPayment(page, "Pay ₹999.00");
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  await page.goto("/profile/payments");
  await page.getByRole("link", { name: /^Invoice/ }).click();
  for (const text of ["Job listing", "29ABCDE1234F1ZW", "998365", "₹152.39"])
    await expect(page.locator(".payments_receipt")).toContainText(text);
});

test("without scripts, a buyer chooses a State and pays, and an admin downloads the month", async ({
  browser,
}) => {
  const buyer = await person(seller.db, "Noor Khan");
  const page = await openPlainPage(browser, seller, buyer.email, { viewport: phone });
  await page.goto("/services/portfolio-review");
  await page.getByLabel("Portfolio URL").fill("https://portfolio.example.com");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("button", { name: "Pay ₹199" }).click();
  await expect(page.getByText("Please choose your State").first()).toBeVisible();
  await page.getByLabel("State", { exact: true }).selectOption("Rajasthan");
  await page.getByRole("button", { name: "Pay ₹199" }).click();
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await endPayment(page, "Pay ₹199.00");
  await page.getByRole("button", { name: "Return to the merchant" }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  const [order] = await seller.db.select().from(orders).where(eq(orders.buyerId, buyer.id));
  await page.goto(`/profile/payments/${order!.orderId}`);
  await expect(page.locator(".payments_receipt")).toContainText("CGST 9%");

  const admin = whenLive(await openPage(browser, seller, "gita@example.in", { viewport: phone }));
  await admin.goto("/admin/orders");
  await admin.getByRole("link", { name: "Accounts by month" }).click();
  await expect(admin.getByRole("heading", { level: 1, name: /^Accounts: / })).toBeVisible();
  await fitsPhone(admin);
  const [download] = await Promise.all([
    admin.waitForEvent("download"),
    admin.getByRole("link", { name: "Download invoices (CSV)" }).click(),
  ]);
  const file = await readFile(await download.path(), "utf8");
  expect(file).toContain(`"B2CS","","","Noor Khan"`);
  expect(file).toContain(order!.orderId);
});
