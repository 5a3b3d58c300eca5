import { Hono } from "hono";
import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { TooMany } from "../../app/platform/errors.ts";
import { runCommand } from "../../app/platform/forms.server.ts";
import { type RequestFacts, requestFacts } from "../../app/platform/app-context.server.ts";
import type { Env } from "./request.ts";
import { retryAfter } from "./retry-after.ts";

test("a throttled form has a Retry-After header", async () => {
  const response = await getResponse(async (facts) => {
    const context = new RouterContextProvider();
    context.set(requestFacts, facts);
    const command = () => Promise.reject(new TooMany(321));
    const result = await runCommand(context, command, { fallback: "" });
    return result.ok ? 200 : result.refusal.init!.status!;
  });
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("321");
});

test("the default for a 429 is one minute", async () => {
  expect((await getResponse(async () => 429)).headers.get("retry-after")).toBe("60");
});

test("other responses have no Retry-After header", async () => {
  expect((await getResponse(async () => 422)).headers.has("retry-after")).toBe(false);
});

async function getResponse(answer: (facts: RequestFacts) => Promise<number>): Promise<Response> {
  const facts = { id: "test", toasts: [], shownToasts: [], setCookies: [] } as never;
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    context.set("facts", facts);
    await next();
  });
  app.use(retryAfter());
  app.get("/", async () => new Response("", { status: await answer(facts) }));
  return app.request("/");
}
