import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { askedBy } from "../../tests/support/requests/asked.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { stopClock } from "../../tests/support/product/stop-clock.ts";
import { mailsTo, tokenMailedTo } from "../../tests/support/rows/mailbox.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import type { Actor } from "../accounts/actor.server.ts";
import { hour, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import * as screen from "./new-message.screen.tsx";
import { supportMessages } from "./tables.server.ts";
import { buildTicketPath, parseTicketToken } from "./ticket-links.server.ts";

const { db, asha, ravi } = await testPeople();
const config = testConfig();

const message = {
  name: "Asha",
  email: "someone@example.com",
  subject: "My review",
  message: "Where is it?\nI am waiting.",
};

test("each field has its own error message and keeps its value", async () => {
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

/** Returns what the screen gets about a message of a visitor. */
const sentAs = (ticket: string) => ({ ticket, path: buildTicketPath(config, ticket, "shown") });

test("an empty form gets the same error messages", async () => {
  const { answer } = await send({});
  expect(answer).toMatchObject({
    data: { errors: { name: "Name must be at least 2 characters." } },
  });
});

test("a field that is too long is refused with its limit", async () => {
  const tooLong = { name: "n".repeat(121), subject: "s".repeat(201), message: "m".repeat(5001) };
  const { answer } = await send({ ...message, ...tooLong });
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

test("a message is stored, emailed to support and confirmed, and the form is cleared", async () => {
  const email = "first@example.com";
  const { answer, toasts } = await send({ ...message, email });
  const stored = await newestFrom(email);
  expect(answer).toEqual({ sent: sentAs(stored.ticket), errors: {}, values: {} });
  expect(stored.ticket).toMatch(/^T-[2-9B-Z]{4}-[2-9B-Z]{4}$/);
  expect(toasts).toEqual([
    {
      kind: "success",
      title: "Message Sent",
      description: "Thank you for contacting us. We'll get back to you soon.",
    },
  ]);
  const [toSupport] = await mailsTo(db, config.product.supportEmail);
  expect(toSupport).toMatchObject({ replyTo: email, subject: `[${stored.ticket}] My review` });
  expect(toSupport!.text).toContain("Where is it?\nI am waiting.");
});

test("invisible characters in pasted text are removed", async () => {
  const email = "\u200bPasted\u00ad@Example.com\u00a0";
  await send({ ...message, email, name: "Asha\u00a0Verma\ufeff", subject: "My\u2009rev\u200biew" });
  const stored = await newestFrom("pasted@example.com");
  expect(stored).toMatchObject({ name: "Asha Verma", subject: "My review" });
});

test("a confirmation contains the ticket number but none of the sender's text", async () => {
  const email = "victim@example.com";
  const spam = { name: "Buynow", subject: "Cheapest", message: "Visit https://spam.example today" };
  await send({ email, ...spam });
  const [mail, ...more] = await mailsTo(db, email);
  expect(more).toEqual([]);
  expect(mail!.text).toContain((await newestFrom(email)).ticket);
  expect(mail!.subject + mail!.html + mail!.text).not.toMatch(/Buynow|Cheapest|spam\.example/);
});

test("only a mailed link, or one for the account's own address, shows our replies", async () => {
  const kindOf = async (email: string, actor?: Actor) => {
    const { answer } = await send({ ...message, email }, { actor });
    const { path } = (answer as unknown as { sent: { path: string } }).sent;
    return parseTicketToken(config, path.slice("/support/".length))?.kind;
  };
  expect(await kindOf("anyone@example.com")).toBe("shown");
  expect(await kindOf(ravi.email, asha)).toBe("shown");
  expect(await kindOf(asha.email, asha)).toBe("mailed");
  const token = await tokenMailedTo(db, "anyone@example.com", "/support/");
  expect(parseTicketToken(config, token)?.kind).toBe("mailed");
});

test("the confirmation includes the message only for people signed in with that address", async () => {
  await send({ ...message, email: asha.email.toUpperCase() }, { actor: asha });
  await send({ ...message, email: ravi.email }, { actor: asha });
  expect((await mailsTo(db, asha.email))[0]!.text).toContain("I am waiting.");
  expect((await mailsTo(db, ravi.email))[0]!.text).not.toContain("I am waiting.");
});

test("an address gets one confirmation per hour, even for concurrent messages", async () => {
  const email = "often@example.com";
  await Promise.all([1, 2, 3].map(() => send({ ...message, email })));
  expect(await mailsTo(db, email)).toHaveLength(1);
  const anHourAgo = new Date(now().getTime() - hour);
  await db
    .update(supportMessages)
    .set({ confirmedAt: anHourAgo })
    .where(eq(supportMessages.email, email));
  await send({ ...message, email });
  expect(await mailsTo(db, email)).toHaveLength(2);
});

test.each([
  ["the hidden field is filled in", { topic: "SEO" }],
  ["it was written too fast", { renderedAt: String(now().getTime() + hour) }],
  ["the time is invalid", { renderedAt: "yesterday" }],
])("when %s, the response is the same but no email is sent", async (_reason, trap) => {
  const email = `bot${Object.values(trap)[0]!.length}@example.com`;
  const { answer, toasts } = await send({ ...message, email, ...trap });
  const stored = await newestFrom(email);
  expect(answer).toEqual({ sent: sentAs(stored.ticket), errors: {}, values: {} });
  expect(toasts).toMatchObject([{ title: "Message Sent" }]);
  expect(stored.isSuspected).toBe(true);
  expect(await mailsTo(db, email)).toEqual([]);
  expect(
    (await mailsTo(db, config.product.supportEmail)).map((mail) => mail.replyTo),
  ).not.toContain(email);
});

test.each([
  ["after a few seconds", { renderedAt: String(now().getTime() - 3000) }],
  ["with autofill", { renderedAt: "" }],
])("a message sent %s isn't spam", async (_case, trap) => {
  const email = `person${trap.renderedAt.length}@example.com`;
  await send({ ...message, email, ...trap });
  expect(await newestFrom(email)).toMatchObject({ isSuspected: false });
});

test("a sixth message per hour from one address is refused and stays in the form", async () => {
  stopClock();
  const email = "many@example.com";
  for (let turn = 0; turn < 5; turn++)
    await send({ ...message, email }, { client: `10.0.0.${turn}` });
  const { answer, toasts } = await send({ ...message, email }, { client: "10.0.0.9" });
  expect(answer).toMatchObject({ init: { status: 429 }, data: { values: { ...message, email } } });
  expect(toasts).toMatchObject([{ kind: "error", title: "Error" }]);
});

test("a client that keeps changing addresses is refused after 20 messages", async () => {
  stopClock();
  const statuses: unknown[] = [];
  for (let turn = 0; turn < 21; turn++) {
    const { answer } = await send(
      { ...message, email: `a${turn}@example.com` },
      { client: "10.9.9.9" },
    );
    statuses.push("init" in answer ? answer.init?.status : 200);
  }
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
});

test("an error shows a message and keeps the form's values", async () => {
  const broken = new Proxy(db, {
    get(real, name, receiver) {
      if (name === "transaction") throw new Error("The database is unavailable.");
      return Reflect.get(real, name, receiver);
    },
  });
  const { answer, toasts } = await send(message, { db: broken });
  const text = "There was a problem sending your message. Please try again.";
  expect(answer).toMatchObject({
    init: { status: 500 },
    data: { errors: { "": text }, values: message },
  });
  expect(toasts).toEqual([{ kind: "error", title: "Error", description: text }]);
});

test("control characters are removed from email headers and the database", async () => {
  const email = "control@example.com";
  await send({
    ...message,
    email,
    subject: "Hello\r\nBcc: all@example.com",
    message: "One\u0000 line\r\nand two",
  });
  expect(await newestFrom(email)).toMatchObject({
    subject: "Hello Bcc: all@example.com",
    message: "One line\nand two",
  });
});

test("name and email are filled in for signed-in people", () => {
  const { context } = contextOf(asha);
  const loaded = screen.loader({ context } as never);
  expect(loaded.sender).toEqual({ name: "Asha Verma", email: asha.email });
});

type SendOptions = { actor?: Actor; client?: string; db?: Database };

async function send(fields: Record<string, string>, options: SendOptions = {}) {
  const { context, toasts } = contextOf(options.actor ?? null, options);
  const request = new Request("http://localhost/contact", {
    method: "POST",
    body: new URLSearchParams(fields),
  });
  const answer = await screen.action({ request, context } as never);
  return { answer, toasts };
}

let clients = 0;

function contextOf(actor: Actor | null, options: SendOptions = {}) {
  const clientAddress = options.client ?? `192.0.2.${clients++}`;
  return askedBy(options.db ?? db, actor, { clientAddress });
}

async function newestFrom(email: string) {
  const [stored] = await db
    .select()
    .from(supportMessages)
    .where(eq(supportMessages.email, email))
    .orderBy(desc(supportMessages.createdAt));
  if (!stored) throw new Error(`No message from ${email}.`);
  return stored;
}
