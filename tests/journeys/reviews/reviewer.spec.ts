import type { Page } from "@playwright/test";
import { and, eq } from "drizzle-orm";
import { staffRoles } from "../../../app/accounts/tables.server.ts";
import { day, now } from "../../../app/platform/clock.ts";
import { submittedPauseMs } from "../../../app/reviews/staff-rules.ts";
import { reviewAssignments, serviceReviews } from "../../../app/reviews/tables.server.ts";
import { assignedReview, completedReview, reviewRow } from "../../support/rows/review-states.ts";
import type { RunningProduct } from "../support/product.ts";
import { openOwnWork, ownPeople, ownWork } from "../support/staff.ts";
import { comeBack, holdBack } from "../support/steps.ts";
import { expect, test, whenLive } from "../support/test.ts";

const feedback = (page: Page) => page.getByLabel("Feedback");
const submit = (page: Page) => page.getByRole("button", { name: "Submit Review" });

test("the dashboard lists one's own reviews in two tabs, sorted by date or priority", async ({
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
  const cards = page.locator(".assignments h2, .assignments h3");
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

test("what is being written survives a reload and the end of the browser, and is submitted once", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await ownWork(product, customer, nila, "pending");
  const page = await browserOf(nila.email, `/reviewer/submission/${id}`);
  await expect(submit(page)).toBeDisabled();
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

test("a draft in two tabs: an idle tab follows, and where both were typed in, both texts stay", async ({
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

  // The second hears of nothing while it types, as on another device; the first saves meanwhile.
  await second.context().setOffline(true);
  await feedback(second).fill("From the first tab, and the second.");
  await expect(second.getByText(/^Not saved\. You seem to be offline/)).toBeVisible();
  await saveElsewhere(product, id, "From the first tab, and more.");
  await second.context().setOffline(false);
  await comeBack(second);
  const told = second.getByRole("alert").filter({ hasText: "changed in another tab or window" });
  await expect(told).toContainText("From the first tab, and more.");
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
  await expect(told).toHaveCount(0);
  await expect(feedback(first)).toHaveValue("From the first tab, and the second.");
  await submit(second).click();
  await expect(second.getByText("Review submitted successfully").first()).toBeVisible();
});

test("submitting waits for a save that is under way, and takes what was typed since", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openOwnWork(product, browserOf);
  await expect(submit(page)).toBeDisabled();
  const asked: string[] = [];
  let letThrough = () => {};
  const held = new Promise<void>((release) => (letThrough = release));
  await page.route(`**/reviewer/submission/${id}*`, (route) => {
    if (route.request().method() === "POST") asked.push("submitted");
    return route.continue();
  });
  await page.route(/\/remarks$/, async (route) => {
    asked.push("saved");
    await held;
    await route.continue();
  });
  await feedback(page).fill("Lead with the outcome.");
  await expect.poll(() => asked).toEqual(["saved"]);
  await feedback(page).fill("Lead with the outcome, then say how.");
  await submit(page).click();
  await expect(page.getByRole("button", { name: "Submitting..." })).toBeDisabled();
  expect(asked).toEqual(["saved"]);
  letThrough();
  await expect(page.getByText("Review submitted successfully").first()).toBeVisible();
  expect((await reviewRow(product.db, id)).review.reviewerFeedback).toBe(
    "Lead with the outcome, then say how.",
  );
  expect(asked).toEqual(["saved", "submitted"]);
});

test("a second tab of a review that was submitted says so and leads on", async ({
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
  const told = second.locator(".toast", { hasText: "This review has already been submitted." });
  await expect(told).toBeVisible();
  await expect(second.locator(".submitted-feedback")).toHaveText("Lead with the outcome.");
  await expect(second).toHaveURL(/\/reviewer$/);
});

for (const [what, change, why] of [
  ["was submitted elsewhere", submitElsewhere, "This review has already been submitted."],
  ["went to nobody", takeBack, "This review is no longer open to you."],
] as const) {
  test(`what is typed on a review that ${what} stays, is not sent over and over, and says why`, async ({
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
    await page.getByRole("button", { name: "Load again" }).click();
    await expect(submit(page)).toHaveCount(0);
  });
}

test("who submits a review that went to somebody else is told so, and keeps the text", async ({
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

test("who submits a review after the role has gone is told so", async ({ browserOf, product }) => {
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

/** Saves as another device would. */
async function saveElsewhere({ db }: RunningProduct, id: string, draftFeedback: string) {
  await db
    .update(reviewAssignments)
    .set({ draftFeedback })
    .where(eq(reviewAssignments.reviewId, id));
}

test("what was typed last is kept for who leaves at once, and what is submitted takes no more letters", async ({
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
  await feedback(page).fill("Lead with the outcome.");
  await page.getByRole("link", { name: "Back to Dashboard" }).click();
  await expect(page).toHaveURL(/\/reviewer$/);
  await expect
    .poll(async () => (await reviewRow(product.db, id)).assignment?.draftFeedback)
    .toBe("Lead with the outcome.");

  await page.goto(`/reviewer/submission/${id}`);
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

test("a long text is kept too for who leaves at once, in letters that are sent as nine bytes each", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openOwnWork(product, browserOf);
  const words = "पहले परिणाम लिखें। ".repeat(600);
  await feedback(page).fill(words);
  await page.getByRole("link", { name: "Back to Dashboard" }).click();
  await expect(page).toHaveURL(/\/reviewer$/);
  await expect
    .poll(async () => (await reviewRow(product.db, id)).assignment?.draftFeedback)
    .toBe(words);
});

test("a tab is not closed unasked over feedback that could not be saved", async ({
  browserOf,
  product,
}) => {
  const { page } = await openOwnWork(product, browserOf);
  await page.context().setOffline(true);
  await feedback(page).click();
  await page.keyboard.type("Lead with the outcome.");
  await expect(page.getByText(/^Not saved\. You seem to be offline/)).toBeVisible();
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  await expect(feedback(page)).toHaveValue("Lead with the outcome.");
});

test("who goes somewhere else is not taken to the dashboard", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  const id = await completedReview(product.db, customer, nila);
  const page = await browserOf(nila.email);
  await page.route("**/storage/**", (route) => route.fulfill({ contentType: "text/html" }));
  await page.clock.install();
  await page.goto(`/reviewer/submission/${id}?submitted`);
  const letGo = await holdBack(page, /\/jobs\.data/);
  const asked = page.waitForRequest(/\/jobs\.data/);
  await page.getByRole("banner").getByRole("link", { name: "Jobs" }).click();
  await asked;
  await page.clock.runFor(submittedPauseMs);
  letGo();
  await expect(page.getByRole("searchbox", { name: "Search jobs" })).toBeVisible();
});
