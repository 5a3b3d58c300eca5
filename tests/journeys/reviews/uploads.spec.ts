import { readFile, rm, writeFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { and, eq, isNull } from "drizzle-orm";
import { users } from "../../../app/accounts/tables.server.ts";
import { reviewAssignments, reviewImages } from "../../../app/reviews/tables.server.ts";
import { openOwnWork, openSummary, ownPeople, ownWork } from "../support/staff.ts";
import { holdBack } from "../support/steps.ts";
import { signInByCookie, expect, test } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";

const megabyte = 1_048_576;
const pdf = await readFile("tests/fixtures/files/resume.pdf");
const png = await readFile("tests/fixtures/files/poster.png");
const resumeStep = "/services/resume-review?step=resume";
const fileInput = ".upload-field_upload input[type=file]";

/** Returns a function that limits the page's upload speed; zero is offline. */
async function networkOf(page: Page): Promise<(bytesPerSecond: number) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  return (bytesPerSecond) =>
    session.send("Network.emulateNetworkConditions", {
      offline: bytesPerSecond === 0,
      latency: 10,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
}

/** Reads the uploaded megabytes from the row. */
async function megabytesSent(page: Page): Promise<number> {
  const words = await page.locator(".upload-field_row").innerText();
  return Number(/([\d.]+)\s(?:MB )?of/.exec(words.replaceAll("\u00a0", " "))?.[1] ?? 0);
}

test("an upload survives a lost connection and a reload", async ({ browserOf }) => {
  const page = await browserOf("ishita.gowda2@example.com");
  // A file on disk keeps its date, which identifies it after the reload.
  const file = test.info().outputPath("Ravi Nair.pdf");
  await writeFile(file, Buffer.concat([pdf, Buffer.alloc(9 * megabyte, " ")]));

  await page.goto(resumeStep);
  await expect(page.locator(".upload-field_upload[data-live]")).toBeVisible();
  const setSpeed = await networkOf(page);
  await setSpeed(2 * megabyte);
  await page.locator(fileInput).setInputFiles(file);
  await expect.poll(() => megabytesSent(page)).toBeGreaterThan(2);
  await setSpeed(0);
  await expect(page.locator(".upload-field_row")).toContainText("connection…");
  await setSpeed(2 * megabyte);
  await expect.poll(() => megabytesSent(page)).toBeGreaterThan(5);

  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(resumeStep);
  const resumed = page.waitForResponse((response) => response.request().method() === "HEAD");
  await page.locator(fileInput).setInputFiles(file);
  expect(Number((await resumed).headers()["upload-offset"])).toBeGreaterThanOrEqual(5 * megabyte);
  await expect(page.getByText("File uploaded successfully").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Ravi Nair.pdf" })).toBeVisible();
});

test("a replacement upload blocks Continue and asks before leaving", async ({ browserOf }) => {
  const page = await browserOf("vihaan.bose13@example.com", resumeStep);
  const choose = (name: string, buffer: Buffer) =>
    page.locator(fileInput).setInputFiles({ name, mimeType: "application/pdf", buffer });
  await choose("old.pdf", pdf);
  const onward = page.getByRole("link", { name: "Continue to payment" });
  await expect(onward).toBeVisible();
  await page.getByText("Replace the file").click();
  const setSpeed = await networkOf(page);
  await setSpeed(megabyte);
  await choose("new.pdf", Buffer.concat([pdf, Buffer.alloc(4 * megabyte, " ")]));
  await expect(page.getByRole("button", { name: "Continue to payment" })).toBeDisabled();
  await expect(onward).toHaveCount(0);

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Jobs" }).click();
  const question = page.getByRole("dialog", { name: "Leave before your file is uploaded?" });
  await question.getByRole("button", { name: "Keep uploading" }).click();
  await expect(question).toBeHidden();
  // The question is visible even where the field is folded.
  await page.getByText("Replace the file").click();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Jobs" }).click();
  await question.getByRole("button", { name: "Keep uploading" }).click();
  await onward.click();
  await expect(page.locator(".submission_done").getByText("new.pdf")).toBeVisible();

  await page.goto(resumeStep);
  await page.getByText("Replace the file").click();
  await choose("late.pdf", Buffer.concat([pdf, Buffer.alloc(4 * megabyte, " ")]));
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Jobs" }).click();
  await question.getByRole("button", { name: "Leave", exact: true }).click();
  await expect(page).toHaveURL(/\/jobs$/);
});

// Covered by "an upload survives a lost connection".
test("a removed file can be uploaded again @slow", async ({ browserOf }) => {
  const page = await browserOf("ishita.chawla14@example.com");
  // A crash can lose removals that the browser has not written to disk.
  await page.addInitScript(() => (Storage.prototype.removeItem = () => {}));
  const file = test.info().outputPath("Resume.pdf");
  await writeFile(file, pdf);
  await page.goto(resumeStep);
  const choose = () => page.locator(fileInput).setInputFiles(file);
  const link = page.getByRole("link", { name: "Resume.pdf" });
  await choose();
  await expect(link).toBeVisible();
  await page.goto(resumeStep);
  await page.getByRole("button", { name: /^Remove/ }).click();
  await expect(link).toHaveCount(0);
  await choose();
  await expect(link).toBeVisible();
});

test("a refused file shows the reason and keeps typed text", async ({ browserOf }) => {
  const page = await browserOf("sonia@example.com", "/services/portfolio-review?step=portfolio");
  await page.getByLabel("Portfolio URL").fill("https://sonia.example/work");
  const input = page.locator(fileInput);
  await input.setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("x"),
  });
  const refusal = "This file is not a PDF, PNG or JPEG";
  await expect(page.getByRole("alert").filter({ hasText: refusal })).toBeVisible();
  await expect(input).toHaveAccessibleDescription(new RegExp(refusal));

  await input.setInputFiles({
    name: "disguised.pdf",
    mimeType: "application/pdf",
    buffer: Buffer.from("MZ not a PDF"),
  });
  await expect(page.getByRole("alert").filter({ hasText: refusal })).toBeVisible();
  await expect(page.getByLabel("Portfolio URL")).toHaveValue("https://sonia.example/work");

  await input.setInputFiles({ name: "poster.png", mimeType: "image/png", buffer: png });
  await expect(page.getByRole("link", { name: "poster.png" })).toBeVisible();
  await expect(page.getByText(refusal)).toHaveCount(0);
});

for (const [change, changeFile] of [
  ["changed", (file: string) => writeFile(file, Buffer.concat([pdf, pdf]))],
  ["deleted", (file: string) => rm(file)],
] as const) {
  // Covered by "an upload survives a lost connection".
  test(`an upload stops if its file is ${change} while offline @slow`, async ({ browserOf }) => {
    const page = await browserOf("asha@example.com");
    const file = test.info().outputPath("Asha Verma.pdf");
    await writeFile(file, pdf);
    await page.goto(resumeStep);
    await expect(page.locator(".upload-field_upload[data-live]")).toBeVisible();
    await page.route(/\/uploads/, (route) => route.abort("internetdisconnected"));
    await page.locator(fileInput).setInputFiles(file);
    await expect(page.locator(".upload-field_row")).toContainText("connection…");
    await changeFile(file);
    await expect(page.locator(".field_error")).toContainText("changed, moved or deleted");
    await page.unrouteAll();
    await writeFile(file, pdf);
    await page.locator(fileInput).setInputFiles(file);
    await expect(page.getByRole("link", { name: "Asha Verma.pdf" })).toBeVisible();
    await page.getByRole("button", { name: "Remove Asha Verma.pdf" }).click();
    await expect(page.getByRole("link", { name: "Asha Verma.pdf" })).toHaveCount(0);
  });
}

test("an upload can be cancelled", async ({ browserOf }) => {
  const page = await browserOf("asha@example.com", resumeStep);
  const setSpeed = await networkOf(page);
  await setSpeed(megabyte);
  const buffer = Buffer.concat([pdf, Buffer.alloc(5 * megabyte, " ")]);
  await page
    .locator(fileInput)
    .setInputFiles({ name: "a.pdf", mimeType: "application/pdf", buffer });
  await expect.poll(() => megabytesSent(page)).toBeGreaterThan(0.5);
  const removed = page.waitForResponse((response) => response.request().method() === "DELETE");
  await page.getByRole("button", { name: "Cancel a.pdf" }).click();
  expect((await removed).status()).toBe(204);
  await expect(page.locator(fileInput)).toBeFocused();
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("tus"))),
  ).toEqual([]);
});

test("a reviewer pastes and chooses screenshots, each with its annotation", async ({
  browserOf,
  product,
}) => {
  const [work] = await product.db
    .select({ reviewId: reviewAssignments.reviewId })
    .from(reviewAssignments)
    .innerJoin(users, eq(users.id, reviewAssignments.reviewerId))
    .where(and(eq(users.email, "meera@example.in"), isNull(reviewAssignments.completedAt)));
  const page = await browserOf("meera@example.in", `/reviewer/submission/${work!.reviewId}`);
  await expect(page.locator(".upload-field_upload[data-live]").first()).toBeVisible();
  await page
    .locator(fileInput)
    .first()
    .setInputFiles([
      { name: "hero.png", mimeType: "image/png", buffer: png },
      { name: "footer.png", mimeType: "image/png", buffer: png },
    ]);
  await page.evaluate((base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], "image.png", { type: "image/png" }));
    document.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, png.toString("base64"));

  const notes = ["The hero is strong", "", "Pasted: mind the contrast"];
  for (const [turn, note] of notes.entries())
    await page.getByLabel("Annotation (optional)").nth(turn).fill(note);
  await page.getByRole("button", { name: "Upload 3 files" }).click();
  await expect(page.getByText("Image uploaded successfully").first()).toBeVisible();
  // Files are checked one after the other.
  await expect(page.locator(".upload-field_row")).toHaveCount(0);
  const images = await product.db
    .select()
    .from(reviewImages)
    .where(eq(reviewImages.reviewId, work!.reviewId))
    .orderBy(reviewImages.createdAt);
  expect(images.slice(-3).map((image) => image.annotation)).toEqual([
    "The hero is strong",
    null,
    "Pasted: mind the contrast",
  ]);
});

test("spreadsheet cells paste as text in a field and as an image elsewhere", async ({
  browserOf,
  product,
}) => {
  const { page } = await openOwnWork(product, browserOf);
  /** Pastes spreadsheet cells. @returns whether the browser inserts the text */
  const pasteCells = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "Hero\t4");
      clipboardData.items.add(new File(["cells"], "image.png", { type: "image/png" }));
      const options = { clipboardData, bubbles: true, cancelable: true };
      return element.dispatchEvent(new ClipboardEvent("paste", options));
    }, undefined);
  expect(await pasteCells("textarea[name=feedback]")).toBe(true);
  await expect(page.locator(".upload-field_row")).toHaveCount(0);
  expect(await pasteCells("h1")).toBe(false);
  await expect(page.locator(".upload-field_row")).toHaveCount(1);
});

// Covered by "a replacement upload blocks".
test("leaving with chosen but unsent files asks first @slow", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  await ownWork(product, customer, nila, "under_review");
  const page = await browserOf(nila.email, "/reviewer");
  await page.getByRole("link", { name: "Review This Order" }).click();
  const choose = (field: number, name: string) =>
    page.locator(fileInput).nth(field).setInputFiles({ name, mimeType: "image/png", buffer: png });
  const question = page.getByRole("dialog", { name: /^Leave before/ });
  const back = page.getByRole("link", { name: "Back to Dashboard" });

  await choose(0, "hero.png");
  await page.getByLabel("Annotation (optional)").fill("Mind the contrast");
  await back.click();
  await expect(question).toHaveAccessibleName("Leave before your file is uploaded?");
  await expect(question).toContainText("sent until you press Upload");
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(page.getByLabel("Annotation (optional)")).toHaveValue("Mind the contrast");

  const letGo = await holdBack(page, /\/uploads$/, "POST");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await choose(1, "notes.png");
  await page.goBack();
  await expect(question).toHaveAccessibleName("Leave before your files are uploaded?");
  await expect(question).toContainText("Uploads stop if you leave this page. Other chosen files");
  await question.getByRole("button", { name: "Stay" }).click();
  letGo();
  await expect(page.locator("figcaption", { hasText: "Mind the contrast" })).toBeVisible();

  await openSummary(page);
  await page.getByLabel("Feedback").fill("Lead with the outcome.");
  await page.getByRole("button", { name: "Submit Review" }).click();
  await expect(page.getByText("Some files are not uploaded yet").first()).toBeVisible();
  await page.getByRole("button", { name: "Cancel notes.png" }).click();
  await back.click();
  await expect(page).toHaveURL(/\/reviewer$/);
});

test("a refused file stays with its annotation and is sent again", async ({
  browserOf,
  product,
}) => {
  const { page, nila } = await openOwnWork(product, browserOf);
  await page
    .locator(fileInput)
    .first()
    .setInputFiles([
      { name: "hero.png", mimeType: "image/png", buffer: png },
      { name: "disguised.png", mimeType: "image/png", buffer: Buffer.from("MZ no picture") },
    ]);
  await page.getByLabel("Annotation (optional)").first().fill("Mind the contrast");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Upload 2 files" }).click();
  const error = page.locator(".field_error");
  await expect(error).toContainText("You're no longer signed in");
  await expect(page.getByText("No user session found").first()).toBeVisible();
  await expect(page.getByLabel("Annotation (optional)").first()).toHaveValue("Mind the contrast");

  await signInByCookie(page.context(), product, nila.email);
  await page.getByRole("button", { name: "Upload 2 files" }).click();
  await expect(page.locator("figcaption", { hasText: "Mind the contrast" })).toBeVisible();
  await expect(error).toContainText("Please upload a PNG");
  await page.getByRole("button", { name: "Cancel disguised.png" }).click();
  await expect(page.locator(".upload-field_row")).toHaveCount(0);
});

test("a file chosen while a review is being submitted stops the submission", async ({
  browserOf,
  product,
}) => {
  const { page } = await openOwnWork(product, browserOf);
  const letGo = await holdBack(page, /\/remarks$/, "POST");
  const draftRequest = page.waitForRequest(
    (request) => request.postData()?.includes("intent=save-draft") ?? false,
  );
  await openSummary(page);
  await page.getByLabel("Feedback").fill("Lead with the outcome.");
  await draftRequest;
  await page.getByRole("button", { name: "Submit Review" }).click();
  await page
    .locator(fileInput)
    .first()
    .setInputFiles({ name: "late.png", mimeType: "image/png", buffer: png });
  letGo();
  await expect(page.getByText("Some files are not uploaded yet").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Submit Review" })).toBeEnabled();
  await expect(page.getByText("late.png")).toBeVisible();
});

test("without scripts a file is uploaded by a plain form", async ({ browser, product }) => {
  const viewport = { width: 360, height: 780 };
  const page = await openPlainPage(browser, product, "kabir@example.in", { viewport });
  await page.goto(resumeStep);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page
    .locator(fileInput)
    .setInputFiles({ name: "मेरा काम.pdf", mimeType: "application/pdf", buffer: pdf });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page).toHaveURL(new RegExp("/services/resume-review\\?step=resume$"));
  await expect(page.getByText("File uploaded successfully")).toBeVisible();
  await expect(page.getByRole("link", { name: "मेरा काम.pdf" })).toBeVisible();
  await page.context().close();
});
