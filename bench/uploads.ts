import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { desc, inArray } from "drizzle-orm";
import { openSession, getSessionCookieName } from "../app/accounts/session.server.ts";
import { users } from "../app/accounts/tables.server.ts";
import { type Bucket, getFileAddress } from "../app/files/rules.ts";
import { storedFiles } from "../app/files/tables.server.ts";
import { type RunningProduct, startProduct } from "../tests/journeys/support/product.ts";
import { ownPostgres } from "../tests/support/product/own-postgres.ts";
import { s3Service } from "../tests/support/servers/s3.ts";
import { tusClient } from "../tests/support/requests/tus.ts";

/**
 * `node bench/uploads.ts` measures the product's memory during many large transfers at once: resumable uploads,
 * plain forms, downloads. Memory must stay flat, regardless of file size.
 *
 *   --files 20   how many at once
 *   --megabytes 50
 *   --s3         use a bucket, from an S3 service in this process
 */
const { values } = parseArgs({
  options: {
    files: { type: "string", default: "20" },
    megabytes: { type: "string", default: "50" },
    s3: { type: "boolean", default: false },
  },
});
const megabyte = 1_048_576;
const chunkSize = 5 * megabyte;
const files = Number(values.files);
const page = await readFile("tests/fixtures/files/resume.pdf");
const bytes = Buffer.concat([
  page,
  Buffer.alloc(Number(values.megabytes) * megabyte - page.length, " "),
]);
const postgres = await ownPostgres({ durable: true });
const s3 = values.s3 ? await s3Service() : null;
const product = await startProduct(s3?.env);
try {
  const uploaders = [
    "asha@example.com",
    "ravi@example.com",
    "sonia@example.com",
    "kabir@example.in",
  ];
  const cookies = await sessionsOf(product, uploaders);
  const [admin = ""] = await sessionsOf(product, ["gita@example.in"]);
  const turns = Array.from({ length: files }, (_, turn) => cookies[turn % cookies.length]!);
  console.log(`${files} files of ${values.megabytes} MB at once; resident memory in MB\n`);
  await measure("resumable", () => Promise.all(turns.map(upload)));
  await measure("plain forms", () => Promise.all(turns.map(sendForm)));
  const rows = await product.db
    .select()
    .from(storedFiles)
    .orderBy(desc(storedFiles.createdAt))
    .limit(files);
  await measure("downloads", () =>
    Promise.all(rows.map(({ bucket, path }) => download(admin, bucket, path))),
  );
} finally {
  await product.stop();
  await s3?.close();
  await postgres.end();
}

async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const before = await residentMegabytes(product);
  let peak = before;
  const watching = setInterval(async () => {
    peak = Math.max(peak, await residentMegabytes(product));
  }, 50);
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(watching);
  const rate = ((files * Number(values.megabytes)) / seconds).toFixed(0);
  console.log(
    `${name.padEnd(12)} before ${before}, peak ${peak}; ${seconds.toFixed(1)} s, ${rate} MB/s`,
  );
}

async function upload(cookie: string): Promise<void> {
  const tus = tusClient(product.origin, cookie);
  const declared = { purpose: "portfolio", target: "portfolio_review", name: "book.pdf" };
  const address = await tus.begin(declared, bytes.length);
  for (let offset = 0; offset < bytes.length; offset += chunkSize) {
    const response = await tus.send(address, offset, bytes.subarray(offset, offset + chunkSize));
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  }
}

async function sendForm(cookie: string): Promise<void> {
  const query = new URLSearchParams({
    purpose: "portfolio",
    target: "portfolio_review",
    next: "/sent",
  });
  const headers = {
    Origin: product.origin,
    Cookie: cookie,
    "Content-Type": "multipart/form-data; boundary=edge",
  };
  const sending = request(`${product.origin}/uploads/form?${query}`, { method: "POST", headers });
  Readable.from(formParts()).pipe(sending);
  const [response] = (await once(sending, "response")) as [IncomingMessage];
  response.resume();
  if (response.statusCode !== 303) throw new Error(`${response.statusCode} for a form`);
}

function* formParts(): Generator<Buffer> {
  yield Buffer.from(
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="book.pdf"\r\n\r\n',
  );
  for (let offset = 0; offset < bytes.length; offset += megabyte)
    yield bytes.subarray(offset, offset + megabyte);
  yield Buffer.from("\r\n--edge--\r\n");
}

async function download(cookie: string, bucket: Bucket, path: string): Promise<void> {
  const response = await fetch(product.origin + getFileAddress(bucket, path), {
    headers: { Cookie: cookie },
  });
  if (!response.ok) throw new Error(String(response.status));
  for await (const _part of response.body!) continue;
}

async function sessionsOf(running: RunningProduct, emails: string[]): Promise<string[]> {
  const people = await running.db
    .select({ userId: users.id })
    .from(users)
    .where(inArray(users.email, emails));
  return Promise.all(
    people.map(async ({ userId }) => {
      const { token } = await openSession(running.db, userId);
      return `${getSessionCookieName(running)}=${token}`;
    }),
  );
}

async function residentMegabytes({ pid }: RunningProduct): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
