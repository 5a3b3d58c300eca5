import { company, member } from "../../support/rows/companies.ts";
import { insertJob } from "../../support/rows/jobs.ts";
import { person } from "../../support/rows/people.ts";
import { openPage, openPlainPage } from "../support/visitors.ts";
import { expect, test } from "../support/test.ts";

const phone = { viewport: { width: 360, height: 740 } };

for (const { how, open, options } of [
  { how: "with scripts", open: openPage, options: {} },
  { how: "without scripts on a phone", open: openPlainPage, options: phone },
])
  test(`an admin links old listings to a company and unlinks one, ${how}`, async ({
    browser,
    product,
  }) => {
    const { db } = product;
    const name = `Old Signs ${how}`;
    const own = await company(db, { name });
    const owner = await person(db, "Lila Rao");
    await member(db, own, owner);
    for (const title of ["Sign Painter", "Gilder"])
      await insertJob(db, { title, company: name.toUpperCase(), isArchived: true });
    const admin = await open(browser, product, "gita@example.in", options);
    await admin.goto(`/admin/companies/${own.id}/listings`);
    await admin.getByLabel("Select Sign Painter").check();
    await admin.getByLabel("Select Gilder").check();
    await admin.getByRole("button", { name: /^Link listings/ }).click();
    await expect(admin.getByText("Linked 2 listings")).toBeVisible();
    await expect(admin.getByText("No other listing has this name")).toBeVisible();

    const theirs = await open(browser, product, owner.email, options);
    await theirs.goto("/post/listings");
    await expect(theirs.getByText("Sign Painter").first()).toBeVisible();
    await expect(theirs.getByText("Gilder").first()).toBeVisible();

    await admin.getByRole("link", { name: "Linked", exact: true }).click();
    const row = admin.getByRole("row").filter({ hasText: "Gilder" });
    await row.getByRole("button", { name: "Unlink" }).click();
    await expect(admin.getByText("Listing unlinked")).toBeVisible();
    await expect(row).toHaveCount(0);
    if (options === phone)
      expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await theirs.reload();
    await expect(theirs.getByText("Sign Painter").first()).toBeVisible();
    await expect(theirs.getByText("Gilder")).toBeHidden();
  });
