import { Hono } from "hono";
import { isVerifyMode, type Unmapped } from "./attempt.ts";
import { answerCommand } from "./commands.server.ts";
import { readFields } from "./fields.server.ts";
import { listPage } from "./list-page.ts";
import { noticeBody } from "./messages.server.ts";
import { refusalPage } from "./page.ts";
import { whyRefused } from "./request-rules.server.ts";
import type { StandIn } from "./start.server.ts";

/** The first host: it takes payment forms and commands, and lists what it knows. */
export function checkoutApp({ settings, ledger, notifier, bankOrigin, log }: StandIn): Hono {
  const app = new Hono();

  app.post("/_payment", async (c) => {
    const fields = await readFields(c.req);
    const refusal = whyRefused(settings, ledger, fields);
    if (refusal) {
      log.warn({ txnid: fields.txnid, refusal }, "PayU stand-in: payment refused");
      return c.html(refusalPage(refusal), 400);
    }
    const { mihpayid } = ledger.begin(fields);
    return c.redirect(`${bankOrigin}/pay/${mihpayid}`, 303);
  });

  app.post("/merchant/postservice.php", async (c) => {
    const answer = answerCommand(settings, ledger, await readFields(c.req));
    if (answer === "unreachable") return c.html("<h1>503 Service Unavailable</h1>", 503);
    return c.json(answer);
  });

  app.post("/control", async (c) => {
    const wish: unknown = await c.req.json().catch(() => null);
    const { verify, txnid = "" } = (wish ?? {}) as { verify?: unknown; txnid?: unknown };
    if (!isVerifyMode(verify) || typeof txnid !== "string") return c.text("Not understood.", 400);
    ledger.setVerifyMode(txnid, verify);
    return c.body(null, 204);
  });

  app.get("/", (c) => c.html(listPage(ledger)));

  app.post("/attempts/:mihpayid/notice", (c) => {
    notify(c.req.param("mihpayid"));
    return c.redirect("/", 303);
  });

  app.post("/attempts/:mihpayid/captured", (c) => {
    settleLate(c.req.param("mihpayid"), "captured");
    return c.redirect("/", 303);
  });

  app.post("/attempts/:mihpayid/dropped", (c) => {
    settleLate(c.req.param("mihpayid"), "dropped");
    return c.redirect("/", 303);
  });

  app.post("/attempts/:mihpayid/verify", async (c) => {
    const attempt = ledger.attempt(c.req.param("mihpayid"));
    const { verify } = await readFields(c.req);
    if (attempt && isVerifyMode(verify)) ledger.setVerifyMode(attempt.txnid, verify);
    return c.redirect("/", 303);
  });

  function settleLate(mihpayid: string, outcome: "captured" | "dropped"): void {
    const open: Unmapped[] = ["initiated", "pending"];
    const from = outcome === "captured" ? [...open, ...failures] : open;
    if (ledger.move(mihpayid, from, outcome)) notify(mihpayid);
  }

  function notify(mihpayid: string): void {
    const attempt = ledger.attempt(mihpayid);
    if (!attempt) return;
    notifier.sendLater(mihpayid, noticeBody(settings, attempt), 0);
  }

  return app;
}

const failures: Unmapped[] = ["failed", "userCancelled", "dropped"];
