import { beforeEach, expect, onTestFinished, test } from "vitest";
import { listJobs } from "../../app/jobs/find.server.ts";
import { jobs } from "../../app/jobs/tables.server.ts";
import { now } from "../../app/platform/clock.ts";
import { createLog } from "../../app/platform/log.server.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { productOn } from "../../tests/support/product/running.ts";
import { plainFetch } from "../../tests/support/requests/plain-fetch.ts";
import { insertJob } from "../../tests/support/rows/jobs.ts";
import { person } from "../../tests/support/rows/people.ts";
import { createChangeCache, listenForChanges } from "./change-cache.ts";

const { db, url } = await testDatabase();

beforeEach(() => db.delete(jobs));

/** Adds a listing that lapses by itself. No task runs here. */
async function post(title: string, ms: number): Promise<string> {
  const liveUntil = new Date(now().getTime() + ms);
  const postedAt = new Date("2026-03-01T12:00:00Z");
  return (await insertJob(db, { title, postedAt, liveUntil })).id;
}

/** Creates a cache of a process, which shares nothing with another one but the database. */
async function createListeningCache() {
  const cache = createChangeCache();
  onTestFinished(listenForChanges(url, cache, createLog("silent")));
  await expect.poll(() => cache.isTrusted()).toBe(true);
  const room = cache.room<string[]>({ name: "numbers", max: 1 });
  const listTitles = async () => (await listJobs(db, {})).jobs.map(({ title }) => title);
  return { read: () => room.read("board", listTitles) };
}

test("each lapse clears the caches of two processes, also of two within seconds and of a new listing", async () => {
  await post("Stays", 3_600_000);
  await post("First", 1_000);
  await post("Second", 1_400);
  const caches = await Promise.all([createListeningCache(), createListeningCache()]);
  const read = () => Promise.all(caches.map((cache) => cache.read()));
  const waitFor = (titles: string[]) => expect.poll(read).toEqual([titles, titles]);
  await waitFor(["Stays"]);
  await post("Third", 600);
  await waitFor(["Stays"]);
});

test("a lapse that passes while the database isn't asked is found afterwards", async () => {
  const { read } = await createListeningCache();
  await post("Brief", 300);
  await read();
  // Blocks all timers of this process, which then run too late.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  await expect.poll(read).toEqual([]);
});

test("pages, feeds and sitemaps of two processes without tasks leave out a listing that lapsed", async () => {
  // A product loads its demo data into a database without people.
  await person(db, "Asha Verma");
  const ids = [await post("First", 4_000), await post("Second", 4_400)];
  await post("Stays", 3_600_000);
  const started = await Promise.all([1, 2].map(() => productOn(url, { ROLE: "web" })));
  for (const { product } of started) onTestFinished(() => product.close());
  const paths = ["/", "/jobs", "/jobs/feed.atom", "/jobs/feed.json", "/sitemaps/jobs-1.xml"];
  const addresses = started.flatMap(({ config }) => paths.map((path) => config.origin + path));
  const readAll = () =>
    Promise.all(addresses.map(async (address) => (await plainFetch(address)).text()));
  const listLapsed = async () => {
    const texts = await readAll();
    return ids.filter((id) => texts.some((text) => text.includes(id)));
  };
  await expect.poll(listLapsed).toEqual([]);
});
