import { Hono } from "hono";
import type { PayuSettings } from "../../platform/config.server.ts";
import type { Log } from "../../platform/log.server.ts";
import {
  type Attempt,
  endings,
  type Fields,
  isRefundMode,
  isUnmapped,
  isVerifyMode,
  type Ledger,
  type Unmapped,
  type VerifyMode,
} from "./ledger.server.ts";
import {
  getBankReference,
  buildCallbackFields,
  formatIndianTime,
  buildNoticeBody,
  readFields,
  formatPayuAmount,
  signCommand,
  signRequest,
  getDebitedTotal,
} from "./messages.server.ts";
import {
  renderClosedPage,
  renderConcludedPage,
  renderListPage,
  renderPaymentPage,
  renderRefusalPage,
  renderReturnPage,
  renderReturnTwicePage,
  standInCharges,
} from "./pages.ts";
import {
  listPaymentActions,
  type Answer,
  createCommandFailure,
  acceptRefund,
} from "./refunds.server.ts";

/**
 * In milliseconds. A notice is sent once, and retried after each of `retries` until it is delivered. A refund is
 * queued for `refund`.
 */
export type Pauses = { soon: number; late: number; retries: number[]; refund: number };

/** The parts that both hosts of the stand-in need. */
type StandIn = {
  settings: PayuSettings;
  ledger: Ledger;
  /** Sends notices to the merchant's server. */
  notifier: {
    sendLater(mihpayid: string, body: string, pause: number): void;
    /** Resolves when the first try is answered. Retries follow in the background. */
    sendNow(mihpayid: string, body: string): Promise<void>;
  };
  pauses: Pauses;
  bankOrigin: string;
  log: Pick<Log, "info" | "warn">;
};

/** The first host accepts payment forms and commands, and lists all transactions. */
export function createCheckoutApp(standIn: StandIn): Hono {
  const { settings, ledger, notifier, bankOrigin, log } = standIn;
  const app = new Hono();

  app.post("/_payment", async (c) => {
    const fields = await readFields(c.req);
    const refusal = findCheckoutProblem(settings, ledger, fields);
    if (refusal) {
      log.warn({ txnid: fields.txnid, refusal }, "PayU stand-in: payment refused");
      return c.html(renderRefusalPage(refusal), 400);
    }
    const { mihpayid } = ledger.addAttempt(fields);
    return c.redirect(`${bankOrigin}/pay/${mihpayid}`, 303);
  });

  app.post("/merchant/postservice.php", async (c) => {
    const answer = respondToCommand(standIn, await readFields(c.req));
    if (answer === "unreachable") return c.html("<h1>503 Service Unavailable</h1>", 503);
    return c.json(answer);
  });

  app.post("/control", async (c) => {
    const control: unknown = await c.req.json().catch(() => null);
    const { verify, refund, txnid = "" } = (control ?? {}) as Record<string, unknown>;
    const isValid = isVerifyMode(verify) || isRefundMode(refund);
    if (!isValid || typeof txnid !== "string") return c.text("Invalid request.", 400);
    if (isVerifyMode(verify)) ledger.setVerifyMode(txnid, verify);
    if (isRefundMode(refund)) ledger.setRefundMode(txnid, refund);
    return c.body(null, 204);
  });

  app.get("/", (c) => c.html(renderListPage(ledger)));

  app.post("/attempts/:mihpayid/notice", (c) => {
    notify(c.req.param("mihpayid"));
    return c.redirect("/", 303);
  });

  app.post("/attempts/:mihpayid/:outcome{captured|dropped}", (c) => {
    const { mihpayid, outcome } = c.req.param() as { mihpayid: string; outcome: LateOutcome };
    if (ledger.move(mihpayid, settledLateFrom[outcome], outcome)) notify(mihpayid);
    return c.redirect("/", 303);
  });

  app.post("/attempts/:mihpayid/verify", async (c) => {
    const attempt = ledger.attempt(c.req.param("mihpayid"));
    const { verify } = await readFields(c.req);
    if (attempt && isVerifyMode(verify)) ledger.setVerifyMode(attempt.txnid, verify);
    return c.redirect("/", 303);
  });

  app.post("/attempts/:mihpayid/refunds", async (c) => {
    const attempt = ledger.attempt(c.req.param("mihpayid"));
    const { refund } = await readFields(c.req);
    if (attempt && isRefundMode(refund)) ledger.setRefundMode(attempt.txnid, refund);
    return c.redirect("/", 303);
  });

  function notify(mihpayid: string): void {
    const attempt = ledger.attempt(mihpayid);
    if (!attempt) return;
    notifier.sendLater(mihpayid, buildNoticeBody(settings, attempt), 0);
  }

  return app;
}

type LateOutcome = "captured" | "dropped";

/** A failed payment can still succeed later, but only an open one can be dropped. */
const settledLateFrom: Record<LateOutcome, Unmapped[]> = {
  captured: ["initiated", "pending", "failed", "userCancelled", "dropped"],
  dropped: ["initiated", "pending"],
};

const mandatory = ["key", "txnid", "amount", "productinfo", "firstname", "email", "phone"];
const addresses = ["surl", "furl"];
const ownFields = ["udf1", "udf2", "udf3", "udf4", "udf5"];
const maxLengths: Record<string, number> = {
  txnid: 25,
  productinfo: 100,
  firstname: 60,
  email: 50,
  ...Object.fromEntries(ownFields.map((name) => [name, 255])),
};

/** Returns the reason why PayU would reject this payment; null if it would accept it. */
function findCheckoutProblem(settings: PayuSettings, ledger: Ledger, fields: Fields) {
  const missing = [...mandatory, ...addresses, "hash"].filter((name) => !fields[name]);
  if (missing.length > 0) return `Mandatory parameters are missing: ${missing.join(", ")}.`;
  if (fields.key !== settings.key) return "No merchant has this key.";
  if (fields.hash !== signRequest(fields, settings.salt)) {
    return "Checksum failed: the hash does not match the fields.";
  }

  const long = Object.keys(maxLengths).find(
    (name) => (fields[name] ?? "").length > maxLengths[name]!,
  );
  if (long) return `${long} has more than ${maxLengths[long]} characters.`;
  const broken = [...mandatory, ...ownFields].find((name) => /[|+&%]/.test(fields[name] ?? ""));
  if (broken) return `${broken} contains a character that PayU rejects.`;
  if (!/^\d{1,8}(\.\d{1,2})?$/.test(fields.amount!) || Number(fields.amount) < 1) {
    return "The amount must be a number of rupees, 1 or more.";
  }
  const address = addresses.find(
    (name) => !/^https?:/.test(fields[name]!) || !URL.canParse(fields[name]!),
  );
  if (address) return `${address} is not a web address.`;

  if (ledger.findTransaction(fields.txnid!)?.unmapped === "captured") {
    return "Duplicate order id: a payment with this txnid was already successful.";
  }
  return null;
}

/** Returns the merchant service's answer to a command, or "unreachable" if it is set to give none. */
function respondToCommand(standIn: StandIn, fields: Fields): Answer | "unreachable" {
  const { settings, ledger, pauses } = standIn;
  if (fields.key !== settings.key) return createCommandFailure("Invalid key.");
  if (fields.hash !== signCommand(fields, settings.salt))
    return createCommandFailure("Invalid Hash.");
  switch (fields.command) {
    case "verify_payment":
      return verifyPayments(ledger, (fields.var1 ?? "").split("|"));
    case "cancel_refund_transaction":
      return acceptRefund(ledger, fields, pauses.refund);
    case "check_action_status":
      return listPaymentActions(ledger, fields);
    default:
      return createCommandFailure("Invalid command.");
  }
}

function verifyPayments(ledger: Ledger, txnids: string[]): Answer | "unreachable" {
  const modes = txnids.map((txnid) => ledger.verifyMode(txnid));
  if (modes.includes("unreachable")) return "unreachable";

  const attempts = txnids.map((txnid) => ledger.findTransaction(txnid));
  const count = attempts.filter(Boolean).length;
  const missing = { mihpayid: "Not Found", status: "Not Found" };
  const details = attempts.map((attempt, index) => [
    txnids[index],
    attempt ? buildTransactionDetails(attempt, modes[index]!) : missing,
  ]);
  return {
    status: count > 0 ? 1 : 0,
    msg: `${count} out of ${txnids.length} Transactions Fetched Successfully`,
    transaction_details: Object.fromEntries(details),
  };
}

function buildTransactionDetails(actual: Attempt, mode: VerifyMode): Answer {
  const attempt = mode === "disagree" ? { ...actual, unmapped: getOppositeStatus(actual) } : actual;
  const { request, charges } = attempt;
  const { status, error, message } = endings[attempt.unmapped];
  const amount = Number(request.amount) + (mode === "wrong amount" ? 1 : 0);
  const paid = status === "success";
  return {
    mihpayid: attempt.mihpayid,
    request_id: "",
    bank_ref_num: getBankReference(attempt),
    amt: formatPayuAmount(paid ? amount + Number(charges) : 0),
    transaction_amount: formatPayuAmount(amount),
    txnid: attempt.txnid,
    additional_charges: formatPayuAmount(charges),
    productinfo: request.productinfo ?? "",
    firstname: request.firstname ?? "",
    bankcode: "CC",
    udf1: request.udf1 ?? "",
    udf2: request.udf2 ?? "",
    udf3: request.udf3 ?? "",
    udf4: request.udf4 ?? "",
    udf5: request.udf5 ?? "",
    field9: message,
    error_code: error,
    addedon: formatIndianTime(attempt.startedAt),
    payment_source: "payu",
    card_type: "MAST",
    error_Message: message,
    net_amount_debit: paid ? getDebitedTotal(attempt) : "0.00",
    disc: "0.00",
    mode: "CC",
    PG_TYPE: "CC-PG",
    card_no: "512345XXXXXX2346",
    status,
    unmappedstatus: attempt.unmapped,
    Merchant_UTR: null,
    Settled_At: "0000-00-00 00:00:00",
  };
}

function getOppositeStatus(attempt: Attempt): "failed" | "captured" {
  return attempt.unmapped === "captured" ? "failed" : "captured";
}

/** The second host serves the page where the payer chooses a result, and the return to the merchant. */
export function createBankApp({ settings, ledger, notifier, pauses }: StandIn): Hono {
  const app = new Hono();

  app.get("/pay/:mihpayid", (c) => {
    const attempt = ledger.attempt(c.req.param("mihpayid"));
    if (!attempt) return c.html(renderRefusalPage("Unknown payment."), 404);
    if (attempt.unmapped !== "initiated") return c.html(renderConcludedPage(attempt));
    return c.html(renderPaymentPage(attempt, ledger.verifyMode(attempt.txnid)));
  });

  app.post("/pay/:mihpayid", async (c) => {
    const mihpayid = c.req.param("mihpayid");
    const form = await readFields(c.req);
    if (!ledger.attempt(mihpayid)) return c.html(renderRefusalPage("Unknown payment."), 404);

    const isConcluded = setResult(mihpayid, form);
    const attempt = ledger.attempt(mihpayid)!;
    if (attempt.unmapped === "initiated") {
      return c.html(renderRefusalPage("This transaction was paid in another window."), 409);
    }
    if (isConcluded) await notify(attempt, form.notice);
    return c.html(renderReturn(attempt, form.browser));
  });

  /** Returns false if the payment already has a result, as on a second press or a reload. */
  function setResult(mihpayid: string, form: Fields): boolean {
    if (!isUnmapped(form.result)) return false;
    const charges = form.charges ? standInCharges : "";
    const isConcluded = ledger.move(mihpayid, ["initiated"], form.result, charges);
    const { txnid } = ledger.attempt(mihpayid)!;
    if (isConcluded && isVerifyMode(form.verify)) ledger.setVerifyMode(txnid, form.verify);
    return isConcluded;
  }

  async function notify(attempt: Attempt, timing = "normally"): Promise<void> {
    const body = buildNoticeBody(settings, attempt);
    const { mihpayid } = attempt;
    if (timing === "before") await notifier.sendNow(mihpayid, body);
    if (timing === "normally" || timing === "twice")
      notifier.sendLater(mihpayid, body, pauses.soon);
    if (timing === "twice") notifier.sendLater(mihpayid, body, pauses.soon);
    if (timing === "late") notifier.sendLater(mihpayid, body, pauses.late);
  }

  function renderReturn(attempt: Attempt, times = "once") {
    const paid = endings[attempt.unmapped].status === "success";
    const address = (paid ? attempt.request.surl : attempt.request.furl)!;
    const fields = buildCallbackFields(settings, attempt, "return");
    if (times === "never") return renderClosedPage(attempt);
    if (times === "twice") return renderReturnTwicePage(address, fields);
    return renderReturnPage(address, fields);
  }

  return app;
}
