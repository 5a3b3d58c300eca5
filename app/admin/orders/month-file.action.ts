import { getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import type { Route } from "./+types/month-file.action.ts";
import { createInvoiceFile } from "./month-file.server.ts";
import { parseMonth } from "../../platform/months.ts";

/** Returns a month's invoices and credit notes as a file for the accountant. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const month = parseMonth(url.searchParams.get("month"));
  const file = await createInvoiceFile(db, getSignedInActor(context), month);
  return new Response(file, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="invoices-${month.key}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}
