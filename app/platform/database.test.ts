import { eq, sql } from "drizzle-orm";
import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../tests/support/database.ts";

const notes = pgTable("notes", { words: text("words"), facts: jsonb("facts") });

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await database.db.execute(sql`create table notes (words text unique, facts jsonb)`);
});

test("the zero character reaches no text and no JSON, and nothing else is taken away", async () => {
  const { db } = database;
  const words = "a\u0000b \\u0000 c";
  await db.insert(notes).values({ words, facts: { [words]: [words, "\\\\u0000", 0] } });
  const kept = "ab \\u0000 c";
  expect(await db.select().from(notes)).toEqual([
    { words: kept, facts: { [kept]: [kept, "\\\\u0000", 0] } },
  ]);
  const prepared = db
    .select()
    .from(notes)
    .where(eq(notes.words, sql.placeholder("words")))
    .prepare("by_words");
  expect(await prepared.execute({ words })).toHaveLength(1);
  await expect(db.execute(sql`select ${"\u0000"}::uuid`)).rejects.toThrow("invalid input syntax");
});
