import { sql } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { countLabel } from "../../platform/lists/lists.ts";
import { toSearchForm } from "../../platform/text/text.ts";
import type { BoardQuery } from "../filters/board-query.ts";
import { buildFilterCondition } from "../filters/filter-condition.server.ts";
import type { JobFilter } from "../filters/job-filter.server.ts";
import { type BoardLink, suggestFilter } from "../filters/named-filter.server.ts";
import { countJobs } from "../find.server.ts";
import { searchWords } from "../tables.server.ts";

const maxLinks = 3;

/**
 * Lists links to searches with words similar to those of a search that finds nothing: "Did you mean “figma”? 12 jobs".
 * Each finds jobs now, as a text or by the filter that it names, beside the other filters. Words that are known, or have
 * fewer than four letters, stay as they are.
 */
export async function listSimilarSearches(
  db: Database,
  filter: Pick<JobFilter, "query" | "places">,
): Promise<BoardLink[]> {
  if (filter.query.after) return [];
  const searches = await findSimilarSearches(db, filter.query.search);
  const links = await Promise.all(searches.map((search) => findLink(db, filter, search)));
  return links.flatMap((link) => link ?? []);
}

async function findLink(
  db: Database,
  { query, places }: Pick<JobFilter, "query" | "places">,
  search: string,
): Promise<BoardLink | null> {
  const similar: BoardQuery = { ...query, search };
  const condition = buildFilterCondition(similar, places);
  const count = await countJobs(db, { condition, query: similar });
  const jobs = `${countLabel(count)} ${count.counted === 1 ? "job" : "jobs"}`;
  const link =
    count.counted > 0
      ? { label: jobs, change: { search } }
      : await suggestFilter(db, { query: similar, places });
  return link && { ...link, label: `Did you mean “${search}”? ${link.label}` };
}

const maxWords = 5;
const minWordLength = 4;
/** Longer words are not compared, since their comparison takes more than a moment. */
const maxWordLength = 32;

/** Replaces the unknown words of a search. If it has several, only the most similar word of each counts. */
async function findSimilarSearches(db: Database, search: string): Promise<string[]> {
  const text = toSearchForm(search);
  const words = [...new Set(text.match(anyWord))].filter(
    ({ length }) => length >= minWordLength && length <= maxWordLength,
  );
  if (words.length === 0 || words.length > maxWords) return [];
  const replaced = [...(await findSimilarWords(db, words))];
  if (replaced.length === 0) return [];
  const count = replaced.length === 1 ? replaced[0]![1].length : 1;
  return Array.from({ length: Math.min(count, maxLinks) }, (_, index) => {
    const byWord = new Map(replaced.map(([word, similar]) => [word, similar[index]!]));
    return text.replace(anyWord, (word) => byWord.get(word) ?? word);
  });
}

const anyWord = /[\p{L}\p{M}\p{N}]+/gu;

/** The words with the most trigrams in common that are compared letter by letter. */
const maxCompared = 50;
const maxEdits = 2;

/**
 * Finds the words that differ from each unknown one in few letters, the most similar and frequent first. Unknown words
 * without any are missing.
 */
async function findSimilarWords(db: Database, typed: string[]): Promise<Map<string, string[]>> {
  // pg_trgm's own operator has a limit of similarity that is a setting of the server.
  const { rows } = await db.execute<{ typed: string; word: string; jobs: number }>(sql`
    select typed.word as typed, near.word, near.jobs
    from unnest(${sql.param(typed)}::text[]) as typed (word), lateral (
      select word, jobs from ${searchWords}
      where show_trgm(word) && show_trgm(typed.word)
        and length(word) between length(typed.word) - ${maxEdits} and length(typed.word) + ${maxEdits}
      order by similarity(${searchWords.word}, typed.word) desc, word collate "C" limit ${maxCompared}
    ) as near
    where not exists (select 1 from ${searchWords} as known where known.word = typed.word)`);
  const compared = rows
    .map((row) => ({ ...row, edits: countEdits(row.typed, row.word) }))
    .filter((row) => row.edits <= (row.typed.length < 6 ? 1 : maxEdits))
    .toSorted(
      (one, other) =>
        one.edits - other.edits || other.jobs - one.jobs || (one.word < other.word ? -1 : 1),
    );
  return new Map(
    [...Map.groupBy(compared, (row) => row.typed)].map(([word, similar]) => [
      word,
      similar.map((row) => row.word),
    ]),
  );
}

/** Counts the letters to insert, remove, replace or swap with the next one to turn one word into the other. */
function countEdits(one: string, other: string): number {
  const [from, to] = [Array.from(one), Array.from(other)];
  let [before, last]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (const [row, letter] of from.entries()) {
    const next = [row + 1];
    for (const [column, target] of to.entries()) {
      const isSame = letter === target;
      next.push(
        Math.min(last![column + 1]! + 1, next[column]! + 1, last![column]! + (isSame ? 0 : 1)),
      );
      const isSwapped =
        !isSame && letter === to[column - 1] && target === from[row - 1] && row > 0 && column > 0;
      if (isSwapped) next[column + 1] = Math.min(next[column + 1]!, before![column - 1]! + 1);
    }
    [before, last] = [last!, next];
  }
  return last!.at(-1)!;
}
