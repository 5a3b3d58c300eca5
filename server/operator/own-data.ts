import type { Command } from "@commander-js/extra-typings";
import { startExportByEmail } from "../../app/own-data/export/export-for-person.server.tsx";
import type { AppContext } from "../../app/platform/app-context.server.ts";
import type { Answer, Choose } from "./command.ts";

export function addOwnDataCommands(program: Command, choose: Choose): void {
  program
    .command("export")
    .description("prepare a copy of a person's data, which only they can download")
    .argument("<email>")
    .action((email) => choose(({ app }) => startExport(app, email)));
}

async function startExport({ db, config }: AppContext, email: string): Promise<Answer> {
  await startExportByEmail(db, email, config);
  return {
    text: `The running product prepares the data of ${email}. We've emailed them, and will again when it's ready.`,
    data: { email },
  };
}
