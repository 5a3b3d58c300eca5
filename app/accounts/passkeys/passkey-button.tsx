import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { useCallback, useEffect, useState } from "react";
import { useFetcher } from "react-router";
import type { OwnPath } from "../../platform/own-path.ts";
import { Button } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import * as styles from "../../ui/layout/page.module.css";

/** The request for a browser's passkeys, as a loader returns it. */
type Request = Omit<PublicKeyCredentialRequestOptionsJSON, "extensions">;

type Answer = { errors?: Record<string, string> };

/**
 * Asks for a passkey and submits its signature. With `autofill`, browsers also offer passkeys in a field whose
 * `autoComplete` has `webauthn`.
 *
 * @param action the URL to submit to, with `intent` and `next` as fields
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
  action: OwnPath;
  intent?: string;
  next: OwnPath | null;
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
    <div className={`${styles.stack} scripts-only`}>
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

/** Lets browsers that support it offer passkeys in a field. */
function usePasskeyAutofill(
  isEnabled: boolean,
  options: Request,
  send: (response: unknown) => unknown,
): void {
  useEffect(() => {
    if (!isEnabled) return undefined;
    let stop = () => {};
    let isStopped = false;
    const offer = async () => {
      // Checked before the library is loaded, which browsers without passkeys don't need.
      if (!(await window.PublicKeyCredential?.isConditionalMediationAvailable?.())) return;
      const { startAuthentication, WebAuthnAbortService } = await import("@simplewebauthn/browser");
      if (isStopped) return;
      stop = () => WebAuthnAbortService.cancelCeremony();
      const response = await startAuthentication({
        optionsJSON: options,
        useBrowserAutofill: true,
      });
      if (!isStopped) await send(response);
    };
    // The person didn't start this, so a failure needs no message.
    offer().catch(() => {});
    return () => {
      isStopped = true;
      stop();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- one passkey request per page; another would cancel it
  }, [isEnabled]);
}

/** Formats the message for a browser that could not use or create a passkey. */
export function formatPasskeyProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return "This device already has a passkey for your account.";
  if (typeof window.PublicKeyCredential !== "function")
    return "This browser doesn't support passkeys.";
  return "No passkey was used. Try again or choose another way.";
}
