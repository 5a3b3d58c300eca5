import { type Context, Hono, type Next } from "hono";
import type { Actor } from "../../accounts/actor.server.ts";
import { getChildProgram } from "../../files/child-process.server.ts";
import { createLongLivedProcess } from "../../files/long-lived-process.server.ts";
import { formatContentDisposition } from "../../files/serve-file.server.ts";
import type { AppContext, RequestFacts } from "../../platform/app-context.server.ts";
import { minute, second } from "../../platform/clock.ts";
import { TooMany } from "../../platform/errors.ts";
import { countTry, type RateLimit } from "../../platform/rate-limit.server.ts";
import { listDocuments } from "./own-payments.server.ts";
import type { PaymentDocument } from "../../payments/payment-document.ts";

type Env = { Variables: { actor: Actor | null; facts: RequestFacts } };

const receiptsByPerson: RateLimit = { name: "receipt", max: 30, windowMs: 10 * minute };

/**
 * Serves `/profile/payments/<order>/receipt.pdf` (the invoice, if the order has one) and `credit-note.pdf` to people
 * who can read them, and renders them for each request. For anyone else the next handler answers, as for a missing
 * page.
 */
export function createReceiptRoutes(
  { config, db }: AppContext,
  receipts: ReturnType<typeof createReceiptProcess>,
): Hono<Env> {
  const routes = new Hono<Env>();
  const serve = (kinds: PaymentDocument["kind"][]) => async (context: Context<Env>, next: Next) => {
    const actor = context.get("actor");
    const orderId = context.req.param("orderId") ?? "";
    const documents = actor ? await listDocuments(db, actor, orderId, config.product) : [];
    const content = documents.find(({ kind }) => kinds.includes(kind));
    if (!actor || !content) return next();
    try {
      await countTry({ db, config }, receiptsByPerson, actor.id);
    } catch (error) {
      if (error instanceof TooMany)
        context.get("facts").retryAfterSeconds = error.retryAfterSeconds;
      throw error;
    }
    const pdf = await receipts.make(content, actor.id);
    const { title, number, productName } = content;
    const name = `${title} ${number.replaceAll("/", "-")} - ${productName}.pdf`;
    return context.body(pdf, 200, {
      "Cache-Control": "private, no-store",
      "Content-Disposition": formatContentDisposition("attachment", name),
      "Content-Length": String(pdf.length),
      "Content-Type": "application/pdf",
    });
  };
  routes.get("/:orderId/receipt.pdf", serve(["receipt", "invoice"]));
  routes.get("/:orderId/credit-note.pdf", serve(["credit note"]));
  return routes;
}

/** Creates the process that renders all receipts: starting one takes far longer than rendering a receipt. */
export function createReceiptProcess() {
  const { run, close } = createLongLivedProcess<PaymentDocument, { pdf: string }>({
    program: getChildProgram("app/review-customer/payments/receipt-child.server.ts"),
    deadline: 30 * second,
  });
  return {
    /**
     * Renders a PDF, one at a time.
     *
     * @param userId receipts of different people take turns
     * @throws {TooMany} when too many receipts are waiting.
     * @throws {Error} when rendering fails, or the process is being closed.
     */
    async make(content: PaymentDocument, userId: string) {
      const answer = await run(content, userId);
      if (!("pdf" in answer))
        throw new Error(`The receipt could not be rendered: ${Object.values(answer).join()}`);
      return Buffer.from(answer.pdf, "base64");
    },
    close,
  };
}
