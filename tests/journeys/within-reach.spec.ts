import { eq, sql } from "drizzle-orm";
import { profiles, users } from "../../app/accounts/tables.server.ts";
import { storedFiles } from "../../app/files/tables.server.ts";
import { jobs } from "../../app/jobs/tables.server.ts";
import { now } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { auditEvents } from "../../app/platform/tables.server.ts";
import {
  reviewAssignments,
  reviewDrafts,
  reviewFiles,
  reviewImages,
  serviceReviews,
} from "../../app/reviews/tables.server.ts";
import { type Screen, screensOf } from "../support/screens.ts";
import { onEachScreen } from "./support/each-screen.ts";
import { startProduct } from "./support/product.ts";
import { resizeTo } from "./support/steps.ts";
import { expect, test } from "./support/test.ts";

/** Whether everything that can be pressed can be pressed, and every text fits its window. */

const widths = [360, 1280];

for (const javaScriptEnabled of [true, false]) {
  const scripts = javaScriptEnabled ? "scripts" : "no scripts";
  test(`every link, button and field receives its own click, and no short word is broken, with ${scripts}`, async ({
    browser,
    product,
  }) => {
    // Some sixty screens at two widths.
    test.setTimeout(180_000);
    const found: string[] = [];
    const screens = await screensOf(product);
    const settings = { javaScriptEnabled, reducedMotion: "reduce" as const };
    await onEachScreen({ browser, product, screens }, settings, async (page, name) => {
      for (const width of widths) {
        await resizeTo(page, width);
        const covered = await page.evaluate(underOthers);
        const broken = await page.evaluate(brokenWords);
        found.push(...[...covered, ...broken].map((what) => `${name} at ${width}: ${what}`));
      }
    });
    expect(found).toEqual([]);
  });
}

test("messages above a dialog cover none of what can be pressed in it", async ({
  browserOf,
  product,
}) => {
  const screens = await screensOf(product);
  const page = await browserOf(admin);
  // The answer never comes, so every try to close the dialog brings a message.
  await page.route(
    ({ pathname }) => pathname.endsWith(".data"),
    (route) => (route.request().method() === "POST" ? undefined : route.continue()),
  );
  const found: string[] = [];
  for (const name of ["admin-edit-review", "admin-set-priority", "admin-reassign"]) {
    for (const width of widths) {
      await resizeTo(page, width);
      const { path } = screens.find((screen) => screen.name === name)!;
      await page.goto(path.slice(0, path.indexOf("?")));
      // What the server renders stands in the page; a link within it opens the dialog.
      await page.locator(`a[href="${path}"]`).first().dispatchEvent("click");
      const dialog = page.getByRole("dialog");
      const submit = dialog.locator("footer button").first();
      await expect(submit).toBeVisible();
      for (const select of await dialog.locator("select[name=reviewer]").all()) {
        await select.selectOption({ index: 1 });
      }
      await submit.click();
      await expect(submit).toHaveAttribute("aria-busy", "true");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await expect(page.locator(".toast")).not.toHaveCount(0);
      const covered = await page.evaluate(underOthers);
      found.push(...covered.map((what) => `${name} at ${width}: ${what}`));
    }
  }
  expect(found).toEqual([]);
});

/** What can be pressed, but has something else at its middle; while a dialog is open, what is in it. */
function underOthers(): string[] {
  const within = document.querySelector("dialog:modal") ?? document;
  const pressed = within.querySelectorAll<HTMLElement>(
    "a[href], button, summary, label, select, textarea, input:not([type=hidden])",
  );
  return [...pressed].flatMap((element) => {
    // Older messages are stacked behind the newest.
    if (element.closest("[data-behind]")) return [];
    const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!isSeen) return [];
    if (takesFocusUnseen(element)) return [`${naming(element)} takes the focus unseen`];
    if (isForReadersOnly(element)) return [];
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    // A link that goes on in the next line has its middle between the two.
    const { x, y, width, height } = element.getClientRects()[0]!;
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    if (sameControl(element).some((part) => part.contains(hit))) return [];
    return [`${naming(element)} is under ${hit ? hit.outerHTML.slice(0, 90) : "nothing"}`];
  });

  function isForReadersOnly(element: HTMLElement): boolean {
    return element.closest(".skip-link, [aria-hidden=true]") !== null || isClipped(element);
  }

  function isClipped(element: HTMLElement | null): boolean {
    for (let box = element; box; box = box.parentElement) {
      if (getComputedStyle(box).clipPath === "inset(50%)") return true;
    }
    return false;
  }

  /** A field whose label is seen shows its focus there. */
  function takesFocusUnseen(element: HTMLElement): boolean {
    if (element.tabIndex < 0 || !sameControl(element).every(isClipped)) return false;
    element.focus();
    const isUnseen = document.activeElement === element && isClipped(element);
    element.blur();
    return isUnseen;
  }

  function naming(element: HTMLElement): string {
    return element.innerText.trim() || element.outerHTML.slice(0, 90);
  }

  /** A click on a label is one on its field; a field may lie over its label or be hidden in it. */
  function sameControl(element: HTMLElement): HTMLElement[] {
    const control = element instanceof HTMLLabelElement ? element.control : element;
    const labels = control && "labels" in control ? (control as HTMLInputElement).labels : null;
    return [element, control, ...(labels ?? [])].filter((part) => part !== null);
  }
}

/** Words that stand in two lines although they are no longer than words are; addresses may break. */
function brokenWords(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const broken: string[] = [];
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    for (const { 0: word, index } of text.data.matchAll(/(?<!\S)[\p{L}\p{N}]{2,16}(?!\S)/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const boxes = [...range.getClientRects()];
      const tops = boxes.map(({ top }) => top);
      const isBroken = Math.max(...tops) - Math.min(...tops) > (boxes[0]?.height ?? 0) / 2;
      if (isBroken) broken.push(`${word} is broken in ${text.data.slice(0, 60)}`);
    }
  }
  return broken;
}

test("a long unbroken word in any text that people write pushes no screen sideways", async ({
  browser,
}) => {
  // A product of its own, some seventy screens at three widths.
  test.setTimeout(180_000);
  const product = await startProduct();
  try {
    const screens = [...(await screensOf(product)), ...screensOfTypedWords];
    await writeLongWords(product.db);
    const found: string[] = [];
    const longNamed = screens.map((screen) => ({ ...screen, as: screen.as && word + screen.as }));
    const looked = { browser, product, screens: longNamed };
    await onEachScreen(looked, { reducedMotion: "reduce" }, async (page, name) => {
      for (const width of [320, ...widths]) {
        await resizeTo(page, width);
        const wide = await page.evaluate(stickingOut);
        found.push(...wide.map((what) => `${name} at ${width}: ${what}`));
      }
    });
    expect(found).toEqual([]);
  } finally {
    await product.stop();
  }
});

const word = "donaudampfschifffahrtsgesellschaftskapitaensmuetze".repeat(4);

const customer = "ravi@example.com";
const admin = "gita@example.in";

/** Where something typed stands that no row holds, and the steps of a submission that has all. */
const screensOfTypedWords: Screen[] = [
  { name: "jobs-search", path: `/jobs?search=${word}` },
  { name: "job-board-search", path: `/job-board?search=${word}`, as: "devi@example.in" },
  { name: "users-search", path: `/admin/users?search=${word}`, as: admin },
  { name: "not-found-word", path: `/${word}` },
  ...["resume", "portfolio", "payment"].map((step) => ({
    name: `combined-review-${step}`,
    path: `/services/combined-review?step=${step}`,
    as: customer,
  })),
];

/** Puts the word into every text of the demonstration that somebody wrote. */
async function writeLongWords(db: Database): Promise<void> {
  await db.update(users).set({ name: word, email: sql`${word} || ${users.email}` });
  await db.update(profiles).set({ fullName: word, phone: word });
  await db.update(jobs).set({
    title: word,
    company: word,
    location: word,
    compensation: word,
    description: word,
    largeDescription: word,
    pocName: word,
    pocContact: `${word}@example.com`,
  });
  await db.update(storedFiles).set({ originalName: `${word}.pdf` });
  await db.update(serviceReviews).set({
    portfolioUrl: `https://portfolio.example.com/${word}`,
    reviewerFeedback: word,
  });
  await db.update(reviewAssignments).set({ draftFeedback: word });
  await db.update(reviewImages).set({ annotation: word });
  await db.update(reviewFiles).set({ fileName: `${word}.pdf`, description: word });
  await db.update(auditEvents).set({
    actorName: word,
    before: { reviewer_feedback: word },
    after: { reviewer_feedback: word + word },
  });
  const [buyer] = await db
    .select()
    .from(users)
    .where(eq(users.email, word + customer));
  const files = await db.select().from(storedFiles);
  const at = now();
  await db.insert(reviewDrafts).values({
    userId: buyer!.id,
    serviceType: "combined_review",
    resumeFileId: files.find(({ bucket }) => bucket === "resumes")!.id,
    portfolioFileId: files.find(({ bucket }) => bucket === "portfolios")!.id,
    portfolioUrl: `https://portfolio.example.com/${word}`,
    createdAt: at,
    updatedAt: at,
  });
}

/** What reaches beyond the window, or beyond an open dialog, without a box that cuts it off. */
function stickingOut(): string[] {
  const boxes = [document.documentElement, ...document.querySelectorAll("dialog:modal")];
  return boxes.flatMap((box) => {
    if (box.scrollWidth <= box.clientWidth) return [];
    const edge = box.getBoundingClientRect().left + box.clientWidth + 1;
    const out = [...box.querySelectorAll<HTMLElement>("*")].filter(
      (element) => element.getBoundingClientRect().right > edge,
    );
    const first = out.slice(-3).map((element) => element.outerHTML.slice(0, 70));
    return [`${box.scrollWidth} of ${box.clientWidth} pixels, by ${first.join(", ")}`];
  });
}
