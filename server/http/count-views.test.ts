import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { beforeEach, expect, test } from "vitest";
import { countViews } from "./count-views.ts";
import type { Env } from "./request.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const id = randomUUID();
let viewed: string[];
let status: 200 | 304 | 404 | 410;

beforeEach(() => {
  viewed = [];
  status = 200;
});

const app = new Hono<Env>();
app.use(countViews({ add: (jobId) => void viewed.push(jobId) }));
app.all("*", (context) => context.body(null, status));

async function ask(path = `/jobs/${id}`, headers: Record<string, string> = {}, method = "GET") {
  const { "user-agent": agent = firefox, ...rest } = headers;
  await app.request(`http://localhost${path}`, {
    method,
    headers: { ...rest, "user-agent": agent },
  });
  return viewed.length;
}

test.each([
  `/jobs/${id}`,
  `/jobs/${id}?from=mail`,
  `/jobs/${id.toUpperCase()}`,
  `/jobs/${id}.data`,
])("a person's view of %s counts", async (path) => {
  expect(await ask(path)).toBe(1);
  expect(viewed).toEqual([id]);
});

test("a page that the browser has counts too", async () => {
  status = 304;
  expect(await ask()).toBe(1);
});

test.each([
  ["Googlebot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"],
  ["a link preview", "WhatsApp/2.23.20.0"],
  ["a program", "curl/8.5.0"],
  ["a browser without a screen", "Mozilla/5.0 HeadlessChrome/140.0.0.0 Safari/537.36"],
  ["nobody", ""],
])("%s counts nothing", async (_who, agent) => {
  expect(await ask(undefined, { "user-agent": agent })).toBe(0);
});

test.each([
  ["sec-purpose", "prefetch;prerender"],
  ["purpose", "prefetch"],
  ["x-moz", "prefetch"],
])("a prefetch with %s counts nothing", async (name, value) => {
  expect(await ask(undefined, { [name]: value })).toBe(0);
});

test("a page that reads its data again after a form counts once", async () => {
  const from = (path: string) => ({ referer: `http://localhost${path}` });
  expect(await ask(`/jobs/${id}.data`, from(`/jobs/${id}?from=mail`))).toBe(0);
  expect(await ask(`/jobs/${id}.data`, from("/jobs"))).toBe(1);
  expect(await ask(`/jobs/${id}.data`, from(`/jobs/${randomUUID()}`))).toBe(2);
});

test.each(["/jobs", "/jobs/alerts", `/jobs/${id}/report`, `/jobs/${id}/message`])(
  "%s is no job's page",
  async (path) => {
    expect(await ask(path)).toBe(0);
  },
);

test("only a page that was shown counts", async () => {
  for (const other of [404, 410] as const) {
    status = other;
    await ask();
  }
  status = 200;
  for (const method of ["HEAD", "POST"]) await ask(undefined, {}, method);
  expect(viewed).toEqual([]);
});
