import type { Page } from "@playwright/test";
import type { Screen } from "../../support/inventory/screens.ts";
import { screensOf } from "../../support/inventory/screens-of-demo.ts";
import { sample, type Theme, viewsOf } from "../../support/inventory/selection.ts";
import { objectionsOn } from "../support/axe.ts";
import { onEachScreen } from "../support/each-screen.ts";
import * as looks from "../support/looks.ts";
import { splitIn } from "../support/parts.ts";
import { resizeTo } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

/** Opens every screen once and checks it at desktop and then phone size. */

type Device = { width: number; pointer: "fine" | "coarse" };

const desk: Device = { width: 1280, pointer: "fine" };
const phone: Device = { width: 360, pointer: "coarse" };
const viewport = { width: desk.width, height: 740 };

type Audience = {
  whose: "visitors" | "customers" | "staff";
  isTheirs: (screen: Screen) => boolean;
};

const isForStaff = ({ path }: Screen) => /^\/(admin|reviewer|job-board)/.test(path);
const isPublic = (screen: Screen) => !isForStaff(screen) && screen.as === undefined;
const visitors: Audience = { whose: "visitors", isTheirs: isPublic };
const customers: Audience = {
  whose: "customers",
  isTheirs: (screen) => !isForStaff(screen) && !isPublic(screen),
};
const staff: Audience = { whose: "staff", isTheirs: isForStaff };

for (const [audience, part] of [visitors, customers, staff].flatMap((one) =>
  splitIn(5).map((part) => [one, part] as const),
)) {
  test(`every screen of ${audience.whose} is accessible on desktop and phone, ${part.name}`, async ({
    browser,
    product,
  }) => {
    const found: string[] = [];
    const screens = part.select((await screensOf(product)).filter(audience.isTheirs));
    const settings = { viewport, reducedMotion: "reduce" as const };
    await onEachScreen({ browser, product, screens }, settings, async (page, name, position) => {
      const { themes, widths } = viewsOf(position);
      const add = (problems: string[], where: string) =>
        found.push(...problems.map((problem) => `${name} ${where}: ${problem}`));
      // The gallery shows every size.
      const lookAtType = async () =>
        name.startsWith("components") ? [] : page.evaluate(looks.unusualType);
      add(await lookAtType(), "on a desk");
      if (themes.desk.length > 0) add(await lookAt(page, desk, themes.desk), "on a desk");
      const backToMouse = await touchScreen(page);
      add(await lookAtWidths(page, widths[audience === staff ? "staff" : "customers"]), "at");
      if (themes.phone.length > 0) {
        await resizeTo(page, phone.width);
        await page.evaluate(scrollBack);
        add(await lookAtType(), "on a phone");
        add(await lookAt(page, phone, themes.phone), "on a phone");
        add(await lookAtLargeText(page), "on a phone with text of twice the size");
        if (audience !== staff) add(await lookAtThumbs(page), "on a phone");
      }
      await backToMouse();
    });
    expect(found).toEqual([]);
  });
}

for (const part of splitIn(3)) {
  test(`every link, button and field receives its own click without scripts, ${part.name}`, async ({
    browser,
    product,
  }) => {
    const found: string[] = [];
    const screens = part.select(sample(await screensOf(product), { every: 4 }));
    let widths = [phone.width, desk.width];
    const settings = { javaScriptEnabled: false, viewport, reducedMotion: "reduce" as const };
    await onEachScreen({ browser, product, screens }, settings, async (page, name) => {
      // Widths alternate, which saves a resize for each screen.
      for (const width of widths) {
        if (page.viewportSize()!.width !== width) await resizeTo(page, width);
        const problems = await lookForReach(page);
        found.push(...problems.map((what) => `${name} at ${width}: ${what}`));
      }
      widths = widths.toReversed();
    });
    expect(found).toEqual([]);
  });
}

/**
 * Emulates a touch screen.
 *
 * @returns a function that restores the mouse and the desktop size
 */
async function touchScreen(page: Page): Promise<() => Promise<void>> {
  const emulation = await page.context().newCDPSession(page);
  await emulation.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  return async () => {
    await emulation.detach();
    await page.setViewportSize(viewport);
  };
}

/** Scrolls to the top, because contrast is not checked under a fixed header. */
function scrollBack(): void {
  for (const box of document.querySelectorAll("*"))
    if (box.scrollTop !== 0 || box.scrollLeft !== 0)
      box.scrollTo({ top: 0, left: 0, behavior: "instant" });
}

/** Checks the first theme by all rules. The second can differ only in color and motion. */
async function lookAt(page: Page, device: Device, [first, second]: Theme[]): Promise<string[]> {
  await page.emulateMedia({ colorScheme: first });
  expect(await page.evaluate(surroundings)).toEqual({ ...device, theme: first });
  const problems = [
    ...(await objectionsOn(page)),
    ...(await page.evaluate(looks.nameless)).map((what) => `nameless ${what}`),
    ...(await page.evaluate(looks.backBesideTitle)).map((what) => `beside the title ${what}`),
    ...(await lookForMotion(page)),
    ...(await page.evaluate(looks.stickingOut)),
    ...(await lookForReach(page)),
    ...(await page.evaluate(looks.underBars)),
  ];
  if (second) {
    await page.emulateMedia({ colorScheme: second });
    const others = [
      ...(await lookForMotion(page)),
      ...(await objectionsOn(page, ["color-contrast"])),
    ];
    expect(await page.evaluate(surroundings)).toEqual({ ...device, theme: second });
    problems.push(...others.map((problem) => `${problem} in the ${second} theme`));
  }
  await page.emulateMedia({ colorScheme: "light" });
  return problems;
}

/** Reads how the page sees its device. */
function surroundings() {
  const is = (question: string) => matchMedia(`(${question})`).matches;
  return {
    width: innerWidth,
    pointer: ["fine", "coarse"].find((pointer) => is(`pointer: ${pointer}`)),
    theme: is("prefers-color-scheme: dark") ? "dark" : "light",
  };
}

async function lookForMotion(page: Page): Promise<string[]> {
  return (await page.evaluate(looks.moving)).map((what) => `moving ${what}`);
}

async function lookForReach(page: Page): Promise<string[]> {
  return [...(await page.evaluate(looks.underOthers)), ...(await page.evaluate(looks.brokenWords))];
}

async function lookAtWidths(page: Page, widths: number[]): Promise<string[]> {
  const problems: string[] = [];
  for (const width of widths) {
    await resizeTo(page, width);
    problems.push(...(await page.evaluate(looks.stickingOut)).map((what) => `${width}: ${what}`));
  }
  return problems;
}

/** Checks that text of twice the size scrolls no screen sideways (WCAG 1.4.4). */
async function lookAtLargeText(page: Page): Promise<string[]> {
  const browser = await page.context().newCDPSession(page);
  const setSize = (standard: number) =>
    browser.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard } });
  await setSize(32);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const problems = await page.evaluate(looks.stickingOut);
  await setSize(16);
  await browser.detach();
  return problems;
}

/** The text spacing from WCAG 1.4.12. */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`;

/** Checks the size of touch targets, and that spaced-out text is not cut off. */
async function lookAtThumbs(page: Page): Promise<string[]> {
  const small = await page.evaluate(looks.tooSmall);
  await page.addStyleTag({ content: spacing });
  const cutOff = await page.evaluate(looks.cutOff);
  return [...small.map((what) => `small ${what}`), ...cutOff.map((what) => `cut off ${what}`)];
}
