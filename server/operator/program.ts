import { Command, CommanderError } from "@commander-js/extra-typings";
import { backup } from "./backup.ts";
import { bans } from "./bans.ts";
import { type Choose, Misunderstood, type Work } from "./command.ts";
import { factors } from "./factors.ts";
import { doctor } from "./doctor.ts";
import { imports } from "./import.ts";
import { mail } from "./mail.ts";
import { messages } from "./messages.ts";
import { orders } from "./orders.ts";
import { purge } from "./purge.ts";
import { roles } from "./roles.ts";
import { subscriptions } from "./subscriptions.ts";
import { users } from "./users.ts";

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
  const program = operatorProgram((chosen) => (work = chosen), printed);
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
export function operatorProgram(note: (work: Work) => void, printed: string[]) {
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
    users,
    roles,
    bans,
    factors,
    subscriptions,
    messages,
    mail,
    orders,
    doctor,
    backup,
    imports,
    purge,
  ])
    family(program, choose);
  return program;
}
