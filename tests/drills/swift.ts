import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePorts } from "../support/product/free-ports.ts";
import { missing } from "./missing.ts";
import { soon } from "./soon.ts";

const run = promisify(execFile);
const account = "naksha";
const user = "files";
const secret = "a-secret-of-the-drill";

/** Starts OpenStack Swift with one server of each kind, one device, no replicas, and S3 in its proxy. */
export async function startSwift() {
  const folder = await mkdtemp(join(tmpdir(), "naksha-swift-"));
  const first = await freePorts(5);
  const ports = { proxy: first, account: first + 1, container: first + 2, object: first + 3 };
  const cache = first + 4;
  const common = `[DEFAULT]
bind_ip = 127.0.0.1
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, "devices")}
mount_check = false
workers = 0
`;
  await mkdir(join(folder, "devices", "d1"), { recursive: true });
  const servers: ChildProcess[] = [];
  const output: string[] = [];
  function serve(command: string, ...args: string[]): void {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => output.push(chunk.toString()));
    servers.push(child);
  }

  try {
    await run("swift-ring-builder", ["--version"]).catch(() => {});
    for (const kind of ["account", "container", "object"] as const) {
      const builder = join(folder, `${kind}.builder`);
      const device = `r1z1-127.0.0.1:${ports[kind]}/d1`;
      await run("swift-ring-builder", [builder, "create", "4", "1", "1"]);
      await run("swift-ring-builder", [builder, "add", device, "1"]);
      // It exits with 1 for a warning.
      await run("swift-ring-builder", [builder, "rebalance"]).catch(() => {});
      await readFile(join(folder, `${kind}.ring.gz`));
      const config = join(folder, `${kind}.conf`);
      await writeFile(
        config,
        `${common}bind_port = ${ports[kind]}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`,
      );
      serve(`swift-${kind}-server`, config);
    }
  } catch (error) {
    await rm(folder, { recursive: true });
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const packages = ["proxy", "account", "container", "object"].map((kind) => `swift-${kind}`);
    throw missing("OpenStack Swift", ...packages, "memcached");
  }
  const proxy = join(folder, "proxy.conf");
  await writeFile(
    proxy,
    `${common}bind_port = ${ports.proxy}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_${account}_${user} = ${secret} .admin
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cache}
${["catch_errors", "gatekeeper", "healthcheck", "listing_formats", "s3api", "copy", "slo", "dlo"]
  .map((filter) => `[filter:${filter}]\nuse = egg:swift#${filter}\n`)
  .join("")}`,
  );
  serve("memcached", "-l", "127.0.0.1", "-p", String(cache), "-u", userInfo().username);
  serve("swift-proxy-server", proxy);
  const endpoint = `http://127.0.0.1:${ports.proxy}`;
  await soon(async () => (await fetch(`${endpoint}/healthcheck`)).ok, 20).catch(
    (cause: unknown) => {
      throw new Error(`Swift does not start:\n${output.join("")}`, { cause });
    },
  );
  return {
    /** The variables that point the store's tests to it. */
    env: { TEST_S3_ENDPOINT: endpoint, TEST_S3_KEY: `${account}:${user}`, TEST_S3_SECRET: secret },
    async end(): Promise<void> {
      for (const server of servers) server.kill("SIGTERM");
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
