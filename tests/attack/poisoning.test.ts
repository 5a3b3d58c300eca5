import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jobs } from "../../app/jobs/tables.server.ts";
import { testDatabase, type TestDatabase } from "../support/product/database.ts";
import { publicPages } from "../support/inventory/screens.ts";
import { productOn } from "../support/product/running.ts";
import { isLong, say } from "./attacked.ts";
import { type Answer, ask } from "./wire.ts";
import { ownFolder } from "../support/product/own-folder.ts";

/**
 * No request may change what the next visitor gets. Two products share a database. One gets odd requests first,
 * then a normal visitor compares both.
 */

type Running = Awaited<ReturnType<typeof productOn>>;

let database: TestDatabase;
let poisoned: Running;
let clean: Running;
let paths: string[];

beforeAll(async () => {
  database = await testDatabase();
  const origin = "http://localhost:3000";
  [poisoned, clean] = await Promise.all([start(origin), start(origin)]);
  const [job] = await database.db.select({ id: jobs.id }).from(jobs).limit(1);
  const all = [
    ...publicPages.map(({ path }) => path),
    `/jobs/${job!.id}`,
    "/jobs?type=Internship",
    "/jobs.data",
    "/jobs/feed.atom",
    "/jobs/feed.json",
    "/places?q=pu",
    "/sitemap.xml",
    "/sitemaps/pages.xml",
    "/robots.txt",
    "/manifest.webmanifest",
    "/social/home.png",
    "/nowhere",
  ];
  // Each path is rendered in both products, so normal tests use one page and one feed.
  paths = isLong ? all : ["/jobs", "/jobs/feed.atom"];
});

/** Starts a product. Both have the same origin, so that their pages are identical. */
async function start(origin: string): Promise<Running> {
  const dataDir = ownFolder();
  const settings = { ORIGIN: origin, TRUSTED_PROXIES: "127.0.0.1", DATA_DIR: dataDir };
  const running = await productOn(database.url, settings);
  afterAll(() => running.product.close());
  return running;
}

const elsewhere = "elsewhere.example";

/** Headers that must not influence a page. */
const odd: [what: string, headers: Record<string, string>][] = [
  [
    "another host behind a proxy",
    { "X-Forwarded-Host": elsewhere, Forwarded: `host=${elsewhere}` },
  ],
  ["another host", { Host: elsewhere }],
  ["a host with another port", { Host: "localhost:1" }],
  ["a host in capitals", { Host: "LOCALHOST:3000" }],
  ["another scheme", { "X-Forwarded-Proto": "gopher", "X-Forwarded-Scheme": "http" }],
  ["another port", { "X-Forwarded-Port": "1", "X-Forwarded-Prefix": "/evil" }],
  ["another address", { "X-Forwarded-For": "192.0.2.7", "X-Real-IP": "192.0.2.7" }],
  ["another path", { "X-Original-URL": "/admin", "X-Rewrite-URL": "/admin" }],
  ["another method", { "X-HTTP-Method-Override": "DELETE", "X-Method-Override": "POST" }],
  ["another origin", { Origin: `https://${elsewhere}` }],
  ["another language", { "Accept-Language": "hi" }],
  ["another type", { Accept: "application/json" }],
  ["an unknown type", { Accept: "text/none;q=0" }],
  ["an unknown encoding", { "Accept-Encoding": "identity;q=0, compress" }],
  ["an encoding", { "Accept-Encoding": "br" }],
  ["a range", { Range: "bytes=0-9" }],
  [
    "conditional headers",
    { "If-None-Match": "*", "If-Modified-Since": "Fri, 01 Jan 2999 00:00:00 GMT" },
  ],
  ["a prefetch", { "Sec-Purpose": "prefetch", Purpose: "prefetch" }],
  ["a script", { "X-Requested-With": "XMLHttpRequest", "Sec-Fetch-Dest": "empty" }],
  ["another theme", { Cookie: "theme=dark" }],
  ["an unknown theme", { Cookie: 'theme="><script>alert(1)</script>' }],
  ["a toast", { Cookie: `toasts=${encodeURIComponent('[{"kind":"error","title":"Owned"}]')}` }],
  ["a held form", { Cookie: "held-form=x.y" }],
  ["a person signing out", { Cookie: "leaving=1" }],
  ["an unknown session", { Cookie: "session-3000=x; __Host-session=x" }],
  ["two cookies of one name", { Cookie: "theme=dark; theme=light; THEME=dark" }],
  ["headers in capitals", { "ACCEPT-ENCODING": "GZIP", "X-FORWARDED-HOST": elsewhere }],
  ["a user agent", { "User-Agent": "Googlebot</script><script>alert(1)</script>" }],
  ["a referrer", { Referer: `https://${elsewhere}/"><script>` }],
];

/** Other spellings of a page's address. */
const spellings: ((path: string) => string)[] = [
  (path) => path.toUpperCase(),
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => `${path}%00`,
  (path) => `${path};x=y`,
  (path) => `${path}.data`,
  (path) => `${path}.css`,
  (path) => `${path}%2ecss`,
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `http://${elsewhere}${path}`,
];

test("odd headers do not change what the next visitor gets", async () => {
  let compared = 0;
  for (const path of paths) {
    // Each case has its own address, so that nothing is cached yet.
    const addresses = odd.map(
      (_odd, index) => `${path}${path.includes("?") ? "&" : "?"}n=${index}`,
    );
    for (const [index, [, headers]] of odd.entries())
      for (const method of isLong ? ["HEAD", "GET"] : ["GET"])
        await visit(poisoned, addresses[index]!, headers, method);
    for (const [index, [what]] of odd.entries()) {
      expect(await readAnswer(poisoned, addresses[index]!), `${what} at ${path}`).toEqual(
        await readAnswer(clean, addresses[index]!),
      );
      compared += 1;
    }
  }
  say(`${compared} pages compared after odd headers`);
});

test("concurrent odd requests to an empty cache do not change what the next visitor gets", async () => {
  await database.db.execute(sql`update jobs set title = title`);
  for (const path of paths)
    await Promise.all(odd.map(([, headers]) => visit(poisoned, path, headers)));
  for (const path of paths)
    expect(await readAnswer(poisoned, path), path).toEqual(await readAnswer(clean, path));
});

test("other spellings of an address do not change its page", async () => {
  let compared = 0;
  for (const path of paths) {
    const turns = spellings.map((spell, index) => {
      const query = `${path.includes("?") ? "&" : "?"}s=${index}`;
      return { odd: spell(path.split("?")[0]!) + query, plain: path + query };
    });
    for (const turn of turns) await visit(poisoned, turn.odd, {});
    for (const turn of turns) {
      expect(await readAnswer(poisoned, turn.plain), turn.odd).toEqual(
        await readAnswer(clean, turn.plain),
      );
      compared += 1;
    }
  }
  say(`${compared} pages compared after odd spellings`);
});

test("unknown, repeated or huge parameters do not change the page without them", async () => {
  const queries = [
    "utm_source=<script>",
    "_data=x",
    "a=1&a=2",
    "__proto__=1",
    "%00",
    "x=" + "y".repeat(5_000),
  ];
  for (const path of paths) {
    for (const query of queries)
      await visit(poisoned, `${path}${path.includes("?") ? "&" : "?"}${query}`, {});
    expect(await readAnswer(poisoned, path), path).toEqual(await readAnswer(clean, path));
  }
});

test("a shared page never repeats the headers of a request", async () => {
  for (const path of paths) {
    for (const [what, headers] of odd) {
      const { headers: answered, body } = await visit(poisoned, path, headers);
      const text = `${[...answered.values()].join("\n")}\n${body}`;
      expect(text.includes(elsewhere) || text.includes("alert(1)"), `${what} at ${path}`).toBe(
        false,
      );
    }
  }
});

function visit(
  { config }: Running,
  path: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<Answer> {
  return ask(config.port, method, path, { Host: "localhost:3000", ...headers });
}

/** Returns a normal visitor's answer without the parts that differ each time. */
async function readAnswer(running: Running, path: string) {
  const { status, headers, body } = await visit(running, path, { "Accept-Encoding": "gzip" });
  const [, nonce = "no nonce"] =
    /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "") ?? [];
  const plain = (text: string) =>
    text
      .replaceAll(nonce, "nonce")
      .replaceAll(/\b[0-9a-f]{16}\b/g, "id")
      // Each view of the sign-in page has a new challenge.
      .replaceAll(/(challenge[\\",]+)[\w-]{72}/g, "$1once")
      .replaceAll(/\b1[0-9]{12}\b/g, "moment")
      .replaceAll(/'sha256-[^']+'/g, "'hash'")
      .replaceAll(/127\.0\.0\.1:\d+/g, "stand-in");
  // The tag and the length of a page follow from its id.
  for (const name of ["date", "content-length", "etag"]) headers.delete(name);
  const stableHeaders = Object.fromEntries(
    [...headers].map(([name, value]) => [name, plain(value)]),
  );
  return { status, headers: stableHeaders, body: plain(body) };
}
