import type { Command } from "@commander-js/extra-typings";
import { banAccount, unbanAccount } from "../../app/accounts/bans-and-roles.server.ts";
import { daysForGood } from "../../app/accounts/rules.ts";
import type { AppContext } from "../../app/platform/app-context.server.ts";
import { day, now, formatShortDate } from "../../app/platform/clock.ts";
import { parseWholeNumber } from "./arguments.ts";
import type { Answer, Choose } from "./command.ts";

export function addBanCommands(program: Command, choose: Choose): void {
  program
    .command("ban")
    .description("ban a person and end all their sessions")
    .argument("<email>")
    .option("--days <n>", "length of the ban; permanent without it", parseWholeNumber)
    .option("--reason <text>", "the reason given in the email to the person")
    .action((email, { days = daysForGood, reason }) =>
      choose(({ app }) => banByEmail(app, email, { days, reason })),
    );
  program
    .command("unban")
    .description("lift a ban")
    .argument("<email>")
    .action((email) => choose(({ app }) => unbanByEmail(app, email)));
}

async function banByEmail(
  { db, config }: AppContext,
  email: string,
  { days, reason = null }: { days: number; reason?: string | null | undefined },
): Promise<Answer> {
  const until = new Date(now().getTime() + days * day);
  await banAccount(db, email, { until, reason }, config);
  return {
    text: `${email} is banned until ${formatShortDate(until)}. All their sessions have ended, and we've emailed them.`,
    data: { email, bannedUntil: until },
  };
}

async function unbanByEmail({ db, config }: AppContext, email: string): Promise<Answer> {
  const changed = await unbanAccount(db, email, config);
  return {
    text: changed ? `${email} can log in again.` : `${email} was not banned.`,
    data: { email, changed },
  };
}
