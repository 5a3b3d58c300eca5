import { eq } from "drizzle-orm";
import { users } from "../../../app/accounts/tables.server.ts";
import { orderToLookInto, ticket, unsentMail } from "../../support/rows/admin-things.ts";
import { mailsTo } from "../../support/rows/mailbox.ts";
import { person } from "../../support/rows/people.ts";
import type { RunningProduct } from "../support/product.ts";
import { ownPeople } from "../support/staff.ts";
import { holdBack } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

async function ownAdmin({ db }: RunningProduct) {
  return person(db, "Hema Rao", { roles: ["god_admin"] });
}

test("a person is given a role, banned with a reason and let in again from their own page", async ({
  browserOf,
  product,
}) => {
  const { customer } = await ownPeople(product);
  const page = await browserOf("gita@example.in", `/admin/users?search=${customer.email}`);
  await page.getByRole("link", { name: customer.email }).click();
  await page.getByRole("button", { name: "Give the role Reviewer" }).click();
  await expect(page.getByText("The role is given")).toBeVisible();
  await page.getByRole("link", { name: "Take away the role Reviewer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Take away" }).click();
  await expect(page.getByText("The role is taken away")).toBeVisible();

  await page.getByRole("link", { name: "Ban", exact: true }).click();
  await dialog.getByRole("button", { name: "Ban", exact: true }).click();
  await expect(dialog.getByText("Say why: they read it")).toBeVisible();
  await dialog.getByLabel("Reason").fill("Published the same job forty times.");
  await dialog.getByRole("button", { name: "Ban", exact: true }).click();
  await expect(page.getByText("Banned", { exact: true })).toBeVisible();
  await expect(page.getByText("Published the same job forty times.")).toBeVisible();
  await expect.poll(async () => (await mailsTo(product.db, customer.email)).length).toBe(1);
  await page.getByRole("button", { name: "Lift the ban" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
});

test("an admin reads on their own page why they cannot ban themselves", async ({
  browserOf,
  product,
}) => {
  const admin = await ownAdmin(product);
  const page = await browserOf(admin.email, `/admin/users/${admin.id}`);
  await expect(page.getByText("Nobody bans themselves")).toBeVisible();
  await page.getByRole("link", { name: "Take away the role God admin" }).click();
  await expect(page.getByText("This is your own role")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Take away" }).click();
  await expect(page).toHaveURL(`${product.origin}/`);
});

test("a mail that was given up is called off from the overview's way", async ({
  browserOf,
  product,
}) => {
  const admin = await ownAdmin(product);
  const id = await unsentMail(product.db, admin);
  const page = await browserOf(admin.email, "/admin");
  await page.getByRole("link", { name: "Mail", exact: true }).click();
  await page.goto(`/admin/mail?drop=${id}`);
  await page.getByRole("button", { name: "Call off", exact: true }).click();
  await expect(page.getByText("The mail is called off")).toBeVisible();
});

test("a message to us is found, noted on, answered and closed", async ({ browserOf, product }) => {
  const admin = await ownAdmin(product);
  const email = "writer@example.com";
  const number = await ticket(product.db, admin, { email });
  const page = await browserOf(admin.email, "/admin/messages");
  await page.getByRole("searchbox", { name: "Search messages" }).fill(number);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "A question about my review" }).click();
  await page.getByLabel("Note").fill("Meera has it.");
  // Text typed while it is sent would be lost with the answer.
  const letNoteGo = await holdBack(page, /\.data/, "POST");
  await page.getByRole("button", { name: "Keep the note" }).click();
  await expect(page.getByLabel("Note")).not.toBeEditable();
  letNoteGo();
  await expect(page.getByText("The note is kept")).toBeVisible();
  await page.getByLabel("Answer").fill("By tomorrow.");
  await page.getByRole("link", { name: "Messages to us" }).click();
  await page.getByRole("button", { name: "Keep writing" }).click();
  await expect(page.getByLabel("Answer")).toHaveValue("By tomorrow.");
  const letAnswerGo = await holdBack(page, /\.data/, "POST");
  await page.getByRole("button", { name: "Send the answer" }).click();
  await expect(page.getByLabel("Answer")).not.toBeEditable();
  letAnswerGo();
  await expect(page.getByText("By tomorrow.")).toBeVisible();
  await expect(page.getByLabel("Answer")).toHaveValue("");
  await page.getByRole("button", { name: "Close" }).click();
  await expect(page.getByText("Closed", { exact: true })).toBeVisible();
  expect((await mailsTo(product.db, email))[0]?.subject).toContain(`[${number}]`);
});

test("a payment to look into is settled with a note", async ({ browserOf, product }) => {
  const admin = await ownAdmin(product);
  const [asha] = await product.db.select().from(users).where(eq(users.email, "asha@example.com"));
  const buyer = { ...admin, id: asha!.id, email: asha!.email };
  const orderId = await orderToLookInto(product.db, admin, { asha: buyer });
  const page = await browserOf(admin.email, "/admin");
  await page.getByRole("link", { name: "settle them here" }).click();
  await page.getByRole("link", { name: `Settled : ${orderId}` }).click();
  await page.getByLabel("What came of it").fill("Given back in the dashboard.");
  await page.getByRole("button", { name: "Take off the list" }).click();
  await expect(page.getByText("The payment is off the list")).toBeVisible();
  await expect(page.getByText(orderId)).toHaveCount(0);
});

test("what was written and refused about one payment does not stand in the dialog of another", async ({
  browserOf,
  product,
}) => {
  const admin = await ownAdmin(product);
  const [asha] = await product.db.select().from(users).where(eq(users.email, "asha@example.com"));
  const buyer = { ...admin, id: asha!.id, email: asha!.email };
  const one = await orderToLookInto(product.db, admin, { asha: buyer });
  const other = await orderToLookInto(product.db, admin, { asha: buyer });
  const page = await browserOf(admin.email, "/admin");
  await page.getByRole("link", { name: "settle them here" }).click();
  await page.getByRole("link", { name: `Settled : ${one}` }).click();
  const dialog = page.getByRole("dialog", { name: "This payment is settled" });
  const note = dialog.getByLabel("What came of it");
  await note.fill("No");
  await dialog.getByRole("button", { name: "Take off the list" }).click();
  const refusal = dialog.getByText("Say what came of it: the history keeps it");
  await expect(refusal).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Take off the list" })).toBeVisible();

  // Neither Escape nor going back loses a word of it unasked.
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
  await page.getByRole("link", { name: `Settled : ${one}` }).click();
  await note.fill("Not this one");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole("link", { name: `Settled : ${other}` }).click();
  await expect(note).toHaveValue("");
  await expect(refusal).toBeHidden();
  await note.fill("Given back in the dashboard.");
  await dialog.getByRole("button", { name: "Take off the list" }).click();
  await expect(page.getByText("The payment is off the list")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(other)).toHaveCount(0);
  await expect(page.getByRole("link", { name: one, exact: true })).toBeVisible();
});

test("the product tells its settings without secrets", async ({ browserOf }) => {
  const page = await browserOf("gita@example.in", "/admin");
  await page.getByRole("link", { name: "The product" }).click();
  const setting = page.getByRole("row", { name: /^DATABASE_URL/ });
  await expect(setting).toContainText("Set (a secret)");
  await expect(page.getByText(/All \d+ applied/)).toBeVisible();
});

test("a list and its tab are named once each", async ({ browserOf }) => {
  const page = await browserOf("gita@example.in", "/admin");
  await expect(page.getByText("Recent Users")).toHaveCount(1);
  await page.goto("/admin/reviews/assigned");
  await expect(page.getByText("Assigned Reviews", { exact: true })).toHaveCount(1);
});
