import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { databaseName } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";
import { setDatabaseOwner, ownerName, getOwnerPassword } from "./owner.ts";
import type { Server } from "./postmaster.ts";

/**
 * An idle connection that each copy of the product holds from start to stop. It shows other copies that the
 * server is in use. If a copy is killed, its connection closes.
 */
export type Lease = {
  /** Connects to the database as its owner. */
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

/** Connects to the database, and creates it on a new server. Call it under the home's lock. */
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
  // Lets a command exit without stop(); the next start finds the server.
  connection.socket.unref();
  return { url: url(ownerName, password, databaseName), superuserUrl, connection };
}

/** Releases the lease. @returns the number of other connections; 0 if the server has ended */
export async function releaseLease(lease: Lease): Promise<number> {
  lease.connection.socket.ref();
  const others = await countRemainingOthers(lease.connection.client).catch(() =>
    countOthersAfterReconnect(lease.superuserUrl),
  );
  await lease.connection.client.end();
  return others;
}

/** Reconnects to count, because PostgreSQL closes all connections when one of its processes crashes. */
async function countOthersAfterReconnect(url: string): Promise<number> {
  const connection = await connect(url).catch(() => null);
  if (!connection) return 0;
  try {
    return await countRemainingOthers(connection.client);
  } finally {
    await connection.client.end();
  }
}

async function countRemainingOthers(client: Client): Promise<number> {
  const deadline = performance.now() + 1000;
  for (;;) {
    const { leases, clients } = await countOthers(client);
    // A connection that our pool has just closed stays listed for a moment.
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

/** Connects, and waits if the server is recovering from a crash of one of its processes. */
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
  // The error is ignored because the server is looked up again.
  client.on("error", () => {});
  const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
  await client.connect();
  return { client, socket, ended };
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
