import { createServer, type RequestListener, type Server } from "node:http";

/**
 * Starts an HTTP server for clients in this process, and lets them end idle connections: after the computer
 * stood still for seconds, both sides notice in the same turn, and a request sent before the client sees the
 * server's end would fail.
 */
export function keepingServer(answer?: RequestListener): Server {
  return createServer({ keepAliveTimeout: 0 }, answer);
}
