import { hashPassword } from "../../../app/accounts/passwords.server.ts";
import { linkMailedTo } from "../../support/rows/mailbox.ts";
import { givePassword, person } from "../../support/rows/people.ts";
import { signIn } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

const password = "Correct-horse1";

test("a person corrects their name and address, and takes the account back from the old address", async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const nina = await person(product.db, "Nina Detail");
  await givePassword(product.db, nina, await hashPassword(password));
  await page.goto("/login?next=%2Fprofile");
  await signIn(page, nina.email, password);
  await page.getByRole("link", { name: "Name and email address" }).click();
  await page.getByLabel("Full name").fill("Nina D. Tail");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByText("Your name is saved")).toBeVisible();

  const address = `moved-${nina.email}`;
  await page.getByLabel("New email address").fill("nina");
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("Please enter a valid email address")).toBeVisible();
  await expect(page.getByLabel("New email address")).toHaveValue("nina");
  await page.getByLabel("New email address").fill(address);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText(`Open the link that we sent to ${address}.`)).toBeVisible();

  await page.goto((await linkMailedTo(product.db, address, "/new-address/")).pathname);
  await page.getByRole("button", { name: "Confirm this address" }).click();
  await expect(page.getByText("Your address is changed")).toBeVisible();
  await signIn(page, address, password);
  await expect(page).toHaveURL("/");

  await page.goto((await linkMailedTo(product.db, nina.email, "/earlier-address/")).pathname);
  await page.getByRole("button", { name: "Take my account back" }).click();
  await expect(page.getByRole("heading", { name: "Your account is yours again" })).toBeVisible();
  await page.goto("/profile");
  await expect(page).toHaveURL(/\/login/);
  await page.goto(`/reset-password${(await linkMailedTo(product.db, nina.email)).search}`);
  await expect(page.getByRole("heading", { name: "Create a new password" })).toBeVisible();
});
