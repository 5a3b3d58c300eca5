import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { askedBy } from "../../../tests/support/requests/asked.ts";
import { emptyDatabase, testDatabase } from "../../../tests/support/product/database.ts";
import { insertJobs, type JobRow } from "../../../tests/support/rows/jobs.ts";

import { prepareDatabase } from "../../../db/prepare-database.ts";
import { type Database, openDatabase } from "../../platform/database.server.ts";
import * as board from "../board/job-board.screen.tsx";
import { parseJobFilter } from "../filters/job-filter.server.ts";
import { findPlaceBySlug } from "../places/find-places.server.ts";
import { jobs, searchWords } from "../tables.server.ts";
import { listSimilarSearches } from "./similar-searches.server.ts";
import { updateSearchWords } from "./update-search-words.server.ts";

const { db } = await testDatabase();

beforeEach(async () => {
  await db.delete(jobs);
});

const post = (...listings: JobRow[]) => postIn(db, ...listings);

/** Posts listings and refills the words. */
async function postIn(db: Database, ...listings: JobRow[]) {
  const base = { title: "Cartographer", company: "Sample Studio", description: "Draws." };
  await insertJobs(
    db,
    listings.map((fields) => ({ ...base, ...fields })),
  );
  await updateSearchWords(db);
}

const parse = (query: string) => parseJobFilter(new URLSearchParams(query));
const listLinks = (query: string) => listSimilarSearches(db, parse(query));
const listLabels = async (search: string) =>
  (await listLinks(`search=${search}`)).map(({ label }) => label);

async function countOf(word: string): Promise<number | null> {
  const [row] = await db.select().from(searchWords).where(eq(searchWords.word, word));
  return row?.jobs ?? null;
}

test("the words are those of open listings' titles and companies with their jobs, and known names", async () => {
  await post(
    { title: "Kerning Kerning (Lead)/Artist", company: "Chaupal Health" },
    { title: "Kerning", description: "Likes zincography." },
    { title: "Gravure", isArchived: true },
    { title: "Lithography", liveUntil: new Date(0) },
    { title: "हिन्दी Designer, up to 3D" },
    { title: "a".repeat(31) },
  );
  expect(await countOf("kerning")).toBe(2);
  for (const word of ["lead", "artist", "chaupal", "हिन्दी"]) expect(await countOf(word)).toBe(1);
  for (const word of ["gravure", "lithography", "zincography", "3d", "up", "a".repeat(31)])
    expect(await countOf(word)).toBeNull();
  for (const name of ["figma", "bengaluru", "bangalore", "wfh", "illustrator"])
    expect(await countOf(name)).toBe(0);
});

test("the next refill removes the words of closed listings and counts the others again", async () => {
  await post({ title: "Kerning" }, { title: "Kerning Serif" });
  await db.update(jobs).set({ isArchived: true }).where(eq(jobs.title, "Kerning Serif"));
  await updateSearchWords(db);
  expect(await countOf("kerning")).toBe(1);
  expect(await countOf("serif")).toBeNull();
});

test("only the 20,000 most frequent words of listings count", async () => {
  const titles = Array.from({ length: 2_100 }, (_, index) =>
    Array.from({ length: 10 }, (_, part) => `x${index * 10 + part}y`).join(" "),
  );
  await post(...titles.map((title) => ({ title })), { title: "x7y" });
  const isNumbered = sql`${searchWords.word} ~ '^x[0-9]+y$'`;
  expect(await db.$count(searchWords, isNumbered)).toBeLessThan(20_000);
  expect(await countOf("x7y")).toBe(2);
});

test.each([
  ["kernnig", ["Did you mean “kerning”? 1 job"]],
  ["Chaupl+Helth", ["Did you mean “chaupal health”? 1 job"]],
  ["“Chaupl”,+health", []],
  ["chaupal-helth", []],
  ["ftoo", ["Did you mean “foto”? 1 job"]],
  ["gokrna", ["Did you mean “gokarna”? 1 job"]],
  ["हिन्दि", ["Did you mean “हिन्दी”? 1 job"]],
  ["kerning+helth", []],
  ["kxrxxng", []],
  ["fot", []],
  ["a", []],
  ["%", []],
  ["k%27ernnig", []],
  ["kernnig+".repeat(9), []],
  ["k".repeat(90), []],
])("the search %j offers %j", async (search, labels) => {
  await post(
    { title: "Kerning" },
    { title: "Foto", company: "Chaupal Health" },
    { title: "Gokarna" },
    { title: "हिन्दी" },
  );
  expect(await listLabels(search)).toEqual(labels);
});

test("of several similar words, at most three are offered, fewer edits first, then more jobs", async () => {
  await post(...["serifa", "serifb", "serifc", "serifc", "serifde"].map((title) => ({ title })));
  expect(await listLabels("serifx")).toEqual([
    "Did you mean “serifc”? 2 jobs",
    "Did you mean “serifa”? 1 job",
    "Did you mean “serifb”? 1 job",
  ]);
});

test("a name that no text has leads to its filter", async () => {
  const placeIds = [findPlaceBySlug("bengaluru")!.id];
  await post({ placeIds }, { placeIds, skillIds: [1] });
  expect(await listLinks("search=bangalroe")).toEqual([
    {
      label: "Did you mean “bangalore”? 2 jobs in Bengaluru",
      change: { place: ["bengaluru"], search: "" },
    },
  ]);
  expect(await listLinks("search=fgima+banglore")).toMatchObject([
    { label: "Did you mean “figma bangalore”? 1 job with Figma in Bengaluru" },
  ]);
});

test("a link finds jobs at this moment, beside the other filters", async () => {
  await post({ title: "Kerning" }, { title: "Gravure", jobType: "Internship" });
  expect(await listLinks("search=kernnig&type=Internship")).toEqual([]);
  expect(await listLinks("search=gravrue&type=Internship")).toMatchObject([
    { change: { search: "gravure" } },
  ]);
  await db.update(jobs).set({ isArchived: true });
  expect(await listLinks("search=kernnig")).toEqual([]);
});

test("the board offers similar searches only if a search finds nothing", async () => {
  await post({ title: "Kerning" }, { title: "Typo", description: "Kernnig." });
  const open = (query: string) => {
    const request = new Request(`http://localhost/jobs${query}`);
    return board.loader({ request, ...askedBy(db, null), params: {} } as never);
  };
  expect(await open("?search=kernnig")).toMatchObject({ jobs: [{}], links: [] });
  const links = [{ label: "Did you mean “kerning”? 1 job", change: { search: "kerning" } }];
  expect(await open("?search=kernimg")).toMatchObject({ jobs: [], links });
  expect(await open("?search=kernimg&after=x")).toMatchObject({ links: [] });
  expect(await open("?type=Internship")).toMatchObject({ jobs: [], links: [] });
});

test("a database with another locale gives the same answer", async () => {
  // C has no letters but ASCII, so that a server with it compares no words in other scripts.
  const url = await emptyDatabase("template template0 locale 'C'");
  await prepareDatabase(url);
  const other = openDatabase(url);
  const listings = ["Kerning", "Kernel", "Kerned"].map((title) => ({ title }));
  await post(...listings);
  await postIn(other.db, ...listings);
  const [own, others] = await Promise.all(
    [db, other.db].map((one) => listSimilarSearches(one, parse("search=kernnig"))),
  );
  await other.close();
  expect(own).toHaveLength(1);
  expect(others).toEqual(own);
});
