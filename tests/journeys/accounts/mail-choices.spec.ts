import { expect, test } from "../support/test.ts";

test("email preferences in the profile are saved", async ({ browserOf }) => {
  const page = await browserOf("gita@example.in", "/profile");
  await page.getByRole("link", { name: "Email preferences" }).click();
  const newOrders = page.getByLabel("Someone bought a review");
  await expect(newOrders).toHaveValue("at once");
  await newOrders.selectOption("Every morning, in one email");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Email preferences saved")).toBeVisible();
  await page.reload();
  await expect(newOrders).toHaveValue("every morning");
  await expect(page.getByLabel("My review is ready")).toHaveValue("at once");
});
