import { eq, sql } from "drizzle-orm";
import { profiles, users } from "../../../app/accounts/tables.server.ts";
import { storedFiles } from "../../../app/files/tables.server.ts";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { refunds } from "../../../app/payments/refunds/tables.server.ts";
import { now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { auditEvents } from "../../../app/platform/tables.server.ts";
import {
  reviewAssignments,
  reviewBriefs,
  reviewDrafts,
  reviewerProfiles,
  reviewFiles,
  reviewImages,
  reviewQuestions,
  reviewRatings,
  serviceReviews,
} from "../../../app/reviews/tables.server.ts";
import { reviewerPhrases, reviewRemarks } from "../../../app/annotations/tables.server.ts";
import { supportAnswers, supportMessages } from "../../../app/support/tables.server.ts";
import type { Screen } from "../../support/inventory/screens.ts";
import { screensOf } from "../../support/inventory/screens-of-demo.ts";
import { sample } from "../../support/inventory/selection.ts";
import { onEachScreen } from "../support/each-screen.ts";
import { stickingOut, underOthers } from "../support/looks.ts";
import { splitIn } from "../support/parts.ts";
import { startProduct } from "../support/product.ts";
import { resizeTo } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

/** No element may cover controls or make a screen scroll sideways. */

const widths = [360, 1280];

// Covered by "tests/journeys/everywhere/toasts.spec.ts: a toast above a dialog".
test("toasts above a dialog cover none of its controls @slow", async ({ browserOf, product }) => {
  const screens = await screensOf(product);
  const page = await browserOf(admin);
  // The answer never arrives, so each attempt to close the dialog adds a toast.
  await page.route(
    ({ pathname }) => pathname.endsWith(".data"),
    (route) => (route.request().method() === "POST" ? undefined : route.continue()),
  );
  const found: string[] = [];
  for (const name of ["admin-edit-review", "admin-set-priority", "admin-reassign"]) {
    for (const width of widths) {
      await resizeTo(page, width);
      const { path } = screens.find((screen) => screen.name === name)!;
      await page.goto(path);
      const dialog = page.getByRole("dialog");
      const submit = dialog.locator(".dialog_foot button, .card_foot button").first();
      await expect(submit).toBeVisible();
      for (const select of await dialog.locator("select[name=reviewer]").all()) {
        await select.selectOption({ index: 1 });
      }
      await submit.click();
      await expect(submit).toHaveAttribute("aria-busy", "true");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await expect(page.locator(".toasts_toast")).not.toHaveCount(0);
      const covered = await page.evaluate(underOthers);
      found.push(...covered.map((what) => `${name} at ${width}: ${what}`));
    }
  }
  expect(found).toEqual([]);
});

for (const part of splitIn(2)) {
  test(`a long unbroken word makes no screen scroll sideways, ${part.name}`, async ({
    browser,
  }) => {
    // Runs its own product because it changes all data.
    const product = await startProduct();
    try {
      const screens = part.select(
        sample([...screensOfTypedWords, ...(await screensOf(product))], { every: 6 }),
      );
      await writeLongWords(product.db);
      const found: string[] = [];
      const longNamed = screens.map((screen) => ({ ...screen, as: screen.as && word + screen.as }));
      const checked = { browser, product, screens: longNamed };
      let order = [320, ...widths];
      await onEachScreen(checked, { reducedMotion: "reduce" }, async (page, name) => {
        // Widths alternate, which saves a resize for each screen.
        for (const width of order) {
          if (page.viewportSize()!.width !== width) await resizeTo(page, width);
          const wide = await page.evaluate(stickingOut);
          found.push(...wide.map((what) => `${name} at ${width}: ${what}`));
        }
        order = order.toReversed();
      });
      expect(found).toEqual([]);
    } finally {
      await product.stop();
    }
  });
}

const word = "donaudampfschifffahrtsgesellschaftskapitaensmuetze".repeat(4);

const customer = "ravi@example.com";
const admin = "gita@example.in";

/** Screens with text from the URL, and all steps of a submission. */
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

/** Writes the word into every text that people can write. */
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
  await db.update(reviewRemarks).set({ text: word, quote: word, suggestion: word });
  await db.update(reviewerPhrases).set({ text: sql`${word} || ${reviewerPhrases.id}` });
  await db.update(reviewBriefs).set({ role: word, company: word });
  await db.update(reviewQuestions).set({ question: word, answer: word });
  await db.update(reviewRatings).set({ words: word });
  await db.update(reviewerProfiles).set({ firstName: word, field: word, about: word });
  await db.update(refunds).set({ reason: word, answer: word, failure: word });
  await db.update(supportMessages).set({ name: word, subject: word, message: word, note: word });
  await db.update(supportAnswers).set({ authorName: word, answer: word });
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
