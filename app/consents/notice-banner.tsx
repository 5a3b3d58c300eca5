import { useEffect, useRef } from "react";
import { type ShouldRevalidateFunctionArgs, useFetcher } from "react-router";
import type { OwnPath } from "../platform/own-path.ts";
import { SubmitButton } from "../ui/form/button.tsx";
import { Link } from "../ui/link.tsx";
import type { NoticeBannerView } from "./notice-banner.server.ts";
import * as styles from "./consents.module.css";

const consentsPath: OwnPath = "/profile/data";

/** Asks to accept a new privacy notice. The screen below works without an answer. */
export function NoticeBanner({ banner }: { banner: NoticeBannerView | null }) {
  const fetcher = useFetcher();
  useFocusOnMainAfter(banner !== null);
  if (!banner) return null;
  const { isFirst, needsTerms, date } = banner;
  return (
    <section className={styles.noticeBanner} aria-label="Privacy notice">
      <p>
        {isFirst
          ? `Please accept our privacy notice of ${date}.`
          : `Our privacy notice changed on ${date}.`}{" "}
        <Link to={isFirst ? "/privacy/notice" : "/privacy/notice#changes"}>
          {isFirst ? "Read the notice" : "Read what changed"}
        </Link>
        .
        {needsTerms && (
          <>
            {" "}
            Please accept our <Link to="/terms">terms</Link> too.
          </>
        )}
      </p>
      {/* A fetcher stays on the screen, so that typed text is not lost. */}
      <fetcher.Form method="post" action={consentsPath}>
        <SubmitButton
          intent="accept-notice"
          size="sm"
          pending={fetcher.state !== "idle"}
          pendingLabel="Saving..."
        >
          {needsTerms ? "I'm 18 or older and accept both" : "I accept"}
        </SubmitButton>
      </fetcher.Form>
    </section>
  );
}

/** Moves the focus to the screen when the banner disappears with its button. */
function useFocusOnMainAfter(isShown: boolean): void {
  const wasShown = useRef(isShown);
  useEffect(() => {
    if (wasShown.current && !isShown && document.activeElement === document.body)
      document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
    wasShown.current = isShown;
  }, [isShown]);
}

/** The `shouldRevalidate` of a layout with the banner: only the forms of the consents change it. */
export function isConsentForm({ formMethod, formAction }: ShouldRevalidateFunctionArgs): boolean {
  return formMethod === "POST" && formAction?.split("?")[0] === consentsPath;
}
