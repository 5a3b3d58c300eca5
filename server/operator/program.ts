import { Command, CommanderError } from "@commander-js/extra-typings";
import { addBackupCommands } from "./backup.ts";
import { addBanCommands } from "./bans.ts";
import { addCloseCommand } from "./close.ts";
import { type Choose, UsageError, type Work } from "./command.ts";
import { addFactorCommands } from "./factors.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addImportCommand } from "./import.ts";
import { addJobCommands } from "./jobs.ts";
import { addMailCommands } from "./mail.ts";
import { addMessageCommands } from "./messages.ts";
import { addOrderCommands } from "./orders.ts";
import { addOwnDataCommands } from "./own-data.ts";
import { addPurgeCommand } from "./purge.ts";
import { addRetentionCommand } from "./retention.ts";
import { addRoleCommands } from "./roles.ts";
import { addSubscriptionCommands } from "./subscriptions.ts";
import { addUserCommands } from "./users.ts";

type ParsedCommand = { work: Work; json: boolean };

/**
 * Parses one operator command. This needs neither settings nor a database.
 *
 * @returns the work to do, or just a text to print, such as help.
 * @throws {UsageError} with the problem and the usage.
 */
export function readCommand(args: string[]): ParsedCommand | string {
  const printed: string[] = [];
  let work: Work | undefined;
  const program = createOperatorProgram((selected) => (work = selected), printed);
  try {
    program.parse(args.length > 0 ? args : ["--help"], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const text = printed.join("").trimEnd();
    if (error.exitCode === 0) return text;
    throw new UsageError(text);
  }
  return { work: work!, json: program.optsWithGlobals().json === true };
}

/** Creates the program with every command. @param printed receives the library's output */
export function createOperatorProgram(select: (work: Work) => void, printed: string[]) {
  const program = new Command("npm run admin --")
    .description(
      "Operator commands. They take effect immediately, whether or not the product is running. The history records changes to accounts.",
    )
    .option("--json", "print the answer as JSON; messages go to standard error")
    .helpOption("-h, --help", "show help for a command")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, helpWidth: 100 })
    .configureOutput({
      writeOut: (text) => printed.push(text),
      writeErr: (text) => printed.push(text),
    })
    .showHelpAfterError()
    .exitOverride()
    .addHelpText("after", "\nExit codes: 0 done, 1 failed, 2 invalid command.");
  const choose: Choose = Object.assign(
    (run: Parameters<Choose>[0]) => select({ on: "product", run }),
    {
      bare: (run: Parameters<Choose["bare"]>[0]) => select({ on: "bare", run }),
    },
  );
  for (const family of [
    addUserCommands,
    addRoleCommands,
    addBanCommands,
    addCloseCommand,
    addFactorCommands,
    addOwnDataCommands,
    addSubscriptionCommands,
    addJobCommands,
    addMessageCommands,
    addMailCommands,
    addOrderCommands,
    addDoctorCommand,
    addBackupCommands,
    addImportCommand,
    addPurgeCommand,
    addRetentionCommand,
  ])
    family(program, choose);
  return program;
}
