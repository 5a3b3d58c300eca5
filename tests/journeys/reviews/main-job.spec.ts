import { eq } from "drizzle-orm";
import { users } from "../../../app/accounts/tables.server.ts";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import { linkMailedTo, mailsTo } from "../../support/rows/mailbox.ts";
import { openSummary } from "../support/staff.ts";
import { endPayment, fixture, goToPayment, signIn, uploadResume } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

test("a visitor signs up, finds a job, buys a review and reads it", async ({
  page,
  product,
  browserOf,
}) => {
  const { db } = product;
  const email = "lata.rao@example.com";
  const password = "A-good-password1";
  const [job] = await db
    .select()
    .from(jobs)
    .where(eq(jobs.isArchived, false))
    .orderBy(jobs.postedAt)
    .limit(1);

  // A visitor finds a job, but cannot see its contact.
  await page.goto("/");
  await page
    .getByRole("navigation", { name: "Main" })
    .first()
    .getByRole("link", { name: "Jobs" })
    .click();
  await expect(page.getByRole("heading", { name: "Design Jobs Board" })).toBeVisible();
  await page.getByPlaceholder("Search jobs...").fill(`${job!.title} `.trim());
  await page.getByPlaceholder("Search jobs...").press("Enter");
  await page.goto(`/jobs/${job!.id}`);
  await expect(
    page.getByText("Sign in or create an account to view contact details"),
  ).toBeVisible();
  expect(await page.content()).not.toContain(job!.pocName);
  expect(await page.content()).not.toContain(job!.pocContact);

  // They sign up from there, confirm by email and come back to the job.
  await page.getByRole("link", { name: "Create account" }).click();
  await page.getByLabel("Full name").fill("Lata Rao");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Sign up" }).click();
  await expect(page.getByRole("heading", { name: "Account Created" })).toBeVisible();
  await page.goto((await linkMailedTo(db, email)).href);
  await expect(page).toHaveURL(new RegExp(`/jobs/${job!.id}$`));

  // Signing in again also shows the contact.
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, email, password);
  await expect(page.getByRole("link", { name: "Lata" })).toBeVisible();
  await page.goto(`/jobs/${job!.id}`);
  await expect(page.getByText(job!.pocName!)).toBeVisible();

  // They buy a resume review with a PDF of several pages.
  await uploadResume(page, "resume.pdf");
  await page.reload();
  await expect(page.getByText("resume.pdf").first()).toBeVisible();
  await goToPayment(page);
  await endPayment(page, "Pay ₹199.00");
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.getByText("Pending", { exact: true })).toBeVisible();

  const [buyer] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  const bought = await db.select().from(serviceReviews).where(eq(serviceReviews.userId, buyer!.id));
  expect(bought).toHaveLength(1);
  const review = bought[0]!;
  await page.goto(`/service-review/${review.id}`);
  await expect(
    page.getByText("This review is still pending. Check back later for the completed review."),
  ).toBeVisible();

  // A god admin assigns it.
  const admin = await browserOf("gita@example.in", "/admin/reviews");
  await admin.getByRole("checkbox", { name: `Select review ${review.id}` }).check();
  await admin
    .getByLabel("Reviewer", { exact: true })
    .selectOption({ label: await optionFor(admin, "Meera Iyer") });
  await admin.getByRole("button", { name: "Assign Selected (1)" }).click();
  await expect(admin.getByText("Successfully assigned 1 review to reviewer")).toBeVisible();
  await expect.poll(async () => (await mailsTo(db, "meera@example.in")).length).toBeGreaterThan(0);

  // The reviewer reads the file, writes feedback, adds a screenshot and a file, and submits.
  const reviewer = await browserOf("meera@example.in", `/reviewer/submission/${review.id}`);
  const resume = await reviewer.request.get(`/storage/resumes/${review.resumeFilePath}`);
  expect(resume.headers()["content-type"]).toBe("application/pdf");
  await openSummary(reviewer);
  await reviewer.getByLabel("Feedback").fill("Lead with the outcome.\n\nThen say how.");
  await expect(reviewer.getByText("Saved", { exact: true })).toBeVisible();
  await upload(reviewer, "Annotation", "poster.png", "Start here");
  await expect(reviewer.getByText("Image uploaded successfully")).toBeVisible();
  await upload(reviewer, "Description", "resume.docx", "With my edits");
  await expect(reviewer.getByText("File uploaded successfully")).toBeVisible();
  await reviewer.getByRole("button", { name: "Submit Review" }).click();
  await expect(reviewer.getByText("Review submitted successfully").first()).toBeVisible();
  await expect(reviewer).toHaveURL(/\/reviewer(\?.*)?$/);

  // The owner gets an email, opens the review and reads everything.
  await expect.poll(async () => (await mailsTo(db, email))[0]?.subject).toMatch(/review/i);
  await page.goto("/profile");
  await page.getByRole("link", { name: "View Details" }).click();
  await expect(page.getByText("Lead with the outcome.")).toBeVisible();
  await expect(page.getByText("Start here")).toBeVisible();
  await expect(page.getByText("With my edits")).toBeVisible();
  const screenshot = page.getByRole("img", { name: "Screenshot 1" });
  await expect(screenshot).toBeVisible();
  await screenshot.scrollIntoViewIfNeeded();
  await expect
    .poll(() => screenshot.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
});

for (const file of ["resume.doc", "resume.docx"]) {
  // Covered by "a visitor signs up, finds a job".
  test(`a ${file.split(".")[1]} made by an office program is accepted as a resume @slow`, async ({
    browserOf,
    product,
  }) => {
    const page = await browserOf("ravi@example.com");
    await uploadResume(page, file);
    await goToPayment(page);
    await endPayment(page, "Pay ₹199.00");
    await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
    const [newest] = await product.db
      .select()
      .from(serviceReviews)
      .orderBy(serviceReviews.createdAt);
    expect(newest).toBeDefined();
  });
}

async function optionFor(page: import("@playwright/test").Page, name: string): Promise<string> {
  const text = await page
    .getByRole("option", { name: new RegExp(`^${name} \\(\\d+\\)`) })
    .textContent();
  return text ?? "";
}

async function upload(
  page: import("@playwright/test").Page,
  note: string,
  file: string,
  words: string,
): Promise<void> {
  const field = page
    .locator("form", { has: page.locator('input[type="file"]') })
    .filter({ hasText: /./ });
  const form = note === "Annotation" ? field.first() : field.last();
  await form.locator('input[type="file"]').setInputFiles(fixture(file));
  await form.getByLabel(new RegExp(note)).fill(words);
  await form.getByRole("button", { name: "Upload" }).click();
}
