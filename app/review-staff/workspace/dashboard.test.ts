import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router";
import { expect, test } from "vitest";
import { askedBy } from "../../../tests/support/requests/asked.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import * as screen from "./dashboard.screen.tsx";

const { db, meera } = await testPeople();

test("an unknown user gets an error and no assignments", async () => {
  const { data, init } = await open(null);
  expect(init?.status).toBe(401);
  expect(data).toMatchObject({ problem: "User authentication error", cards: [] });
});

test("assignments that cannot be read show an error and a retry", async () => {
  await db.execute("alter table review_assignments rename to elsewhere");
  const { data, init } = await open(meera).finally(() =>
    db.execute("alter table elsewhere rename to review_assignments"),
  );
  expect(init?.status).toBe(500);
  expect(data.problem).toBe("Failed to load review assignments. Please try again later.");
  expect((await open(meera)).data.problem).toBeNull();
});

test("an unexpected error stays within the screen and suggests trying again later", async () => {
  const html = await renderBroken();
  expect(html).toContain("Reviewer Dashboard");
  expect(html).toContain("An unexpected error occurred. Please try again later.");
  expect(html).toContain("Try again");
});

async function open(actor: Parameters<typeof askedBy>[1]) {
  const { context } = askedBy(db, actor);
  const asked = { request: new Request("http://localhost/reviewer"), context, params: {} };
  return screen.loader(asked as unknown as Parameters<typeof screen.loader>[0]);
}

async function renderBroken(): Promise<string> {
  const loader = () => {
    throw new Error("unexpected");
  };
  const { ErrorBoundary } = screen;
  const Component = () => null;
  const { dataRoutes, query } = createStaticHandler([
    { path: "/reviewer", loader, Component, ErrorBoundary },
  ]);
  const context = await query(new Request("http://localhost/reviewer"));
  if (context instanceof Response) throw new Error("a redirect");
  const router = createStaticRouter(dataRoutes, context);
  return renderToString(createElement(StaticRouterProvider, { router, context, hydrate: false }));
}
