import type { Page } from "@playwright/test";
import { and, eq } from "drizzle-orm";
import { staffRoles } from "../../../app/accounts/tables.server.ts";
import { day, hour, now } from "../../../app/platform/clock.ts";
import { submittedPauseMs } from "../../../app/reviews/staff-rules.ts";
import { reviewAssignments, serviceReviews } from "../../../app/reviews/tables.server.ts";
import { assignedReview, completedReview, reviewRow } from "../../support/rows/review-states.ts";
import type { RunningProduct } from "../support/product.ts";
import { openOwnWork, openSummary, ownPeople, ownWork } from "../support/staff.ts";
import { comeBack, holdBack } from "../support/steps.ts";
import { expect, test, whenLive } from "../support/test.ts";
import { slowCases } from "../../support/inventory/selection.ts";

const feedback = (page: Page) => page.getByLabel("Feedback");
const submit = (page: Page) => page.getByRole("button", { name: "Submit Review" });

test("the dashboard lists a reviewer's reviews in two tabs, sorted by date or priority", async ({
  browserOf,
  product,
}) => {
  const { customer, nila, omana } = await ownPeople(product);
  const assignedAt = new Date(now().getTime() - 3 * day);
  await assignedReview(product.db, customer, nila, { priority: 1 });
  await assignedReview(product.db, customer, nila, {
    type: "portfolio_review",
    priority: 3,
    assignedAt,
  });
  await completedReview(product.db, customer, nila, { type: "combined_review" });
  await assignedReview(product.db, customer, omana);
  const page = await browserOf(nila.email, "/reviewer");
  const cards = page.locator(".dashboard_assignments h2, .dashboard_assignments h3");
  await expect(cards).toHaveText(["Resume Review", "Portfolio Review"]);
  const sorts = page.getByRole("navigation", { name: "Sort by" });
  await sorts.getByRole("link", { name: "Date Assigned" }).click();
  await expect(cards).toHaveText(["Portfolio Review", "Resume Review"]);
  await sorts.getByRole("link", { name: "Priority" }).click();
  await expect(page).toHaveURL(/sort=priority/);
  await expect(cards).toHaveText(["Portfolio Review", "Resume Review"]);
  await sorts.getByRole("link", { name: "Priority" }).click();
  await expect(cards).toHaveText(["Resume Review", "Portfolio Review"]);
  await page.getByRole("link", { name: "Completed Reviews" }).click();
  await expect(cards).toHaveText([/Combined Review/]);
  await expect(page.getByRole("link", { name: "View Submission" })).toBeVisible();
});

test("a card shows the target role, the pages and the first page, which other reviewers can't open", async ({
  browserOf,
}) => {
  const page = await browserOf("meera@example.in", "/reviewer");
  const card = page.locator(".dashboard_assignments > li", { hasText: "Product Designer at" });
  await card.getByRole("link", { name: "Review This Order" }).click();
  // The pages are prepared on the first visit.
  await page.locator(".sheets_sheet img, .plate_paper img").first().waitFor();
  await page.getByText("Preparing page").waitFor({ state: "detached" });
  await page.goto("/reviewer");
  await expect(card).toContainText(/\d+ pages?/);
  const picture = card.locator("img");
  await expect(picture).toHaveAttribute("loading", "lazy");
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  const address = await picture.evaluate((image) => (image as HTMLImageElement).src);
  const other = await browserOf("kabir@example.in", "/reviewer");
  expect((await other.request.get(address)).status()).toBe(404);
});

test("a draft survives a reload and a closed browser, and is submitted once", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await ownWork(product, customer, nila, "pending");
  const page = await browserOf(nila.email, `/reviewer/submission/${id}`);
  await expect(submit(page)).toBeDisabled();
  await openSummary(page);
  await feedback(page).fill("Lead with the outcome.");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await feedback(page).fill("Lead with the outcome, then say how.");
  await page.reload();
  await expect(feedback(page)).toHaveValue("Lead with the outcome, then say how.");
  await expect
    .poll(async () => (await reviewRow(product.db, id)).assignment?.draftFeedback)
    .toBe("Lead with the outcome, then say how.");
  await page.context().close();

  const again = await browserOf(nila.email, "/reviewer");
  await again.getByRole("link", { name: "Review This Order" }).click();
  await expect(feedback(again)).toHaveValue("Lead with the outcome, then say how.");
  await expect(submit(again)).toBeEnabled();
  await submit(again).click();
  await expect(again.getByText("Review submitted successfully").first()).toBeVisible();
  await expect(again).toHaveURL(/\/reviewer$/);
  const { review, assignment } = await reviewRow(product.db, id);
  expect([review.status, review.reviewerFeedback, assignment?.draftFeedback]).toEqual([
    "completed",
    "Lead with the outcome, then say how.",
    null,
  ]);
  await again.goto(`/reviewer/submission/${id}`);
  await expect(again.getByText("Lead with the outcome, then say how.")).toBeVisible();
  await expect(submit(again)).toHaveCount(0);
  await expect(again.locator('input[type="file"], textarea')).toHaveCount(0);
});

test("after a submission the dashboard leads to the review that is due first", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const dueIn = (hours: number) => ({ dueAt: new Date(now().getTime() + (hours + 0.5) * hour) });
  await assignedReview(product.db, customer, nila, { type: "combined_review", ...dueIn(30) });
  const late = { type: "portfolio_review", ...dueIn(3) } as const;
  await assignedReview(product.db, customer, nila, late);
  const id = await ownWork(product, customer, nila, "under_review");
  await product.db.update(serviceReviews).set(dueIn(1)).where(eq(serviceReviews.id, id));
  const page = await browserOf(nila.email, "/reviewer");
  const next = page.locator(".dashboard_next-review");
  await expect(next).toContainText("1 h left");
  await next.getByRole("link").click();
  await write(page, "Lead with the outcome.");
  await submit(page).click();
  await expect(page).toHaveURL(/\/reviewer$/);
  await expect(next.getByRole("link")).toHaveText("Next: Portfolio Review");
  await expect(next).toContainText("3 h left");
  await page.getByRole("link", { name: "Completed Reviews" }).click();
  await expect(page.locator(".dashboard_assignments")).toBeVisible();
  await expect(next).toHaveCount(0);
});

test("a draft in two tabs: an idle tab updates, and conflicting texts are both kept", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await ownWork(product, customer, nila, "under_review");
  const first = await browserOf(nila.email, `/reviewer/submission/${id}`);
  const second = whenLive(await first.context().newPage());
  await second.goto(`/reviewer/submission/${id}`);
  await write(first, "From the first tab.");
  await expect(feedback(second)).toHaveValue("From the first tab.");

  // The second tab is offline while it types, and the first one saves.
  await openSummary(second);
  await second.context().setOffline(true);
  await feedback(second).fill("From the first tab, and the second.");
  await expect(second.getByText(/^Not saved\. You're offline/)).toBeVisible();
  await saveElsewhere(product, id, "From the first tab, and more.");
  await second.context().setOffline(false);
  await comeBack(second);
  const conflict = second
    .getByRole("alert")
    .filter({ hasText: "changed in another tab or window" });
  await expect(conflict).toContainText("From the first tab, and more.");
  await expect(feedback(second)).toHaveValue("From the first tab, and the second.");
  await expect(second.getByText("Not saved: the draft was changed elsewhere")).toBeVisible();
  await submit(second).click();
  await expect(second.getByText("Failed to submit review").first()).toBeVisible();
  const { assignment, review } = await reviewRow(product.db, id);
  expect([assignment?.draftFeedback, review.status]).toEqual([
    "From the first tab, and more.",
    "under_review",
  ]);

  await second.getByRole("button", { name: "Keep the text in the field" }).click();
  await expect(second.getByText("Saved", { exact: true })).toBeVisible();
  await expect(conflict).toHaveCount(0);
  await expect(feedback(first)).toHaveValue("From the first tab, and the second.");
  await submit(second).click();
  await expect(second.getByText("Review submitted successfully").first()).toBeVisible();
});

test("submitting waits for a running save and includes later text", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openOwnWork(product, browserOf);
  await expect(submit(page)).toBeDisabled();
  const sent: string[] = [];
  let letThrough = () => {};
  const released = new Promise<void>((release) => (letThrough = release));
  await page.route(`**/reviewer/submission/${id}*`, (route) => {
    if (route.request().method() === "POST") sent.push("submitted");
    return route.continue();
  });
  await page.route(/\/remarks$/, async (route) => {
    sent.push("saved");
    await released;
    await route.continue();
  });
  await openSummary(page);
  await feedback(page).fill("Lead with the outcome.");
  await expect.poll(() => sent).toEqual(["saved"]);
  await feedback(page).fill("Lead with the outcome, then say how.");
  await submit(page).click();
  await expect(page.getByRole("button", { name: "Submitting..." })).toBeDisabled();
  expect(sent).toEqual(["saved"]);
  letThrough();
  await expect(page.getByText("Review submitted successfully").first()).toBeVisible();
  expect((await reviewRow(product.db, id)).review.reviewerFeedback).toBe(
    "Lead with the outcome, then say how.",
  );
  expect(sent).toEqual(["saved", "submitted"]);
});

// Covered by "a draft in two tabs".
test("a second tab of a submitted review says so and continues to the dashboard @slow", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openOwnWork(product, browserOf);
  await write(page, "Lead with the outcome.");
  const second = whenLive(await page.context().newPage());
  await second.goto(`/reviewer/submission/${id}`);
  await expect(feedback(second)).toHaveValue("Lead with the outcome.");
  await submit(page).click();
  await expect(page).toHaveURL(/\/reviewer$/);
  await comeBack(second);
  const toast = second.locator(".toasts_toast", {
    hasText: "This review has already been submitted.",
  });
  await expect(toast).toBeVisible();
  await expect(second.locator(".feedback_submitted-feedback")).toHaveText("Lead with the outcome.");
  await expect(second).toHaveURL(/\/reviewer$/);
});

for (const [what, change, why] of [
  ["was submitted elsewhere", submitElsewhere, "This review has already been submitted."],
  // Covered by "text typed on a review that was submitted elsewhere stays, with the reason it isn't saved".
  ...slowCases([["was unassigned", takeBack, "This review is no longer open to you."]] as const),
] as const) {
  test(`text typed on a review that ${what} stays, with the reason it isn't saved`, async ({
    browserOf,
    product,
  }) => {
    const { page, id } = await openOwnWork(product, browserOf);
    await write(page, "Lead with the outcome.");
    await page.clock.install();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.postData()?.includes("intent=save-draft")) sent.push(request.url());
    });
    await change(product, id);
    await feedback(page).fill("Lead with the outcome, then say how.");
    await page.clock.runFor(60_000);
    await expect(page.getByText(`Not saved. ${why}`)).toBeVisible();
    await page.clock.runFor(60_000);
    expect(sent).toHaveLength(1);
    await comeBack(page);
    await expect.poll(() => sent).toHaveLength(2);
    await expect(feedback(page)).toHaveValue("Lead with the outcome, then say how.");
    page.on("dialog", (question) => question.accept());
    await page.getByRole("button", { name: "Reload" }).click();
    await expect(submit(page)).toHaveCount(0);
  });
}

test("submitting a reassigned review fails with a message and keeps the text", async ({
  browserOf,
  product,
}) => {
  const { customer, nila, omana } = await ownPeople(product);
  const id = await ownWork(product, customer, nila, "under_review");
  const page = await browserOf(nila.email, `/reviewer/submission/${id}`);
  await write(page, "Lead with the outcome.");
  await product.db
    .update(reviewAssignments)
    .set({ reviewerId: omana.id, draftFeedback: null, draftSavedAt: null })
    .where(eq(reviewAssignments.reviewId, id));
  await submit(page).click();
  await expect(page.getByText("Failed to submit review")).toBeVisible();
  await expect(page.getByText("This review is no longer open to you.").first()).toBeVisible();
  expect((await reviewRow(product.db, id)).review.status).toBe("under_review");
});

// Covered by "submitting a reassigned review".
test("submitting without the reviewer role fails with a message @slow", async ({
  browserOf,
  product,
}) => {
  const { page, id, nila } = await openOwnWork(product, browserOf);
  await write(page, "Lead with the outcome.");
  await product.db
    .delete(staffRoles)
    .where(and(eq(staffRoles.userId, nila.id), eq(staffRoles.role, "reviewer")));
  await submit(page).click();
  await expect(page.getByText("You can no longer do this")).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  expect((await reviewRow(product.db, id)).review.status).toBe("under_review");
});

async function write(page: Page, words: string) {
  await expect(submit(page)).toBeDisabled();
  await openSummary(page);
  await feedback(page).fill(words);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
}

async function submitElsewhere({ db }: RunningProduct, id: string) {
  const completed = { status: "completed", reviewerFeedback: "Lead with it." } as const;
  await db.update(serviceReviews).set(completed).where(eq(serviceReviews.id, id));
  await db
    .update(reviewAssignments)
    .set({ completedAt: now(), draftFeedback: null })
    .where(eq(reviewAssignments.reviewId, id));
}

async function takeBack({ db }: RunningProduct, id: string) {
  await db.delete(reviewAssignments).where(eq(reviewAssignments.reviewId, id));
  await db.update(serviceReviews).set({ status: "pending" }).where(eq(serviceReviews.id, id));
}

/** Saves a draft as another device. */
async function saveElsewhere({ db }: RunningProduct, id: string, draftFeedback: string) {
  await db
    .update(reviewAssignments)
    .set({ draftFeedback })
    .where(eq(reviewAssignments.reviewId, id));
}

test("text typed right before leaving is saved, and a submitted review can't be edited", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await ownWork(product, customer, nila, "under_review");
  const page = await browserOf(nila.email, "/reviewer");
  await page
    .getByRole("link", { name: /Review/ })
    .last()
    .click();
  await openSummary(page);
  await feedback(page).fill("Lead with the outcome.");
  await page.getByRole("link", { name: "Back to Dashboard" }).click();
  await expect(page).toHaveURL(/\/reviewer$/);
  await expect
    .poll(async () => (await reviewRow(product.db, id)).assignment?.draftFeedback)
    .toBe("Lead with the outcome.");

  await page.goto(`/reviewer/submission/${id}`);
  await openSummary(page);
  await feedback(page).evaluate((area: HTMLTextAreaElement) => {
    const count = () => {
      if (!area.readOnly) document.body.dataset.opened = "yes";
    };
    new MutationObserver(count).observe(area, { attributeFilter: ["readonly"] });
  });
  await submit(page).click();
  await expect(page.getByText("Review submitted successfully").first()).toBeVisible();
  await expect(page.locator("body")).not.toHaveAttribute("data-opened");
});

test("a long Hindi text typed right before leaving is saved", async ({ browserOf, product }) => {
  const { page, id } = await openOwnWork(product, browserOf);
  const words = "पहले परिणाम लिखें। ".repeat(600);
  await openSummary(page);
  await feedback(page).fill(words);
  await page.getByRole("link", { name: "Back to Dashboard" }).click();
  await expect(page).toHaveURL(/\/reviewer$/);
  await expect
    .poll(async () => (await reviewRow(product.db, id)).assignment?.draftFeedback)
    .toBe(words);
});

test("closing a tab with unsaved feedback asks first", async ({ browserOf, product }) => {
  const { page } = await openOwnWork(product, browserOf);
  await page.context().setOffline(true);
  await openSummary(page);
  await feedback(page).click();
  await page.keyboard.type("Lead with the outcome.");
  await expect(page.getByText(/^Not saved\. You're offline/)).toBeVisible();
  const opened = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const question = await opened;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  await expect(feedback(page)).toHaveValue("Lead with the outcome.");
});

// Covered by "a draft in two tabs".
test("a reviewer who navigates away is not redirected to the dashboard @slow", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await completedReview(product.db, customer, nila);
  const page = await browserOf(nila.email);
  await page.route("**/storage/**", (route) => route.fulfill({ contentType: "text/html" }));
  await page.clock.install();
  await page.goto(`/reviewer/submission/${id}?submitted`);
  const letGo = await holdBack(page, /\/jobs\.data/);
  const jobRequest = page.waitForRequest(/\/jobs\.data/);
  await page.getByRole("banner").getByRole("link", { name: "Jobs" }).click();
  await jobRequest;
  await page.clock.runFor(submittedPauseMs);
  letGo();
  await expect(page.getByRole("searchbox", { name: "Search jobs" })).toBeVisible();
});
