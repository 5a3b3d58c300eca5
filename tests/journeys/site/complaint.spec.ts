import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { supportMessages } from "../../../app/support/tables.server.ts";
import { buildTicketPath } from "../../../app/support/ticket-links.server.ts";
import { testConfig } from "../../support/product/config.ts";
import { ticket } from "../../support/rows/admin-things.ts";
import { person } from "../../support/rows/people.ts";
import type { RunningProduct } from "../support/product.ts";
import { expect, test } from "../support/test.ts";
import { openMailedLink, openPlainPage } from "../support/visitors.ts";

/** Answers the newest message from an address, as an admin in another browser. */
async function answer(
  { browserOf, product: { db } }: Browsers,
  email: string,
  button: "Send reply" | "Send and close" = "Send reply",
): Promise<void> {
  const admin = await person(db, "Hema Rao", { roles: ["god_admin"] });
  const [message] = await db.select().from(supportMessages).where(eq(supportMessages.email, email));
  const page = await browserOf(admin.email, `/admin/messages/${message!.ticket}`);
  await page.getByLabel("Reply", { exact: true }).fill("We refunded it today.");
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByRole("article").getByText("We refunded it today.")).toBeVisible();
}

type Browsers = {
  product: RunningProduct;
  browserOf(email: string, path: string): Promise<Page>;
};

async function sendComplaint(page: Page, email: string): Promise<void> {
  await page.goto("/contact");
  const opened = Date.now();
  await page.getByLabel("Name").fill("Nikhil Rao");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Subject").fill("I was charged twice");
  await page.getByLabel("Message", { exact: true }).fill("My card shows two payments of ₹199.");
  // A form that is sent within a second counts as spam.
  await expect.poll(() => Date.now() - opened).toBeGreaterThan(1000);
  await page.getByRole("button", { name: "Send Message" }).click();
}

test("a visitor follows a complaint from the mailed link, writes again and reopens it", async ({
  page,
  product,
  browserOf,
}) => {
  const email = "complaint@example.com";
  await sendComplaint(page, email);
  await expect(page.getByText("We acknowledge within 48 hours")).toHaveCount(1);
  await page.getByRole("button", { name: "Request about my data" }).click();
  await expect(page.getByRole("heading", { name: "I was charged twice" })).toBeVisible();
  await expect(page.getByLabel("What is it about?")).toHaveValue("privacy");
  await expect(page.getByText("We read it by")).toBeVisible();
  await expect(page.getByText("We read every message within")).toHaveCount(0);
  await page.getByLabel("What is it about?").selectOption("Complaint");
  const saved = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Save" }).click();
  await saved;

  await answer({ product, browserOf }, email, "Send and close");
  await page.reload();
  await expect(page.getByText("We emailed our reply to co•••@example.com")).toBeVisible();
  await openMailedLink(page, product, email, "/support/");
  await expect(page.getByText("We refunded it today.")).toBeVisible();
  await page.getByLabel("Something still open?").fill("Only one of the two arrived.");
  await page.getByRole("button", { name: "Send and reopen" }).click();
  await expect(page.getByText("Only one of the two arrived.")).toBeVisible();
  await expect(page.getByText("We're looking into it")).toBeVisible();
  const [stored] = await product.db
    .select()
    .from(supportMessages)
    .where(eq(supportMessages.email, email));
  expect(stored).toMatchObject({ state: "open", kind: "complaint", settledAt: null });
});

test("a reply that arrives while the writer types doesn't lose their text", async ({
  page,
  product,
  browserOf,
}) => {
  const email = "typing@example.com";
  const admin = await person(product.db, "Hema Rao", { roles: ["god_admin"] });
  const number = await ticket(product.db, admin, { email });
  await page.goto(buildTicketPath(testConfig(), number, "mailed"));
  await page.getByLabel("Add a message").fill("Any news?");
  await answer({ product, browserOf }, email);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("There is a new reply above.")).toBeVisible();
  await expect(page.getByLabel("Add a message")).toHaveValue("Any news?");
  await expect(page.getByText("We refunded it today.")).toBeVisible();
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByLabel("Add a message")).toHaveValue("");
});

test("without scripts, a complaint is followed and continued", async ({
  browser,
  product,
  browserOf,
}) => {
  const page = await openPlainPage(browser, product);
  const email = "plain@example.com";
  await sendComplaint(page, email);
  await answer({ product, browserOf }, email);
  await openMailedLink(page, product, email, "/support/");
  await page.getByLabel("Add a message").fill("x");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Message must be at least 2 characters.")).toBeVisible();
  await page.getByLabel("Add a message").fill("Thank you.");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Thank you.")).toBeVisible();
});

test("an incomplete link says so and leads on", async ({ page }) => {
  const response = await page.goto("/support/T-2222-2222-none");
  expect(response!.status()).toBe(404);
  await expect(
    page.getByText("This link isn't complete, or it's more than a year old."),
  ).toBeVisible();
  await page.getByRole("link", { name: "Send us a new message" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Contact Us" })).toBeVisible();
});

test("people find their messages under their profile", async ({ browserOf, product }) => {
  const customer = await person(product.db, "Asha Verma");
  const admin = await person(product.db, "Hema Rao", { roles: ["god_admin"] });
  await ticket(product.db, admin, { senderId: customer.id, email: customer.email });
  const page = await browserOf(customer.email, "/profile");
  await page.getByRole("link", { name: "Messages" }).click();
  await page.getByRole("link", { name: "A question about my review" }).click();
  await expect(page.getByText("When will it be done?")).toBeVisible();
});

test("an admin inserts a saved reply, takes over and links a message", async ({
  browserOf,
  product,
}) => {
  const admin = await person(product.db, "Hema Rao", { roles: ["god_admin"] });
  const number = await ticket(product.db, admin);
  const page = await browserOf(admin.email, `/admin/messages/${number}`);
  await page.getByRole("button", { name: "Take over" }).click();
  await expect(page.getByText("You take care of this message.")).toBeVisible();
  await page.getByLabel("Reply", { exact: true }).fill("Hello Asha. ");
  await page.getByText("Saved replies").click();
  await page.getByRole("button", { name: /^Insert ?: Refund is on its way/ }).click();
  await expect(page.getByLabel("Reply", { exact: true })).toHaveValue(
    /^Hello Asha\. PayU has sent your refund/,
  );
  await page.getByLabel("Order, review or job").fill("TXN_NONE");
  await page.getByRole("button", { name: "Link", exact: true }).click();
  await expect(page.getByText("No order, review or job has this ID or address.")).toBeVisible();
  await expect(page.getByLabel("Reply", { exact: true })).toHaveValue(/^Hello Asha/);
  await page.getByLabel("Title for next time").fill("Greeting");
  await page.getByRole("button", { name: "Save for next time" }).click();
  await expect(page.getByRole("heading", { name: "Greeting" })).toBeVisible();
  await expect(page.getByLabel("Reply", { exact: true })).toHaveValue(/^Hello Asha/);
  await page.getByRole("button", { name: /^Delete ?: Greeting/ }).click();
  await expect(page.getByRole("heading", { name: "Greeting" })).toBeHidden();
  await expect(page.getByLabel("Reply", { exact: true })).toHaveValue(/^Hello Asha/);
  await page.getByRole("button", { name: "Send and close" }).click();
  await expect(page.getByText("Closed", { exact: true })).toBeVisible();
});
