import { eq } from "drizzle-orm";
import { users } from "../../../app/accounts/tables.server.ts";
import { orderToResolve, ticket, unsentMail } from "../../support/rows/admin-things.ts";
import { mailsTo } from "../../support/rows/mailbox.ts";
import { person } from "../../support/rows/people.ts";
import type { RunningProduct } from "../support/product.ts";
import { ownOverdueWork, ownPeople } from "../support/staff.ts";
import { holdBack } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

async function ownAdmin({ db }: RunningProduct) {
  return person(db, "Hema Rao", { roles: ["god_admin"] });
}

test("an admin adds and removes a role, bans a user with a reason and lifts the ban", async ({
  browserOf,
  product,
}) => {
  const { customer } = await ownPeople(product);
  const page = await browserOf("gita@example.in", `/admin/users?search=${customer.email}`);
  await page.getByRole("link", { name: customer.email }).click();
  await page.getByRole("button", { name: "Add the role Reviewer" }).click();
  await expect(page.getByText("Role added")).toBeVisible();
  await page.getByRole("link", { name: "Remove the role Reviewer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Remove role" }).click();
  await expect(page.getByText("Role removed")).toBeVisible();

  await page.getByRole("link", { name: "Ban", exact: true }).click();
  await dialog.getByRole("button", { name: "Ban", exact: true }).click();
  await expect(dialog.getByText("Enter a reason. We'll email it")).toBeVisible();
  await dialog.getByLabel("Reason").fill("Published the same job forty times.");
  await dialog.getByRole("button", { name: "Ban", exact: true }).click();
  await expect(page.getByText("Banned", { exact: true })).toBeVisible();
  await expect(page.getByText("Published the same job forty times.")).toBeVisible();
  await expect.poll(async () => (await mailsTo(product.db, customer.email)).length).toBe(1);
  await page.getByRole("button", { name: "Lift the ban" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
});

test("an admin can't ban their own account, but can remove their own role", async ({
  browserOf,
  product,
}) => {
  const admin = await ownAdmin(product);
  const page = await browserOf(admin.email, `/admin/users/${admin.id}`);
  await expect(page.getByText("You can't ban your own account")).toBeVisible();
  await page.getByRole("link", { name: "Remove the role God admin" }).click();
  await expect(page.getByText("You'll lose access to these screens right away")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Remove role" }).click();
  await expect(page).toHaveURL(`${product.origin}/`);
});

test("an admin discards a failed email", async ({ browserOf, product }) => {
  const admin = await ownAdmin(product);
  const id = await unsentMail(product.db, admin);
  const page = await browserOf(admin.email, "/admin");
  await page.getByRole("link", { name: "Email", exact: true }).click();
  await page.goto(`/admin/mail?drop=${id}`);
  await page.getByRole("button", { name: "Discard email" }).click();
  await expect(page.getByText("Email discarded")).toBeVisible();
});

test("an admin finds a contact message, adds a note, replies and closes it", async ({
  browserOf,
  product,
}) => {
  const admin = await ownAdmin(product);
  const email = "writer@example.com";
  const number = await ticket(product.db, admin, { email });
  const page = await browserOf(admin.email, "/admin/messages");
  await page.getByRole("searchbox", { name: "Search messages" }).fill(number);
  await page.getByRole("button", { name: "Search" }).click();
  // Other journeys leave messages with the same subject.
  await page.locator(`main a[href="/admin/messages/${number}"]`).click();
  await page.getByLabel("Note").fill("Meera has it.");
  // Text typed while the form is being sent would be lost, so the field is read-only.
  const releaseNote = await holdBack(page, /\.data/, "POST");
  await page.getByRole("button", { name: "Save note" }).click();
  await expect(page.getByLabel("Note")).not.toBeEditable();
  releaseNote();
  await expect(page.getByText("Note saved")).toBeVisible();
  await page.getByLabel("Reply").fill("By tomorrow.");
  await page.locator(".admin_screen").getByRole("link", { name: "Messages" }).click();
  await page.getByRole("button", { name: "Keep writing" }).click();
  await expect(page.getByLabel("Reply")).toHaveValue("By tomorrow.");
  const releaseReply = await holdBack(page, /\.data/, "POST");
  await page.getByRole("button", { name: "Send reply" }).click();
  await expect(page.getByLabel("Reply")).not.toBeEditable();
  releaseReply();
  await expect(page.getByText("By tomorrow.")).toBeVisible();
  await expect(page.getByLabel("Reply")).toHaveValue("");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await expect(page.getByText("Closed", { exact: true })).toBeVisible();
  expect((await mailsTo(product.db, email))[0]?.subject).toContain(`[${number}]`);
});

test("an admin resolves a payment with a note", async ({ browserOf, product }) => {
  const admin = await ownAdmin(product);
  const [asha] = await product.db.select().from(users).where(eq(users.email, "asha@example.com"));
  const buyer = { ...admin, id: asha!.id, email: asha!.email };
  const orderId = await orderToResolve(product.db, admin, { asha: buyer });
  const page = await browserOf(admin.email, "/admin");
  await page.getByRole("link", { name: "resolve it here" }).click();
  await page.getByRole("link", { name: `Resolve ${orderId}` }).click();
  await page.getByLabel("Resolution").fill("Refunded in the dashboard.");
  await page.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByText("Payment resolved")).toBeVisible();
  await expect(page.getByText(orderId)).toHaveCount(0);
});

// Covered by "an admin resolves a payment".
test("a rejected note for one payment doesn't appear in the dialog of another @slow", async ({
  browserOf,
  product,
}) => {
  const admin = await ownAdmin(product);
  const [asha] = await product.db.select().from(users).where(eq(users.email, "asha@example.com"));
  const buyer = { ...admin, id: asha!.id, email: asha!.email };
  const one = await orderToResolve(product.db, admin, { asha: buyer });
  const other = await orderToResolve(product.db, admin, { asha: buyer });
  const page = await browserOf(admin.email, "/admin");
  await page.getByRole("link", { name: "resolve it here" }).click();
  await page.getByRole("link", { name: `Resolve ${one}` }).click();
  const dialog = page.getByRole("dialog", { name: "Resolve payment" });
  const note = dialog.getByLabel("Resolution");
  await note.fill("No");
  await dialog.getByRole("button", { name: "Resolve" }).click();
  const refusal = dialog.getByText("Enter how it was resolved");
  await expect(refusal).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Resolve" })).toBeVisible();

  // Escape and Back ask before discarding the text.
  const question = page.getByRole("dialog", { name: "Discard your changes?" });
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(question).toBeHidden();
  await expect(note).toHaveValue("No");
  await page.evaluate(() => history.back());
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(question).toBeHidden();
  await expect(note).toHaveValue("No");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard changes" }).click();
  await expect(dialog).toBeHidden();

  // Cancel discards without asking.
  await page.getByRole("link", { name: `Resolve ${one}` }).click();
  await note.fill("Not this one");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole("link", { name: `Resolve ${other}` }).click();
  await expect(note).toHaveValue("");
  await expect(refusal).toBeHidden();
  await note.fill("Refunded in the dashboard.");
  await dialog.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByText("Payment resolved")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(other)).toHaveCount(0);
  await expect(page.getByRole("link", { name: one, exact: true })).toBeVisible();
});

test("the system screen lists settings without secret values", async ({ browserOf }) => {
  const page = await browserOf("gita@example.in", "/admin");
  await page.getByRole("link", { name: "System" }).click();
  const setting = page.getByRole("row", { name: /^DATABASE_URL/ });
  await expect(setting).toContainText("Set (a secret)");
  await expect(page.getByText(/All \d+ applied/)).toBeVisible();
  // Every task has a label.
  await expect(page.getByRole("cell", { name: /^[a-z]+(-[a-z]+)+$/ })).toHaveCount(0);
});

test("the overview and the menu count what waits, and lead to it", async ({
  browserOf,
  product,
}) => {
  await ownOverdueWork(product);
  await ticket(product.db, await ownAdmin(product));
  const page = await browserOf("gita@example.in", "/admin");
  const needs = page.getByRole("region", { name: "Needs you" });
  await expect(needs).toContainText(/assigned reviews? (is|are) overdue/);
  await expect(
    needs
      .getByRole("listitem")
      .filter({ hasText: / with / })
      .last(),
  ).toContainText("Overdue");
  const operations = page.getByRole("navigation", { name: "Operations" });
  await operations.getByRole("link", { name: /^Messages \d+ messages? (is|are) unread/ }).click();
  await expect(page.getByRole("heading", { name: "Messages", level: 1 })).toBeVisible();
  await expect(page.locator(".admin_side > nav [aria-current]")).toHaveText(/^Messages/);
  await operations.getByRole("link", { name: "Reports on listings" }).click();
  await expect(page.locator(".admin_side > nav [aria-current]")).toHaveText(/^Reports on listings/);
  await page.goBack();
  await page.goBack();
  await needs.getByRole("link", { name: "Show first" }).click();
  await expect(page.getByRole("rowheader").first()).toHaveText(/^Overdue · \d/);
  await expect(page.locator("tbody tr").first()).toContainText(/Overdue/);
});

test("the numbers of the overview share an edge, and its two groups share lines", async ({
  browserOf,
  product,
}) => {
  await ownOverdueWork(product);
  const page = await browserOf("gita@example.in");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/admin");
  const findBox = async (part: ReturnType<typeof page.locator>) => (await part.boundingBox())!;
  const number = await findBox(page.locator(".figures_needs-count").first());
  const figure = await findBox(page.locator(".figures_value").first());
  expect(Math.abs(number.x - figure.x)).toBeLessThanOrEqual(1);
  const groups = page.locator(".figures_due-dates");
  for (const figureAt of [0, -1]) {
    const [one, other] = await Promise.all(
      [0, 1].map((at) => findBox(groups.nth(at).locator(".figures_figure").nth(figureAt))),
    );
    expect(one!.y).toBe(other!.y);
  }
  const tile = page.locator(".figures_needs li").first();
  // The link covers the number, so that a press there opens it.
  await tile.locator(".figures_needs-count").click({ position: { x: 2, y: 2 }, force: true });
  await expect(page.getByRole("rowheader").first()).toHaveText(/^Overdue · \d/);
});

test("an admin's list of assigned reviews starts with what is due first, once chosen", async ({
  browserOf,
  product,
}) => {
  await ownOverdueWork(product);
  const page = await browserOf("gita@example.in", "/admin/reviews/assigned");
  const heads = page.getByRole("rowheader");
  const dueFirst = page.getByRole("button", { name: "Due first" });
  await expect(dueFirst).toHaveAttribute("aria-pressed", "false");
  await expect(heads).toHaveCount(0);
  await dueFirst.click();
  await expect(dueFirst).toHaveAttribute("aria-pressed", "true");
  await expect(heads.first()).toHaveText(/^Overdue · \d/);
  await page.goto("/admin/reviews/assigned?type=resume_review");
  await expect(dueFirst).toHaveAttribute("aria-pressed", "true");
  await page.getByLabel("Sort by").selectOption("Days Assigned, descending");
  await expect(heads).toHaveCount(0);
  await page.goto("/admin/reviews/assigned");
  await dueFirst.click();
  await expect(dueFirst).toHaveAttribute("aria-pressed", "false");
  await expect(heads).toHaveCount(0);
});

test("a list doesn't repeat the name of its tab", async ({ browserOf }) => {
  const page = await browserOf("gita@example.in", "/admin");
  await expect(page.getByText("Recent Users")).toHaveCount(1);
  await page.goto("/admin/reviews/assigned");
  await expect(page.getByText("Assigned Reviews", { exact: true })).toHaveCount(1);
});
