import { Hono } from "hono";
import { endings, isUnmapped, isVerifyMode, type Attempt, type Fields } from "./ledger.server.ts";
import { callbackFields, noticeBody, readFields } from "./messages.server.ts";
import type { StandIn } from "./notifier.server.ts";
import {
  closedPage,
  concludedPage,
  paymentPage,
  refusalPage,
  returnPage,
  returnTwicePage,
  standInCharges,
} from "./pages.ts";

/** The second host: the page where the payer decides, and the way back from it. */
export function bankApp({ settings, ledger, notifier, pauses }: StandIn): Hono {
  const app = new Hono();

  app.get("/pay/:mihpayid", (c) => {
    const attempt = ledger.attempt(c.req.param("mihpayid"));
    if (!attempt) return c.html(refusalPage("This payment is not known."), 404);
    if (attempt.unmapped !== "initiated") return c.html(concludedPage(attempt));
    return c.html(paymentPage(attempt, ledger.verifyMode(attempt.txnid)));
  });

  app.post("/pay/:mihpayid", async (c) => {
    const mihpayid = c.req.param("mihpayid");
    const form = await readFields(c.req);
    if (!ledger.attempt(mihpayid)) return c.html(refusalPage("This payment is not known."), 404);

    const concluded = conclude(mihpayid, form);
    const attempt = ledger.attempt(mihpayid)!;
    if (attempt.unmapped === "initiated") {
      return c.html(refusalPage("This transaction was paid in another window."), 409);
    }
    if (concluded) await notify(attempt, form.notice);
    return c.html(wayBack(attempt, form.browser));
  });

  /** False when a second press, or a reload, came after the first decision. */
  function conclude(mihpayid: string, form: Fields): boolean {
    if (!isUnmapped(form.result)) return false;
    const charges = form.charges ? standInCharges : "";
    const concluded = ledger.move(mihpayid, ["initiated"], form.result, charges);
    const { txnid } = ledger.attempt(mihpayid)!;
    if (concluded && isVerifyMode(form.verify)) ledger.setVerifyMode(txnid, form.verify);
    return concluded;
  }

  async function notify(attempt: Attempt, manner = "normally"): Promise<void> {
    const body = noticeBody(settings, attempt);
    const { mihpayid } = attempt;
    if (manner === "before") await notifier.sendNow(mihpayid, body);
    if (manner === "normally" || manner === "twice")
      notifier.sendLater(mihpayid, body, pauses.soon);
    if (manner === "twice") notifier.sendLater(mihpayid, body, pauses.soon);
    if (manner === "late") notifier.sendLater(mihpayid, body, pauses.late);
  }

  function wayBack(attempt: Attempt, manner = "once") {
    const paid = endings[attempt.unmapped].status === "success";
    const address = (paid ? attempt.request.surl : attempt.request.furl)!;
    const fields = callbackFields(settings, attempt, "return");
    if (manner === "never") return closedPage(attempt);
    if (manner === "twice") return returnTwicePage(address, fields);
    return returnPage(address, fields);
  }

  return app;
}
