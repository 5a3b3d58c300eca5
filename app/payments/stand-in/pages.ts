import { html, raw } from "hono/html";
import { buildPageStyles } from "../../ui/brand/page-styles.server.ts";
import displayFont from "../../ui/fonts/anek-latin.woff2?inline";
import textFont from "../../ui/fonts/instrument-sans.woff2?inline";
import type { Attempt, Fields, Ledger, Refund, RefundMode, Unmapped } from "./ledger.server.ts";
import { formatIndianTime } from "./messages.server.ts";

type Html = ReturnType<typeof html>;

/** PayU's own charge in rupees, if it is switched on. */
export const standInCharges = "10.00";

/** Renders the page where the payer chooses the result of the payment instead of a bank or card. */
export function renderPaymentPage(attempt: Attempt, verifyMode: string): Html {
  const { request } = attempt;
  const amount = `₹${Number(request.amount).toFixed(2)}`;
  return renderStandInPage(
    "Choose the result of this payment",
    html`<p class="amount">${amount}</p>
      ${renderFactList([
        ["Merchant", `${request.key} (${new URL(request.surl!).host})`],
        ["Transaction", request.txnid!],
        ["For", request.productinfo!],
        ["Payer", `${request.firstname}, ${request.email}`],
      ])}
      <form method="post">
        <fieldset>
          <legend>Options</legend>
          ${renderChoice("notice", "Notice to the merchant's server", [
            ["normally", "Sent soon after the return"],
            ["before", "Sent before the return"],
            ["late", "Sent ten seconds late"],
            ["twice", "Sent twice"],
            ["never", "Never sent"],
          ])}
          ${renderChoice("browser", "Return of the browser", [
            ["once", "Once"],
            ["twice", "Twice"],
            ["never", "Never (the browser is closed)"],
          ])}
          ${renderChoice("verify", "Answer to verify_payment", verifyChoices, verifyMode)}
          <label>
            <input type="checkbox" name="charges" value="yes" />
            Add charges of ₹${standInCharges}
          </label>
        </fieldset>
        <fieldset>
          <legend>Result</legend>
          <div class="stack">
            <button class="go" name="result" value="captured">
              <strong>Pay ${amount}</strong> <small>Success (status success, captured)</small>
            </button>
            <button name="result" value="failed">
              <strong>Decline card</strong>
              <small>The bank declines it (status failure, failed)</small>
            </button>
            <button name="result" value="userCancelled">
              <strong>Cancel</strong>
              <small>The payer cancels (status failure, userCancelled)</small>
            </button>
            <button name="result" value="pending">
              <strong>Pending</strong> <small>The bank has no result yet (status pending)</small>
            </button>
          </div>
        </fieldset>
      </form>`,
  );
}

/** Renders a page that posts the return automatically; the button is for browsers without JavaScript. */
export function renderReturnPage(address: string, fields: Fields): Html {
  return renderStandInPage(
    "Returning to the merchant",
    html`<p>If nothing happens, press the button.</p>
      ${renderReturnForm(address, fields, html`<button class="go">${returnLabel}</button>`)}
      <script>
        document.forms[0].submit();
      </script>`,
  );
}

/** Renders a page that can post the same return twice, as when a payer reloads the next page. */
export function renderReturnTwicePage(address: string, fields: Fields): Html {
  return renderStandInPage(
    "Return to the merchant twice",
    html`<p>
        Both buttons post the same return. The first opens a new tab, so this page stays open.
      </p>
      <div class="stack">
        ${renderReturnForm(
          address,
          fields,
          html`<button class="go" formtarget="_blank">
            <strong>Return</strong> <small>In a new tab</small>
          </button>`,
        )}
        ${renderReturnForm(
          address,
          fields,
          html`<button><strong>Return again</strong> <small>In this tab</small></button>`,
        )}
      </div>`,
  );
}

/** Renders the last page for a payer who never returns. */
export function renderClosedPage(attempt: Attempt): Html {
  return renderStandInPage(
    "The browser was closed",
    html`<p class="lead">The payer doesn't return to the merchant.</p>
      ${renderAttemptState(attempt)}
      <p>
        You can close this tab. Only a notice or verify_payment can tell the merchant the result.
      </p>`,
  );
}

/** Renders the payment page of an attempt that already has a result. */
export function renderConcludedPage(attempt: Attempt): Html {
  return renderStandInPage(
    "This payment attempt has ended",
    html`${renderAttemptState(attempt)}
      <form method="post">
        <button class="go" name="browser" value="once">
          ${returnLabel} <small>Post the same return again</small>
        </button>
      </form>`,
  );
}

const returnLabel = html`<strong>Return to the merchant</strong>`;

/** Renders the return as a separate form that `button` posts. */
function renderReturnForm(address: string, fields: Fields, button: Html): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="${address}" accept-charset="utf-8">
    ${hidden} ${button}
  </form>`;
}

function renderAttemptState({ txnid, unmapped }: Attempt): Html {
  return renderFactList([
    ["Transaction", txnid],
    ["State", stateNames[unmapped]],
  ]);
}

/** Renders the reason why PayU would stop the payment. */
export function renderRefusalPage(reason: string): Html {
  return renderStandInPage(
    "PayU would reject this payment",
    html`<p class="lead">${reason}</p>
      <p>PayU would stop here without calling the merchant. Nothing was charged.</p>`,
  );
}

/** Renders all attempts, latest first, with the actions that are still possible. */
export function renderListPage(ledger: Ledger): Html {
  const attempts = ledger.latestAttempts();
  const cards = attempts.map((attempt) => renderAttemptCard(ledger, attempt));
  const empty = html`<p class="lead">No payments yet.</p>
    <p>Start a payment in Naksha to see it here.</p>`;
  return renderStandInPage("Transactions", html`${cards.length > 0 ? cards : empty}`);
}

function renderAttemptCard(ledger: Ledger, attempt: Attempt): Html {
  const { mihpayid, txnid, request, unmapped } = attempt;
  const notices = ledger.noticeAnswers(mihpayid);
  const open = unmapped === "initiated" || unmapped === "pending";
  return html`<article aria-labelledby="attempt-${mihpayid}">
    <div class="head">
      <h2 id="attempt-${mihpayid}">${txnid}</h2>
      <strong>${stateNames[unmapped]} · ₹${Number(request.amount).toFixed(2)}</strong>
    </div>
    ${renderFactList([
      ["For", request.productinfo!],
      ["Started", formatIndianTime(attempt.startedAt)],
      ["PayU ID", mihpayid],
      ["Notices", notices.length > 0 ? notices.join(", ") : "none"],
      ...ledger.refundsOf(mihpayid).map(refundFact),
    ])}
    <div class="actions">
      ${unmapped === "initiated" ? "" : action(attempt, "notice", "Send the notice again")}
      ${unmapped === "captured" ? "" : action(attempt, "captured", "Mark as paid")}
      ${open ? action(attempt, "dropped", "Mark as dropped") : ""}
      <form method="post" action="/attempts/${mihpayid}/verify">
        ${renderChoice("verify", "Answer to verify_payment", verifyChoices, ledger.verifyMode(txnid))}
        <button><strong>Set answer</strong></button>
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
    ${renderChoice("refund", "Next refund", refundChoices, ledger.refundMode(txnid))}
    <button><strong>Set refund result</strong></button>
  </form>`;
}

function action(attempt: Attempt, name: string, label: string): Html {
  return html`<form method="post" action="/attempts/${attempt.mihpayid}/${name}">
    <button><strong>${label}</strong></button>
  </form>`;
}

/** Labels for the modes of `verify_payment`. */
const verifyChoices: [value: string, text: string][] = [
  ["normal", "The actual status"],
  ["unreachable", "No answer"],
  ["disagree", "The opposite status"],
  ["wrong amount", "One rupee too much"],
];

/** Labels for the results of a refund. */
const refundChoices: [value: RefundMode, text: string][] = [
  ["normal", "Queued, then settled"],
  ["failure", "Queued, then failed"],
  ["refused", "Refused immediately"],
  ["lost answer", "Accepted, but the answer is lost"],
  ["lost call", "The request never arrives"],
];

/** Labels for PayU's `unmappedstatus`. */
const stateNames: Record<Unmapped, string> = {
  initiated: "Started",
  pending: "Pending",
  captured: "Paid",
  failed: "Declined",
  userCancelled: "Cancelled",
  dropped: "Dropped",
};

/** Renders a complete page. Every page says that no money moves. */
function renderStandInPage(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Test payment page</title>
        <link rel="icon" href="data:," />
        <style>
          ${raw(styles)}
        </style>
      </head>
      <body>
        <header><strong>Test payment page</strong> <span>No money moves here.</span></header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
}

/** Renders facts as labels and values, one per line. */
function renderFactList(facts: [label: string, value: Html | string][]): Html {
  const rows = facts.map(
    ([label, value]) =>
      html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`,
  );
  return html`<dl>${rows}</dl>`;
}

/** Renders a labelled select. The first option is selected unless `chosen` names another. */
function renderChoice(
  name: string,
  label: string,
  options: [value: string, text: string][],
  chosen?: string,
): Html {
  const items = options.map(
    ([value, text]) =>
      html`<option value="${value}" ${value === chosen ? "selected" : ""}>${text}</option>`,
  );
  return html`<label>
    ${label}
    <select name="${name}">
      ${items}
    </select>
  </label>`;
}

/** The page has the fonts in itself, because it is on another site, where the product's files don't load. */
const fonts = new Map([
  ["anek-latin.woff2", displayFont],
  ["instrument-sans.woff2", textFont],
]);

const styles = `
${buildPageStyles(fonts)}
header {
  display: flex; flex-wrap: wrap; justify-content: center; gap: 0 0.6rem; margin-top: 8px; padding: 0.7rem 1rem;
  background: var(--color-marigold); color: var(--color-on-marigold); font-size: var(--text-sm); text-align: center;
}
main {
  width: min(36rem, 100% - 1.5rem); margin: 1.5rem auto 3rem; padding: clamp(1.1rem, 5vw, 2.25rem);
  background: var(--color-sheet); border: 1px solid var(--color-line);
}
main:has(article) { width: min(60rem, 100% - 1.5rem); }
h1 { margin-bottom: 1rem; font-size: var(--text-xl); line-height: var(--text-xl--line-height); }
h2 { font-size: var(--text-base); }
p { margin-bottom: 1rem; }
:is(p, fieldset):last-child { margin-bottom: 0; }
.lead { font-size: var(--text-lg); }
.amount { margin-bottom: 1rem; font: 600 clamp(2.25rem, 12vw, 3.25rem)/1.05 var(--font-display); letter-spacing: -0.02em; }
dl { margin: 0 0 1.5rem; border-top: 1px solid var(--color-line); }
dl > div { display: grid; grid-template-columns: 8.5rem 1fr; gap: 0 0.75rem; padding: 0.45rem 0; border-bottom: 1px solid var(--color-line); font-size: var(--text-sm); line-height: var(--text-sm--line-height); }
dt { color: var(--color-ink-faint); }
dd { margin: 0; font-variant-numeric: tabular-nums; }
@media (width < 26rem) { dl > div { grid-template-columns: 1fr; } }
fieldset { display: grid; gap: 0.9rem; margin: 0 0 1.75rem; padding: 0; border: 0; }
legend { margin-bottom: 0.6rem; padding: 0; font-weight: 600; font-size: var(--text-lg); }
label { display: grid; gap: 0.3rem; font-size: var(--text-sm); font-weight: 500; }
label:has([type=checkbox]) { display: flex; gap: 0.6rem; align-items: center; min-height: 2.75rem; }
[type=checkbox] { flex: none; width: 1.35rem; height: 1.35rem; accent-color: var(--color-fill); }
select, button {
  width: 100%; min-height: 2.9rem; padding: 0.5rem 0.8rem; font-weight: 400;
  background: var(--color-sheet); border: 1px solid var(--color-line-strong); border-radius: var(--radius-sm);
}
select { background: var(--color-paper); }
button { line-height: 1.4; text-align: left; }
button small { display: block; color: var(--color-ink-soft); font-size: var(--text-xs); }
button:hover { background: var(--color-paper); border-color: var(--color-ink); }
.go { background: var(--color-fill); border-color: var(--color-fill); color: var(--color-on-fill); }
.go:hover { background: var(--color-fill-hover); }
.go small { color: inherit; }
.stack { display: grid; gap: 0.6rem; }
article { margin-top: 1.75rem; padding-top: 1rem; border-top: 2px solid var(--color-ink); }
article > .head { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; justify-content: space-between; margin-bottom: 0.75rem; }
.actions { display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); align-items: end; }
.actions form { display: grid; gap: 0.4rem; }
`;
