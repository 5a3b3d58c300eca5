import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import type { Actor } from "../../app/accounts/actor.server.ts";
import { handlePrefetches } from "./prefetches.ts";
import type { Env } from "./request.ts";

const { asha } = await testPeople();

test.each(["sec-purpose", "purpose", "x-moz"])(
  "a visitor's prefetch with the header %s is cached briefly",
  async (header) => {
    const { ask, rendered } = site(null);
    const response = await ask({ [header]: "prefetch" });
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("private, max-age=10");
    expect(rendered()).toBe(1);
  },
);

test.each([
  ["a toast", "toasts=W10"],
  ["an interrupted form", "held-form=x"],
])("a prefetch does not consume %s", async (_what, cookie) => {
  const { ask, rendered } = site(null);
  const prefetched = await ask({ cookie, "sec-purpose": "prefetch" });
  expect(prefetched.status).toBe(204);
  expect(prefetched.headers.get("cache-control")).toBe("no-store");
  expect(rendered()).toBe(0);
  await ask({ cookie });
  expect(rendered()).toBe(1);
});

test("a signed-in person's prefetch gets an empty response", async () => {
  const { ask, rendered } = site(asha);
  expect((await ask({ "sec-purpose": "prefetch;prerender" })).status).toBe(204);
  expect(rendered()).toBe(0);
  expect((await ask({})).status).toBe(200);
});

test("a prefetch of a job gets an empty response, so that its view is counted when it opens", async () => {
  const { ask, rendered } = site(null);
  for (const path of [`/jobs/${randomUUID()}`, `/jobs/${randomUUID()}.data`]) {
    const response = await ask({ "sec-purpose": "prefetch" }, path);
    expect(response.status).toBe(204);
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
  expect(rendered()).toBe(0);
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
    ask: (headers: Record<string, string>, path = "/jobs") => app.request(path, { headers }),
    rendered: () => rendered,
  };
}
