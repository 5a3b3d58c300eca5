import type { Browser, Page } from "@playwright/test";
import { eq, sql } from "drizzle-orm";
import { users } from "../../../app/accounts/tables.server.ts";
import { reviewAssignments } from "../../../app/reviews/tables.server.ts";
import type { RunningProduct } from "../support/product.ts";
import { fixture, holdBack, uploadResume } from "../support/steps.ts";
import { expect, signInByCookie, test, whenLive } from "../support/test.ts";

/** Messages while a part of the database is missing. Nothing typed is lost. */

test("a payment that cannot start shows an error next to its button and can be retried", async ({
  browser,
  product,
}) => {
  const page = await openBrowser(browser, product, "ravi@example.com");
  await uploadResume(page, "resume.pdf");
  await page.getByLabel("Phone (optional)").fill("9876543210");
  await without(product, "order_events", async () => {
    await page.getByRole("button", { name: "Pay ₹199" }).click();
    await expect(page.getByText("Payment Error")).toBeVisible();
    await expect(page.getByText("Payment Failed")).toBeVisible();
    await expect(page.getByText("Payment initialization failed").first()).toBeVisible();
    await expect(page.getByLabel("Phone (optional)")).toHaveValue("9876543210");
  });
  await page.getByRole("button", { name: "Pay ₹199" }).click();
  await expect(page).toHaveURL(new RegExp(`^${product.standIn.replace(/:\d+$/, "")}`));
  await page.context().close();
});

test("a portfolio link that cannot be saved stays in its field", async ({ browser, product }) => {
  const page = await openBrowser(browser, product, "sonia@example.com");
  await page.goto("/services/portfolio-review?step=portfolio");
  await page.getByLabel("Portfolio URL").fill("https://sonia.example/work");
  await without(product, "review_drafts", async () => {
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("Submission failed").first()).toBeVisible();
    await expect(page.getByLabel("Portfolio URL")).toHaveValue("https://sonia.example/work");
  });
  await page.context().close();
});

test("a reset link that cannot be checked shows its own message", async ({ browser, product }) => {
  const page = await (await browser.newContext({ baseURL: product.origin })).newPage();
  await without(product, "one_time_links", async () => {
    await page.goto("/reset-password?token_hash=some&type=recovery");
    await expect(
      page.getByText("An unexpected error occurred. Please try again or request a new reset link."),
    ).toBeVisible();
  });
  await page.context().close();
});

test("signing out works while the database is unavailable", async ({ browser, product }) => {
  const page = await openBrowser(browser, product, "ravi@example.com");
  await withSessionsKept(product, async () => {
    await page.goto("/jobs");
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByText("There was a problem signing out.")).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByRole("banner").getByRole("link", { name: "Log in" })).toBeVisible();

    // The next request repeats a sign-out that failed.
    await signInByCookie(page.context(), product, "ravi@example.com");
    await page.context().addCookies([{ name: "leaving", value: "1", url: product.origin }]);
    await page.goto("/profile");
    await expect(page).toHaveURL(/\/login\?next=%2Fprofile$/);
  });
  await page.context().close();
});

test("signing out updates the page before the server answers", async ({ browserOf }) => {
  const page = await browserOf("ravi@example.com", "/profile");
  const letGo = await holdBack(page, /\/logout$/, "POST");
  await page.getByRole("button", { name: "Sign out" }).click();
  const header = page.getByRole("banner");
  await expect(header.getByRole("link", { name: "Log in" })).toBeVisible();
  await expect(header.getByRole("link", { name: "Ravi" })).toBeHidden();
  await expect(page.getByText("ravi@example.com")).toBeHidden();
  await expect(page.getByText("Authentication Required")).toBeHidden();
  letGo();
  await expect(page.getByText("Successfully signed out!")).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
});

// Covered by "a portfolio link that cannot be saved".
test("an upload that the server cannot store fails within seconds @slow", async ({
  browser,
  product,
}) => {
  const page = await openBrowser(browser, product, "asha@example.com");
  await page.goto("/services/resume-review");
  await without(product, "stored_files", async () => {
    await page.locator('input[type="file"]').first().setInputFiles(fixture("one-page.pdf"));
    await expect(page.getByText("Upload failed").first()).toBeVisible();
  });
  await page.context().close();
});

test("the error tells a reviewer whether the assignment or the review could not be loaded", async ({
  browser,
  product,
}) => {
  const page = await openBrowser(browser, product, "meera@example.in");
  const [work] = await product.db
    .select({ reviewId: reviewAssignments.reviewId })
    .from(reviewAssignments)
    .innerJoin(users, eq(users.id, reviewAssignments.reviewerId))
    .where(eq(users.email, "meera@example.in"));
  for (const [table, part] of [
    ["review_assignments", "assignment"],
    ["review_images", "review"],
  ] as const) {
    await without(product, table, async () => {
      await page.goto(`/reviewer/submission/${work!.reviewId}`);
      await expect(page.getByText(`Failed to load ${part}: Please try again later.`)).toBeVisible();
    });
  }
  await page.context().close();
});

test("the error screen shows the reference of the failed request, not of the page", async ({
  browser,
  product,
}) => {
  const page = await openBrowser(browser, product, "asha@example.com");
  await page.goto("/services");
  await without(product, "review_drafts", async () => {
    await page.getByRole("link", { name: "Start Resume Review" }).click();
    await expect(
      page.getByRole("heading", { name: "Unexpected Application Error!" }),
    ).toBeVisible();
    const reference = await page.getByText("Reference:").locator("code").innerText();
    const failure = product
      .output()
      .split("\n")
      .findLast((line) => line.includes("review_drafts"));
    expect(failure).toContain(`"request":"${reference}"`);
  });
  await page.context().close();
});

// Covered by "a payment that cannot start".
test("a payment that cannot be loaded shows its transaction ID @slow", async ({
  browser,
  product,
}) => {
  const page = await openBrowser(browser, product, "asha@example.com");
  await without(product, "orders", async () => {
    await page.goto("/payment-success?txnId=TXN_of_asha");
    await expect(page.getByText("and quote the transaction ID")).toBeVisible();
    await expect(page.getByText("TXN_of_asha", { exact: true })).toBeVisible();
  });
  await page.context().close();
});

test("a list that fails twice shows two messages", async ({ browser, product }) => {
  const page = await openBrowser(browser, product, "gita@example.in");
  const toast = page.locator(".toasts_toast", { hasText: "Failed to load the audit log" });
  await without(product, "audit_events", async () => {
    await page.goto("/admin/history");
    await expect(toast).toBeVisible();
    await toast.getByRole("button", { name: "Dismiss" }).click();
    await expect(toast).toHaveCount(0);
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(toast).toBeVisible();
  });
  await page.context().close();
});

/** Opens a page whose console may show errors. */
async function openBrowser(
  browser: Browser,
  product: RunningProduct,
  email: string,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: product.origin });
  await signInByCookie(context, product, email);
  return whenLive(await context.newPage());
}

async function withSessionsKept({ db }: RunningProduct, look: () => Promise<void>): Promise<void> {
  await db.execute(sql`create function keep_row() returns trigger language plpgsql
    as $$ begin raise exception 'kept'; end $$`);
  await db.execute(sql`create trigger keep_session before delete on sessions
    execute function keep_row()`);
  try {
    await look();
  } finally {
    await db.execute(sql`drop function keep_row cascade`);
  }
}

async function without(
  { db }: RunningProduct,
  table: string,
  look: () => Promise<void>,
): Promise<void> {
  const [name, away] = [sql.identifier(table), sql.identifier(`${table}_away`)];
  await db.execute(sql`alter table ${name} rename to ${away}`);
  try {
    await look();
  } finally {
    await db.execute(sql`alter table ${away} rename to ${name}`);
  }
}
