import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { createJob } from "../../../app/jobs/manage/job-commands.server.ts";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { mailsTo } from "../../support/rows/mailbox.ts";
import { person } from "../../support/rows/people.ts";
import { jobReport } from "../../support/rows/reports.ts";
import { jobFields } from "../../support/rows/jobs.ts";
import type { RunningProduct } from "../support/product.ts";
import { expect, signInByCookie, test } from "../support/test.ts";
import { openMailedLink, openPlainPage } from "../support/visitors.ts";

/** Publishes a listing. @returns the path of its page */
async function publish({ db }: RunningProduct, title: string): Promise<string> {
  const adder = await person(db, "Devi Rao", { roles: ["job_board_adder"] });
  return `/jobs/${await createJob(db, adder, { ...jobFields, title })}`;
}

/** Reports the listing on the open page as a visitor. */
async function sendReport(page: Page, email: string): Promise<void> {
  await page.getByRole("link", { name: "Report this listing" }).click();
  await expect(page.getByRole("heading", { name: "Report this listing" })).toBeVisible();
  const opened = Date.now();
  await page.getByLabel("What is wrong?").selectOption("It asks for money");
  await page.getByLabel("Details").fill("They want a deposit for a laptop.");
  await page.getByLabel("Your email").fill("nowhere");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("Please enter a valid email address.")).toBeVisible();
  await expect(page.getByLabel("Details")).toHaveValue("They want a deposit for a laptop.");
  await page.getByLabel("Your email").fill(email);
  // A form that is sent within a second counts as spam.
  await expect.poll(() => Date.now() - opened).toBeGreaterThan(1000);
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
}

/** Confirms the report from the newest mail to an address. */
async function confirm(page: Page, product: RunningProduct, email: string): Promise<void> {
  await openMailedLink(page, product, email, "/jobs/report/");
  await expect(page.getByText("They want a deposit for a laptop.")).toBeVisible();
  await page.getByRole("button", { name: "Confirm report" }).click();
  await expect(page.getByRole("heading", { name: "Thank you for your report" })).toBeVisible();
}

/** Archives a reported listing as an admin. */
async function archive(page: Page, title: string): Promise<void> {
  await page.goto("/admin/jobs");
  await page.getByRole("link", { name: "Reports", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: title });
  await expect(row.getByText("They want a deposit for a laptop.")).toBeVisible();
  await row.getByRole("button", { name: "Archive listing" }).click();
  await expect(row.getByText("Enter the reason for your decision")).toBeVisible();
  await row.getByLabel("Reason").fill("The company confirmed that it is fake.");
  await row.getByRole("button", { name: "Archive listing" }).click();
  await expect(page.getByRole("row").filter({ hasText: title })).toBeHidden();
}

const countShown = (page: Page) => page.getByText("Asked for money", { exact: true }).count();

test("a visitor reports and confirms, an admin archives, and the removal is public", async ({
  page,
  product,
  browserOf,
}) => {
  await page.goto("/jobs/removed");
  const before = await countShown(page);
  await page.goto(await publish(product, "Laptop Tester"));
  await page.getByText("Never pay for a job").click();
  await expect(page.getByRole("link", { name: "cybercrime.gov.in" })).toBeVisible();
  const email = "deposit@example.com";
  await sendReport(page, email);
  await confirm(page, product, email);
  const admin = await person(product.db, "Hema Rao", { roles: ["god_admin"] });
  await archive(await browserOf(admin.email, "/admin"), "Laptop Tester");
  await page.goto("/jobs/removed");
  await expect(page.getByText("Asked for money", { exact: true })).toHaveCount(before + 1);
  await expect(page.getByText("Laptop Tester")).toHaveCount(0);
});

test("without scripts, a report is sent, confirmed and decided", async ({ browser, product }) => {
  const page = await openPlainPage(browser, product);
  await page.goto("/jobs/removed");
  const before = await countShown(page);
  await page.goto(await publish(product, "Plain Tester"));
  const email = "plain.report@example.com";
  await sendReport(page, email);
  await confirm(page, product, email);
  const staff = await openPlainPage(browser, product);
  const admin = await person(product.db, "Hema Rao", { roles: ["god_admin"] });
  await signInByCookie(staff.context(), product, admin.email);
  await archive(staff, "Plain Tester");
  await page.goto("/jobs/removed");
  await expect(page.getByText("Asked for money", { exact: true })).toHaveCount(before + 1);
});

test("a reported listing says so on the board and its page, until reports are dismissed", async ({
  page,
  product,
  browserOf,
}) => {
  const path = await publish(product, "Kite Designer");
  const jobId = path.slice("/jobs/".length);
  const customer = await person(product.db, "Asha Verma");
  await jobReport(product.db, jobId, { reporterId: customer.id });
  await product.db.update(jobs).set({ reportedAt: new Date() }).where(eq(jobs.id, jobId));
  const notice = page.getByText("Reported. We are checking this listing.");
  await page.goto("/jobs?search=Kite+Designer");
  await expect(notice).toBeVisible();
  await page.goto(path);
  await expect(notice).toBeVisible();

  const admin = await person(product.db, "Hema Rao", { roles: ["god_admin"] });
  const staff = await browserOf(admin.email, "/admin/jobs/reports");
  const row = staff.getByRole("row").filter({ hasText: "Kite Designer" });
  await row.getByLabel("Reason").fill("The company says that it is real.");
  // Another report arrives while the admin writes.
  const late = await person(product.db, "Ravi Nair");
  await jobReport(product.db, jobId, { reporterId: late.id, text: "It is a copy." });
  await row.getByRole("button", { name: "Dismiss reports" }).click();
  await expect(staff.getByText("A report is new or has changed.").first()).toBeVisible();
  await expect(row.getByText("It is a copy.")).toBeVisible();
  await expect(row.getByLabel("Reason")).toHaveValue("The company says that it is real.");
  await row.getByRole("button", { name: "Dismiss reports" }).click();
  await expect(row).toBeHidden();
  await page.reload();
  await expect(notice).toBeHidden();
});

test("a signed-in person reports without an email address", async ({ browserOf, product }) => {
  const path = await publish(product, "Door Painter");
  const customer = await person(product.db, "Asha Verma");
  const page = await browserOf(customer.email, `${path}/report`);
  await expect(page.getByLabel("Your email")).toBeHidden();
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("Choose a reason").last()).toBeVisible();
  await page.getByLabel("What is wrong?").selectOption("Something else");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("Tell us what is wrong with this listing")).toBeVisible();
  await page.getByLabel("Details").fill("The door is closed.");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByRole("heading", { name: "Thank you for your report" })).toBeVisible();
  expect(await mailsTo(product.db, customer.email)).toEqual([]);
});

test("an incomplete link says so and leads on", async ({ page }) => {
  const response = await page.goto("/jobs/report/none");
  expect(response!.status()).toBe(404);
  await expect(page.getByText("This link isn't complete")).toBeVisible();
  await page.getByRole("link", { name: "Back to Jobs" }).click();
  await expect(page.getByRole("heading", { name: "Design Jobs Board" })).toBeVisible();
});
