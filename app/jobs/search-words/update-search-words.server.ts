import { sql } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { listKnownNames } from "../filters/named-filter.server.ts";
import { isOpen } from "../find.server.ts";
import { jobs, searchWords } from "../tables.server.ts";

/** Refills the words each night, at 01:41 in India. */
export const updateSearchWordsTask: Task<object> = {
  name: "update-search-words",
  schedule: "11 20 * * *",
  run: async (_data, { db }) => updateSearchWords(db),
};

/** Rarer words of listings are left out. */
const maxListed = 20_000;
const minLength = 3;
/** A longer word is probably no word. */
const maxLength = 30;

const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~·•–";

/**
 * Replaces the words by those in the titles and companies of all open listings, and in the names of places, skills and
 * other filters. It is one statement, so that searches meanwhile find the words of before, and it only writes what has
 * changed.
 */
export async function updateSearchWords(db: Database): Promise<void> {
  // The lines of the searched text are title, company and description.
  const names = sql`split_part(${jobs.searchText}, E'\n', 1) || ' ' || split_part(${jobs.searchText}, E'\n', 2)`;
  // A class of letters in a pattern would depend on the locale of the database.
  const spaced = sql`translate(${names}, ${punctuation}, ${" ".repeat(punctuation.length)})`;
  await db.execute(sql`
    with listed as (
      select word, count(*)::int as jobs
      from ${jobs}, lateral (
        select distinct word from string_to_table(${spaced}, ' ') as word
        where length(word) between ${minLength} and ${maxLength}
      ) as words
      where ${isOpen} group by word order by jobs desc, word collate "C" limit ${maxListed}
    ),
    latest as materialized (
      select word, max(jobs) as jobs
      from (select * from listed union all select word, 0 from unnest(${sql.param(listNameWords())}::text[]) as word)
      group by word
    ),
    removed as (delete from ${searchWords} where word not in (select word from latest))
    insert into ${searchWords} select word, jobs from latest
    on conflict (word) do update set jobs = excluded.jobs where ${searchWords.jobs} <> excluded.jobs`);
}

function listNameWords(): string[] {
  const words = listKnownNames().flatMap((name) => name.split(" "));
  return [...new Set(words)].filter(({ length }) => length >= minLength && length <= maxLength);
}
