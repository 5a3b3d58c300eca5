import { type RefObject, useEffect, useRef, useState } from "react";
import { formatRupees } from "./money.ts";
import { Button } from "../ui/form/button.tsx";
import { useRenderedByServer } from "../ui/hydrated.ts";
import { Spinner } from "../ui/feedback/spinner.tsx";
import { showToast } from "../ui/feedback/toasts.tsx";

/**
 * Posts the form once to take the buyer to the payment provider. After the browser's Back, the buyer presses the
 * button, which also works without JavaScript.
 */
export function CheckoutRedirect({
  checkoutUrl,
  fields,
}: {
  checkoutUrl: string;
  fields: Record<string, string>;
}) {
  const form = useRef<HTMLFormElement>(null);
  const hasReturned = usePostOnce(form, fields.txnid ?? "");
  const amount = formatRupees(Number(fields.amount) * 100);
  return (
    <form ref={form} method="post" action={checkoutUrl} acceptCharset="utf-8">
      {hasReturned ? (
        <p>You haven&apos;t finished paying.</p>
      ) : (
        <div className="scripts-only">
          <Spinner label="Taking you to PayU..." />
        </div>
      )}
      <p className="mt-4">
        You&apos;ll pay {amount} on the page of PayU, our payment provider, and then return here.
        Don&apos;t close this page until you&apos;re back.
      </p>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p className="mt-6">
        <Button type="submit" variant={hasReturned ? "primary" : "secondary"}>
          Continue to payment
        </Button>
      </p>
    </form>
  );
}

/**
 * Posts the form when the server has just created the payment. After Back or a reload it doesn't post, so that the
 * buyer can stay on the page.
 *
 * @returns true if the buyer was sent to the provider before and returned without paying
 */
function usePostOnce(form: RefObject<HTMLFormElement | null>, txnId: string): boolean {
  const renderedByServer = useRenderedByServer();
  const [hasReturned, setHasReturned] = useState(false);
  const handled = useRef(false);

  useEffect(() => {
    if (handled.current) return;
    handled.current = true;
    if (renderedByServer && hasSentCheckout(txnId)) {
      // oxlint-disable-next-line react/set-state-in-effect -- the server cannot see what this browser stored
      setHasReturned(true);
      return;
    }
    recordSentCheckout(txnId);
    showToast({ kind: "info", title: "Redirecting to payment gateway" });
    form.current?.submit();
  }, [form, txnId, renderedByServer]);

  useEffect(() => {
    // The browser can restore the page from its cache, in the state in which the form was posted.
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) setHasReturned(true);
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);
  return hasReturned;
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
    // Without storage the form is posted again after a reload, which the buyer requested.
  }
}
