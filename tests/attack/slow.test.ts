import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, expect, test } from "vitest";
import { actAs } from "../support/product/own-product.ts";
import { type Attacked, attackedProduct, isLong, say } from "./attacked.ts";

/** Slow and endless requests are cut off, and nobody else waits for them. */

let product: Attacked;
let cookie: string;
const opened = new Set<Socket>();

beforeAll(async () => {
  product = await attackedProduct();
  cookie = await actAs(product.origin, "ravi@example.com");
});

afterEach(() => {
  for (const socket of opened) socket.destroy();
  opened.clear();
});

const many = isLong ? 1_000 : 150;

test(`beside ${many} connections that say nothing, and as many that begin a request, others are served`, async () => {
  const alone = await timesOfVisits();
  await Promise.all(Array.from({ length: many }, () => open("")));
  await Promise.all(
    Array.from({ length: many }, () => open("GET /jobs HTTP/1.1\r\nHost: localhost\r\n")),
  );
  await Promise.all(
    Array.from({ length: many / 10 }, () =>
      open(headOf("/login", "Content-Length: 1000") + "email="),
    ),
  );
  const beside = await timesOfVisits();
  say(
    `a visit beside ${many * 2} idle connections: ${beside} ms, alone ${alone} ms (95th percentile)`,
  );
  expect(beside).toBeLessThan(Math.max(alone * 5, 2_000));
  if (!isLong) return;
  const begun = performance.now();
  await expect.poll(() => opened.size, { timeout: 90_000, interval: 500 }).toBe(0);
  say(`all of them were cut after ${Math.round((performance.now() - begun) / 1000)} s`);
});

const form = "Content-Type: application/x-www-form-urlencoded";
const multipart = "Content-Type: multipart/form-data; boundary=edge";
const chunked = "Transfer-Encoding: chunked";
const file =
  '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\r\n';
const uploadForm = "/uploads/form?purpose=resume&target=resume_review&next=/";
const tus = "Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream";

const endless: [what: string, head: string, first: string][] = [
  ["a form to a screen", headOf("/login", form, chunked), ""],
  ["JSON to a screen", headOf("/login", "Content-Type: application/json", chunked), ""],
  ["a form to nowhere", headOf("/nowhere", "Content-Type: text/plain", chunked), ""],
  ["a notice of a payment", headOf("/payu-webhook", form, chunked), ""],
  ["a payer's return", headOf("/payment-success", form, chunked), ""],
  ["a file of a visitor", headOf(uploadForm, multipart, chunked), file],
  ["a file", headOf(uploadForm, multipart, chunked, "Cookie"), file],
  [
    "a part of a file",
    headOf("/uploads/none", tus, chunked, "Cookie").replace("POST", "PATCH"),
    "",
  ],
  ["a declaration of a file", headOf("/uploads", tus, "Upload-Length: 9", chunked, "Cookie"), ""],
  ["what a GET has no use for", headOf("/jobs", form, chunked).replace("POST", "GET"), ""],
];

/** Each takes seconds, and some are received in the same way. */
const tried = endless.filter((_row, index) => isLong || [0, 5, 9].includes(index));

test.each(tried)(
  "%s without an end is cut off before it costs anything",
  async (_what, head, first) => {
    const before = await product.memoryAtRest();
    const socket = await open(head.replace("Cookie", `Cookie: ${cookie}`) + chunk(first));
    const sent = await pour(socket);
    say(`${_what}: cut after ${Math.round(sent / 1024 / 1024)} MB`);
    // A browser's request is read to its end, so that it sees the answer; a form with a file takes the longest.
    expect(sent).toBeLessThan(300 * 1024 * 1024);
    const after = await product.memoryAtRest();
    expect(after.heap - before.heap).toBeLessThan(40);
    expect(product.bugs()).toEqual([]);
  },
  120_000,
);

test("headers without an end are refused after 16 KB", async () => {
  const socket = await open("GET /jobs HTTP/1.1\r\nHost: localhost\r\n");
  let answer = "";
  socket.on("data", (part) => (answer += part));
  for (let sent = 0; sent < 1_000 && !socket.destroyed; sent += 1) {
    socket.write(`X-${sent}: ${"y".repeat(1_000)}\r\n`);
    await sleep(1);
  }
  expect(socket.destroyed).toBe(true);
  if (answer) expect(answer).toMatch(/^HTTP\/1\.1 431 /);
});

test("an answer that nobody reads holds nothing up", async () => {
  const readers = await Promise.all(
    Array.from({ length: 30 }, () =>
      open(`GET /jobs HTTP/1.1\r\nHost: localhost:${product.port}\r\n\r\n`.repeat(20)),
    ),
  );
  for (const reader of readers) reader.pause();
  expect(await timesOfVisits()).toBeLessThan(1_500);
});

/** Builds a head that promises more than follows; `Cookie` is a signed-in person's. */
function headOf(path: string, ...headers: string[]): string {
  const origin = "Sec-Fetch-Site: same-origin";
  return [`POST ${path} HTTP/1.1`, "Host: localhost", origin, ...headers, "", ""].join("\r\n");
}

function chunk(text: string): string {
  return text && `${text.length.toString(16)}\r\n${text}\r\n`;
}

async function open(first: string): Promise<Socket> {
  const socket = connect({ port: product.port, host: "127.0.0.1", noDelay: true });
  opened.add(socket);
  socket.on("error", () => {}).on("close", () => opened.delete(socket));
  socket.resume();
  await once(socket, "connect");
  socket.write(first);
  return socket;
}

/** Sends chunks as quickly as they are taken until the connection is cut. @returns how many bytes were taken. */
async function pour(socket: Socket): Promise<number> {
  const piece = Buffer.from(chunk("x".repeat(65_536)));
  const begun = socket.bytesWritten;
  const limit = performance.now() + 60_000;
  while (!socket.destroyed && performance.now() < limit) {
    if (socket.write(piece)) await sleep(0);
    else await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => {});
  }
  expect(socket.destroyed, "still open after a minute").toBe(true);
  return socket.bytesWritten - begun;
}

/** Measures how long a visitor waits for cached and rendered pages: the 95th percentile, in ms. */
async function timesOfVisits(): Promise<number> {
  const took: number[] = [];
  for (let visit = 0; visit < 40; visit += 1) {
    const begun = performance.now();
    const path = visit % 2 === 0 ? "/jobs" : `/login?visit=${visit}`;
    const answer = await fetch(product.origin + path);
    await answer.text();
    expect(answer.status).toBe(200);
    took.push(performance.now() - begun);
  }
  return Math.round(took.toSorted((a, b) => a - b)[37]!);
}
