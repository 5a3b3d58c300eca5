import type { Database } from "../../app/platform/database.server.ts";
import { type Command, readCommand } from "../../server/command-line.ts";

/** Does what the operator's command line does; `settle` stands for asking the payment provider. */
export async function runCommand(
  db: Database,
  args: string[],
  settle: Parameters<Command>[1] = withoutProvider,
): Promise<string> {
  const command = readCommand(args);
  return typeof command === "string" ? command : command(db, settle);
}

async function withoutProvider(): Promise<never> {
  throw new Error("There is no payment provider to ask.");
}
