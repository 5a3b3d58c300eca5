import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { expect, inject, onTestFinished, test } from "vitest";
import { freePorts } from "../../tests/support/product/free-ports.ts";
import { actAs, end, type Env, start } from "../../tests/support/product/own-product.ts";
import { dropDatabase, onServer } from "../../tests/support/product/own-postgres.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";

// Runs the command line and the product as operators start them.

/** Returns settings for a separate product: an empty database, an empty folder, free ports. */
async function place(): Promise<Env & { ORIGIN: string }> {
  const server = inject("postgresUrl");
  const name = `operator_${randomUUID().replaceAll("-", "")}`;
  await onServer(server, `create database ${name}`);
  onTestFinished(() => dropDatabase(server, name));
  const url = new URL(server);
  url.pathname = `/${name}`;
  const port = await freePorts(3);
  return {
    DATABASE_URL: url.href,
    DATA_DIR: ownFolder(),
    PORT: String(port),
    ORIGIN: `http://localhost:${port}`,
  };
}

/** Runs one command to its end. */
function admin(env: Env, ...args: string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ["server/main.ts", "admin", ...args],
      { env: { ...process.env, NODE_ENV: "production", ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end("Sailing by the stars\n");
  });
}

// Covered by "server/operator/backup/backup.test.ts: a restored demo".
test("a running product can be backed up and restored elsewhere @slow", async () => {
  const [first, second, backups] = [await place(), await place(), ownFolder()];
  const running = await start(first);
  const created = ["user", "create", "new@example.com", "--name", "New Admin", "--password-stdin"];
  const creation = await admin(first, ...created, "--role", "god_admin");
  expect(creation).toMatchObject({ code: 0, stdout: expect.stringContaining("can log in") });
  const doctor = await admin(first, "doctor", "--json");
  expect(JSON.parse(doctor.stdout)).toMatchObject({ well: true });
  const backup = await admin(first, "backup", backups, "--json");
  expect(JSON.parse(backup.stdout)).toMatchObject({ missing: [], lost: [] });
  expect(backup.stderr).toContain("rows of public.users");
  await end(running.child, "SIGTERM");

  const restored = await admin(second, "restore", backups);
  expect(restored.stdout, restored.stderr).toContain("Restored:");
  expect(restored.code).toBe(0);
  const again = await admin(second, "restore", backups);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("is not empty") });
  const answering = await start(second);
  const gita = await actAs(second.ORIGIN, "gita@example.in");
  const found = `${second.ORIGIN}/admin/users?search=new@`;
  const users = await fetch(found, { headers: { cookie: gita } });
  expect(await users.text()).toContain("new@example.com");
  const asha = await actAs(second.ORIGIN, "asha@example.com");
  const profile = await fetch(`${second.ORIGIN}/profile`, { headers: { cookie: asha } });
  expect(await profile.text()).toContain("Asha Verma");
  await end(answering.child, "SIGTERM");
});

test("help needs neither settings nor a database, and exit codes distinguish failures", async () => {
  const nowhere = { ORIGIN: "https://naksha.example", DATABASE_URL: "" };
  expect(await admin(nowhere, "--help")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Usage: npm run admin --"),
  });
  expect(await admin(nowhere, "dance")).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("unknown command 'dance'"),
  });
  expect(await admin(nowhere, "roles", "list")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("DATABASE_URL is required"),
  });
  expect(await admin(nowhere, "doctor")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("fail  settings  DATABASE_URL is required"),
  });
});
