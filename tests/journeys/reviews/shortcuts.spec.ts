import type { Page } from "@playwright/test";
import { remarkOn, withPages } from "../../support/rows/marked-reviews.ts";
import { person } from "../../support/rows/people.ts";
import { assignedReview, completedReview } from "../../support/rows/review-states.ts";
import { objectionsOn } from "../support/axe.ts";
import { stickingOut } from "../support/looks.ts";
import type { RunningProduct } from "../support/product.ts";
import { remark } from "../support/remarks.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, test } from "../support/test.ts";
import { openPage, openPlainPage } from "../support/visitors.ts";

test.use({ reducedMotion: "reduce" });

const screens = ["workspace", "result", "editor"] as const;
type Screen = (typeof screens)[number];

const dialog = (page: Page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });
const opener = (page: Page) => page.getByRole("button", { name: "Keyboard shortcuts" });
const singleKeys = (page: Page) => page.getByRole("switch", { name: "Single-key shortcuts" });

for (const screen of screens) {
  test(`? lists the shortcuts of the ${screen} from any focus`, async ({ browserOf, product }) => {
    const { email, path } = await markedReview(product, screen);
    const page = await browserOf(email, path);
    await page.locator("body").press("?");
    await expect(dialog(page)).toBeVisible();
    await expect(dialog(page)).toContainText("Next remark");
    expect(await objectionsOn(page)).toEqual([]);
    // While the dialog is open, only it handles keys.
    await page.keyboard.press("n");
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toBeHidden();

    await opener(page).focus();
    await page.keyboard.press("?");
    await expect(dialog(page)).toBeVisible();
    await dialog(page).getByRole("button", { name: "Close" }).press("Enter");
    await expect(dialog(page)).toBeHidden();
    await expect(opener(page)).toBeFocused();

    await page.setViewportSize({ width: 360, height: 780 });
    await opener(page).click();
    await expect(dialog(page)).toBeVisible();
    expect(await page.evaluate(stickingOut)).toEqual([]);
    expect(await objectionsOn(page)).toEqual([]);
  });

  test(`N moves through the remarks of the ${screen} from any focus`, async ({
    browserOf,
    product,
  }) => {
    const { email, path } = await markedReview(product, screen);
    const page = await browserOf(email, path);
    await page.locator("body").press("n");
    await expectAt(page, screen, "Say what came of it.");
    await page.keyboard.press("n");
    await expectAt(page, screen, "Name the clinic.");
    await page.keyboard.press("n");
    await expectAt(page, screen, "Say what came of it.");
    await page.keyboard.press("Shift+N");
    await expectAt(page, screen, "Name the clinic.");

    // Focus outside the remarks keeps the position.
    await page.getByRole("link", { name: /^Back to/ }).focus();
    await page.keyboard.press("n");
    await expectAt(page, screen, "Say what came of it.");
    // Caps Lock gives a capital without Shift.
    await page.evaluate(() =>
      document.activeElement!.dispatchEvent(
        new KeyboardEvent("keydown", { key: "N", bubbles: true }),
      ),
    );
    await expectAt(page, screen, "Name the clinic.");
  });

  test(`the ${screen} ignores ? and N with single keys off, also after a reload`, async ({
    browserOf,
    product,
  }) => {
    const { email, path } = await markedReview(product, screen);
    const page = await browserOf(email, path);
    await opener(page).press("Enter");
    await singleKeys(page).press("Space");
    await expect(singleKeys(page)).not.toBeChecked();
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toBeHidden();
    const isIgnored = async () => {
      await page.locator("body").press("n");
      await page.locator("body").press("?");
      await expect(dialog(page)).toBeHidden();
      await expect(page.locator("[id^=remark-]:focus-within")).toHaveCount(0);
    };
    await isIgnored();
    await page.reload();
    await isIgnored();

    await opener(page).press("Enter");
    await expect(singleKeys(page)).not.toBeChecked();
    await singleKeys(page).press("Space");
    await page.keyboard.press("Escape");
    await page.locator("body").press("n");
    await expectAt(page, screen, "Say what came of it.");
  });
}

test("typing triggers no shortcuts: in text, in selects, with a modifier, while composing", async ({
  browserOf,
  product,
}) => {
  const { email, path } = await markedReview(product, "workspace");
  const page = await browserOf(email, path);
  await page.locator("body").press("n");
  await remark(page).first().fill("");
  await page.keyboard.type("n?[]N");
  await expect(remark(page).first()).toHaveValue("n?[]N");
  await expect(remark(page).first()).toBeFocused();
  const criterion = page.getByLabel("Criterion").first();
  await criterion.focus();
  await page.keyboard.press("n");
  await page.keyboard.press("?");
  await expect(criterion).toBeFocused();

  await opener(page).focus();
  for (const modifier of ["ctrlKey", "metaKey", "altKey", "isComposing"]) {
    await opener(page).evaluate((button, name) => {
      for (const key of ["n", "?"])
        button.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, [name]: true }));
    }, modifier);
    await expect(opener(page)).toBeFocused();
  }
  await page.evaluate(() => {
    const editable = document.createElement("p");
    editable.contentEditable = "true";
    document.querySelector("main")!.append(editable);
    editable.focus();
  });
  await page.keyboard.type("n?");
  await expect(page.locator("[contenteditable]")).toHaveText("n?");
  await expect(dialog(page)).toBeHidden();
});

// Covered by "app/annotations/shortcuts/shortcuts.test.ts: no key acts below a dialog or a menu".
test("an open menu blocks shortcuts @slow", async ({ browserOf, product }) => {
  const { email, path } = await markedReview(product, "result");
  const page = await browserOf(email, path);
  await page.setViewportSize({ width: 360, height: 780 });
  const menu = page.getByRole("button", { name: "Menu", exact: true });
  await menu.press("Enter");
  await page.locator(".menu_panel a").first().focus();
  await page.keyboard.press("n");
  await page.keyboard.press("?");
  await expect(page.locator(".menu_panel a").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await expectAt(page, "result", "Say what came of it.");
});

// Covered by "app/annotations/shortcuts/shortcuts.test.ts: every key of %s matches its event".
test("the keys for pages and for leaving Add work from any focus @slow", async ({
  browserOf,
  product,
}) => {
  const { email, path } = await markedReview(product, "workspace");
  const page = await browserOf(email, path);
  await page.locator("body").press("]");
  await expect(page.locator("#resume-2 button").first()).toBeFocused();
  await page.locator("body").press("[");
  await expect(page.locator("#resume-1 button, #resume-1 a").first()).toBeFocused();
  await page.locator("body").press("Escape");
  await expect(page.getByRole("radio", { name: "Read" })).toBeChecked();
});

test("R, T and A choose what a press on a page does, and the list names them", async ({
  browserOf,
  product,
}) => {
  const { email, path } = await markedReview(product, "workspace");
  const page = await browserOf(email, path);
  await expect(page.getByRole("radio", { name: "Add" })).toBeChecked();
  for (const [key, name] of [
    ["t", "Select text"],
    ["r", "Read"],
    ["a", "Add"],
  ] as const) {
    await page.locator("body").press(key);
    await expect(page.getByRole("radio", { name })).toBeChecked();
  }
  await page.keyboard.press("?");
  for (const row of [/^Read, without marking\s*R$/, /^Select text\s*T$/, /^Add remarks\s*A$/])
    await expect(dialog(page).locator("dl > div").filter({ hasText: row })).toBeVisible();
});

test("arrow keys move only the focused pin", async ({ browserOf, product }) => {
  const { email, path } = await markedReview(product, "workspace");
  const page = await browserOf(email, path);
  const pin = page.locator(".sheet_face .sheet_pin").first();
  const place = () => pin.evaluate((element) => element.parentElement!.getAttribute("style"));
  const before = await place();
  await page.locator("body").press("ArrowRight");
  await opener(page).press("ArrowRight");
  await pin.press("Alt+ArrowDown");
  expect(await place()).toBe(before);
  await pin.press("ArrowRight");
  await expect.poll(place).not.toBe(before);
});

// Covered by "the workspace ignores ? and N with single keys off, also after a reload".
test("without browser storage the switch works until the page is left @slow", async ({
  browser,
  product,
}) => {
  const { email, path } = await markedReview(product, "result");
  const page = await openPage(browser, product, email);
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("Refused", "SecurityError");
      },
    });
  });
  await page.goto(path);
  await page.locator("html[data-live]").waitFor();
  await opener(page).press("Enter");
  await singleKeys(page).press("Space");
  await expect(dialog(page)).toContainText("until you leave this page");
  await page.keyboard.press("Escape");
  await page.locator("body").press("?");
  await expect(dialog(page)).toBeHidden();
  await page.context().close();
});

test("offline, ? shows a message, and works once the connection returns", async ({
  browserOf,
  product,
}) => {
  const { email, path } = await markedReview(product, "result");
  const page = await browserOf(email, path);
  await page.context().setOffline(true);
  await page.locator("body").press("?");
  await expect(page.getByText("The shortcuts could not be loaded")).toBeVisible();
  await page.context().setOffline(false);
  await page.locator("body").press("?");
  await expect(dialog(page)).toBeVisible();
});

test("the public example lists its shortcuts too", async ({ page }) => {
  await page.goto("/services/example-review");
  await page.locator("body").press("n");
  await expect(page.locator("#remark-1")).toBeFocused();
  await page.locator("body").press("?");
  await expect(dialog(page)).toBeVisible();
  expect(await objectionsOn(page)).toEqual([]);
});

// Covered by "tests/journeys/everywhere/every-screen.spec.ts: every link, button and field".
test("without scripts there is no shortcuts button @slow", async ({ browser, product }) => {
  for (const screen of screens) {
    const { email, path } = await markedReview(product, screen);
    const page = await openPlainPage(browser, product, email);
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText("Keyboard shortcuts")).toBeHidden();
    await page.context().close();
  }
});

/** Creates a review with two remarks on its first page. @returns who sees it, and where */
async function markedReview(
  product: RunningProduct,
  screen: Screen,
): Promise<{ email: string; path: string }> {
  const { db } = product;
  const { customer, nila } = await ownPeople(product);
  const id =
    screen === "workspace"
      ? await assignedReview(db, customer, nila)
      : await completedReview(db, customer, nila);
  await withPages(db, id);
  const point = { x: 0.3, width: 0, height: 0 };
  await remarkOn(db, id, nila, { ...point, y: 0.2 });
  await remarkOn(db, id, nila, { ...point, y: 0.6, text: "Name the clinic." });
  if (screen === "workspace") return { email: nila.email, path: `/reviewer/submission/${id}` };
  if (screen === "result") return { email: customer.email, path: `/service-review/${id}` };
  const gita = await person(db, "Gita Journeys", { roles: ["god_admin"] });
  return { email: gita.email, path: `/admin/reviews/${id}/remarks` };
}

/** Expects the focus on a remark, which is open in the workspace and the editor. */
async function expectAt(page: Page, screen: Screen, text: string): Promise<void> {
  const focused = page.locator("[id^=remark-]:focus-within");
  await expect(focused).toHaveCount(1);
  await expect(focused).toContainText(text);
  if (screen !== "result") await expect(focused.locator("details").first()).toHaveAttribute("open");
}
