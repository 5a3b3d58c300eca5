import { expect, test } from "../support/test.ts";

test("who wants fewer mails says so under their profile, and it stays", async ({ browserOf }) => {
  const page = await browserOf("gita@example.in", "/profile");
  await page.getByRole("link", { name: "Mails to you" }).click();
  const newOrders = page.getByLabel("Somebody has bought a review");
  await expect(newOrders).toHaveValue("at once");
  await newOrders.selectOption("Every morning, in one mail");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Your choice is saved")).toBeVisible();
  await page.reload();
  await expect(newOrders).toHaveValue("every morning");
  await expect(page.getByLabel("A review of mine is ready")).toHaveValue("at once");
});
