import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { jobs } from "../../app/jobs/tables.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { serviceReviews } from "../../app/reviews/tables.server.ts";
import { handlers } from "../support/inventory/handlers.ts";
import { actAs } from "../support/product/own-product.ts";
import { type Attacked, attackedProduct, isLong, requests, say, seed } from "./attacked.ts";
import { type Asked, bytesOf, garbled, malformed } from "./requests.ts";
import { answersIn, ask, exchange } from "./wire.ts";

/** The product answers any bytes with a clear status, reveals no internals and leaks no memory. */

const admin = "gita@example.in";
const people = ["asha@example.com", "meera@example.in", "devi@example.in", admin];
/**
 * The number of concurrent requests, and of requests between two sign-ins: some requests sign people out.
 */
const atOnce = isLong ? 24 : 8;
const batch = 1_000;
/** In MB. Compiled code and freed memory stay with the process; a leak grows beyond any limit. */
const mostHeap = 60;
const mostResident = 250;

let product: Attacked;
let cases: fc.Arbitrary<{ asked: Asked; bytes: Buffer | null }>;

beforeAll(async () => {
  product = await attackedProduct();
  const { db, origin } = product;
  const ids = [
    ...(await db.select({ id: jobs.id }).from(jobs).limit(5)),
    ...(await db.select({ id: serviceReviews.id }).from(serviceReviews).limit(5)),
    ...(await db.select({ id: orders.orderId }).from(orders).limit(5)),
  ].map(({ id }) => id);
  const paths = Object.keys(handlers).map((row) => row.split(" ")[1]!);
  const plain = malformed(origin, paths, ids, ["", ...people]);
  cases = fc.oneof(
    { weight: 4, arbitrary: plain.map((one) => ({ asked: one, bytes: null })) },
    { weight: 1, arbitrary: garbled(plain) },
  );
});

test(`${requests} malformed requests cause no failure, reveal no secret and leak no memory`, async () => {
  const counts = new Map<string, number>();
  const pulse = watchPulse();
  const warmUp = Math.max(200, Math.floor(requests / 10));
  const problems = await attack(warmUp, seed, counts);
  const before = await product.memoryAtRest();
  problems.push(...(await attack(requests - warmUp, seed + 1_000_000, counts)));
  const after = await product.memoryAtRest();
  const { p99, longest } = await pulse.end();

  say(
    `answers: ${[...counts]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([status, count]) => `${status} × ${count}`)
      .join(", ")}`,
  );
  say(
    `heap ${before.heap} MB → ${after.heap} MB; resident ${before.resident} MB → ${after.resident} MB`,
  );
  say(`meanwhile /livez answered in ${p99} ms (99th percentile), ${longest} ms at most`);
  expect(problems).toEqual([]);
  expect(product.bugs()).toEqual([]);
  expect(after.heap - before.heap).toBeLessThan(mostHeap);
  expect(after.resident - before.resident).toBeLessThan(mostResident);
}, 86_400_000);

const inner = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
const postLogin = "POST /login HTTP/1.1\r\nHost: localhost\r\n";
const chunked = "Transfer-Encoding: chunked\r\n";
const end = "0\r\n\r\n";

/** Requests that two consecutive servers may parse differently. */
const ambiguous: [what: string, sent: string][] = [
  ["a length and chunks", `${postLogin}Content-Length: 4\r\n${chunked}\r\n${end}${inner}`],
  ["chunks and a length", `${postLogin}${chunked}Content-Length: 6\r\n\r\n${end}${inner}`],
  ["two lengths", `${postLogin}Content-Length: 0\r\nContent-Length: 9\r\n\r\n${inner}`],
  ["a list of lengths", `${postLogin}Content-Length: 0, 9\r\n\r\n${inner}`],
  ["a signed length", `${postLogin}Content-Length: +0\r\n\r\n${inner}`],
  ["a length that overflows", `${postLogin}Content-Length: 18446744073709551616\r\n\r\n${inner}`],
  ["a hexadecimal length", `${postLogin}Content-Length: 0x0\r\n\r\n${inner}`],
  ["a space before the colon", `${postLogin}Transfer-Encoding : chunked\r\n\r\n${end}${inner}`],
  ["a space before the name", `${postLogin} Transfer-Encoding: chunked\r\n\r\n${end}${inner}`],
  [
    "a folded header",
    `${postLogin}Transfer-Encoding:\r\n chunked\r\nContent-Length: 0\r\n\r\n${end}${inner}`,
  ],
  [
    "another encoding last",
    `${postLogin}Transfer-Encoding: chunked, identity\r\n\r\n${end}${inner}`,
  ],
  ["an unknown encoding", `${postLogin}Transfer-Encoding: xchunked\r\n\r\n${end}${inner}`],
  [
    "a vertical tab in an encoding",
    `${postLogin}Transfer-Encoding: \u000bchunked\r\n\r\n${end}${inner}`,
  ],
  ["a bare CR in a header", `${postLogin}X: a\rTransfer-Encoding: chunked\r\n\r\n${end}${inner}`],
  ["a NUL in a header", `${postLogin}X: a\u0000b\r\n\r\n${inner}`],
  ["lines that end with a bare LF", `GET /livez HTTP/1.1\nHost: localhost\n\n${inner}`],
  ["a chunk size with a sign", `${postLogin}${chunked}\r\n+0\r\n\r\n${inner}`],
  ["an invalid chunk size", `${postLogin}${chunked}\r\n0x0\r\n\r\n${inner}`],
  ["a chunk that is longer than its size", `${postLogin}${chunked}\r\n1\r\nab\r\n${end}${inner}`],
  ["a chunk size that overflows", `${postLogin}${chunked}\r\n10000000000000000\r\n${end}${inner}`],
  ["a chunk line that ends with a bare LF", `${postLogin}${chunked}\r\n0\n\n${inner}`],
  [
    "an endless chunk extension",
    `${postLogin}${chunked}\r\n0;${"x".repeat(20_000)}\r\n\r\n${inner}`,
  ],
  ["an unknown version", `GET /livez HTTP/1.2\r\nHost: localhost\r\n\r\n${inner}`],
  ["a method with a space", `GE T /livez HTTP/1.1\r\nHost: localhost\r\n\r\n${inner}`],
  ["a line before the request", `\u0000\r\n${inner}`],
  ["an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["a TLS handshake", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"],
  [
    "too many headers",
    `GET / HTTP/1.1\r\nHost: localhost\r\n${"X: y\r\n".repeat(5_000)}\r\n${inner}`,
  ],
];

test.each(ambiguous)(
  "%s is refused, and the bytes after it are not read as a request",
  async (_what, sent) => {
    const { bytes, isClosed } = await exchange(product.port, Buffer.from(sent, "latin1"), false);
    expect(isClosed).toBe(true);
    const statuses = answersIn(bytes).map(({ status }) => status);
    expect(
      statuses.every((status) => status >= 400 && status < 500),
      statuses.join(" "),
    ).toBe(true);
    expect(statuses.length).toBeLessThan(2);
  },
);

test("two pipelined requests are answered in order", async () => {
  const form = "email=a%40example.com";
  const first = `${postLogin}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`;
  const last = inner.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
  const { bytes } = await exchange(product.port, Buffer.from(first + last));
  expect(answersIn(bytes).map(({ body }) => body === "ok")).toEqual([false, true]);
});

test("a path with thousands of segments is refused before routing", async () => {
  const host = { Host: new URL(product.origin).host };
  const routed = await ask(product.port, "GET", "/nowhere", host);
  const refused = await ask(product.port, "GET", `/${"a/".repeat(7_000)}`, host);
  expect([routed.status, refused.status]).toEqual([404, 404]);
  // A page comes from the router.
  expect(routed.body).toContain("<html");
  expect(refused.body).toBe("Not found");
});

test("a form in chunks over the limit is refused", async () => {
  const long = `110000\r\n${"x".repeat(0x110000)}\r\n${end}`;
  for (const path of ["/login", "/payu-webhook"]) {
    const head = `${postLogin.replace("/login", path)}Connection: close\r\n${chunked}`;
    const type = "Content-Type: application/x-www-form-urlencoded\r\n\r\n";
    const { bytes } = await exchange(product.port, Buffer.from(head + type + long));
    const statuses = answersIn(bytes).map(({ status }) => status);
    expect(statuses, path).toEqual([413]);
  }
});

test("a connection that closes during a form logs no error", async () => {
  for (const path of ["/login", "/contact", "/payu-webhook", "/demo/act-as", "/nowhere"]) {
    for (const type of ["application/x-www-form-urlencoded", "text/plain"]) {
      const head = `${postLogin.replace("/login", path)}Content-Type: ${type}\r\n`;
      const half = Buffer.from(`${head}Content-Length: 99\r\n\r\nhalf`);
      await exchange(product.port, half, false);
    }
  }
  expect(product.bugs()).toEqual([]);
});

test("bugs found by long attacks stay fixed", async () => {
  const host = { Host: new URL(product.origin).host };
  const form = { ...host, "Content-Type": "application/x-www-form-urlencoded" };
  const anonymous = { ...form, Origin: "" };
  expect((await ask(product.port, "POST", "/login", anonymous, "email=a")).status).toBe(403);
  expect((await ask(product.port, "POST", "/login.data", anonymous, "email=a")).status).toBe(403);
  const unbounded = { ...host, Origin: product.origin, "Content-Type": "multipart/form-data" };
  expect((await ask(product.port, "POST", "/demo/act-as", unbounded, "email=a")).status).toBe(415);
  for (const [person, path] of [
    ["asha@example.com", "/service-review/none"],
    ["asha@example.com", "/service-review/none/share"],
    ["meera@example.in", "/reviewer/submission/none"],
    ["gita@example.in", "/admin/reviews/none/remarks"],
  ] as const) {
    const Cookie = await actAs(product.origin, person);
    const { status } = await ask(product.port, "GET", path, { ...host, Cookie });
    expect(status, path).toBeLessThan(500);
  }
  expect(product.bugs()).toEqual([]);
});

/** @returns the problems with their requests, at most ten of each thousand */
async function attack(count: number, from: number, counts: Map<string, number>): Promise<string[]> {
  const problems: string[] = [];
  for (let done = 0; done < count; done += batch) {
    const cookies = new Map<string, string>([["", ""]]);
    for (const person of people) cookies.set(person, await actAs(product.origin, person));
    const sessions = [...cookies.values()].filter(Boolean);
    const sample = fc.sample(cases, { numRuns: Math.min(batch, count - done), seed: from + done });
    const found: string[] = [];
    const workers = Array.from({ length: atOnce }, async () => {
      for (let one = sample.pop(); one; one = sample.pop()) {
        const bytes = one.bytes ?? bytesOf(one.asked, cookies.get(one.asked.as)!);
        const known = one.asked.as === admin ? product.hidden : product.secrets;
        const secrets = [...known, ...sessions];
        const problem = await send(bytes, one.asked, one.bytes === null, secrets, counts);
        if (problem)
          found.push(`${problem}: ${JSON.stringify(bytes.toString("latin1").slice(0, 1_500))}`);
      }
    });
    await Promise.all(workers);
    problems.push(...found.slice(0, 10));
  }
  return problems;
}

async function send(
  bytes: Buffer,
  { method, isWhole }: Asked,
  isAsWritten: boolean,
  secrets: string[],
  counts: Map<string, number>,
): Promise<string | null> {
  const { bytes: received, isClosed } = await exchange(product.port, bytes, isWhole && isAsWritten);
  const answers = answersIn(received, method === "HEAD");
  const status = answers[0]?.status ?? "none";
  counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
  if (!isClosed) return "left open";
  const failed = answers.find((answer) => answer.status >= 500);
  if (failed) return `${failed.status} ${failed.body.slice(0, 200)}`;
  const text = received.toString("latin1") + answers.map(({ body }) => body).join();
  const [leak] = [
    ...secrets.filter((secret) => text.includes(secret)),
    ...(inside.exec(text) ?? []),
  ];
  return leak ? `shows ${leak}` : null;
}

/** Matches internals that must not leak: stack traces, source files, queries and database errors. */
const inside =
  /\n\s+at \S+ \(|node:internal|node_modules|\.server\.tsx?\b|\/build\/server|QueryFailed|PostgresError|DrizzleQueryError|syntax error at|invalid input syntax|violates \w+ constraint|\bselect ".+ from "|ECONNREFUSED|ENOENT/;

/** Requests /livez continuously during an attack and measures the response times. */
function watchPulse() {
  const took: number[] = [];
  const watch = { isOver: false };
  const beating = (async () => {
    while (!watch.isOver) {
      const startedAt = performance.now();
      const answer = await fetch(`http://127.0.0.1:${product.port}/livez`);
      if ((await answer.text()) !== "ok") throw new Error(`/livez answered ${answer.status}`);
      took.push(performance.now() - startedAt);
    }
  })();
  return {
    async end() {
      watch.isOver = true;
      await beating;
      const sorted = took.toSorted((a, b) => a - b).map(Math.round);
      return { p99: sorted[Math.floor(sorted.length * 0.99)]!, longest: sorted.at(-1)! };
    },
  };
}
