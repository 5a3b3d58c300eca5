import type { BrowserContextOptions } from "@playwright/test";
import { type Screen, screensOf } from "../support/screens.ts";
import { onEachScreen } from "./support/each-screen.ts";
import { resizeTo } from "./support/steps.ts";
import { expect, test } from "./support/test.ts";

/** What visitors and customers see, to people who zoom, who space their text, and who use a thumb. */

/** A window of 1280 pixels at 200 % has 640 to lay out. */
const narrow = [320, 640];

test("every screen bears zoom, spaced-out text, a thumb, and the wish for less motion", async ({
  browser,
  product,
}) => {
  // Some thirty-five screens, looked at in four ways each.
  test.setTimeout(360_000);
  const found: string[] = [];
  const settings: BrowserContextOptions = {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    reducedMotion: "reduce",
  };
  const screens = (await screensOf(product)).filter(isForCustomers);
  await onEachScreen({ browser, product, screens }, settings, async (page, name) => {
    found.push(...(await page.evaluate(tooSmall)).map((what) => `${name}: small ${what}`));
    found.push(...(await page.evaluate(nameless)).map((what) => `${name}: nameless ${what}`));
    found.push(...(await page.evaluate(moving)).map((what) => `${name}: moving ${what}`));
    for (const width of narrow) {
      await resizeTo(page, width);
      const needed = await page.evaluate(() => document.documentElement.scrollWidth);
      if (needed > width) found.push(`${name}: needs ${needed} of ${width} pixels`);
    }
    await resizeTo(page, 360);
    await page.addStyleTag({ content: spacing });
    found.push(...(await page.evaluate(cutOff)).map((what) => `${name}: cut off ${what}`));
  });
  expect(found).toEqual([]);
});

/** As the guidelines for accessible text ask. */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`;

/** Buttons, fields and the links of menus under 44 pixels; links within a text may be small. */
function tooSmall(): string[] {
  const pressed = document.querySelectorAll<HTMLElement>(
    ".button:not(.button-sm), .icon-button, summary, .input, .site-nav a, .site-footer li a, [role=tab]",
  );
  return [...pressed].flatMap((element) => {
    const { width, height } = element.getBoundingClientRect();
    if (width === 0 || (height > 43.5 && width > 43.5)) return [];
    const words = element.innerText || element.outerHTML.slice(0, 60);
    return [`${words}, ${Math.round(width)} × ${Math.round(height)}`];
  });
}

function nameless(): string[] {
  const fields = document.querySelectorAll<HTMLInputElement>("input, select, textarea");
  return [...fields].flatMap((field) => {
    if (field.type === "hidden" || field.closest("[aria-hidden=true]")) return [];
    const isNamed = field.labels?.length || field.ariaLabel || field.ariaLabelledByElements?.length;
    return isNamed ? [] : [field.outerHTML.slice(0, 80)];
  });
}

/** What goes on moving although the person asked for less motion. */
function moving(): string[] {
  return document
    .getAnimations()
    .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) > 100)
    .map((animation) => String((animation.effect as KeyframeEffect).target?.className));
}

/** Words that stick out of a box which hides what sticks out. */
function cutOff(): string[] {
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (words.nextNode()) {
    const text = words.currentNode;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { right, bottom, width } = range.getBoundingClientRect();
    if (width === 0 || !text.textContent?.trim()) continue;
    for (let box = text.parentElement; box; box = box.parentElement) {
      const { overflowX, clipPath, textOverflow } = getComputedStyle(box);
      if (clipPath !== "none" || textOverflow === "ellipsis") break;
      const edge = box.getBoundingClientRect();
      const isOut = right > edge.right + 1 || bottom > edge.bottom + 1;
      if (/hidden|clip/.test(overflowX) && isOut) found.push(text.textContent.slice(0, 40));
    }
  }
  return found;
}

function isForCustomers({ path }: Screen): boolean {
  return !/^\/(admin|reviewer|job-board)/.test(path);
}
