import type { Page } from "@playwright/test";
import { desc, eq } from "drizzle-orm";
import { users } from "../../../app/accounts/tables.server.ts";
import { orders } from "../../../app/payments/tables.server.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import type { RunningProduct } from "../support/product.ts";
import { endPayment, goToPayment, uploadResume } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";
import { slowCases } from "../../support/inventory/selection.ts";

test.describe.configure({ mode: "serial" });

const buyer = "ravi@example.com";

test("a declined card creates no review, and a retry uses the same file", async ({
  browserOf,
  product,
}) => {
  const before = await reviewsOf(product);
  const page = await atPayment(browserOf);
  await endPayment(page, "Decline card");
  await expect(page.getByRole("heading", { name: "Payment Failed" })).toBeVisible();
  await expect(
    page.getByText("Your payment could not be completed. Please try again."),
  ).toBeVisible();
  expect(await reviewsOf(product)).toBe(before);

  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByText("resume.pdf").first()).toBeVisible();
  await goToPayment(page);
  await endPayment(page, "Pay ₹199.00");
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  expect(await reviewsOf(product)).toBe(before + 1);
});

test("the page announces the redirect to the provider once", async ({ browserOf }) => {
  const page = await browserOf(buyer);
  await uploadResume(page, "resume.pdf");
  // A 204 keeps the browser on the page.
  await page.route("**/_payment", (route) => route.fulfill({ status: 204 }));
  await page.getByRole("button", { name: "Pay ₹199" }).click();
  await expect(page.getByText("Redirecting to payment gateway")).toBeVisible();
});

// Covered by "a declined card creates no review".
test("a cancelled payment shows as failed @slow", async ({ browserOf }) => {
  const page = await atPayment(browserOf);
  await endPayment(page, "Cancel");
  await expect(page.getByRole("heading", { name: "Payment Failed" })).toBeVisible();
});

for (const notice of [
  "twice",
  // Covered by "a payment creates one review when its callback comes twice".
  ...slowCases(["before", "late"] as const),
  // Covered by "without a return or a callback".
  ...slowCases(["never"] as const),
] as const) {
  test(`a payment creates one review when its callback comes ${notice}`, async ({
    browserOf,
    product,
  }) => {
    const page = await browserOf(buyer);
    const before = await reviewsOf(product);
    await uploadResume(page, "resume.pdf");
    await goToPayment(page);
    await endPayment(page, "Pay ₹199.00", { notice });
    await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
    expect(await reviewsOf(product)).toBe(before + 1);
  });
}

test("the callback settles the order if the browser is closed before the return", async ({
  browserOf,
  product,
}) => {
  const before = await reviewsOf(product);
  const page = await atPayment(browserOf);
  await endPayment(page, "Pay ₹199.00", { browser: "never" });
  await expect.poll(() => reviewsOf(product)).toBe(before + 1);
});

test("without a return or a callback, a status check settles the order", async ({
  browserOf,
  product,
}) => {
  const before = await reviewsOf(product);
  const page = await atPayment(browserOf);
  await endPayment(page, "Pay ₹199.00", { browser: "never", notice: "never" });
  const order = await newestOrder(product);
  expect(order.status).toBe("pending");
  await page.goto(`/payment-success?txnId=${order.orderId}`);
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  expect(await reviewsOf(product)).toBe(before + 1);
});

test("a return without a session settles the order and shows no personal data", async ({
  browserOf,
  product,
}) => {
  const before = await reviewsOf(product);
  const page = await atPayment(browserOf);
  await page.context().clearCookies();
  await endPayment(page, "Pay ₹199.00");
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  expect(await page.content()).not.toContain(buyer);
  expect(await reviewsOf(product)).toBe(before + 1);
});

// Covered by "tests/money.test.ts: no payment is lost".
test("a signed return settles an order if PayU is unreachable, but not if PayU disagrees @slow", async ({
  browserOf,
  product,
}) => {
  const before = await reviewsOf(product);
  const page = await atPayment(browserOf);
  await endPayment(page, "Pay ₹199.00", { verify: "unreachable" });
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  expect(await reviewsOf(product)).toBe(before + 1);

  await uploadResume(page, "resume.pdf");
  await goToPayment(page);
  await endPayment(page, "Pay ₹199.00", { verify: "disagree" });
  await expect(
    page.getByText("Could not fetch payment details, but your payment might have been successful."),
  ).toBeVisible();
  expect(await reviewsOf(product)).toBe(before + 1);

  // The result appears when the person comes back to the tab.
  const { orderId } = await newestOrder(product);
  await product.db.update(orders).set({ status: "failed" }).where(eq(orders.orderId, orderId));
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page.getByRole("heading", { name: "Payment Failed" })).toBeVisible();
});

test("forged, replayed and altered returns change nothing", async ({
  browserOf,
  product,
  request,
}) => {
  const page = await atPayment(browserOf);
  const returned = page.waitForRequest(
    (sent) => sent.method() === "POST" && new URL(sent.url()).pathname === "/payment-success",
  );
  await endPayment(page, "Pay ₹199.00");
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  const signed = Object.fromEntries(new URLSearchParams((await returned).postData() ?? ""));
  expect(signed.hash).toMatch(/^[0-9a-f]{128}$/);

  await atPayment(browserOf);
  const unpaid = await newestOrder(product);
  const { txnid, hash } = { txnid: unpaid.orderId, hash: signed.hash! };
  const flipped = (parseInt(hash[0]!, 16) ^ 1).toString(16) + hash.slice(1);
  const before = await reviewsOf(product);
  for (const [what, fields] of Object.entries({
    "made up": { ...unpaid.checkoutFields, status: "success", hash: "0".repeat(128) },
    "another order's": { ...signed, txnid },
    "one bit off": { ...signed, hash: flipped },
  })) {
    const answer = await request.post("/payment-success", { form: fields, maxRedirects: 0 });
    expect(answer.status(), what).toBe(303);
    const notice = await request.post("/payu-webhook", { form: fields });
    expect(notice.status(), what).toBe(403);
  }
  const replay = await request.post("/payment-success", { form: signed, maxRedirects: 0 });
  expect(replay.status()).toBe(303);
  expect(await newestOrder(product)).toMatchObject({ orderId: txnid, status: "pending" });
  expect(await reviewsOf(product)).toBe(before);
});

test("the callback's address shows only its text in a browser", async ({ page }) => {
  await page.goto("/payu-webhook");
  expect((await page.locator("body").innerText()).trim()).toBe("Processing Payment...");
});

test("an unknown transaction shows a message, not an error", async ({ page }) => {
  for (const txnId of ["TXN_AAAAAAAA1700000000000", "'; drop table orders; --", ""]) {
    const response = await page.goto(`/payment-failure?txnId=${encodeURIComponent(txnId)}`);
    expect(response!.status()).toBeLessThan(500);
    await expect(
      page.getByText(
        "Could not fetch payment details, but your payment might have been successful.",
      ),
    ).toBeVisible();
  }
});

/** Uploads a resume and opens the provider's page. */
async function atPayment(browserOf: (email: string) => Promise<Page>): Promise<Page> {
  const page = await browserOf(buyer);
  await uploadResume(page, "resume.pdf");
  await goToPayment(page);
  return page;
}

async function newestOrder({ db }: RunningProduct) {
  const [order] = await db.select().from(orders).orderBy(desc(orders.createdAt)).limit(1);
  return order!;
}

async function reviewsOf({ db }: RunningProduct): Promise<number> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, buyer));
  return db.$count(serviceReviews, eq(serviceReviews.userId, user!.id));
}
