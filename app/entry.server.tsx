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
import { buildPageResponse, deferScripts } from "./ui/router/rendered-page.server.ts";

export const streamTimeout = 5_000;

/**
 * Renders a screen as one HTML text. All loader data is available by then, so a stream would gain nothing and cost half
 * as much again. A rendering error reaches the router, which renders the error screen with its status.
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
  const { serverHandoffStream, ...rest } = router;
  const loaded = serverHandoffStream ? await text(serverHandoffStream) : "";
  const html = renderToString(
    <ServerRouter context={filterMatchedRoutes(rest)} url={request.url} nonce={nonce} />,
  );
  return buildPageResponse(`<!DOCTYPE html>${deferScripts(html, loaded, nonce)}`, {
    status,
    headers,
  });
}

/**
 * Shows the router only the routes of the page, since it prepares every route twice. It finds the others by id through
 * the prototype.
 */
function filterMatchedRoutes(context: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = context;
  const routes = Object.create(manifest.routes) as typeof manifest.routes;
  for (const { route } of staticHandlerContext.matches)
    routes[route.id] = manifest.routes[route.id];
  return { ...context, manifest: { ...manifest, routes } };
}

/** Logs bugs in full, with the reference that the error screen shows. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isExpected(error) || isRouterRefusal(error)) return;
  const facts = context.get(requestFacts);
  // The server logs and answers this for screens and other requests.
  if (error instanceof Unavailable) facts.unavailable = error;
  else context.get(appContext).log.error({ err: error, request: facts.id }, "unexpected");
};

/** Checks for the router's own refusals, such as of a wrong method. */
function isRouterRefusal(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status < 500;
}
