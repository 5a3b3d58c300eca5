import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jobs } from "../../app/jobs/tables.server.ts";
import { testDatabase, type TestDatabase } from "../support/product/database.ts";
import { publicPages } from "../support/inventory/public-pages.ts";
import { productOn } from "../support/product/running.ts";
import { isLong, say } from "./attacked.ts";
import { type Answer, ask } from "./wire.ts";
import { ownFolder } from "../support/product/own-folder.ts";

/**
 * No request of one visitor, however odd, changes the next visitor's answers. Two products share a database,
 * and one of them gets odd requests first. Then both are asked by a clean visitor.
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
    "/sitemap.xml",
    "/sitemaps/pages.xml",
    "/robots.txt",
    "/manifest.webmanifest",
    "/social/home.png",
    "/nowhere",
  ];
  // Each costs a rendering in both products, so one page and one document represent the others.
  paths = isLong ? all : ["/jobs", "/jobs/feed.atom"];
});

/** Both believe to be at one address, so that their pages are the same to the letter. */
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
  ["no type that there is", { Accept: "text/none;q=0" }],
  ["a coding that there is not", { "Accept-Encoding": "identity;q=0, compress" }],
  ["a coding", { "Accept-Encoding": "br" }],
  ["a part", { Range: "bytes=0-9" }],
  ["what is known", { "If-None-Match": "*", "If-Modified-Since": "Fri, 01 Jan 2999 00:00:00 GMT" }],
  ["a browser that loads ahead", { "Sec-Purpose": "prefetch", Purpose: "prefetch" }],
  ["a program", { "X-Requested-With": "XMLHttpRequest", "Sec-Fetch-Dest": "empty" }],
  ["another theme", { Cookie: "theme=dark" }],
  ["a theme that there is not", { Cookie: 'theme="><script>alert(1)</script>' }],
  ["a toast", { Cookie: `toasts=${encodeURIComponent('[{"kind":"error","title":"Owned"}]')}` }],
  ["a held form", { Cookie: "held-form=x.y" }],
  ["somebody who leaves", { Cookie: "leaving=1" }],
  ["a session that there is not", { Cookie: "session-3000=x; __Host-session=x" }],
  ["two cookies of one name", { Cookie: "theme=dark; theme=light; THEME=dark" }],
  ["headers in capitals", { "ACCEPT-ENCODING": "GZIP", "X-FORWARDED-HOST": elsewhere }],
  ["a program's name", { "User-Agent": "Googlebot</script><script>alert(1)</script>" }],
  ["a referrer", { Referer: `https://${elsewhere}/"><script>` }],
];

/** The address of a page, written otherwise. What is the same address to us has the same page. */
const spelled: ((path: string) => string)[] = [
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

test("what was asked for with odd headers is to the next visitor as if nobody had asked", async () => {
  let compared = 0;
  for (const path of paths) {
    // Each oddity has an address that no cache holds yet.
    const addresses = odd.map(
      (_odd, index) => `${path}${path.includes("?") ? "&" : "?"}n=${index}`,
    );
    for (const [index, [, headers]] of odd.entries())
      for (const method of isLong ? ["HEAD", "GET"] : ["GET"])
        await visit(poisoned, addresses[index]!, headers, method);
    for (const [index, [what]] of odd.entries()) {
      expect(await seen(poisoned, addresses[index]!), `${what} at ${path}`).toEqual(
        await seen(clean, addresses[index]!),
      );
      compared += 1;
    }
  }
  say(`${compared} pages compared after odd headers`);
});

test("what was asked for all at once, oddly, while nothing was cached, is as if nobody had asked", async () => {
  await database.db.execute(sql`update jobs set title = title`);
  for (const path of paths)
    await Promise.all(odd.map(([, headers]) => visit(poisoned, path, headers)));
  for (const path of paths)
    expect(await seen(poisoned, path), path).toEqual(await seen(clean, path));
});

test("other spellings of an address change nothing at the address itself", async () => {
  let compared = 0;
  for (const path of paths) {
    const turns = spelled.map((spell, index) => {
      const query = `${path.includes("?") ? "&" : "?"}s=${index}`;
      return { odd: spell(path.split("?")[0]!) + query, plain: path + query };
    });
    for (const turn of turns) await visit(poisoned, turn.odd, {});
    for (const turn of turns) {
      expect(await seen(poisoned, turn.plain), turn.odd).toEqual(await seen(clean, turn.plain));
      compared += 1;
    }
  }
  say(`${compared} pages compared after odd spellings`);
});

test("parameters that nobody reads, doubled or endless, change nothing at the plain address", async () => {
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
    expect(await seen(poisoned, path), path).toEqual(await seen(clean, path));
  }
});

test("no page for everybody says anything of whoever asked for it", async () => {
  for (const path of paths) {
    for (const [what, headers] of odd) {
      const { headers: answered, body } = await visit(poisoned, path, headers);
      const told = `${[...answered.values()].join("\n")}\n${body}`;
      expect(told.includes(elsewhere) || told.includes("alert(1)"), `${what} at ${path}`).toBe(
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

/** Returns a visitor's answer without the parts that differ for each answer or product. */
async function seen(running: Running, path: string) {
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
  const said = Object.fromEntries([...headers].map(([name, value]) => [name, plain(value)]));
  return { status, headers: said, body: plain(body) };
}
