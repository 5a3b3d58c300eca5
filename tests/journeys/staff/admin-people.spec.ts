import { linkMailedTo } from "../../support/rows/mailbox.ts";
import { person } from "../../support/rows/people.ts";
import { pendingReview } from "../../support/rows/review-states.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, test } from "../support/test.ts";
import { setPriority } from "../../../app/review-staff/assign/set-priority.server.ts";

test("an admin finds a user and sends a password reset email", async ({ browserOf, product }) => {
  const { customer } = await ownPeople(product);
  const page = await browserOf("gita@example.in", "/admin/users");
  await page.getByRole("columnheader", { name: "Role" }).click();
  await expect(page.getByRole("cell", { name: "god_admin" }).first()).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Role" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  const search = page.getByRole("searchbox", { name: "Search users" });
  await search.fill("nobody-like-this");
  await expect(page.getByText("No users match your search")).toBeVisible();
  await search.fill(customer.email.toUpperCase());
  await expect(page.getByText(customer.email)).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(2);
  const reset = page.getByRole("button", { name: "Reset Password", exact: true });
  await reset.click();
  await expect(page.getByText("Password reset email sent successfully")).toBeVisible();
  await expect(reset).toBeFocused();
  expect((await linkMailedTo(product.db, customer.email)).pathname).toBe("/reset-password");

  await page.getByLabel(`Actions for ${customer.email}`).click();
  await page.getByRole("link", { name: "History" }).click();
  await expect(page.getByRole("table", { name: "Audit log" }).getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("cell", { name: /Gita Menon/ })).toBeVisible();
});

test("the search field matches the list after going back", async ({ browserOf }) => {
  const page = await browserOf("gita@example.in", "/admin/users");
  const search = page.getByRole("searchbox", { name: "Search users" });
  await search.fill("ravi@example.com");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/search=ravi/);
  await expect(search).toBeFocused();
  await page.goBack();
  await expect(page).toHaveURL(/\/admin\/users$/);
  await expect(search).toHaveValue("");
});

test("the audit log opens from the overview and can be filtered by review", async ({
  browserOf,
  product,
}) => {
  const admin = await person(product.db, "Isha Rao", { roles: ["god_admin"] });
  const { customer } = await ownPeople(product);
  const id = await pendingReview(product.db, customer);
  await setPriority(product.db, admin, { reviewId: id, priority: 2 });
  const page = await browserOf(admin.email, "/admin");
  await page.getByRole("link", { name: "Audit log" }).click();
  // A task can write newer rows.
  const own = page.getByRole("row").filter({ hasText: "Isha Rao" });
  await expect(own).toContainText("None → Medium");
  await own.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`id=${id}`));
  await expect(page.getByRole("row")).toHaveCount(2);
});

test("figures on the overview link to the lists they count", async ({ browserOf, product }) => {
  const page = await browserOf("gita@example.in", "/admin");
  const profiles = await product.db.execute("select count(*)::int as count from profiles");
  const figure = page
    .locator(".figures_figure", { hasText: "Total Users" })
    .locator(".figures_value");
  await expect(figure).toHaveText(Number(profiles.rows[0]!.count).toLocaleString("en-IN"));
  await page.getByRole("link", { name: "Active Jobs" }).click();
  await expect(page).toHaveURL(/\/admin\/jobs$/);
  await expect(page.getByRole("link", { name: "Archived Jobs" })).toBeVisible();
});

for (const [activeTab, path] of [
  ["reviews", "/admin/reviews"],
  ["users", "/admin/users"],
  ["jobs", "/admin/jobs"],
]) {
  test(`a link can open the dashboard on the tab "${activeTab}"`, async ({ browserOf }) => {
    const page = await browserOf("gita@example.in", "/admin");
    await expect(page.locator(".admin_side")).toHaveAttribute("data-live", "true");
    await page.evaluate((tab) => {
      history.replaceState({ ...history.state, usr: { activeTab: tab } }, "");
      location.reload();
    }, activeTab);
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  });
}
