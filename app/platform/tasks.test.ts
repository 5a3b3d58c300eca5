import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { whenFileEnds } from "../../tests/support/product/when-file-ends.ts";
import { hour, now } from "./clock.ts";
import { openDatabase } from "./database.server.ts";
import { createLog } from "./log.server.ts";
import { Unavailable } from "./errors.ts";
import { createSparingErrorLog, startTasks } from "./tasks.server.ts";

test("due tasks run even after the clock is set back", async () => {
  const { db, url } = await testDatabase();
  const database = openDatabase(url, { max: 4 });
  const stop = await startTasks(database, [], createLog("error"));
  whenFileEnds(async () => {
    await stop();
    await database.close();
  });
  const lookedAt = async () => {
    const { rows } = await db.execute<{ at: string | null }>(
      sql`select cron_on as at from pgboss.version`,
    );
    return rows[0]!.at;
  };
  await expect.poll(lookedAt).not.toBeNull();
  const first = await lookedAt();

  vi.useFakeTimers({ toFake: ["Date"], now: now().getTime() - hour });
  await expect.poll(lookedAt).not.toBe(first);
});

test("an unavailable database is one warning a minute, also inside an error of the queue", () => {
  const log = { warn: vi.fn(), error: vi.fn() };
  const report = createSparingErrorLog(log);
  const unavailable = new Unavailable("database", new Error("Connection terminated"));
  report(new Error("schedules fired", { cause: unavailable }));
  report(unavailable);
  expect(log.error).not.toHaveBeenCalled();
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(
    { why: "Connection terminated" },
    "task queue: database unavailable",
  );
  report(new Error("a bug"));
  expect(log.error).toHaveBeenCalledOnce();
});
