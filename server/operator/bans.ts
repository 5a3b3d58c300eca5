import type { Command } from "@commander-js/extra-typings";
import { banAccount, unbanAccount } from "../../app/accounts/bans-and-roles.server.ts";
import { day, now, shortDate } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { wholeNumber } from "./arguments.ts";
import type { Answer, Choose } from "./command.ts";

/** Who is kept out. */
export function bans(program: Command, choose: Choose): void {
  program
    .command("ban")
    .description("keep a person out; ends every session of theirs")
    .argument("<e-mail>")
    .option("--days <n>", "for so long; without it, for good", wholeNumber)
    .action((email, { days = forGood }) => choose(({ app }) => ban(app.db, email, days)));
  program
    .command("unban")
    .description("let a person in again")
    .argument("<e-mail>")
    .action((email) => choose(({ app }) => unban(app.db, email)));
}

/** In days: so far away that it means for good. */
const forGood = 100 * 365;

async function ban(db: Database, email: string, days: number): Promise<Answer> {
  const until = new Date(now().getTime() + days * day);
  await banAccount(db, email, until);
  return {
    text: `${email} is banned until ${shortDate(until)}; every session has ended.`,
    data: { email, bannedUntil: until },
  };
}

async function unban(db: Database, email: string): Promise<Answer> {
  const changed = await unbanAccount(db, email);
  return {
    text: changed ? `${email} may sign in again.` : `${email} was not banned.`,
    data: { email, changed },
  };
}
