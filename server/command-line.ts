import { parseArgs } from "node:util";
import {
  banAccount,
  changeRole,
  listRoles,
  unbanAccount,
} from "../app/accounts/bans-and-roles.server.ts";
import { type StaffRole, staffRoleNames } from "../app/accounts/roles.ts";
import { listUnsettledOrders } from "../app/payments/unsettled-orders.server.ts";
import type { OrderOutcome } from "../app/payments/settle-order.server.ts";
import { day, now, shortDate } from "../app/platform/clock.ts";
import type { Database } from "../app/platform/database.server.ts";
import { Invalid } from "../app/platform/errors.ts";
import { rupeesWithPaise } from "../app/payments/money.ts";
import { listHeldMessages } from "../app/support/contact-messages.server.tsx";
import { endSubscription, grantSubscription } from "../app/subscriptions/subscription.server.ts";

export const help = `The operator's commands. Those that change something act on confirmed
accounts, at once, and leave a line in the audit trail.

  npm run admin -- roles list
  npm run admin -- roles grant <e-mail> <role>      role: ${staffRoleNames.join(", ")}
  npm run admin -- roles revoke <e-mail> <role>
  npm run admin -- ban <e-mail> [--days <n>]        for good, unless days are given; ends every session
  npm run admin -- unban <e-mail>
  npm run admin -- subscription grant <e-mail> [--days <n>] [--recurring]
  npm run admin -- subscription end <e-mail>
  npm run admin -- held-messages                    what the contact page took for spam and mailed to nobody
  npm run admin -- orders                           payments that time alone does not settle
  npm run admin -- orders ask <transaction>         asks the provider about one again, and settles it`;

/** So far away that it means for good. */
const forGood = 100 * 365 * day;

/** Asks the payment provider about an order, and settles it; null when there is none of this id. */
type Settle = (orderId: string) => Promise<OrderOutcome | null>;

/** Does what was asked for, and gives the lines to print. */
export type Command = (db: Database, settle: Settle) => Promise<string>;

/**
 * Reads one command of the operator, which needs no database yet.
 *
 * @returns what to do; the words to print where nothing is to be done.
 * @throws {Invalid} with what is wrong, when the command is not understood.
 */
export function readCommand(args: string[]): Command | string {
  const { values, positionals } = readArguments(args);
  const [command, ...rest] = positionals;
  if (!command || values.help) return help;
  const until =
    values.days === undefined ? null : new Date(now().getTime() + days(values.days) * day);
  if (command === "roles") return roles(rest);
  if (command === "ban") return ban(rest, until ?? new Date(now().getTime() + forGood));
  if (command === "unban") return unban(rest);
  if (command === "subscription") return subscription(rest, until, values.recurring ?? false);
  if (command === "held-messages") return heldMessages;
  if (command === "orders") return orders(rest);
  throw new Invalid({ command: `Unknown command "${command}".\n\n${help}` });
}

function roles([change, email, role]: string[]): Command {
  if (change === "list") return listOfRoles;
  if (change !== "grant" && change !== "revoke") throw unknown(change, "list, grant or revoke");
  const known = staffRoleNames.find((name): name is StaffRole => name === role);
  if (!known) throw unknown(role, staffRoleNames.join(", "));
  const address = required(email, "an e-mail address");
  return async (db) => {
    const changed = await changeRole(db, address, known, change);
    if (!changed)
      return `${email} ${change === "grant" ? "already has" : "does not have"} the role ${known}.`;
    return `${email} ${change === "grant" ? "now has" : "no longer has"} the role ${known}.`;
  };
}

async function listOfRoles(db: Database): Promise<string> {
  const held = await listRoles(db);
  return (
    held.map((row) => `${row.role.padEnd(16)} ${row.email} (${row.name})`).join("\n") ||
    "Nobody holds a role."
  );
}

function ban([email]: string[], end: Date): Command {
  const address = required(email, "an e-mail address");
  return async (db) => {
    await banAccount(db, address, end);
    return `${email} is banned until ${shortDate(end)}; every session has ended.`;
  };
}

function unban([email]: string[]): Command {
  const address = required(email, "an e-mail address");
  return async (db) => {
    const changed = await unbanAccount(db, address);
    return changed ? `${email} may sign in again.` : `${email} was not banned.`;
  };
}

function subscription(
  [change, email]: string[],
  endsAt: Date | null,
  isRecurring: boolean,
): Command {
  const address = required(email, "an e-mail address");
  if (change === "end") {
    return async (db) => {
      await endSubscription(db, address);
      return `The subscription of ${address} has ended.`;
    };
  }
  if (change !== "grant") throw unknown(change, "grant or end");
  return async (db) => {
    await grantSubscription(db, address, { endsAt, isRecurring });
    return `${address} is subscribed${endsAt ? ` until ${shortDate(endsAt)}` : ""}${isRecurring ? ", renewing" : ""}.`;
  };
}

async function heldMessages(db: Database): Promise<string> {
  const held = await listHeldMessages(db);
  const shown = held.map(({ ticket, name, email, subject, message, createdAt }) =>
    [`${ticket}  ${shortDate(createdAt)}  ${name} <${email}>`, subject, "", message].join("\n"),
  );
  return shown.join("\n\n---\n\n") || "No message is held.";
}

function orders([change, orderId]: string[]): Command {
  if (change === undefined) return listOfOrders;
  if (change !== "ask") throw unknown(change, "ask");
  const transaction = required(orderId, "a transaction");
  return (_db, settle) => askAboutOrder(transaction, settle);
}

const mostOrders = 200;

async function listOfOrders(db: Database): Promise<string> {
  const unsettled = await listUnsettledOrders(db, mostOrders);
  const shown = unsettled.map(({ orderId, createdAt, amountPaise, buyer, why }) =>
    [orderId, shortDate(createdAt), `₹${rupeesWithPaise(amountPaise)}`, buyer, why].join("  "),
  );
  return shown.join("\n") || "Every payment is settled, or will be by itself.";
}

async function askAboutOrder(orderId: string, settle: Settle): Promise<string> {
  const outcome = await settle(orderId);
  if (!outcome) throw new Invalid({ order: `There is no order ${orderId}.` });
  const { status } = outcome;
  if (status === "pending")
    return `${orderId} is still pending. Look at it in the provider's dashboard.`;
  return status === "success" ? `${orderId} is paid and delivered.` : `${orderId} has failed.`;
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        days: { type: "string" },
        recurring: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new Invalid({
      command: `${error instanceof Error ? error.message : String(error)}\n\n${help}`,
    });
  }
}

function days(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number < 36_500) return number;
  throw new Invalid({ days: `--days must be a whole number above 0, not "${text}".` });
}

function required(text: string | undefined, what: string): string {
  if (text) return text;
  throw new Invalid({ command: `This command needs ${what}.\n\n${help}` });
}

function unknown(word: string | undefined, known: string): Invalid {
  return new Invalid({ command: `Expected ${known}${word ? `, not "${word}"` : ""}.\n\n${help}` });
}
