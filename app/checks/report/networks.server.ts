import type { Config } from "../../platform/config.server.ts";
import { listNetworks } from "../../platform/rate-limit.server.ts";
import { hashText } from "../../platform/signed-ids.server.ts";

/**
 * Hashes the network of a reporter: the /24 of an IPv4 address, or the /48 of an IPv6 address. Another listing gives
 * another hash, so that hashes don't show who reported several listings.
 */
export function hashNetwork(
  settings: Pick<Config, "secrets">,
  jobId: string,
  clientAddress: string,
): string {
  const { own, around } = listNetworks(clientAddress);
  const network = around ?? own.replace(/\.\d+$/, ".0/24");
  return hashText(settings, "report-network", `${jobId}\n${network}`);
}
