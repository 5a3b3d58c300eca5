import { setImmediate } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { jobs } from "../../app/jobs/tables.server.ts";
import { day, now } from "../../app/platform/clock.ts";
import { readConfig } from "../../app/platform/config.server.ts";
import { stopClock } from "../../tests/support/product/stop-clock.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { people } from "../../tests/support/rows/people.ts";
import { testServer } from "../../tests/support/product/server.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";
import { type JobRow, insertJob } from "../../tests/support/rows/jobs.ts";

const DATA_DIR = ownFolder();
const database = await testDatabase();
const { db } = database;
const { asha } = await people(db);
const server = await testServer(database, { DATA_DIR });
const cookie = await server.cookieOf(asha);
const postedAt = new Date("2026-03-01T12:00:00.789Z");
let id: string;

beforeEach(async () => {
  await db.delete(jobs);
  id = await post({ title: "Poster designer" });
});

test("robots.txt lists the sitemap and disallows private areas", async () => {
  const response = await ask("/robots.txt");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const lines = (await response.text()).split("\n");
  expect(lines).toContain("User-agent: *");
  expect(lines).toContain("Disallow: /admin");
  expect(lines).toContain(`Sitemap: ${server.origin}/sitemap.xml`);
  const closed = lines.flatMap((line) => /^Disallow: (.+)/.exec(line)?.[1] ?? []);
  for (const open of ["/", "/jobs", `/jobs/${id}`, "/services", "/about", "/social/home.png"])
    expect(closed.filter((path) => open.startsWith(path))).toEqual([]);
});

test("security.txt names an address for reports, for at most half a year", async () => {
  stopClock();
  const expires = new Date(now().getTime() + 180 * day).toISOString();
  const response = await ask("/.well-known/security.txt");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect((await response.text()).split("\n")).toEqual([
    `Contact: mailto:${readConfig({}).product.supportEmail}`,
    `Expires: ${expires}`,
    "Preferred-Languages: en, hi",
    `Canonical: ${server.origin}/.well-known/security.txt`,
    "",
  ]);
});

test("the sitemaps list every open job with its last change, and no archived ones", async () => {
  const changed = await post({ title: "Changed", updatedAt: new Date("2026-03-09T08:00:00Z") });
  const archived = await post({ title: "Gone", isArchived: true });
  const index = await (await ask("/sitemap.xml")).text();
  expect(index).toContain(`<loc>${server.origin}/sitemaps/pages.xml</loc>`);
  expect(index).toContain(
    `<loc>${server.origin}/sitemaps/jobs-1.xml</loc><lastmod>2026-03-09T08:00:00.000Z</lastmod>`,
  );
  const list = await (await ask("/sitemaps/jobs-1.xml")).text();
  expect(list).toContain(
    `<url><loc>${server.origin}/jobs/${id}</loc><lastmod>2026-03-01T12:00:00.789Z</lastmod></url>`,
  );
  expect(list).toContain(`/jobs/${changed}</loc><lastmod>2026-03-09T08:00:00.000Z</lastmod>`);
  expect(list).not.toContain(archived);
  expect((await ask("/sitemaps/jobs-2.xml")).status).toBe(404);
});

test("the places that begin with a text are named as JSON, which can be cached for a day", async () => {
  const response = await ask("/places?q=PU");
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
  expect(response.headers.get("set-cookie")).toBeNull();
  const places = (await response.json()) as { id: number; slug: string; name: string }[];
  expect(places).toContainEqual({ id: 1259229, slug: "pune", name: "Pune, Maharashtra" });
  expect(places).toHaveLength(10);
});

test("a location gets the places that complete it, and the details that it states", async () => {
  const response = await ask("/places?location=Remote,%20ind&mode=x");
  expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
  expect(await response.json()).toMatchObject({
    completions: expect.arrayContaining(["Remote, India"]),
    details: [
      { name: "workMode", value: "remote", text: "work mode (Remote)" },
      { name: "applicantPlaces", value: "India", text: "where applicants may live (India)" },
    ],
    conflict: null,
  });
  const long = await ask(`/places?location=${"Pune, ".repeat(1_000)}`);
  expect(await long.json()).toMatchObject({ details: [{ name: "places", value: "Pune" }] });
});

test.each(["/places", "/places?q=", "/places?q=%20,", `/places?q=${"pune".repeat(500)}`])(
  "%s names no place",
  async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([]);
  },
);

test("the places support HEAD and refuse other methods", async () => {
  const head = await ask("/places?q=pu", {}, "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await ask("/places?q=pu", {}, "POST")).status).toBe(405);
});

test("a sitemap is compressed if the client accepts it", async () => {
  for (const encoding of ["gzip", "identity"]) {
    const response = await ask("/sitemaps/jobs-1.xml", { "accept-encoding": encoding });
    expect(await response.text()).toContain(`/jobs/${id}<`);
    expect(response.headers.get("content-encoding")).toBe(encoding === "gzip" ? "gzip" : null);
  }
});

test("a client that disconnects during a sitemap causes no error outside its request", async () => {
  for (let job = 0; job < 200; job++) await post({ title: `Designer ${job}` });
  const errors: unknown[] = [];
  const collect = (error: unknown) => errors.push(error);
  process.on("uncaughtException", collect);
  for (let attempt = 0; attempt < 60; attempt++) await disconnect(attempt);
  await ask("/sitemaps/jobs-1.xml").then((response) => response.text());
  process.off("uncaughtException", collect);
  expect(errors).toEqual([]);
});

const documents = [
  "/robots.txt",
  "/manifest.webmanifest",
  "/sitemap.xml",
  "/sitemaps/pages.xml",
  "/sitemaps/jobs-1.xml",
  "/jobs/feed.atom",
  "/jobs/feed.json",
  "/social/about.png",
];

test.each(documents)(
  "%s can be cached, sets no cookie and is the same for everyone",
  async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toMatch(/^public, max-age=\d+/);
    expect(["Accept-Encoding", null]).toContain(response.headers.get("vary"));
    expect(response.headers.get("set-cookie")).toBeNull();
    const own = await ask(path, { cookie: `${cookie}; toasts=W10; leaving=1` });
    expect(own.headers.get("set-cookie")).toBeNull();
    expect(await own.text()).toBe(await response.text());
  },
);

test.each(documents)("%s responds with 304 to a current ETag", async (path) => {
  const first = await ask(path);
  const etag = first.headers.get("etag") ?? "";
  const again = await ask(path, { "if-none-match": etag });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
  expect((await ask(path, { "if-none-match": '"other"' })).status).toBe(200);
});

test.each(documents)("%s supports HEAD and refuses other methods", async (path) => {
  const [get, head] = [await ask(path), await ask(path, {}, "HEAD")];
  expect(head.status).toBe(200);
  expect(await head.text()).toBe("");
  for (const name of ["content-type", "etag", "cache-control", "last-modified"])
    expect(head.headers.get(name), name).toBe(get.headers.get(name));
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const response = await ask(path, {}, method);
    expect(response.status, method).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD");
  }
});

test.each(["/jobs/feed.atom", "/jobs/feed.json", "/sitemaps/jobs-1.xml"])(
  "%s supports If-Modified-Since",
  async (path) => {
    const date = (await ask(path)).headers.get("last-modified") ?? "";
    expect(date).toBe("Sun, 01 Mar 2026 12:00:00 GMT");
    expect((await ask(path, { "if-modified-since": date })).status).toBe(304);
    await db.update(jobs).set({ updatedAt: new Date("2026-03-02") });
    expect((await ask(path, { "if-modified-since": date })).status).toBe(200);
    expect(
      (await ask(path, { "if-modified-since": date, "if-none-match": '"other"' })).status,
    ).toBe(200);
  },
);

test("feeds have their own content types and support the board's filters", async () => {
  await post({ title: "Intern", jobType: "Internship" });
  const atom = await ask("/jobs/feed.atom?type=Internship&search=&summary=hide");
  expect(atom.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  const text = await atom.text();
  expect(text).toContain("Intern at Sample Studio");
  expect(text).not.toContain("Poster");
  const json = await ask("/jobs/feed.json?type=Internship");
  expect(json.headers.get("content-type")).toBe("application/feed+json; charset=utf-8");
  expect(await json.json()).toMatchObject({
    version: "https://jsonfeed.org/version/1.1",
    feed_url: `${server.origin}/jobs/feed.json?type=Internship`,
    items: [{ title: "Intern at Sample Studio" }],
  });
});

test("an image URL with an old version gets the current image, cached briefly", async () => {
  const old = await ask(`/social/jobs/${id}.png?v=old`);
  expect(old.status).toBe(200);
  expect(old.headers.get("cache-control")).toBe("public, max-age=300");
  const version = old.headers.get("etag")?.replaceAll('"', "");
  const present = await ask(`/social/jobs/${id}.png?v=${version}`);
  expect(present.headers.get("cache-control")).toMatch(/immutable/);
});

test("unknown documents are not found", async () => {
  for (const path of ["/social/nothing.png", "/sitemaps/jobs-0.xml", "/sitemaps/jobs-x.xml"])
    expect((await ask(path)).status, path).toBe(404);
});

async function post(row: JobRow): Promise<string> {
  return (await insertJob(db, { postedAt, ...row })).id;
}

/** Downloads a sitemap for a number of turns of the event loop, then disconnects. */
async function disconnect(turns: number): Promise<void> {
  const leaving = new AbortController();
  const response = await fetch(`${server.origin}/sitemaps/jobs-1.xml`, { signal: leaving.signal });
  for (let turn = 0; turn < turns; turn++) await setImmediate();
  leaving.abort();
  await response.text().catch(() => {});
}

function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  return fetch(server.origin + path, { method, headers });
}
