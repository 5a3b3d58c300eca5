import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import type { Actor } from "../app/accounts/actor.server.ts";
import { jobs } from "../app/jobs/tables.server.ts";
import { day, now } from "../app/platform/clock.ts";
import { rateLimits } from "../app/platform/tables.server.ts";
import { people, person } from "./support/rows/people.ts";
import { stopClock } from "./support/product/stop-clock.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";

/** The job board and its jobs, whose page bodies are shared by everyone who is signed in. */

const job = {
  title: 'Type & "Letter" </script> Designer',
  company: "Akshara Studio",
  location: "Pune",
  jobType: "Full-time" as const,
  description: "Draw letters.",
  pocName: "Kiran",
  pocContact: "contact@example.com",
};
let app: RunningApp;
let id: string;
let visits: { who: Actor; cookie: string }[];

beforeAll(async () => {
  app = await runningApp(undefined, { RATE_LIMITS: "on" });
  const known = Object.values(await people(app.db));
  const others = [
    await person(app.db, `$&"'<b>\\u003c&amp;</script> Name`),
    await person(app.db, "आशा वर्मा", { roles: ["reviewer"] }),
    await person(app.db, "Profile"),
  ];
  visits = await Promise.all(
    [...known, ...others].map(async (who) => ({ who, cookie: await app.cookieOf(who) })),
  );
  const postedAt = now();
  const rows = await app.db
    .insert(jobs)
    .values(Array.from({ length: 25 }, () => ({ ...job, postedAt })))
    .returning({ id: jobs.id });
  id = rows[0]!.id;
  // Caching starts once the product listens for changes; a visitor's cached page has a tag.
  const isCaching = async () => expect((await ask("/jobs", "")).headers.has("etag")).toBe(true);
  await vi.waitFor(isCaching, 60_000);
});

test.each([
  "/jobs",
  "/jobs?type=Full-time",
  "/jobs?search=letter&summary=hide",
  "/jobs?search=nothing-like-it",
  "/jobs/:id",
  "/jobs/:id?from=elsewhere",
])("a shared page at %s equals one rendered for that person alone", async (address) => {
  const path = address.replace(":id", id);
  for (const theme of ["", "; theme=dark"])
    await Promise.all(visits.map(getsTheirOwn(path, theme)));
});

function getsTheirOwn(path: string, theme: string) {
  return async ({ who, cookie }: { who: Actor; cookie: string }) => {
    const shared = await read(path, cookie + theme);
    // A waiting form turns sharing off.
    const alone = await read(path, `${cookie}${theme}; held-form=none`);
    expect(shared, `${path} for ${who.fullName}`).toEqual(alone);
    for (const { who: other } of visits)
      if (other !== who) expect(shared.html).not.toContain(other.email);
  };
}

test("people who can change jobs see fresh data, everyone else the cached page", async () => {
  const titles = await withUnannouncedTitle(() => titlesShown(`/jobs/${id}`));
  for (const { who } of visits) {
    const mayChange = who.isGodAdmin || who.isJobBoardAdder || who.hasActiveSubscription;
    expect(titles.get(who.email), who.email).toBe(mayChange ? "Changed" : "as before");
  }
});

test("everyone sees a change", async () => {
  await app.db.update(jobs).set({ title: "Changed again" }).where(eq(jobs.id, id));
  await expect
    .poll(async () => [...(await titlesShown(`/jobs/${id}`, "Changed again")).values()])
    .not.toContain("as before");
});

test("an archived job answers 410 and an unknown one 404", async () => {
  const { cookie } = visits[0]!;
  await app.db.update(jobs).set({ isArchived: true }).where(eq(jobs.id, id));
  await expect.poll(async () => (await ask(`/jobs/${id}`, cookie)).status).toBe(410);
  expect((await ask("/jobs/nothing-like-it", cookie)).status).toBe(404);
});

/** Runs `work` while the job has a new title that no process was notified of. */
async function withUnannouncedTitle<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const visit of visits) await ask(`/jobs/${id}`, visit.cookie);
  await app.db.execute(sql`alter table jobs disable trigger user`);
  await app.db.update(jobs).set({ title: "Changed" }).where(eq(jobs.id, id));
  try {
    return await work();
  } finally {
    await app.db.update(jobs).set({ title: job.title }).where(eq(jobs.id, id));
    await app.db.execute(sql`alter table jobs enable trigger user`);
  }
}

async function titlesShown(path: string, title = "Changed"): Promise<Map<string, string>> {
  const titles = visits.map(async ({ who, cookie }): Promise<[string, string]> => {
    const { html } = await read(path, cookie);
    return [who.email, html.includes(`<title>${title} `) ? title : "as before"];
  });
  return new Map(await Promise.all(titles));
}

/** Reads a page without its request id and nonce. */
async function read(path: string, cookie: string) {
  const answer = await ask(path, cookie);
  const policy = answer.headers.get("content-security-policy") ?? "";
  const [, nonce = "none"] = /'nonce-([^']+)'/.exec(policy) ?? [];
  const html = (await answer.text())
    .replaceAll(nonce, "nonce")
    .replaceAll(/\b[0-9a-f]{16}\b/g, "id");
  const { status, headers } = answer;
  const names = ["content-type", "cache-control", "vary", "set-cookie"];
  return { status, html, headers: names.map((name) => headers.get(name)) };
}

function ask(path: string, cookie: string): Promise<Response> {
  return fetch(app.origin + path, { headers: { cookie, accept: "text/html" } });
}

test("someone who has seen 200 contacts today gets a message instead, on cached pages too", async () => {
  stopClock();
  const greedy = await person(app.db, "Greedy Reader");
  const cookie = await app.cookieOf(greedy);
  const rows = [1, 2].map(() => ({ ...job, postedAt: now() }));
  const [seen, other] = await app.db.insert(jobs).values(rows).returning({ id: jobs.id });
  const before = await read(`/jobs/${seen!.id}`, cookie);
  expect(before.html).toContain(job.pocContact);
  await app.db
    .insert(rateLimits)
    .values({
      key: `job-contacts:${greedy.id}`,
      windowStart: new Date(Math.floor(now().getTime() / day) * day),
      count: 200,
    })
    .onConflictDoUpdate({ target: [rateLimits.key, rateLimits.windowStart], set: { count: 200 } });
  // Another person's visit puts the page into the cache.
  expect((await read(`/jobs/${other!.id}`, visits[0]!.cookie)).html).toContain(job.pocContact);
  for (const path of [`/jobs/${other!.id}`, `/JOBS/${other!.id}`, `/jobs/${other!.id}.data`]) {
    const answer = await fetch(app.origin + path, { headers: { cookie } });
    const text = await answer.text();
    expect(text, path).toContain("seen the contacts of 200 jobs today");
    expect(text, path).not.toContain(job.pocContact);
    expect(text, path).not.toContain(`>${job.pocName}<`);
  }
  expect((await read(`/jobs/${seen!.id}`, cookie)).html).toContain(job.pocContact);
});
