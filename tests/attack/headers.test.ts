import { readdirSync } from "node:fs";
import { stat } from "node:fs/promises";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, getSessionCookieName } from "../../app/accounts/session.server.ts";
import { getFileAddress } from "../../app/files/rules.ts";
import { storedFiles } from "../../app/files/tables.server.ts";
import { createJob } from "../../app/jobs/manage/job-commands.server.ts";
import { realSettings } from "../support/product/config.ts";
import { testDatabase, type TestDatabase } from "../support/product/database.ts";
import { freePorts } from "../support/product/free-ports.ts";
import { handlers } from "../support/inventory/handlers.ts";
import { screenPaths } from "../support/inventory/screens.ts";
import { type Everybody, people } from "../support/rows/people.ts";
import { storedFile } from "../support/rows/reviews.ts";
import { productOn } from "../support/product/running.ts";
import { jobFields } from "../support/rows/jobs.ts";
import { say } from "./attacked.ts";
import { type Answer, answersIn, ask, exchange } from "./wire.ts";
import { ownFolder } from "../support/product/own-folder.ts";

/** Every answer, whatever its status, has the security headers. */

const year = 31_536_000;
const statuses = new Map<number, number>();

describe.each([
  ["demo mode", {}],
  ["production behind TLS", realSettings],
])("in %s", (_mode, settings) => {
  let database: TestDatabase;
  let running: Awaited<ReturnType<typeof productOn>>;
  let who: Everybody;
  let jobId: string;
  let cookies: { asha: string; gita: string };

  beforeAll(async () => {
    database = await testDatabase();
    who = await people(database.db);
    jobId = await createJob(database.db, who.devi, jobFields);
    running = await productOn(database.url, { ...settings, DATA_DIR: ownFolder() });
    const { config } = running;
    const cookieOf = async ({ id }: { id: string }) =>
      `${getSessionCookieName(config)}=${(await openSession(database.db, id)).token}`;
    cookies = { asha: await cookieOf(who.asha), gita: await cookieOf(who.gita) };
  });
  afterAll(() => running.product.close());

  test("every screen and its data have the headers, for each method and sender", async () => {
    for (const path of screenPaths) {
      const at = path.replace(/:\w+\??/, jobId).replace("*", "nowhere");
      for (const cookie of ["", cookies.asha, cookies.gita]) {
        await expectSecure("GET", at, { Cookie: cookie });
        await expectSecure("GET", `${at === "/" ? "/_" : at}.data`, { Cookie: cookie });
      }
      for (const method of ["HEAD", "OPTIONS", "PUT", "TRACE"]) await expectSecure(method, at);
      for (const type of ["application/x-www-form-urlencoded", "application/json"])
        await expectSecure("POST", at, { "Content-Type": type, ...own() }, "a=b");
      await expectSecure("POST", at, { Origin: "https://elsewhere.example" }, "a=b");
    }
  });

  test("every other handler has the headers, for each method", async () => {
    for (const row of Object.keys(handlers)) {
      const [, path = ""] = row.split(" ");
      const at = path.replace(/:\w+(\{.*\})?/, "none").replace("*", "none");
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
        for (const cookie of ["", cookies.asha])
          await expectSecure(
            method,
            at,
            { Cookie: cookie, ...own() },
            method === "POST" ? "a=b" : "",
          );
    }
  });

  test("every file of the build has the headers", async () => {
    const files = readdirSync("build/client", { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
      .map(({ parentPath, name }) => `${parentPath}/${name}`.replace("build/client", ""));
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) expect((await expectSecure("GET", file)).status, file).toBe(200);
  });

  test("stored files have the headers: full, ranges, unchanged and not found", async () => {
    const { db } = database;
    const { store } = running.product.services;
    const source = "tests/fixtures/files/poster.png";
    const { size } = await stat(source);
    for (const [bucket, mimeType, showable] of [
      ["resumes", "application/pdf", true],
      ["portfolios", "image/png", true],
      ["resumes", "application/msword", false],
    ] as const) {
      const { id, path } = await storedFile(db, who.asha, bucket);
      await db.update(storedFiles).set({ mimeType, showable, size }).where(eq(storedFiles.id, id));
      await store.put(bucket, path, source);
      const at = getFileAddress(bucket, path);
      const Cookie = cookies.asha;
      const full = await expectSecure("GET", at, { Cookie });
      expect(full.status).toBe(200);
      expect((await expectSecure("GET", at, { Cookie, Range: "bytes=0-1" })).status).toBe(206);
      expect((await expectSecure("GET", at, { Cookie, Range: `bytes=${size}-` })).status).toBe(416);
      const known = { Cookie, "If-None-Match": full.headers.get("etag")! };
      expect((await expectSecure("GET", at, known)).status).toBe(304);
      expect((await expectSecure("GET", at)).status).toBe(404);
    }
  });

  test("failures have the headers", async () => {
    const { db } = database;
    await db.execute(sql`alter table jobs rename to jobs_away`);
    const paths = ["/jobs/feed.atom?search=none", "/sitemap.xml", "/jobs/none", "/jobs?search=no"];
    try {
      for (const path of paths) await expectSecure("GET", path);
    } finally {
      await db.execute(sql`alter table jobs_away rename to jobs`);
    }
  });

  test("refusals have the headers, and every status was checked", async () => {
    const type = "application/x-www-form-urlencoded";
    const long = `a=${"b".repeat(1_100_000)}`;
    const is = async (status: number, method: string, path: string, headers = {}, body = "") =>
      expect((await expectSecure(method, path, headers, body)).status, `${method} ${path}`).toBe(
        status,
      );
    await is(413, "POST", "/login", { "Content-Type": type, ...own() }, long);
    await is(413, "POST", "/payu-webhook", { "Content-Type": type }, long);
    await is(415, "POST", "/login", { "Content-Type": "text/plain", ...own() }, "a");
    await is(403, "POST", "/login", { Origin: "null" }, "a");
    await is(401, "POST", "/uploads", { "Tus-Resumable": "1.0.0", ...own() });
    await is(412, "POST", "/uploads", { Cookie: cookies.asha, ...own() });
    await is(417, "POST", "/login", { Expect: "the impossible" });
    await is(400, "GET", "/jobs", { Host: "a b" });
    await is(400, "GET", "/jobs", { Host: "" });
    await is(431, "GET", "/jobs", { Cookie: "a".repeat(20_000) });
    await is(204, "GET", "/login", { "Sec-Purpose": "prefetch", Cookie: cookies.asha });
    if (running.config.mode === "demo") await is(307, "GET", "/jobs", { Host: "127.0.0.1" });
    for (const path of ["/jobs", "/jobs/feed.atom"]) {
      const { headers } = await expectSecure("GET", path);
      await is(304, "GET", path, { "If-None-Match": headers.get("etag") });
    }
    for (const raw of ["nonsense\r\n\r\n", "GET /jobs HTTP/1.1\r\n\r\n", "GET  HTTP/1.1\r\n\r\n"])
      await expectSecureRaw(raw);
    expect([...statuses.keys()]).toEqual(
      expect.arrayContaining([200, 302, 303, 404, 405, 413, 500]),
    );
    say(
      `answers checked: ${[...statuses].map(([status, count]) => `${status} × ${count}`).join(", ")}`,
    );
  });

  /** The headers of a form on our own pages. */
  const own = () => ({ Origin: running.config.origin });

  async function expectSecure(
    method: string,
    path: string,
    headers = {},
    body = "",
  ): Promise<Answer> {
    const { port, origin } = running.config;
    const answer = await ask(port, method, path, { Host: new URL(origin).host, ...headers }, body);
    expect(failings(answer, origin, path), `${method} ${path}: ${answer.status}`).toEqual([]);
    return answer;
  }

  async function expectSecureRaw(text: string): Promise<void> {
    const { port, origin } = running.config;
    const [answer] = answersIn((await exchange(port, Buffer.from(text), false)).bytes);
    expect(failings(answer!, origin, ""), text).toEqual([]);
  }
});

test("the metrics port has the headers too", async () => {
  const { url, db } = await testDatabase();
  await people(db);
  const metrics = await freePorts(1);
  const { product, config } = await productOn(url, {
    DATA_DIR: ownFolder(),
    METRICS_PORT: String(metrics),
  });
  for (const path of ["/metrics", "/", "/metrics/"])
    expect(failings(await ask(metrics, "GET", path, { Host: "x" }), config.origin, path)).toEqual(
      [],
    );
  await product.close();
});

/** Lists the headers that are missing or wrong in an answer. */
function failings({ status, headers, body }: Answer, origin: string, path: string): string[] {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const policy = headers.get("content-security-policy") ?? "";
  const type = headers.get("content-type") ?? "";
  const isFile =
    path.startsWith("/storage/") && (status === 206 || status === 416 || status === 200);
  const checks: [what: string, isSo: boolean][] = [
    ["nosniff", headers.get("x-content-type-options") === "nosniff"],
    [
      "a referrer policy",
      /^(strict-origin-when-cross-origin|same-origin)$/.test(headers.get("referrer-policy") ?? ""),
    ],
    ["a permissions policy", /camera=\(\)/.test(headers.get("permissions-policy") ?? "")],
    ["an opener policy", headers.get("cross-origin-opener-policy") === "same-origin"],
    [
      "a resource policy",
      /^(same|cross)-origin$/.test(headers.get("cross-origin-resource-policy") ?? ""),
    ],
    ["HSTS only behind TLS", hsts(headers) === origin.startsWith("https:")],
    ["frames", status === 304 || policy.includes(`frame-ancestors '${isFile ? "self" : "none"}'`)],
    ["no policy on a 304", status !== 304 || policy === "" || path.startsWith("/storage/")],
    [
      "frame options for old browsers",
      /^(DENY|SAMEORIGIN)$/.test(headers.get("x-frame-options") ?? ""),
    ],
    ["a content type", body === "" || type !== ""],
    ["a charset for text", !/^text\/|[+/]xml\b/.test(type) || /charset=utf-8/i.test(type)],
    ["no server name", !headers.has("server") && !headers.has("x-powered-by")],
  ];
  if (type.startsWith("text/html") && status !== 304)
    checks.push(
      [
        "only scripts with a nonce or hash",
        /script-src 'self'( '(nonce|sha256)-[^']+')*;/.test(policy),
      ],
      ["no objects", policy.includes("object-src 'none'")],
      ["no base element", policy.includes("base-uri 'none'")],
    );
  return checks.flatMap(([what, isSo]) => (isSo ? [] : [what]));
}

function hsts(headers: Map<string, string>): boolean {
  const [, seconds = "0"] =
    /^max-age=(\d+); includeSubDomains$/.exec(headers.get("strict-transport-security") ?? "") ?? [];
  return Number(seconds) >= year;
}
