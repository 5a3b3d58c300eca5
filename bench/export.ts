import { createHash, randomFillSync, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { users } from "../app/accounts/tables.server.ts";
import { createDiskStore } from "../app/files/disk-store.server.ts";
import { formatBytes } from "../app/files/rules.ts";
import { serveFile } from "../app/files/serve-file.server.ts";
import { storedFiles } from "../app/files/tables.server.ts";
import { writeArchive } from "../app/own-data/export/archive.server.ts";
import { now, second } from "../app/platform/clock.ts";
import { openDatabase, taskLimits } from "../app/platform/database.server.ts";
import { prepareDatabase } from "../db/prepare-database.ts";
import { ownPostgres } from "../tests/support/product/own-postgres.ts";

/**
 * `npm run bench -- export` measures the memory of an export of large files, which is interrupted halfway and begins
 * again, and of its download, which is interrupted and resumes.
 *
 *   --megabytes 2048   the size of all files together
 */
const { values } = parseArgs({ options: { megabytes: { type: "string", default: "2048" } } });
const megabyte = 1_048_576;
const fileSize = 32 * megabyte;
const maxGrowth = 64 * megabyte;
const count = Math.ceil((Number(values.megabytes) * megabyte) / fileSize);

const folder = await mkdtemp(join(tmpdir(), "naksha-export-bench-"));
const postgres = await ownPostgres({ durable: false });
try {
  const url = process.env.TEST_DATABASE_URL!;
  await prepareDatabase(url);
  const database = openDatabase(url, { max: 5, limits: taskLimits });
  const { db } = database;
  const store = createDiskStore(join(folder, "files"));
  const person = { id: randomUUID(), email: "bench@example.com" };
  const at = { createdAt: now(), updatedAt: now() };
  await db.insert(users).values({ ...person, ...at, name: "Bench", emailVerified: true });
  const parts = {
    db,
    store,
    pdfs: { make: async () => "It has no pages." },
    product: { name: "Naksha", origin: "http://localhost" },
  };
  const target = join(folder, "export.zip");
  const write = (signal: AbortSignal) =>
    writeArchive(parts, { person, reviews: [], target, signal });
  /** Stores a file of random bytes, which can't be compressed. */
  const addFile = async (index: number) => {
    const path = `${person.id}/${index}.pdf`;
    const source = join(folder, "source");
    await writeFile(source, randomFillSync(Buffer.allocUnsafe(fileSize)));
    await store.put("portfolios", path, source);
    await db.insert(storedFiles).values({
      bucket: "portfolios",
      path,
      uploadedBy: person.id,
      originalName: `Portfolio ${index}.pdf`,
      mimeType: "application/pdf",
      size: fileSize,
      createdAt: now(),
    });
  };
  // Loads everything that a first export loads.
  await write(new AbortController().signal);
  for (let index = 0; index < count; index++) await addFile(index);
  console.log(`${count} files of ${formatBytes(fileSize)} each\n`);

  await measure("written until it was interrupted halfway", async () => {
    const stop = new AbortController();
    const watching = setInterval(async () => {
      const { size } = await stat(target).catch(() => ({ size: 0 }));
      if (size > (count * fileSize) / 2) stop.abort();
    }, 50);
    await write(stop.signal).then(
      () => console.log("It ended before it was interrupted."),
      () => {},
    );
    clearInterval(watching);
  });
  await measure("written again", async () => {
    const { size, missing } = await write(new AbortController().signal);
    console.log(`  ${formatBytes(size)}, ${missing} missing`);
  });

  await store.put("derived", "exports/bench.zip", target);
  const { size } = await stat(target);
  const sum = createHash("sha256");
  /** Reads bytes until a limit, and adds them to the sum. @returns their number and the file's tag */
  const read = async (headers: Record<string, string>, limit: number) => {
    const request = new Request("http://localhost/export.zip", { headers });
    const response = await serveFile(request, store, {
      bucket: "derived",
      path: "exports/bench.zip",
      mimeType: "application/zip",
      originalName: "export.zip",
      size,
      showable: false,
    });
    let received = 0;
    for await (const chunk of response.body!) {
      sum.update(chunk);
      received += chunk.length;
      if (received > limit) break;
    }
    return { received, tag: response.headers.get("etag")! };
  };
  await measure("downloaded, interrupted halfway and resumed", async () => {
    const { received, tag } = await read({}, size / 2);
    await read({ range: `bytes=${received}-`, "if-range": tag }, Infinity);
  });
  const expected = createHash("sha256");
  for await (const chunk of createReadStream(target)) expected.update(chunk as Buffer);
  const isSame = sum.digest("hex") === expected.digest("hex");
  console.log(`The download is ${isSame ? "the same as" : "different from"} the file.`);
  if (!isSame) process.exitCode = 1;
  await database.close();
} finally {
  await postgres.end();
  await rm(folder, { recursive: true });
}

/** Runs the work, and prints its time and by how much the memory of this process grew. */
async function measure(label: string, work: () => Promise<void>): Promise<void> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  const startedAt = performance.now();
  await work();
  clearInterval(watching);
  const seconds = (performance.now() - startedAt) / second;
  const growth = peak - before;
  console.log(
    `${label}: ${seconds.toFixed(1)} s, memory + ${formatBytes(growth)}, limit ${formatBytes(maxGrowth)}`,
  );
  if (growth > maxGrowth) process.exitCode = 1;
}
