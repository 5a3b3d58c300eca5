import { createServer, type RequestListener, type Server } from "node:http";

/**
 * Creates an HTTP server whose clients close idle connections. If the server closed them after the computer paused
 * for seconds, a request sent at the same moment would fail.
 */
export function keepingServer(answer?: RequestListener): Server {
  return createServer({ keepAliveTimeout: 0 }, answer);
}
