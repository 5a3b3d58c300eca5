import { createServer, type RequestListener, type Server } from "node:http";

/**
 * An HTTP server whose clients are in this process too. It leaves it to them to end a connection that is kept:
 * after the computer stood still for seconds, both sides find that out in the same turn, and what a client sends
 * before it has heard of the server's end fails.
 */
export function keepingServer(answer?: RequestListener): Server {
  return createServer({ keepAliveTimeout: 0 }, answer);
}
