import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { isExpected, Unavailable } from "./platform/errors.ts";
import { machine, requestFacts } from "./platform/machine.server.ts";
import { scriptsLast } from "./platform/scripts-last.server.ts";

export const streamTimeout = 5_000;

/** Draws a screen as HTML. */
export default async function drawScreen(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });

  const { nonce } = context.get(requestFacts);
  const body = await renderToReadableStream(
    <ServerRouter context={router} url={request.url} nonce={nonce} />,
    {
      nonce,
      signal: AbortSignal.timeout(streamTimeout + 1000),
      onError: (error) => context.get(machine).log.error({ err: error }, "while drawing"),
    },
  );
  if (isbot(request.headers.get("user-agent"))) await body.allReady;
  return new Response(body.pipeThrough(scriptsLast(nonce)), { status, headers });
}

/** Bugs are logged whole, with the reference that the error screen shows. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isExpected(error) || isRefusal(error)) return;
  const facts = context.get(requestFacts);
  // Logged and answered in one place, for screens and all else.
  if (error instanceof Unavailable) facts.unavailable = error;
  else context.get(machine).log.error({ err: error, request: facts.id }, "unexpected");
};

/** The router's own answers to what no screen takes, such as a wrong method. */
function isRefusal(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status < 500;
}
