import { expect, test } from "vitest";
import { mailServer, oddMailServer, untilData } from "../../tests/support/servers/mail-servers.ts";
import { readConfig } from "../platform/config.server.ts";
import { second } from "../platform/clock.ts";
import { MailNotSent, createMailTransport } from "./transport.server.ts";

const mail = {
  messageId: "one@naksha.example",
  to: "asha@example.com",
  replyTo: null,
  subject: "A subject",
  html: "<p>Hello</p>",
  text: "Hello",
};

test("a server that never says anything is left after ten seconds", async () => {
  const { url } = await oddMailServer(() => {});
  const begun = performance.now();
  expect(await failureOf(url)).toMatchObject({ isFinal: false });
  expect(performance.now() - begun).toBeLessThan(15 * second);
});

test("a server that drips its answer is left at the deadline, and its connection closed", async () => {
  let closed = () => {};
  const gone = new Promise<void>((resolve) => (closed = resolve));
  const drip = untilData((socket) => {
    const dripping = setInterval(() => socket.write("250-still\r\n"), 20);
    socket.on("close", () => {
      clearInterval(dripping);
      closed();
    });
    socket.resume();
  });
  const { url } = await oddMailServer(drip);
  expect(await failureOf(url, AbortSignal.timeout(500))).toMatchObject({
    message: "The mail server was too slow.",
    isFinal: false,
  });
  await gone;
});

test("a server that closes in the middle of the text may be tried again", async () => {
  const { url } = await oddMailServer(untilData((socket) => socket.destroy()));
  expect(await failureOf(url)).toMatchObject({ isFinal: false });
});

test.each([
  [450, "4.2.1 <asha@example.com>: busy", false],
  [421, "4.3.2 closing", false],
  [550, "5.1.1 <asha@example.com>: no such user, ask postmaster@example.com", true],
  [530, "5.7.0 Authentication required", false],
])("a recipient refused with %i is told without any address", async (code, words, isFinal) => {
  const { url, received } = await mailServer({ answer: () => ({ code, words }) });
  const failure = await failureOf(url);
  expect(failure).toMatchObject({ isFinal });
  expect(failure.message).not.toMatch(/@/);
  expect(failure.message).toContain(words.slice(0, 5));
  expect(received).toEqual([]);
});

test("a refused sender is a matter of the settings, and no reason to give the mail up", async () => {
  const { url } = await oddMailServer((socket) => {
    socket.write("220 mail.example.com\r\n");
    socket.on("data", (chunk: Buffer) =>
      socket.write(
        chunk.toString().startsWith("MAIL") ? "550 5.7.1 Not yours\r\n" : "250 Well\r\n",
      ),
    );
  });
  expect(await failureOf(url)).toMatchObject({ isFinal: false });
});

test("a server elsewhere that offers no encryption gets nothing", async () => {
  const { url, received } = await mailServer();
  // Reached by a name that is not loopback's, as a server elsewhere is.
  const elsewhere = url.replace("127.0.0.1", "0.0.0.0");
  expect((await failureOf(elsewhere)).message).toMatch(/STARTTLS/);
  expect(received).toEqual([]);
  await sent(url);
  expect(received).toHaveLength(1);
});

test.each([
  "mail.example.com",
  "https://mail.example.com",
  "smtp://",
  "smtp://mail.example.com?requireTLS=false",
  "smtps://user:pass#word@mail.example.com",
])("SMTP_URL %s is refused at the start", (SMTP_URL) => {
  expect(() => readConfig({ SMTP_URL })).toThrow(/^SMTP_URL must be like/);
});

test.each(["smtps://user:p%23ss@mail.example.com", "smtp://mail.example.com:587"])(
  "SMTP_URL %s is taken",
  (SMTP_URL) => {
    expect(readConfig({ SMTP_URL }).smtpUrl).toBe(SMTP_URL);
  },
);

test("MAIL_FROM must be an address", () => {
  expect(() => readConfig({ MAIL_FROM: "Naksha" })).toThrow(/^MAIL_FROM must be like/);
  expect(readConfig({ MAIL_FROM: "hello@example.com" }).mailFrom).toBe("hello@example.com");
});

async function sent(url: string, signal = AbortSignal.timeout(30 * second)): Promise<void> {
  const transport = createMailTransport({ smtpUrl: url, mailFrom: "Naksha <hello@example.com>" });
  await transport.send(mail, signal).finally(() => transport.close());
}

async function failureOf(url: string, signal?: AbortSignal): Promise<MailNotSent> {
  const failure = await sent(url, signal).then(
    () => new Error("The mail was taken."),
    (error: unknown) => error,
  );
  if (!(failure instanceof MailNotSent)) throw failure;
  return failure;
}
