import { Command, CommanderError } from "@commander-js/extra-typings";
import { addBackupCommands } from "./backup.ts";
import { addBanCommands } from "./bans.ts";
import { type Choose, Misunderstood, type Work } from "./command.ts";
import { addFactorCommands } from "./factors.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addImportCommand } from "./import.ts";
import { addMailCommands } from "./mail.ts";
import { addMessageCommands } from "./messages.ts";
import { addOrderCommands } from "./orders.ts";
import { addPurgeCommand } from "./purge.ts";
import { addRoleCommands } from "./roles.ts";
import { addSubscriptionCommands } from "./subscriptions.ts";
import { addUserCommands } from "./users.ts";

/** A command that was understood. */
type Understood = { work: Work; json: boolean };

/**
 * Reads one command of the operator, which needs neither settings nor a database yet.
 *
 * @returns what to do; the text to print where nothing is to be done.
 * @throws {Misunderstood} with what is wrong and the usage.
 */
export function readCommand(args: string[]): Understood | string {
  const printed: string[] = [];
  let work: Work | undefined;
  const program = createOperatorProgram((chosen) => (work = chosen), printed);
  try {
    program.parse(args.length > 0 ? args : ["--help"], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const text = printed.join("").trimEnd();
    if (error.exitCode === 0) return text;
    throw new Misunderstood(text);
  }
  return { work: work!, json: program.optsWithGlobals().json === true };
}

/** Every command. @param printed takes up what the library would print */
export function createOperatorProgram(note: (work: Work) => void, printed: string[]) {
  const program = new Command("npm run admin --")
    .description(
      "The operator's commands. They act at once, whether or not the product is running; what is done to people stands in the history.",
    )
    .option("--json", "answer as JSON on standard output; messages go to standard error")
    .helpOption("-h, --help", "tell what a command does and takes")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, helpWidth: 100 })
    .configureOutput({
      writeOut: (text) => printed.push(text),
      writeErr: (text) => printed.push(text),
    })
    .showHelpAfterError()
    .exitOverride()
    .addHelpText(
      "after",
      "\nA command ends with 0 when it is done, 1 when it failed and 2 when it was not understood.",
    );
  const choose: Choose = Object.assign(
    (run: Parameters<Choose>[0]) => note({ on: "product", run }),
    {
      bare: (run: Parameters<Choose["bare"]>[0]) => note({ on: "bare", run }),
    },
  );
  for (const family of [
    addUserCommands,
    addRoleCommands,
    addBanCommands,
    addFactorCommands,
    addSubscriptionCommands,
    addMessageCommands,
    addMailCommands,
    addOrderCommands,
    addDoctorCommand,
    addBackupCommands,
    addImportCommand,
    addPurgeCommand,
  ])
    family(program, choose);
  return program;
}
