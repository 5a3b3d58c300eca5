import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import type { Actor } from "../app/accounts/actor.server.ts";
import { jobs } from "../app/jobs/tables.server.ts";
import { now } from "../app/platform/clock.ts";
import { people, person } from "./support/rows/people.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";

/** The board and its jobs, whose bodies everybody who is signed in shares. */

const job = {
  title: 'Type & "Letter" </script> Designer',
  company: "Akshara Studio",
  location: "Pune",
  jobType: "Full-time" as const,
  description: "Draw letters.",
  pocName: "Somebody",
  pocContact: "contact@example.com",
};
let app: RunningApp;
let id: string;
let visits: { who: Actor; cookie: string }[];

beforeAll(async () => {
  app = await runningApp();
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
  "/jobs?search=letter&summary=off",
  "/jobs?search=nothing-like-it",
  "/jobs/:id",
  "/jobs/:id?from=elsewhere",
])("everybody gets %s as it would have been rendered for them alone", async (address) => {
  const path = address.replace(":id", id);
  for (const theme of ["", "; theme=dark"])
    await Promise.all(visits.map(getsTheirOwn(path, theme)));
});

function getsTheirOwn(path: string, theme: string) {
  return async ({ who, cookie }: { who: Actor; cookie: string }) => {
    const shared = await read(path, cookie + theme);
    // With a form that waits for them, nothing is shared.
    const alone = await read(path, `${cookie}${theme}; held-form=none`);
    expect(shared, `${path} for ${who.fullName}`).toEqual(alone);
    for (const { who: other } of visits)
      if (other !== who) expect(shared.html).not.toContain(other.email);
  };
}

test("who may change jobs sees them as they are, others as they are cached", async () => {
  const titles = await unheard(() => titlesShown(`/jobs/${id}`));
  for (const { who } of visits) {
    const mayChange = who.isGodAdmin || who.isJobBoardAdder || who.hasActiveSubscription;
    expect(titles.get(who.email), who.email).toBe(mayChange ? "Changed" : "as before");
  }
});

test("a change is shown to everybody", async () => {
  await app.db.update(jobs).set({ title: "Changed again" }).where(eq(jobs.id, id));
  await expect
    .poll(async () => [...(await titlesShown(`/jobs/${id}`, "Changed again")).values()])
    .not.toContain("as before");
});

test("what is not there, or is archived, says so with its status", async () => {
  const { cookie } = visits[0]!;
  await app.db.update(jobs).set({ isArchived: true }).where(eq(jobs.id, id));
  await expect.poll(async () => (await ask(`/jobs/${id}`, cookie)).status).toBe(410);
  expect((await ask("/jobs/nothing-like-it", cookie)).status).toBe(404);
});

/** Does something while the job has another title of which no process has heard. */
async function unheard<Result>(work: () => Promise<Result>): Promise<Result> {
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
  const shown = visits.map(async ({ who, cookie }): Promise<[string, string]> => {
    const { html } = await read(path, cookie);
    return [who.email, html.includes(`<title>${title} `) ? title : "as before"];
  });
  return new Map(await Promise.all(shown));
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
  const kept = ["content-type", "cache-control", "vary", "set-cookie"];
  return { status, html, headers: kept.map((name) => headers.get(name)) };
}

function ask(path: string, cookie: string): Promise<Response> {
  return fetch(app.origin + path, { headers: { cookie, accept: "text/html" } });
}
