import { readFile, writeFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { and, eq, isNull } from "drizzle-orm";
import { users } from "../../../app/accounts/tables.server.ts";
import { reviewAssignments, reviewImages } from "../../../app/reviews/tables.server.ts";
import { signInByCookie, expect, test } from "../support/test.ts";

const megabyte = 1_048_576;
const pdf = await readFile("tests/fixtures/files/resume.pdf");
const png = await readFile("tests/fixtures/files/poster.png");
const resumeStep = "/services/resume-review?step=resume";
const fileInput = ".upload input[type=file]";

/** Sets how fast the page's network is: zero bytes a second is no network. */
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

/** How many bytes the row says are sent. */
async function megabytesSent(page: Page): Promise<number> {
  const words = await page.locator(".upload-row").innerText();
  return Number(/([\d.]+)\s(?:MB )?of/.exec(words.replaceAll("\u00a0", " "))?.[1] ?? 0);
}

test("an upload survives a lost connection and a reload", async ({ browserOf }) => {
  const page = await browserOf("ishita.gowda2@example.com");
  // A file from the disk keeps its date, by which the browser knows it again.
  const file = test.info().outputPath("Ravi Nair.pdf");
  await writeFile(file, Buffer.concat([pdf, Buffer.alloc(9 * megabyte, " ")]));

  await page.goto(resumeStep);
  await expect(page.locator(".upload[data-live]")).toBeVisible();
  const setSpeed = await networkOf(page);
  await setSpeed(2 * megabyte);
  await page.locator(fileInput).setInputFiles(file);
  await expect.poll(() => megabytesSent(page)).toBeGreaterThan(2);
  await setSpeed(0);
  await expect(page.locator(".upload-row")).toContainText("connection…");
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

test("a file that is refused says why, and nothing typed is lost", async ({ browserOf }) => {
  const page = await browserOf("sonia@example.com");
  await page.goto("/services/portfolio-review?step=portfolio");
  await page.getByLabel("Portfolio URL").fill("https://sonia.example/work");
  const input = page.locator(fileInput);
  await input.setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("x"),
  });
  const refusal = "Invalid file type. Please upload a PDF or image file";
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

test("an upload can be cancelled", async ({ browserOf }) => {
  const page = await browserOf("asha@example.com");
  await page.goto(resumeStep);
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
  const page = await browserOf("meera@example.in");
  await page.goto(`/reviewer/submission/${work!.reviewId}`);
  await expect(page.locator(".upload[data-live]").first()).toBeVisible();
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
  // Each is checked by itself, one after the other.
  await expect(page.locator(".upload-row")).toHaveCount(0);
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

test("without scripts a file goes by a plain form", async ({ browser, product }) => {
  const context = await browser.newContext({
    baseURL: product.origin,
    javaScriptEnabled: false,
    viewport: { width: 360, height: 780 },
  });
  await signInByCookie(context, product, "kabir@example.in");
  const page = await context.newPage();
  await page.goto(resumeStep);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page
    .locator(fileInput)
    .setInputFiles({ name: "मेरा काम.pdf", mimeType: "application/pdf", buffer: pdf });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page).toHaveURL(new RegExp("/services/resume-review\\?step=resume$"));
  await expect(page.getByText("File uploaded successfully")).toBeVisible();
  await expect(page.getByRole("link", { name: "मेरा काम.pdf" })).toBeVisible();
  await context.close();
});
