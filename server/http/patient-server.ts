import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { minute, second } from "../../app/platform/clock.ts";

/** How long a connection may keep us waiting, in milliseconds. */
export type Patience = {
  /** Until the head of a request is there, from the first moment of a connection on. */
  headers: number;
  /** For a form, or whatever else is sent to a screen. */
  form: number;
  /** For a request with files: 50 MB come in this time at half a megabit a second. */
  upload: number;
  /** While nothing moves in either direction; who reads an answer slowly keeps it moving. */
  idle: number;
};

const usual: Patience = {
  headers: 15 * second,
  form: 30 * second,
  upload: 15 * minute,
  idle: minute,
};

/** An HTTP server that ends connections of those who send or read too slowly, or not at all. */
export function patientServer(answer: RequestListener, patience: Patience = usual): Server {
  const server = createServer(
    {
      headersTimeout: patience.headers,
      requestTimeout: patience.upload,
      connectionsCheckingInterval: patience.headers / 5,
      // Longer than proxies keep theirs open: else one may send into a connection that is just ending.
      keepAliveTimeout: 65 * second,
    },
    answer,
  );
  server.setTimeout(patience.idle);
  server.prependListener("request", (request: IncomingMessage) => {
    if (!request.url?.startsWith("/uploads")) endAfter(request, patience.form);
  });
  return server;
}

function endAfter(request: IncomingMessage, ms: number): void {
  const { headers, socket } = request;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
  const late = setTimeout(() => socket.destroy(), ms);
  for (const event of ["end", "close"]) request.once(event, () => clearTimeout(late));
}
