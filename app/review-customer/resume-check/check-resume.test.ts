import { readdir, readFile } from "node:fs/promises";
import { request } from "node:http";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { hour, minute, now } from "../../platform/clock.ts";
import { rateLimits } from "../../platform/tables.server.ts";
import { type Answer, plainFetch } from "../../../tests/support/requests/plain-fetch.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { runningApp } from "../../../tests/support/product/running.ts";

// Attempts are counted per clock hour, so the hour must not end during a test.
const moment = Math.floor(now().getTime() / hour) * hour + minute;
const stopClock = () => vi.useFakeTimers({ toFake: ["Date"], now: moment });
stopClock();

const dataDir = ownFolder();
const { db, origin } = await runningApp(undefined, {
  DATA_DIR: dataDir,
  RATE_LIMITS: "on",
  TRUSTED_PROXIES: "127.0.0.1,::1,::ffff:127.0.0.1",
});
const resume = await readFile("tests/fixtures/files/resume.pdf");

beforeEach(async () => {
  stopClock();
  await db.execute(sql`delete from rate_limits`);
});

let networks = 0;
/** Returns the address of another network. */
const nextNetwork = () => `192.0.2.${(networks += 1)}`;

function check(
  bytes: Buffer,
  { network = nextNetwork(), path = "/services/resume-check", name = "asha.pdf" } = {},
): Promise<Answer> {
  const body = new FormData();
  body.append("file", new Blob([new Uint8Array(bytes)]), name);
  const headers = { origin, "x-forwarded-for": network };
  return plainFetch(origin + path, { method: "POST", headers, body });
}

/** Counts the rows of every table except those that tasks write. */
async function countRows() {
  const { rows } = await db.execute<{ name: string; rows: string }>(sql`
    select table_name as name, (xpath('/table/row/rows/text()', query_to_xml(
      format('select count(*) as rows from %I', table_name), false, false, '')))[1]::text as rows
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('board_counts', 'search_words', 'rate_limits', 'leases')`);
  return rows;
}

test("a visitor reads what software reads, and nothing is stored", async () => {
  const [rows, files] = [await countRows(), await listFiles()];
  const answer = await check(resume);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const page = await answer.text();
  expect(page).toContain("asha.pdf");
  expect(page).toContain("All text can be selected.");
  expect(page).toContain("Meera Iyer");
  expect(await countRows()).toEqual(rows);
  expect(await listFiles()).toEqual(files);
});

function listFiles(): Promise<string[]> {
  return readdir(dataDir, { recursive: true });
}

test("scripts get the same result as data", async () => {
  const answer = await check(resume, { path: "/services/resume-check.data" });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("All text can be selected.");
});

test.each<[string, Buffer, string]>([
  ["an empty file", Buffer.alloc(0), "This file is empty."],
  ["a file of 11 MB", Buffer.alloc(11 * 1_048_576, "%PDF-"), "This file is larger than 10 MB."],
  ["another type of file", Buffer.from("PK\u0003\u0004"), "This file is not a PDF."],
])("%s is refused at the field", async (_what, bytes, message) => {
  const answer = await check(bytes);
  expect(answer.status).toBe(422);
  const page = await answer.text();
  expect(page).toContain(message);
  expect(page).toContain('aria-invalid="true"');
});

test.each([
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
])("a form without a file as %s is refused", async (type) => {
  const headers = { origin, "content-type": type, "x-forwarded-for": nextNetwork() };
  const answer = await plainFetch(`${origin}/services/resume-check`, {
    method: "POST",
    headers,
    body: "file=x",
  });
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain("Please");
});

test("another screen accepts no files", async () => {
  expect((await check(resume, { path: "/contact" })).status).toBe(415);
});

test("a network checks three files an hour, and another network still can", async () => {
  const network = nextNetwork();
  for (let turn = 0; turn < 3; turn++) expect((await check(resume, { network })).status).toBe(200);
  const refused = await check(resume, { network });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe(String((hour - minute) / 1000));
  expect(await refused.text()).toContain("Too many attempts. Please try again in 59 minutes.");
  expect((await check(resume)).status).toBe(200);
});

test("after sixty checks in an hour, others read that it is busy", async () => {
  await db.execute(sql`
    insert into rate_limits (key, window_start, count)
    values ('resume-check-all:all', ${new Date(Math.floor(moment / hour) * hour)}, 60)`);
  const refused = await check(resume);
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe(String((hour - minute) / 1000));
  expect(await refused.text()).toContain("Busy, try again in 59 minutes.");
});

test("while one file arrives, the next has to wait, and a cut upload frees the place", async () => {
  const boundary = "x";
  const first = request(`${origin}/services/resume-check`, {
    method: "POST",
    headers: {
      origin,
      "x-forwarded-for": nextNetwork(),
      "content-type": `multipart/form-data; boundary=${boundary}`,
    },
  });
  first.on("error", () => {});
  first.write(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-`,
  );
  // It is counted once it has the place.
  await expect.poll(() => db.$count(rateLimits)).toBeGreaterThan(0);
  const busy = await check(resume);
  expect(busy.status).toBe(503);
  expect(busy.headers.get("retry-after")).toBe("60");
  expect(await busy.text()).toContain("Busy, try again in a minute.");
  first.destroy();
  await expect.poll(async () => (await check(resume)).status).toBe(200);
});
