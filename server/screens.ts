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
 * Creates the renderer for the screens of `app/routes.ts`.
 *
 * @throws {Unavailable} if a screen needs a database or store that does not respond. Called again with that error
 * in the request's facts, the renderer returns the error page.
 */
export function createScreenRenderer(build: ServerBuild, services: Services): RenderScreen {
  const mode = services.app.config.viteDevServer ? "development" : "production";
  const answer = createRequestHandler(build, mode);
  return async (request, asker) => {
    const { facts, actor } = asker;
    const isRetry = facts.unavailable !== undefined;
    const response = await answer(request, createRouterContext(asker, services));
    if (facts.unavailable && !isRetry) throw facts.unavailable;
    if (!response.headers.has("cache-control"))
      response.headers.set("Cache-Control", actor ? "private, no-store" : "no-cache");
    response.headers.append("Vary", "Cookie");
    if (response.headers.get("content-type") === routerData)
      response.headers.set("Content-Type", `${routerData}; charset=utf-8`);
    return response;
  };
}

/** The content type of a screen's data, which the router sends without a charset. */
const routerData = "text/x-script";

/** Renders every request separately. */
export function renderScreens(render: RenderScreen, { origin }: Config): Handler<Env> {
  return (context) => {
    const isReadOnly = context.get("facts").unavailable !== undefined;
    return render(toOriginRequest(context, origin, isReadOnly), context.var);
  };
}

/** The suffix of the router's data URLs. */
const data = /_?\.data$/;
/** The size of the cache of matched paths, and the longest path in it. */
const maxPaths = 1000;
const maxPathLength = 200;

/**
 * Returns a function for the pattern of the screen at a path, such as `/jobs/:id`; null if only the not-found
 * screen matches. A screen's data has the pattern `/jobs/:id.data`.
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
  // Cached because matching a path takes longer than sending a cached page.
  const cachedPatterns = new Map<string, string | null>();
  return (path) => {
    const cached = cachedPatterns.get(path);
    if (cached !== undefined) return cached;
    const pattern = find(path);
    if (path.length > maxPathLength) return pattern;
    if (cachedPatterns.size >= maxPaths) cachedPatterns.clear();
    cachedPatterns.set(path, pattern);
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
 * Returns the request with the public host, because the router compares the Origin header with it, and a proxy
 * may have changed it.
 *
 * @param isReadOnly turns the request into a GET
 */
function toOriginRequest(context: Context<Env>, origin: string, isReadOnly: boolean): Request {
  const url = new URL(context.get("renderedAddress") ?? context.req.url, origin);
  // Set separately, because a path such as "//elsewhere" would otherwise change the host.
  const target = new URL(origin);
  target.pathname = url.pathname;
  target.search = url.search;
  const { raw } = context.req;
  const request = new Request(target, isReadOnly ? { headers: raw.headers } : raw);
  request.headers.set("host", new URL(origin).host);
  request.headers.delete("x-forwarded-host");
  return request;
}
