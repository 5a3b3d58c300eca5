import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { type JobRow, insertJob } from "../../../tests/support/rows/jobs.ts";
import { parseJobFilter } from "../filters/job-filter.server.ts";
import { findPlaceBySlug } from "../places/find-places.server.ts";
import { jobs } from "../tables.server.ts";
import { renderAtomFeed, escapeMarkup, renderJsonFeed, loadFeed } from "./feed.server.ts";

const { db } = await testDatabase();
const publisher = { name: "Naksha", origin: "https://example.com" };

beforeEach(async () => {
  await db.delete(jobs);
});

test("a feed lists the same jobs as the board, newest first", async () => {
  await post({ title: "Poster intern", jobType: "Internship", postedAt: new Date("2026-03-01") });
  await post({ title: "Poster artist", jobType: "Internship", postedAt: new Date("2026-03-02") });
  await post({ title: "Poster lead" });
  await post({ title: "Poster apprentice", jobType: "Internship", isArchived: true });
  expect(await titles("?search=poster&type=Internship")).toEqual([
    "Poster artist at Sample Studio",
    "Poster intern at Sample Studio",
  ]);
  expect(await titles("?type=nonsense&summary=x&after=nothing")).toHaveLength(3);
});

test("changing a job updates its date and the feed's, but not its id", async () => {
  const { id } = await post({ title: "Old", postedAt: new Date("2026-03-01") });
  await post({ title: "New", postedAt: new Date("2026-03-02") });
  const before = await items();
  await db.update(jobs).set({ updatedAt: new Date("2026-03-05"), title: "Older" });
  const after = await items();
  expect(after.map((item) => item.id)).toEqual(before.map((item) => item.id));
  expect(after[1]).toMatchObject({
    id: `urn:uuid:${id}`,
    date_published: "2026-03-01T00:00:00.000Z",
    date_modified: "2026-03-05T00:00:00.000Z",
  });
  expect((await loadFeed(db, parseJobFilter(new URLSearchParams()))).changedAt).toEqual(
    new Date("2026-03-05"),
  );
});

test("a long list continues at the next address", async () => {
  const first = new Date("2026-03-01").getTime();
  for (let n = 0; n < 51; n++) await post({ title: `No. ${n}`, postedAt: new Date(first + n) });
  const page = await json("");
  expect(page.items).toHaveLength(50);
  const next = await json(new URL(page.next_url).search);
  expect(next.items.map(({ title }: { title: string }) => title)).toEqual([
    "No. 0 at Sample Studio",
  ]);
  expect(next).not.toHaveProperty("next_url");
});

test("user text cannot break out of the markup", async () => {
  await post({ title: 'A <b> & "c" ]]>', company: "X\u0001Y", description: "<script>1</script>" });
  const filter = parseJobFilter(new URLSearchParams({ search: "<b> &" }));
  const atom = renderAtomFeed(await loadFeed(db, filter), filter, publisher);
  expect(atom).toContain("<title>A &lt;b&gt; &amp; &quot;c&quot; ]]&gt; at X");
  expect(atom).toContain("&lt;p&gt;&amp;lt;script&amp;gt;1&amp;lt;/script&amp;gt;&lt;/p&gt;");
  expect(atom).not.toMatch(/[\u0000-\u0008]|<script|<b>/);
  expect(atom).toContain("<id>https://example.com/jobs/feed.atom?search=%3Cb%3E+%26</id>");
});

test("an entry has the places and the pay of its details", async () => {
  const placeIds = [findPlaceBySlug("pune")!.id];
  const pay = { payMin: 1_200_000, payMax: 1_800_000, payPeriod: "year" as const };
  await post({ title: "Old", postedAt: new Date("2026-03-01") });
  await post({
    title: "New",
    postedAt: new Date("2026-03-02"),
    workMode: "hybrid",
    placeIds,
    ...pay,
  });
  const facts = (await items()).map(({ content_html: html }) => html.split("</p>")[0]);
  expect(facts).toEqual([
    "<p>Sample Studio · Pune · Hybrid · Full-time · ₹12–18 LPA",
    "<p>Sample Studio · Pune · Full-time · Pay not stated",
  ]);
});

test("an empty list is a valid feed", async () => {
  const filter = parseJobFilter(new URLSearchParams());
  const feed = await loadFeed(db, filter);
  expect(feed).toEqual({ entries: [], changedAt: null, next: null });
  expect(renderAtomFeed(feed, filter, publisher)).toContain(
    "<updated>1970-01-01T00:00:00.000Z</updated>",
  );
  expect((await json("")).items).toEqual([]);
});

test("characters that XML does not allow are removed", () => {
  expect(escapeMarkup("a\u0000b\u000bc\ufffed\ud83ce🎨\n")).toBe("abcd\ufffde🎨\n");
});

const post = (row: JobRow) => insertJob(db, { postedAt: new Date("2026-02-01"), ...row });

async function json(search: string) {
  const filter = parseJobFilter(new URLSearchParams(search));
  return JSON.parse(renderJsonFeed(await loadFeed(db, filter), filter, publisher));
}

async function items(): Promise<{ id: string; title: string; content_html: string }[]> {
  return (await json("")).items;
}

async function titles(search: string): Promise<string[]> {
  return (await json(search)).items.map(({ title }: { title: string }) => title);
}
