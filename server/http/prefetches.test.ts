import { Hono } from "hono";
import { expect, test } from "vitest";
import { people } from "../../tests/support/rows/people.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import type { Actor } from "../../app/accounts/actor.server.ts";
import { handlePrefetches } from "./prefetches.ts";
import type { Env } from "./request.ts";

const { db } = await testDatabase();
const { asha } = await people(db);

test.each(["sec-purpose", "purpose", "x-moz"])(
  "what a visitor's browser loads ahead, as it says by %s, is cached for a moment",
  async (header) => {
    const { ask, rendered } = site(null);
    const answer = await ask({ [header]: "prefetch" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("private, max-age=10");
    expect(rendered()).toBe(1);
  },
);

test.each([
  ["a message", "toasts=W10"],
  ["a form that was held", "held-form=x"],
])("loading ahead does not take %s that waits for the visit", async (_what, cookie) => {
  const { ask, rendered } = site(null);
  const ahead = await ask({ cookie, "sec-purpose": "prefetch" });
  expect(ahead.status).toBe(204);
  expect(ahead.headers.get("cache-control")).toBe("no-store");
  expect(rendered()).toBe(0);
  await ask({ cookie });
  expect(rendered()).toBe(1);
});

test("nothing of one's own is loaded ahead, since it may change before the visit", async () => {
  const { ask, rendered } = site(asha);
  expect((await ask({ "sec-purpose": "prefetch;prerender" })).status).toBe(204);
  expect(rendered()).toBe(0);
  expect((await ask({})).status).toBe(200);
});

function site(actor: Actor | null) {
  let rendered = 0;
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    context.set("actor", actor);
    await next();
  });
  app.use(handlePrefetches({ origin: "http://localhost:3000" }));
  app.get("*", (context) => {
    rendered += 1;
    return context.text("a screen", 200, { "Cache-Control": "no-cache" });
  });
  return {
    ask: (headers: Record<string, string>) => app.request("/jobs", { headers }),
    rendered: () => rendered,
  };
}
