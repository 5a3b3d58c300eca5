import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { askedBy } from "../../tests/support/requests/asked.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { mailsTo } from "../../tests/support/rows/mailbox.ts";
import { people } from "../../tests/support/rows/people.ts";
import type { Actor } from "../accounts/actor.server.ts";
import { hour, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import * as screen from "./contact.screen.tsx";
import { contactMessages } from "./tables.server.ts";

const { db } = await testDatabase();
const { asha, ravi } = await people(db);
const config = testConfig();

const letter = {
  name: "Asha",
  email: "someone@example.com",
  subject: "My review",
  message: "Where is it?\nI am waiting.",
};

test("each field has its own message, and what was typed comes back", async () => {
  const { answer } = await send({ name: "A", email: "nowhere", subject: "Hi", message: "Short" });
  expect(answer).toMatchObject({
    init: { status: 422 },
    data: {
      errors: {
        name: "Name must be at least 2 characters.",
        email: "Please enter a valid email address.",
        subject: "Subject must be at least 5 characters.",
        message: "Message must be at least 10 characters.",
      },
      values: { name: "A", email: "nowhere", subject: "Hi", message: "Short" },
    },
  });
});

test("an empty form gets the same messages", async () => {
  const { answer } = await send({});
  expect(answer).toMatchObject({
    data: { errors: { name: "Name must be at least 2 characters." } },
  });
});

test("what is too long is refused with a word about how long it may be", async () => {
  const tooLong = { name: "n".repeat(121), subject: "s".repeat(201), message: "m".repeat(5001) };
  const { answer } = await send({ ...letter, ...tooLong });
  expect(answer).toMatchObject({
    data: {
      errors: {
        name: "Name must be at most 120 characters.",
        subject: "Subject must be at most 200 characters.",
        message: "Message must be at most 5000 characters.",
      },
    },
  });
});

test("a message is kept, mailed to support and confirmed, and the form is empty again", async () => {
  const email = "first@example.com";
  const { answer, toasts } = await send({ ...letter, email });
  const kept = await newestFrom(email);
  expect(answer).toEqual({ ticket: kept.ticket, errors: {}, values: {} });
  expect(kept.ticket).toMatch(/^T-[2-9B-Z]{4}-[2-9B-Z]{4}$/);
  expect(toasts).toEqual([
    {
      kind: "success",
      title: "Message Sent",
      description: "Thank you for contacting us. We'll get back to you soon.",
    },
  ]);
  const [toSupport] = await mailsTo(db, config.product.supportEmail);
  expect(toSupport).toMatchObject({ replyTo: email, subject: `[${kept.ticket}] My review` });
  expect(toSupport!.text).toContain("Where is it?\nI am waiting.");
});

test("a message that was pasted is kept as it looks, and its address is the one that is meant", async () => {
  const email = "\u200bPasted\u00ad@Example.com\u00a0";
  await send({ ...letter, email, name: "Asha\u00a0Verma\ufeff", subject: "My\u2009rev\u200biew" });
  const kept = await newestFrom("pasted@example.com");
  expect(kept).toMatchObject({ name: "Asha Verma", subject: "My review" });
});

test("a confirmation repeats the ticket number and nothing that was typed", async () => {
  const email = "victim@example.com";
  const words = {
    name: "Buynow",
    subject: "Cheapest",
    message: "Visit https://spam.example today",
  };
  await send({ email, ...words });
  const [mail, ...more] = await mailsTo(db, email);
  expect(more).toEqual([]);
  expect(mail!.text).toContain((await newestFrom(email)).ticket);
  expect(mail!.subject + mail!.html + mail!.text).not.toMatch(/Buynow|Cheapest|spam\.example/);
});

test("only who is signed in with that very address gets a copy", async () => {
  await send({ ...letter, email: asha.email.toUpperCase() }, { actor: asha });
  await send({ ...letter, email: ravi.email }, { actor: asha });
  expect((await mailsTo(db, asha.email))[0]!.text).toContain("I am waiting.");
  expect((await mailsTo(db, ravi.email))[0]!.text).not.toContain("I am waiting.");
});

test("an address gets one confirmation an hour, also when messages come together", async () => {
  const email = "often@example.com";
  await Promise.all([1, 2, 3].map(() => send({ ...letter, email })));
  expect(await mailsTo(db, email)).toHaveLength(1);
  const anHourAgo = new Date(now().getTime() - hour);
  await db
    .update(contactMessages)
    .set({ confirmedAt: anHourAgo })
    .where(eq(contactMessages.email, email));
  await send({ ...letter, email });
  expect(await mailsTo(db, email)).toHaveLength(2);
});

test.each([
  ["the field that no person sees is filled", { topic: "SEO" }],
  ["it was written in no time", { renderedAt: String(now().getTime() + hour) }],
  ["the time makes no sense", { renderedAt: "yesterday" }],
])("when %s, the answer is the same, but nobody gets a mail", async (_why, trap) => {
  const email = `bot${Object.values(trap)[0]!.length}@example.com`;
  const { answer, toasts } = await send({ ...letter, email, ...trap });
  const kept = await newestFrom(email);
  expect(answer).toEqual({ ticket: kept.ticket, errors: {}, values: {} });
  expect(toasts).toMatchObject([{ title: "Message Sent" }]);
  expect(kept.isSuspected).toBe(true);
  expect(await mailsTo(db, email)).toEqual([]);
  expect(
    (await mailsTo(db, config.product.supportEmail)).map((mail) => mail.replyTo),
  ).not.toContain(email);
});

test.each([
  ["took their time", { renderedAt: String(now().getTime() - 3000) }],
  ["let their browser fill it in at once", { renderedAt: "" }],
])("somebody who %s is believed", async (_who, trap) => {
  const email = `person${trap.renderedAt.length}@example.com`;
  await send({ ...letter, email, ...trap });
  expect(await newestFrom(email)).toMatchObject({ isSuspected: false });
});

test("a sixth message an hour in the name of one address is refused, and kept in the form", async () => {
  const email = "many@example.com";
  for (let turn = 0; turn < 5; turn++)
    await send({ ...letter, email }, { client: `10.0.0.${turn}` });
  const { answer, toasts } = await send({ ...letter, email }, { client: "10.0.0.9" });
  expect(answer).toMatchObject({ init: { status: 429 }, data: { values: { ...letter, email } } });
  expect(toasts).toMatchObject([{ kind: "error", title: "Error" }]);
});

test("a client who writes under ever new addresses is refused in the end", async () => {
  const statuses: unknown[] = [];
  for (let turn = 0; turn < 21; turn++) {
    const { answer } = await send(
      { ...letter, email: `a${turn}@example.com` },
      { client: "10.9.9.9" },
    );
    statuses.push("init" in answer ? answer.init?.status : 200);
  }
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
});

test("a failure says so and keeps everything that was typed", async () => {
  const broken = new Proxy(db, {
    get(real, name, receiver) {
      if (name === "transaction") throw new Error("The database is gone.");
      return Reflect.get(real, name, receiver);
    },
  });
  const { answer, toasts } = await send(letter, { db: broken });
  const text = "There was a problem sending your message. Please try again.";
  expect(answer).toMatchObject({
    init: { status: 500 },
    data: { errors: { "": text }, values: letter },
  });
  expect(toasts).toEqual([{ kind: "error", title: "Error", description: text }]);
});

test("control characters reach neither a mail's header nor the database", async () => {
  const email = "control@example.com";
  await send({
    ...letter,
    email,
    subject: "Hello\r\nBcc: all@example.com",
    message: "One\u0000 line\r\nand two",
  });
  expect(await newestFrom(email)).toMatchObject({
    subject: "Hello Bcc: all@example.com",
    message: "One line\nand two",
  });
});

test("who is signed in finds name and address filled in", () => {
  const { context } = contextOf(asha);
  const loaded = screen.loader({ context } as never);
  expect(loaded.sender).toEqual({ name: "Asha Verma", email: asha.email });
});

type Circumstances = { actor?: Actor; client?: string; db?: Database };

async function send(fields: Record<string, string>, circumstances: Circumstances = {}) {
  const { context, toasts } = contextOf(circumstances.actor ?? null, circumstances);
  const request = new Request("http://localhost/contact", {
    method: "POST",
    body: new URLSearchParams(fields),
  });
  const answer = await screen.action({ request, context } as never);
  return { answer, toasts };
}

let clients = 0;

function contextOf(actor: Actor | null, circumstances: Circumstances = {}) {
  const clientAddress = circumstances.client ?? `192.0.2.${clients++}`;
  return askedBy(circumstances.db ?? db, actor, { clientAddress });
}

async function newestFrom(email: string) {
  const [kept] = await db
    .select()
    .from(contactMessages)
    .where(eq(contactMessages.email, email))
    .orderBy(desc(contactMessages.createdAt));
  if (!kept) throw new Error(`Nothing was kept from ${email}.`);
  return kept;
}
