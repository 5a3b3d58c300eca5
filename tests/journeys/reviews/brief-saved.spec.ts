import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { materialsChanged, materialsGone } from "../../../app/review-customer/buy/submission.ts";
import { reviewDrafts, reviewOrders } from "../../../app/reviews/tables.server.ts";
import {
  chooseFile,
  endPayment,
  fixture,
  goToPayment,
  holdBack,
  isDrawn,
  openBrief,
  scriptsRun,
  uploadResume,
} from "../support/steps.ts";
import { ownPeople } from "../support/staff.ts";
import type { RunningProduct } from "../support/product.ts";
import { expect, test, whenLive } from "../support/test.ts";

// Covered by "a question typed offline".
test("text typed while a payment is refused stays @slow", async ({ browserOf, product }) => {
  const { page } = await onPaymentStep(product, browserOf);
  await scriptsRun(page);
  await openBrief(page);
  const question = page.getByLabel("Question 1");
  await question.fill("Is one page enough?");
  await page.getByLabel("Phone (optional)").fill("12");
  const letGo = await holdBack(page, /resume-review\.data/, "POST");
  await page.getByRole("button", { name: "Pay ₹199" }).click();
  await question.press("End");
  await page.keyboard.type(" Or two?");
  letGo();
  await expect(page.getByText("Please enter a 10-digit phone number").first()).toBeVisible();
  await expect(question).toHaveValue("Is one page enough? Or two?");
});

// Covered by "a question typed offline".
test("an edit made during a save is sent after it, and a payment after both @slow", async ({
  browserOf,
  product,
}) => {
  const { page } = await onPaymentStep(product, browserOf);
  await scriptsRun(page);
  await openBrief(page);
  const { question, sent, letGo } = await writeOn(page);
  await question.blur();
  await page.getByRole("button", { name: "Pay ₹199" }).click();
  await isDrawn(page);
  expect(sent).toHaveLength(1);
  letGo();
  await expect(
    page.getByRole("heading", { name: "Choose the result of this payment" }),
  ).toBeVisible();
  expect(sent).toEqual(["save-brief: Is one page enough?", "save-brief: Or two?", "pay: Or two?"]);
});

// Covered by "a question typed offline".
test("an edit made during a save is also sent when the customer goes back @slow", async ({
  browserOf,
  product,
}) => {
  const { customer, page } = await onPaymentStep(product, browserOf);
  await openBrief(page);
  const { letGo } = await writeOn(page);
  // Not every browser fires focusout for a removed field.
  await page.evaluate(() =>
    window.addEventListener("focusout", (event) => event.stopPropagation(), true),
  );
  await page.goBack();
  await expect(page.getByText("Replace the file")).toBeVisible();
  await isDrawn(page);
  const answer = page.waitForResponse(/profile\/changes/);
  letGo();
  await answer;
  const drafts = product.db.select().from(reviewDrafts).where(eq(reviewDrafts.userId, customer.id));
  await expect.poll(async () => (await drafts)[0]?.brief?.questions).toEqual(["Or two?"]);
});

test("text typed on a step stays in the tab until it is sent", async ({ browserOf, product }) => {
  const { customer } = await ownPeople(product);
  const page = await browserOf(customer.email, "/services/combined-review");
  await chooseFile(page, fixture("one-page.pdf"));
  await page.getByRole("link", { name: "Continue to portfolio" }).click();
  const address = page.getByLabel("Portfolio URL");
  await address.fill("https://kavya.example");
  await page.goBack();
  await expect(address).toBeHidden();
  await page.goForward();
  await expect(address).toHaveValue("https://kavya.example");
  await page.reload();
  await expect(address).toHaveValue("https://kavya.example");
  await page.getByRole("button", { name: "Continue to payment" }).click();

  const phone = page.getByLabel("Phone (optional)");
  await phone.fill("9876543210");
  await page.getByRole("link", { name: "Change portfolio" }).click();
  await address.fill("https://kavya.example/work");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await expect(phone).toHaveValue("9876543210");
  await page.reload();
  await expect(phone).toHaveValue("9876543210");
  await goToPayment(page, "₹299");

  // Text that was sent and then cleared is not restored.
  await page.goto("/services/combined-review?step=portfolio");
  await expect(address).toHaveValue("https://kavya.example/work");
  await chooseFile(page, fixture("one-page.pdf"));
  // The resume has a link with the same name. During the portfolio's upload the button below is disabled.
  await expect(page.getByRole("button", { name: "Remove one-page.pdf" })).toBeVisible();
  await address.fill("");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await expect(phone).toHaveValue("9876543210");
  await page.goto("/services/combined-review?step=portfolio");
  await expect(address).toHaveValue("");
});

// Covered by "a question typed offline".
test("two tabs: a question saved in one is kept when the other pays @slow", async ({
  browserOf,
  product,
}) => {
  const { db } = product;
  const { customer, page } = await onPaymentStep(product, browserOf);
  const other = whenLive(await page.context().newPage());
  await other.goto("/services/resume-review?step=resume");
  await page.reload();
  await other.getByText("Replace the file").click();
  await chooseFile(other, fixture("resume.pdf"));
  await other.getByRole("link", { name: "Continue to payment" }).click();
  await openBrief(other);
  await other.getByLabel("Question 1").fill("Is one page enough?");
  await other.getByLabel("Question 1").blur();
  await expect(other.getByText("Saved", { exact: true })).toBeVisible();

  // The first tab is stale, so it shows the changed materials before it pays.
  await expect(page.getByRole("link", { name: "one-page.pdf" })).toBeVisible();
  await page.getByRole("button", { name: "Pay ₹199" }).click();
  await expect(page.getByText(materialsChanged).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "resume.pdf" })).toBeVisible();
  await goToPayment(page);
  const [ordered] = await db
    .select({ brief: reviewOrders.brief })
    .from(reviewOrders)
    .innerJoin(reviewDrafts, eq(reviewDrafts.id, reviewOrders.draftId))
    .where(eq(reviewDrafts.userId, customer.id));
  expect(ordered?.brief?.questions).toEqual(["Is one page enough?"]);
  await endPayment(page, "Pay ₹199.00");
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();

  // The other tab is stale now and cannot pay for the same materials again.
  await other.getByRole("button", { name: "Pay ₹199" }).click();
  await expect(other.getByText(materialsGone).first()).toBeVisible();
});

test("a question typed offline is saved when the connection returns or on leaving the step", async ({
  browserOf,
  product,
}) => {
  const { db } = product;
  const { customer, page } = await onPaymentStep(product, browserOf);
  await openBrief(page);
  const question = page.getByLabel("Question 1");
  await page.context().setOffline(true);
  await question.fill("Is one page enough?");
  await expect(page.getByText("Not saved yet.")).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();

  await page.route(/profile\/changes/, (route) => route.fulfill({ status: 403 }), { times: 1 });
  await question.fill("Or two?");
  await expect(page.getByText("Not saved yet.")).toBeVisible();
  await page.getByRole("link", { name: "Change resume" }).click();
  const drafts = db.select().from(reviewDrafts).where(eq(reviewDrafts.userId, customer.id));
  await expect.poll(async () => (await drafts)[0]?.brief?.questions).toEqual(["Or two?"]);
});

/** Types a question whose save waits for `letGo`, then replaces it with another one. */
async function writeOn(page: Page) {
  const sent = questionsSent(page);
  const question = page.getByLabel("Question 1");
  const letGo = await holdBack(page, /profile\/changes/, "POST");
  await question.fill("Is one page enough?");
  await question.blur();
  await expect.poll(() => sent).toHaveLength(1);
  await question.fill("Or two?");
  return { question, sent, letGo };
}

/** Records the first question in every request of the page, with its intent. */
function questionsSent(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const form = new URLSearchParams(request.postData() ?? "");
    if (form.has("question1")) sent.push(`${form.get("intent")}: ${form.get("question1")}`);
  });
  return sent;
}

/** Creates a person who has uploaded a resume and is about to pay. */
async function onPaymentStep(product: RunningProduct, browserOf: (email: string) => Promise<Page>) {
  const { customer } = await ownPeople(product);
  const page = await browserOf(customer.email);
  await uploadResume(page, "one-page.pdf");
  return { customer, page };
}
