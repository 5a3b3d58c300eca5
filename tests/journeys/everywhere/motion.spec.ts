import type { Page } from "@playwright/test";
import { markedWork, remark, rows } from "../support/remarks.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, test } from "../support/test.ts";

/** A finished animation or transition. */
type Move = { name: string; milliseconds: number };

declare global {
  interface Window {
    moves: Move[];
  }
}

for (const motion of ["no-preference", "reduce"] as const) {
  const isStill = motion === "reduce";
  const people = isStill ? "for people who prefer reduced motion" : "for all other people";
  /** The duration that a move has for these people. */
  const lasts = (milliseconds: number) =>
    isStill ? expect.closeTo(0, 1) : expect.closeTo(milliseconds, 1);

  test.describe(() => {
    test.use({ reducedMotion: motion });

    test(`the route on the home page is drawn once ${people}`, async ({ page }) => {
      await recordMoves(page);
      await page.goto("/");
      const drawn = [{ name: "home_draw-route", milliseconds: lasts(900) }];
      await expect.poll(() => listMoves(page, /route/)).toEqual(drawn);

      await page.getByRole("link", { name: "Browse jobs" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/job/i);
      await page.goBack();
      await expect(page.locator(".home_route")).toHaveCSS("animation-name", "none");
      expect(await listMoves(page, /route/)).toEqual(drawn);
      await expectStillness(page, isStill);
    });

    test(`the way of an order is drawn once ${people}`, async ({ browserOf }) => {
      const page = await browserOf("asha@example.com");
      await recordMoves(page);
      await page.goto("/profile");
      const line = page.locator(".station-line").first();
      const passed = await page
        .locator(".station-line [data-state='passed']:not(:last-child)")
        .count();
      expect(passed).toBeGreaterThan(0);
      const drawn = Array.from({ length: isStill ? 0 : passed }, () => ({
        name: "station-line_draw-line",
        milliseconds: lasts(900),
      }));
      await expect.poll(() => listMoves(page, /draw-line/)).toEqual(drawn);

      await page.getByRole("link", { name: "Jobs", exact: true }).first().click();
      await expect(page).toHaveURL("/jobs");
      await page.goBack();
      await expect(line).toBeVisible();
      expect(await listRunning(page)).not.toContain("station-line_draw-line");
      expect(await listMoves(page, /draw-line/)).toEqual(drawn);
      await expectStillness(page, isStill);
    });

    test(`a new pin settles on its place and others don't move ${people}`, async ({
      browserOf,
      product,
    }) => {
      const { customer, nila } = await ownPeople(product);
      const id = await markedWork(product, customer, nila);
      const page = await browserOf(nila.email);
      await recordMoves(page);
      await page.goto(`/reviewer/submission/${id}`);
      const face = page.locator(".sheet_face").first();
      const settled = { name: "sheet_pin-settles", milliseconds: lasts(120) };
      await face.click({ position: { x: 200, y: 200 } });
      await expect(remark(page)).toBeFocused();
      await expect.poll(() => listMoves(page, /pin/)).toEqual([settled]);

      await page.keyboard.type("Begin with the outcome.");
      await page.keyboard.press("Enter");
      await expect.poll(() => rows(product, id)).toHaveLength(1);
      await face.click({ position: { x: 300, y: 300 } });
      await expect(page.locator(".sheet_face .sheet_pin")).toHaveCount(2);
      await expect.poll(() => listMoves(page, /pin/)).toEqual([settled, settled]);
      await expectStillness(page, isStill);

      await page.reload();
      await expect(page.locator(".sheet_face .pin-sign")).toHaveCSS("animation-name", "none");
    });

    for (const [list, path] of [
      ["the board", "/jobs"],
      ["the home page", "/"],
    ] as const)
      test(`a job's title is carried from ${list} to the job and back ${people}`, async ({
        page,
      }) => {
        await recordMoves(page);
        await page.goto(path);
        const link = page.locator("main a[href^='/jobs/']:has(span)").first();
        const title = await link.innerText();
        await link.click();
        await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
        const carried = { name: carriedTo("job-title"), milliseconds: lasts(180) };
        await expect.poll(() => listMoves(page, /job-title/)).toEqual([carried]);

        await page.goBack();
        await expect(page).toHaveURL(path);
        await expect.poll(() => listMoves(page, /job-title/)).toEqual([carried, carried]);
        await expectStillness(page, isStill);
      });

    test(`the sign of a pressed remark moves to its pin ${people}`, async ({ page }) => {
      await recordMoves(page);
      await page.goto("/services/example-review");
      await page.getByRole("link", { name: "Remark 2: to its place on the page" }).click();
      await expect(page.locator("#pin-2")).toBeFocused();
      const moved = { name: carriedTo("pin-sign"), milliseconds: lasts(180) };
      await expect.poll(() => listMoves(page, /pin-sign/)).toEqual(isStill ? [] : [moved]);
      await expectStillness(page, isStill);
    });
  });
}

/** The browser's name for the move of an element that is in both states of a view transition. */
const carriedTo = (name: string) => `-ua-view-transition-group-anim-${name}`;

/** Records the moves of each document that the page opens from now on. */
async function recordMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.moves = [];
    const record = (name: string, seconds: number) =>
      window.moves.push({ name, milliseconds: seconds * 1000 });
    const onEnd = { capture: true };
    addEventListener("animationend", (end) => record(end.animationName, end.elapsedTime), onEnd);
    addEventListener("transitionend", (end) => record(end.propertyName, end.elapsedTime), onEnd);
  });
}

function listMoves(page: Page, name: RegExp): Promise<Move[]> {
  return page.evaluate(
    (pattern) => window.moves.filter((move) => new RegExp(pattern).test(move.name)),
    name.source,
  );
}

/** Lists the names of the animations that have started and not ended. */
function listRunning(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document.getAnimations().map((running) => (running as CSSAnimation).animationName),
  );
}

/** Expects that people who prefer reduced motion see none: a move without visible frames lasts 0.01 ms. */
async function expectStillness(page: Page, isStill: boolean): Promise<void> {
  const moves = await listMoves(page, /./);
  if (isStill) expect(moves.filter(({ milliseconds }) => milliseconds > 1)).toEqual([]);
}
