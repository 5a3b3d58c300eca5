import {
  createRequestHandler,
  Outlet,
  RouterContextProvider,
  Scripts,
  type ServerBuild,
} from "react-router";
import { expect, test } from "vitest";
import { testConfig } from "../tests/support/product/config.ts";
import * as entry from "./entry.server.tsx";
import { appContext, requestFacts } from "./platform/app-context.server.ts";

test("a page is complete and contains its loader data", async () => {
  const answer = await ask(
    "/fine",
    () => <p>नक्शा</p>,
    () => ({ word: "</script>नक्शा" }),
  );
  const html = await answer.text();
  expect(answer.status).toBe(200);
  expect(html).toMatch(/^<!DOCTYPE html><html lang="en">.*<p>नक्शा<\/p>.*<\/html>$/s);
  expect(html).toContain(String.raw`\u003c/script>नक्शा`);
  expect(html).toContain('<script nonce="abc">');
});

test("a rendering error shows the error screen with status 500", async () => {
  const answer = await ask("/broken", () => {
    throw new Error("broken while rendering");
  });
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain("<h1>Something broke</h1>");
});

/** Requests a screen of a product with only that screen. */
async function ask(
  path: string,
  Screen: () => React.ReactNode,
  loader: () => unknown = () => null,
) {
  const asset = { id: "root", module: "/root.js", hasLoader: true, imports: [], css: [] };
  const root = {
    default: () => (
      <html lang="en">
        <body>
          <Screen />
          <Outlet />
          <Scripts />
        </body>
      </html>
    ),
    ErrorBoundary: () => <h1>Something broke</h1>,
    loader,
  };
  const build = {
    entry: { module: entry },
    routes: { root: { id: "root", path: path.slice(1), module: root } },
    assets: {
      version: "1",
      url: "/manifest.js",
      routes: { root: asset },
      entry: { imports: [], module: "/entry.js" },
    },
    basename: "/",
    future: {},
    isSpaMode: false,
    ssr: true,
    prerender: [],
    publicPath: "/",
    assetsBuildDirectory: "",
    routeDiscovery: { mode: "lazy", manifestPath: "/__manifest" },
  } as unknown as ServerBuild;
  const context = new RouterContextProvider();
  context.set(appContext, { config: testConfig(), log: { error() {} } } as never);
  context.set(requestFacts, { id: "1", nonce: "abc" } as never);
  return createRequestHandler(build, "production")(new Request(`http://localhost${path}`), context);
}
