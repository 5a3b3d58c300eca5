import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { now, second } from "../../platform/clock.ts";
import type { PayuSettings } from "../../platform/config.server.ts";
import type { Log } from "../../platform/log.server.ts";
import { createBankApp, createCheckoutApp, type Pauses } from "./hosts.server.ts";
import { type Ledger, type Notice, openLedger } from "./ledger.server.ts";

const defaultPauses: Pauses = {
  soon: second,
  late: 10 * second,
  retries: [second, 5 * second, 15 * second],
  refund: 10 * second,
};

type Start = {
  settings: PayuSettings;
  /** The merchant's public origin. Notices go to its `/payu-webhook`. */
  origin: string;
  /** An SQLite file that survives restarts. A missing folder is created. */
  stateFile: string;
  log: Pick<Log, "info" | "warn">;
  pauses?: Pauses;
};

export type RunningStandIn = {
  /** The settings with the addresses of the ports in use. */
  settings: PayuSettings;
  stop: () => Promise<void>;
};

/**
 * Starts a PayU replacement for development and tests, on two ports of 127.0.0.1 (0 picks a free port). It follows
 * PayU's protocol and checks, but moves no money.
 *
 * @throws {Error} if the settings are for the real PayU, or a port is in use
 */
export async function startPayuStandIn(start: Start): Promise<RunningStandIn> {
  const { origin, stateFile, log, pauses = defaultPauses } = start;
  const ports = start.settings.standInPorts;
  if (!ports) throw new Error("These settings are for the real PayU.");

  const checkout = await listen(ports.checkout);
  const bank = await listen(ports.bank).catch(async (error: unknown) => {
    await close(checkout);
    throw error;
  });
  const settings = buildStandInSettings(start.settings, checkout, bank);
  const ledger = openLedger(stateFile);
  const notifier = startNotifier({ ledger, url: `${origin}/payu-webhook`, pauses, log });

  const standIn = { settings, ledger, notifier, pauses, bankOrigin: getServerOrigin(bank), log };
  serveApp(checkout, createCheckoutApp(standIn));
  serveApp(bank, createBankApp(standIn));

  return {
    settings,
    stop: async () => {
      await Promise.all([close(checkout), close(bank), notifier.stop()]);
      ledger.close();
    },
  };
}

function listen(port: number): Promise<Server> {
  // Long, as on the product's server, so that no request uses a connection that is just closing.
  const server = createServer({ keepAliveTimeout: 65 * second });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve(server);
    });
  });
}

function serveApp(server: Server, app: Hono): void {
  const listener = getRequestListener(app.fetch);
  server.on("request", (request, response) => void listener(request, response));
}

function buildStandInSettings(
  settings: PayuSettings,
  checkout: Server,
  bank: Server,
): PayuSettings {
  return {
    ...settings,
    checkoutUrl: `${getServerOrigin(checkout)}/_payment`,
    commandUrl: `${getServerOrigin(checkout)}/merchant/postservice.php?form=2`,
    formHosts: [getServerOrigin(checkout), getServerOrigin(bank)],
    standInPorts: { checkout: getServerPort(checkout), bank: getServerPort(bank) },
  };
}

function getServerOrigin(server: Server): string {
  return `http://127.0.0.1:${getServerPort(server)}`;
}

function getServerPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

type NotifierOptions = {
  ledger: Ledger;
  url: string;
  pauses: Pauses;
  log: Pick<Log, "info" | "warn">;
};

/**
 * Sends notices to the merchant's server. A notice is stored before it is sent, so that after a crash the next
 * process sends it.
 */
function startNotifier({ ledger, url, pauses, log }: NotifierOptions) {
  const timers = new Set<NodeJS.Timeout>();
  const sendings = new Set<Promise<void>>();
  const stopping = new AbortController();

  function schedule(notice: Notice): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        void send(notice);
      },
      Math.max(0, notice.dueAt - now().getTime()),
    );
    timers.add(timer);
  }

  function send(notice: Notice): Promise<void> {
    const sending = deliver(notice).finally(() => sendings.delete(sending));
    sendings.add(sending);
    return sending;
  }

  async function deliver(notice: Notice): Promise<void> {
    const answer = await sendNotice(url, notice.body, stopping.signal);
    if (stopping.signal.aborted) return;
    const isDelivered = answer === "200";
    const pause = isDelivered ? undefined : pauses.retries[notice.tries];
    const dueAt = pause === undefined ? null : now().getTime() + pause;
    ledger.recordTry(notice.id, answer, dueAt);
    if (dueAt !== null) schedule({ ...notice, tries: notice.tries + 1, dueAt });
    log[isDelivered ? "info" : "warn"](
      { mihpayid: notice.mihpayid, answer },
      "PayU stand-in: notice sent",
    );
  }

  for (const notice of ledger.noticesToSend()) schedule(notice);

  return {
    sendLater(mihpayid: string, body: string, pause: number): void {
      schedule(ledger.addNotice(mihpayid, body, now().getTime() + pause));
    },

    sendNow(mihpayid: string, body: string): Promise<void> {
      return send(ledger.addNotice(mihpayid, body, now().getTime()));
    },

    async stop(): Promise<void> {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(sendings);
    },
  };
}

/** Returns the answer's status, or the reason why there was none. Only "200" counts as delivered. */
async function sendNotice(url: string, body: string, stopped: AbortSignal): Promise<string> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body,
      redirect: "manual",
      signal: AbortSignal.any([stopped, AbortSignal.timeout(10 * second)]),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return error instanceof Error ? `no answer (${error.name})` : "no answer";
  }
}
