import { expect, onTestFinished, test } from "vitest";
import { isOpen } from "../../app/jobs/find.server.ts";
import { jobs } from "../../app/jobs/tables.server.ts";
import { now, second } from "../../app/platform/clock.ts";
import { createLog } from "../../app/platform/log.server.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { createChangeCache, listenForChanges } from "./change-cache.ts";

const { db, url } = await testDatabase();

test("the cache is cleared when a listing lapses, although no row changes", async () => {
  await db.insert(jobs).values({
    title: "Type Designer",
    company: "Akshara & Co",
    location: "Pune",
    jobType: "Full-time",
    description: "Draw letters.",
    postedAt: new Date("2026-03-01T12:00:00Z"),
    liveUntil: new Date(now().getTime() + second),
  });
  const cache = createChangeCache();
  const stop = listenForChanges(url, cache, createLog("error"));
  onTestFinished(stop);
  await expect.poll(() => cache.isTrusted()).toBe(true);
  const room = cache.room<string>({ name: "numbers", most: 1 });
  const readBoard = () => room.read("board", async () => `${await db.$count(jobs, isOpen)} jobs`);
  // Without clearing, the first answer would stay.
  await expect.poll(readBoard).toBe("0 jobs");
});
