import { join } from "node:path";
import type { Page } from "@playwright/test";
import { remarkOn, withPages } from "../../support/rows/marked-reviews.ts";
import { assignedReview, reviewRow } from "../../support/rows/review-states.ts";
import { objectionsOn } from "../support/axe.ts";
import { stickingOut } from "../support/looks.ts";
import { listed, markedWork, openWork, remark } from "../support/remarks.ts";
import { openSummary, ownPeople } from "../support/staff.ts";
import { expect, reloadWithFonts, test, whenLive } from "../support/test.ts";
import { openPage, openPlainPage } from "../support/visitors.ts";

test.use({ reducedMotion: "reduce" });

const poster = join(import.meta.dirname, "../../fixtures/files/poster.png");

const tab = (page: Page, name: string) => page.getByRole("tab", { name });
const feedback = (page: Page) => page.getByLabel("Feedback");
const submit = (page: Page) => page.getByRole("button", { name: "Submit Review" });
const firstFace = (page: Page) => page.locator(".sheet_face").first();

test("the first page, the tools and what is saved are on the first screen", async ({
  browserOf,
  product,
}) => {
  const { page } = await openWork(product, browserOf);
  await page.setViewportSize({ width: 1280, height: 800 });
  await reloadWithFonts(page);
  const boxOf = async (part: string) => (await page.locator(part).first().boundingBox())!;
  // The bar of the demo is at the bottom.
  expect((await boxOf(".sheet_face")).y).toBeLessThan(230);
  const tools = await boxOf(".sheets_bar");
  expect(tools.height).toBeLessThanOrEqual(48);
  expect((await boxOf(".sheets_zoom")).y).toBe(tools.y);
  expect((await boxOf(".work-desk_tabs")).y).toBeLessThan(250);
  await expect(page.getByText("All saved")).toBeVisible();
  // The columns scroll, and the window does not.
  await page.mouse.move(300, 500);
  await page.mouse.wheel(0, 300);
  await expect.poll(async () => (await boxOf(".sheet_face")).y).toBeLessThan(0);
  await page.mouse.move(300, 100);
  await page.mouse.wheel(0, 300);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(800);
  expect((await boxOf(".sheets_bar")).y).toBe(tools.y);
  expect((await boxOf("#screenshots .upload-field_zone")).height).toBeLessThanOrEqual(50);
  await page.locator("#screenshots .upload-field_zone").dispatchEvent("dragenter");
  await expect
    .poll(async () => (await boxOf("#screenshots .upload-field_zone")).height)
    .toBeGreaterThan(120);
  await page.locator("#screenshots .upload-field_zone").dispatchEvent("dragleave");

  await page.setViewportSize({ width: 360, height: 740 });
  expect((await boxOf(".sheet_face")).y).toBeLessThan(680);
  const modes = await boxOf(".sheets_modes");
  expect(modes.y + modes.height).toBeLessThan((await boxOf(".sheets_zoom")).y);
  await expect(page.getByText("All saved")).toBeVisible();
  await expect(page.getByText(/^Submitted on/)).toBeHidden();
  await page.getByText("Order details").click();
  await expect(page.getByText(/^Submitted on/)).toBeVisible();
  expect(await page.evaluate(stickingOut)).toEqual([]);
});

test("one low bar replaces the header, and the first page has three quarters of its size", async ({
  browserOf,
  product,
}) => {
  const { page } = await openWork(product, browserOf);
  await page.setViewportSize({ width: 1280, height: 800 });
  await reloadWithFonts(page);
  const workBar = (await page.locator(".work-desk_bar").boundingBox())!;
  expect(workBar.y + workBar.height).toBeLessThanOrEqual(112);
  // A sheet of A4 at 96 pixels per inch has 794 pixels.
  expect((await face(page)).width / 794).toBeGreaterThanOrEqual(0.74);
  const counts = page.getByRole("navigation", { name: "Done so far" }).getByRole("link");
  const tops = await counts.evaluateAll((links) =>
    links.map((link) => Math.round(link.getBoundingClientRect().top)),
  );
  expect(tops).toHaveLength(3);
  expect(new Set(tops).size).toBe(1);
  expect(await counts.first().evaluate((link) => link.getClientRects().length)).toBe(1);

  const site = page.getByRole("banner").first();
  const menu = page.getByRole("button", { name: "Menu", exact: true });
  await expect(site.getByRole("link", { name: "Jobs" })).toBeHidden();
  await menu.click();
  for (const [name, path] of [
    ["Home", "/"],
    ["Jobs", "/jobs"],
    ["Services", "/services"],
    ["About", "/about"],
    ["Reviewer Dashboard", "/reviewer"],
  ] as const)
    await expect(site.getByRole("link", { name, exact: true })).toHaveAttribute("href", path);
  await expect(site.getByRole("button", { name: "Sign out" })).toBeVisible();
  expect(await page.evaluate(stickingOut)).toEqual([]);
  expect(await objectionsOn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  await menu.press("Enter");
  await site.getByRole("link", { name: "Jobs" }).click();
  await expect(page).toHaveURL(/\/jobs$/);
  // Other screens have their links in the header.
  await expect(menu).toBeHidden();
  await expect(site.getByRole("link", { name: "About" })).toBeVisible();
});

test("at night the paper is dimmed until the pointer or the focus is on it", async ({
  browser,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await markedWork(product, customer, nila);
  const page = await openPage(browser, product, nila.email, {
    viewport: { width: 1280, height: 800 },
    colorScheme: "dark",
    reducedMotion: "reduce",
  });
  await page.goto(`/reviewer/submission/${id}`);
  await page.locator("html[data-live]").waitFor();
  const paper = page.locator(".sheet .plate").first();
  await page.mouse.move(1200, 20);
  await expect(paper).toHaveCSS("filter", "brightness(0.92)");
  await firstFace(page).hover();
  await expect(paper).toHaveCSS("filter", "none");
  await page.mouse.move(1200, 20);
  await page.getByRole("button", { name: "Whole page" }).first().focus();
  await expect(paper).toHaveCSS("filter", "none");
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("link", { name: "Back to Dashboard" }).focus();
  await expect(paper).toHaveCSS("filter", "none");
  await page.context().close();
});

test("the submit button is on the first screen, and the link beside it leads to the summary", async ({
  browserOf,
  product,
}) => {
  const { page } = await openWork(product, browserOf);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(submit(page)).toBeDisabled();
  const button = (await submit(page).boundingBox())!;
  expect(button.y + button.height).toBeLessThan(140);
  const bar = (await page.locator(".work-desk_bar").boundingBox())!;
  expect(bar.height).toBeLessThanOrEqual(56);
  const [pages, rail] = [page.locator(".work-desk_pages"), page.locator(".work-desk_rail")];
  const widths = await Promise.all(
    [pages, rail].map(async (part) => (await part.boundingBox())!.width),
  );
  expect(widths[0]! / 1280).toBeCloseTo(0.6, 1);

  await page.getByRole("link", { name: "Write the summary first" }).click();
  await expect(feedback(page)).toBeFocused();
  await page.keyboard.type("Lead with the outcome.");
  await expect(page.getByRole("link", { name: "Write the summary first" })).toHaveCount(0);
  await expect(submit(page)).toBeEnabled();
  await expect(page.getByText("All saved")).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(stickingOut)).toEqual([]);
  // The bar stays while the page scrolls.
  await page.evaluate(() => window.scrollTo(0, 900));
  await expect(submit(page)).toBeInViewport();
});

test("tabs work with arrow keys, stay after a reload, and open for what is in them", async ({
  browserOf,
  product,
}) => {
  const { page, id, nila } = await openWork(product, browserOf);
  await remarkOn(product.db, id, nila, { x: 0.3, y: 0.2, width: 0, height: 0 });
  await page.reload();
  await tab(page, "Remarks").focus();
  await page.keyboard.press("ArrowRight");
  await expect(tab(page, "Scores")).toBeFocused();
  await expect(page.getByRole("tabpanel", { name: "Scores" })).toBeVisible();
  await page.keyboard.press("End");
  await expect(tab(page, "Summary")).toBeFocused();
  await expect(feedback(page)).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(tab(page, "Remarks")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("End");
  await page.reload();
  await expect(feedback(page)).toBeVisible();
  await expect(tab(page, "Summary")).toHaveAttribute("aria-selected", "true");

  await page.locator(".sheet_face .sheet_pin").click();
  await expect(remark(page)).toBeVisible();
  await page.getByRole("link", { name: "0 of 6 scores" }).click();
  await expect(page.getByRole("tabpanel", { name: "Scores" })).toBeVisible();
  const impact = page.getByRole("button", { name: "Evidence of impact: 4 of 5, Strong" });
  await impact.click();
  await expect(page.locator(".score-card_score").filter({ has: impact })).toContainText(
    "Strong Most points",
  );
  await expect(page.getByRole("link", { name: "1 of 6 scores" })).toBeVisible();
  await page.locator("body").press("n");
  await expect(remark(page)).toBeVisible();
  await expect(page.locator("[id^=remark-]:focus-within")).toHaveCount(1);
});

test("without scripts everything is open, in its order, and the menu has the links of the site", async ({
  browser,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await markedWork(product, customer, nila);
  const page = await openPlainPage(browser, product, nila.email);
  await page.goto(`/reviewer/submission/${id}`);
  const parts = [".workspace_material-links", ".sheet", "#remarks", "#scores-title", "#summary"];
  const isInOrder = await page.evaluate((selectors) => {
    const found = selectors.map((selector) => document.querySelector(selector)!);
    return found.map((part, index) =>
      index === 0 ? true : found[index - 1]!.compareDocumentPosition(part) === 4,
    );
  }, parts);
  expect(isInOrder).toEqual([true, true, true, true, true]);
  for (const part of parts) await expect(page.locator(part).first()).toBeVisible();
  await expect(firstFace(page)).toHaveCSS("cursor", "auto");
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  const services = page.getByRole("navigation", { name: "Main" }).getByRole("link", {
    name: "Services",
  });
  await expect(services).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(submit(page)).toBeEnabled();
  await feedback(page).fill("Lead with the outcome.");
  await submit(page).click();
  await expect(page.getByText("Review submitted successfully").first()).toBeVisible();
  await page.context().close();
});

test("zoom keeps the point under the pointer, and pins stay at their places", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  await withPages(product.db, id, { pages: 5 });
  await remarkOn(product.db, id, nila, { x: 0.6, y: 0.1, width: 0.2, height: 0.05 });
  const page = await browserOf(nila.email, `/reviewer/submission/${id}`);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.locator("body").press("0");
    await firstFace(page).scrollIntoViewIfNeeded();
    const fitting = (await firstFace(page).boundingBox())!;
    const at = { x: fitting.x + fitting.width * 0.6, y: fitting.y + 200 };
    const share = 200 / fitting.height;
    await page.mouse.move(at.x, at.y);
    await page.keyboard.down("Control");
    for (let turns = 0; turns < 4; turns += 1) await page.mouse.wheel(0, -20);
    await page.keyboard.up("Control");
    await expect.poll(async () => (await face(page)).width).toBeGreaterThan(fitting.width * 1.5);
    const zoomed = await face(page);
    expect((at.x - zoomed.x) / zoomed.width).toBeCloseTo(0.6, 1);
    expect((at.y - zoomed.y) / zoomed.height).toBeCloseTo(share, 1);
    const box = (await page.locator(".plate_box").first().boundingBox())!;
    expect((box.x - zoomed.x) / zoomed.width).toBeCloseTo(0.6, 1);
    expect(box.width / zoomed.width).toBeCloseTo(0.2, 1);

    await page.locator("body").press("1");
    // A sheet of A4 at 96 pixels per inch.
    await expect.poll(async () => (await face(page)).width).toBeCloseTo(793, 0);
    const percent = page.getByRole("group", { name: "Zoom" }).getByRole("status");
    await expect(percent).toHaveText("100 %");
    await page.locator("body").press("-");
    await expect.poll(async () => (await face(page)).width).toBeCloseTo(634, 0);
    await expect(percent).toHaveText("80 %");
    const zoomIn = page.getByRole("button", { name: "Zoom in" });
    for (let presses = 0; presses < 6; presses += 1) await page.locator("body").press("+");
    // Beyond, the pictures would be blurred.
    await expect(zoomIn).toBeDisabled();
    expect((await face(page)).width).toBeCloseTo(1600, 0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.getByRole("button", { name: "Fit" }).click();
    await expect.poll(async () => (await face(page)).width).toBe(fitting.width);
  }
});

test("the preview shows the draft as its customer would get it, and follows what is saved", async ({
  browserOf,
  product,
}) => {
  const { page, id, nila } = await openWork(product, browserOf);
  await remarkOn(product.db, id, nila, { x: 0.3, y: 0.2, width: 0, height: 0 });
  await page.reload();
  await openSummary(page);
  await feedback(page).fill("Lead with the outcome.");
  await expect(page.getByText("All saved")).toBeVisible();
  const before = await reviewRow(product.db, id);
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: "Preview as the customer" }).click();
  const preview = whenLive(await opened);
  await expect(preview.getByText("Preview", { exact: true })).toBeVisible();
  await expect(preview.getByText("Lead with the outcome.")).toBeVisible();
  await expect(preview.locator(".marked_remarks")).toContainText("Say what came of it.");
  await expect(preview.locator("main :is(form, textarea)")).toHaveCount(0);
  expect(await objectionsOn(preview)).toEqual([]);
  await feedback(page).fill("Lead with the outcome, then say how.");
  await expect(preview.getByText("Lead with the outcome, then say how.")).toBeVisible();
  const answer = await page.request.get(`/reviewer/submission/${id}/preview`);
  expect(answer.headers()["cache-control"]).toContain("no-store");
  const { review } = await reviewRow(product.db, id);
  expect(review).toEqual(before.review);
});

test("two fingers zoom and add nothing", async ({ browser, product }) => {
  const { customer, nila } = await ownPeople(product);
  const id = await markedWork(product, customer, nila);
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };
  const page = await openPage(browser, product, nila.email, phone);
  await page.goto(`/reviewer/submission/${id}`);
  await page.locator("html[data-live]").waitFor();
  await firstFace(page).scrollIntoViewIfNeeded();
  const before = await face(page);
  const y = Math.max(before.y, 0) + 150;
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...xs: number[]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: xs.map((x, id) => ({ x, y, id })),
    });
  await touch("touchStart", 150);
  await touch("touchStart", 150, 210);
  await touch("touchMove", 140, 220);
  await touch("touchMove", 110, 250);
  await touch("touchMove", 90, 270);
  await touch("touchEnd");
  await expect.poll(async () => (await face(page)).width).toBeGreaterThan(before.width * 1.5);
  await expect(listed(page)).toHaveCount(0);
  await page.context().close();
});

async function face(page: Page) {
  return (await firstFace(page).boundingBox())!;
}

for (const how of ["a press", "the connection's return"] as const)
  test(`a page's picture that couldn't load is loaded again by ${how}`, async ({
    browserOf,
    product,
  }) => {
    const { page } = await openWork(product, browserOf);
    const first = page.locator(".sheet").first();
    await expect(first.getByText("This page couldn't load.")).toBeVisible();
    await expect(first.locator("img")).toHaveCount(0);
    const placed = (await firstFace(page).boundingBox())!;

    await page.route(/\.webp/, (route) => route.fulfill({ path: poster }));
    if (how === "a press") {
      await first.getByRole("button", { name: "Try again" }).press("Enter");
      await expect(first.getByRole("button", { name: "Whole page" })).toBeFocused();
    } else {
      await page.context().setOffline(true);
      await page.context().setOffline(false);
    }
    await expect(first.getByText("This page couldn't load.")).toBeHidden();
    await expect
      .poll(() => first.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    expect((await firstFace(page).boundingBox())!).toEqual(placed);
  });
