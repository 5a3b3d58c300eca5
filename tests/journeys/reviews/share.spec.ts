import type { Browser, Locator, Page } from "@playwright/test";
import { and, eq, isNull } from "drizzle-orm";
import sharp from "sharp";
import { users } from "../../../app/accounts/tables.server.ts";
import { reviewShares } from "../../../app/annotations/share/tables.server.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import { objectionsOn } from "../support/axe.ts";
import { stickingOut } from "../support/looks.ts";
import type { RunningProduct } from "../support/product.ts";
import { expect, test } from "../support/test.ts";
import { openPage, openPlainPage } from "../support/visitors.ts";

/** Owns a demo review whose remarks have quotes and suggestions. */
const owner = "asha@example.com";

test("a review is blacked out and shared, until its link is ended", async ({
  product,
  browserOf,
  browser,
}) => {
  const { page, path, quote } = await sharedReview(product, browserOf);
  await page.getByRole("link", { name: "Share", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Share your review" })).toBeVisible();
  await expect(paper(page).locator(".hiding_found").first()).toBeVisible();

  // The mouse draws, moves, resizes and removes one area. The button adds another.
  await drag(page, paper(page), [0.2, 0.6], [0.4, 0.65]);
  const first = page.getByRole("button", {
    name: "Blacked out area 1 on Resume, page 1",
    exact: true,
  });
  await expect(first).toBeFocused();
  await drag(page, first, [0.5, 0.5], [0.5, 4]);
  await expect.poll(async () => (await placeOn(page, first)).y).toBeGreaterThan(0.7);
  const before = await placeOn(page, first);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(async () => (await placeOn(page, first)).x).toBeCloseTo(before.x + 0.01, 2);
  await drag(page, page.locator(".hiding_corner"), [0.5, 0.5], [3, 2]);
  await expect
    .poll(async () => (await placeOn(page, first)).width)
    .toBeGreaterThan(before.width + 0.03);
  await page.getByRole("button", { name: "Take away: Blacked out area 1" }).click();
  await expect(first).toHaveCount(0);
  const adder = page.getByRole("button", { name: "Black out an area on Resume, page 1" });
  await expect(adder).toBeFocused();
  await adder.press("Enter");
  await expect(first).toBeFocused();
  const hidden = await placeOn(page, first);
  expect(await objectionsOn(page)).toEqual([]);

  // A person who hasn't seen all pages is asked to look again.
  const seenPages = page.locator('input[name="pages"]');
  const all = await seenPages.inputValue();
  await seenPages.evaluate((input: HTMLInputElement) => (input.value = "1"));
  await page.getByRole("button", { name: "Make the link" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    "Please check all of them first",
  );
  await seenPages.evaluate((input: HTMLInputElement, value) => (input.value = value), all);

  await page.getByRole("button", { name: "Make the link" }).click();
  const field = page.getByLabel("Link to your review");
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport();
  const link = await field.inputValue();
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  const copy = page.getByRole("button", { name: "Copy" });
  await copy.click();
  await expect(copy).toHaveText("Copy it by hand");
  await expect(field).toBeFocused();
  await page.goto(`${path}/share`);
  await expect(field).toHaveCount(0);
  await expect(page.getByText("A link to this review is open until")).toBeVisible();
  // A new link starts with the same hidden areas.
  await expect(first).toBeVisible();
  await expect(first).not.toBeFocused();
  await expect(page.locator(".hiding_area")).toHaveCount(1);
  expect((await placeOn(page, first)).y).toBeCloseTo(hidden.y, 2);

  // The link needs no account and no scripts.
  const stranger = await strangerIn(browser, product);
  await expect(async () => {
    await stranger.goto(link);
    await expect(stranger.locator(".plate_paper").first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await expect(stranger.locator(".plate_pins a").first()).toBeVisible();
  await expect(stranger.locator(".remark-item").first()).toBeVisible();
  expect(await stranger.content()).not.toContain(quote);
  await expect(stranger.getByRole("heading", { name: "Feedback", exact: true })).toHaveCount(0);
  const picture = await stranger.locator(".plate_paper img").first().getAttribute("src");
  expect(await lightest(stranger, picture!, hidden)).toBeLessThan(40);
  expect(await stranger.evaluate(stickingOut)).toEqual([]);
  await stranger.context().close();

  const scripted = await strangerIn(browser, product, { javaScriptEnabled: true });
  await scripted.goto(link);
  await expect(scripted.locator(".plate_pins a").first()).toBeVisible();
  expect(await objectionsOn(scripted)).toEqual([]);
  await page.getByRole("button", { name: "End the link" }).click();
  await expect(page.getByText("A link to this review is open until")).toHaveCount(0);
  expect((await scripted.goto(link))!.status()).toBe(404);
  await expect(scripted.getByText("This link has expired.")).toBeVisible();
  expect((await scripted.request.get(picture!)).status()).toBe(404);
  await scripted.context().close();
});

// Covered by "a review is blacked out and shared".
test("whole pages are blacked out without scripts, and an area moves by touch with them @slow", async ({
  product,
  browserOf,
  browser,
}) => {
  const { path } = await sharedReview(product, browserOf);
  const viewport = { width: 360, height: 780 };
  const page = await openPlainPage(browser, product, owner, { viewport });
  await page.goto(`${path}/share`);
  expect(await page.evaluate(stickingOut)).toEqual([]);
  await page.getByLabel("Black out the whole page").nth(1).check();
  await page.getByRole("button", { name: /^Make/ }).click();
  await expect(page.getByLabel("Link to your review")).toHaveValue(/\/shared\//);
  const [share] = await product.db
    .select()
    .from(reviewShares)
    .where(and(eq(reviewShares.reviewId, idOf(path)), isNull(reviewShares.endedAt)));
  const wholePage = { part: "resume", page: 2, x: 0, y: 0, width: 1, height: 1 };
  expect(share!.hidden).toContainEqual(wholePage);
  await page.goto(`${path}/share`);
  await expect(page.getByLabel("Black out the whole page").nth(1)).toBeChecked();
  await page.getByRole("button", { name: "End the link" }).click();
  await page.context().close();

  const touch = { viewport, hasTouch: true, reducedMotion: "reduce" } as const;
  const finger = await openPage(browser, product, owner, touch);
  await finger.goto(`${path}/share`);
  await finger.locator("html[data-live]").waitFor({ state: "attached" });
  await finger.getByRole("button", { name: "Black out an area on Resume, page 1" }).tap();
  const area = finger.getByRole("button", {
    name: "Blacked out area 1 on Resume, page 1",
    exact: true,
  });
  await expect(area).toBeFocused();
  const { y } = await placeOn(finger, area);
  await swipe(finger, area, 80);
  await expect.poll(async () => (await placeOn(finger, area)).y).toBeGreaterThan(y + 0.1);
  const scrolled = await finger.evaluate(() => scrollY);
  await swipe(finger, paper(finger).locator("img").first(), -80);
  await expect.poll(() => finger.evaluate(() => scrollY)).toBeGreaterThan(scrolled);
  await finger.context().close();
});

const idOf = (path: string) => path.split("/").at(-1)!;

/** Opens the review once its pages are ready. @returns also a text that a remark quotes */
async function sharedReview(
  { db }: RunningProduct,
  browserOf: (email: string, path: string) => Promise<Page>,
) {
  const [row] = await db
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .where(and(eq(users.email, owner), eq(serviceReviews.status, "completed")));
  const path = `/service-review/${row!.id}`;
  const page = await browserOf(owner, path);
  await expect(page.getByText(/Preparing/)).toHaveCount(0, { timeout: 150_000 });
  return { page, path, quote: "Creative and detail-oriented" };
}

const paper = (page: Page) => page.locator(".hiding_paper").first();

/** Drags from one point of an element to another, in fractions of its sides. */
async function drag(page: Page, thing: Locator, from: [number, number], to: [number, number]) {
  await thing.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await thing.boundingBox())!;
  await page.mouse.move(x + from[0] * width, y + from[1] * height);
  await page.mouse.down();
  await page.mouse.move(x + to[0] * width, y + to[1] * height, { steps: 4 });
  await page.mouse.up();
}

/** Drags a finger up or down by pixels, from the middle of an element's visible part. */
async function swipe(page: Page, thing: Locator, by: number) {
  const { x, y, width, height } = (await thing.boundingBox())!;
  const at = { x: x + width / 2, y: Math.min(y + height / 2, 600) };
  const client = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", moved: number) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x: at.x, y: at.y + moved }],
    });
  await touch("touchStart", 0);
  for (const part of [0.25, 0.5, 0.75, 1]) await touch("touchMove", part * by);
  await touch("touchEnd", 0);
}

/** Returns an area's place on its page, in fractions of the page. */
async function placeOn(page: Page, area: Locator) {
  const [box, sheet] = await Promise.all([
    area.locator("..").boundingBox(),
    paper(page).boundingBox(),
  ]);
  return {
    x: (box!.x - sheet!.x) / sheet!.width,
    y: (box!.y - sheet!.y) / sheet!.height,
    width: box!.width / sheet!.width,
    height: box!.height / sheet!.height,
  };
}

async function strangerIn(
  browser: Browser,
  { origin }: RunningProduct,
  { javaScriptEnabled = false } = {},
): Promise<Page> {
  const viewport = { width: 360, height: 780 };
  const context = await browser.newContext({ baseURL: origin, viewport, javaScriptEnabled });
  return context.newPage();
}

/** The lightest pixel within an area of a picture that a page loads; black is 0. */
async function lightest(
  page: Page,
  address: string,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
) {
  const bytes = await (await page.request.get(address)).body();
  const picture = sharp(bytes);
  const size = await picture.metadata();
  const region = {
    left: Math.ceil(x * size.width) + 1,
    top: Math.ceil(y * size.height) + 1,
    width: Math.floor(width * size.width) - 3,
    height: Math.floor(height * size.height) - 3,
  };
  const cut = await picture.extract(region).toBuffer();
  const { channels } = await sharp(cut).greyscale().stats();
  return channels[0]!.max;
}
