import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { users } from "../../../app/accounts/tables.server.ts";
import { openPdfium, type PdfDocument } from "../../../app/files/inspect/pdfium.server.ts";
import { now } from "../../../app/platform/clock.ts";
import { reviewAssignments } from "../../../app/reviews/tables.server.ts";
import { person } from "../../support/rows/people.ts";
import { order, paidReview, refundsOf } from "../../support/rows/refunds.ts";
import { expect, test } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";

/** Customers' payments, receipts and refunds, and their reviewer's profile. */

test("a customer opens a receipt from Payments, to print or as a PDF", async ({
  browserOf,
  product,
}) => {
  const buyer = await person(product.db, "Lata Bose");
  const [reviewer] = await product.db
    .select()
    .from(users)
    .where(eq(users.email, "meera@example.in"));
  const { orderId } = await paidReview(product.db, { buyer, reviewer: reviewer! });
  const retryPath = "/services/combined-review";
  await order(product.db, buyer, { status: "pending", settledAt: null });
  await order(product.db, buyer, { status: "failed", retryPath });
  const page = await browserOf(buyer.email, "/profile");
  await page.getByRole("link", { name: "Payments" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payments" })).toBeVisible();
  const all = page.locator(".payments > li");
  await expect(
    all.filter({ hasText: "Pending" }).getByRole("link", { name: /^Check again/ }),
  ).toBeVisible();
  await expect(
    all.filter({ hasText: "Failed" }).getByRole("link", { name: /^Try again/ }),
  ).toHaveAttribute("href", retryPath);
  const paid = all.filter({ has: page.getByText("Paid", { exact: true }) });
  await expect(paid).toContainText(orderId);
  await paid.getByRole("link", { name: /^Receipt/ }).click();
  await expect(page).toHaveURL(`/profile/payments/${orderId}`);
  const slip = page.locator(".payments_receipt");
  for (const text of [orderId, "Lata Bose", buyer.email, "IST", "₹"])
    await expect(slip).toContainText(text);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("link", { name: "Download as PDF" })).toBeHidden();
  await expect(slip).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download as PDF" }).click(),
  ]);
  expect(download.suggestedFilename()).toContain(orderId);
  const pdf = (await openPdfium()).open(await readFile(await download.path())) as PdfDocument;
  const { text } = pdf.openPage(0)!.text();
  expect(text).toContain(orderId);
  expect(text).toContain("Lata Bose");

  const another = await browserOf("ravi@example.com");
  const answer = await another.goto(`/profile/payments/${orderId}`);
  expect(answer?.status()).toBe(404);
  await expect(another.getByText("We couldn't find that receipt")).toBeVisible();
});

test("a customer reads the reviewer's profile until an admin hides it", async ({
  product,
  browserOf,
}) => {
  const [meera] = await product.db.select().from(users).where(eq(users.email, "meera@example.in"));
  const reviewer = await browserOf("meera@example.in", "/reviewer");
  await reviewer.getByRole("link", { name: "About you" }).click();
  await reviewer.getByLabel("First name").fill("");
  await reviewer.getByRole("button", { name: "Save", exact: true }).click();
  await expect(reviewer.getByText("Please enter your first name")).toBeVisible();
  await reviewer.getByLabel("First name").fill("Meera");
  await reviewer.getByLabel("What you work in").fill("interaction design");
  await reviewer.getByLabel("A line about you").fill("Draws maps of her own.");
  await reviewer.getByRole("button", { name: "Save", exact: true }).click();
  await expect(reviewer.locator(".reviewer-profile_your-reviewer")).toContainText(
    "Meera, interaction design",
  );

  const buyer = await person(product.db, "Lata Bose");
  await paidReview(product.db, { buyer, reviewer: meera! }, { state: "completed" });
  const customer = await browserOf(buyer.email, "/profile");
  await customer.getByRole("link", { name: /^View Details/ }).click();
  await expect(customer.locator(".reviewer-profile_your-reviewer")).toContainText(
    "Your reviewer: Meera, interaction design",
  );

  const admin = await browserOf("gita@example.in", "/admin/reviewers");
  const row = admin
    .locator(".introductions_shown-names li")
    .filter({ hasText: "interaction design" });
  await row.getByRole("button", { name: /^Hide/ }).click();
  await expect(row.getByText("Hidden")).toBeVisible();
  await customer.reload();
  await expect(customer.getByRole("heading", { name: "What you sent" })).toBeVisible();
  await expect(customer.locator(".reviewer-profile_your-reviewer")).toHaveCount(0);
  await admin.goto(`/admin/history?type=user&id=${meera!.id}`);
  await expect(admin.getByText("Hid a reviewer profile")).toBeVisible();
  await admin.goto("/admin/reviewers");
  await row.getByRole("button", { name: /^Show/ }).click();
  await expect(row.getByText("Hidden")).toHaveCount(0);
});

test("a portfolio link is checked before paying, without blocking the payment", async ({
  browser,
  product,
}) => {
  const { email } = await person(product.db, "Lata Bose");
  const page = await openPlainPage(browser, product, email);
  await page.goto("/services/portfolio-review");
  await page.getByLabel("Portfolio URL").fill("https://www.figma.com/design/lata-example");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  const look = page.locator(".portfolio-look");
  await expect(look).toContainText("Can anyone open this link?");
  await expect(look).toContainText("In Figma, press Share");
  const link = look.getByRole("link", { name: /^Open your portfolio/ });
  await expect(link).toHaveAttribute("target", "_blank");
  await expect(link).toHaveAttribute("rel", "noopener noreferrer");
  await expect(page.getByRole("button", { name: "Pay ₹199" })).toBeVisible();
  const tick = look.getByRole("button", { name: "It opens without signing in" });
  await expect(tick).toHaveAttribute("aria-pressed", "false");
  await tick.click();
  await expect(tick).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("button", { name: "Pay ₹199" })).toBeVisible();
  await page.goto("/services/portfolio-review?step=portfolio");
  await expect(tick).toHaveAttribute("aria-pressed", "true");
  await page.context().close();
});

test("a customer cancels for a full refund with one press, but not by a link", async ({
  product,
  browserOf,
}) => {
  const { db } = product;
  const buyer = await person(db, "Nandini Rao");
  const reviewer = await person(db, "Rehan Das", { roles: ["reviewer"] });
  const { orderId } = await paidReview(db, { buyer, reviewer });
  const page = await browserOf(buyer.email, "/profile/payments");
  const entry = page.locator(".payments > li");
  await expect(entry).toContainText("No reviewer has started yet.");
  await entry.getByRole("link", { name: /^Cancel and refund/ }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel and refund ₹199" });
  await expect(dialog).toContainText("refund the full ₹199 to your original payment method");
  await expect(dialog).toContainText("3 to 5 days");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.goto(`/profile/payments?refund=${orderId}&intent=refund`);
  expect(await refundsOf(db, orderId)).toEqual([]);

  // The other tab is stale by then.
  const stale = await page.context().newPage();
  await stale.goto(`/profile/payments?refund=${orderId}`);
  await page.getByRole("button", { name: "Refund ₹199" }).click();
  await expect(entry).toContainText("You requested a refund on");
  await expect(entry.locator('[aria-current="step"]')).toContainText("takes 3 to 5 days");
  await expect(entry).toContainText("Refund in progress");
  await stale.getByRole("button", { name: "Refund ₹199" }).click();
  await expect(stale.getByText("already in progress")).toBeVisible();
  await expect(stale.locator(".payments > li")).toContainText("Refund in progress");
  expect(await refundsOf(db, orderId)).toHaveLength(1);
});

test("without scripts a customer requests a refund with a reason", async ({ product, browser }) => {
  const { db } = product;
  const buyer = await person(db, "Tara Menon");
  const reviewer = await person(db, "Iqbal Sen", { roles: ["reviewer"] });
  const { orderId } = await paidReview(db, { buyer, reviewer }, { state: "completed" });
  const another = await paidReview(db, { buyer: reviewer, reviewer }, { state: "completed" });
  const page = await openPlainPage(browser, product, buyer.email);
  await page.goto("/profile/payments");
  await page.getByRole("link", { name: /^Request refund/ }).click();
  const reason = page.getByLabel("Why are you requesting a refund?");
  const ask = page.getByRole("button", { name: "Request refund" });
  await ask.click();
  await expect(page.locator(".field_error")).toHaveText("Please enter a reason");
  await reason.fill("It is about another resume.");
  await ask.click();
  const entry = page.locator(".payments > li");
  await expect(entry).toContainText("Refund requested");
  await expect(entry).toContainText("It is about another resume.");
  await expect(entry.locator('[aria-current="step"]')).toContainText("We'll decide by");
  expect(await refundsOf(db, orderId)).toHaveLength(1);

  // A customer cannot request a refund for someone else's order.
  const answer = await page.context().request.post("/profile/payments", {
    headers: { origin: product.origin },
    form: { intent: "refund", orderId: another.orderId, reason: "Mine now." },
  });
  expect(answer.status()).toBe(404);
  expect(await refundsOf(db, another.orderId)).toEqual([]);
  await page.context().close();
});

test("a stale page cannot cancel a review that has started", async ({ product, browserOf }) => {
  const { db } = product;
  const buyer = await person(db, "Uma Pillai");
  const reviewer = await person(db, "Joseph Roy", { roles: ["reviewer"] });
  const { orderId, reviewId } = await paidReview(db, { buyer, reviewer });
  const page = await browserOf(buyer.email, `/profile/payments?refund=${orderId}`);
  await db
    .insert(reviewAssignments)
    .values({ reviewId, reviewerId: reviewer.id, assignedAt: now() });
  await page.getByRole("button", { name: "Refund ₹199" }).click();
  await expect(page.locator(".toasts")).toContainText("A reviewer has started");
  await expect(page.getByRole("button", { name: "Refund ₹199" })).toHaveCount(0);
  expect(await refundsOf(db, orderId)).toEqual([]);
});
