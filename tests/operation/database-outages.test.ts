import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { ownerName, getOwnerPassword } from "../../server/embedded-postgres/owner.ts";
import { databaseProxy } from "../support/servers/database-proxy.ts";
import { testDatabase } from "../support/product/database.ts";
import { freePorts } from "../support/product/free-ports.ts";
import { actAs, end, launch, start } from "../support/product/own-product.ts";
import { ownFolder } from "../support/product/own-folder.ts";
import { sample } from "../support/inventory/selection.ts";

/** Runs the product while its PostgreSQL fails. The tests restart neither. */

const port = await freePorts(13);
const origin = `http://localhost:${port}`;

const dataDir = ownFolder();
let postgresFolder: string;
let product: ChildProcess;
let printed: () => string;
let signedIn: string;

beforeAll(async () => {
  const env = { PORT: String(port), DATA_DIR: dataDir, RATE_LIMITS: "off" };
  ({ child: product, printed } = await start(env));
  postgresFolder = /data in (\S+)/.exec(printed())![1]!;
  signedIn = await actAs(origin, "asha@example.com");
});

afterAll(async () => {
  await end(product, "SIGTERM");
  await rm(postgresFolder, { recursive: true, force: true });
});

beforeEach(waitForRecovery);

// Covered by "a terminated connection".
test("a killed server process fails only the request in its transaction @slow", async () => {
  for (let turn = 0; turn < 6; turn += 1) {
    const { answer, pid } = await withinTransaction();
    process.kill(pid, "SIGKILL");
    expect((await answer).status).toBe(503);
    await waitForRecovery();
  }
});

test("a terminated connection fails only the request in its transaction", async () => {
  const { answer, pid, client } = await withinTransaction();
  await client.query("select pg_terminate_backend($1)", [pid]);
  expect((await answer).status).toBe(503);
});

test("a request that waits too long for a lock gets an error message", async () => {
  const { answer } = await withinTransaction();
  // The lock stays until the test ends.
  expect((await answer).status).toBe(503);
});

const frozen = ["/jobs?search=frozen", "/profile", "/jobs.data", "/jobs/feed.json", "/about"];

test.each(sample(frozen, { every: 5 }))(
  "%s responds while the database is frozen",
  async (path) => {
    const thaw = freeze();
    try {
      const responses = await Promise.all(
        Array.from({ length: 30 }, async (_, turn) => {
          const response = await get(`${path}${path.includes("?") ? turn : ""}`);
          return { response, text: await response.text() };
        }),
      );
      for (const { response, text } of responses) expectUnavailable(response, text);
    } finally {
      thaw();
    }
  },
);

test("a process stays live and ready while the database is frozen", async () => {
  const thaw = freeze();
  try {
    for (const path of ["/livez", "/readyz"]) expect((await get(path)).status).toBe(200);
  } finally {
    thaw();
  }
});

// Covered by "%s responds while the database is frozen".
test("a form gets the error page while the database is frozen @slow", async () => {
  const thaw = freeze();
  try {
    for (const cookie of ["", signedIn]) {
      const response = await fetch(`${origin}/subscription`, {
        method: "POST",
        headers: { origin, cookie, accept: "text/html" },
        body: new URLSearchParams({ subscriptionId: "1" }),
        redirect: "manual",
      });
      expectUnavailable(response, await response.text());
    }
  } finally {
    thaw();
  }
});

test("a killed or stopped database restarts automatically", async () => {
  for (const signal of ["SIGKILL", "SIGINT", "SIGQUIT"] as const) {
    const postmaster = postmasterPid();
    process.kill(postmaster, signal);
    await expect.poll(() => newPostmaster(postmaster)).toBe(true);
    await waitForRecovery();
    expect((await get("/profile")).status).toBe(200);
  }
});

test("a start waits for a database that is still starting", async () => {
  const proxy = await databaseProxy((await testDatabase()).url);
  proxy.setStarting(true);
  const env = { PORT: String(port + 10), DATA_DIR: join(dataDir, "late"), DATABASE_URL: proxy.url };
  const late = launch(env);
  onTestFinished(async () => {
    await end(late.child, "SIGTERM");
    proxy.close();
  });
  const why = "Waiting for the database: the database system is starting up";
  await expect.poll(late.printed).toContain(why);
  proxy.setStarting(false);
  await expect.poll(late.printed).toContain("(ready in");
  expect(late.printed().split(why)).toHaveLength(2);
});

test("the outages are not logged as bugs and do not restart the product", () => {
  expect(product.exitCode).toBeNull();
  const bugs = printed()
    .split("\n")
    .filter((line) => line.includes('"level":50'));
  expect(bugs).toEqual([]);
});

/** Sends a form whose transaction waits for a lock. */
async function withinTransaction() {
  const client = new Client({ connectionString: databaseUrl() });
  client.on("error", () => {});
  onTestFinished(() => client.end());
  await client.connect();
  await client.query("begin");
  await client.query("lock table audit_events in access exclusive mode");
  const answer = fetch(`${origin}/admin/jobs`, {
    method: "POST",
    redirect: "manual",
    headers: { origin, cookie: await actAs(origin, "gita@example.in"), accept: "text/html" },
    body: new URLSearchParams({ intent: "archive-job", id: await aJob(client) }),
  });
  const waiting = `select pid from pg_stat_activity
    where wait_event_type = 'Lock' and application_name = 'naksha'`;
  let pid: number | undefined;
  await expect
    .poll(async () => (pid = (await client.query(waiting)).rows[0]?.pid))
    .toBeGreaterThan(0);
  return { answer, pid: pid!, client };
}

async function aJob(client: Client): Promise<string> {
  const { rows } = await client.query("select id from jobs where not is_archived limit 1");
  return rows[0].id;
}

function get(path: string): Promise<Response> {
  return fetch(origin + path, {
    redirect: "manual",
    headers: { accept: "text/html", cookie: path === "/jobs?search=frozen" ? "" : signedIn },
  });
}

function expectUnavailable(response: Response, text: string): void {
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("10");
  expect(text).toContain("Our database is unavailable.");
  if (response.headers.get("content-type")?.startsWith("text/html")) {
    expect(text).toContain("Try again");
    expect(text).toContain('class="header"');
    expect(text).toContain('rel="stylesheet"');
  }
}

async function waitForRecovery(): Promise<void> {
  await expect
    .poll(() => get("/profile").then(({ status }) => status), { timeout: 60_000 })
    .toBe(200);
}

function postmasterPid(): number {
  return Number.parseInt(readFileSync(join(postgresFolder, "cluster/postmaster.pid"), "utf8"), 10);
}

function newPostmaster(previous: number): boolean {
  try {
    return postmasterPid() !== previous;
  } catch {
    return false;
  }
}

/** Stops the postmaster first, so that it starts no new processes, then its children. */
function freeze(): () => void {
  const postmaster = postmasterPid();
  process.kill(postmaster, "SIGSTOP");
  const frozen = [postmaster, ...childrenOf(postmaster)];
  for (const pid of frozen) send(pid, "SIGSTOP");
  return () => {
    for (const pid of frozen) send(pid, "SIGCONT");
  };
}

function childrenOf(parent: number): number[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.map(Number).filter((pid) => {
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]) === parent;
    } catch {
      return false;
    }
  });
}

/** Ignores a process that has just ended. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function databaseUrl(): string {
  const password = getOwnerPassword(readFileSync(join(postgresFolder, "password"), "utf8"));
  const [, , , at] = readFileSync(join(postgresFolder, "cluster/postmaster.pid"), "utf8").split(
    "\n",
  );
  return `postgres://${ownerName}:${password}@127.0.0.1:${at}/naksha`;
}
