import { type RefObject, useEffect, useRef, useState } from "react";
import { formatRupees } from "./money.ts";
import { Button } from "../ui/form/button.tsx";
import { useRenderedByServer } from "../ui/hydrated.ts";
import { Spinner } from "../ui/feedback/spinner.tsx";
import { showToast } from "../ui/feedback/toasts.tsx";

/**
 * Takes the buyer to the payment provider by posting the form once. After the browser's Back, the buyer decides
 * with the button, which also works without JavaScript.
 */
export function CheckoutRedirect({
  checkoutUrl,
  fields,
}: {
  checkoutUrl: string;
  fields: Record<string, string>;
}) {
  const form = useRef<HTMLFormElement>(null);
  const cameBack = usePostOnce(form, fields.txnid ?? "");
  const amount = formatRupees(Number(fields.amount) * 100);
  return (
    <form ref={form} method="post" action={checkoutUrl} acceptCharset="utf-8">
      {cameBack ? (
        <p>Your payment is not finished.</p>
      ) : (
        <div className="noscript:hidden">
          <Spinner label="Taking you to PayU..." />
        </div>
      )}
      <p className="mt-4">
        You pay {amount} on the page of PayU, our payment provider, and come back here afterwards.
        Please do not close the page before you are back.
      </p>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p className="mt-6">
        <Button type="submit" variant={cameBack ? "primary" : "secondary"}>
          Continue to payment
        </Button>
      </p>
    </form>
  );
}

/**
 * A fresh answer of the server posts. A page that the browser has loaded again, as after Back or a
 * reload, does not: it would send the buyer away from the page that they came back to.
 *
 * @returns true when the buyer was sent to the provider before, and came back without paying
 */
function usePostOnce(form: RefObject<HTMLFormElement | null>, txnId: string): boolean {
  const renderedByServer = useRenderedByServer();
  const [cameBack, setCameBack] = useState(false);
  const handled = useRef(false);

  useEffect(() => {
    if (handled.current) return;
    handled.current = true;
    if (renderedByServer && hasSentCheckout(txnId)) {
      // oxlint-disable-next-line react/set-state-in-effect -- the server cannot see what this browser stored
      setCameBack(true);
      return;
    }
    recordSentCheckout(txnId);
    showToast({ kind: "info", title: "Redirecting to payment gateway" });
    form.current?.submit();
  }, [form, txnId, renderedByServer]);

  useEffect(() => {
    // The browser can bring the page back alive, as it was when the form was posted.
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) setCameBack(true);
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);
  return cameBack;
}

const getCheckoutStorageKey = (txnId: string) => `checkout-${txnId}`;

function hasSentCheckout(txnId: string): boolean {
  try {
    return window.sessionStorage.getItem(getCheckoutStorageKey(txnId)) !== null;
  } catch {
    return false;
  }
}

function recordSentCheckout(txnId: string): void {
  try {
    window.sessionStorage.setItem(getCheckoutStorageKey(txnId), "sent");
  } catch {
    // A browser that keeps nothing posts once more after a reload, which the buyer asked for.
  }
}
