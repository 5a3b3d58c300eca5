import type { Locator, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { renderedFiles } from "../../../app/annotations/tables.server.ts";
import { storedFiles } from "../../../app/files/tables.server.ts";
import { addPages, pageWords, remarkOn, withPages } from "../../support/rows/marked-reviews.ts";
import { person } from "../../support/rows/people.ts";
import { assignedReview, completedReview } from "../../support/rows/review-states.ts";
import { objectionsOn } from "../support/axe.ts";
import { remark, listed, openWork, markedWork, rows, open } from "../support/remarks.ts";
import { ownPeople } from "../support/staff.ts";
import { fixture, isDrawn } from "../support/steps.ts";
import { expect, signInByCookie, test, whenLive } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";

test.use({ reducedMotion: "reduce" });

const pins = (page: Page) => page.locator(".sheet_face .sheet_pin");
const firstFace = (page: Page) => page.locator(".sheet_face").first();

test("a box is drawn with the mouse, Enter saves the text and Escape discards it", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  await expect(firstFace(page)).toHaveCSS("cursor", "crosshair");
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

test("words are quoted as soon as they are selected, and a press on a word sets a point", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  await expect(page.locator(".sheet_text-layer span").first()).toBeAttached();
  // The pointer is released beside the page.
  await drag(page, [0.12, 0.21], [1.02, 0.211]);
  await expect(remark(page)).toBeFocused();
  await page.keyboard.type("Which clinic?");
  await page.keyboard.press("Enter");
  await drag(page, [0.12, 0.21], [0.12, 0.21]);
  await expect(remark(page)).toBeFocused();
  await page.keyboard.type("Name it.");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => rows(product, id))
    .toEqual([
      expect.objectContaining({ text: "Which clinic?", quote: pageWords, x: 0.1, y: 0.2 }),
      expect.objectContaining({ text: "Name it.", quote: null, width: 0, height: 0 }),
    ]);
  const at = await placeOn(firstFace(page));
  await page.mouse.dblclick(...at([0.12, 0.21]));
  await page.keyboard.type("A stronger verb.");
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await rows(product, id)).map(({ quote }) => quote))
    .toEqual([pageWords, null, "Redesigned"]);
});

test("text selected on a page becomes the quote of a remark", async ({ browserOf, product }) => {
  const { page, id } = await openWork(product, browserOf);
  await mode(page, "Select text");
  await expect(page.locator(".sheet_text-layer span").first()).toBeAttached();
  // Starts inside the first word and ends inside the last.
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

test("text is selected by keyboard and announced", async ({ browserOf, product }) => {
  const { page, id } = await openWork(product, browserOf);
  await page.locator("body").press("t");
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
  // Faster than the browser's selectionchange events.
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

test("points, boxes, pages and whole pages work by keyboard", async ({ browserOf, product }) => {
  const { page, id } = await openWork(product, browserOf);
  await page.locator("body").press("p");
  await expect(remark(page)).toBeFocused();
  await page.keyboard.type("Begin with the outcome.");
  await page.keyboard.press("Enter");
  await expect(page.locator(".sheet_pin")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  // The first arrow key moved the pin from the heading to the page.
  await expect(page.locator(".sheet_face .sheet_pin")).toBeFocused();
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
  await pins(page).evaluate(pressAsInFirefox);
  await expect(remark(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(pins(page)).toBeFocused();
  await page.keyboard.press("]");
  await expect(page.locator("#resume-2 button").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("This page says the same twice.");
  await page.keyboard.press("Enter");
  await expect(listed(page)).toHaveText([/Begin with/, /all of Resume, page 2/]);
});

test("on a phone a tap adds a point, and the remark opens over the lower part of the page", async ({
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
  const plate = (await page.locator(".plate").first().boundingBox())!;
  expect(Math.round(plate.width)).toBe(360);
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
  await page.evaluate(() => window.scrollTo(0, 0));
  await swipe(page);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  await expect(listed(page)).toHaveCount(1);
  await context.close();
});

test("page keys count each press, and Escape cancels a drawing", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  await withPages(product.db, id, { pages: 5 });
  const page = await browserOf(nila.email, `/reviewer/submission/${id}`);
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

  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).focus();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("]");
  await expect(page.getByRole("img", { name: "Resume, page 4, 4 of 5" })).toBeVisible();
});

test("a screenshot can be marked as soon as it is uploaded, and typed text stays", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openWork(product, browserOf);
  await page.locator("#resume-1").getByRole("button", { name: "Whole page" }).click();
  await page.context().setOffline(true);
  await page.keyboard.type("Not sent yet.");
  await expect(page.getByText("Not saved. You're offline.")).toBeVisible();
  await page.context().setOffline(false);
  await page.locator('#screenshots input[type="file"]').setInputFiles(fixture("poster.png"));
  await page.locator("#screenshots").getByRole("button", { name: "Upload" }).click();
  const shot = page.locator(".sheet").filter({ hasText: "Screenshot 1" });
  await expect(shot).toBeVisible();
  await expect(remark(page)).toHaveValue("Not sent yet.");
  await shot.getByRole("button", { name: "Whole picture" }).click();
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

test("pages appear while they are prepared, without a reload", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  await withPages(product.db, id, { state: "rendering", pages: 0 });
  const page = await browserOf(nila.email, `/reviewer/submission/${id}`);
  await expect(page.getByText("Preparing page 1 of 2…")).toBeVisible();
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
  await expect(page.getByText(/Preparing/)).toHaveCount(0);
  const percent = page.getByRole("group", { name: "Zoom" }).getByRole("status");
  const { width } = (await firstFace(page).boundingBox())!;
  await expect(percent).toHaveText(`${Math.round((width / 793.7) * 100)} %`);
});

test("without scripts, remarks are added, changed and deleted in forms", async ({
  browser,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await markedWork(product, customer, nila);
  const page = await openPlainPage(browser, product, nila.email);
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
  await page.context().close();
});

test("a god admin changes a remark of a completed review, and the audit log shows it", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const { db } = product;
  const gita = await person(db, "Gita Journeys", { roles: ["god_admin"] });
  const id = await completedReview(db, customer, nila);
  await withPages(db, id);
  await remarkOn(db, id, nila);
  const page = await browserOf(gita.email, `/admin/reviews/completed?edit=${id}`);
  await page.getByRole("link", { name: "Edit remarks on the pages" }).click();
  await open(page, /Say what came of it/);
  await remark(page).fill("Say what came of it, in numbers.");
  await expect.poll(() => rows(product, id)).toEqual([expect.objectContaining({ version: 2 })]);
  expect(await objectionsOn(page)).toEqual([]);
  await page.goto(`/admin/history?type=review&id=${id}`);
  await expect(page.getByText("Changed a remark in a completed review")).toBeVisible();
});

async function mode(page: Page, name: string) {
  await page.locator(".sheets_modes").getByText(name, { exact: true }).click();
}

/** Drags a finger up over the first page. */
async function swipe(page: Page) {
  const { x, y } = (await firstFace(page).boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", up?: number) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: up === undefined ? [] : [{ x: x + 100, y: y + 100 - up }],
    });
  await touch("touchStart", 0);
  for (const up of [20, 60, 120, 200]) await touch("touchMove", up);
  await touch("touchEnd");
}

type Share = [x: number, y: number];

/** Drags across the first page, from and to fractions of its sides. */
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

test("no message says there are no pages while they are being prepared", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  await withPages(product.db, id, { state: "rendering", pages: 0 });
  const page = await browserOf(nila.email, `/reviewer/submission/${id}`);
  const remarks = page.getByRole("region", { name: "Remarks" });
  await expect(remarks).toContainText("Once the pages are here");
  await expect(remarks).not.toContainText("There are no pages to mark");
});

/** Presses Enter on a link as Firefox reports it. */
function pressAsInFirefox(link: Element): void {
  const click = { bubbles: true, cancelable: true, detail: 1, pointerType: "" };
  link.dispatchEvent(new PointerEvent("click", click));
}
