import { html } from "hono/html";
import type { Attempt } from "./attempt.ts";
import { choice, factList, page, verifyChoices, type Html } from "./page.ts";

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
