import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { type Config, readConfig } from "../../app/platform/config.server.ts";
import { realSettings } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { hasApp } from "../../tests/support/rows/factors.ts";
import { keepingServer } from "../../tests/support/servers/http.ts";
import { mailServer, oddMailServer } from "../../tests/support/servers/mail-servers.ts";
import { person } from "../../tests/support/rows/people.ts";
import { payuSettings } from "../../tests/support/payments/payu.ts";
import type { Postgres } from "./command.ts";
import { runChecks, type Finding, createOk } from "./doctor/finding.ts";
import { readCommand } from "./program.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";

const { db, url } = await testDatabase();

/** Returns doctor's findings by the name of the check. */
async function examined(
  config: () => Config,
  openPostgres: () => Promise<Postgres> = async () => ({ url, stop: async () => {} }),
) {
  const command = readCommand(["doctor"]);
  if (typeof command === "string" || command.work.on !== "bare") throw new Error("No doctor.");
  const answer = await command.work.run({ readConfig: config, openPostgres, say: () => {} });
  const { findings } = answer.data as { findings: Finding[] };
  const by = (name: string) => findings.find(({ check }) => check === name);
  return { ...answer, findings, by };
}

async function dataDir(): Promise<string> {
  const folder = ownFolder(onTestFinished);
  return folder;
}

/** A provider of payments that answers every question with this. */
async function payuSaying(answer: object) {
  const server = keepingServer((_request, response) => response.end(JSON.stringify(answer)));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { ...payuSettings, commandUrl: `http://127.0.0.1:${port}` };
}

test("a demonstration is well, and nothing of the look is left behind", async () => {
  const folder = await dataDir();
  const said = await examined(() => readConfig({ DATA_DIR: folder }));
  expect(said.findings.filter(({ state }) => state === "fail")).toEqual([]);
  expect(said.failed).toBe(false);
  expect(said.text).toMatch(/^ok +settings +A demonstration at http:\/\/localhost:3000\.$/m);
  expect(said.by("migrations")?.found).toMatch(/^All \d+ are applied\.$/);
  expect(said.by("origin")?.found).toContain("Not applicable");
  expect(await readdir(join(folder, "files", "review-files", "doctor"))).toEqual([]);
});

test("a key that is missing or old is told before somebody cannot sign in", async () => {
  const [older, newer] = ["a".repeat(32), "b".repeat(32)];
  const configOf = (keys: string) => () => readConfig({ SECOND_FACTOR_KEYS: keys });
  await hasApp({ db, config: configOf(older)() }, await person(db, "Asha Verma"));
  const states: [string, string][] = [
    [older, "ok"],
    [`${newer},${older}`, "warn"],
    [newer, "fail"],
  ];
  for (const [keys, state] of states)
    expect((await examined(configOf(keys))).by("factors"), keys).toMatchObject({ state });
});

test("every part that is not well is named, with what to do, and none hides another", async () => {
  const folder = await dataDir();
  await writeFile(join(folder, "files"), "no folder");
  const { url: smtp } = await mailServer();
  const payu = await payuSaying({ status: 0, msg: "Invalid Hash." });
  const config = {
    ...readConfig({ ...realSettings, DATA_DIR: folder, ORIGIN: "http://naksha.example" }),
    smtpUrl: smtp.replace("//", "//name:wrong@"),
    payu,
  };
  const nowhere = async () => ({ url: "postgres://127.0.0.1:1/none", stop: async () => {} });
  const said = await examined(() => config, nowhere);
  expect(said.failed).toBe(true);
  const failed = said.findings.filter(({ state }) => state === "fail");
  expect(failed.map(({ check }) => check).join(" ")).toBe(
    "database extensions migrations clock factors mail payments files origin",
  );
  expect(failed.filter(({ todo }) => !todo)).toEqual([]);
  expect(said.by("database")?.found).toContain("ECONNREFUSED");
  expect(said.by("payments")).toMatchObject({
    found: expect.stringContaining("Invalid Hash."),
    todo: expect.stringContaining("PAYU_SALT"),
  });
  expect(said.by("origin")?.found).toContain("not encrypted");
});

test("a store of objects that is away is told with what was said of its address", async () => {
  const s3 = { S3_ENDPOINT: "http://127.0.0.1:9", S3_BUCKET: "files", S3_ACCESS_KEY_ID: "key" };
  const said = await examined(() => readConfig({ ...s3, S3_SECRET_ACCESS_KEY: randomUUID() }));
  expect(said.by("files")).toMatchObject({
    state: "fail",
    found: "ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:9",
  });
});

test("a provider that knows no such order has taken our key and salt", async () => {
  const nothing = { mihpayid: "Not Found", status: "Not Found" };
  const payu = await payuSaying({ status: 0, transaction_details: { TXN_DOCTOR: nothing } });
  const folder = await dataDir();
  const said = await examined(() => ({ ...readConfig({ DATA_DIR: folder }), payu }));
  expect(said.by("payments")).toMatchObject({
    state: "ok",
    found: expect.stringContaining("salt"),
  });
});

test("settings that are wrong are told one by one", async () => {
  const said = await examined(() => readConfig({ ...realSettings, SMTP_URL: "", SECRET: "short" }));
  expect(said.failed).toBe(true);
  expect(said.findings.map(({ found }) => found)).toEqual([
    expect.stringMatching(/^SECRET must be a text of at least 32 characters/),
    expect.stringMatching(/^SMTP_URL is required/),
  ]);
});

test("a server that speaks no TLS is no public address", async () => {
  const { url: odd } = await oddMailServer((socket) => socket.end("220 not a web server\r\n"));
  const folder = await dataDir();
  const origin = odd.replace("smtp", "https");
  const said = await examined(() => ({
    ...readConfig({ DATA_DIR: folder }),
    mode: "real",
    origin,
  }));
  expect(said.by("origin")).toMatchObject({ state: "fail", todo: expect.stringContaining(origin) });
});

test("tables of a newer version are not taken for ours", async () => {
  const newer = sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 1)`;
  await db.execute(newer);
  const folder = await dataDir();
  const said = await examined(() => readConfig({ DATA_DIR: folder }));
  expect(said.by("migrations")).toMatchObject({ state: "fail" });
  await db.execute(sql`delete from drizzle.__drizzle_migrations where hash = 'newer'`);
});

test("a part that never answers is given up, and the others are told all the same", async () => {
  const silent = { name: "silent", todo: "Wake it.", look: () => new Promise<never>(() => {}) };
  const well = { name: "well", todo: "Nothing.", look: async () => createOk("Well.") };
  expect(await runChecks([silent, well], 50)).toEqual([
    { check: "silent", state: "fail", found: "No answer within 0.05 seconds.", todo: "Wake it." },
    { check: "well", state: "ok", found: "Well." },
  ]);
});
