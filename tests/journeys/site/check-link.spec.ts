import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { askedListing } from "../../support/rows/contact-questions.ts";
import { person } from "../../support/rows/people.ts";
import type { RunningProduct } from "../support/product.ts";
import { expect, test } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";

/** Publishes a listing whose contact was asked. @returns its id and the path of the link in the email */
async function ask({ db }: RunningProduct, title: string, email: string) {
  const { jobId, token } = await askedListing(db, { title, pocContact: email });
  return { id: jobId, path: `/check/${token}` };
}

const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

/** Opens the link again and has the contact removed. */
async function remove(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await press(page, "Remove my name");
  await expect(page.getByRole("heading", { name: "Your name is removed" })).toBeVisible();
  await expect(page.getByText("Leela Menon")).toHaveCount(0);
}

test("a contact says that the job is open, and later has their name removed", async ({
  page,
  product,
  browserOf,
}) => {
  const asked = await ask(product, "Sign Painter", "leela.journey@acme.example");
  await page.goto(asked.path);
  await expect(page.getByText("“Sign Painter” at Acme").first()).toBeVisible();
  await expect(page.getByText("Leela Menon")).toBeVisible();
  await expect(page.getByText("People who are logged in")).toBeVisible();
  await expect(page.getByRole("link", { name: "privacy notice" })).toHaveAttribute(
    "href",
    "/privacy/notice",
  );
  await press(page, "Still open");
  await expect(page.getByText("you told us that this job is still open")).toBeVisible();
  await page.getByRole("link", { name: "See the listing" }).click();
  await expect(page.getByRole("heading", { name: "Sign Painter" })).toBeVisible();

  await remove(page, asked.path);
  const reader = await person(product.db, "Asha Verma");
  const listing = await browserOf(reader.email, `/jobs/${asked.id}`);
  await expect(listing.getByRole("heading", { name: "Sign Painter" })).toBeVisible();
  await expect(listing.getByText("Leela Menon")).toHaveCount(0);
});

test("without scripts, a contact answers for one job and is removed from all", async ({
  browser,
  product,
}) => {
  const email = "leela.plain@acme.example";
  const first = await ask(product, "Kite Designer", email);
  const second = await ask(product, "Lamp Designer", email);
  const page = await openPlainPage(browser, product);
  await page.goto(first.path);
  await expect(page.getByText("all listings with your address")).toBeVisible();
  await press(page, "Filled");
  await expect(page.getByText("you told us that this job is filled")).toBeVisible();
  await remove(page, second.path);
  const left = await product.db.select().from(jobs).where(eq(jobs.company, "Acme"));
  const own = left.filter(({ id }) => id === first.id || id === second.id);
  expect(own.map(({ pocName, pocContact }) => ({ pocName, pocContact }))).toEqual([
    { pocName: null, pocContact: null },
    { pocName: null, pocContact: null },
  ]);
  await page.goto(first.path);
  await expect(page.getByText("we removed your name and address")).toBeVisible();
});

test("of the answers in two tabs, the last one counts", async ({ page, product }) => {
  const asked = await ask(product, "Rope Designer", "leela.tabs@acme.example");
  await page.goto(asked.path);
  const other = await page.context().newPage();
  await other.goto(asked.path);
  await press(other, "Closed");
  await expect(other.getByText("you told us that this job is closed")).toBeVisible();
  await press(page, "Still open");
  await expect(page.getByText("you told us that this job is still open")).toBeVisible();
  await press(page, "Filled");
  await expect(page.getByText("you told us that this job is filled")).toBeVisible();
  await expect(page.getByRole("button", { name: "Filled" })).toHaveCount(0);
});

test("opening a link changes nothing, and neither a cache nor a search engine may store the page", async ({
  page,
}) => {
  await page.goto("/demo/mailbox");
  await page
    .getByRole("link", { name: "Is “Art Director” at Bazaar Standard still open?" })
    .click();
  const mail = page.frameLocator("iframe");
  const link = (await mail.getByRole("link", { name: "Answer" }).getAttribute("href"))!;
  const response = await page.goto(new URL(link).pathname);
  expect(response!.headers()).toMatchObject({
    "cache-control": "private, no-store",
    "referrer-policy": "same-origin",
    "x-robots-tag": "noindex, nofollow",
  });
  await page.reload();
  await expect(page.getByRole("button", { name: "Still open" })).toBeVisible();
  const missing = await page.goto("/check/none");
  expect(missing!.status()).toBe(404);
  await expect(page.getByText("This link isn't complete, or it's too old.")).toBeVisible();
  await page.getByRole("link", { name: "Back to Jobs" }).click();
  await expect(page).toHaveURL(/\/jobs$/);
});
