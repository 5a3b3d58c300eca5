import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, expect, test } from "vitest";
import { actAs } from "../support/product/own-product.ts";
import { type Attacked, attackedProduct, isLong, say } from "./attacked.ts";
import { slowCases } from "../support/inventory/selection.ts";

/** Slow and endless requests are cut off and do not delay anyone else. */

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

test(`${many} idle connections and ${many} unfinished requests do not delay other visitors`, async () => {
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
  await visit("/jobs");
  // Unfinished requests are cut at the earliest after 15 seconds, and unfinished forms after 30.
  expect(opened.size).toBeGreaterThan(0);
  const beside = await timesOfVisits();
  say(
    `a visit with ${many * 2} idle connections: ${beside} ms, without: ${alone} ms (95th percentile)`,
  );
  if (!isLong) return;
  const startedAt = performance.now();
  await expect.poll(() => opened.size, { timeout: 90_000, interval: 500 }).toBe(0);
  say(`all were cut after ${Math.round((performance.now() - startedAt) / 1000)} s`);
});

const form = "Content-Type: application/x-www-form-urlencoded";
const multipart = "Content-Type: multipart/form-data; boundary=edge";
const chunked = "Transfer-Encoding: chunked";
const file =
  '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\r\n';
const uploadForm = "/uploads/form?purpose=resume&target=resume_review&next=/";
const tus = "Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream";

type Endless = [what: string, head: string, first: string];

const endless: Endless[] = [
  ["a form to a screen", headOf("/login", form, chunked), ""],
  // Covered by "a form to a screen without an end is cut off before it uses much memory".
  ...slowCases<Endless>([
    ["a visitor's file", headOf(uploadForm, multipart, chunked), file],
    ["a GET with a body", headOf("/jobs", form, chunked).replace("POST", "GET"), ""],
  ]),
];

/** They share the code of others. */
const more: Endless[] = [
  ["JSON to a screen", headOf("/login", "Content-Type: application/json", chunked), ""],
  ["a form to an unknown address", headOf("/nowhere", "Content-Type: text/plain", chunked), ""],
  ["a payment callback", headOf("/payu-webhook", form, chunked), ""],
  ["a return from payment", headOf("/payment-success", form, chunked), ""],
  ["a file", headOf(uploadForm, multipart, chunked, "Cookie"), file],
  [
    "a part of a file",
    headOf("/uploads/none", tus, chunked, "Cookie").replace("POST", "PATCH"),
    "",
  ],
  ["the start of an upload", headOf("/uploads", tus, "Upload-Length: 9", chunked, "Cookie"), ""],
];

test.each([...endless, ...(isLong ? more : [])])(
  "%s without an end is cut off before it uses much memory",
  async (_what, head, first) => {
    const before = await product.memoryAtRest();
    const socket = await open(head.replace("Cookie", `Cookie: ${cookie}`) + chunk(first));
    const sent = await sendUntilCut(socket);
    say(`${_what}: cut after ${Math.round(sent / 1024 / 1024)} MB`);
    expect(sent).toBeLessThan(mostSent);
    const after = await product.memoryAtRest();
    expect(after.heap - before.heap).toBeLessThan(40);
    expect(product.bugs()).toEqual([]);
  },
);

test("endless headers are refused after 16 KB", async () => {
  const socket = await open("GET /jobs HTTP/1.1\r\nHost: localhost\r\n");
  let answer = "";
  socket.on("data", (part) => (answer += part));
  for (let sent = 0; !socket.destroyed; sent += 1) {
    socket.write(`X-${sent}: ${"y".repeat(1_000)}\r\n`);
    await sleep(1);
  }
  if (answer) expect(answer).toMatch(/^HTTP\/1\.1 431 /);
});

test("clients that never read their answers delay nobody", async () => {
  const readers = await Promise.all(
    Array.from({ length: 30 }, () =>
      open(`GET /jobs HTTP/1.1\r\nHost: localhost:${product.port}\r\n\r\n`.repeat(20)),
    ),
  );
  for (const reader of readers) reader.pause();
  await visit("/jobs");
  expect(readers.filter(({ destroyed }) => destroyed)).toEqual([]);
});

/** Builds request headers without a body; `Cookie` is a placeholder for a session. */
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

/** We read a browser's request to the end so that it sees the answer. A form with a file takes the longest. */
const mostSent = 300 * 1024 * 1024;

/** Sends chunks until the connection is cut or it sent too much. @returns the number of bytes sent */
async function sendUntilCut(socket: Socket): Promise<number> {
  const piece = Buffer.from(chunk("x".repeat(65_536)));
  const before = socket.bytesWritten;
  while (!socket.destroyed && socket.bytesWritten - before < mostSent) {
    if (socket.write(piece)) await sleep(0);
    else await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => {});
  }
  return socket.bytesWritten - before;
}

/** Measures the response times of cached and rendered pages. @returns the 95th percentile in ms */
async function timesOfVisits(): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    const startedAt = performance.now();
    await visit(turn % 2 === 0 ? "/jobs" : `/login?visit=${turn}`);
    times.push(performance.now() - startedAt);
  }
  return Math.round(times.toSorted((a, b) => a - b)[37]!);
}

async function visit(path: string): Promise<void> {
  const answer = await fetch(product.origin + path);
  await answer.text();
  expect(answer.status).toBe(200);
}
