import { connect } from "node:tls";
import { day, now, second, countDaysBetween } from "../../../app/platform/clock.ts";
import type { Config } from "../../../app/platform/config.server.ts";
import { countNoun } from "../../../app/platform/count-noun.ts";
import { type Check, createFailure, createOk, createWarning } from "./finding.ts";

const limit = 8 * second;
/** Certificates are normally renewed a month before they expire. */
const renewalWarning = 14 * day;

/** Creates the check that the product is reachable at its public address over HTTPS. */
export function createOriginCheck(config: Pick<Config, "mode" | "origin">): Check {
  return {
    name: "origin",
    todo: `Check that ${config.origin} points to this computer and that its proxy has a valid certificate.`,
    look: () => checkOrigin(config),
  };
}

async function checkOrigin({ mode, origin: address }: Pick<Config, "mode" | "origin">) {
  if (mode === "demo") return createOk("Not applicable: a demo is only for this computer.");
  const url = new URL(address);
  if (url.protocol !== "https:")
    return createFailure(
      `${address} is not encrypted.`,
      "Put a proxy with a certificate in front of it, and use https in ORIGIN.",
    );
  const expiresAt = await getCertificateEnd(url);
  const { status } = await fetch(`${address}/healthz`, {
    redirect: "manual",
    signal: AbortSignal.timeout(limit),
  });
  if (status !== 200)
    return createFailure(
      `${address}/healthz responds with ${status}.`,
      "Start the product, or check where the proxy forwards requests.",
    );
  const days = countDaysBetween(now(), expiresAt);
  if (expiresAt.getTime() - now().getTime() < renewalWarning)
    return createWarning(
      `The certificate expires in ${countNoun(days, "day")}.`,
      "Check why it was not renewed.",
    );
  return createOk(
    `${address} responds. Its certificate is valid for ${countNoun(days, "more day")}.`,
  );
}

/** @throws {Error} if browsers would reject the certificate. */
function getCertificateEnd({ hostname, port }: URL): Promise<Date> {
  const { promise, resolve, reject } = Promise.withResolvers<Date>();
  const socket = connect({
    host: hostname,
    port: Number(port) || 443,
    servername: hostname,
    timeout: limit,
  });
  socket.once("secureConnect", () => resolve(new Date(socket.getPeerCertificate().valid_to)));
  socket.once("timeout", () => reject(new Error("The server does not respond.")));
  socket.once("error", reject);
  return promise.finally(() => socket.destroy());
}
