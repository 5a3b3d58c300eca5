import {
  createRequestHandler,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
  type ServerBuild,
} from "react-router";
import type { Context, Handler } from "hono";
import { currentActor } from "../app/accounts/actor.server.ts";
import type { Config } from "../app/platform/config.server.ts";
import { appContext, requestFacts } from "../app/platform/app-context.server.ts";
import type { Services } from "./services/services.ts";
import type { Asker, Env, RenderScreen } from "./http/request.ts";
import { isSensible } from "./http/sensible-paths.ts";

/**
 * Renders everything that is a screen of `app/routes.ts`.
 *
 * @throws {Unavailable} where a screen met a database or a store that does not answer. Asked once more with that
 * in the request's facts, it gives the page that says so.
 */
export function createScreenRenderer(build: ServerBuild, services: Services): RenderScreen {
  const mode = services.app.config.viteDevServer ? "development" : "production";
  const answer = createRequestHandler(build, mode);
  return async (request, asker) => {
    const { facts, actor } = asker;
    const isKnown = facts.unavailable !== undefined;
    const response = await answer(request, createRouterContext(asker, services));
    if (facts.unavailable && !isKnown) throw facts.unavailable;
    if (!response.headers.has("cache-control"))
      response.headers.set("Cache-Control", actor ? "private, no-store" : "no-cache");
    response.headers.append("Vary", "Cookie");
    if (response.headers.get("content-type") === routerData)
      response.headers.set("Content-Type", `${routerData}; charset=utf-8`);
    return response;
  };
}

/** The type of a screen's data, which the router sends without a charset. */
const routerData = "text/x-script";

/** Renders every request separately. */
export function renderScreens(render: RenderScreen, { origin }: Config): Handler<Env> {
  return (context) => {
    const toRead = context.get("facts").unavailable !== undefined;
    return render(toOriginRequest(context, origin, toRead), context.var);
  };
}

/** The ending of the router's data addresses. */
const data = /_?\.data$/;
/** Patterns that are remembered, and the longest path of one. */
const mostPaths = 1000;
const longestPath = 200;

/**
 * Returns the pattern of the screen at a path, as in `/jobs/:id`, or null where only the not-found screen
 * matches. A screen's data is at `/jobs/:id.data`.
 */
export function createScreenMatcher({ routes }: ServerBuild): (path: string) => string | null {
  const below = (parent: string | undefined): RouteObject[] =>
    Object.values(routes).flatMap((route) => {
      if (!route || route.parentId !== parent) return [];
      const { id, path, index } = route;
      return [index ? { id, path, index } : { id, path, children: below(id) }];
    });
  const tree = below(undefined);
  const find = (path: string) => {
    if (!isSensible(path)) return null;
    const isData = data.test(path);
    const matches = matchRoutes(tree, isData ? path.replace(data, "") : path);
    if (!matches || matches.at(-1)!.route.path === "*") return null;
    const parts = matches.map(({ route }) => route.path).filter(Boolean);
    return `/${parts.join("/")}${isData ? ".data" : ""}`;
  };
  // To match a path takes longer than to send a cached page.
  const known = new Map<string, string | null>();
  return (path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const pattern = find(path);
    if (path.length > longestPath) return pattern;
    if (known.size >= mostPaths) known.clear();
    known.set(path, pattern);
    return pattern;
  };
}

function createRouterContext({ facts, actor }: Asker, services: Services): RouterContextProvider {
  const provider = new RouterContextProvider();
  provider.set(appContext, services.app);
  provider.set(requestFacts, facts);
  provider.set(currentActor, actor);
  services.provide(provider);
  return provider;
}

/**
 * The router compares the Origin header with the host it sees; behind a proxy that is another.
 *
 * @param toRead asks for the page at this address, whatever was sent to it
 */
function toOriginRequest(context: Context, origin: string, toRead: boolean): Request {
  const url = new URL(context.req.url);
  // Set one by one: a path such as "//elsewhere" would otherwise name another host.
  const asked = new URL(origin);
  asked.pathname = url.pathname;
  asked.search = url.search;
  const { raw } = context.req;
  const request = new Request(asked, toRead ? { headers: raw.headers } : raw);
  request.headers.set("host", new URL(origin).host);
  request.headers.delete("x-forwarded-host");
  return request;
}
