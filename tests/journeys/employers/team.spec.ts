import { company, member } from "../../support/rows/companies.ts";
import { person } from "../../support/rows/people.ts";
import { openMailedLink, openPage, openPlainPage } from "../support/visitors.ts";
import { expect, test } from "../support/test.ts";

const phone = { viewport: { width: 360, height: 740 } };

for (const { how, open } of [
  { how: "with scripts", open: openPage },
  { how: "without scripts", open: openPlainPage },
])
  test(`an owner invites a colleague, who joins and leaves, on a phone ${how}`, async ({
    browser,
    product,
  }) => {
    const { db } = product;
    const domain = `${how.replaceAll(" ", "-")}.example`;
    const own = await company(db, { name: "Team Signs", domain });
    const owner = await person(db, "Jaya Rao");
    await member(db, own, owner);
    const page = await open(browser, product, owner.email, phone);
    await page.goto("/post/listings");
    await page.getByRole("link", { name: "Your team" }).click();
    await page.getByLabel("Invite a work email").fill("kiran@gmail.com");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await expect(page.getByText("not one of a mail provider")).toBeVisible();
    await expect(page.getByLabel("Invite a work email")).toHaveValue("kiran@gmail.com");
    await page.getByLabel("Invite a work email").fill(`kiran@${domain}`);
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await expect(page.getByText("Invited", { exact: true })).toBeVisible();

    const invited = await person(db, "Kiran Rao");
    const theirs = await open(browser, product, invited.email, phone);
    await openMailedLink(theirs, product, `kiran@${domain}`, "/post/join/");
    await expect(theirs.getByText(invited.email, { exact: true })).toBeVisible();
    await theirs.getByRole("button", { name: "Join" }).click();
    await theirs.getByRole("link", { name: "Write a listing" }).click();
    await expect(theirs.getByRole("button", { name: "New listing" })).toBeVisible();

    await page.reload();
    await expect(page.getByText("Kiran Rao")).toBeVisible();
    await page.getByRole("button", { name: "Make owner" }).click();
    await expect(page.getByText("Owner", { exact: true })).toHaveCount(2);

    await theirs.goto("/post/team");
    await expect(theirs.getByText("Jaya Rao")).toBeVisible();
    expect(await theirs.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await theirs.getByText("Leave Team Signs").click();
    await theirs.getByRole("button", { name: "Leave the company" }).click();
    await expect(theirs.getByText("Add your company first")).toBeVisible();
    await page.reload();
    await expect(page.getByText("Kiran Rao")).toBeHidden();
  });

test("a visitor logs in first, and a withdrawn invitation opens nothing", async ({
  browser,
  product,
}) => {
  const { db } = product;
  const own = await company(db, { name: "Door Signs", domain: "doors.example" });
  const owner = await person(db, "Latha Rao");
  await member(db, own, owner);
  const page = await openPage(browser, product, owner.email);
  await page.goto("/post/team");
  await page.getByLabel("Invite a work email").fill("mira@doors.example");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(page.getByText("Invitation sent")).toBeVisible();

  const visitor = await openPage(browser, product, undefined, phone);
  await openMailedLink(visitor, product, "mira@doors.example", "/post/join/");
  await expect(visitor.getByRole("heading", { name: "Log in", level: 1 })).toBeVisible();
  const link = new URL(visitor.url()).searchParams.get("next")!;
  expect(link).toMatch(/^\/post\/join\//);

  await page.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByText("Invitation withdrawn")).toBeVisible();
  const late = await openPage(browser, product, (await person(db, "Mira Rao")).email);
  await late.goto(link);
  await expect(late.getByText("or the invitation was withdrawn")).toBeVisible();
});
