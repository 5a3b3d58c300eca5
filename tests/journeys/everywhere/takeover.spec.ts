import type { Browser } from "@playwright/test";
import { eq } from "drizzle-orm";
import { reviewRemarks } from "../../../app/annotations/tables.server.ts";
import { remarkOn, withPages } from "../../support/rows/marked-reviews.ts";
import { assignedReview } from "../../support/rows/review-states.ts";
import { screensOf } from "../../support/inventory/screens-of-demo.ts";
import { sample } from "../../support/inventory/selection.ts";
import { openWithoutScripts } from "../support/late-scripts.ts";
import { splitIn } from "../support/parts.ts";
import type { RunningProduct } from "../support/product.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, signInByCookie, test } from "../support/test.ts";
import { openPage } from "../support/visitors.ts";

/** Changes that a person makes before the scripts run must survive hydration. */

declare global {
  interface Window {
    before?: Before;
    pressed?: boolean;
  }
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The page's state, which hydration must not change. */
type Before = {
  scrollY: number;
  focused: Element | null;
  caret: (number | null)[];
  selected: string;
  open: HTMLDetailsElement[];
  entered: { control: Control; value: string; checked: boolean }[];
  /** The positions of controls and texts. */
  places: { element: Element; name: string; rect: DOMRect }[];
};

for (const part of splitIn(3)) {
  for (const [device, viewport] of [
    ["a phone", { width: 360, height: 560 }],
    ["a desk", { width: 1280, height: 500 }],
  ] as const) {
    test(`hydration moves nothing and loses nothing on ${device}, ${part.name}`, async ({
      browser,
      product,
    }) => {
      const lost: string[] = [];
      const context = await browser.newContext({
        baseURL: product.origin,
        viewport,
        reducedMotion: "reduce",
      });
      const screens = part.select(sample(await screensOf(product), { every: 6 }));
      for (const [as, own] of Map.groupBy(screens, (screen) => screen.as)) {
        await context.clearCookies();
        if (as) await signInByCookie(context, product, as);
        const page = await context.newPage();
        for (const { name, path } of own) {
          // The result of an emailed link may replace its form.
          if (/^(confirmation|reset-password)-/.test(name)) continue;
          // A payment's result replaces the spinner half a second after the scripts.
          if (path.startsWith("/payment-")) continue;
          const bringScripts = await openWithoutScripts(page, path);
          await page.evaluate(act);
          await page.evaluate(settled);
          await page.evaluate(remember);
          await bringScripts();
          const changes = await page.evaluate(whatChanged);
          lost.push(...changes.map((change) => `${name}: ${change}`));
        }
        await page.close();
      }
      await context.close();
      expect(lost).toEqual([]);
    });
  }
}

for (const [name, path, as, target] of [
  ["a row's checkbox", "/admin/reviews", "gita@example.in", 'tbody input[type="checkbox"]'],
  ["a filter", "/jobs", undefined, 'main input[type="radio"][value="Internship"]'],
  ["a question", "/faq", undefined, "main summary"],
  ["the cancel button", "/subscription", "sonia@example.com", "main button"],
] as const) {
  test(`a press on ${name} counts if scripts load while it is held`, async ({
    browser,
    product,
  }) => {
    const page = await openPage(browser, product, as);
    const bringScripts = await openWithoutScripts(page, path);
    const pressed = page.locator(target).last();
    await pressed.scrollIntoViewIfNeeded();
    await page.evaluate((selector) => {
      const element = [...document.querySelectorAll(selector)].at(-1)!;
      element.addEventListener("click", () => (window.pressed = element.isConnected));
    }, target);
    await pressed.hover();
    await page.mouse.down();
    await bringScripts();
    await page.mouse.up();
    expect(await page.evaluate(() => window.pressed)).toBe(true);
    if (target.includes("input")) await expect(pressed).toBeChecked();
    if (path === "/jobs") await expect(page).toHaveURL("/jobs?type=Internship");
    if (path === "/subscription") await expect(page.getByRole("dialog")).toBeVisible();
    await page.context().close();
  });
}

test("a filter chosen before hydration is applied", async ({ browser, product }) => {
  const page = await openPage(browser, product);
  const bringScripts = await openWithoutScripts(page, "/jobs");
  await page.getByRole("radio", { name: "Internship" }).check();
  await bringScripts();
  await expect(page).toHaveURL("/jobs?type=Internship");
  await expect(page.getByRole("radio", { name: "Internship" })).toBeChecked();
  await page.context().close();
});

test("the password meter rates a password typed before hydration", async ({ browser, product }) => {
  const page = await openPage(browser, product);
  const bringScripts = await openWithoutScripts(page, "/signup");
  await page.getByLabel("Password", { exact: true }).fill("Abcdefg1");
  await bringScripts();
  await expect(page.getByText("Strong", { exact: true })).toBeVisible();
  await page.context().close();
});

test("a menu opened before hydration stays open and closes after it", async ({
  browser,
  product,
}) => {
  const viewport = { width: 360, height: 740 };
  const page = await openPage(browser, product, undefined, { viewport });
  const bringScripts = await openWithoutScripts(page, "/about");
  const menu = page.getByRole("button", { name: "Menu" });
  await menu.click();
  await bringScripts();
  await expect(menu).toHaveAttribute("aria-expanded", "true");
  await page.locator("header").getByRole("link", { name: "Jobs" }).click();
  await expect(page.getByRole("heading", { name: "Design Jobs Board" })).toBeVisible();
  await expect(menu).toHaveAttribute("aria-expanded", "false");
  await page.context().close();
});

for (const [path, as] of [
  ["/signup", undefined],
  ["/jobs", undefined],
  ["/admin/jobs", "gita@example.in"],
] as const) {
  test(`the load event of ${path} fires after its scripts are live`, async ({
    browser,
    product,
  }) => {
    const page = await openPage(browser, product, as);
    const live = () => page.evaluate(() => "live" in document.documentElement.dataset);
    await page.goto(path, { waitUntil: "load" });
    expect(await live()).toBe(true);
    await page.reload({ waitUntil: "load" });
    expect(await live()).toBe(true);
    await expect(page.locator("iframe")).toHaveCount(0);
    await page.context().close();
  });
}

test("a refused form rendered without scripts keeps the caret during hydration", async ({
  browser,
  product,
}) => {
  const page = await openPage(browser, product);
  const bringScripts = await openWithoutScripts(page, "/contact");
  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill("A question about a review.");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.locator('[aria-invalid="true"]').first()).toBeVisible();
  await message.focus();
  await page.keyboard.type(" And more.");
  await bringScripts();
  await expect(message).toBeFocused();
  await expect(message).toHaveValue(/And more\./);
  await page.context().close();
});

test("a remark edited before hydration is saved", async ({ browser, product }) => {
  const { context, page, id, rows } = await openWork(product, browser);
  const bringScripts = await openWithoutScripts(page, `/reviewer/submission/${id}`);
  await page.getByText("Select text", { exact: true }).click();
  await page.locator(".remarks_remark summary").first().click();
  const text = page.getByRole("textbox", { name: "Remark", exact: true });
  await text.fill("Say what came of it, in numbers.");
  await page.locator(".remarks_remark [open]").getByText("Idea", { exact: true }).click();
  await bringScripts();
  await expect(text).toHaveValue("Say what came of it, in numbers.");
  await expect(page.getByRole("radio", { name: "Select text" })).toBeChecked();
  await expect
    .poll(rows)
    .toEqual([
      expect.objectContaining({ text: "Say what came of it, in numbers.", severity: "idea" }),
    ]);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(text).toBeHidden();
  await context.close();
});

test("the plain form for a remark stays with its text during hydration", async ({
  browser,
  product,
}) => {
  const { context, page, id, rows } = await openWork(product, browser);
  const bringScripts = await openWithoutScripts(page, `/reviewer/submission/${id}`);
  await expect(page.getByText("Add a remark")).toBeHidden();
  await page.evaluate(() => document.getAnimations().forEach((standIn) => standIn.finish()));
  await page.getByText("Add a remark").click();
  const form = page.locator("details", { hasText: "Add a remark" });
  await form.getByLabel("Place").selectOption("Resume, page 2");
  await form.getByLabel("Remark", { exact: true }).fill("This page says the same twice.");
  await bringScripts();
  await expect(form.getByLabel("Remark", { exact: true })).toBeFocused();
  await form.getByRole("button", { name: "Save remark" }).click();
  await expect(form).toBeHidden();
  await expect(page.locator(".remarks > ol > li")).toHaveCount(2);
  expect((await rows()).at(-1)).toMatchObject({ text: "This page says the same twice.", page: 2 });
  await context.close();
});

/** Creates a review of two pages with one remark and opens its reviewer's browser. */
async function openWork(product: RunningProduct, browser: Browser) {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  await withPages(product.db, id);
  await remarkOn(product.db, id, nila);
  const context = await browser.newContext({ baseURL: product.origin });
  await signInByCookie(context, product, nila.email);
  const rows = () =>
    product.db
      .select()
      .from(reviewRemarks)
      .where(eq(reviewRemarks.reviewId, id))
      .orderBy(reviewRemarks.createdAt);
  return { context, page: await context.newPage(), id, rows };
}

/** Opens, ticks, chooses and types everything that the page allows. */
function act(): void {
  const all = <Found extends Element>(selector: string) => [
    ...document.querySelectorAll<Found>(selector),
  ];
  const isThere = (element: Element) => element.checkVisibility({ visibilityProperty: true });
  for (const details of all<HTMLDetailsElement>("details:not([open])").filter(isThere))
    details.querySelector("summary")!.click();
  const controls = all<Control>(
    // Filters are applied and states of jobs are saved during hydration, which other tests cover.
    ":is(input, textarea, select):not([type=hidden], [type=file], :disabled, [readonly], search *, .tracker_tracked-move *)",
  ).filter(isThere);
  for (const control of controls) {
    if (control instanceof HTMLSelectElement) {
      const last = [...control.options].findLastIndex((option) => !option.disabled);
      control.selectedIndex = last;
    } else if (/checkbox|radio/.test(control.type)) {
      control.click();
    } else if (control.type === "date") {
      // Chosen in the calendar. A date has no text, so "select all" would select the page.
      control.value = "2027-01-31";
    } else {
      control.focus();
      document.execCommand("selectAll");
      const text = /number/.test(control.type) ? "7" : "typed before";
      document.execCommand("insertText", false, control.type === "email" ? "a@example.com" : text);
    }
  }
}

/**
 * Waits for opening animations, which pause until a frame is drawn. Fallbacks for missing scripts start seconds
 * later and are ignored.
 */
async function settled(): Promise<void> {
  await new Promise((done) => requestAnimationFrame(done));
  const opening = document
    .getAnimations()
    .filter(({ effect }) => Number(effect!.getComputedTiming().endTime) < 1000);
  await Promise.allSettled(opening.map(({ finished }) => finished));
}

function remember(): void {
  const all = <Found extends Element>(selector: string) => [
    ...document.querySelectorAll<Found>(selector),
  ];
  const isThere = (element: Element) => element.checkVisibility({ visibilityProperty: true });
  const controls = all<Control>(
    ":is(input, textarea, select):not([type=hidden], [type=file], :disabled, [readonly])",
  ).filter(isThere);
  window.scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * 0.6);
  const focused = controls.findLast((control) => /text|search|password|url|tel/.test(control.type));
  if (focused) {
    focused.focus({ preventScroll: true });
    (focused as HTMLInputElement).setSelectionRange(2, 5);
  } else {
    getSelection()!.selectAllChildren(document.querySelector("main h1, main p")!);
  }
  const caretOf = (field: HTMLInputElement) => [field.selectionStart, field.selectionEnd];
  window.before = {
    scrollY,
    focused: document.activeElement,
    caret: focused ? caretOf(focused as HTMLInputElement) : [],
    selected: String(getSelection()),
    open: all<HTMLDetailsElement>("details[open]"),
    entered: controls.map((control) => ({
      control,
      value: control.value,
      checked: "checked" in control && control.checked,
    })),
    places: all("a, button, summary, label, input, select, textarea, h1, h2, p, td, dialog")
      .filter(isThere)
      .map((element) => ({
        element,
        name: `${element.localName} ${element.textContent.trim().slice(0, 40) || element.getAttribute("name")}`,
        rect: element.getBoundingClientRect(),
      })),
  };
}

function whatChanged(): string[] {
  const before = window.before!;
  const changes: string[] = [];
  for (const details of before.open)
    if (!details.isConnected || !details.open) changes.push("details closed");
  for (const { control, value, checked } of before.entered) {
    if (!control.isConnected) changes.push(`removed: ${control.name}`);
    if (control.value !== value) changes.push(`${control.name} became "${control.value}"`);
    if ("checked" in control && control.checked !== checked)
      changes.push(`${control.name}=${value} lost its change`);
  }
  // A dialog covers the page, and takes focus unless a field has it.
  if (document.querySelector("dialog:modal") && before.focused === document.body) return changes;
  if (Math.abs(scrollY - before.scrollY) > 1)
    changes.push(`scrolled from ${before.scrollY} to ${scrollY}`);
  if (document.activeElement !== before.focused)
    changes.push(
      `focus moved from ${before.focused?.outerHTML.slice(0, 80)} to ${document.activeElement?.outerHTML.slice(0, 80)}`,
    );
  if (String(getSelection()) !== before.selected)
    changes.push(`the selection became "${String(getSelection())}"`);
  if (before.caret.length > 0) {
    const { selectionStart, selectionEnd } = before.focused as HTMLInputElement;
    if (`${selectionStart},${selectionEnd}` !== before.caret.join(","))
      changes.push("the caret moved");
  }
  for (const { element, name, rect } of before.places) {
    const { x, y, width, height } = element.getBoundingClientRect();
    if (!element.isConnected) changes.push(`removed: ${name}`);
    else if (Math.abs(x - rect.x) > 1 || Math.abs(y + scrollY - rect.y - before.scrollY) > 1)
      changes.push(`moved by ${x - rect.x}, ${y + scrollY - rect.y - before.scrollY}: ${name}`);
    else if (Math.abs(width - rect.width) > 1 || Math.abs(height - rect.height) > 1)
      changes.push(`sized from ${rect.width}x${rect.height} to ${width}x${height}: ${name}`);
  }
  return changes;
}
