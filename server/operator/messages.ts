import type { Command } from "@commander-js/extra-typings";
import { formatShortDate } from "../../app/platform/clock.ts";
import { listSuspectedMessages } from "../../app/support/send-message.server.tsx";
import type { Answer, Choose } from "./command.ts";
import type { Database } from "../../app/platform/database.server.ts";

/** Adds the command that lists suspected spam. */
export function addMessageCommands(program: Command, choose: Choose): void {
  program
    .command("held-messages")
    .description("list contact messages that were treated as spam and not emailed")
    .action(() => choose(({ app }) => list(app.db)));
}

async function list(db: Database): Promise<Answer> {
  const messages = await listSuspectedMessages(db);
  const entries = messages.map(({ ticket, name, email, subject, message, createdAt }) =>
    [`${ticket}  ${formatShortDate(createdAt)}  ${name} <${email}>`, subject, "", message].join(
      "\n",
    ),
  );
  return { text: entries.join("\n\n---\n\n") || "No held messages.", data: messages };
}
