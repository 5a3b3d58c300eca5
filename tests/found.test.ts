import { glob, readFile } from "node:fs/promises";
import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { updateBoardCounts } from "../app/jobs/filters/board-counts.server.ts";
import { updateSearchWords } from "../app/jobs/search-words/update-search-words.server.ts";
import { jobs } from "../app/jobs/tables.server.ts";
import { now } from "../app/platform/clock.ts";
import { people } from "./support/rows/people.ts";
import { publicPages } from "./support/inventory/screens.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";

/** Checks what search engines, feed readers and link previews get. */

const secrets = {
  pocName: "Secret Person",
  pocContact: "secret-contact@example.com",
  portalApplicationLink: "https://example.com/secret-portal",
  directApplicationLink: "https://example.com/secret-direct",
};
const job = {
  title: 'Type & "Letter" </script> Designer',
  company: "Akshara Studio",
  location: "Pune",
  jobType: "Full-time" as const,
  compensation: "₹12 LPA",
  description: "Draw letters </script><b>every</b> day.",
  ...secrets,
};
let app: RunningApp;
let open: string;
let archived: string;
let cookie: string;

beforeAll(async () => {
  app = await runningApp();
  const { asha } = await people(app.db);
  cookie = await app.cookieOf(asha);
  const postedAt = new Date(now().getTime() - 5000);
  const rows = await app.db
    .insert(jobs)
    .values([
      { ...job, postedAt },
      { ...job, isArchived: true, postedAt },
    ])
    .returning({ id: jobs.id });
  const skillsOfOthers = [13, 13, 13, 13, 13, 52];
  const other = { ...job, title: "Web Designer", postedAt: new Date(0) };
  await app.db.insert(jobs).values(skillsOfOthers.map((id) => ({ ...other, skillIds: [id] })));
  [open, archived] = rows.map(({ id }) => id) as [string, string];
});

const paths = publicPages.map(({ path }) => path);

test.each(paths)(
  "%s has a title, a description, one canonical URL and a full preview",
  async (path) => {
    const head = await headOf(path);
    const url = app.origin + path;
    expect(head.title).toMatch(/^.+ - Naksha$/);
    expect(head.canonical).toEqual([url]);
    expect(head.robots).toEqual([]);
    expect(head.meta).toMatchObject({
      description: expect.stringMatching(/^.{20,170}$/),
      "og:title": expect.stringMatching(/./),
      "og:description": head.meta.description,
      "og:url": url,
      "og:type": "website",
      "og:site_name": "Naksha",
      "og:locale": "en_IN",
      "og:image:type": "image/png",
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": expect.stringMatching(/./),
      "twitter:card": "summary_large_image",
      "twitter:image": head.meta["og:image"],
    });
    await expectImage(head.meta["og:image"]!);
  },
);

test("the sitemap lists exactly these pages, those of filters and companies with open jobs", async () => {
  const sitemap = await read("/sitemaps/pages.xml");
  const all = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].flatMap(([, url]) => url ?? []);
  // A task adds the pages of filters, once it has counted their jobs.
  const listed = all.filter((url) => !url.includes("/jobs?"));
  const expected = [...paths, "/companies/chaupal-health"];
  expect(listed.toSorted()).toEqual(expected.map((path) => app.origin + path).toSorted());
});

test("only pages that are the same for every visitor are cached", () => {
  const { isCached, isShared } = app.product.services.screens;
  const isOwn = (path: string) => ["/login", "/signup"].includes(path);
  expect(paths.filter((path) => !isCached(path))).toEqual(paths.filter(isOwn));
  expect(isCached(`/jobs/${open}`)).toBe(true);
  for (const path of ["/profile", "/admin", "/jobs/a/b", "/services/resume-review", "/nowhere"])
    expect(isCached(path), path).toBe(false);
  expect([...paths, `/jobs/${open}`, "/jobs/1.data", "/jobs.data"].filter(isShared)).toEqual([
    "/jobs",
    "/jobs/removed",
    `/jobs/${open}`,
  ]);
});

test("the sitemap lists the filters with at least five jobs", async () => {
  await app.db.execute(sql`select pg_stat_force_next_flush()`);
  await updateBoardCounts(app.db);
  // A change of jobs clears the cached sitemap.
  await app.db.update(jobs).set({ updatedAt: now() }).where(eq(jobs.id, archived));
  const isListed = async (address: string) =>
    (await read("/sitemaps/pages.xml")).includes(`<loc>${app.origin}${address}</loc>`);
  await expect.poll(() => isListed("/jobs?skill=webflow")).toBe(true);
  expect(await isListed("/jobs?skill=lottie")).toBe(false);
});

test("a similar search is offered only in the page of its search, from the cache too", async () => {
  await updateSearchWords(app.db);
  const offer = (search: string) => `Did you mean “${search}”?`;
  for (const _visitor of ["first", "next"]) {
    expect(await read("/jobs?search=Leter")).toContain(offer("letter"));
    expect(await read("/jobs?search=desginer")).toContain(offer("designer"));
    expect(await read("/jobs?search=desginer")).not.toContain(offer("letter"));
    expect(await read("/jobs?search=qqqqq")).not.toContain("Did you mean");
    expect(await read("/jobs")).not.toContain("Did you mean");
  }
});

test.each([
  ["/jobs?skill=webflow", "Design jobs with Webflow", "Design jobs with Webflow across India"],
  ["/jobs?mode=remote", "Remote design jobs", "Remote design jobs across India"],
  ["/jobs?discipline=ux", "UX design jobs", "UX design jobs across India"],
  ["/jobs?place=Poona", "Design jobs in Pune", "Design jobs in Pune"],
  ["/jobs?place=pune&mode=remote", "Design Jobs Board", "Design jobs across India"],
])("the title of %s is %s", async (path, title, description) => {
  const head = await headOf(path);
  expect(head.title).toBe(`${title} - Naksha`);
  expect(head.meta.description).toBe(`${description}, each with a real person to contact.`);
});

test("no two pages share a title or a description", async () => {
  const heads = await Promise.all(paths.map((path) => headOf(path)));
  expect(new Set(heads.map(({ title }) => title)).size).toBe(paths.length);
  expect(new Set(heads.map(({ meta }) => meta.description)).size).toBe(paths.length);
});

test("a job page has its own preview and one escaped job posting", async () => {
  const head = await headOf(`/jobs/${open}`);
  expect(head.canonical).toEqual([`${app.origin}/jobs/${open}`]);
  expect(head.meta["og:title"]).toBe(
    "Type &amp; &quot;Letter&quot; &lt;/script&gt; Designer at Akshara Studio",
  );
  await expectImage(head.meta["og:image"]!);
  expect(head.postings).toHaveLength(1);
  expect(head.postings[0]).not.toContain("<");
  expect(JSON.parse(head.postings[0]!)).toMatchObject({
    "@type": "JobPosting",
    title: job.title,
    employmentType: "FULL_TIME",
    identifier: { value: open },
    url: `${app.origin}/jobs/${open}`,
  });
});

test("editing a job changes the URL of its image", async () => {
  const before = (await headOf(`/jobs/${open}`)).meta["og:image"]!;
  await app.db.update(jobs).set({ location: "Mumbai" }).where(eq(jobs.id, open));
  await expect.poll(async () => (await headOf(`/jobs/${open}`)).meta["og:image"]).not.toBe(before);
  await app.db.update(jobs).set({ location: "Pune" }).where(eq(jobs.id, open));
  await expect.poll(async () => (await headOf(`/jobs/${open}`)).meta["og:image"]).toBe(before);
});

test("an archived job answers 410 and links to similar jobs, without a posting or an image", async () => {
  const response = await fetch(`${app.origin}/jobs/${archived}`);
  expect(response.status).toBe(410);
  const html = await response.text();
  expect(html).toContain("Similar open jobs");
  expect(html).toContain(`href="/jobs/${open}"`);
  expect(html).not.toContain("ld+json");
  expect(html).toContain('name="robots" content="noindex"');
  expect((await fetch(`${app.origin}/social/jobs/${archived}.png`)).status).toBe(410);
  expect((await fetch(`${app.origin}/social/jobs/${crypto.randomUUID()}.png`)).status).toBe(404);
});

test.each([
  ["/jobs?type=Internship&summary=hide", "/jobs?type=Internship", []],
  ["/jobs?type=nonsense", "/jobs", []],
  ["/jobs?utm_source=mail", "/jobs", []],
  [
    "/jobs?search=poster&type=Internship",
    "/jobs?search=poster&type=Internship",
    ["noindex, follow"],
  ],
  ["/jobs?after=abc", "/jobs?after=abc", ["noindex, follow"]],
  ["/jobs?discipline=foo", "/jobs", []],
  ["/jobs?skill=webflow", "/jobs?skill=webflow", []],
  ["/jobs?skill=webflow&sort=pay", "/jobs?skill=webflow&sort=pay", ["noindex, follow"]],
  ["/jobs?skill=lottie", "/jobs?skill=lottie", ["noindex, follow"]],
  ["/jobs?place=Bangalore", "/jobs?place=bengaluru", []],
  [
    "/jobs?skill=webflow&type=Internship",
    "/jobs?type=Internship&skill=webflow",
    ["noindex, follow"],
  ],
  ["/jobs?skill=webflow&skill=lottie", "/jobs?skill=lottie&skill=webflow", ["noindex, follow"]],
  ["/jobs?experience=3", "/jobs?experience=3", ["noindex, follow"]],
  ["/login?next=/profile", "/login", []],
])("the canonical URL of %s is %s", async (path, canonical, robots) => {
  const head = await headOf(path);
  expect(head.canonical).toEqual([app.origin + canonical.replaceAll("&", "&amp;")]);
  expect(head.robots).toEqual(robots);
});

test.each([
  "/forgot-password",
  "/reset-password",
  "/account-confirmation",
  "/payment-success",
  "/nowhere",
])("search engines do not index %s", async (path) => {
  expect((await headOf(path)).robots).toEqual(["noindex"]);
});

test("search engines do not index personal screens", async () => {
  for (const path of ["/profile", "/subscription", "/services/resume-review"])
    expect((await headOf(path, cookie)).robots, path).toEqual(["noindex"]);
});

test("the board links to the feeds for its filter", async () => {
  const html = await read("/jobs?search=poster&type=Internship&after=abc");
  for (const format of ["atom", "json"])
    expect(html).toMatch(
      new RegExp(
        `<link rel="alternate"[^>]*href="[^"]*/jobs/feed\\.${format}\\?search=poster&amp;type=Internship"`,
      ),
    );
  const filtered = await read("/jobs?mode=remote&place=Bangalore");
  expect(filtered).toContain("/jobs/feed.atom?mode=remote&amp;place=bengaluru");
  expect(await read("/jobs/feed.atom?place=Bangalore")).toContain(
    "<title>Design Jobs Board: Bengaluru - Naksha</title>",
  );
});

test("a cached page of a filter doesn't contain the address of the first visitor", async () => {
  const first = await read("/jobs?utm_source=made-up&mode=hybrid");
  expect(first).not.toContain("made-up");
  const etag = async (path: string) => (await fetch(app.origin + path)).headers.get("etag");
  expect(await etag("/jobs?mode=hybrid")).toBe(await etag("/jobs?utm_source=x&mode=hybrid&type="));
  expect(await etag("/jobs?mode=hybrid")).not.toBe(await etag("/jobs?mode=remote"));
  expect(await etag("/jobs?mode=hybrid&mode=foo")).toBeNull();
});

test("search engines and feeds never see contacts or application links", async () => {
  const lists = ["/sitemaps/jobs-1.xml", "/jobs/feed.atom", "/jobs/feed.json", "/jobs"];
  for (const path of [...lists, "/sitemap.xml", "/sitemaps/pages.xml", `/jobs/${open}`]) {
    const text = await read(path);
    for (const secret of Object.values(secrets)) expect(text.includes(secret), path).toBe(false);
    expect(text.includes(archived), path).toBe(false);
  }
  for (const path of lists) expect((await read(path)).includes(open), path).toBe(true);
  // Feeds and page heads are the same for signed-in people.
  const head = (await read(`/jobs/${open}`, cookie)).split("<body")[0]!;
  const feed = await read("/jobs/feed.atom", cookie);
  for (const secret of Object.values(secrets))
    expect([head.includes(secret), feed.includes(secret)], secret).toEqual([false, false]);
});

async function expectImage(address: string): Promise<void> {
  const response = await fetch(address);
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
}

async function read(path: string, session?: string): Promise<string> {
  const response = await fetch(app.origin + path, { headers: session ? { cookie: session } : {} });
  return response.text();
}

async function headOf(path: string, session?: string) {
  const head = (await read(path, session)).split("</head>")[0]!;
  const meta: Record<string, string> = {};
  for (const [, name, content] of head.matchAll(
    /<meta (?:name|property)="([^"]+)" content="([^"]*)"/g,
  ))
    meta[name!] = content!;
  return {
    title: /<title>([^<]*)<\/title>/.exec(head)?.[1],
    meta,
    canonical: all(head, /<link rel="canonical" href="([^"]*)"/g),
    robots: all(head, /<meta name="robots" content="([^"]*)"/g),
    postings: all(head, /<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/g),
  };
}

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => found!);
}

test("the privacy page lists exactly the cookies we set", async () => {
  const set: string[] = [];
  for await (const file of glob("{app,server}/**/*.{ts,tsx}")) {
    const source = await readFile(file, "utf8");
    set.push(...[...source.matchAll(/: Cookie = \{ name: "([\w-]+)"/g)].map(([, name]) => name!));
  }
  const page = await (await fetch(`${app.origin}/privacy`)).text();
  const rows =
    /What it does[\s\S]*?<tbody[\s\S]*?<\/tbody>/.exec(page)?.[0].split("<tbody")[1] ?? "";
  const named = [...rows.matchAll(/<tr[^>]*><t[dh][^>]*>([\w-]+)</g)].map(([, name]) => name!);
  expect(set).toContain("second-step");
  expect(named.toSorted()).toEqual(set.toSorted());
});
