import type { Locator, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { now } from "../../../app/platform/clock.ts";
import {
  renderedFiles,
  reviewerPhrases,
  reviewRemarks,
  reviewScores,
} from "../../../app/reviews/remarks/tables.server.ts";
import { reviewAssignments } from "../../../app/reviews/tables.server.ts";
import { storedFiles } from "../../../app/files/tables.server.ts";
import { addPages, pageWords, remarkOn, withPages } from "../../support/rows/marked-reviews.ts";
import { person } from "../../support/rows/people.ts";
import { assignedReview, completedReview, reviewRow } from "../../support/rows/review-states.ts";
import { objectionsOn } from "../support/axe.ts";
import type { RunningProduct } from "../support/product.ts";
import { ownPeople } from "../support/staff.ts";
import { fixture, isDrawn } from "../support/steps.ts";
import { expect, signInByCookie, test, whenLive } from "../support/test.ts";

test.use({ reducedMotion: "reduce" });

const remark = (page: Page) => page.getByRole("textbox", { name: "Remark", exact: true });
const pins = (page: Page) => page.locator(".sheet-face .sheet-pin");
const listed = (page: Page) => page.locator(".remarks > ol > li");
const firstFace = (page: Page) => page.locator(".sheet-face").first();

test("a box is drawn with the mouse, Enter keeps what is written and Escape drops it", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  await mode(page, "Add");
  await drag(page, [0.1, 0.18], [0.6, 0.24]);
  await expect(remark(page)).toBeFocused();
  await page.keyboard.type("Say what came of it.");
  await page.keyboard.press("Enter");
  await expect(pins(page)).toHaveCount(1);
  await expect(pins(page)).toBeFocused();
  await drag(page, [0.5, 0.5], [0.5, 0.5]);
  await page.keyboard.type("Nothing here");
  await page.keyboard.press("Escape");
  await expect(listed(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(listed(page)).toHaveCount(2);

  const near = (side: number) => expect.closeTo(side, 1);
  await expect
    .poll(() => rows(product, id))
    .toEqual([
      expect.objectContaining({ text: "Say what came of it.", x: near(0.1), width: near(0.5) }),
      expect.objectContaining({ text: "Nothing here", x: near(0.5), width: 0, height: 0 }),
    ]);
  expect(await objectionsOn(page)).toEqual([]);
  await page.reload();
  await expect(listed(page)).toHaveText([/Say what came of it/, /Nothing here/]);
});

test("words that are selected on a page become the quote of a remark, in their place", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  await mode(page, "Select text");
  await expect(page.locator(".text-layer span").first()).toBeAttached();
  // From within the first word to within the last.
  await drag(page, [0.12, 0.21], [0.68, 0.211]);
  await page.getByRole("button", { name: "Remark on these words" }).click();
  await page.keyboard.type("Which clinic?");
  await expect(page.getByLabel("Words on the page")).toHaveValue(pageWords);
  await page.getByLabel("Write instead").fill("Cut onboarding from nine steps to four");
  await expect
    .poll(() => rows(product, id))
    .toEqual([
      expect.objectContaining({
        quote: pageWords,
        suggestion: "Cut onboarding from nine steps to four",
        x: 0.1,
        y: 0.2,
      }),
    ]);
});

test("words are selected by the keyboard alone, and told as they are", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  await page.getByRole("radio", { name: "Read" }).focus();
  await page.keyboard.press("ArrowRight");
  const words = page.getByRole("application", { name: "Words of Resume, page 1" });
  await words.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("output", { hasText: /^Redesigned$/ })).toBeAttached();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Shift+ArrowLeft");
  await expect(page.locator("output", { hasText: /^onboarding for$/ })).toBeAttached();
  expect(await objectionsOn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Remark on these words" })).toBeHidden();
  await expect(words).toBeFocused();
  // Faster than the browser tells of what is selected.
  await words.evaluate((layer) => {
    const press = (key: string, shiftKey = false) =>
      layer.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
    press("Home");
    press("End", true);
    press("Enter");
  });
  await expect(remark(page)).toBeFocused();
  await page.keyboard.type("Which clinic?");
  await expect(page.getByLabel("Words on the page")).toHaveValue(pageWords);
  await page.keyboard.press("Enter");
  await expect
    .poll(() => rows(product, id))
    .toEqual([expect.objectContaining({ quote: pageWords, x: 0.1, y: 0.2 })]);
});

test("all of it works by the keyboard: points, moves, sizes, pages, whole pages", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  await page.locator("#resume-1").getByRole("button", { name: "Point" }).focus();
  await page.keyboard.press("Enter");
  await expect(remark(page)).toBeFocused();
  await page.keyboard.type("Begin with the outcome.");
  await page.keyboard.press("Enter");
  await expect(pins(page)).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowRight");
  await expect(page.getByText("1 % wide, 0 % high")).toBeAttached();
  await expect
    .poll(() => rows(product, id))
    .toEqual([expect.objectContaining({ x: 0.51, y: expect.closeTo(0.507, 3), width: 0.01 })]);
  await page.keyboard.press("Enter");
  await expect(remark(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(pins(page)).toBeFocused();
  await page.keyboard.press("]");
  await expect(page.locator("#resume-2 button").first()).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.type("This page says the same twice.");
  await page.keyboard.press("Enter");
  await expect(listed(page)).toHaveText([/Begin with/, /all of Resume, page 2/]);
});

test("on a phone a tap sets a point, and what is written lies over the lower part of the page", async ({
  browser,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await markedWork(product, customer, nila);
  const context = await browser.newContext({
    baseURL: product.origin,
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    reducedMotion: "reduce",
  });
  await signInByCookie(context, product, nila.email);
  const page = whenLive(await context.newPage());
  await page.goto(`/reviewer/submission/${id}`);
  await page.getByText("Add", { exact: true }).tap();
  const box = (await firstFace(page).boundingBox())!;
  expect(Math.round(box.width)).toBe(360);
  await firstFace(page).tap({ position: { x: 90, y: 100 } });
  await expect(remark(page)).toBeFocused();
  await page.keyboard.type("Too small.");
  const sheet = (await page.locator(".remark-form").boundingBox())!;
  const pin = (await pins(page).boundingBox())!;
  expect(pin.y + pin.height).toBeLessThan(sheet.y);
  expect(await objectionsOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Close remark 1" }).tap();
  await expect(page.locator(".remark-form")).toBeHidden();
  await expect
    .poll(() => rows(product, id))
    .toEqual([expect.objectContaining({ text: "Too small.", x: expect.closeTo(0.25, 1) })]);
  await context.close();
});

test("two tabs: an idle one follows, and neither overwrites what the other has written", async ({
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
  await expect(second.getByText("Not saved. You seem to be offline.")).toBeVisible();
  await product.db
    .update(reviewRemarks)
    .set({ text: "From another device.", version: 7 })
    .where(eq(reviewRemarks.reviewId, id));
  await second.context().setOffline(false);
  const told = second.getByRole("alert").filter({ hasText: "changed in another tab or window" });
  await expect(told).toContainText("From another device.");
  await expect(remark(second)).toHaveValue("From the second tab.");
  await second.getByRole("button", { name: "Keep this text" }).click();
  await expect
    .poll(() => rows(product, id))
    .toEqual([expect.objectContaining({ text: "From the second tab.", version: 8 })]);
});

test("what is typed without a connection is saved when it is back", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  await page.context().setOffline(true);
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await page.keyboard.type("Two pages are one too many.");
  await expect(page.getByText("Not saved. You seem to be offline.")).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText("Not saved", { exact: true })).toBeHidden({ timeout: 20_000 });
  await expect
    .poll(() => rows(product, id))
    .toEqual([expect.objectContaining({ text: "Two pages are one too many." })]);
});

test("a remark that was changed elsewhere is not left unasked", async ({ browserOf, product }) => {
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
  await expect(question).toContainText("Some remarks or answers are not saved yet.");
  await question.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("link", { name: "What software reads" }).click();
  await expect(page).toHaveURL(/\?reading$/);
  await page.getByRole("button", { name: "Use the other text" }).click();
  await back.click();
  await expect(page).toHaveURL(/\/reviewer$/);
});

test("a wording that is suggested without a remark is kept until it has one", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await page.getByText("Suggest a wording").click();
  await page.getByLabel("Write instead").fill("Led the redesign");
  await page.locator("#resume-1").getByRole("button", { name: "Point" }).click();
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

test("remarks stay when a review goes to somebody else, who keeps them", async ({
  browserOf,
  product,
}) => {
  const { customer, nila, omana } = await ownPeople(product);
  const id = await markedWork(product, customer, nila);
  await remarkOn(product.db, id, nila);
  await product.db
    .update(reviewAssignments)
    .set({ reviewerId: omana.id })
    .where(eq(reviewAssignments.reviewId, id));
  const page = await browserOf(omana.email);
  await page.goto(`/reviewer/submission/${id}`);
  await expect(page.getByText(/One remark was written by a reviewer who had/)).toBeVisible();
  await page.getByRole("button", { name: "Keep them" }).click();
  await expect(page.getByRole("button", { name: "Keep them" })).toHaveCount(0);
  expect(await rows(product, id)).toEqual([expect.objectContaining({ authorId: omana.id })]);
});

test("a phrase is kept once, and found by its letters", async ({ browserOf, product }) => {
  const { page } = await openWork(product, browserOf);
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await page.keyboard.type("Lead with the outcome.");
  await page.getByRole("button", { name: "Keep as a phrase" }).click();
  await expect(page.getByText("Your saved phrases (1)")).toBeVisible();
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await page.locator("#resume-2").getByRole("button", { name: "Whole page" }).click();
  await page.keyboard.type("Here too: /outc");
  await expect(page.getByRole("group", { name: "Saved phrases" })).toBeVisible();
  expect(await objectionsOn(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(remark(page)).toHaveValue("Here too: Lead with the outcome.");
});

test("a phrase is put where it is asked for, and only while the caret is there", async ({
  browserOf,
  product,
}) => {
  const { page, id, nila } = await openWork(product, browserOf);
  const text = "Lead with the outcome.";
  await product.db.insert(reviewerPhrases).values({ userId: nila.id, text, createdAt: now() });
  await page.clock.install();
  await page.reload();
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await page.keyboard.type("Half of /outc");
  const offered = page.getByRole("group", { name: "Saved phrases" });
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("button", { name: text })).toBeFocused();
  await page.keyboard.press("Escape");
  // The list looks after a moment whether the field was left for good.
  await page.clock.runFor(300);
  await expect(offered).toBeVisible();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(listed(page)).toHaveText([/Half of \/outc/]);
  await expect
    .poll(() => rows(product, id))
    .toEqual([expect.objectContaining({ text: "Half of /outc" })]);
});

test("of two presses the last one counts, also where the first arrives late", async ({
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

test("a list that was asked for before something was pressed takes nothing of it back", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await markedWork(product, customer, nila);
  await remarkOn(product.db, id, nila);
  const page = await browserOf(nila.email);
  await page.goto(`/reviewer/submission/${id}`);
  await open(page, /Say what came of it/);
  const [asked, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(
    (url) => url.pathname.endsWith("/remarks"),
    async (route) => {
      const answer = await route.fetch();
      asked.resolve();
      await late.promise;
      await route.fulfill({ response: answer });
    },
    { times: 1 },
  );
  const list = page.waitForResponse((answer) => answer.url().endsWith("/remarks"));
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await asked.promise;
  await page.getByRole("button", { name: "Do first" }).click();
  const score = page.getByRole("button", { name: "Story and order: 4 of 5" });
  await score.click();
  await expect.poll(() => scoresOf(product, id)).toEqual([4]);
  await expect.poll(() => rows(product, id)).toEqual([expect.objectContaining({ rank: 1 })]);
  late.resolve();
  await (await list).finished();
  await isDrawn(page);
  await expect(page.getByRole("button", { name: "Do first: 1" })).toBeVisible();
  await expect(score).toHaveAttribute("aria-pressed", "true");
});

test("the keys that turn pages count each press, and a press that Escape ended draws nothing", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  await withPages(product.db, id, { pages: 5 });
  const page = await browserOf(nila.email);
  await page.goto(`/reviewer/submission/${id}`);
  await mode(page, "Add");
  await firstFace(page).scrollIntoViewIfNeeded();
  const at = await placeOn(firstFace(page));
  await page.mouse.move(...at([0.3, 0.2]));
  await page.mouse.down();
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await mode(page, "Add");
  await page.mouse.move(...at([0.4, 0.25]));
  await page.mouse.move(...at([0.5, 0.3]));
  await isDrawn(page);
  await expect(page.locator(".sheet-area")).toHaveCount(0);

  await page.locator("#resume-1").getByRole("button", { name: "Point" }).focus();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("]");
  await expect(page.getByRole("img", { name: "Resume, page 4, 4 of 5" })).toBeVisible();
});

test("a screenshot is pinned as soon as it is uploaded, and what is typed meanwhile stays", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await page.context().setOffline(true);
  await page.keyboard.type("Not sent yet.");
  await expect(page.getByText("Not saved. You seem to be offline.")).toBeVisible();
  await page.context().setOffline(false);
  await page.locator('#screenshots input[type="file"]').setInputFiles(fixture("poster.png"));
  await page.locator("#screenshots").getByRole("button", { name: "Upload" }).click();
  const shot = page.locator(".sheet").filter({ hasText: "Screenshot 1" });
  await expect(shot).toBeVisible();
  await expect(remark(page)).toHaveValue("Not sent yet.");
  await shot.getByRole("button", { name: "Point" }).click();
  await page.keyboard.type("Contrast is too low here.");
  await page.keyboard.press("Enter");
  await expect
    .poll(async () =>
      Object.fromEntries(
        (await rows(product, id)).map(({ text, imageId }) => [text, imageId !== null]),
      ),
    )
    .toEqual({ "Not sent yet.": false, "Contrast is too low here.": true });
});

test("submitting right after typing loses nothing, and missing scores only warn", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  // What is submitted shows the file itself, and there is none.
  await page.route("**/storage/**", (route) => route.fulfill({ contentType: "text/html" }));
  await page.getByLabel("Feedback").fill("Lead with the outcome.");
  await page.getByRole("button", { name: "Story and order: 4 of 5, Strong" }).click();
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

test("nothing is submitted without a score that was just given and could not be saved", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  await page.getByLabel("Feedback").fill("Lead with the outcome.");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  const { promise: pressed, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(`**/${id}/remarks`, async (route) => {
    await pressed;
    await route.fulfill({ status: 429, json: { message: "Please try again in a moment." } });
  });
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

test("pages come in while they are made, without a reload", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  await withPages(product.db, id, { state: "rendering", pages: 0 });
  const page = await browserOf(nila.email);
  await page.goto(`/reviewer/submission/${id}`);
  await expect(page.getByText("Page 1 of 2 is being made.")).toBeVisible();
  const [file] = await product.db
    .select({ id: storedFiles.id })
    .from(storedFiles)
    .where(eq(storedFiles.uploadedBy, customer.id));
  await addPages(product.db, file!.id, 2);
  await product.db
    .update(renderedFiles)
    .set({ state: "done" })
    .where(eq(renderedFiles.fileId, file!.id));
  await expect(page.locator(".sheet")).toHaveCount(2);
  await expect(page.getByText(/is being made/)).toHaveCount(0);
});

test("without scripts remarks are written by page, changed and deleted in forms", async ({
  browser,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await markedWork(product, customer, nila);
  const context = await browser.newContext({ baseURL: product.origin, javaScriptEnabled: false });
  await signInByCookie(context, product, nila.email);
  const page = await context.newPage();
  await page.goto(`/reviewer/submission/${id}`);
  await page.getByText("Add a remark").click();
  await page.getByLabel("Place").selectOption("Resume, page 2");
  await remark(page).fill("This page says the same twice.");
  await page.getByText("Must fix").click();
  await page.getByRole("button", { name: "Save remark" }).click();
  await expect(listed(page)).toHaveText([/all of Resume, page 2/]);
  await listed(page).locator("summary").first().click();
  await listed(page).getByLabel("Remark", { exact: true }).fill("Cut this page.");
  await listed(page).getByRole("button", { name: "Save remark" }).click();
  expect(await rows(product, id)).toEqual([
    expect.objectContaining({ text: "Cut this page.", severity: "must", page: 2, x: null }),
  ]);
  await listed(page).locator("summary").first().click();
  await listed(page).getByRole("button", { name: "Delete" }).click();
  await expect(listed(page)).toHaveCount(0);
  await context.close();
});

test("a god admin changes a remark of a completed review, and the history tells of it", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const { db } = product;
  const gita = await person(db, "Gita Journeys", { roles: ["god_admin"] });
  const id = await completedReview(db, customer, nila);
  await withPages(db, id);
  await remarkOn(db, id, nila);
  const page = await browserOf(gita.email);
  await page.goto(`/admin/reviews/completed?edit=${id}`);
  await page.getByRole("link", { name: "Edit the remarks on its pages" }).click();
  await open(page, /Say what came of it/);
  await remark(page).fill("Say what came of it, in numbers.");
  await expect.poll(() => rows(product, id)).toEqual([expect.objectContaining({ version: 2 })]);
  expect(await objectionsOn(page)).toEqual([]);
  await page.goto(`/admin/history?type=review&id=${id}`);
  await expect(page.getByText("Changed a remark of a completed review")).toBeVisible();
});

async function openWork(product: RunningProduct, browserOf: (email: string) => Promise<Page>) {
  const { customer, nila } = await ownPeople(product);
  const id = await markedWork(product, customer, nila);
  const page = await browserOf(nila.email);
  await page.goto(`/reviewer/submission/${id}`);
  return { page, id, nila };
}

async function markedWork(
  { db }: RunningProduct,
  customer: { id: string },
  reviewer: { id: string },
): Promise<string> {
  const id = await assignedReview(db, customer, reviewer);
  await withPages(db, id);
  return id;
}

function rows({ db }: RunningProduct, reviewId: string) {
  return db
    .select()
    .from(reviewRemarks)
    .where(eq(reviewRemarks.reviewId, reviewId))
    .orderBy(reviewRemarks.createdAt);
}

async function scoresOf({ db }: RunningProduct, reviewId: string) {
  const scores = await db.select().from(reviewScores).where(eq(reviewScores.reviewId, reviewId));
  return scores.map(({ score }) => score);
}

async function mode(page: Page, name: string) {
  await page.locator(".sheet-modes").getByText(name, { exact: true }).click();
}

async function open(page: Page, words: RegExp) {
  await listed(page).filter({ hasText: words }).locator("summary").first().click();
}

type Share = [x: number, y: number];

/** From one place of the first page to another, in shares of its sides. */
async function drag(page: Page, from: Share, to: Share) {
  const face = firstFace(page);
  await face.scrollIntoViewIfNeeded();
  const at = await placeOn(face);
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]));
  await page.mouse.move(...at(to));
  await page.mouse.up();
}

async function placeOn(face: Locator): Promise<(share: Share) => [number, number]> {
  const { x, y, width, height } = (await face.boundingBox())!;
  return ([right, down]) => [x + right * width, y + down * height];
}
