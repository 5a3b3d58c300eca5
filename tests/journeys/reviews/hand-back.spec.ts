import { eq } from "drizzle-orm";
import { day, now } from "../../../app/platform/clock.ts";
import { handedBackDrafts } from "../../../app/reviews/tables.server.ts";
import { remarkOn, withPages } from "../../support/rows/marked-reviews.ts";
import { assignedReview } from "../../support/rows/review-states.ts";
import { objectionsOn } from "../support/axe.ts";
import { stickingOut } from "../support/looks.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, test } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";

const phone = { viewport: { width: 360, height: 740 } };

test("a reviewer hands a review back on a phone without scripts, and the next one takes the draft and submits", async ({
  browser,
  browserOf,
  product,
}) => {
  const { customer, nila, omana } = await ownPeople(product);
  const dueAt = new Date(now().getTime() + 2 * day);
  const id = await assignedReview(product.db, customer, nila, { dueAt });
  await withPages(product.db, id);
  await remarkOn(product.db, id, nila, { x: 0.1, y: 0.2, width: 0.4, height: 0.05 });
  const path = `/reviewer/submission/${id}`;

  const page = await openPlainPage(browser, product, nila.email, phone);
  await page.goto(path);
  await page.getByLabel("Feedback").fill("Start with the clinic project.");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("link", { name: "Hand back this review" }).click();
  await expect(page.getByText("It's still due on")).toBeVisible();
  expect(await page.evaluate(stickingOut)).toEqual([]);
  await page.getByLabel("Note to the admins").fill("A fever, since this morning.");
  await page.getByRole("button", { name: "Hand back" }).click();
  await expect(page.getByText("Please choose a reason")).toBeVisible();
  await expect(page.getByLabel("Note to the admins")).toHaveValue("A fever, since this morning.");
  await page.getByLabel("I'm ill").check();
  await page.getByRole("button", { name: "Hand back" }).click();
  await expect(page).toHaveURL("/reviewer");
  await expect(page.getByText("Review handed back")).toBeVisible();
  await page.goto(`${path}/hand-back`);
  await expect(page.getByText("This review isn't yours to hand back")).toBeVisible();

  // The overview may show counts of a minute ago.
  const admin = await browserOf("gita@example.in", "/admin/reviews/handed-back");
  await expect(admin.getByRole("heading", { name: "Handed back reviews" })).toBeVisible();
  const row = admin.getByRole("row").filter({ hasText: "A fever, since this morning." });
  expect(await objectionsOn(admin)).toEqual([]);
  await row.getByRole("link", { name: "Resume Review" }).click();
  await expect(admin.getByText("Start with the clinic project.")).toBeVisible();
  expect(await objectionsOn(admin)).toEqual([]);
  await admin.getByRole("link", { name: "Assign a reviewer" }).click();
  await admin.getByRole("checkbox", { name: `Select review ${id}` }).check();
  await admin.getByLabel("Reviewer", { exact: true }).selectOption({ value: omana.id });
  await admin.getByRole("button", { name: /^Assign Selected/ }).click();
  await expect(admin.getByText("Successfully assigned 1 review")).toBeVisible();

  const work = await browserOf(omana.email, path);
  const offer = work.getByRole("list", { name: "Earlier drafts" });
  await expect(offer).toContainText("An earlier reviewer began this review: 1 remark, a summary.");
  await offer.getByRole("link", { name: "View this draft" }).click();
  await expect(work.getByText("Start with the clinic project.")).toBeVisible();
  expect(await objectionsOn(work)).toEqual([]);
  const other = await browserOf(omana.email, work.url());
  await work.getByRole("button", { name: "Use as my draft" }).click();
  await expect(work.getByText("Added 1 remark, a summary")).toBeVisible();
  await expect(offer).toHaveCount(0);
  await other.getByRole("button", { name: "Discard" }).click();
  await expect(other.getByText("This draft was already used or discarded.")).toBeVisible();

  await work.getByRole("tab", { name: "Summary" }).click();
  await expect(work.getByLabel("Feedback")).toHaveValue("Start with the clinic project.");
  await work.getByRole("button", { name: "Submit Review" }).click();
  await expect(work.getByText("Review submitted successfully")).toBeVisible();
  expect(await product.db.$count(handedBackDrafts, eq(handedBackDrafts.reviewId, id))).toBe(0);
});

test("what was typed in the workspace is saved before the screen that hands back, and is in the draft", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila);
  const page = await browserOf(nila.email, `/reviewer/submission/${id}#summary`);
  await page.getByRole("tab", { name: "Summary" }).click();
  await page.getByLabel("Feedback").fill("The last words.");
  await page.getByRole("link", { name: "Hand back this review" }).click();
  await page.getByLabel("I know the author").focus();
  await page.keyboard.press("Space");
  expect(await objectionsOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Hand back" }).press("Enter");
  await expect(page.getByText("Review handed back")).toBeVisible();
  const [draft] = await product.db
    .select()
    .from(handedBackDrafts)
    .where(eq(handedBackDrafts.reviewId, id));
  expect(draft).toMatchObject({
    reason: "knows_author",
    content: { feedback: "The last words." },
  });
});
