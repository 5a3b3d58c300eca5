import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { useCallback, useEffect, useState } from "react";
import { useFetcher } from "react-router";
import { Button } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";

/** The request for a browser's passkeys, as a loader returns it. */
type Request = Omit<PublicKeyCredentialRequestOptionsJSON, "extensions">;

type Answer = { errors?: Record<string, string> };

/**
 * Asks for a passkey and sends what it signed. Where a field of the page has `webauthn` in its
 * `autoComplete`, browsers offer passkeys there as well, if `autofill` says so.
 *
 * @param action where it is sent to; with `intent` and `next` as fields
 */
export function PasskeyButton({
  options,
  action,
  intent = "",
  next,
  autofill = false,
  children,
}: {
  options: Request;
  action: string;
  intent?: string;
  next: string | null;
  autofill?: boolean;
  children: string;
}) {
  const fetcher = useFetcher<Answer>();
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { submit } = fetcher;
  const send = useCallback(
    (response: unknown) =>
      submit(
        { intent, response: JSON.stringify(response), ...(next && { next }) },
        { method: "post", action },
      ),
    [submit, intent, next, action],
  );
  usePasskeyAutofill(autofill, options, send);

  const ask = async () => {
    setProblem(null);
    setAsking(true);
    try {
      const { startAuthentication } = await import("@simplewebauthn/browser");
      await send(await startAuthentication({ optionsJSON: options }));
    } catch (error) {
      setProblem(formatPasskeyProblem(error));
    }
    setAsking(false);
  };
  const isBusy = isAsking || fetcher.state !== "idle";
  return (
    <div className="stack noscript:hidden">
      <FormAlert>
        {problem ?? fetcher.data?.errors?.[""] ?? fetcher.data?.errors?.response}
      </FormAlert>
      <Button
        variant="secondary"
        disabled={isBusy}
        aria-busy={isBusy || undefined}
        onClick={() => void ask()}
      >
        {children}
      </Button>
    </div>
  );
}

/** Has the browser offer passkeys in a field, where it can. */
function usePasskeyAutofill(
  isWanted: boolean,
  options: Request,
  send: (response: unknown) => unknown,
): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    let stop = () => {};
    let isOver = false;
    const offer = async () => {
      // Asked before the library is loaded, which most browsers without passkeys never need.
      if (!(await window.PublicKeyCredential?.isConditionalMediationAvailable?.())) return;
      const { startAuthentication, WebAuthnAbortService } = await import("@simplewebauthn/browser");
      if (isOver) return;
      stop = () => WebAuthnAbortService.cancelCeremony();
      const response = await startAuthentication({
        optionsJSON: options,
        useBrowserAutofill: true,
      });
      if (!isOver) await send(response);
    };
    // The person did not ask for it, so its end needs no message.
    offer().catch(() => {});
    return () => {
      isOver = true;
      stop();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once for each page
  }, [isWanted]);
}

/** Formats the message for a browser that could not use or create a passkey. */
export function formatPasskeyProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return "This device already has a passkey for your account.";
  if (typeof window.PublicKeyCredential !== "function")
    return "This browser doesn't support passkeys.";
  return "No passkey was used. Try again or choose another way.";
}
