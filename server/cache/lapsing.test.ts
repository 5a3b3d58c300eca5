import { expect, onTestFinished, test, vi } from "vitest";
import { jobs } from "../../app/jobs/tables.server.ts";
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
    liveUntil: new Date(Date.now() + 3000),
  });
  const cache = createChangeCache();
  const stop = listenForChanges(url, cache, createLog("error"));
  onTestFinished(stop);
  await vi.waitFor(() => expect(cache.isTrusted()).toBe(true), { timeout: 2500 });
  const room = cache.room<string>({ name: "numbers", most: 1 });
  await room.read("board", () => Promise.resolve("with the job"));
  expect(room.find("board")).toBe("with the job");
  await vi.waitFor(() => expect(room.find("board")).toBeNull(), { timeout: 5000 });
});
