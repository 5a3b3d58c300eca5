import { html, raw } from "hono/html";
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
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · Test payment page</title>
        <link rel="icon" href="data:," />
        <style>
          ${raw(style)}
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

const style = `
  :root {
    color-scheme: light dark;
    --paper: light-dark(#f2f5ee, #10171a);
    --slip: light-dark(#fffffb, #182226);
    --ink: light-dark(#16241f, #e6efe9);
    --quiet: light-dark(#4d5f57, #a3b5ac);
    --line: light-dark(#c3cec4, #37474a);
    --edge: light-dark(#6b7d74, #7b8f88);
    --go: light-dark(#0b6b4b, #7fdcb4);
    --on-go: light-dark(#ffffff, #06261a);
    --warn: light-dark(#f6d36b, #f0c64f);
    --on-warn: #2a2000;
  }
  * { box-sizing: border-box; }
  body {
    margin: 0; background: var(--paper); color: var(--ink);
    font: 1rem/1.5 "Avenir Next", Avenir, "Segoe UI", Roboto, "Noto Sans", sans-serif;
    background-image: repeating-linear-gradient(0deg, transparent 0 23px, color-mix(in srgb, var(--line) 35%, transparent) 23px 24px);
  }
  header {
    padding: .7rem 1rem; background: var(--warn); color: var(--on-warn); text-align: center;
    border-bottom: 6px solid transparent;
    border-image: repeating-linear-gradient(-45deg, var(--on-warn) 0 8px, var(--warn) 8px 16px) 6;
  }
  main {
    width: min(34rem, 100% - 1.5rem); margin: 1.5rem auto 3rem; padding: clamp(1rem, 5vw, 2.25rem);
    background: var(--slip); border: 1px solid var(--line); border-radius: 3px;
    box-shadow: 0 1px 0 var(--line), 0 18px 40px -28px #000a;
  }
  main:has(article) { width: min(60rem, 100% - 1.5rem); }
  h1 { margin: 0 0 .75rem; font-size: 1.15rem; line-height: 1.3; letter-spacing: .01em; }
  h2 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
  p { margin: 0 0 1rem; }
  .lead { font-size: 1.1rem; }
  .amount {
    margin: 0 0 .75rem; font: 600 clamp(2.5rem, 13vw, 3.6rem)/1.05 "Iowan Old Style", Charter, Georgia, "Noto Serif", serif;
    font-variant-numeric: tabular-nums lining-nums; letter-spacing: -.02em;
  }
  dl { margin: 0 0 1.25rem; border-top: 1px dashed var(--edge); border-bottom: 1px dashed var(--edge); padding: .5rem 0; }
  dl > div { display: grid; grid-template-columns: 8.5rem 1fr; gap: .15rem .75rem; padding: .2rem 0; }
  dt { color: var(--quiet); }
  dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
  @media (max-width: 26rem) { dl > div { grid-template-columns: 1fr; } }
  fieldset { border: 0; margin: 0 0 1.5rem; padding: 0; display: grid; gap: .9rem; }
  legend { padding: 0; margin-bottom: .6rem; font-weight: 600; }
  label { display: grid; gap: .25rem; }
  label:has([type=checkbox]) { display: flex; gap: .6rem; align-items: center; min-height: 2.75rem; }
  [type=checkbox] { width: 1.35rem; height: 1.35rem; accent-color: var(--go); flex: none; }
  select, button {
    width: 100%; min-height: 2.9rem; padding: .5rem .8rem; font: inherit; color: inherit;
    background: var(--slip); border: 1px solid var(--edge); border-radius: 3px;
  }
  button { cursor: pointer; text-align: left; }
  button small { display: block; color: var(--quiet); font-size: .85rem; }
  button strong { font-weight: 600; }
  button:hover { border-color: var(--go); box-shadow: inset 3px 0 0 var(--go); }
  .go { background: var(--go); color: var(--on-go); border-color: var(--go); }
  .go small { color: inherit; }
  :focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
  .stack { display: grid; gap: .6rem; }
  article { margin-top: 1.5rem; padding-top: 1rem; border-top: 2px solid var(--ink); }
  article > .head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; margin-bottom: .6rem; }
  .actions { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); align-items: end; }
  .actions form { display: grid; gap: .4rem; }
  a { color: var(--go); text-underline-offset: .2em; }
`;
