import { eq } from "drizzle-orm";
import type { Page } from "@playwright/test";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { now } from "../../../app/platform/clock.ts";
import { addBrief, readBrief } from "../../../app/reviews/brief/brief.server.ts";
import { materialsChanged, materialsGone } from "../../../app/reviews/buy/submission.ts";
import { readRating } from "../../../app/reviews/rating/rating.server.ts";
import {
  reviewAssignments,
  reviewDrafts,
  reviewOrders,
  serviceReviews,
} from "../../../app/reviews/tables.server.ts";
import {
  chooseFile,
  endPayment,
  fixture,
  goToPayment,
  holdBack,
  isDrawn,
  scriptsRun,
  uploadResume,
} from "../support/steps.ts";
import { ownPeople, ownWork } from "../support/staff.ts";
import type { RunningProduct } from "../support/product.ts";
import { expect, signInByCookie, test, whenLive } from "../support/test.ts";

/** Types over what stands in the field. @returns what is said of the brief before anything else can happen. */
async function typeFive(field: HTMLElement): Promise<string | null | undefined> {
  (field as HTMLInputElement).select();
  document.execCommand("insertText", false, "5");
  await new Promise<void>(queueMicrotask);
  return document.querySelector(".brief-state")?.textContent;
}

const openBrief = (page: Page) => page.getByText("What should the reviewer look at?").click();

test("a brief is written, paid with, answered question by question, read, and the review is rated", async ({
  browserOf,
  product,
}) => {
  const { db } = product;
  const { customer, nila } = await ownPeople(product);
  const [job] = await db.select().from(jobs).where(eq(jobs.isArchived, false)).limit(1);
  const target = `${job!.title} at ${job!.company}`;

  // The customer writes it while they pay; it is there again after a reload and a declined card.
  const page = await browserOf(customer.email);
  await uploadResume(page, "one-page.pdf");
  await scriptsRun(page);
  await expect(page.getByLabel("Target role")).toBeHidden();
  await openBrief(page);
  await page.getByLabel("Target role").pressSequentially(job!.title.slice(0, 8));
  await expect(
    page.locator("#jobs-of-the-board option", { hasText: target }).first(),
  ).toBeAttached();
  await page.getByLabel("Target role").fill(target);
  await page.getByLabel("Question 1").fill("Is one page enough?");
  await page.getByLabel("Question 3").fill("What would you cut?");
  await page.getByLabel("Years of experience").fill("many");
  await expect(page.getByText("Please enter whole years from 0 to 60")).toBeVisible();
  await page.getByLabel("Years of experience").fill("4");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  // It says so at the letter, and what is typed right before the page goes is saved as well.
  expect(await page.getByLabel("Years of experience").evaluate(typeFive)).toBe("Saving…");
  await page.goto("/about");
  const drafts = db.select().from(reviewDrafts).where(eq(reviewDrafts.userId, customer.id));
  await expect.poll(async () => (await drafts)[0]?.brief?.years).toBe(5);
  await page.goto("/services/resume-review?step=payment");
  await expect(page.getByText("5 years, 2 questions")).toBeVisible();
  await goToPayment(page);
  await endPayment(page, "Decline card");
  await expect(page.getByRole("heading", { name: "Payment Failed" })).toBeVisible();
  await page.goto("/services/resume-review?step=payment");
  await openBrief(page);
  await expect(page.getByLabel("Target role")).toHaveValue(target);
  await expect(page.getByLabel("Question 2")).toHaveValue("What would you cut?");
  await goToPayment(page);
  await endPayment(page, "Pay ₹199.00");
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  const id = await reviewOf(product, customer);
  expect(await readBrief(db, id)).toMatchObject({
    role: job!.title,
    company: job!.company,
    years: 5,
  });

  // The reviewer reads it beside the work and answers; what is open only warns.
  await db
    .insert(reviewAssignments)
    .values({ reviewId: id, reviewerId: nila.id, assignedAt: now() });
  const reviewer = await browserOf(nila.email);
  await reviewer.goto(`/reviewer/submission/${id}`);
  await scriptsRun(reviewer);
  await expect(reviewer.getByText(target)).toBeVisible();
  await expect(reviewer.getByText("2 questions have no answer yet.")).toBeVisible();
  await reviewer.getByLabel("Is one page enough?").fill("Yes, for four years.");
  await reviewer.getByLabel("Feedback").fill("Lead with the outcome.");
  await expect(reviewer.getByText("1 question has no answer yet.")).toBeVisible();
  await reviewer.getByRole("button", { name: "Submit Review" }).click();
  await expect(reviewer.getByText("Review submitted successfully").first()).toBeVisible();

  // The customer reads the answers one by one, and says what they think of the review.
  await page.goto(`/service-review/${id}`);
  await scriptsRun(page);
  await expect(
    page.getByRole("definition").filter({ hasText: "Yes, for four years." }),
  ).toBeVisible();
  await expect(page.getByText("Your reviewer gave no answer to this one by itself.")).toBeVisible();
  await page.getByRole("button", { name: "Send rating" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "Please choose from 1 to 5" }),
  ).toBeFocused();
  const otherTab = whenLive(await page.context().newPage());
  await otherTab.goto(`/service-review/${id}`);
  await page.getByRole("radio", { name: "4 Useful" }).check();
  await page.getByLabel("In a line (optional)").fill("Short and clear.");
  await page.getByRole("button", { name: "Send rating" }).click();
  await expect(page.getByText("Thank you. Your rating is saved").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Change rating" })).toBeVisible();
  expect(await readRating(db, id)).toMatchObject({ rating: 4, words: "Short and clear." });
  await otherTab.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(otherTab.getByRole("button", { name: "Change rating" })).toBeVisible();
  await expect(otherTab.getByRole("radio", { name: "4 Useful" })).toBeChecked();

  // The reviewer and admins see it, and the next purchase offers the brief again.
  await reviewer.goto(`/reviewer/submission/${id}`);
  await expect(reviewer.getByText("Short and clear.")).toBeVisible();
  const admin = await browserOf("gita@example.in");
  const row = admin.getByRole("row", { name: new RegExp(nila.fullName!) });
  // The figures are read once a minute, and another journey may have had them read just before.
  await expect(async () => {
    await admin.goto("/admin/reviewers");
    await expect(row).toContainText("4.0 of 5, 1 rating", { timeout: 1000 });
  }).toPass({ timeout: 90_000 });
  await expect(row).toContainText("100% (1 of 1)");
  await admin.goto(`/admin/reviews/completed?edit=${id}`);
  await expect(admin.getByText("Short and clear.")).toBeVisible();
  await admin.getByLabel("What would you cut?").fill("The summary.");
  const letGo = await holdBack(admin, /\/completed\.data/, "POST");
  await admin.getByRole("button", { name: "Save answer" }).last().click();
  // What were typed now would be gone with the answer.
  await expect(admin.getByLabel("What would you cut?")).not.toBeEditable();
  letGo();
  await expect(admin.getByText("Answer updated successfully").first()).toBeVisible();
  await uploadResume(page, "one-page.pdf");
  await openBrief(page);
  await page.getByRole("link", { name: "Use this again" }).click();
  await expect(page.getByLabel("Question 1")).toHaveValue("Is one page enough?");
});

test("what is written on while a payment is refused stays", async ({ browserOf, product }) => {
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
  await expect(page.getByText("Please enter a phone number of ten digits").first()).toBeVisible();
  await expect(question).toHaveValue("Is one page enough? Or two?");
});

test("what is written on is sent once what was sent before is answered, and so is a payment", async ({
  browserOf,
  product,
}) => {
  const { page } = await onPaymentStep(product, browserOf);
  await scriptsRun(page);
  await openBrief(page);
  const sent = questionsSent(page);
  const question = page.getByLabel("Question 1");
  const letGo = await holdBack(page, /resume-review\.data/, "POST");
  await question.fill("Is one page enough?");
  await question.blur();
  await expect.poll(() => sent).toHaveLength(1);
  await question.fill("Or two?");
  await question.blur();
  await page.getByRole("button", { name: "Pay ₹199" }).click();
  await isDrawn(page);
  expect(sent).toHaveLength(1);
  letGo();
  await expect(
    page.getByRole("heading", { name: "Choose what becomes of this payment" }),
  ).toBeVisible();
  expect(sent).toEqual(["save-brief: Is one page enough?", "save-brief: Or two?", "pay: Or two?"]);
});

test("what is written on is sent after what was sent before also by going back", async ({
  browserOf,
  product,
}) => {
  const { customer, page } = await onPaymentStep(product, browserOf);
  await openBrief(page);
  const sent = questionsSent(page);
  const question = page.getByLabel("Question 1");
  const letGo = await holdBack(page, /resume-review\.data/, "POST");
  await question.fill("Is one page enough?");
  await question.blur();
  await expect.poll(() => sent).toHaveLength(1);
  await question.fill("Or two?");
  // A field that is taken away loses the focus; not every browser tells of that.
  await page.evaluate(() =>
    window.addEventListener("focusout", (event) => event.stopPropagation(), true),
  );
  await page.goBack();
  await expect(page.getByText("Replace the file")).toBeVisible();
  await isDrawn(page);
  const answer = page.waitForResponse(/resume-review\.data.*=payment/);
  letGo();
  await answer;
  const drafts = product.db.select().from(reviewDrafts).where(eq(reviewDrafts.userId, customer.id));
  await expect.poll(async () => (await drafts)[0]?.brief?.questions).toEqual(["Or two?"]);
});

test("what is typed on a step stays in the tab until it is sent", async ({
  browserOf,
  product,
}) => {
  const { customer } = await ownPeople(product);
  const page = await browserOf(customer.email);
  await page.goto("/services/combined-review");
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

  // What was sent and taken back is not typed again.
  await page.goto("/services/combined-review?step=portfolio");
  await expect(address).toHaveValue("https://kavya.example/work");
  await chooseFile(page, fixture("one-page.pdf"));
  await expect(page.getByRole("link", { name: "one-page.pdf" }).last()).toBeVisible();
  await address.fill("");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await expect(phone).toHaveValue("9876543210");
  await page.goto("/services/combined-review?step=portfolio");
  await expect(address).toHaveValue("");
});

test("two tabs: what one asks and sends is not lost by paying in the other", async ({
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

  // The earlier tab shows another file, and no question; what it pays for is seen before.
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

  // Nor is it asked for again in the other one, where it still stands.
  await other.getByRole("button", { name: "Pay ₹199" }).click();
  await expect(other.getByText(materialsGone).first()).toBeVisible();
});

test("what is asked without a connection is saved when it is back, or when the step is left", async ({
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

  await page.route(/resume-review\.data/, (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 403 }) : route.continue(),
  );
  await question.fill("Or two?");
  await expect(page.getByText("Not saved yet.")).toBeVisible();
  await page.getByRole("link", { name: "Change resume" }).click();
  const drafts = db.select().from(reviewDrafts).where(eq(reviewDrafts.userId, customer.id));
  await expect.poll(async () => (await drafts)[0]?.brief?.questions).toEqual(["Or two?"]);
});

test("an answer in two tabs: what the other one saved is seen before it is replaced", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await askedReview(product, customer, nila);
  const [first, second] = [await browserOf(nila.email), await browserOf(nila.email)];
  for (const tab of [first, second]) {
    await tab.goto(`/reviewer/submission/${id}`);
    await scriptsRun(tab);
  }
  const field = (tab: Page) => tab.getByLabel("Is one page enough?");
  const answered = async () => (await readBrief(product.db, id))?.questions[0]?.answer;
  await field(first).fill("Yes.");
  await expect.poll(answered).toBe("Yes.");
  await field(second).fill("No.");
  await expect(second.getByRole("alert").filter({ hasText: "Yes." })).toBeVisible();
  expect(await answered()).toBe("Yes.");
  await second.getByRole("button", { name: "Keep the text in the field" }).click();
  await expect.poll(answered).toBe("No.");
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a brief is saved without paying, an answer by its button, and a rating is given", async ({
    page,
    context,
    product,
  }) => {
    const { db } = product;
    const { customer, nila } = await ownPeople(product);
    const id = await askedReview(product, customer, nila);
    await db.insert(reviewDrafts).values({
      userId: customer.id,
      serviceType: "portfolio_review",
      portfolioUrl: "https://portfolio.example.com",
      createdAt: now(),
      updatedAt: now(),
    });
    await signInByCookie(context, product, customer.email);
    await page.goto("/services/portfolio-review?step=payment");
    await openBrief(page);
    await page.getByLabel("Target role").fill("Lead designer");
    await page.getByLabel("Question 1").fill("x".repeat(300));
    await page.getByLabel("Years of experience").fill("ten");
    await page.getByRole("button", { name: "Save without paying" }).click();
    await expect(page.getByText("Please enter whole years from 0 to 60")).toBeVisible();
    await expect(page.getByLabel("Question 1")).toHaveValue("x".repeat(300));
    await page.getByLabel("Years of experience").fill("10");
    await page.getByRole("button", { name: "Save without paying" }).click();
    await expect(page.getByText("Saved for this review").first()).toBeVisible();
    await expect(page.getByLabel("Target role")).toHaveValue("Lead designer");

    await signInByCookie(context, product, nila.email);
    await page.goto(`/reviewer/submission/${id}`);
    await page.getByLabel("Is one page enough?").fill("Yes.");
    await page.getByRole("button", { name: "Save answer" }).click();
    await expect(page.getByText("Answer saved").first()).toBeVisible();
    await expect(page.getByLabel("Is one page enough?")).toHaveValue("Yes.");
    await db.update(serviceReviews).set({ status: "completed" }).where(eq(serviceReviews.id, id));

    await signInByCookie(context, product, customer.email);
    await page.goto(`/service-review/${id}`);
    await expect(page.getByRole("definition").filter({ hasText: "Yes." })).toBeVisible();
    await page.getByRole("radio", { name: "5 Very useful" }).check();
    await page.getByRole("button", { name: "Send rating" }).click();
    await expect(page.getByText("Thank you. Your rating is saved").first()).toBeVisible();
    expect(await readRating(db, id)).toMatchObject({ rating: 5, words: null });
  });
});

/** A review that a reviewer has, and was asked a question with. */
async function askedReview(
  product: RunningProduct,
  customer: { id: string },
  reviewer: { id: string },
): Promise<string> {
  const id = await ownWork(product, customer, reviewer, "under_review");
  const questions = ["Is one page enough?"];
  await addBrief(product.db, id, { role: "Lead designer", company: null, years: 4, questions });
  return id;
}

/** The review that somebody has bought. */
async function reviewOf({ db }: RunningProduct, { id }: { id: string }): Promise<string> {
  const own = () => db.select().from(serviceReviews).where(eq(serviceReviews.userId, id));
  await expect.poll(async () => (await own()).length).toBe(1);
  return (await own())[0]!.id;
}

/** Somebody of one's own who has uploaded a resume and is about to pay. */
/** What the page sends of the first question from now on, each time with what it is sent for. */
function questionsSent(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const form = new URLSearchParams(request.postData() ?? "");
    if (form.has("question1")) sent.push(`${form.get("intent")}: ${form.get("question1")}`);
  });
  return sent;
}

async function onPaymentStep(product: RunningProduct, browserOf: (email: string) => Promise<Page>) {
  const { customer } = await ownPeople(product);
  const page = await browserOf(customer.email);
  await uploadResume(page, "one-page.pdf");
  return { customer, page };
}
