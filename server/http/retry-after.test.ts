import { Hono } from "hono";
import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { TooMany } from "../../app/platform/errors.ts";
import { runCommand } from "../../app/platform/forms.server.ts";
import { type RequestFacts, requestFacts } from "../../app/platform/app-context.server.ts";
import type { Env } from "./request.ts";
import { retryAfter } from "./retry-after.ts";

test("a form that was sent too often says in its header when to try again", async () => {
  const answer = await answering(async (facts) => {
    const context = new RouterContextProvider();
    context.set(requestFacts, facts);
    const command = () => Promise.reject(new TooMany(321));
    const tried = await runCommand(context, command, { fallback: "" });
    return tried.ok ? 200 : tried.refusal.init!.status!;
  });
  expect(answer.status).toBe(429);
  expect(answer.headers.get("retry-after")).toBe("321");
});

test("where nobody knows how long it lasts, it is a minute", async () => {
  expect((await answering(async () => 429)).headers.get("retry-after")).toBe("60");
});

test("other answers say nothing of it", async () => {
  expect((await answering(async () => 422)).headers.has("retry-after")).toBe(false);
});

async function answering(answer: (facts: RequestFacts) => Promise<number>): Promise<Response> {
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
