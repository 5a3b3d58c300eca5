import type { Command } from "@commander-js/extra-typings";
import type { Config } from "../../app/platform/config.server.ts";
import { openStore } from "../process/open-files.ts";
import { type Answer, type Bare, type Choose, type Postgres, formatTable } from "./command.ts";
import { createDatabaseChecks } from "./doctor/database.ts";
import { runChecks, type Finding, formatReason } from "./doctor/finding.ts";
import { createOriginCheck } from "./doctor/origin.ts";
import { createServiceChecks } from "./doctor/services.ts";

/** Adds the command that checks everything the product needs. */
export function addDoctorCommand(program: Command, choose: Choose): void {
  program
    .command("doctor")
    .description("check settings, database, email, payments, files, disk and origin")
    .action(() => choose.bare(runDoctor));
}

async function runDoctor(bare: Bare): Promise<Answer> {
  const config = checkSettings(bare);
  if (!("mode" in config)) return formatFindings(config);
  const settingsFinding: Finding = { check: "settings", state: "ok", found: formatMode(config) };
  const store = await openStore(config);
  const database = await openCheckedDatabase(bare, config);
  try {
    const { checks, close } =
      "url" in database
        ? createDatabaseChecks(database.url, config)
        : { checks: [], close: async () => {} };
    const others = [...checks, ...createServiceChecks(config, store), createOriginCheck(config)];
    const findings = await runChecks(others);
    await close();
    return formatFindings([settingsFinding, ...("url" in database ? [] : [database]), ...findings]);
  } finally {
    if ("url" in database) await database.stop();
  }
}

/** Reports each wrong setting. Nothing else can be checked without valid settings. */
function checkSettings({ readConfig }: Bare): Config | Finding[] {
  try {
    return readConfig();
  } catch (error) {
    const lines = error instanceof Error ? error.message.split("\n") : [String(error)];
    const todo = "Fix it, then run doctor again. Nothing else was checked.";
    return lines.map((found) => ({ check: "settings", state: "fail", found, todo }));
  }
}

function formatMode({ mode, origin }: Config): string {
  return mode === "demo" ? `Demo at ${origin}.` : `Production at ${origin}.`;
}

async function openCheckedDatabase(
  { openPostgres }: Bare,
  config: Config,
): Promise<Postgres | Finding> {
  return openPostgres(config).catch((error: unknown) => ({
    check: "database",
    state: "fail",
    found: formatReason(error),
    todo: "Check the log of the embedded PostgreSQL, or set DATABASE_URL.",
  }));
}

function formatFindings(findings: Finding[]): Answer {
  const failed = findings.some(({ state }) => state === "fail");
  const rows = findings.map(({ state, check, found, todo = "" }) => [
    state,
    check,
    [found, todo].filter(Boolean).join(" "),
  ]);
  return { text: formatTable(rows), data: { well: !failed, findings }, failed };
}
