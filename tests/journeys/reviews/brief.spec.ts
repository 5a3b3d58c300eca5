import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { now } from "../../../app/platform/clock.ts";
import { changeDraft } from "../../../app/review-customer/buy/drafts.server.ts";
import { addBrief, findBrief } from "../../../app/reviews/brief/brief.server.ts";
import { findRating } from "../../../app/reviews/rating/rating.server.ts";
import { services } from "../../../app/reviews/rules.ts";
import {
  reviewAssignments,
  reviewDrafts,
  serviceReviews,
} from "../../../app/reviews/tables.server.ts";
import {
  endPayment,
  goToPayment,
  holdBack,
  openBrief,
  scriptsRun,
  uploadResume,
} from "../support/steps.ts";
import { openSummary, ownPeople, ownWork } from "../support/staff.ts";
import type { RunningProduct } from "../support/product.ts";
import { expect, signInByCookie, test, whenLive } from "../support/test.ts";

/** Types over the field's text. @returns the status before anything else can happen. */
async function typeFive(field: HTMLElement): Promise<string | null | undefined> {
  (field as HTMLInputElement).select();
  document.execCommand("insertText", false, "5");
  await new Promise<void>(queueMicrotask);
  return document.querySelector(".brief_state")?.textContent;
}

test("a customer writes a brief and pays, the reviewer answers each question, the customer rates", async ({
  browserOf,
  product,
}) => {
  const { db } = product;
  const { customer, nila } = await ownPeople(product);
  const [job] = await db.select().from(jobs).where(eq(jobs.isArchived, false)).limit(1);
  const target = `${job!.title} at ${job!.company}`;

  // The customer writes it while paying. It survives a reload and a declined card.
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
  // The status changes with each letter, and text typed right before leaving is saved too.
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
  expect(await findBrief(db, id)).toMatchObject({
    role: job!.title,
    company: job!.company,
    years: 5,
  });

  // The reviewer reads it next to the work and answers. Open questions only warn.
  await db
    .insert(reviewAssignments)
    .values({ reviewId: id, reviewerId: nila.id, assignedAt: now() });
  const reviewer = await browserOf(nila.email, `/reviewer/submission/${id}`);
  await scriptsRun(reviewer);
  await expect(reviewer.getByText(target)).toBeVisible();
  await openSummary(reviewer);
  await expect(reviewer.getByText("2 questions have no answer yet.")).toBeVisible();
  await reviewer.getByLabel("Is one page enough?").fill("Yes, for four years.");
  await reviewer.getByLabel("Feedback").fill("Lead with the outcome.");
  await expect(reviewer.getByText("1 question has no answer yet.")).toBeVisible();
  await reviewer.getByRole("button", { name: "Submit Review" }).click();
  await expect(reviewer.getByText("Review submitted successfully").first()).toBeVisible();

  // The customer reads the answers and rates the review.
  await page.goto(`/service-review/${id}`);
  await scriptsRun(page);
  await expect(
    page.getByRole("definition").filter({ hasText: "Yes, for four years." }),
  ).toBeVisible();
  await expect(
    page.getByText("Your reviewer didn't answer this one separately. See the feedback above."),
  ).toBeVisible();
  await page.getByRole("button", { name: "Send rating" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "Please choose a rating from 1 to 5" }),
  ).toBeFocused();
  const otherTab = whenLive(await page.context().newPage());
  await otherTab.goto(`/service-review/${id}`);
  await page.getByRole("radio", { name: "4 Useful" }).check();
  await page.getByLabel("In a line (optional)").fill("Short and clear.");
  await page.getByRole("button", { name: "Send rating" }).click();
  await expect(page.getByText("Thank you. Your rating is saved").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Change rating" })).toBeVisible();
  expect(await findRating(db, id)).toMatchObject({ rating: 4, words: "Short and clear." });
  await otherTab.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(otherTab.getByRole("button", { name: "Change rating" })).toBeVisible();
  await expect(otherTab.getByRole("radio", { name: "4 Useful" })).toBeChecked();

  // The reviewer and admins see the rating. The next purchase offers the same brief.
  await reviewer.goto(`/reviewer/submission/${id}`);
  await expect(reviewer.getByText("Short and clear.")).toBeVisible();
  const admin = await browserOf("gita@example.in");
  const row = admin.getByRole("row", { name: new RegExp(nila.fullName!) });
  // The figures are cached for a minute, so another journey may have loaded them just before.
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
  // Text typed now would be lost with the answer.
  await expect(admin.getByLabel("What would you cut?")).not.toBeEditable();
  letGo();
  await expect(admin.getByText("Answer updated successfully").first()).toBeVisible();
  await uploadResume(page, "one-page.pdf");
  await openBrief(page);
  await page.getByRole("link", { name: "Use this again" }).click();
  await expect(page.getByLabel("Question 1")).toHaveValue("Is one page enough?");
});

// Covered by "tests/journeys/reviews/remarks-saved.spec.ts: two tabs".
test("an answer in two tabs: the other tab's text is shown before it is replaced @slow", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await askedReview(product, customer, nila);
  const [first, second] = [await browserOf(nila.email), await browserOf(nila.email)];
  for (const tab of [first, second]) {
    await tab.goto(`/reviewer/submission/${id}`);
    await scriptsRun(tab);
    await openSummary(tab);
  }
  const field = (tab: Page) => tab.getByLabel("Is one page enough?");
  const answered = async () => (await findBrief(product.db, id))?.questions[0]?.answer;
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

  test("a brief and an answer are saved, and the review is rated", async ({
    page,
    context,
    product,
  }) => {
    const { db } = product;
    const { customer, nila } = await ownPeople(product);
    const id = await askedReview(product, customer, nila);
    await changeDraft(db, customer.id, services.portfolio_review, {
      portfolioUrl: "https://portfolio.example.com",
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
    expect(await findRating(db, id)).toMatchObject({ rating: 5, words: null });
  });
});

/** Creates an assigned review with a question. */
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

/** Returns the review that a person bought. */
async function reviewOf({ db }: RunningProduct, { id }: { id: string }): Promise<string> {
  const own = () => db.select().from(serviceReviews).where(eq(serviceReviews.userId, id));
  await expect.poll(async () => (await own()).length).toBe(1);
  return (await own())[0]!.id;
}
