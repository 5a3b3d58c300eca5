import { Hono } from "hono";
import { expect, test, vi } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { minute } from "../../app/platform/clock.ts";
import type { Env } from "../http/request.ts";
import { maxPages, createPageCache } from "./pages.ts";
import { createChangeCache } from "./change-cache.ts";

const config = testConfig();

test("concurrent visitors share one rendering of a page", async () => {
  const { ask, rendered } = site();
  const bodies = await Promise.all(
    Array.from({ length: 10 }, async () => (await ask("/jobs")).text()),
  );
  expect(new Set(bodies).size).toBe(1);
  expect(rendered()).toBe(1);
});

test("a cached page names its inline scripts by hash and has no nonce", async () => {
  const { ask } = site();
  const response = await ask("/jobs");
  expect(await response.text()).not.toContain("nonce");
  const policy = response.headers.get("content-security-policy");
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]+'/);
  expect(policy).not.toContain("nonce");
});

test.each([
  ["a session", "/jobs", { cookie: "session-3000=x.y" }],
  ["pending toasts", "/jobs", { cookie: "toasts=W10" }],
  ["an interrupted form", "/jobs", { cookie: "held-form=x" }],
  ["a token in the URL", "/?token_hash=x", {}],
  ["a private screen", "/profile", {}],
])("a request with %s is never answered from the cache", async (_what, path, headers) => {
  const { ask, rendered } = site();
  await ask(path);
  await ask(path, headers);
  await ask(path, headers);
  expect(rendered()).toBeGreaterThanOrEqual(2);
});

test("pages are cached by theme and query", async () => {
  const { ask, rendered } = site();
  for (const path of ["/jobs", "/jobs?q=a", "/jobs?q=b"]) await ask(path);
  await ask("/jobs", { cookie: "theme=dark" });
  await ask("/jobs", { cookie: "theme=dark" });
  expect(rendered()).toBe(4);
});

test("a change clears the cache, also while a page is being rendered", async () => {
  const { ask, rendered, cache, whileRendering } = site();
  await ask("/jobs");
  cache.empty();
  whileRendering(() => cache.empty());
  await ask("/jobs");
  whileRendering(() => {});
  await ask("/jobs");
  await ask("/jobs");
  expect(rendered()).toBe(3);
});

test("nothing is cached while changes are not reported", async () => {
  const { ask, rendered, cache } = site();
  cache.setTrusted(false);
  await ask("/jobs");
  await ask("/jobs");
  expect(rendered()).toBe(2);
});

test("a page is cached for at most a minute", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  // The cache takes the time 0 for no time.
  vi.advanceTimersByTime(1);
  const { ask, rendered } = site();
  await ask("/jobs");
  vi.advanceTimersByTime(minute + 1);
  await ask("/jobs").finally(() => vi.useRealTimers());
  expect(rendered()).toBe(2);
});

test("the number of cached pages is limited and the oldest is evicted first", async () => {
  const { ask, rendered } = site();
  for (let index = 0; index <= maxPages; index++) await ask(`/jobs?q=${index}`);
  await ask(`/jobs?q=${maxPages}`);
  expect(rendered()).toBe(maxPages + 1);
  await ask("/jobs?q=0");
  expect(rendered()).toBe(maxPages + 2);
  for (let turn = 0; turn < 2; turn++) await ask(`/jobs?q=${"x".repeat(500)}`);
  expect(rendered()).toBe(maxPages + 4);
});

test("made-up queries don't evict pages without one", async () => {
  const { ask, rendered } = site();
  await ask("/jobs");
  for (let index = 0; index <= maxPages; index++) await ask(`/jobs?q=${index}`);
  const before = rendered();
  await ask("/jobs");
  expect(rendered()).toBe(before);
});

test("addresses with the same key share a page, and one without a key isn't cached", async () => {
  const { ask, rendered } = site();
  const first = await (await ask("/jobs?same=1")).text();
  expect(await (await ask("/jobs?same=2")).text()).toBe(first);
  expect(await (await ask("/jobs")).text()).toBe(first);
  for (let turn = 0; turn < 2; turn++) await ask("/jobs?unknown=1");
  expect(rendered()).toBe(3);
});

test("a page is rendered for the address of its key", async () => {
  const { ask, addresses } = site();
  await ask("/jobs?same=made-up");
  expect(addresses).toEqual(["/jobs"]);
});

test("a current ETag gets a 304 without a policy", async () => {
  const { ask } = site();
  const etag = (await ask("/jobs")).headers.get("etag") ?? "";
  const again = await ask("/jobs", { "if-none-match": etag });
  expect(again.status).toBe(304);
  expect(again.headers.get("content-security-policy")).toBeNull();
  expect(await again.text()).toBe("");
});

test("an ETag matches in a list and after a proxy has weakened it", async () => {
  const { ask } = site();
  const etag = (await ask("/jobs")).headers.get("etag") ?? "";
  for (const tags of [`W/${etag}`, `"other", ${etag}`])
    expect((await ask("/jobs", { "if-none-match": tags })).status).toBe(304);
});

test("the response to a HEAD is not cached for GET", async () => {
  const { ask } = site();
  expect(await (await ask("/jobs", {}, "HEAD")).text()).toBe("");
  expect(await (await ask("/jobs")).text()).toContain("<p>");
  expect((await ask("/jobs", {}, "HEAD")).headers.get("etag")).not.toBeNull();
});

test("a screen's data keeps its content type and is not cached as a page", async () => {
  const { ask, rendered } = site(200, { "content-type": "text/x-script" });
  await ask("/jobs/1.data");
  expect((await ask("/jobs/1.data")).headers.get("content-type")).toBe("text/x-script");
  expect(rendered()).toBe(2);
});

test("errors and responses that set a cookie are not cached", async () => {
  const missing = site(404);
  await missing.ask("/jobs/1");
  await missing.ask("/jobs/1");
  expect(missing.rendered()).toBe(2);
  const setting = site(200, { "set-cookie": "theme=dark" });
  await setting.ask("/jobs");
  await setting.ask("/jobs");
  expect(setting.rendered()).toBe(2);
});

test("an error while rendering is not cached", async () => {
  const { ask, rendered } = site(500);
  await ask("/jobs");
  await ask("/jobs");
  expect(rendered()).toBe(2);
});

/** Creates a site whose pages show the number of renderings so far. */
function site(status = 200, headers: Record<string, string> = {}) {
  let count = 0;
  let meanwhile = () => {};
  const addresses: (string | undefined)[] = [];
  const cache = createChangeCache();
  cache.setTrusted(true);
  const pages = createPageCache(cache, config, {
    isCached: (path) => path !== "/profile",
    getCacheKey: ({ pathname, search, searchParams }) => {
      if (searchParams.has("unknown")) return null;
      searchParams.delete("same");
      return pathname + (searchParams.size > 0 ? search : "");
    },
  });
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    const toasts = context.req.header("cookie")?.includes("toasts=")
      ? [{ kind: "info" as const, title: "Hello" }]
      : [];
    const facts = {
      id: "1",
      clientAddress: "",
      nonce: "abc",
      toasts,
      shownToasts: [],
      setCookies: [],
    };
    context.set("facts", facts);
    await next();
  });
  app.use(pages.ready());
  app.all(
    "*",
    pages.around(async (context) => {
      count += 1;
      addresses.push(context.get("renderedAddress"));
      await Promise.resolve();
      meanwhile();
      const html = `<p>${count}</p><script nonce="abc">let rendered = ${count};</script>`;
      const body = context.req.method === "HEAD" ? null : html;
      return new Response(body, { status, headers });
    }),
  );
  return {
    cache,
    addresses,
    rendered: () => count,
    whileRendering: (callback: () => void) => {
      meanwhile = callback;
    },
    ask: async (path: string, sent: Record<string, string> = {}, method = "GET") =>
      app.request(path, { method, headers: sent }),
  };
}
