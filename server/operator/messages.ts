import type { Command } from "@commander-js/extra-typings";
import { formatShortDate } from "../../app/platform/clock.ts";
import { listSuspectedMessages } from "../../app/support/contact-messages.server.tsx";
import type { Answer, Choose } from "./command.ts";
import type { Database } from "../../app/platform/database.server.ts";

/** Adds the command that lists messages to us. */
export function addMessageCommands(program: Command, choose: Choose): void {
  program
    .command("held-messages")
    .description("what the contact page took for spam and mailed to nobody")
    .action(() => choose(({ app }) => list(app.db)));
}

async function list(db: Database): Promise<Answer> {
  const held = await listSuspectedMessages(db);
  const shown = held.map(({ ticket, name, email, subject, message, createdAt }) =>
    [`${ticket}  ${formatShortDate(createdAt)}  ${name} <${email}>`, subject, "", message].join(
      "\n",
    ),
  );
  return { text: shown.join("\n\n---\n\n") || "No message is held.", data: held };
}
