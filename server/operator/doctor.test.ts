import { randomUUID } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { type Config, readConfig } from "../../app/platform/config.server.ts";
import { realSettings } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { hasApp } from "../../tests/support/rows/factors.ts";
import { startServer } from "../../tests/support/servers/http.ts";
import { mailServer, oddMailServer } from "../../tests/support/servers/mail-servers.ts";
import { person } from "../../tests/support/rows/people.ts";
import { payuSettings } from "../../tests/support/payments/payu.ts";
import type { Postgres } from "./command.ts";
import { runChecks, type Finding, createOk } from "./doctor/finding.ts";
import { readCommand } from "./program.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";

const { db, url } = await testDatabase();

/** Returns doctor's findings by the name of the check. */
async function runDoctor(
  config: () => Config,
  openPostgres: () => Promise<Postgres> = async () => ({ url, stop: async () => {} }),
) {
  const command = readCommand(["doctor"]);
  if (typeof command === "string" || command.work.on !== "bare")
    throw new Error("Expected the doctor command.");
  const answer = await command.work.run({
    readConfig: config,
    openPostgres,
    logProgress: () => {},
  });
  const { findings } = answer.data as { findings: Finding[] };
  const by = (name: string) => findings.find(({ check }) => check === name);
  return { ...answer, findings, by };
}

const dataDir = () => ownFolder(onTestFinished);

/** Starts a payment provider that always gives this answer. */
async function payuAnswering(answer: object) {
  const body = JSON.stringify(answer);
  const { origin, stop } = await startServer((_request, response) => response.end(body));
  onTestFinished(stop);
  return { ...payuSettings, commandUrl: origin };
}

test("a demo passes all checks, and the test file is deleted", async () => {
  const folder = dataDir();
  const result = await runDoctor(() => readConfig({ DATA_DIR: folder }));
  expect(result.findings.filter(({ state }) => state === "fail")).toEqual([]);
  expect(result.failed).toBe(false);
  expect(result.text).toMatch(/^ok +settings +Demo at http:\/\/localhost:3000\.$/m);
  expect(result.by("migrations")?.found).toMatch(/^All \d+ migrations are applied\.$/);
  expect(result.by("origin")?.found).toContain("Not applicable");
  expect(await readdir(join(folder, "files", "review-files", "doctor"))).toEqual([]);
});

test("a missing or old second-factor key is reported", async () => {
  const [older, newer] = ["a".repeat(32), "b".repeat(32)];
  const configOf = (keys: string) => () => readConfig({ SECOND_FACTOR_KEYS: keys });
  await hasApp({ db, config: configOf(older)() }, await person(db, "Asha Verma"));
  const states: [string, string][] = [
    [older, "ok"],
    [`${newer},${older}`, "warn"],
    [newer, "fail"],
  ];
  for (const [keys, state] of states)
    expect((await runDoctor(configOf(keys))).by("factors"), keys).toMatchObject({ state });
});

test("every failure is reported with what to do", async () => {
  const folder = dataDir();
  await writeFile(join(folder, "files"), "no folder");
  const { url: smtp } = await mailServer();
  const payu = await payuAnswering({ status: 0, msg: "Invalid Hash." });
  const config = {
    ...readConfig({ ...realSettings, DATA_DIR: folder, ORIGIN: "http://naksha.example" }),
    smtpUrl: smtp.replace("//", "//name:wrong@"),
    payu,
  };
  const nowhere = async () => ({ url: "postgres://127.0.0.1:1/none", stop: async () => {} });
  const result = await runDoctor(() => config, nowhere);
  expect(result.failed).toBe(true);
  const failed = result.findings.filter(({ state }) => state === "fail");
  expect(failed.map(({ check }) => check).join(" ")).toBe(
    "database extensions migrations clock factors pans mail payments files origin",
  );
  expect(failed.filter(({ todo }) => !todo)).toEqual([]);
  expect(result.by("database")?.found).toContain("ECONNREFUSED");
  expect(result.by("payments")).toMatchObject({
    found: expect.stringContaining("Invalid Hash."),
    todo: expect.stringContaining("PAYU_SALT"),
  });
  expect(result.by("origin")?.found).toContain("not encrypted");
});

test("an unreachable object store is reported with its address", async () => {
  const s3 = { S3_ENDPOINT: "http://127.0.0.1:9", S3_BUCKET: "files", S3_ACCESS_KEY_ID: "key" };
  const result = await runDoctor(() => readConfig({ ...s3, S3_SECRET_ACCESS_KEY: randomUUID() }));
  expect(result.by("files")).toMatchObject({
    state: "fail",
    found: "ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:9",
  });
});

test("the key and salt are valid if the provider does not know the order", async () => {
  const nothing = { mihpayid: "Not Found", status: "Not Found" };
  const payu = await payuAnswering({ status: 0, transaction_details: { TXN_DOCTOR: nothing } });
  const folder = dataDir();
  const result = await runDoctor(() => ({ ...readConfig({ DATA_DIR: folder }), payu }));
  expect(result.by("payments")).toMatchObject({
    state: "ok",
    found: expect.stringContaining("salt"),
  });
});

test("each wrong setting is reported", async () => {
  const result = await runDoctor(() =>
    readConfig({ ...realSettings, SMTP_URL: "", SECRET: "short" }),
  );
  expect(result.failed).toBe(true);
  expect(result.findings.map(({ found }) => found)).toEqual([
    expect.stringMatching(
      /^SECRET must be one or more comma-separated texts of at least 32 characters/,
    ),
    expect.stringMatching(/^SMTP_URL is required/),
  ]);
});

test("a server without TLS fails the origin check", async () => {
  const { url: oddUrl } = await oddMailServer((socket) => socket.end("220 not a web server\r\n"));
  const folder = dataDir();
  const origin = oddUrl.replace("smtp", "https");
  const result = await runDoctor(() => ({
    ...readConfig({ DATA_DIR: folder }),
    mode: "real",
    origin,
  }));
  expect(result.by("origin")).toMatchObject({
    state: "fail",
    todo: expect.stringContaining(origin),
  });
});

test("tables of a newer version fail the migrations check", async () => {
  const newer = sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 1)`;
  await db.execute(newer);
  const folder = dataDir();
  const result = await runDoctor(() => readConfig({ DATA_DIR: folder }));
  expect(result.by("migrations")).toMatchObject({ state: "fail" });
  await db.execute(sql`delete from drizzle.__drizzle_migrations where hash = 'newer'`);
});

test("a check that never responds times out without delaying the others", async () => {
  const silent = { name: "silent", todo: "Wake it.", look: () => new Promise<never>(() => {}) };
  const well = { name: "well", todo: "Nothing.", look: async () => createOk("Well.") };
  expect(await runChecks([silent, well], 50)).toEqual([
    { check: "silent", state: "fail", found: "No response within 0.05 seconds.", todo: "Wake it." },
    { check: "well", state: "ok", found: "Well." },
  ]);
});
