import { eq } from "drizzle-orm";
import { createElement } from "react";
import { expect, test } from "vitest";
import { createMail } from "../app/mail/deliver-mail.server.ts";
import { mails } from "../app/mail/tables.server.ts";
import type { AppContext } from "../app/platform/app-context.server.ts";
import { testConfig } from "../tests/support/product/config.ts";
import { testDatabase } from "../tests/support/product/database.ts";
import { now } from "../app/platform/clock.ts";
import { createDemoPages } from "./demo-pages.ts";

const { db } = await testDatabase();
const pages = createDemoPages({ db, config: testConfig() } as AppContext);

test("the inbox lists emails with their time in India, and whether they are sent", async () => {
  const createdAt = new Date("2026-11-24T02:28:00Z");
  await write("waiting", createdAt);
  expect(await read("/mailbox")).toMatch(
    /Subject of waiting[^]*To asha@example\.com[^]*Nov 24, 2026, 7:58 AM, sending/,
  );
  await db.update(mails).set({ sentAt: createdAt }).where(eq(mails.cause, "waiting"));
  expect(await read("/mailbox")).not.toContain("sending");
});

test("an email shows both of its parts, and its markup stays inside the frame", async () => {
  const id = await write("shown", now(), "</iframe><b>Hello</b>");
  const page = await read(`/mailbox/${id}`);
  expect(page).toContain("<pre>&lt;/iframe&gt;&lt;b&gt;Hello&lt;/b&gt;</pre>");
  expect(page.match(/<\/iframe>/g)).toHaveLength(1);
  expect(page).not.toContain("<b>Hello");
});

test("the demo's pages have the theme that was chosen, and the product's faces", async () => {
  expect(await read("/")).toContain('data-theme="system"');
  const page = await read("/", { cookie: "theme=dark" });
  expect(page).toContain('data-theme="dark"');
  expect(page).toContain('font-family: "Anek Latin"');
});

async function read(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await pages.request(path, { headers });
  expect(response.status).toBe(200);
  return response.text();
}

async function write(cause: string, createdAt: Date, content = "Hello") {
  const body = createElement("html", null, createElement("body", null, content));
  const mail = { cause, to: "asha@example.com", subject: `Subject of ${cause}`, body };
  return createMail(db, mail, { createdAt });
}
