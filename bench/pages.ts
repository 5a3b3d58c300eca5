import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { desc, eq } from "drizzle-orm";
import { openSession, getSessionCookieName } from "../app/accounts/session.server.ts";
import { users } from "../app/accounts/tables.server.ts";
import { formatBytes } from "../app/files/rules.ts";
import { storedFiles } from "../app/files/tables.server.ts";
import { openDatabase } from "../app/platform/database.server.ts";
import { createLog } from "../app/platform/log.server.ts";
import { startTasks } from "../app/platform/tasks.server.ts";
import { ensurePages, listPages } from "../app/annotations/document-pages/pages.server.ts";
import { type RunningProduct, startProduct } from "../tests/journeys/support/product.ts";
import { signInByCookie } from "../tests/journeys/support/test.ts";
import { findChromium } from "../tests/support/product/chromium.ts";
import { freePorts } from "../tests/support/product/free-ports.ts";
import { ownPostgres } from "../tests/support/product/own-postgres.ts";
import { largePortfolio } from "../tests/support/documents/large-portfolio.ts";
import { assignment, review as addReview } from "../tests/support/rows/reviews.ts";
import { tusClient } from "../tests/support/requests/tus.ts";

/**
 * `npm run bench -- pages` measures how long rendering a large portfolio takes, the event loop delay of the server
 * process meanwhile, and how soon its reviewer sees the first page.
 *
 *   --pages 40
 *   --megabytes 50   approximate size of the file
 */
const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "40" },
    megabytes: { type: "string", default: "50" },
  },
});
const rounds = 5;
const megabyte = 1_048_576;
const chunkSize = 5 * megabyte;
const postgres = await ownPostgres({ durable: true });
const metricsPort = await freePorts(1);
const product = await startProduct({ METRICS_PORT: String(metricsPort) });
try {
  const portfolio = await largePortfolio(Number(values.pages), Number(values.megabytes) * megabyte);
  console.log(`A portfolio of ${values.pages} pages, ${formatBytes(portfolio.length)}\n`);
  await upload(product, portfolio);
  const [file] = await product.db
    .select()
    .from(storedFiles)
    .orderBy(desc(storedFiles.createdAt))
    .limit(1);
  await measureRendering(product, file!.path);
  await measureOpening(product, file!.path);
} finally {
  await product.stop();
  await postgres.end();
}

async function measureRendering({ db }: RunningProduct, path: string): Promise<void> {
  const review = { resumeFilePath: null, portfolioFilePath: path };
  await queue(review);
  await eventLoopDelay();
  const startedAt = performance.now();
  let first: number | null = null;
  for (;;) {
    const [part] = await listPages(db, review);
    if (part!.pages.length > 0) first ??= performance.now() - startedAt;
    if (!part!.isComing) {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`all ${part!.pages.length} pages after ${seconds} s  ${part!.notice ?? ""}`);
      break;
    }
    await sleep(50);
  }
  console.log(`first page after ${(first! / 1000).toFixed(1)} s`);
  console.log(`event loop delay, 99th percentile: ${(await eventLoopDelay()).toFixed(0)} ms`);
}

/** Measures from the request for the workspace to a complete picture, in a new browser. */
async function measureOpening({ db, origin }: RunningProduct, path: string): Promise<void> {
  const [asha] = await db.select().from(users).where(eq(users.email, "asha@example.com"));
  const [meera] = await db.select().from(users).where(eq(users.email, "meera@example.in"));
  const { id } = await addReview(db, asha!, { status: "under_review", portfolioFilePath: path });
  await assignment(db, id, meera!);
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext({ baseURL: origin });
    await signInByCookie(context, product, meera!.email);
    const page = await context.newPage();
    const startedAt = performance.now();
    await page.goto(`/reviewer/submission/${id}`, { waitUntil: "commit" });
    await page.waitForFunction(() => {
      const picture = document.querySelector<HTMLImageElement>(".sheets_list img");
      return picture?.complete && picture.naturalWidth > 0;
    });
    times.push(performance.now() - startedAt);
    await context.close();
  }
  await browser.close();
  const median = times.toSorted((one, other) => one - other)[rounds >> 1]!;
  console.log(
    `the first page in a reviewer's browser: ${median.toFixed(0)} ms, median of ${rounds}`,
  );
}

async function queue(review: Parameters<typeof ensurePages>[1]): Promise<void> {
  const url = new URL(process.env.TEST_DATABASE_URL!);
  url.pathname = `/${await databaseName()}`;
  const database = openDatabase(url.href, { max: 2 });
  const stop = await startTasks(database, [], createLog("error"), { work: false });
  await ensurePages(database.db, review);
  await stop();
  await database.close();
}

async function databaseName(): Promise<string> {
  const { rows } = await product.db.execute<{ name: string }>("select current_database() as name");
  return rows[0]!.name;
}

/** Returns the delay in milliseconds since the last call. */
async function eventLoopDelay(): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const [, seconds] = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await response.text()) ?? [];
  return Number(seconds) * 1000;
}

async function upload(running: RunningProduct, bytes: Buffer): Promise<void> {
  const [asha] = await running.db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, "asha@example.com"));
  const { token } = await openSession(running.db, asha!.id);
  const tus = tusClient(running.origin, `${getSessionCookieName(running)}=${token}`);
  const declared = { purpose: "portfolio", target: "portfolio_review", name: "book.pdf" };
  const address = await tus.begin(declared, bytes.length);
  for (let offset = 0; offset < bytes.length; offset += chunkSize) {
    const response = await tus.send(address, offset, bytes.subarray(offset, offset + chunkSize));
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  }
}
