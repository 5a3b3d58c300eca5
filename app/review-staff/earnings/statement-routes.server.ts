import { type Context, Hono, type Next } from "hono";
import type { Actor } from "../../accounts/actor.server.ts";
import { permissions } from "../../accounts/permissions.server.ts";
import { formatContentDisposition } from "../../files/serve-file.server.ts";
import type { PaymentDocument } from "../../payments/payment-document.ts";
import type { AppContext, RequestFacts } from "../../platform/app-context.server.ts";
import { minute } from "../../platform/clock.ts";
import { formatCsv } from "../../platform/csv.server.ts";
import { TooMany } from "../../platform/errors.ts";
import { parseMonth } from "../../platform/months.ts";
import { countTry, type RateLimit } from "../../platform/rate-limit.server.ts";
import { getOwnEarnings } from "./earnings.server.ts";
import { listStatementRows, toStatementDocument } from "./statement.ts";

type Env = { Variables: { actor: Actor | null; facts: RequestFacts } };

const statementsByPerson: RateLimit = { name: "statement", max: 30, windowMs: 10 * minute };

/**
 * Serves a month's statement to its reviewer, as `/reviewer/earnings/2026-11.pdf` and `.csv`. For anyone else the next
 * handler answers, as for a missing page.
 *
 * @param receipts renders the PDF
 */
export function createStatementRoutes(
  { config, db }: AppContext,
  receipts: { make(content: PaymentDocument, userId: string): Promise<Buffer> },
): Hono<Env> {
  const routes = new Hono<Env>();
  const serve = (kind: "pdf" | "csv") => async (context: Context<Env>, next: Next) => {
    const actor = context.get("actor");
    if (!actor || !permissions["earnings.own"](actor) || !config.reviewFees) return next();
    const month = parseMonth((context.req.param("file") ?? "").slice(0, "2026-11".length));
    const earnings = await getOwnEarnings(db, actor, month);
    try {
      await countTry({ db, config }, statementsByPerson, actor.id);
    } catch (error) {
      if (error instanceof TooMany)
        context.get("facts").retryAfterSeconds = error.retryAfterSeconds;
      throw error;
    }
    const { product } = config;
    const body =
      kind === "csv"
        ? Buffer.from(formatCsv(listStatementRows(earnings)))
        : await receipts.make(toStatementDocument(product, actor, month, earnings), actor.id);
    const name = `Fees ${month.key} - ${product.name}.${kind}`;
    return context.body(new Uint8Array(body), 200, {
      "Cache-Control": "private, no-store",
      "Content-Disposition": formatContentDisposition("attachment", name),
      "Content-Length": String(body.length),
      "Content-Type": kind === "csv" ? "text/csv; charset=utf-8" : "application/pdf",
    });
  };
  for (const kind of ["pdf", "csv"] as const)
    routes.get(`/:file{20[0-9]{2}-[0-9]{2}\\.${kind}}`, serve(kind));
  return routes;
}
