import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { createMailTransport } from "../../app/mail/transport.server.ts";
import type { Config } from "../../app/platform/config.server.ts";
import { openDatabase, taskLimits } from "../../app/platform/database.server.ts";
import { openLeases } from "../../app/platform/leases.server.ts";
import { createLog } from "../../app/platform/log.server.ts";
import { startTasks } from "../../app/platform/tasks.server.ts";
import { openPartials, openStore } from "../process/open-files.ts";
import { setUpDatabase } from "../process/set-up-database.ts";
import { createPayments } from "../services/services.ts";
import type { Answer, Operator, Postgres, Work } from "./command.ts";
import { readCommand } from "./program.ts";
import { Invalid } from "../../app/platform/errors.ts";

/** The settings of the started process, and its database. */
type Process = {
  /** @throws {Error} with one line for each setting that is missing or wrong. */
  configure(): Config;
  openPostgres(config: Config, logProgress: (line: string) => void): Promise<Postgres>;
};

/**
 * Runs one operator command and prints its answer; progress goes to standard error.
 *
 * @returns the exit code: 0 done, 1 failed.
 * @throws {UsageError} if the command is invalid; any other error is a failure.
 */
export async function runOperator(args: string[], started: Process): Promise<0 | 1> {
  const command = readCommand(args);
  if (typeof command === "string") {
    console.log(command);
    return 0;
  }
  const { text, data, failed } = await runCommandLine(command.work, started);
  console.log(command.json ? JSON.stringify(data, null, 2) : text);
  return failed ? 1 : 0;
}

async function runCommandLine(work: Work, { configure, openPostgres }: Process): Promise<Answer> {
  const open = (config: Config) => openPostgres(config, writeOutputLine);
  if (work.on === "bare")
    return work.run({ readConfig: configure, openPostgres: open, logProgress: writeOutputLine });
  const config = configure();
  const postgres = await open(config);
  try {
    await setUpDatabase(postgres.url, writeOutputLine);
    return await withProduct(config, postgres.url, work.run);
  } finally {
    await postgres.stop();
  }
}

/** Queues the follow-up tasks of a command without running them; the product does that. */
async function withProduct(
  config: Config,
  databaseUrl: string,
  run: (operator: Operator) => Promise<Answer>,
): Promise<Answer> {
  const database = openDatabase(databaseUrl, { max: 5, limits: taskLimits });
  const log = createLog("error", { write: (line) => void process.stderr.write(line) });
  const transport = createMailTransport(config);
  try {
    const stopTasks = await startTasks(database, [], log, { work: false });
    return await run({
      app: { config, db: database.db, log },
      payments: createPayments(config, config.payu),
      store: await openStore(config, openLeases(database.db)),
      partials: await openPartials(config),
      transport,
      readPassword,
      logProgress: writeOutputLine,
    }).finally(stopTasks);
  } finally {
    transport.close();
    await database.close();
  }
}

function writeOutputLine(line: string): void {
  console.error(line);
}

/**
 * Reads a password: typed twice at the terminal without being shown, or the first line of standard input.
 *
 * @throws {Invalid} if it is missing, the two differ, or there is no terminal.
 */
async function readPassword(from: "terminal" | "stdin"): Promise<string> {
  if (from === "stdin") return readFirstLine();
  if (!process.stdin.isTTY)
    throw new Invalid({
      password:
        "There is no terminal to enter a password. Use --password-stdin, or --link print for a link to choose one.",
    });
  const password = await readHiddenLine("Password: ");
  if ((await readHiddenLine("Repeat the password: ")) === password) return password;
  throw new Invalid({ password: "The two passwords differ." });
}

async function readFirstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  throw new Invalid({ password: "Standard input has no password." });
}

/** Writes the prompt to standard error and does not show the input. */
async function readHiddenLine(question: string): Promise<string> {
  process.stderr.write(question);
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: discard, terminal: true });
  try {
    return await readTerminalLine(terminal);
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

/** Rejects on Ctrl-C, which ends the command. */
function readTerminalLine(terminal: Interface): Promise<string> {
  return new Promise((resolve, reject) => {
    terminal.once("close", () => reject(new Invalid({ password: "No password was given." })));
    terminal.question("").then(resolve, reject);
  });
}
