import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Server as NetServer } from "node:net";

/**
 * Creates an HTTP server whose clients close idle connections. If the server closed them after the computer paused
 * for seconds, a request sent at the same moment would fail.
 */
export function keepingServer(answer?: RequestListener): Server {
  return createServer({ keepAliveTimeout: 0 }, answer);
}

/** Lets a server listen on a free port. @returns the port */
export async function listenOn(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Starts a {@link keepingServer} on a free port. */
export async function startServer(answer: RequestListener) {
  const server = keepingServer(answer);
  const origin = `http://127.0.0.1:${await listenOn(server)}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { server, origin, stop };
}
