import type { Response } from "@playwright/test";
import { eq } from "drizzle-orm";
import { reviewRemarks, reviewScores } from "../../../app/annotations/tables.server.ts";
import { reviewAssignments } from "../../../app/reviews/tables.server.ts";
import { remarkOn } from "../../support/rows/marked-reviews.ts";
import { reviewRow } from "../../support/rows/review-states.ts";
import type { RunningProduct } from "../support/product.ts";
import { remark, listed, openWork, markedWork, rows, open } from "../support/remarks.ts";
import { openSummary, ownPeople } from "../support/staff.ts";
import { isDrawn } from "../support/steps.ts";
import { expect, test, whenLive } from "../support/test.ts";

test.use({ reducedMotion: "reduce" });

test("two tabs: an idle tab updates, and neither overwrites the other's text", async ({
  browserOf,
  product,
}) => {
  const { page, id, nila } = await openWork(product, browserOf);
  await remarkOn(product.db, id, nila);
  await page.reload();
  const second = whenLive(await page.context().newPage());
  await second.goto(`/reviewer/submission/${id}`);
  await open(page, /Say what came of it/);
  await remark(page).fill("From the first tab.");
  await expect(listed(second)).toHaveText([/From the first tab/]);

  await second.context().setOffline(true);
  await open(second, /From the first tab/);
  await remark(second).fill("From the second tab.");
  await expect(second.getByText("Not saved. You're offline.")).toBeVisible();
  await product.db
    .update(reviewRemarks)
    .set({ text: "From another device.", version: 7 })
    .where(eq(reviewRemarks.reviewId, id));
  await second.context().setOffline(false);
  const conflict = second
    .getByRole("alert")
    .filter({ hasText: "changed in another tab or window" });
  await expect(conflict).toContainText("From another device.");
  await expect(remark(second)).toHaveValue("From the second tab.");
  await second.getByRole("button", { name: "Keep this text" }).click();
  await expect
    .poll(() => rows(product, id))
    .toEqual([expect.objectContaining({ text: "From the second tab.", version: 8 })]);
});

test("text typed offline is saved when the connection returns", async ({ browserOf, product }) => {
  const { page, id } = await openWork(product, browserOf);
  await page.context().setOffline(true);
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await page.keyboard.type("Two pages are one too many.");
  await expect(page.getByText("Not saved. You're offline.")).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText("Not saved", { exact: true })).toBeHidden({ timeout: 20_000 });
  await expect
    .poll(() => rows(product, id))
    .toEqual([expect.objectContaining({ text: "Two pages are one too many." })]);
});

test("leaving with an unresolved conflict asks first", async ({ browserOf, product }) => {
  const { page, id, nila } = await openWork(product, browserOf);
  await remarkOn(product.db, id, nila);
  await page.reload();
  await open(page, /Say what came of it/);
  await product.db
    .update(reviewRemarks)
    .set({ text: "From another device.", version: 7 })
    .where(eq(reviewRemarks.reviewId, id));
  await remark(page).fill("From this tab.");
  await expect(page.getByRole("alert").filter({ hasText: "another device" })).toBeVisible();
  const back = page.getByRole("link", { name: "Back to Dashboard" });
  await back.click();
  const question = page.getByRole("dialog", { name: "Leave before everything is saved?" });
  await expect(question).toContainText("Some remarks or answers aren't saved yet.");
  await question.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("link", { name: "What software reads" }).click();
  await expect(page).toHaveURL(/\?reading$/);
  await page.getByRole("button", { name: "Use the other text" }).click();
  await back.click();
  await expect(page).toHaveURL(/\/reviewer$/);
});

test("a suggested wording is saved once its remark has text", async ({ browserOf, product }) => {
  const { page, id } = await openWork(product, browserOf);
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await page.getByText("Suggest a wording").click();
  await page.getByLabel("Write instead").fill("Led the redesign");
  await page.locator("#resume-2").getByRole("button", { name: "Whole page" }).click();
  await remark(page).fill("Say what came of it.");
  await page.keyboard.press("Enter");
  await expect(listed(page).filter({ hasText: "Not saved" })).toHaveCount(1);
  await listed(page).filter({ hasText: "Not saved" }).locator("summary").first().click();
  await expect(page.getByText("Not saved. Please write the remark")).toBeVisible();
  await remark(page).fill("Say what you led.");
  await page.keyboard.press("Control+Enter");
  await expect
    .poll(() => rows(product, id))
    .toEqual(
      expect.arrayContaining([
        expect.objectContaining({ text: "Say what you led.", suggestion: "Led the redesign" }),
      ]),
    );
});

test("a new reviewer can keep the earlier reviewer's remarks", async ({ browserOf, product }) => {
  const { customer, nila, omana } = await ownPeople(product);
  const id = await markedWork(product, customer, nila);
  await remarkOn(product.db, id, nila);
  await product.db
    .update(reviewAssignments)
    .set({ reviewerId: omana.id })
    .where(eq(reviewAssignments.reviewId, id));
  const page = await browserOf(omana.email, `/reviewer/submission/${id}`);
  await expect(page.getByText(/One remark was written by a reviewer who had/)).toBeVisible();
  await page.getByRole("button", { name: "Keep them" }).click();
  await expect(page.getByRole("button", { name: "Keep them" })).toHaveCount(0);
  expect(await rows(product, id)).toEqual([expect.objectContaining({ authorId: omana.id })]);
});

test("the last of two scores wins, even if the first request arrives late", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  const late = Promise.withResolvers<void>();
  await page.route(
    /\/remarks$/,
    async (route) => {
      await late.promise;
      await route.continue();
    },
    { times: 1 },
  );
  const first = page.waitForResponse((answer) =>
    Boolean(answer.request().postData()?.includes("score=3")),
  );
  await page.getByRole("tab", { name: "Scores" }).click();
  await page.getByRole("button", { name: "Story and order: 3 of 5" }).click();
  await page.getByRole("button", { name: "Story and order: 4 of 5" }).click();
  late.resolve();
  await first;
  await expect.poll(() => scoresOf(product, id)).toEqual([4]);
  await expect(page.getByRole("button", { name: "Story and order: 4 of 5" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

for (const { what, address, ask, hear } of [
  {
    what: "a stale list",
    address: /\/remarks$/,
    ask: async () => void window.dispatchEvent(new Event("focus")),
    hear: async (answer: Response) => void (await answer.finished()),
  },
  {
    what: "a stale screen",
    address: /\/submission\/[^/]+\.data$/,
    ask: () => window.__reactRouterDataRouter.revalidate(),
    // The router may drop the rest of the answer, so there is nothing to wait for.
    hear: async () => {},
  },
])
  // Covered by "two tabs: an idle tab updates".
  test(`${what} does not undo later saves @slow`, async ({ browserOf, product }) => {
    const { customer, nila } = await ownPeople(product);
    const id = await markedWork(product, customer, nila);
    await remarkOn(product.db, id, nila);
    const page = await browserOf(nila.email, `/reviewer/submission/${id}`);
    await open(page, /Say what came of it/);
    const [requested, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(
      ({ pathname }) => address.test(pathname),
      async (route) => {
        const answer = await route.fetch();
        requested.resolve();
        await late.promise;
        await route.fulfill({ response: answer });
      },
      { times: 1 },
    );
    const answered = page.waitForResponse((answer) => address.test(new URL(answer.url()).pathname));
    const isOver = page.evaluate(ask);
    await requested.promise;
    await page.getByRole("button", { name: "Do first" }).click();
    await page.getByRole("tab", { name: "Scores" }).click();
    const score = page.getByRole("button", {
      name: "Story and order: 4 of 5",
      includeHidden: true,
    });
    await score.click();
    await expect.poll(() => scoresOf(product, id)).toEqual([4]);
    await expect.poll(() => rows(product, id)).toEqual([expect.objectContaining({ rank: 1 })]);
    await page.locator("#resume-2").getByRole("button", { name: "Whole page" }).click();
    // The page reads only the later of two lists to its end.
    const listedAnew = page.waitForResponse(
      async (answer) =>
        answer.url().endsWith("/remarks") &&
        /"Which clinic/.test(await answer.text().catch(() => "")),
    );
    await page.keyboard.type("Which clinic?");
    await listedAnew;
    await isDrawn(page);
    late.resolve();
    await hear(await answered);
    await isOver;
    await isDrawn(page);
    await expect(remark(page)).toHaveValue("Which clinic?");
    await expect(score).toHaveAttribute("aria-pressed", "true");
    await open(page, /Say what came of it/);
    await expect(page.getByRole("button", { name: "Do first: 1" })).toBeVisible();
  });

test("submitting right after typing saves everything, and missing scores only warn", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  // A submitted review shows the file itself, which does not exist here.
  await page.route("**/storage/**", (route) => route.fulfill({ contentType: "text/html" }));
  await openSummary(page);
  await page.getByLabel("Feedback").fill("Lead with the outcome.");
  await page.getByRole("tab", { name: "Scores" }).click();
  await page.getByRole("button", { name: "Story and order: 4 of 5, Strong" }).click();
  await openSummary(page);
  await expect(
    page.getByText(/^Not scored yet: First impression, Evidence of impact/),
  ).toBeVisible();
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await page.keyboard.type("Typed last.");
  await page.getByRole("button", { name: "Submit Review" }).click();
  await expect(page.getByText("Review submitted successfully").first()).toBeVisible();
  expect((await reviewRow(product.db, id)).review.status).toBe("completed");
  expect(await rows(product, id)).toEqual([expect.objectContaining({ text: "Typed last." })]);
  const scores = await product.db.select().from(reviewScores).where(eq(reviewScores.reviewId, id));
  expect(scores).toEqual([expect.objectContaining({ criterion: "story", score: 4 })]);
});

test("a review is not submitted while a score is unsaved", async ({ browserOf, product }) => {
  const { page, id } = await openWork(product, browserOf);
  await openSummary(page);
  await page.getByLabel("Feedback").fill("Lead with the outcome.");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  const { promise: pressed, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(`**/${id}/remarks`, async (route) => {
    await pressed;
    await route.fulfill({ status: 429, json: { message: "Please try again in a moment." } });
  });
  await page.getByRole("tab", { name: "Scores" }).click();
  await page
    .getByRole("button", { name: /: 4 of 5/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Submit Review" }).click();
  letGo();
  await expect(page.getByText("Failed to submit review").first()).toBeVisible();
  await expect(page.getByText("Not saved. Please try again in a moment.")).toBeVisible();
  expect((await reviewRow(product.db, id)).review.status).toBe("under_review");
});

async function scoresOf({ db }: RunningProduct, reviewId: string) {
  const scores = await db.select().from(reviewScores).where(eq(reviewScores.reviewId, reviewId));
  return scores.map(({ score }) => score);
}
