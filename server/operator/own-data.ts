import { readFile } from "node:fs/promises";
import type { Command } from "@commander-js/extra-typings";
import {
  countBreachRecipients,
  formatBreachNotice,
  parseBreachNotice,
  queueBreachMails,
} from "../../app/own-data/breach/breach-mails.server.tsx";
import { startExportByEmail } from "../../app/own-data/export/export-for-person.server.tsx";
import type { AppContext } from "../../app/platform/app-context.server.ts";
import { countNoun } from "../../app/platform/count-noun.ts";
import { getErrorCode, Invalid } from "../../app/platform/errors.ts";
import { normalizeEmail } from "../../app/platform/text/text.ts";
import type { Answer, Choose } from "./command.ts";

export function addOwnDataCommands(program: Command, choose: Choose): void {
  program
    .command("export")
    .description("prepare a copy of a person's data, which only they can download")
    .argument("<email>")
    .action((email) => choose(({ app }) => startExport(app, email)));
  program
    .command("notify-breach")
    .description("email the people affected by a breach, once each; run it again to continue")
    .argument(
      "<file>",
      'a text file: "Subject: …", an empty line, and the text; {name} is the name',
    )
    .requiredOption(
      "--incident <name>",
      "a name for the breach; no address gets two emails about it",
    )
    .option("--to <file>", "only these addresses, one per line; everyone without it")
    .option("--dry-run", "print the email and the number of people, without sending", false)
    .action((path, options) => choose(({ app }) => notifyOfBreach(app, path, options)));
}

type BreachOptions = { incident: string; to?: string | undefined; dryRun: boolean };

async function notifyOfBreach(
  { db, config }: AppContext,
  path: string,
  { incident, to: listPath, dryRun }: BreachOptions,
): Promise<Answer> {
  const notice = parseBreachNotice(await readTextFile(path));
  const to = listPath === undefined ? null : parseAddresses(await readTextFile(listPath));
  if (!dryRun) {
    const counts = await queueBreachMails(db, { incident, notice, to }, config);
    const { recipients, earlier } = counts;
    const text = `Queued ${countNoun(recipients - earlier, "email")}. ${earlier} had it before. See mail queue.`;
    return { text, data: counts };
  }
  const counts = await countBreachRecipients(db, { incident, to });
  const { recipients, earlier } = counts;
  const unknown = to === null ? 0 : to.length - recipients;
  const { subject, paragraphs } = formatBreachNotice(notice, "Asha Verma");
  const lines = [
    `Subject: ${subject}`,
    ...paragraphs,
    "---",
    `This would go to ${countNoun(recipients - earlier, "person", "people")}. ${earlier} had it before.`,
    ...(unknown > 0
      ? [`${unknown} of the addresses are not in the database. Email them yourself.`]
      : []),
  ];
  return { text: lines.join("\n\n"), data: { ...counts, unknown } };
}

function parseAddresses(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter(Boolean).map(normalizeEmail))];
}

/** Reads a file. @throws {Invalid} if there is none */
function readTextFile(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw new Invalid({
      file: `${path} can't be read: ${getErrorCode(error) ?? "unknown error"}.`,
    });
  });
}

async function startExport({ db, config }: AppContext, email: string): Promise<Answer> {
  await startExportByEmail(db, email, config);
  return {
    text: `The running product prepares the data of ${email}. We've emailed them, and will again when it's ready.`,
    data: { email },
  };
}
