import { expect, test } from "../support/test.ts";

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });

    test("the map leads to the jobs of a city", async ({ page }) => {
      await page.goto("/jobs");
      await page.getByRole("link", { name: "Map", exact: true }).click();
      await expect(page.getByRole("heading", { name: "Map of Design Jobs" })).toBeVisible();
      const row = page.getByRole("table", { name: "Jobs by city" }).getByRole("row").nth(1);
      const city = (await row.getByRole("link").textContent())!;
      const jobs = (await row.getByRole("cell").last().textContent())!;
      await row.getByRole("link").click();
      // A page shows at most 20: "Showing 20 of 40 jobs".
      await expect(page.getByText(new RegExp(`^Showing (20 of )?${jobs} jobs$`))).toBeVisible();
      await expect(page.getByRole("link", { name: `Remove ${city}` })).toBeVisible();
    });
  });
