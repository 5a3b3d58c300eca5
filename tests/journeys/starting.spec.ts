import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";

const root = resolve(import.meta.dirname, "../..");
const ports = 41_000 + (process.pid % 9_000);

test("the product starts on its own PostgreSQL, survives a kill, and ends cleanly", async () => {
  test.setTimeout(120_000);
  const dataDir = await mkdtemp(join(tmpdir(), "naksha-starting-"));
  const env = { PORT: String(ports), PAYU_STAND_IN_PORT: String(ports + 1), DATA_DIR: dataDir };
  const origin = `http://localhost:${ports}`;
  try {
    const first = await start(env);
    expect(first.printed()).toContain(`${origin}/demo`);
    expect(first.printed()).toContain("PayU stand-in");
    const cookie = await actAs(origin, "ravi@example.com");
    expect((await profile(origin, cookie)).status).toBe(200);
    await end(first.child, "SIGKILL");

    const second = await start(env);
    expect((await profile(origin, cookie)).status).toBe(200);
    const late = fetch(`${origin}/jobs`);
    await late;
    expect(await end(second.child, "SIGTERM")).toBe(0);

    const third = await start(env);
    expect((await profile(origin, cookie)).status).toBe(200);
    expect(await end(third.child, "SIGINT")).toBe(0);
    await expect(fetch(origin)).rejects.toThrow();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("a real origin refuses to start without its settings, in words", async () => {
  const { code, printed } = await runToEnd({
    ORIGIN: "https://naksha.example",
    PORT: String(ports + 5),
  });
  expect(code).toBe(1);
  for (const name of ["DATABASE_URL", "SMTP_URL", "SECRET", "PAYU_KEY"])
    expect(printed).toContain(`${name} is required`);
});

test("a port that is taken is said, and nothing stays behind", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "naksha-starting-"));
  const env = {
    PORT: String(ports + 10),
    PAYU_STAND_IN_PORT: String(ports + 11),
    DATA_DIR: dataDir,
  };
  const first = await start(env);
  const other = await mkdtemp(join(tmpdir(), "naksha-starting-"));
  const { code, printed } = await runToEnd({
    ...env,
    PAYU_STAND_IN_PORT: String(ports + 14),
    DATA_DIR: other,
  });
  expect(code).toBe(1);
  expect(printed).toContain("EADDRINUSE");
  await end(first.child, "SIGTERM");
  for (const folder of [dataDir, other]) await rm(folder, { recursive: true, force: true });
});

type Env = Record<string, string>;

function launch(env: Env): { child: ChildProcess; printed: () => string } {
  const child = spawn(process.execPath, ["server/main.ts", "start"], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: "", NODE_ENV: "production", LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  child.stdout?.on("data", (chunk) => (text += chunk));
  child.stderr?.on("data", (chunk) => (text += chunk));
  return { child, printed: () => text };
}

async function start(env: Env) {
  const started = launch(env);
  await expect.poll(started.printed, { timeout: 60_000 }).toContain("(ready in");
  return started;
}

async function runToEnd(env: Env) {
  const { child, printed } = launch(env);
  const code = await new Promise<number | null>((done) => child.once("exit", done));
  return { code, printed: printed() };
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = new Promise<number | null>((done) => child.once("exit", done));
  child.kill(signal);
  return exit;
}

async function actAs(origin: string, email: string): Promise<string> {
  const response = await fetch(`${origin}/demo/act-as`, {
    method: "POST",
    redirect: "manual",
    headers: { origin },
    body: new URLSearchParams({ email }),
  });
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

function profile(origin: string, cookie: string): Promise<Response> {
  return fetch(`${origin}/profile`, { redirect: "manual", headers: { cookie } });
}
