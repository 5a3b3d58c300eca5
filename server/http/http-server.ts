import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { minute, second } from "../../app/platform/clock.ts";
import { resumeCheckPage } from "../../app/review-customer/resume-check/pages.ts";

/** The timeouts of a connection, in milliseconds. */
type Timeouts = {
  /** The time until the headers of the request are complete. */
  headers: number;
  /** The time for a form or another body that is sent to a screen. */
  form: number;
  /** The time for a form with a resume, enough for 10 MB at 1.5 megabits per second. */
  resume: number;
  /** The time for a request with files, enough for 50 MB at half a megabit per second. */
  upload: number;
  /** The time without data in either direction. A slow reader still counts as active. */
  idle: number;
};

const defaultTimeouts: Timeouts = {
  headers: 15 * second,
  form: 30 * second,
  resume: minute,
  upload: 15 * minute,
  idle: minute,
};

/**
 * Creates an HTTP server that closes connections of clients that are too slow.
 *
 * @param headers for responses to invalid requests, which never reach `answer`
 */
export function createHttpServer(
  answer: RequestListener,
  headers: Record<string, string>,
  timeouts: Timeouts = defaultTimeouts,
): Server {
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.upload,
      connectionsCheckingInterval: timeouts.headers / 5,
      // Longer than proxies keep connections open, so that they never use one that is closing.
      keepAliveTimeout: 65 * second,
      // A missing host is handled like an invalid one: `answer` refuses both.
      requireHostHeader: false,
    },
    answer,
  );
  server.setTimeout(timeouts.idle);
  const answering = new WeakSet<Duplex>();
  server.prependListener("request", (request, response) => {
    answering.add(request.socket);
    response.once("close", () => answering.delete(request.socket));
    const { url = "" } = request;
    if (url.startsWith(resumeCheckPage.path)) closeAfter(request, timeouts.resume);
    else if (!url.startsWith("/uploads")) closeAfter(request, timeouts.form);
    response.once("finish", () => closeUnread(request));
  });
  server.on("checkExpectation", (_request, response) => {
    response.writeHead(417, { ...headers, Connection: "close" }).end();
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A second response would corrupt the one that is being sent.
    if (!socket.writable || answering.has(socket)) return socket.destroy();
    const head = formatResponseHead(refusals[error.code ?? ""] ?? "400 Bad Request", headers);
    socket.end(head, () => socket.destroy());
  });
  return server;
}

function closeAfter(request: IncomingMessage, ms: number): void {
  const { headers, socket } = request;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
  const timer = setTimeout(() => socket.destroy(), ms);
  for (const event of ["end", "close"]) request.once(event, () => clearTimeout(timer));
}

/** Closes the connection of a client that still sends half a second after the response. */
function closeUnread(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), second / 2);
  for (const event of ["end", "close"]) request.once(event, () => clearTimeout(timer));
}

/** The responses to requests that Node cannot parse, by error code; 400 for any other. */
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
