import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { supportMessages } from "../../../app/support/tables.server.ts";
import { mailsTo } from "../../support/rows/mailbox.ts";
import { holdBack, isDrawn, scriptsRun } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

const words = "Thank you for contacting us. We'll get back to you soon.";

test("a visitor's message is refused, corrected and sent, and both sides get an email", async ({
  page,
  product,
}) => {
  const email = `writer.${randomUUID()}@example.com`;
  await page.goto("/contact");
  await page.getByLabel("Name").fill("W");
  await page.getByLabel("Email").fill("writer@example");
  await page.getByLabel("Subject").fill("Hey");
  await page.getByPlaceholder("Type your message here...").fill("Too short");
  await page.getByRole("button", { name: "Send Message" }).click();
  for (const [field, problem] of [
    ["Name", "Name must be at least 2 characters."],
    ["Email", "Please enter a valid email address."],
    ["Subject", "Subject must be at least 5 characters."],
    ["Message", "Message must be at least 10 characters."],
  ] as const) {
    await expect(page.getByLabel(field)).toHaveAccessibleDescription(problem);
  }
  await expect(page.getByLabel("Name")).toBeFocused();
  await expect(page.getByLabel("Message")).toHaveValue("Too short");

  const ticket = await send(page, email, "Buy cheap things at https://spam.example");
  const [toSupport] = await mailsTo(product.db, "support@naksha.example");
  expect(toSupport).toMatchObject({ replyTo: email, subject: `[${ticket}] A question` });
  expect(toSupport!.text).toContain("Buy cheap things");
  const [confirmation] = await mailsTo(product.db, email);
  expect(confirmation!.text).toContain(ticket);
  expect(confirmation!.text).not.toMatch(/cheap|Writer|A question/);

  // A second message within the hour is accepted without a confirmation email.
  await expect(page.getByLabel("Name")).toHaveValue("");
  expect(await send(page, email, "One more thing that I forgot.")).not.toBe(ticket);
  expect(await mailsTo(product.db, email)).toHaveLength(1);
});

test("a signed-in person finds their name filled in and gets a copy", async ({
  browserOf,
  product,
}) => {
  const email = "farhan.sethi9@example.com";
  const page = await browserOf(email, "/contact");
  await expect(page.getByLabel("Name")).toHaveValue("Farhan Sethi");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  const ticket = await send(page, email, "Where is my review?");
  const [copy] = await mailsTo(product.db, email);
  expect(copy!.text).toContain(ticket);
  expect(copy!.text).toContain("Where is my review?");
});

test("leaving before the answer arrives shows no error", async ({ page, product }) => {
  await page.goto("/contact");
  const email = `hurried.${randomUUID()}@example.com`;
  await fill(page, email, "I have to go on to the jobs.");
  const arrived = Promise.withResolvers<void>();
  await page.route(/\/contact\.data/, async (route) => {
    await route.fetch();
    arrived.resolve();
  });
  await page.getByRole("button", { name: "Send Message" }).click();
  await arrived.promise;
  await page.getByRole("link", { name: "Jobs" }).first().click();
  await expect(page.getByRole("heading", { name: "Design Jobs Board" })).toBeVisible();
  await isDrawn(page);
  // Checked without waiting, since a toast disappears after a while.
  expect(await page.getByText("There was a problem sending your message").count()).toBe(0);
  expect(await mailsTo(product.db, email)).toHaveLength(1);
});

test("a message that cannot be sent stays in its fields", async ({ page }) => {
  await page.goto("/contact");
  await scriptsRun(page);
  await page.route("**/contact.data*", (route) => route.abort("internetdisconnected"));
  await fill(page, "offline@example.com", "Written in a tunnel.");
  await page.getByRole("button", { name: "Send Message" }).click();
  const problem = "There was a problem sending your message. Please try again.";
  await expect(page.locator(".toasts_toast")).toContainText(`Error${problem}`);
  await expect(page.getByText(problem)).toHaveCount(1);
  await expect(page.getByLabel("Message")).toHaveValue("Written in a tunnel.");
  await page.unroute("**/contact.data*");
  const letGo = await holdBack(page, /\/contact\.data/, "POST");
  await page.getByRole("button", { name: "Send Message" }).click();
  // Text typed now would be lost with the form.
  await expect(page.getByLabel("Message")).not.toBeEditable();
  letGo();
  await expect(page.getByText("Message Sent")).toBeVisible();
});

test("a double click or two quick presses send a message once", async ({ page, product }) => {
  const email = `twice.${randomUUID()}@example.com`;
  const button = page.getByRole("button", { name: "Send Message" });
  const presses = [
    () => button.dblclick(),
    () =>
      button.evaluate((element: HTMLElement) => {
        element.click();
        element.click();
      }),
  ];
  for (const [index, press] of presses.entries()) {
    await page.goto("/contact");
    await fill(page, email, "Where is my review?");
    await press();
    await expect(page.getByText(words).first()).toBeVisible();
    await expect(page.getByText("Message Sent")).toHaveCount(1);
    expect(await product.db.$count(supportMessages, eq(supportMessages.email, email))).toBe(
      index + 1,
    );
  }
});

test("the second of two admins sees the first one's answer before sending", async ({
  browserOf,
  page,
}) => {
  await page.goto("/contact");
  const ticket = await send(page, "twice@example.com", "Where is my review?");
  const [first, second] = [await browserOf("gita@example.in"), await browserOf("gita@example.in")];
  for (const admin of [first, second]) await admin.goto(`/admin/messages/${ticket}`);
  const answer = async (admin: Page, text: string) => {
    await admin.getByLabel("Reply").fill(text);
    await admin.getByRole("button", { name: "Send reply" }).click();
  };
  await answer(first, "It is ready tomorrow.");
  await expect(first.getByText("Sending your reply").first()).toBeVisible();
  await answer(second, "It is ready on Monday.");
  await expect(second.getByText(/^Someone else just replied/).first()).toBeVisible();
  await expect(second.locator("article", { hasText: "It is ready tomorrow." })).toBeVisible();
  await expect(second.getByLabel("Reply")).toHaveValue("It is ready on Monday.");
  await second.getByRole("button", { name: "Send reply" }).click();
  await expect(second.locator("article", { hasText: "It is ready on Monday." })).toBeVisible();
});

async function fill(page: Page, email: string, message: string): Promise<void> {
  await page.getByLabel("Name").fill("Writer Person");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Subject").fill("A question");
  await page.getByLabel("Message").fill(message);
}

/** Sends a message and returns its ticket number. */
async function send(page: Page, email: string, message: string): Promise<string> {
  await fill(page, email, message);
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Send Message" }).click();
  await answered;
  await expect(page.getByText(words).first()).toBeVisible();
  await expect(page.getByLabel("Message")).toHaveValue("");
  return page.locator(".contact_ticket").innerText();
}
