import { askedListing } from "../../support/rows/contact-questions.ts";
import { person } from "../../support/rows/people.ts";
import { resizeTo } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

test("an admin decides about the texts that name a removed contact, and the listing comes back", async ({
  page,
  product,
  browserOf,
}) => {
  const { db } = product;
  const admin = await person(db, "Gita Menon", { roles: ["god_admin"] });
  const { jobId, token } = await askedListing(db, {
    title: "Loom Designer",
    pocName: "Nandini Kaul",
    company: "Kaul & Daughters",
    description: "Work with Nandini Kaul on new patterns.",
    location: "Pune, at Nandini Kaul's",
  });
  await page.goto(`/check/${token}`);
  await page.getByRole("button", { name: "Remove my name" }).click();
  await expect(page.getByRole("heading", { name: "Your name is removed" })).toBeVisible();
  await page.goto(`/jobs/${jobId}`);
  await expect(page.getByText("We're checking its text.")).toBeVisible();

  const staff = await browserOf(admin.email, "/admin");
  // On a busy computer, the numbers of what waits are up to a minute old, so a new one may not be there.
  await staff.getByRole("link", { name: "Removed contacts" }).click();
  await expect(staff.getByText("Work with Nandini Kaul on new patterns.")).toBeVisible();
  for (const width of [360, 1280]) {
    await resizeTo(staff, width);
    expect(await staff.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  const own = staff.getByRole("row").filter({ hasText: "Nandini Kaul" });
  await own.filter({ hasText: "Summary" }).getByRole("button", { name: "Erase" }).click();
  await expect(staff.getByText("Contact erased from the text")).toBeVisible();
  await expect(own).toHaveCount(1);
  await own.getByRole("button", { name: "Keep" }).click();
  await expect(staff.getByText("Enter the reason for your decision")).toBeVisible();
  await own.getByRole("textbox").fill("The name of the house");
  await own.getByRole("button", { name: "Keep" }).click();
  await expect(own).toHaveCount(0);

  await page.goto(`/jobs/${jobId}`);
  await expect(page.getByRole("heading", { name: "Loom Designer" })).toBeVisible();
  await expect(page.getByText("Work with (removed) on new patterns.")).toBeVisible();
  await expect(page.getByText("at Nandini Kaul's")).toBeVisible();
});
