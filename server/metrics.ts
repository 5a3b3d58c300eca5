import { createServer, type Server } from "node:http";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { countUnsentMails } from "../app/mail/deliver-mail.server.ts";
import { counted } from "../app/platform/metrics.server.ts";
import { queueDepths } from "../app/platform/tasks.server.ts";
import { getBareHeaders } from "./http/security.ts";
import type { Services } from "./services/services.ts";

/**
 * Serves `/metrics` for Prometheus on its own port, if one is set: this process's counters, pools and event loop,
 * and the queues and unsent email of all processes.
 *
 * @returns a function that stops it.
 */
export async function serveMetrics(services: Services): Promise<() => Promise<void>> {
  const { metricsPort, metricsHost } = services.app.config;
  if (metricsPort === null) return async () => {};
  const gauges = createGauges(services);
  const all = Registry.merge([counted, gauges.registry]);
  const headers = new Headers(getBareHeaders(services.app.config));
  const server = createServer(async ({ method, url }, response) => {
    response.setHeaders(headers);
    if (method !== "GET" || url !== "/metrics") return response.writeHead(404).end();
    await gauges.refresh();
    response.setHeader("Content-Type", all.contentType).end(await all.metrics());
  });
  await listenForMetrics(server, metricsPort, metricsHost);
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

function listenForMetrics(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

/** Creates the metrics that are read on request instead of counted. */
function createGauges({ app: { db, log }, pools }: Services) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `naksha_${name}`, help, labelNames, registers });
  const connections = gauge(
    "database_connections",
    "Connections of a pool, by state.",
    "pool",
    "state",
  );
  const waitingRequests = gauge(
    "database_waiting",
    "Requests waiting for a connection of a pool.",
    "pool",
  );
  const depth = gauge("queue_waiting", "Tasks waiting in a queue.", "queue");
  const age = gauge(
    "queue_oldest_seconds",
    "How long the oldest waiting task has been due.",
    "queue",
  );
  const unsent = gauge("mails_unsent", "Waiting and failed email of the last week.", "state");

  async function refreshFromDatabase(): Promise<void> {
    const [queues, mails] = await Promise.all([queueDepths(db), countUnsentMails(db)]);
    for (const { queue, waiting, oldestSeconds } of queues) {
      depth.set({ queue }, waiting);
      age.set({ queue }, oldestSeconds);
    }
    for (const [state, count] of Object.entries(mails)) unsent.set({ state }, count);
  }

  return {
    registry,
    async refresh(): Promise<void> {
      for (const [pool, use] of Object.entries(pools)) {
        const { busy, idle, waiting } = use();
        connections.set({ pool, state: "busy" }, busy);
        connections.set({ pool, state: "idle" }, idle);
        waitingRequests.set({ pool }, waiting);
      }
      // An unknown figure is not reported, since an old one would look current.
      for (const stale of [depth, age, unsent]) stale.reset();
      await refreshFromDatabase().catch((error: unknown) =>
        log.warn({ err: error }, "metrics without the database"),
      );
    },
  };
}
