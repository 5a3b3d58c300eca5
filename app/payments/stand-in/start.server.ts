import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { PayuSettings } from "../../platform/config.server.ts";
import type { Log } from "../../platform/log.server.ts";
import { bankApp } from "./bank.server.ts";
import { checkoutApp } from "./checkout.server.ts";
import { openLedger } from "./ledger.server.ts";
import { startNotifier, usualPauses, type Pauses } from "./notifier.server.ts";

type Start = {
  settings: PayuSettings;
  /** The merchant's public origin: notices go to its `/payu-webhook`. */
  origin: string;
  /** SQLite file that outlives the process; its folder is made when missing. */
  stateFile: string;
  log: Pick<Log, "info" | "warn">;
  pauses?: Pauses;
};

export type RunningStandIn = {
  /** The settings given, with the addresses of the ports that were really taken. */
  settings: PayuSettings;
  stop: () => Promise<void>;
};

/**
 * A PayU for development and tests, on two ports of 127.0.0.1 (0 takes a free one). It speaks
 * PayU's protocol and checks what PayU checks, and no money moves.
 *
 * @throws {Error} when the settings are those of the real PayU, or a port is taken.
 */
export async function startPayuStandIn(start: Start): Promise<RunningStandIn> {
  const { origin, stateFile, log, pauses = usualPauses } = start;
  const ports = start.settings.standInPorts;
  if (!ports) throw new Error("These settings are for the real PayU.");

  const checkout = await listen(ports.checkout);
  const bank = await listen(ports.bank).catch(async (error: unknown) => {
    await close(checkout);
    throw error;
  });
  const settings = settingsAt(start.settings, checkout, bank);
  const ledger = openLedger(stateFile);
  const notifier = startNotifier({ ledger, url: `${origin}/payu-webhook`, pauses, log });

  const standIn = { settings, ledger, notifier, pauses, bankOrigin: originOf(bank), log };
  answer(checkout, checkoutApp(standIn));
  answer(bank, bankApp(standIn));

  return {
    settings,
    stop: async () => {
      await Promise.all([close(checkout), close(bank), notifier.stop()]);
      ledger.close();
    },
  };
}

function listen(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve(server);
    });
  });
}

function answer(server: Server, app: Hono): void {
  const listener = getRequestListener(app.fetch);
  server.on("request", (request, response) => void listener(request, response));
}

function settingsAt(settings: PayuSettings, checkout: Server, bank: Server): PayuSettings {
  return {
    ...settings,
    checkoutUrl: `${originOf(checkout)}/_payment`,
    commandUrl: `${originOf(checkout)}/merchant/postservice.php?form=2`,
    formHosts: [originOf(checkout), originOf(bank)],
    standInPorts: { checkout: portOf(checkout), bank: portOf(bank) },
  };
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${portOf(server)}`;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
