import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { objectionsOn } from "../support/axe.ts";
import { stickingOut } from "../support/looks.ts";
import { fixture } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";

const resumeStep = "/services/resume-review?step=resume";

test("parts of a resume are blacked out by mouse and keyboard, and taken back", async ({
  browserOf,
}) => {
  const page = await browserOf("dev.mishra35@example.com", resumeStep);
  await page.locator('input[type="file"]').first().setInputFiles(fixture("resume.pdf"));
  await expect(page.getByText("2 pages", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Black out parts" }).click();
  await expect(page.getByRole("heading", { name: "Black out parts of your resume" })).toBeVisible();
  await expect(page.getByText("What you black out is not in it.")).toBeVisible();
  expect(await objectionsOn(page)).toEqual([]);

  const paper = page.locator(".hiding_paper").first();
  const first = page.getByRole("button", {
    name: "Blacked out area 1 on Resume, page 1",
    exact: true,
  });
  const undo = page.getByRole("button", { name: "Undo" });
  await expect(undo).toBeDisabled();
  await drag(page, paper, [0.2, 0.2], [0.6, 0.4]);
  await expect(first).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("Boxes as numbers (1)").click();
  const left = page.getByLabel("Left (%)");
  await expect.poll(async () => Number(await left.inputValue())).toBeCloseTo(21, 0);
  // Each gesture is undone alone.
  await undo.click();
  await undo.click();
  await expect.poll(async () => Number(await left.inputValue())).toBeCloseTo(20, 0);
  await left.fill("30");
  await left.press("Tab");
  await expect(page.getByLabel("Left (%)")).toHaveValue("30");

  await page.getByRole("button", { name: "Black out an area on Resume, page 2" }).press("Enter");
  await expect(page.getByText("Boxes as numbers (2)")).toBeVisible();
  await page.getByRole("button", { name: "Remove box 2" }).click();
  await expect(page.getByText("Boxes as numbers (1)")).toBeVisible();
  expect(await objectionsOn(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await page.evaluate(stickingOut)).toEqual([]);

  await page.getByRole("button", { name: "Black out", exact: true }).click();
  await expect(page.getByText("The reviewer sees this copy.")).toBeVisible();
  await expect(page.getByText("resume-blacked-out.pdf")).toBeVisible();
  const thumbnail = page.getByRole("img", { name: "Page 1" });
  await expect(thumbnail).toBeVisible();
  const { brightness } = await measureBox(page, thumbnail, [0.35, 0.25, 0.3, 0.1]);
  expect(brightness).toBeLessThan(60);
  await expect(page.getByText("Can software read this file?")).toHaveCount(0);
  expect(await page.evaluate(stickingOut)).toEqual([]);
  await page.getByRole("link", { name: "Continue to payment" }).click();
  await expect(page.getByRole("button", { name: /^Pay ₹/ })).toBeVisible();

  await page.goto(resumeStep);
  await page.getByRole("link", { name: "Change the boxes" }).click();
  await expect(first).toBeVisible();
  await page.getByRole("button", { name: "Use your original instead" }).click();
  await expect(page.getByRole("link", { name: "Black out parts" })).toBeVisible();
  await expect(page.getByText("resume.pdf", { exact: true })).toBeVisible();
});

test("without scripts, boxes are numbers", async ({ browser, product }) => {
  const viewport = { width: 360, height: 780 };
  const page = await openPlainPage(browser, product, "lakshmi.chawla34@example.com", { viewport });
  await page.goto("/services/portfolio-review?step=portfolio");
  await expect(page.getByText("You can't black out parts of a link.")).toBeVisible();
  await page.locator('input[type="file"]').first().setInputFiles(fixture("poster.png"));
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await page.getByRole("link", { name: "Black out parts" }).click();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("Boxes as numbers (0)")).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await page.getByText("Boxes as numbers (0)").click();
  const box = page.getByRole("group", { name: "Box 1" });
  await box.getByLabel("Page").fill("1");
  await box.getByLabel("Left").fill("10");
  await box.getByLabel("Top").fill("half");
  await box.getByLabel("Width").fill("60");
  await box.getByLabel("Height").fill("20");
  await page.getByRole("button", { name: "Black out", exact: true }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Check its five numbers");
  await expect(page.getByText("Boxes as numbers (1)")).toBeVisible();
  await expect(box.getByLabel("Top")).toHaveValue("half");
  await box.getByLabel("Top").fill("50");
  expect(await page.evaluate(stickingOut)).toEqual([]);
  await page.getByRole("button", { name: "Black out", exact: true }).click();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("portfolio-blacked-out.pdf")).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await page.getByRole("link", { name: "Change the boxes" }).click();
  await expect(page.locator(".hiding_area")).toHaveCount(1);
  await page.context().close();
});

/** Drags from one point of an element to another, in fractions of its sides. */
async function drag(page: Page, thing: Locator, from: [number, number], to: [number, number]) {
  await thing.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await thing.boundingBox())!;
  await page.mouse.move(x + from[0] * width, y + from[1] * height);
  await page.mouse.down();
  await page.mouse.move(x + to[0] * width, y + to[1] * height, { steps: 4 });
  await page.mouse.up();
}

/** Returns the brightest pixel of a box in a picture of our server, from 0 to 255. */
async function measureBox(page: Page, picture: Locator, box: [number, number, number, number]) {
  const answer = await page.request.get((await picture.getAttribute("src"))!);
  const opened = sharp(await answer.body());
  const { width, height } = await opened.metadata();
  const [left, top, wide, high] = box;
  const part = opened.extract({
    left: Math.round(left * width),
    top: Math.round(top * height),
    width: Math.round(wide * width),
    height: Math.round(high * height),
  });
  // The library measures only what it opens.
  const { channels } = await sharp(await part.png().toBuffer()).stats();
  return { brightness: Math.max(...channels.map(({ max }) => max)) };
}
