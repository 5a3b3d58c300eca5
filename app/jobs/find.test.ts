import { beforeEach, expect, test } from "vitest";
import type { Actor } from "../accounts/actor.server.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { type JobRow, insertJob } from "../../tests/support/rows/jobs.ts";
import { findJob } from "./listing/find-job.server.ts";
import type { BoardQuery } from "./filters/board-query.ts";
import { buildJobFilter } from "./filters/job-filter.server.ts";
import { listJobs } from "./find.server.ts";
import { jobs } from "./tables.server.ts";

const { db, asha } = await testPeople();
const noon = new Date("2026-03-01T12:00:00.123Z");

beforeEach(async () => {
  await db.delete(jobs);
});

test("the board lists open jobs, newest first", async () => {
  await post({ title: "Older", postedAt: new Date("2026-02-01T00:00:00Z") });
  await post({ title: "Newer", postedAt: new Date("2026-02-02T00:00:00Z") });
  await post({ title: "Archived", isArchived: true });
  expect(await titles({})).toEqual(["Newer", "Older"]);
});

test("a search finds any part of title, company or description, ignoring case", async () => {
  await post({ title: "Brand Designer" });
  await post({ company: "Brandwagon" });
  await post({ description: "You will love BRANDING." });
  await post({ location: "Brandpur", largeDescription: "brand" });
  expect(await titles({ search: "bRaNd" })).toHaveLength(3);
});

test.each([
  ["%", "100% remote", "1000 remote"],
  ["_", "snake_case", "snakeXcase"],
  ["100%", "100% remote", "1000 remote"],
  ["snake_case", "snake_case", "snakeXcase"],
  ["back\\slash", "back\\slash", "backslash"],
  ["\\", "back\\slash", "backslash"],
  ["\\%", "a\\%b", "a%b"],
  ["'; drop table jobs; --", "it's '; drop table jobs; -- fine", "fine"],
  ["<b>", "a <b> tag", "a b tag"],
  ["c++", "c++ and c", "c plus"],
  ["🎨", "Paint 🎨 all day", "Paint all day"],
  ["3d", "3D artist", "2D artist"],
  ["ux", "Lead, UX", "Lead, UI"],
  ["q", "Quick", "Slow"],
  ["✏", "Draw with a ✏", "Draw"],
  ["'", "The studio's own", "The studio"],
  ["\\'", "Say \\' aloud", "Say ' and \\ aloud"],
  ["a-b-", "x-a-b-c", "a-c-b-"],
  [" &", "Type & print", "Type&print"],
  ["d \u0001 l", "Odd \u0001 letter", "Odd letter"],
  ["डिज़ाइनर", "वरिष्ठ डिज़ाइनर", "वरिष्ठ लेखक"],
  ["ज़", "वरिष्ठ डिज़ाइनर", "वरिष्ठ लेखक"],
  ["ÉTUDE", "Étude studio", "Etude studio"],
  ["e\u0301tude", "\u00c9tude studio", "Etude studio"],
  ["brand designer", "Brand\u00a0Designer", "Brand new designer"],
  ["brand designer", "Br\u00adand \u200bDesig\u200bner\ufeff", "Brand new designer"],
  ["brand designer", "Brand  \u2009Designer", "Brand new designer"],
  ["brand designer", "Brand\nDesigner", "Brand new designer"],
  ["Ｂｒａｎｄ\u00a0Designer", "Brand Designer", "Brand new designer"],
  ["b\u200br", "Brand", "Band"],
  ["asha's", "Asha’s studio", "Ashas studio"],
  ["ux-ui", "UX–UI lead", "UX UI lead"],
  ['"senior"', "“Senior” designer", "Senior designer"],
  ["क्षमा", "क्\u200dषमा", "कमा"],
  ["\u0958लम", "\u0915\u093cलम studio", "कलम studio"],
  ["％", "100% remote", "1000 remote"],
])("a search for %s matches exactly these characters", async (search, found, other) => {
  await post({ title: found });
  await post({ title: other });
  expect(await titles({ search })).toEqual([found]);
});

test("the type filter combines with the search", async () => {
  await post({ title: "Poster intern", jobType: "Internship" });
  await post({ title: "Poster lead", jobType: "Full-time" });
  await post({ title: "Type intern", jobType: "Internship" });
  expect(await titles({ type: "Internship", search: "poster" })).toEqual(["Poster intern"]);
});

test("pages show every job once, even if all were posted in the same millisecond", async () => {
  const posted = Array.from({ length: 25 }, (_, number) => ({
    title: `Job ${number}`,
    postedAt: noon,
  }));
  for (const job of posted) await post(job);
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page = await listJobs(db, { query: { after }, limit: 4 });
    seen.push(...page.jobs.map((job) => job.title));
    after = page.next;
  } while (after);
  expect(seen.toSorted()).toEqual(posted.map((job) => job.title).toSorted());
});

test("the last page has no next page, even if it is full", async () => {
  for (let number = 0; number < 4; number++) await post();
  const page = await listJobs(db, { limit: 2 });
  expect((await listJobs(db, { limit: 2, query: { after: page.next } })).next).toBeNull();
});

test.each([
  "",
  "x",
  "....",
  "null",
  "%00",
  "' or 1=1 --",
  encoded("1.2.3"),
  encoded("abc.00000000-0000-4000-8000-000000000000"),
  encoded("99999999999999999.00000000-0000-4000-8000-000000000000"),
  encoded("-1.00000000-0000-4000-8000-000000000000"),
  encoded("1000.not-a-uuid"),
])("the invalid cursor %j gives the first page", async (after) => {
  await post({ title: "First" });
  expect(await titles({ after })).toEqual(["First"]);
});

test("a page has only the fields that cards show", async () => {
  await post({ description: "x".repeat(2000), ...allContacts });
  const page = await listJobs(db, {});
  expect(Object.keys(page.jobs[0] ?? {}).toSorted()).toEqual([
    "applyBy",
    "check",
    "company",
    "coordinates",
    "discipline",
    "id",
    "isChecked",
    "isReported",
    "jobType",
    "location",
    "pay",
    "place",
    "postedAt",
    "summary",
    "title",
  ]);
  expect(page.jobs[0]?.summary).toBe(`${"x".repeat(400)}…`);
  expect(JSON.stringify(page)).not.toContain("Secret");
});

test("a visitor reads a job without its contacts, a signed-in person with them", async () => {
  const id = await post(allContacts);
  const forVisitor = await findJob(db, null, id);
  expect(forVisitor).toMatchObject({ state: "open", contacts: null });
  expect(JSON.stringify(forVisitor)).not.toMatch(/secret|poc|link/i);
  expect(await findJob(db, asha, id)).toMatchObject({ state: "open", contacts: allContacts });
});

test("a visitor reads whether a job has a contact, and nothing else about it", async () => {
  const read = async (contacts: JobRow, actor: Actor | null = null) => {
    const id = await post({ pocName: null, pocContact: null, ...contacts });
    return JSON.stringify(await findJob(db, actor, id)).replace(id, "");
  };
  const all = await read(allContacts);
  const none = await read({ portalApplicationLink: "https://secret.example" });
  expect(all).toContain('"hasContact":true');
  expect(await read({ pocName: "Leela" })).toBe(all);
  expect(await read({ directApplicationLink: "https://a.example" })).toBe(all);
  expect(none).toContain('"hasContact":false');
  expect(await read({ pocName: " ", pocContact: "\u200b \t" })).toBe(none);
  expect(none.replace(`"hasContact":false`, `"hasContact":true`)).toBe(all);
  expect(await read({}, asha)).toContain('"hasContact":false');
});

test("an archived job has no details for anyone", async () => {
  const id = await post({ isArchived: true });
  expect(await findJob(db, null, id)).toEqual({
    state: "archived",
    why: "It has been taken down.",
  });
  expect(await findJob(db, asha, id)).toEqual({
    state: "archived",
    why: "It has been taken down.",
  });
});

test.each([
  "",
  "1",
  "not-a-uuid",
  "../..",
  "00000000-0000-4000-8000-000000000000",
  "' or true --",
  "\u0000",
])("the id %j finds no job", async (id) => {
  expect(await findJob(db, asha, id)).toEqual({ state: "missing" });
});

const allContacts = {
  pocName: "Secret Person",
  pocContact: "secret@example.com",
  portalApplicationLink: "https://secret.example.com/portal",
  directApplicationLink: "https://secret.example.com/direct",
};

async function post(job: JobRow = {}): Promise<string> {
  return (await insertJob(db, { title: "Designer", postedAt: noon, ...job })).id;
}

async function titles(query: Partial<BoardQuery>): Promise<string[]> {
  return (await listJobs(db, buildJobFilter(query))).jobs.map((job) => job.title);
}

function encoded(text: string): string {
  return Buffer.from(text).toString("base64url");
}
