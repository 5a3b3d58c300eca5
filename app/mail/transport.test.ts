import { expect, test, vi } from "vitest";
import { mailServer, oddMailServer, untilData } from "../../tests/support/servers/mail-servers.ts";
import { readConfig } from "../platform/config.server.ts";
import { second } from "../platform/clock.ts";
import { MailNotSent, type MailTransport, createMailTransport } from "./transport.server.ts";

const mail = {
  messageId: "one@naksha.example",
  to: "asha@example.com",
  replyTo: null,
  subject: "A subject",
  html: "<p>Hello</p>",
  text: "Hello",
};

test("a server that never answers is left", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  const { url } = await oddMailServer(() => {});
  let failure: MailNotSent | undefined;
  void failureOf(url, new AbortController().signal).then((one) => (failure = one));
  const aSecondLater = async () => {
    await vi.advanceTimersByTimeAsync(second);
    return failure;
  };
  await expect.poll(aSecondLater).toMatchObject({ isFinal: false });
});

test("a server that answers too slowly is left at the timeout, and its connection closed", async () => {
  const closed = Promise.withResolvers<void>();
  const timeout = new AbortController();
  const drip = untilData((socket) => {
    socket.on("close", () => closed.resolve());
    socket.resume();
    socket.write("250-still\r\n", () => timeout.abort());
  });
  const { url } = await oddMailServer(drip);
  expect(await failureOf(url, timeout.signal)).toMatchObject({
    message: "The mail server took too long.",
    isFinal: false,
  });
  await closed.promise;
});

test("a connection that closes during the text can be retried", async () => {
  const { url } = await oddMailServer(untilData((socket) => socket.destroy()));
  expect(await failureOf(url)).toMatchObject({ isFinal: false });
});

test.each([
  [450, "4.2.1 <asha@example.com>: busy", false],
  [421, "4.3.2 closing", false],
  [550, "5.1.1 <asha@example.com>: no such user, ask postmaster@example.com", true],
  [530, "5.7.0 Authentication required", false],
])(
  "the error of a recipient rejected with %i contains no address",
  async (code, words, isFinal) => {
    const { url, received } = await mailServer({ answer: () => ({ code, words }) });
    const failure = await failureOf(url);
    expect(failure).toMatchObject({ isFinal });
    expect(failure.message).not.toMatch(/@/);
    expect(failure.message).toContain(words.slice(0, 5));
    expect(received).toEqual([]);
  },
);

test("a rejected sender points to our settings, so the email is retried", async () => {
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

test("a remote server without encryption gets no email", async () => {
  const { url, received } = await mailServer();
  // A host name other than loopback makes it a remote server.
  const remote = url.replace("127.0.0.1", "0.0.0.0");
  expect((await failureOf(remote)).message).toMatch(/STARTTLS/);
  expect(received).toEqual([]);
  await send(url);
  expect(received).toHaveLength(1);
});

test.each([
  "mail.example.com",
  "https://mail.example.com",
  "smtp://",
  "smtp://mail.example.com?requireTLS=false",
  "smtps://user:pass#word@mail.example.com",
])("SMTP_URL %s is rejected at startup", (SMTP_URL) => {
  expect(() => readConfig({ SMTP_URL })).toThrow(/^SMTP_URL must be like/);
});

test.each(["smtps://user:p%23ss@mail.example.com", "smtp://mail.example.com:587"])(
  "SMTP_URL %s is accepted",
  (SMTP_URL) => {
    expect(readConfig({ SMTP_URL }).smtpUrl).toBe(SMTP_URL);
  },
);

test("more headers are sent as they are, each on one line", async () => {
  const { url, received } = await mailServer();
  const address = `https://naksha.example/alerts/stop/${"x".repeat(100)}`;
  const headers = {
    "List-Unsubscribe": `<${address}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-Id": "<job-alerts.naksha.example>",
  };
  await send(url, { ...mail, headers });
  // The library writes "List-ID".
  const lines = received[0]!.replace("List-ID", "List-Id").split("\r\n");
  for (const [name, value] of Object.entries(headers)) expect(lines).toContain(`${name}: ${value}`);
});

test("MAIL_FROM must be an address", () => {
  expect(() => readConfig({ MAIL_FROM: "Naksha" })).toThrow(/^MAIL_FROM must be like/);
  expect(readConfig({ MAIL_FROM: "hello@example.com" }).mailFrom).toBe("hello@example.com");
});

async function send(
  url: string,
  message: Parameters<MailTransport["send"]>[0] = mail,
  signal = AbortSignal.timeout(30 * second),
): Promise<void> {
  const transport = createMailTransport({ smtpUrl: url, mailFrom: "Naksha <hello@example.com>" });
  await transport.send(message, signal).finally(() => transport.close());
}

async function failureOf(url: string, signal?: AbortSignal): Promise<MailNotSent> {
  const failure = await send(url, mail, signal).then(
    () => new Error("The email was sent."),
    (error: unknown) => error,
  );
  if (!(failure instanceof MailNotSent)) throw failure;
  return failure;
}
