import { html } from "hono/html";
import type { Attempt, Fields, Ledger, Refund, RefundMode, Unmapped } from "./ledger.server.ts";
import { indianTime } from "./messages.server.ts";
import { choice, factList, page, type Html } from "./page.ts";

/** What PayU itself charges when it is told to: a flat number of rupees. */
export const standInCharges = "10.00";

/** Where a payer would choose a bank or a card, and here chooses what becomes of the payment. */
export function paymentPage(attempt: Attempt, verifyMode: string): Html {
  const { request } = attempt;
  const amount = `₹${Number(request.amount).toFixed(2)}`;
  return page(
    "Choose what becomes of this payment",
    html`<p class="amount">${amount}</p>
      ${factList([
        ["Merchant", `${request.key} (${new URL(request.surl!).host})`],
        ["Transaction", request.txnid!],
        ["For", request.productinfo!],
        ["Payer", `${request.firstname}, ${request.email}`],
      ])}
      <form method="post">
        <fieldset>
          <legend>How it goes</legend>
          ${choice("notice", "Notice to the merchant's server", [
            ["normally", "Sent soon after the return"],
            ["before", "Sent before the return"],
            ["late", "Sent ten seconds late"],
            ["twice", "Sent twice"],
            ["never", "Never sent"],
          ])}
          ${choice("browser", "Return of the browser", [
            ["once", "Once"],
            ["twice", "Twice"],
            ["never", "Never: the browser is closed"],
          ])}
          ${choice("verify", "Answer to verify_payment", verifyChoices, verifyMode)}
          <label>
            <input type="checkbox" name="charges" value="yes" />
            With additional charges of ₹${standInCharges}
          </label>
        </fieldset>
        <fieldset>
          <legend>What happens</legend>
          <div class="stack">
            <button class="go" name="result" value="captured">
              <strong>Pay ${amount}</strong> <small>Success: status success, captured</small>
            </button>
            <button name="result" value="failed">
              <strong>Decline card</strong> <small>The bank refuses: status failure, failed</small>
            </button>
            <button name="result" value="userCancelled">
              <strong>Cancel</strong>
              <small>The payer gives up: status failure, userCancelled</small>
            </button>
            <button name="result" value="pending">
              <strong>Pending</strong> <small>The bank does not know yet: status pending</small>
            </button>
          </div>
        </fieldset>
      </form>`,
  );
}

/** Posts the return by itself; the button is for browsers without JavaScript. */
export function returnPage(address: string, fields: Fields): Html {
  return page(
    "Going back to the merchant",
    html`<p>If nothing happens, press the button.</p>
      ${returnForm(address, fields, html`<button class="go">${wayBack}</button>`)}
      <script>
        document.forms[0].submit();
      </script>`,
  );
}

/** Lets the same return be posted twice, as when a payer reloads the page that follows it. */
export function returnTwicePage(address: string, fields: Fields): Html {
  return page(
    "Go back to the merchant twice",
    html`<p>
        Both buttons post the same return. The first opens another tab, so that this one stays.
      </p>
      <div class="stack">
        ${returnForm(
          address,
          fields,
          html`<button class="go" formtarget="_blank">
            <strong>Return</strong> <small>In a new tab</small>
          </button>`,
        )}
        ${returnForm(
          address,
          fields,
          html`<button><strong>Return again</strong> <small>In this tab</small></button>`,
        )}
      </div>`,
  );
}

/** The end for a payer who never comes back. */
export function closedPage(attempt: Attempt): Html {
  return page(
    "The browser was closed",
    html`<p class="lead">The payer does not come back from here.</p>
      ${stateOf(attempt)}
      <p>You can close this tab. Only a notice or verify_payment can tell the merchant now.</p>`,
  );
}

/** For a payment page that is opened again after the payment is over. */
export function concludedPage(attempt: Attempt): Html {
  return page(
    "This attempt is over",
    html`${stateOf(attempt)}
      <form method="post">
        <button class="go" name="browser" value="once">
          ${wayBack} <small>The same return once more</small>
        </button>
      </form>`,
  );
}

const wayBack = html`<strong>Go back to the merchant</strong>`;

/** The return as a form of its own, which `button` posts. */
function returnForm(address: string, fields: Fields, button: Html): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="${address}" accept-charset="utf-8">
    ${hidden} ${button}
  </form>`;
}

function stateOf({ txnid, unmapped }: Attempt): Html {
  return factList([
    ["Transaction", txnid],
    ["State", stateNames[unmapped]],
  ]);
}

/** Why PayU would not go on. */
export function refusalPage(reason: string): Html {
  return page(
    "This payment cannot be made",
    html`<p class="lead">${reason}</p>
      <p>PayU would stop here and would not call the merchant back. Nothing was charged.</p>`,
  );
}

/** Every attempt that was made, the latest first, with what can still happen to it. */
export function listPage(ledger: Ledger): Html {
  const attempts = ledger.latestAttempts();
  const cards = attempts.map((attempt) => attemptCard(ledger, attempt));
  const empty = html`<p class="lead">Nobody has come to pay yet.</p>
    <p>Begin a payment in the product: it leads here.</p>`;
  return page("Transactions", html`${cards.length > 0 ? cards : empty}`);
}

function attemptCard(ledger: Ledger, attempt: Attempt): Html {
  const { mihpayid, txnid, request, unmapped } = attempt;
  const notices = ledger.noticeAnswers(mihpayid);
  const open = unmapped === "initiated" || unmapped === "pending";
  return html`<article aria-labelledby="attempt-${mihpayid}">
    <div class="head">
      <h2 id="attempt-${mihpayid}">${txnid}</h2>
      <strong>${stateNames[unmapped]} · ₹${Number(request.amount).toFixed(2)}</strong>
    </div>
    ${factList([
      ["For", request.productinfo!],
      ["Begun", indianTime(attempt.begunAt)],
      ["PayU's id", mihpayid],
      ["Notices", notices.length > 0 ? notices.join(", ") : "none"],
      ...ledger.refundsOf(mihpayid).map(refundFact),
    ])}
    <div class="actions">
      ${unmapped === "initiated" ? "" : action(attempt, "notice", "Send the notice again")}
      ${unmapped === "captured" ? "" : action(attempt, "captured", "It succeeded after all")}
      ${open ? action(attempt, "dropped", "The payer dropped it") : ""}
      <form method="post" action="/attempts/${mihpayid}/verify">
        ${choice("verify", "Answer to verify_payment", verifyChoices, ledger.verifyMode(txnid))}
        <button><strong>Answer so</strong></button>
      </form>
      ${unmapped === "captured" ? refundForm(ledger, attempt) : ""}
    </div>
  </article>`;
}

function refundFact({ requestId, token, amount, status }: Refund): [string, string] {
  return [`Refund ${requestId}`, `₹${Number(amount).toFixed(2)}, ${status}, token ${token}`];
}

function refundForm(ledger: Ledger, { mihpayid, txnid }: Attempt): Html {
  return html`<form method="post" action="/attempts/${mihpayid}/refunds">
    ${choice("refund", "Next refund", refundChoices, ledger.refundMode(txnid))}
    <button><strong>Refund so</strong></button>
  </form>`;
}

function action(attempt: Attempt, name: string, label: string): Html {
  return html`<form method="post" action="/attempts/${attempt.mihpayid}/${name}">
    <button><strong>${label}</strong></button>
  </form>`;
}

/** How `verify_payment` may be told to answer, in words. */
const verifyChoices: [value: string, text: string][] = [
  ["normal", "Truly"],
  ["unreachable", "Not at all"],
  ["disagree", "With the opposite outcome"],
  ["wrong amount", "With one rupee more"],
];

/** How a refund may be told to end, in words. */
const refundChoices: [value: RefundMode, text: string][] = [
  ["normal", "Queued, then settled"],
  ["failure", "Queued, then failed"],
  ["refused", "Refused at once"],
  ["lost answer", "Taken up, the answer is lost"],
  ["lost call", "The call never arrives"],
];

/** The inner states in words for a person. */
const stateNames: Record<Unmapped, string> = {
  initiated: "Begun",
  pending: "Pending",
  captured: "Paid",
  failed: "Declined",
  userCancelled: "Cancelled",
  dropped: "Dropped",
};
