import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { databaseName } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";
import type { Server } from "./postmaster.ts";

/**
 * One idle connection that a copy of the product keeps from start to stop. By it, others see
 * that the server is in use before the first query, and a killed copy gives it back by dying.
 */
export type Lease = { url: string; connection: Connection };

type Connection = { client: Client; socket: Socket };

const leaseName = "naksha lease";

/** Connects to the database, making it if this is a new server. Call it under the home's lock. */
export async function takeLease(cluster: Cluster, server: Server): Promise<Lease> {
  const url = (database: string) =>
    `postgres://${databaseName}:${cluster.password}@127.0.0.1:${server.port}/${database}`;
  const connection = await connect(url(databaseName)).catch(async (error: unknown) => {
    if (!isMissingDatabase(error)) throw error;
    await createDatabase(url("postgres"));
    return await connect(url(databaseName));
  });
  // A command that is done may end without stop(): the next start finds the server.
  connection.socket.unref();
  return { url: url(databaseName), connection };
}

/** Gives the lease back. @returns how many other connections the server has; none if it is gone. */
export async function endLease(lease: Lease): Promise<number> {
  lease.connection.socket.ref();
  const others = await countOthersPatiently(lease.connection.client).catch(() =>
    countOthersAnew(lease.url),
  );
  await lease.connection.client.end();
  return others;
}

/** PostgreSQL cuts all connections when one of its processes crashes, and goes on. */
async function countOthersAnew(url: string): Promise<number> {
  const connection = await connect(url).catch(() => null);
  if (!connection) return 0;
  try {
    return await countOthersPatiently(connection.client);
  } finally {
    await connection.client.end();
  }
}

async function countOthersPatiently(client: Client): Promise<number> {
  const deadline = Date.now() + 1000;
  for (;;) {
    const { leases, clients } = await countOthers(client);
    // A connection that our own pool has just closed stays listed for a moment.
    if (clients === 0 || leases > 0 || Date.now() > deadline) return clients;
    await sleep(20);
  }
}

async function countOthers(client: Client): Promise<{ leases: number; clients: number }> {
  const { rows } = await client.query<{ leases: number; clients: number }>(
    `select count(*) filter (where application_name = $1)::int as leases, count(*)::int as clients
       from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    [leaseName],
  );
  return rows[0] ?? { leases: 0, clients: 0 };
}

async function createDatabase(maintenanceUrl: string): Promise<void> {
  const { client } = await connect(maintenanceUrl);
  try {
    await client.query(`create database ${databaseName}`);
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<Connection> {
  const socket = new Socket();
  const client = new Client({
    connectionString: url,
    application_name: leaseName,
    connectionTimeoutMillis: 10_000,
    stream: () => socket,
  });
  // A server that ends shows itself in the next query of whoever uses it.
  client.on("error", () => {});
  await client.connect();
  return { client, socket };
}

function isMissingDatabase(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "3D000";
}
