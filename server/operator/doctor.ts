import type { Command } from "@commander-js/extra-typings";
import type { Config } from "../../app/platform/config.server.ts";
import { openStore } from "../process/open-files.ts";
import { type Answer, type Bare, type Choose, type Postgres, table } from "./command.ts";
import { databaseChecks } from "./doctor/database.ts";
import { examine, type Finding, reason } from "./doctor/finding.ts";
import { originCheck } from "./doctor/origin.ts";
import { serviceChecks } from "./doctor/services.ts";

/** Whether everything that the product needs is well. */
export function doctor(program: Command, choose: Choose): void {
  program
    .command("doctor")
    .description("look whether settings, database, mail, payments, files and origin are well")
    .action(() => choose.bare(lookAtAll));
}

async function lookAtAll(bare: Bare): Promise<Answer> {
  const config = settings(bare);
  if (!("mode" in config)) return answer(config);
  const found: Finding = { check: "settings", state: "ok", found: modeOf(config) };
  const store = await openStore(config);
  const database = await opened(bare, config);
  try {
    const { checks, close } =
      "url" in database
        ? databaseChecks(database.url, config)
        : { checks: [], close: async () => {} };
    const others = [...checks, ...serviceChecks(config, store), originCheck(config)];
    const findings = await examine(others);
    await close();
    return answer([found, ...("url" in database ? [] : [database]), ...findings]);
  } finally {
    if ("url" in database) await database.stop();
  }
}

/** Each wrong setting is a finding; without settings nothing else can be looked at. */
function settings({ readConfig }: Bare): Config | Finding[] {
  try {
    return readConfig();
  } catch (error) {
    const lines = error instanceof Error ? error.message.split("\n") : [String(error)];
    const todo = "Set it, and run doctor again: nothing else was looked at.";
    return lines.map((found) => ({ check: "settings", state: "fail", found, todo }));
  }
}

function modeOf({ mode, origin }: Config): string {
  return mode === "demo" ? `A demonstration at ${origin}.` : `Real operation at ${origin}.`;
}

async function opened({ openPostgres }: Bare, config: Config): Promise<Postgres | Finding> {
  return openPostgres(config).catch((error: unknown) => ({
    check: "database",
    state: "fail",
    found: reason(error),
    todo: "Look at the log of the embedded PostgreSQL, or set DATABASE_URL.",
  }));
}

function answer(findings: Finding[]): Answer {
  const failed = findings.some(({ state }) => state === "fail");
  const rows = findings.map(({ state, check, found, todo = "" }) => [
    state,
    check,
    [found, todo].filter(Boolean).join(" "),
  ]);
  return { text: table(rows), data: { well: !failed, findings }, failed };
}
