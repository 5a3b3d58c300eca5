import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { minute, second } from "../../app/platform/clock.ts";

/** The waiting times of a connection, in milliseconds. */
type Patience = {
  /** From the start of a connection until the head of its request is complete. */
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

/**
 * An HTTP server that ends connections of those who send or read too slowly, or not at all.
 *
 * @param headers what the server's own answers carry, to requests that `answer` never sees
 */
export function createHttpServer(
  answer: RequestListener,
  headers: Record<string, string>,
  patience: Patience = usual,
): Server {
  const server = createServer(
    {
      headersTimeout: patience.headers,
      requestTimeout: patience.upload,
      connectionsCheckingInterval: patience.headers / 5,
      // Longer than proxies keep theirs open: else one may send into a connection that is just ending.
      keepAliveTimeout: 65 * second,
      // A missing host is handled like an invalid one: `answer` refuses both.
      requireHostHeader: false,
    },
    answer,
  );
  server.setTimeout(patience.idle);
  const answering = new WeakSet<Duplex>();
  server.prependListener("request", (request, response) => {
    answering.add(request.socket);
    response.once("close", () => answering.delete(request.socket));
    if (!request.url?.startsWith("/uploads")) closeAfter(request, patience.form);
    response.once("finish", () => closeUnread(request));
  });
  server.on("checkExpectation", (_request, response) => {
    response.writeHead(417, { ...headers, Connection: "close" }).end();
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Between the lines of an answer that is on its way, another would be taken for a part of it.
    if (!socket.writable || answering.has(socket)) return socket.destroy();
    const head = formatResponseHead(refusals[error.code ?? ""] ?? "400 Bad Request", headers);
    socket.end(head, () => socket.destroy());
  });
  return server;
}

function closeAfter(request: IncomingMessage, ms: number): void {
  const { headers, socket } = request;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
  const late = setTimeout(() => socket.destroy(), ms);
  for (const event of ["end", "close"]) request.once(event, () => clearTimeout(late));
}

/** A client that keeps sending after the answer is read for half a second. */
function closeUnread(request: IncomingMessage): void {
  if (request.complete) return;
  const late = setTimeout(() => request.socket.destroy(), second / 2);
  for (const event of ["end", "close"]) request.once(event, () => clearTimeout(late));
}

/** Node's own answers to requests that it cannot read, by error code; 400 for any other. */
const refusals: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Content Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

function formatResponseHead(status: string, headers: Record<string, string>): string {
  const all = { ...headers, "Content-Length": "0", Connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`;
}
