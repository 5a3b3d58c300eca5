import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { companies } from "../../../app/companies/tables.server.ts";
import { jobDays, jobs } from "../../../app/jobs/tables.server.ts";
import { day, now, toIsoDay } from "../../../app/platform/clock.ts";
import { company, listingFields, member, submission } from "../../support/rows/companies.ts";
import { insertJob } from "../../support/rows/jobs.ts";
import { person } from "../../support/rows/people.ts";
import { openMailedLink, openPage, openPlainPage } from "../support/visitors.ts";
import { expect, test } from "../support/test.ts";

const phone = { viewport: { width: 360, height: 740 } };

/** Adds a company and confirms its work email. */
async function addCompany(page: Page, name: string, domain: string) {
  await page.getByLabel("Company name *").fill(name);
  await page.getByLabel("Website *").fill(domain);
  await page.getByLabel("Your work email *").fill(`asha@${domain}`);
  await page.getByLabel("About the company").fill("We draw letters for signs.");
  await page.getByRole("button", { name: "Email me a link" }).click();
  await expect(page.getByRole("heading", { name: "Check your work email" })).toBeVisible();
}

async function fillListing(page: Page, title: string) {
  await page.getByLabel("Job title *").fill(title);
  await page.getByLabel("Location *").fill("Pune");
  await page.getByLabel("Brief summary *").fill("Draws letters for shop signs.");
  await page.getByLabel("Detailed description *").fill("You draw letters, and test them on walls.");
  await page.getByLabel("POC name *").fill("Lalita Rao");
  await page.getByLabel("POC contact *").fill("lalita@example.com");
}

for (const { width, options } of [
  { width: 1280, options: {} },
  { width: 360, options: phone },
])
  test(`an employer goes from nothing to a live listing at ${width} px`, async ({
    browser,
    browserOf,
    product,
  }) => {
    const [name, domain] = [`Letter Works ${width}`, `letters-${width}.example`];
    const employer = await person(product.db, "Asha Rao");
    const page = await openPage(browser, product, employer.email, options);
    await page.goto("/post");
    await expect(page.getByText("Free", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Write a listing" }).click();
    await page.getByRole("link", { name: "Add your company" }).click();
    await addCompany(page, name, domain);

    await openMailedLink(page, product, `asha@${domain}`, "/post/confirm/");
    await page.getByRole("button", { name: "Confirm work email" }).click();
    await page.getByRole("link", { name: "Write a listing" }).click();

    await page.getByRole("button", { name: "New listing" }).click();
    await expect(page.getByRole("heading", { name: "Edit your listing" })).toBeVisible();
    await expect(page.getByLabel("Company *")).toHaveValue(name);
    await page.getByRole("button", { name: "Preview and send" }).click();
    await expect(page.getByText("Job title must be at least 3 characters")).toBeVisible();
    await fillListing(page, `Sign Letterer ${width}`);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Listing saved")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Job title *")).toHaveValue(`Sign Letterer ${width}`);
    await page.getByRole("button", { name: "Preview and send" }).click();
    await expect(page.getByRole("heading", { name: `Sign Letterer ${width}` })).toBeVisible();
    await page.getByRole("button", { name: "Send to our team" }).click();
    await expect(page.getByText("Waiting for our check")).toBeVisible();

    // The board shows it only after an admin publishes it.
    const visitor = await openPage(browser, product, undefined, options);
    await visitor.goto(`/jobs?search=Sign+Letterer+${width}`);
    await expect(visitor.getByText(`Sign Letterer ${width}`, { exact: true })).toBeHidden();

    const admin = await browserOf("gita@example.in", "/admin/jobs/waiting");
    await admin.getByRole("link", { name: `Sign Letterer ${width}` }).click();
    await expect(admin.getByRole("heading", { name: "Company", exact: true })).toBeVisible();
    await expect(admin.getByText("Publishing it also approves the company's page")).toBeVisible();
    await admin.getByLabel("What has to change").fill("Say what you pay.");
    await admin.getByRole("button", { name: "Return to the company" }).click();
    await expect(admin.getByText("Listing returned")).toBeVisible();

    await page.reload();
    await expect(page.getByText("Say what you pay.")).toBeVisible();
    await page.getByRole("link", { name: new RegExp(`^Edit.*Sign Letterer ${width}`) }).click();
    await page.getByLabel("Compensation").fill("₹8–10 LPA");
    await page.getByRole("button", { name: "Preview and send" }).click();
    await page.getByRole("button", { name: "Send to our team" }).click();
    await expect(page.getByText("Waiting for our check")).toBeVisible();

    await admin.goto("/admin/jobs/waiting");
    await admin.getByRole("link", { name: `Sign Letterer ${width}` }).click();
    await admin.getByRole("button", { name: "Publish anyway" }).click();
    await expect(admin.getByText("Listing published")).toBeVisible();

    await page.reload();
    await expect(page.getByText("Published", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: `Sign Letterer ${width}`, exact: true }).click();
    await expect(page.getByText(/^Checked .* by the company\. Next check .*\.$/)).toBeVisible();
    await page.getByRole("link", { name }).first().click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    await expect(page.getByText("We draw letters for signs.")).toBeVisible();
    await expect(page.getByRole("link", { name: `Sign Letterer ${width}` })).toBeVisible();
  });

test("an employer and an admin do the same without scripts", async ({ browser, product }) => {
  const employer = await person(product.db, "Bela Rao");
  const page = await openPlainPage(browser, product, employer.email, phone);
  await page.goto("/post/company");
  await addCompany(page, "Plain Letters", "plain.example");
  await openMailedLink(page, product, "asha@plain.example", "/post/confirm/");
  await page.getByRole("button", { name: "Confirm work email" }).click();
  await page.goto("/post/listings");
  await page.getByRole("button", { name: "New listing" }).click();
  await fillListing(page, "Stone Letterer");
  await page.getByRole("button", { name: "Preview and send" }).click();
  await page.getByRole("button", { name: "Send to our team" }).click();
  await expect(page.getByText("Waiting for our check")).toBeVisible();
  const admin = await openPlainPage(browser, product, "gita@example.in");
  await admin.goto("/admin/jobs/waiting");
  await admin.getByLabel("Select Stone Letterer at Plain Letters").check();
  await admin.getByRole("button", { name: "Publish" }).click();
  await expect(admin.getByText("Published 1 listing")).toBeVisible();
  await page.goto("/post/listings");
  await page.getByRole("button", { name: /^Filled.*Stone Letterer/ }).click();
  await expect(page.getByText("Off the board")).toBeVisible();
});

test("a claim waits for an admin, who asks the company first", async ({
  browser,
  browserOf,
  product,
}) => {
  const own = await company(product.db, { domain: "claimed.example", name: "Claimed Signs" });
  await member(product.db, own, await person(product.db, "Chitra Rao"));
  const claimant = await person(product.db, "Dina Rao");
  const page = await openPage(browser, product, claimant.email, phone);
  await page.goto("/post/company");
  await addCompany(page, "Another Name", "claimed.example");
  await openMailedLink(page, product, "asha@claimed.example", "/post/confirm/");
  await page.getByRole("button", { name: "Confirm work email" }).click();
  await expect(page.getByText("so our team decides whether you can too")).toBeVisible();
  await page.goto("/post/listings");
  await expect(page.getByRole("button", { name: "New listing" })).toBeHidden();
  const admin = await browserOf("gita@example.in", "/admin/companies/claims");
  const row = admin.getByRole("row").filter({ hasText: "asha@claimed.example" });
  await row.getByRole("button", { name: "Approve" }).click();
  await expect(admin.getByText("They can post now")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "New listing" })).toBeVisible();
  const [after] = await product.db.select().from(companies).where(eq(companies.id, own.id));
  expect(after!.name).toBe("Claimed Signs");
});

test("unsaved text asks before it is lost, and another member's change is a conflict", async ({
  browserOf,
  product,
}) => {
  const own = await company(product.db);
  const [one, other] = [await person(product.db, "Ela Rao"), await person(product.db, "Farid Rao")];
  await member(product.db, own, one);
  await member(product.db, own, other, { role: "member" });
  const id = await submission(product.db, own, one, "draft");
  const page = await browserOf(one.email, `/post/${id}`);
  const second = await browserOf(other.email, `/post/${id}`);
  await page.getByLabel("Job title *").fill("First change");
  await page.getByRole("link", { name: "Your listings" }).click();
  await page.getByRole("button", { name: "Keep editing" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Listing saved")).toBeVisible();

  await second.getByLabel("Job title *").fill("Second change");
  await second.getByRole("button", { name: "Save", exact: true }).click();
  await expect(second.getByText("Someone else changed this listing")).toBeVisible();
  await expect(second.getByLabel("Job title *")).toHaveValue("Second change");
  // A second press doesn't overwrite it either.
  await second.getByRole("button", { name: "Save", exact: true }).click();
  await expect(second.getByText("Someone else changed this listing")).toBeVisible();
  await second.reload();
  await expect(second.getByLabel("Job title *")).toHaveValue("First change");
});

test("an admin publishes listings of two pages at once", async ({ browserOf, product }) => {
  const { db } = product;
  const own = await company(db, { name: "Many Signs" });
  const owner = await person(db, "Hema Rao");
  await member(db, own, owner);
  const longAgo = (minutes: number) => new Date(Date.UTC(2020, 0, 1, 0, minutes));
  const titles = Array.from({ length: 30 }, (_, index) => `Painter ${index + 1}`);
  for (const [index, title] of titles.entries())
    await submission(db, own, owner, "waiting", {
      sentAt: longAgo(index),
      fields: { ...listingFields, title },
    });
  const admin = await browserOf("gita@example.in", "/admin/jobs/waiting");
  await admin.getByLabel("Select Painter 1 at Many Signs", { exact: true }).check();
  await admin.getByRole("link", { name: "Next page" }).click();
  await admin.getByLabel("Select Painter 30 at Many Signs", { exact: true }).check();
  await expect(admin.getByText("1 on other pages")).toBeVisible();
  await admin.getByRole("button", { name: /^Publish 2/ }).click();
  await expect(admin.getByText("Published 2 listings")).toBeVisible();
  await expect(admin.getByText("1 on other pages")).toBeHidden();
  const open = await db.select().from(jobs).where(eq(jobs.companyId, own.id));
  expect(open.map(({ title }) => title).toSorted()).toEqual(["Painter 1", "Painter 30"]);
  // Other journeys find their listings on the first page.
  await db.delete(companies).where(eq(companies.id, own.id));
});

test("members see how often people viewed their listing, by day, also without scripts", async ({
  browser,
  product,
}) => {
  const { db } = product;
  const own = await company(db, { name: "Viewed Signs" });
  const owner = await person(db, "Indu Rao");
  await member(db, own, owner);
  await submission(db, own, owner, "live");
  const page = await openPlainPage(browser, product, owner.email, phone);
  await page.goto("/post/listings");
  await expect(page.getByText("No views yet. Figures start on")).toBeVisible();
  const [job] = await db.select().from(jobs).where(eq(jobs.companyId, own.id));
  const days = [now(), new Date(now().getTime() - day)].map(toIsoDay);
  await db
    .insert(jobDays)
    .values(days.map((on) => ({ jobId: job!.id, day: on, views: 6, saves: 1 })));
  await page.reload();
  await page.getByText("12 views, 0 portal visits, 0 contact views, 2 saves in 30 days").click();
  await expect(page.getByRole("row")).toHaveCount(3);
  await expect(page.getByRole("columnheader", { name: "Contact" })).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

for (const { name, open, options } of [
  { name: "on a computer", open: openPage, options: {} },
  { name: "at 360 px", open: openPage, options: phone },
  { name: "without scripts at 360 px", open: openPlainPage, options: phone },
])
  test(`a member changes a live listing, and an admin reads what differs, ${name}`, async ({
    browser,
    product,
  }) => {
    const { db } = product;
    const own = await company(db);
    const owner = await person(db, "Indu Rao");
    await member(db, own, owner);
    const title = `Sign Painter ${name}`;
    const { id: jobId } = await insertJob(db, {
      title,
      company: own.name,
      companyId: own.id,
      pocName: "Lalita Rao",
      pocContact: "lalita@example.com",
      description: "You paint the letters of shop signs in the old town.",
    });
    await submission(db, own, owner, "live", { jobId });
    const page = await open(browser, product, owner.email, options);
    await page.goto("/post/listings");
    await page.getByRole("button", { name: /^Edit/ }).click();
    await expect(page.getByLabel("Job title *")).toHaveValue(title);
    await expect(page.getByText("Designers see the published text until")).toBeVisible();
    await page.getByRole("button", { name: "Preview and send" }).click();
    await page.getByRole("button", { name: "Send to our team" }).click();
    await expect(page.getByText("Nothing differs from the published listing yet")).toBeVisible();
    await page.getByRole("link", { name: "Change it" }).click();
    await page
      .getByLabel("Brief summary *")
      .fill("You paint and gild the letters of shop signs in the old town.");
    await page.getByLabel("Compensation").fill("₹9 LPA");
    await page.getByRole("button", { name: "Preview and send" }).click();
    await page.getByRole("button", { name: "Send to our team" }).click();
    await expect(page.getByText("Change sent")).toBeVisible();
    const row = page.getByRole("listitem").filter({ hasText: title });
    await expect(row).toHaveCount(1);
    await expect(row.getByText("Published", { exact: true })).toBeVisible();
    await expect(row.getByText("Waiting for our check")).toBeVisible();
    await expect(row.getByRole("button", { name: /^Edit/ })).toBeHidden();

    const visitor = await open(browser, product, undefined, options);
    await visitor.goto(`/jobs/${jobId}`);
    await expect(visitor.getByText("You paint the letters")).toBeVisible();

    const admin = await open(browser, product, "gita@example.in", options);
    await admin.goto("/admin/jobs/waiting");
    const waiting = admin.getByRole("row").filter({ hasText: title });
    await expect(waiting.getByText("Change of a published listing")).toBeVisible();
    await waiting.getByRole("link", { name: title }).click();
    await expect(admin.locator("ins")).toHaveText(["Added: ₹9 LPA. ", "Added: and gild . "]);
    await expect(admin.getByText("Lalita Rao", { exact: true }).first()).toBeHidden();
    await admin.getByText("fields unchanged").click();
    await expect(admin.getByText("Lalita Rao", { exact: true }).first()).toBeVisible();

    // A colleague edits the listing while the admin reads the change.
    await db.update(jobs).set({ location: "Kochi" }).where(eq(jobs.id, jobId));
    await admin.getByRole("button", { name: "Publish", exact: true }).click();
    await expect(admin.getByText("no longer as it was").first()).toBeVisible();
    await expect(admin.locator("del").first()).toHaveText("Removed: Kochi. ");
    await expect(admin.getByText("Not published yet")).toBeVisible();
    await admin.getByRole("button", { name: "Publish anyway" }).click();
    await expect(admin.getByText("Change published")).toBeVisible();

    await visitor.goto(`/jobs/${jobId}`);
    await expect(visitor.getByText("You paint and gild the letters")).toBeVisible();
    await page.goto("/post/listings");
    await expect(row.getByText("Waiting for our check")).toBeHidden();
    await row.getByText("Set a closing date").click();
    await row.getByLabel("Closing date").fill("2020-01-01");
    await row.getByRole("button", { name: "Save the date" }).click();
    await expect(row.getByText("Choose today or a later date.")).toBeVisible();
    const soon = toIsoDay(new Date(now().getTime() + 30 * day));
    await row.getByLabel("Closing date").fill(soon);
    await row.getByRole("button", { name: "Save the date" }).click();
    await expect(page.getByText("Closing date saved")).toBeVisible();
    const [job] = await db.select().from(jobs).where(eq(jobs.id, jobId));
    expect(job!.closesOn).toBe(soon);
  });
