import { html } from "hono/html";
import type { Attempt } from "./attempt.ts";
import type { Ledger } from "./ledger.server.ts";
import { indianTime } from "./messages.server.ts";
import { choice, factList, page, stateNames, verifyChoices, type Html } from "./page.ts";

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
  const refunds = ledger.refundsOf(mihpayid).map((refund) => `₹${refund.amount}`);
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
      ...(refunds.length > 0 ? [["Refunds", refunds.join(", ")] as [string, string]] : []),
    ])}
    <div class="actions">
      ${unmapped === "initiated" ? "" : action(attempt, "notice", "Send the notice again")}
      ${unmapped === "captured" ? "" : action(attempt, "captured", "It succeeded after all")}
      ${open ? action(attempt, "dropped", "The payer dropped it") : ""}
      <form method="post" action="/attempts/${mihpayid}/verify">
        ${choice("verify", "Answer to verify_payment", verifyChoices, ledger.verifyMode(txnid))}
        <button><strong>Answer so</strong></button>
      </form>
    </div>
  </article>`;
}

function action(attempt: Attempt, name: string, label: string): Html {
  return html`<form method="post" action="/attempts/${attempt.mihpayid}/${name}">
    <button><strong>${label}</strong></button>
  </form>`;
}
