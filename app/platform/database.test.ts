import { eq, sql } from "drizzle-orm";
import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { testDatabase, type TestDatabase } from "../../tests/support/product/database.ts";
import { day, now, second } from "./clock.ts";
import { getPageLimits, openDatabase, readSparingly } from "./database.server.ts";

const notes = pgTable("notes", { words: text("words"), facts: jsonb("facts") });

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await database.db.execute(sql`create table notes (words text unique, facts jsonb)`);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("the time limits of a page end before it must answer", () => {
  const { connect, statement } = getPageLimits(5);
  expect(connect + statement).toBe(4.5 * second);
});

test("null characters are removed from texts and JSON", async () => {
  const { db } = database;
  const words = "a\u0000b \\u0000 c";
  await db.insert(notes).values({ words, facts: { [words]: [words, "\\\\u0000", 0] } });
  const cleaned = "ab \\u0000 c";
  expect(await db.select().from(notes)).toEqual([
    { words: cleaned, facts: { [cleaned]: [cleaned, "\\\\u0000", 0] } },
  ]);
  const prepared = db
    .select()
    .from(notes)
    .where(eq(notes.words, sql.placeholder("words")))
    .prepare("by_words");
  expect(await prepared.execute({ words })).toHaveLength(1);
  await expect(db.execute(sql`select ${"\u0000"}::uuid`)).rejects.toThrow("invalid input syntax");
});

test("statements through a pooler are not named", async () => {
  const limits = { connect: second, statement: 2 * second, lock: second };
  const readSession = async (isPooled: boolean) => {
    const { db, close } = openDatabase(database.url, { max: 1, limits, isPooled });
    await db.select().from(notes).prepare("all_notes").execute();
    const { rows } = await db.execute(sql`select current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock, count(*)::int as statements
      from pg_prepared_statements where name <> ''`);
    await close();
    return rows[0];
  };
  expect(await readSession(false)).toEqual({ statement: "2s", lock: "1s", statements: 1 });
  expect(await readSession(true)).toEqual({ statement: "0", lock: "0", statements: 0 });
});

test("a connection survives only query errors caused by values", async () => {
  const { db, close } = openDatabase(database.url, { max: 1 });
  const process = async () => (await db.execute(sql`select pg_backend_pid() as id`)).rows[0]!.id;
  await db.insert(notes).values({ words: "once" });
  const before = await process();
  await expect(db.insert(notes).values({ words: "once" })).rejects.toThrow("duplicate key");
  await expect(db.execute(sql`select ${"none"}::uuid`)).rejects.toThrow("invalid input syntax");
  expect(await process()).toBe(before);
  await expect(db.execute(sql`select from nothing`)).rejects.toThrow("does not exist");
  expect(await process()).not.toBe(before);
  await close();
});

test("an expensive result is cached for a minute at most, a failure is not", async () => {
  let times = 0;
  let clock = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  const read = (takes: number, worth = 50) =>
    readSparingly(
      database.db,
      `tries worth ${worth}`,
      async () => {
        times += 1;
        clock += takes;
        if (times === 1) throw new Error("not now");
        return times;
      },
      worth,
    );
  const wait = (time: number) => void vi.setSystemTime(now().getTime() + time);
  vi.useFakeTimers({ toFake: ["Date"] });
  await expect(read(10)).rejects.toThrow("not now");
  expect([await read(10), await read(10)]).toEqual([2, 3]);
  // It is kept twenty times as long as it took.
  expect([await read(60), await read(60)]).toEqual([4, 4]);
  wait(1.1 * second);
  expect(await read(60)).toBe(4);
  wait(0.2 * second);
  expect(await read(10 * second)).toBe(5);
  wait(59 * second);
  expect(await read(10 * second)).toBe(5);
  wait(2 * second);
  expect(await read(10 * second)).toBe(6);
  // The system clock is set back.
  wait(-day);
  expect(await read(10)).toBe(7);
  // A worth of zero keeps every result for a minute.
  expect(await read(10, 0)).toBe(8);
  wait(59 * second);
  expect(await read(10, 0)).toBe(8);
});
