import { eq } from "drizzle-orm";
import { users } from "../../../app/accounts/tables.server.ts";
import { renderedFiles, reviewRemarks } from "../../../app/annotations/tables.server.ts";
import { storedFiles } from "../../../app/files/tables.server.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import { addPages, remarkOn, withPages } from "../../support/rows/marked-reviews.ts";
import { completedReview } from "../../support/rows/review-states.ts";
import { objectionsOn } from "../support/axe.ts";
import { stickingOut } from "../support/looks.ts";
import type { RunningProduct } from "../support/product.ts";
import { ownPeople } from "../support/staff.ts";
import { holdBack } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";

/** Two demo customers, each with a completed review that no other journey uses. */
const readers = { combined: "combined_review", resume: "resume_review" } as const;

async function resultOf({ db }: RunningProduct, kind: keyof typeof readers) {
  const rows = await db
    .select({ id: serviceReviews.id, email: users.email, status: serviceReviews.status })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .where(eq(serviceReviews.serviceType, readers[kind]));
  // People whom other journeys create have one more part in their address, which may end with a digit too.
  const isOfDemo = (email: string) => /^[a-z]+\.[a-z]+\d+@/.test(email);
  const found = rows.find(({ email, status }) => status === "completed" && isOfDemo(email))!;
  return { ...found, path: `/service-review/${found.id}` };
}

test("a result is read by page, by severity and by keyboard", async ({ product, browserOf }) => {
  const { path, email } = await resultOf(product, "combined");
  const page = await browserOf(email, path);
  for (const heading of [/^Feedback$/, /^Scores$/, /^Remarks \d+$/])
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
  // Pages are rendered on the first visit and appear automatically, for both parts.
  await expect(page.getByRole("heading", { name: "Portfolio, page 4 of 4" })).toBeVisible({
    timeout: 150_000,
  });
  await expect(page.getByText(/Preparing/)).toHaveCount(0, { timeout: 60_000 });
  await expect(page.getByRole("img", { name: "Screenshot 1" }).first()).toBeVisible();
  await expect(page.locator(".marked-sheet .plate_pins a")).toHaveCount(24, { timeout: 60_000 });
  const headings = await page
    .getByRole("main")
    .getByRole("heading", { level: 2 })
    .allTextContents();
  expect(headings).toEqual([
    "Three things first",
    "Feedback",
    "What you sent",
    "Remarks as files",
    "Scores",
    expect.stringMatching(/^Remarks \d+$/),
    "Screenshots and annotations",
    "Files",
    "Your rating",
    "Get a second look",
  ]);

  await page.getByRole("button", { name: "Next remark" }).press("Enter");
  await expect(page.locator("#remark-1")).toBeFocused();
  await page.keyboard.press("n");
  await expect(page.locator("#remark-2")).toBeFocused();
  await page.keyboard.press("Shift+N");
  await expect(page.locator("#remark-1")).toBeFocused();
  await page.getByRole("radio", { name: /^Idea/ }).press("Space");
  await expect(page.locator(".remark-item:visible")).toHaveCount(3);

  expect(await objectionsOn(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 780 });
  await page.getByRole("radio", { name: /^All/ }).press("Space");
  expect(await page.evaluate(stickingOut)).toEqual([]);
  expect(await objectionsOn(page)).toEqual([]);
});

test("ticks stay after a reload, in other tabs and after a failed request", async ({
  product,
  browserOf,
}) => {
  const { path, email } = await resultOf(product, "resume");
  const page = await browserOf(email, path);
  await expect(page.getByText(/Preparing/)).toHaveCount(0, { timeout: 150_000 });
  const box = page.getByRole("checkbox", { name: "Done with remark 4" });
  await expect(page.getByText("8 of 10 left to do")).toBeVisible();
  await expect(page.getByText("2 of 10 done")).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(path);
  await expect(other.getByText("8 of 10 left to do")).toBeVisible();

  await page.context().setOffline(true);
  await box.press("Space");
  // A read in the background may fail too, and says that it tries again.
  await expect(page.getByText("We can't reach the server", { exact: true })).toBeVisible();
  await expect(box).toHaveAttribute("aria-checked", "false");
  await page.context().setOffline(false);
  await box.press("Space");
  await expect(box).toHaveAttribute("aria-checked", "true");
  await expect(page.getByText("7 of 10 left to do")).toBeVisible();
  await expect(page.getByText("3 of 10 done")).toBeVisible();
  await expect(box).toBeFocused();
  await expect(other.getByText("7 of 10 left to do")).toBeVisible();

  await page.reload();
  await expect(box).toHaveAttribute("aria-checked", "true");
  await other.getByRole("checkbox", { name: "Done with remark 4" }).press("Enter");
  await expect(page.getByText("8 of 10 left to do")).toBeVisible();
});

test("a result prints in light colors in either theme", async ({ product, browserOf }) => {
  const { path, email } = await resultOf(product, "resume");
  const page = await browserOf(email);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(path);
  const colours = () =>
    page.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.body);
      return [backgroundColor, color];
    });
  const night = await colours();
  await page.emulateMedia({ colorScheme: "light" });
  const day = await colours();
  expect(day).not.toEqual(night);
  await page.emulateMedia({ colorScheme: "dark", media: "print" });
  expect(await colours()).toEqual(day);
});

test("a blank page keeps the place of the first page until it is prepared", async ({
  browserOf,
  product: { db },
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await completedReview(db, customer, nila);
  await withPages(db, id, { state: "rendering", pages: 0 });
  await remarkOn(db, id, nila, { x: 0.2, y: 0.1, width: 0.3, height: 0.05 });
  const page = await browserOf(customer.email, `/service-review/${id}`);
  await expect(page.locator(".review-result_blank-page")).toBeVisible();
  const [file] = await db
    .select({ id: storedFiles.id })
    .from(storedFiles)
    .where(eq(storedFiles.uploadedBy, customer.id));
  await addPages(db, file!.id, 1);
  await db.update(renderedFiles).set({ state: "done" }).where(eq(renderedFiles.fileId, file!.id));
  await expect(page.locator(".review-result_blank-page")).toHaveCount(0);
  const pin = page.locator(".opening .plate_pins a");
  await expect(pin).toBeVisible();
  for (const [width, most] of [
    [1280, 700],
    [360, 560],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(() => scrollTo(0, 0));
    expect((await pin.boundingBox())!.y).toBeLessThan(most);
  }
});

test("a remark that is done is one line, and the first one that is not is one press away", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await completedReview(product.db, customer, nila);
  await withPages(product.db, id);
  await remarkOn(product.db, id, nila, { x: 0.1, y: 0.1, width: 0.3, height: 0.05 });
  await remarkOn(product.db, id, nila, { x: 0.1, y: 0.5, width: 0.3, height: 0.05 });
  const page = await browserOf(customer.email, `/service-review/${id}`);
  await expect(page.getByRole("link", { name: "Start with remark 1" })).toBeVisible();
  await page.getByRole("checkbox", { name: "Done with remark 1" }).press("Space");
  const first = page.locator("#remark-1");
  const text = first.locator(".remark-item_text");
  await expect(text).toBeHidden();
  expect((await first.boundingBox())!.height).toBeLessThan(80);
  await expect(page.locator(".opening_first li").first()).toContainText("Done");
  await first.locator("summary").press("Enter");
  await expect(text).toBeVisible();
  await page.getByRole("link", { name: "Continue with remark 2" }).press("Enter");
  await expect(page.locator("#remark-2")).toBeFocused();
  await page.getByRole("checkbox", { name: "Done with remark 2" }).press("Space");
  await expect(page.getByText("2 of 2 done")).toBeVisible();
  await expect(page.getByRole("link", { name: /^(Start|Continue) with/ })).toHaveCount(0);
});

test("two quick presses tick and untick a remark", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  const id = await completedReview(product.db, customer, nila);
  await withPages(product.db, id);
  await remarkOn(product.db, id, nila);
  const page = await browserOf(customer.email);
  // The presses come before the router knows which routes the links of the page lead to.
  const letGo = await holdBack(page, /\/__manifest/);
  await page.goto(`/service-review/${id}`);
  const sent: (string | null)[] = [];
  page.on("request", (request) => {
    const form = new URLSearchParams(request.postData() ?? "");
    if (form.has("done")) sent.push(form.get("done"));
  });
  const answered = page.waitForResponse((one) =>
    Boolean(one.request().postData()?.includes("done=no")),
  );
  // Faster than the router reports the first as pending.
  await page.locator(".remark-item_tick").evaluate((box: HTMLElement) => {
    box.click();
    box.click();
  });
  await answered;
  expect(sent).toEqual(["yes", "no"]);
  letGo();
  await page.reload();
  await expect(page.getByText("1 of 1 left to do")).toBeVisible();
});

test("remarks are read and ticked off without scripts", async ({ product, browser }) => {
  const { path, email, id } = await resultOf(product, "combined");
  await product.db
    .update(reviewRemarks)
    .set({ doneAt: null })
    .where(eq(reviewRemarks.reviewId, id));
  const viewport = { width: 360, height: 780 };
  const page = await openPlainPage(browser, product, email, { viewport });
  await page.goto(path);
  await page.locator(".opening_first a").first().click();
  await expect(page).toHaveURL(/#remark-\d+$/);
  const box = page.getByRole("checkbox", { name: /^Done/ }).first();
  await box.click();
  await expect(page).toHaveURL(/#remark-\d+$/);
  await expect(box).toHaveAttribute("aria-checked", "true");
  await expect(page.getByText("16 of 17 left to do")).toBeVisible();
  const done = page.locator(".remark-item[data-done]");
  await expect(done.locator(".remark-item_text")).toBeHidden();
  await done.locator("summary").click();
  await expect(done.locator(".remark-item_text")).toBeVisible();
  await box.click();
  await expect(page.getByText("17 of 17 left to do")).toBeVisible();
  await page.context().close();
});
