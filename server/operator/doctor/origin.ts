import { connect } from "node:tls";
import { day, now, second, countDaysBetween } from "../../../app/platform/clock.ts";
import type { Config } from "../../../app/platform/config.server.ts";
import { type Check, createFailure, createOk, createWarning } from "./finding.ts";

const limit = 8 * second;
/** Programs that renew certificates do so a month before. */
const soon = 14 * day;

/** Creates the check that people reach the product at its public address, encrypted. */
export function createOriginCheck(config: Pick<Config, "mode" | "origin">): Check {
  return {
    name: "origin",
    todo: `Look whether ${config.origin} leads to this computer, and whether its proxy has a valid certificate.`,
    look: () => checkOrigin(config),
  };
}

async function checkOrigin({ mode, origin: address }: Pick<Config, "mode" | "origin">) {
  if (mode === "demo")
    return createOk("Not applicable: a demonstration is for this computer alone.");
  const url = new URL(address);
  if (url.protocol !== "https:")
    return createFailure(
      `${address} is not encrypted.`,
      "Put a proxy with a certificate before it, and make ORIGIN https.",
    );
  const ends = await getCertificateEnd(url);
  const { status } = await fetch(`${address}/healthz`, {
    redirect: "manual",
    signal: AbortSignal.timeout(limit),
  });
  if (status !== 200)
    return createFailure(
      `${address}/healthz answers ${status}.`,
      "Start the product, or look at what the proxy leads to.",
    );
  const days = countDaysBetween(now(), ends);
  if (ends.getTime() - now().getTime() < soon)
    return createWarning(`The certificate ends in ${days} days.`, "Look why it was not renewed.");
  return createOk(`${address} answers, with a certificate for ${days} more days.`);
}

/** @throws {Error} where the certificate is not one that browsers would take. */
function getCertificateEnd({ hostname, port }: URL): Promise<Date> {
  const { promise, resolve, reject } = Promise.withResolvers<Date>();
  const socket = connect({
    host: hostname,
    port: Number(port) || 443,
    servername: hostname,
    timeout: limit,
  });
  socket.once("secureConnect", () => resolve(new Date(socket.getPeerCertificate().valid_to)));
  socket.once("timeout", () => reject(new Error("The server does not answer.")));
  socket.once("error", reject);
  return promise.finally(() => socket.destroy());
}
