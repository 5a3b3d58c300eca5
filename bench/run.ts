import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, get, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { eq } from "drizzle-orm";
import { openSession, getSessionCookieName } from "../app/accounts/session.server.ts";
import { users } from "../app/accounts/tables.server.ts";
import { jobs } from "../app/jobs/tables.server.ts";
import { now } from "../app/platform/clock.ts";
import { insertManyJobs, knownWords } from "../db/demo/many-jobs.server.ts";
import { insertManyReviews } from "../db/demo/many-reviews.server.ts";
import { type RunningProduct, startProduct } from "../tests/journeys/support/product.ts";
import { ownPostgres } from "../tests/support/product/own-postgres.ts";

/**
 * `npm run bench` measures requests per second and latencies of important pages, with 1,000 and 200,000 jobs and
 * as many people and reviews (at most 100,000). Each is also a ratio to a bare server in the same run: one that
 * responds with "hello", and one that sends the page's bytes and headers. Machines differ and are noisy, but
 * ratios within one run are comparable.
 *
 *   --seconds 5      how long each page is requested
 *   --jobs 1000,200000
 */
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    jobs: { type: "string", default: "1000,200000" },
  },
});
const duration = Number(values.seconds);
const connections = 10;
const maxReviews = 100_000;
/** The Accept-Encoding header of a current browser. */
const acceptedEncodings = "gzip, deflate, br, zstd";

const postgres = await ownPostgres({ durable: true });
const bare = await bareServer();
try {
  for (const count of values.jobs.split(",").map(Number)) await measureAt(count);
} finally {
  bare.close();
  await postgres.end();
}

async function measureAt(count: number): Promise<void> {
  // Otherwise its tasks email the contacts of a thousand new jobs meanwhile.
  const product = await startProduct({ ROLE: "web" });
  try {
    await insertManyJobs(product.db, count, now());
    await insertManyReviews(product.db, Math.min(count, maxReviews), now());
    const memory = await residentMegabytes(product.pid);
    console.log(`\n${count.toLocaleString("en-IN")} jobs; ${memory} MB resident when idle\n`);
    console.log(line(["page", "req/s", "of hello", "of bare", "p50 ms", "p99 ms"]));
    for (const [name, request] of await pages(product)) {
      const url = `${product.origin}${request.path}`;
      const headers = { ...request.headers, "accept-encoding": acceptedEncodings };
      bare.send({ body: "hello", headers: {} });
      const hello = await load(bare.url, {});
      bare.send(await sentBy(url, headers));
      const same = await load(bare.url, headers);
      const { requests, latency, non2xx } = await load(url, headers);
      const rate = requests.average;
      const shares = [hello, same].map(
        (other) => `${((rate / other.requests.average) * 100).toFixed(1)} %`,
      );
      const failures = non2xx > 0 ? `  ${non2xx} responses were not 2xx` : "";
      console.log(
        line([name, rate.toFixed(0), ...shares, String(latency.p50), String(latency.p99)]) +
          failures,
      );
    }
  } finally {
    await product.stop();
  }
}

type PageRequest = { path: string; headers?: Record<string, string> };

async function pages(product: RunningProduct): Promise<[string, PageRequest][]> {
  const [job] = await product.db
    .select({ id: jobs.id })
    .from(jobs)
    .where(eq(jobs.isArchived, false))
    .limit(1);
  const cookie = await sessionOf(product, "asha@example.com");
  const admin = { cookie: await sessionOf(product, "gita@example.in") };
  return [
    ["board, visitor", { path: "/jobs" }],
    ["board, signed in", { path: "/jobs", headers: { cookie } }],
    ["job, visitor", { path: `/jobs/${job!.id}` }],
    ["job, signed in", { path: `/jobs/${job!.id}`, headers: { cookie } }],
    ["search, rare word", { path: `/jobs?search=${knownWords.rare}`, headers: { cookie } }],
    ["search, common word", { path: `/jobs?search=${knownWords.common}`, headers: { cookie } }],
    ["search, no match", { path: "/jobs?search=nothing-like-it", headers: { cookie } }],
    ["profile, signed in", { path: "/profile", headers: { cookie } }],
    ["users, admin", { path: "/admin/users", headers: admin }],
    ["users searched, admin", { path: "/admin/users?search=sharma", headers: admin }],
    ["pending, admin", { path: "/admin/reviews", headers: admin }],
    ["assigned, admin", { path: "/admin/reviews/assigned", headers: admin }],
    ["completed, admin", { path: "/admin/reviews/completed", headers: admin }],
    ["history, admin", { path: "/admin/history", headers: admin }],
  ];
}

async function sessionOf(product: RunningProduct, email: string): Promise<string> {
  const [user] = await product.db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, email));
  const { token } = await openSession(product.db, user!.id);
  return `${getSessionCookieName(product)}=${token}`;
}

function load(url: string, headers: Record<string, string>): Promise<autocannon.Result> {
  return autocannon({ url, headers, connections, duration });
}

type RawResponse = { body: string | Buffer; headers: OutgoingHttpHeaders };

/** Fetches the compressed bytes of a response and its headers. */
async function sentBy(url: string, headers: Record<string, string>): Promise<RawResponse> {
  const [response] = (await once(get(url, { headers }), "response")) as [IncomingMessage];
  const { date: _date, connection: _connection, "keep-alive": _keep, ...own } = response.headers;
  return { body: await buffer(response), headers: own };
}

/** Starts a server that responds to every request with the same bytes. */
async function bareServer() {
  let answer: RawResponse = { body: "hello", headers: {} };
  const server = createServer((_request, response) => {
    response.writeHead(200, answer.headers).end(answer.body);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    send: (next: RawResponse) => {
      answer = next;
    },
    close: () => server.close(),
  };
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

function line(cells: string[]): string {
  const [name = "", ...numbers] = cells;
  return name.padEnd(22) + numbers.map((cell) => cell.padStart(10)).join("");
}
