import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { minute } from "./clock.ts";
import { Unavailable } from "./errors.ts";
import { createLog, logFailure, maxLines } from "./log.server.ts";

const { db } = await testDatabase();

test("a message repeated too often within a minute is counted", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { log, lines } = written();
  for (let index = 0; index < maxLines + 50; index++) log.warn({ index }, "callback refused");
  log.error({ order: "TXN_1" }, "something else");
  expect(lines).toHaveLength(maxLines + 1);
  vi.advanceTimersByTime(minute);
  log.warn({ index: 0 }, "callback refused");
  expect(lines.slice(maxLines + 1)).toMatchObject([
    { leftOut: 50, said: "callback refused" },
    { index: 0, msg: "callback refused" },
  ]);
});

test("a failed query is logged without its values", async () => {
  const { log, lines } = written();
  const typed = "Hello\n    at https://example.com/?token_hash=secret";
  const failure = await db
    .execute(sql`select ${typed}::text, 1 / 0`)
    .catch((error: unknown) => error);
  log.error({ err: failure }, "unexpected");
  log.error({ err: new Error("Not done", { cause: failure }) }, "unexpected");
  const [line] = lines as { err: { message: string } }[];
  expect(line!.err.message).toContain("division by zero");
  expect(JSON.stringify(lines)).not.toContain("secret");
});

test("a long error is cut to a few kilobytes", () => {
  const { log, lines } = written();
  log.error({ err: new Error("x".repeat(1_000_000)) }, "unexpected");
  expect(JSON.stringify(lines[0]).length).toBeLessThan(10_000);
});

test("an unavailable database is a warning, a bug a full error", () => {
  const { log, lines } = written();
  logFailure(log, new Unavailable("database", new Error("refused")), "callback failed", {
    order: "TXN_1",
  });
  logFailure(log, new Error("A bug"), "callback failed", { order: "TXN_1" });
  expect(lines).toMatchObject([
    { level: 40, msg: "database unavailable", what: "callback failed", order: "TXN_1" },
    { level: 50, msg: "callback failed", order: "TXN_1", err: { message: "A bug" } },
  ]);
});

function written() {
  const lines: unknown[] = [];
  const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}
