import type { Command } from "@commander-js/extra-typings";
import { day, now, formatShortDate } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import {
  revokeSubscription,
  type Grant,
  grantSubscription,
} from "../../app/subscriptions/subscription.server.ts";
import { parseWholeNumber } from "./arguments.ts";
import type { Answer, Choose } from "./command.ts";

export function addSubscriptionCommands(program: Command, choose: Choose): void {
  const family = program
    .command("subscriptions")
    .alias("subscription")
    .description("access to the job-board area");
  family
    .command("grant")
    .description("give a confirmed account a subscription, or change the one it has")
    .argument("<email>")
    .option("--days <n>", "length of the subscription; no end without it", parseWholeNumber)
    .option("--recurring", "renews at its end", false)
    .action((email, { days, recurring: isRecurring }) => {
      choose(({ app }) =>
        grantByEmail(app.db, email, { endsAt: getDateInDays(days), isRecurring }),
      );
    });
  family
    .command("end")
    .description("end a subscription immediately")
    .argument("<email>")
    .action((email) => choose(({ app }) => revokeByEmail(app.db, email)));
}

function getDateInDays(days: number | undefined): Date | null {
  return days === undefined ? null : new Date(now().getTime() + days * day);
}

async function grantByEmail(db: Database, email: string, granted: Grant): Promise<Answer> {
  await grantSubscription(db, email, granted);
  const { endsAt, isRecurring } = granted;
  return {
    text: `${email} is subscribed${endsAt ? ` until ${formatShortDate(endsAt)}` : ""}${isRecurring ? ", with renewal" : ""}.`,
    data: { email, ...granted },
  };
}

async function revokeByEmail(db: Database, email: string): Promise<Answer> {
  await revokeSubscription(db, email);
  return { text: `The subscription of ${email} has ended.`, data: { email } };
}
