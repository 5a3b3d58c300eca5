import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { databaseName } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";
import { setDatabaseOwner, ownerName, getOwnerPassword } from "./owner.ts";
import type { Server } from "./postmaster.ts";

/**
 * One idle connection that a copy of the product keeps from start to stop. By it, others see
 * that the server is in use before the first query, and a killed copy gives it back by dying.
 */
export type Lease = {
  /** Leads to the database as its owner. */
  url: string;
  superuserUrl: string;
  connection: Connection;
};

type Connection = {
  client: Client;
  socket: Socket;
  /** Resolves when the connection has ended, for any reason. */
  ended: Promise<void>;
};

const leaseName = "naksha lease";
const secondsToRecover = 60;
const missingDatabase = "3D000";
const startingUp = "57P03";

/** Connects to the database, making it if this is a new server. Call it under the home's lock. */
export async function acquireLease(cluster: Cluster, server: Server): Promise<Lease> {
  const url = (user: string, password: string, database: string) =>
    `postgres://${user}:${password}@127.0.0.1:${server.port}/${database}`;
  const superuserUrl = url(databaseName, cluster.password, databaseName);
  const connection = await connect(superuserUrl).catch(async (error: unknown) => {
    if (!hasCode(error, missingDatabase)) throw error;
    await createDatabase(url(databaseName, cluster.password, "postgres"));
    return await connect(superuserUrl);
  });
  const password = getOwnerPassword(cluster.password);
  await setDatabaseOwner(connection.client, password);
  // A command that is done may end without stop(): the next start finds the server.
  connection.socket.unref();
  return { url: url(ownerName, password, databaseName), superuserUrl, connection };
}

/** Gives the lease back. @returns how many other connections the server has; none if it is gone. */
export async function releaseLease(lease: Lease): Promise<number> {
  lease.connection.socket.ref();
  const others = await countOthersPatiently(lease.connection.client).catch(() =>
    countOthersAnew(lease.superuserUrl),
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
  const deadline = performance.now() + 1000;
  for (;;) {
    const { leases, clients } = await countOthers(client);
    // A connection that our own pool has just closed stays listed for a moment.
    if (clients === 0 || leases > 0 || performance.now() > deadline) return clients;
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

/** Waits for a server that recovers from the crash of one of its processes. */
async function connect(url: string): Promise<Connection> {
  const deadline = performance.now() + secondsToRecover * 1000;
  for (;;) {
    try {
      return await connectNow(url);
    } catch (error) {
      if (!hasCode(error, startingUp) || performance.now() > deadline) throw error;
    }
    await sleep(50);
  }
}

async function connectNow(url: string): Promise<Connection> {
  const socket = new Socket();
  const client = new Client({
    connectionString: url,
    application_name: leaseName,
    connectionTimeoutMillis: 10_000,
    stream: () => socket,
  });
  // The reason does not matter: the server is looked up again.
  client.on("error", () => {});
  const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
  await client.connect();
  return { client, socket, ended };
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
