import { text } from "node:stream/consumers";
import { renderToString } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { isExpected, Unavailable } from "./platform/errors.ts";
import { appContext, requestFacts } from "./platform/app-context.server.ts";
import { buildPageResponse, deferScripts } from "./rendered-page.server.ts";

export const streamTimeout = 5_000;

/**
 * Renders a screen as one HTML text. Everything that the loaders gave is there by then, so that nothing
 * is gained by a stream, which costs half as much again; an error while rendering reaches the router,
 * which renders the error screen with its status instead.
 */
export default async function renderScreen(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });

  const { nonce } = context.get(requestFacts);
  const { serverHandoffStream, ...whole } = router;
  const loaded = serverHandoffStream ? await text(serverHandoffStream) : "";
  const html = renderToString(
    <ServerRouter context={filterMatchedRoutes(whole)} url={request.url} nonce={nonce} />,
  );
  return buildPageResponse(`<!DOCTYPE html>${deferScripts(html, loaded, nonce)}`, {
    status,
    headers,
  });
}

/**
 * The router prepares each route that it is shown, twice, for every page. It is shown those on the page; the others
 * it finds where it looks for one by its id.
 */
function filterMatchedRoutes(context: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = context;
  const routes = Object.create(manifest.routes) as typeof manifest.routes;
  for (const { route } of staticHandlerContext.matches)
    routes[route.id] = manifest.routes[route.id];
  return { ...context, manifest: { ...manifest, routes } };
}

/** Bugs are logged whole, with the reference that the error screen shows. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isExpected(error) || isRouterRefusal(error)) return;
  const facts = context.get(requestFacts);
  // Logged and answered in one place, for screens and all else.
  if (error instanceof Unavailable) facts.unavailable = error;
  else context.get(appContext).log.error({ err: error, request: facts.id }, "unexpected");
};

/** The router's own answers to what no screen takes, such as a wrong method. */
function isRouterRefusal(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status < 500;
}
