import * as fs from "node:fs/promises";
import { join } from "node:path";
import { desc, eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { people } from "../../../tests/support/rows/people.ts";
import { s3Service } from "../../../tests/support/servers/s3.ts";
import { testServer } from "../../../tests/support/product/server.ts";
import { visitor } from "../../../tests/support/requests/visitor.ts";
import { tusClient } from "../../../tests/support/requests/tus.ts";
import { megabyte, pdf, pdfOf, png } from "../../../tests/support/requests/uploads.ts";
import { rateLimits } from "../../platform/tables.server.ts";
import { day, hour, now } from "../../platform/clock.ts";
import { getDraft } from "../../review-customer/buy/drafts.server.ts";
import { getFileAddress } from "../rules.ts";
import { openObjects } from "../s3-store.server.ts";
import { storedFiles } from "../tables.server.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { services } from "../../reviews/rules.ts";

/** Two servers with one database and one bucket, so that each can continue the other's uploads. */
const s3 = await s3Service();
const dataDir = ownFolder();
const database = await testDatabase();
const { db } = database;
const env = { DATA_DIR: dataDir, ...s3.env };
const here = await testServer(database, env);
const there = await testServer(database, env);
const { asha, ravi } = await people(db);
const objects = openObjects(s3.settings);
afterAll(() => s3.close());
beforeEach(() => db.delete(rateLimits));

const cookie = await here.cookieOf(asha);
const tusHere = tusClient(here.origin, cookie);
const tusThere = tusClient(there.origin, await there.cookieOf(asha));
const elsewhere = (address: string) => address.replace(here.origin, there.origin);

const resume = { purpose: "resume", target: "resume_review", name: "Asha Verma.pdf" };

async function uploadsInBucket(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objects.list("uploads/")) keys.push(key);
  return keys;
}

test("an upload over two servers becomes one file", async () => {
  const bytes = pdfOf(7 * megabyte);
  const address = await tusHere.begin(resume, bytes.length);
  const other = elsewhere(address);
  expect((await tusThere.send(other, 0, bytes.subarray(0, megabyte))).status).toBe(204);
  const head = await tusHere.head(address);
  expect(head.headers.get("Upload-Offset")).toBe(String(megabyte));
  expect(
    (await tusHere.send(address, megabyte, bytes.subarray(megabyte, 2 * megabyte))).status,
  ).toBe(204);
  const answer = await tusThere.send(other, 2 * megabyte, bytes.subarray(2 * megabyte));
  expect(answer.status).toBe(200);

  const { id } = (await answer.json()) as { id: string };
  expect((await getDraft(db, asha, services.resume_review)).resume!.size).toBe(bytes.length);
  const [file] = await db.select().from(storedFiles).where(eq(storedFiles.id, id));
  const stored = await here.store.open(file!.bucket, file!.path);
  expect(Buffer.from(await new Response(stored!.stream).arrayBuffer()).equals(bytes)).toBe(true);
  expect(await uploadsInBucket()).toEqual([]);
  expect((await tusHere.head(address)).headers.get("Upload-Offset")).toBe(String(bytes.length));
});

test("bytes received before a lost connection are stored", async () => {
  const bytes = pdfOf(3 * megabyte);
  const address = await tusHere.begin(resume, bytes.length);
  await tusHere.send(address, 0, bytes.subarray(0, megabyte));
  await tusHere.sendAndLoseConnection(
    address,
    megabyte,
    bytes.subarray(megabyte, 2 * megabyte),
    2 * megabyte,
  );
  const other = elsewhere(address);
  const offset = Number((await tusThere.head(other)).headers.get("Upload-Offset"));
  expect(offset).toBeGreaterThanOrEqual(megabyte);
  expect((await tusThere.send(other, offset, bytes.subarray(offset))).status).toBe(200);
});

// Covered by "bytes received before a lost connection".
test("a hanging connection releases the upload to another server @slow", async () => {
  const bytes = pdfOf(2 * megabyte);
  const address = await tusHere.begin(resume, bytes.length);
  const part = bytes.subarray(0, megabyte);
  const hanging = await tusHere.sendAndHang(address, 0, part, bytes.length);
  const spool = join(dataDir, "spool");
  await expect
    .poll(async () => {
      const parts = await fs.readdir(spool, { recursive: true, withFileTypes: true });
      const files = parts.filter((part) => part.isFile() && !part.name.includes(".lock"));
      const sizes = await Promise.all(
        files.map((part) => fs.stat(join(part.parentPath, part.name)).then(({ size }) => size)),
      );
      return sizes;
    })
    .toEqual([megabyte]);

  const other = elsewhere(address);
  const offset = Number((await tusThere.head(other)).headers.get("Upload-Offset"));
  expect(offset).toBe(megabyte);
  expect((await tusThere.send(other, offset, bytes.subarray(offset))).status).toBe(200);
  hanging.destroy();
});

test("the last part sent to both servers attaches one file", async () => {
  const address = await tusHere.begin(resume, pdf.length);
  await tusHere.send(address, 0, pdf.subarray(0, 100));
  const before = await db.$count(storedFiles);
  const rest = pdf.subarray(100);
  const ends = await Promise.all([
    tusHere.send(address, 100, rest),
    tusThere.send(elsewhere(address), 100, rest),
  ]);
  expect(ends.map((end) => end.status)).toContain(200);
  for (const end of ends) expect(end.status).toBeLessThan(500);
  expect(await db.$count(storedFiles)).toBe(before + 1);
});

test("a refused file leaves nothing, and another person's upload is hidden", async () => {
  const address = await tusHere.begin(resume, png.length);
  const raviTus = tusClient(there.origin, await there.cookieOf(ravi));
  expect((await raviTus.head(elsewhere(address))).status).toBe(404);
  expect((await raviTus.remove(elsewhere(address))).status).toBe(404);
  expect((await tusThere.send(elsewhere(address), 0, png)).status).toBe(422);
  expect((await tusHere.head(address)).status).toBe(404);
  expect(await uploadsInBucket()).toEqual([]);
});

test("uploads in progress are counted across servers", async () => {
  const started: string[] = [];
  for (let turn = 0; turn < 5; turn++) {
    started.push(await tusHere.begin(resume, 100));
    started.push(await tusThere.begin(resume, 100));
  }
  expect((await tusHere.declare(resume, 100)).status).toBe(429);
  for (const address of started)
    expect((await tusHere.remove(address.replace(there.origin, here.origin))).status).toBe(204);
  expect(await uploadsInBucket()).toEqual([]);
});

test("an upload without activity for a day is deleted", async () => {
  await tusHere.begin(resume, 100);
  const { partials } = here.uploads;
  expect(await partials.removeStale(new Date(now().getTime() - hour))).toBe(0);
  expect(await partials.removeStale(new Date(now().getTime() + day))).toBe(1);
  expect(await uploadsInBucket()).toEqual([]);
});

test("a plain form stores its file in the bucket too", async () => {
  const { sendFile } = visitor(there.origin, await there.cookieOf(asha));
  expect((await sendFile("resume", resume.target, "a.pdf", pdf)).status).toBe(303);
  const [{ path } = { path: "" }] = await db
    .select()
    .from(storedFiles)
    .orderBy(desc(storedFiles.createdAt))
    .limit(1);
  const part = await fetch(here.origin + getFileAddress("resumes", path), {
    headers: { Cookie: cookie, Range: "bytes=0-3" },
  });
  expect(part.status).toBe(206);
  expect(await part.text()).toBe("%PDF");
  expect(part.headers.get("Content-Range")).toBe(`bytes 0-3/${pdf.length}`);
});

test("uploads and downloads answer 503 while the store is unavailable", async () => {
  const address = await tusHere.begin(resume, pdf.length);
  expect((await tusHere.send(address, 0, pdf)).status).toBe(200);
  const [stored] = await db.select().from(storedFiles).limit(1);
  const nobodyListens = "http://127.0.0.1:9";
  const cut = await testServer(database, { ...env, S3_ENDPOINT: nobodyListens });
  const headers = { Origin: cut.origin, Cookie: await cut.cookieOf(asha) };
  expect((await tusClient(cut.origin, headers.Cookie).declare(resume, pdf.length)).status).toBe(
    503,
  );
  const read = await fetch(cut.origin + getFileAddress(stored!.bucket, stored!.path), { headers });
  expect(read.status).toBe(503);
  expect(await read.text()).toBe("Our file storage is unavailable. Please try again in a minute.");
});
