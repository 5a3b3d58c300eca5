import { and, eq, inArray } from "drizzle-orm";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { listNetworks } from "../../platform/rate-limit.server.ts";
import { listHashes } from "../../platform/signed-ids.server.ts";
import { jobReports } from "../tables.server.ts";

/**
 * Hashes the network of a reporter: the /24 of an IPv4 address, or the /48 of an IPv6 address. Another listing gives
 * another hash, so that hashes don't show who reported several listings.
 *
 * @returns the hash with each of our secrets, newest first
 */
export function listNetworkHashes(
  settings: Pick<Config, "secrets">,
  jobId: string,
  clientAddress: string,
): [string, ...string[]] {
  const { own, around } = listNetworks(clientAddress);
  const network = around ?? own.replace(/\.\d+$/, ".0/24");
  return listHashes(settings, "report-network", `${jobId}\n${network}`) as [string, ...string[]];
}

/**
 * Finds the hash that a listing's earlier reports have for this network, so that it counts once also after a change of
 * the secret. Otherwise returns the newest one.
 */
export async function getNetworkHash(
  tx: Database,
  settings: Pick<Config, "secrets">,
  jobId: string,
  clientAddress: string,
): Promise<string> {
  const hashes = listNetworkHashes(settings, jobId, clientAddress);
  const [earlier] = await tx
    .select({ network: jobReports.network })
    .from(jobReports)
    .where(and(eq(jobReports.jobId, jobId), inArray(jobReports.network, hashes)))
    .orderBy(jobReports.createdAt)
    .limit(1);
  return earlier?.network ?? hashes[0];
}
