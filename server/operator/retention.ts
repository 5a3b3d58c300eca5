import type { Command } from "@commander-js/extra-typings";
import { retention } from "../../db/retention.ts";
import { type Answer, type Choose, type Operator, formatTable } from "./command.ts";
import { countExpired } from "./purge.ts";

/** Adds the command that lists how long each table is stored, and how many of its rows would be deleted now. */
export function addRetentionCommand(program: Command, choose: Choose): void {
  program
    .command("retention")
    .description("list how long each table is stored, and count what would be deleted now")
    .action(() => choose(listRetention));
}

async function listRetention(operator: Operator): Promise<Answer> {
  const counts = await countExpired(operator);
  const rows = Object.entries(retention).map(([table, { howLong, deletedBy }]) => ({
    table,
    howLong,
    goesNow: deletedBy === null ? null : counts[deletedBy]!,
  }));
  const lines = rows.map(({ table, howLong, goesNow }) => [
    table,
    howLong,
    goesNow === null ? "" : String(goesNow),
  ]);
  return {
    text: `Nothing was deleted.\n${formatTable([["table", "stored", "goes now"], ...lines])}`,
    data: rows,
  };
}
