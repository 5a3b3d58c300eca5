import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { users } from "../../../app/accounts/tables.server.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import type { RunningProduct } from "../support/product.ts";
import { chooseFile, endPayment, fixture, goToPayment, holdBack } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

const url = "https://portfolio.example.com/work";
const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("x") };

test("a visitor sees three plans and signs in to start one", async ({ page }) => {
  await page.goto("/services");
  for (const name of ["Resume Review", "Portfolio Review", "Combined Review"])
    await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
  await expect(page.getByText("BEST VALUE", { exact: true })).toBeVisible();
  await expect(page.getByText("₹199", { exact: true })).toHaveCount(2);
  await expect(page.getByText("₹299", { exact: true })).toBeVisible();
  const begin = page.getByText("Sign In to Continue", { exact: true });
  await expect(begin).toHaveCount(3);
  await begin.last().click();
  await expect(page).toHaveURL(/\/login\?next=%2Fservices%2Fcombined-review$/);
});

test("a portfolio without a file or link is refused, then sent as a link and paid for", async ({
  browserOf,
  product,
}) => {
  const page = await browserOf("arjun.bose3@example.com", "/services");
  await page.getByRole("link", { name: "Start Portfolio Review" }).click();
  const address = page.getByLabel("Portfolio URL");
  const goOn = page.getByRole("button", { name: "Continue to payment" });

  await goOn.click();
  const missing = "Please provide either a file or a URL";
  await saysOf(page, address, ["Missing information", missing], "Add a file or a link to continue");
  await address.fill("portfolio.example.com");
  await goOn.click();
  const invalid = "Please enter a valid URL starting with http:// or https://";
  await saysOf(page, address, ["Invalid URL", invalid], "This is not the address of a web page");
  await expect(address).toHaveValue("portfolio.example.com");
  await chooseFile(page, notes);
  await expect(page.getByText("Invalid file type")).toBeVisible();
  await expect(page.getByText("Please upload a PDF or image file")).toBeVisible();

  await address.fill(url);
  await goOn.click();
  await expect(page.getByText("Portfolio Review", { exact: true }).last()).toBeVisible();
  await pay(page, "₹199");
  await expect(page.getByRole("link", { name: "Portfolio URL" }).first()).toHaveAttribute(
    "href",
    url,
  );
  expect(await newestOf(product, "arjun.bose3@example.com")).toMatchObject({
    serviceType: "portfolio_review",
    portfolioUrl: url,
    portfolioFilePath: null,
    resumeFilePath: null,
    priority: 0,
  });
});

// Covered by "a combined review takes three steps".
test("a portfolio is sent as a file with a link @slow", async ({ browserOf, product }) => {
  const page = await browserOf("kavya.chawla4@example.com", "/services/portfolio-review");
  const letGo = await holdBack(page, /portfolio-review\.data/);
  await chooseFile(page, fixture("poster.png"));
  await page.getByLabel("Portfolio URL").focus();
  await page.keyboard.type(url.slice(0, 12));
  letGo();
  await expect(page.getByRole("link", { name: "poster.png" })).toBeVisible();
  // Focus stays in the text field while the file is added.
  await page.keyboard.type(url.slice(12));
  await expect(page.getByLabel("Portfolio URL")).toHaveValue(url);
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await pay(page, "₹199");
  await expect(page.getByRole("link", { name: "Portfolio file" }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Portfolio URL" }).first()).toBeVisible();
  expect(await newestOf(product, "kavya.chawla4@example.com")).toMatchObject({
    portfolioUrl: url,
    portfolioFilePath: expect.stringMatching(/\.png$/),
  });
});

test("a combined review takes three steps and ₹299, and no step can be skipped", async ({
  browserOf,
  product,
}) => {
  const page = await browserOf("rohan.mishra5@example.com");
  await page.goto("/services/combined-review?step=payment");
  const open = page.locator('[aria-current="step"]');
  await expect(open.getByRole("heading")).toHaveText("Step 1 of 3: Resume");
  await page.goto("/services/combined-review");
  await chooseFile(page, notes);
  await expect(page.getByText("Invalid file type")).toBeVisible();
  await expect(page.getByText("Please upload a PDF or Word document")).toBeVisible();
  await chooseFile(page, fixture("resume.pdf"));
  await page.getByRole("link", { name: "Continue to portfolio" }).click();

  await expect(open.getByRole("heading")).toHaveText("Step 2 of 3: Portfolio");
  await page.getByLabel("Portfolio URL").fill(url);
  await page.getByRole("button", { name: "Continue to payment" }).click();

  await expect(open.getByRole("heading")).toHaveText("Step 3 of 3: Payment");
  await pay(page, "₹299");
  await expect(page.getByText("Combined Review (Resume & Portfolio)").first()).toBeVisible();
  await expect(page.getByRole("link", { name: /^Resume/ }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Portfolio URL" }).first()).toBeVisible();
  expect(await newestOf(product, "rohan.mishra5@example.com")).toMatchObject({
    serviceType: "combined_review",
    status: "pending",
    priority: 3,
    portfolioUrl: url,
  });
});

/** Expects the error at the focused field and in a toast. */
async function saysOf(
  page: Page,
  field: ReturnType<Page["getByLabel"]>,
  notice: string[],
  words: string,
): Promise<void> {
  for (const text of notice) await expect(page.getByText(text)).toBeVisible();
  await expect(field).toHaveAccessibleDescription(new RegExp(words));
  await expect(field).toBeFocused();
}

/** Pays, from the payment step to the profile. */
async function pay(page: Page, price: "₹199" | "₹299"): Promise<void> {
  await goToPayment(page, price);
  await endPayment(page, `Pay ${price}.00`);
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  await page.getByRole("link", { name: "Go to your profile now" }).click();
  await expect(page.getByRole("heading", { name: "Your Profile" })).toBeVisible();
  await expect(page.getByText("Pending", { exact: true }).first()).toBeVisible();
}

async function newestOf({ db }: RunningProduct, email: string) {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  const own = await db.select().from(serviceReviews).where(eq(serviceReviews.userId, user!.id));
  return own.toSorted((one, other) => Number(other.createdAt) - Number(one.createdAt))[0];
}
