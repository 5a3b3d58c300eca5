import { html } from "hono/html";
import { stateNames, factList, page, type Html } from "./page.ts";
import type { Attempt, Fields } from "./attempt.ts";

/** Posts the return by itself; the button is for browsers without JavaScript. */
export function returnPage(address: string, fields: Fields): Html {
  return page(
    "Going back to the merchant",
    html`<p>If nothing happens, press the button.</p>
      <form id="return" method="post" action="${address}" accept-charset="utf-8">
        ${hidden(fields)}
        <button class="go"><strong>Go back to the merchant</strong></button>
      </form>
      <script>
        document.getElementById("return").submit();
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
        <form method="post" action="${address}" accept-charset="utf-8" target="_blank">
          ${hidden(fields)}
          <button class="go"><strong>Return</strong> <small>In a new tab</small></button>
        </form>
        <form method="post" action="${address}" accept-charset="utf-8">
          ${hidden(fields)}
          <button><strong>Return again</strong> <small>In this tab</small></button>
        </form>
      </div>`,
  );
}

/** The end for a payer who never comes back. */
export function closedPage(attempt: Attempt): Html {
  return page(
    "The browser was closed",
    html`<p class="lead">The payer does not come back from here.</p>
      ${factList([
        ["Transaction", attempt.txnid],
        ["State", stateNames[attempt.unmapped]],
      ])}
      <p>You can close this tab. Only a notice or verify_payment can tell the merchant now.</p>`,
  );
}

/** For a payment page that is opened again after the payment is over. */
export function concludedPage(attempt: Attempt): Html {
  return page(
    "This attempt is over",
    html`${factList([
        ["Transaction", attempt.txnid],
        ["State", stateNames[attempt.unmapped]],
      ])}
      <form method="post">
        <button class="go" name="browser" value="once">
          <strong>Go back to the merchant</strong> <small>The same return once more</small>
        </button>
      </form>`,
  );
}

function hidden(fields: Fields): Html[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}
