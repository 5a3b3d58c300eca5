import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { jobDays } from "../app/jobs/tables.server.ts";
import { testDatabase } from "./support/product/database.ts";
import { productOn, runningApp } from "./support/product/running.ts";
import { plainFetch } from "./support/requests/plain-fetch.ts";
import { company } from "./support/rows/companies.ts";
import { insertJob } from "./support/rows/jobs.ts";
import { people, person } from "./support/rows/people.ts";
import { snapshot } from "./support/rows/things.ts";

/**
 * Reading changes no row. The exception are the figures of a company's listing: views are counted in memory and stored
 * later, also of pages from a cache, and a press on "Apply via Portal" or a seen contact is stored at once.
 */
const app = await runningApp();
const { db, product } = app;
const { views } = product.services;
// From now on only the tests flush.
await views.close();
const who = await people(db);
const own = await company(db);
const portal = "https://portal.example.com/apply?job=1";
const job = await insertJob(db, { companyId: own.id, portalApplicationLink: portal });
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const read = (path: string, headers: Record<string, string> = {}) =>
  plainFetch(app.origin + path, { headers: { "user-agent": firefox, ...headers } });

async function figures() {
  await views.flush();
  const [row] = await db.select().from(jobDays).where(eq(jobDays.jobId, job.id));
  return row;
}

test("a visitor's view writes nothing, and counts although the page comes from the cache", async () => {
  // Caching starts once the product listens for changes.
  const isCached = async () => (await read(`/jobs/${job.id}`)).headers.has("etag");
  await expect.poll(isCached).toBe(true);
  await views.flush();
  await db.execute(sql`delete from job_days`);
  const rendered = await read(`/jobs/${job.id}`);
  const before = await snapshot(db);
  const cached = await read(`/jobs/${job.id}`);
  expect(cached.headers.get("etag")).toBe(rendered.headers.get("etag"));
  const known = await read(`/jobs/${job.id}`, { "if-none-match": cached.headers.get("etag")! });
  expect(known.status).toBe(304);
  await read(`/jobs/${job.id}.data`);
  await read(`/jobs/${job.id}`, { "sec-purpose": "prefetch" });
  await read(`/jobs/${job.id}`, { "user-agent": "Googlebot/2.1" });
  expect(await snapshot(db)).toBe(before);
  expect(await figures()).toMatchObject({ views: 4, portal: 0, contact: 0, saves: 0 });
});

test("a person's view counts from the shared page, and their contact once", async () => {
  await db.execute(sql`delete from job_days`);
  const cookie = await app.cookieOf(who.ravi);
  for (let times = 0; times < 3; times++) await read(`/jobs/${job.id}`, { cookie });
  expect(await figures()).toMatchObject({ views: 3, contact: 1 });
});

test("the portal's address leads to the portal, and counts presses of people who are signed in", async () => {
  await db.execute(sql`delete from job_days`);
  const cookie = await app.cookieOf(who.sonia);
  expect(await (await read(`/jobs/${job.id}`, { cookie })).text()).toContain(
    `href="/jobs/${job.id}/portal"`,
  );
  const press = (headers: Record<string, string>) => read(`/jobs/${job.id}/portal`, headers);
  for (let times = 0; times < 2; times++)
    expect((await press({ cookie })).headers.get("location")).toBe(portal);
  expect((await press({})).headers.get("location")).toContain("/login");
  expect((await press({ cookie, "sec-purpose": "prefetch" })).status).toBe(204);
  expect(await figures()).toMatchObject({ views: 1, portal: 2 });
});

test.each([
  ["without a portal", { portalApplicationLink: null }],
  ["with a link that opens no page", { portalApplicationLink: "javascript:alert(1)" }],
  ["that is closed", { portalApplicationLink: portal, isArchived: true }],
])("a listing %s leads nowhere", async (_what, fields) => {
  const other = await insertJob(db, { companyId: own.id, ...fields });
  const cookie = await app.cookieOf(who.sonia);
  expect((await read(`/jobs/${other.id}/portal`, { cookie })).status).toBe(404);
  expect(await db.$count(jobDays, eq(jobDays.jobId, other.id))).toBe(0);
});

test("a process that closes stores the views since the last flush", async () => {
  const own = await testDatabase();
  // A product loads its demo data into a database without people.
  await person(own.db, "Asha Verma");
  const companyId = (await company(own.db)).id;
  const viewed = await insertJob(own.db, { companyId });
  const { product: other, config } = await productOn(own.url, { ROLE: "web" });
  const headers = { "user-agent": firefox };
  await plainFetch(`${config.origin}/jobs/${viewed.id}`, { headers });
  await other.close();
  expect(await own.db.select().from(jobDays)).toMatchObject([{ views: 1 }]);
});
