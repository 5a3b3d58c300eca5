import type { BrowserContextOptions, Page } from "@playwright/test";
import { type Screen, screensOf } from "../../support/inventory/screens.ts";
import { objectionsOn } from "../support/axe.ts";
import { onEachScreen } from "../support/each-screen.ts";
import * as looks from "../support/looks.ts";
import { resizeTo } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

/** What must be right on every screen, opened once on each device. */

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };
const desk = { viewport: { width: 1280, height: 740 } };

type Audience = { whose: string; isTheirs: (screen: Screen) => boolean };

const isForStaff = ({ path }: Screen) => /^\/(admin|reviewer|job-board)/.test(path);
const customers: Audience = { whose: "customers", isTheirs: (screen) => !isForStaff(screen) };
const staff: Audience = { whose: "staff", isTheirs: isForStaff };

for (const [audience, device, settings] of [
  [customers, "a phone", phone],
  [customers, "a desk", desk],
  [staff, "a phone", phone],
  [staff, "a desk", desk],
] as const) {
  test(`every screen of ${audience.whose} is accessible and within reach on ${device}`, async ({
    browser,
    product,
  }) => {
    // Up to fifty screens, each looked at by all rules and in both themes.
    const found: string[] = [];
    const screens = (await screensOf(product)).filter(audience.isTheirs);
    const context: BrowserContextOptions = { ...settings, reducedMotion: "reduce" };
    await onEachScreen({ browser, product, screens }, context, async (page, name) => {
      const problems = await lookAt(page);
      if (audience === customers && settings === phone)
        problems.push(...(await lookAtZoomed(page)));
      found.push(...problems.map((problem) => `${name}: ${problem}`));
    });
    expect(found).toEqual([]);
  });
}

test("every link, button and field receives its own click without scripts", async ({
  browser,
  product,
}) => {
  const found: string[] = [];
  const screens = await screensOf(product);
  const settings = { javaScriptEnabled: false, reducedMotion: "reduce" as const };
  await onEachScreen({ browser, product, screens }, settings, async (page, name) => {
    for (const width of [360, 1280]) {
      await resizeTo(page, width);
      const problems = await lookForReach(page);
      found.push(...problems.map((what) => `${name} at ${width}: ${what}`));
    }
  });
  expect(found).toEqual([]);
});

async function lookAt(page: Page): Promise<string[]> {
  const problems = [
    ...(await objectionsOn(page)),
    ...(await page.evaluate(looks.nameless)).map((what) => `nameless ${what}`),
    ...(await lookForMotion(page)),
    ...(await page.evaluate(looks.stickingOut)),
    ...(await lookForReach(page)),
  ];
  // The themes differ in their colours alone.
  await page.emulateMedia({ colorScheme: "dark" });
  const inTheDark = [
    ...(await lookForMotion(page)),
    ...(await objectionsOn(page, ["color-contrast"])),
  ];
  await page.emulateMedia({ colorScheme: "light" });
  return [...problems, ...inTheDark.map((objection) => `${objection} in the dark`)];
}

async function lookForMotion(page: Page): Promise<string[]> {
  return (await page.evaluate(looks.moving)).map((what) => `moving ${what}`);
}

async function lookForReach(page: Page): Promise<string[]> {
  return [...(await page.evaluate(looks.underOthers)), ...(await page.evaluate(looks.brokenWords))];
}

/** A window of 1280 pixels at 200 % has 640 to lay out, and one at 400 % has 320. */
const zoomed = [640, 320];

/** As the guidelines for accessible text ask. */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`;

/** As people see it who zoom, who space their text, and who use a thumb. */
async function lookAtZoomed(page: Page): Promise<string[]> {
  const problems = (await page.evaluate(looks.tooSmall)).map((what) => `small ${what}`);
  for (const width of zoomed) {
    await resizeTo(page, width);
    problems.push(...(await page.evaluate(looks.stickingOut)));
  }
  await resizeTo(page, 360);
  await page.addStyleTag({ content: spacing });
  const cutOff = await page.evaluate(looks.cutOff);
  return [...problems, ...cutOff.map((what) => `cut off ${what}`)];
}
