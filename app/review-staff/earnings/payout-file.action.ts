import { getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import type { Route } from "./+types/payout-file.action.ts";
import { parsePayoutMonth } from "./fees.ts";
import { createPayoutFile } from "./payouts.server.ts";

/** Returns a month's unpaid sums as a file for the bank. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const month = parsePayoutMonth(url.searchParams.get("month"));
  const file = await createPayoutFile(db, getSignedInActor(context), month);
  return new Response(file, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="payouts-${month.key}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}
