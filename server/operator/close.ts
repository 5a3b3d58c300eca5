import type { Command } from "@commander-js/extra-typings";
import { closeAccountByAddress } from "../../app/own-data/closing/close-account.server.tsx";
import type { AppContext } from "../../app/platform/app-context.server.ts";
import { formatShortDateTime } from "../../app/platform/clock.ts";
import type { Answer, Choose } from "./command.ts";

export function addCloseCommand(program: Command, choose: Choose): void {
  program
    .command("close")
    .description("close a person's account, as they can on their profile")
    .argument("<email>")
    .requiredOption("--reason <text>", "the reason given in the email to the person")
    .action((email, { reason }) => choose(({ app }) => closeByEmail(app, email, reason)));
}

async function closeByEmail(
  { db, config }: AppContext,
  email: string,
  reason: string,
): Promise<Answer> {
  const purgeAt = await closeAccountByAddress(db, email, reason, config);
  return {
    text: `${email} is closed, and we've emailed them. Their data is deleted on ${formatShortDateTime(purgeAt)}, unless they log in before.`,
    data: { email, purgeAt },
  };
}
