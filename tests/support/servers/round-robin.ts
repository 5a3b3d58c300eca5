import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { keepingServer } from "./http.ts";

/** A request that the proxy forwarded. */
export type PassedOn = {
  /** The port of the process. */
  to: number;
  what: string;
  /** Null if there was no answer. */
  status: number | null;
};

/**
 * Starts a local proxy without sticky sessions: each request goes to the next process. It skips processes that
 * refuse the connection, and never sends a request to two processes.
 */
export async function roundRobin(port: number, processes: number[]) {
  const passedOn: PassedOn[] = [];
  let turn = 0;

  const server = keepingServer((incoming, answer) => {
    const first = turn++ % processes.length;
    const order = processes.map((_, index) => processes[(first + index) % processes.length]!);
    passOn(incoming, answer, order);
  });

  function passOn(incoming: IncomingMessage, answer: ServerResponse, order: number[]): void {
    const [to, ...others] = order;
    if (to === undefined) return void answer.writeHead(502).end();
    const note: PassedOn = { to, what: `${incoming.method} ${incoming.url}`, status: null };
    const { method, url, headers } = incoming;
    const outgoing = request({
      host: "127.0.0.1",
      port: to,
      method,
      path: url,
      headers,
      agent: false,
    });
    let isConnected = false;
    outgoing.on("socket", (socket) =>
      socket.once("connect", () => {
        isConnected = true;
        passedOn.push(note);
        incoming.pipe(outgoing);
      }),
    );
    outgoing.on("response", (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
      response.on("end", () => (note.status = response.statusCode!));
      response.on("error", () => answer.destroy());
    });
    outgoing.on("error", () => {
      if (!isConnected) passOn(incoming, answer, others);
      else if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end();
    });
    answer.on("close", () => outgoing.destroy());
  }

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    passedOn,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
