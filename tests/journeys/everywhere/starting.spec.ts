import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../../support/product/free-ports.ts";
import { actAs, end, runToEnd, start } from "../../support/product/own-product.ts";
// Playwright's own `test` would run these last, on workers of their own.
import { expect, test } from "../support/test.ts";

const ports = await freePorts(33);

test("the product starts with its own PostgreSQL, survives a kill and stops cleanly", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "naksha-starting-"));
  const env = { PORT: String(ports), PAYU_STAND_IN_PORT: String(ports + 1), DATA_DIR: dataDir };
  const origin = `http://localhost:${ports}`;
  try {
    const first = await start(env);
    expect(first.printed()).toContain(`${origin}/demo`);
    expect(first.printed()).toContain("Test payment page");
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

test("production does not start without its required settings", async () => {
  const { code, printed } = await runToEnd({
    ORIGIN: "https://naksha.example",
    PORT: String(ports + 5),
  });
  expect(code).toBe(1);
  for (const name of ["DATABASE_URL", "SMTP_URL", "SECRET", "PAYU_KEY"])
    expect(printed).toContain(`${name} is required`);
});

// Covered by "the product starts with its own PostgreSQL".
test("a port or folder in use is reported with a solution before anything starts @slow", async () => {
  const [dataDir, other] = [await newFolder(), await newFolder()];
  const [port, standIn] = [ports + 10, ports + 11];
  const env = { PORT: String(port), PAYU_STAND_IN_PORT: String(standIn), DATA_DIR: dataDir };
  const first = await start(env);
  const elsewhere = { PORT: String(ports + 20), PAYU_STAND_IN_PORT: String(ports + 21) };
  const refusals = {
    [`Port ${port} is in use. Set PORT to another one.`]: { DATA_DIR: other },
    [`Port ${standIn} is in use. The test payment page needs it. Set PAYU_STAND_IN_PORT`]: {
      PORT: elsewhere.PORT,
      DATA_DIR: other,
    },
    [`already running from ${dataDir}: process ${first.child.pid} at http://localhost:${port}.`]:
      elsewhere,
  };
  for (const [words, change] of Object.entries(refusals)) {
    const { code, printed } = await runToEnd({ ...env, ...change });
    expect(printed).toContain(words);
    expect(printed).not.toContain("PostgreSQL");
    expect(code).toBe(1);
  }

  const admin = await runToEnd(env, "admin", "roles", "list");
  expect(admin.printed).toContain("gita@example.in");
  expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200);
  await end(first.child, "SIGTERM");
  for (const folder of [dataDir, other]) await rm(folder, { recursive: true, force: true });
});

// Covered by "server/operator/run.test.ts: help".
test("the command line shows help and errors without a database @slow", async () => {
  const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", PORT: String(ports + 30) };
  const help = await runToEnd(env, "admin", "--help");
  expect(help).toMatchObject({
    code: 0,
    printed: expect.stringContaining("ban [options] <email>"),
  });
  for (const words of [["dance"], ["roles", "make"], ["--loud"], ["ban"]]) {
    const { code, printed } = await runToEnd(env, "admin", ...words);
    expect(printed).toMatch(/^error: .*\n\nUsage: npm run admin -- /);
    expect(printed).not.toContain("Waiting for the database");
    expect(code).toBe(2);
  }
});

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "naksha-starting-"));
}

function profile(origin: string, cookie: string): Promise<Response> {
  return fetch(`${origin}/profile`, { redirect: "manual", headers: { cookie } });
}
