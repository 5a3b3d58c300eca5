import { useEffect, useRef } from "react";
import { Form, useFetcher } from "react-router";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { createFormAction } from "../../platform/forms.server.ts";
import { type OwnPath, parseOwnPath } from "../../platform/own-path.ts";
import { countAsker } from "../../platform/rate-limit.server.ts";
import { useDelayedNavigation } from "../../ui/departure.ts";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { currentActor } from "../actor.server.ts";
import { linkForm } from "../forms.server.ts";
import { linkByClient, isLinkConfirmed } from "../one-time-links.server.ts";
import { clearMailedLink, type MailedLink, useMailedLink } from "../mailed-link.ts";
import { linkMessages } from "../rules.ts";
import { readBrowser, findActor, buildSessionCookie } from "../session.server.ts";
import { buildKnownDeviceCookie } from "../sessions/known-device.server.tsx";
import type { Route } from "./+types/confirm-address.screen.ts";
import { ResendForm } from "./resend.screen.tsx";
import { confirmAddress } from "./sign-up.server.tsx";
import { isOtherUserError } from "../../ui/feedback/send-form.ts";
import * as styles from "../../ui/layout/page.module.css";

const messages = linkMessages.signup;

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPrivateMeta(matches, "Confirm your account");

/** Opening the link changes nothing, because email scanners open links too. */
export function loader({ request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const tokenHash = query.get("type") === "signup" ? query.get("token_hash") : null;
  return { link: tokenHash ? { token_hash: tokenHash } : null };
}

export const action = createFormAction({
  schema: linkForm,
  async run({ request, context, value }) {
    const tokens = [value.token_hash, value.access_token].filter(Boolean);
    if (tokens.length === 0) throw new Invalid({ "": messages.missing });
    await countAsker(context, linkByClient);
    const { db } = context.get(appContext);
    const browser = readBrowser(context, request);
    for (const token of tokens) {
      const confirmed = await confirmAddress(db, token, browser);
      if (!confirmed) continue;
      // The page itself is the answer without scripts, and its header shows the signed-in person.
      const session = await findActor(db, confirmed.session.token);
      context.set(currentActor, session?.actor ?? null);
      return confirmed;
    }
    // An email scanner that runs scripts may have confirmed it, or the person opens the link again.
    for (const token of tokens) if (await isLinkConfirmed(db, token)) return null;
    throw new Invalid({ "": messages.invalid });
  },
  done(confirmed, { request, context }): { data: Done } {
    if (!confirmed) return { data: { state: "confirmed-before" } };
    const { session, email, next } = confirmed;
    const { config } = context.get(appContext);
    const { setCookies } = context.get(requestFacts);
    setCookies.push(buildSessionCookie(config, session));
    if (email)
      setCookies.push(buildKnownDeviceCookie(config, request.headers.get("cookie"), email));
    return { data: { state: "success", next: parseOwnPath(next) ?? "/" } };
  },
  failed: ({ message }) => ({ data: buildConfirmationProblem(message) }),
  fallback: messages.unexpected,
  invalid: () => ({ data: buildConfirmationProblem(messages.invalid) }),
});

type Done = { state: "success"; next: OwnPath } | { state: "confirmed-before" };

const buildConfirmationProblem = (message: string) => ({ state: "error" as const, message });

/** The link may still be valid if no answer arrives, so people can try again. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch((error: unknown) => {
    if (!(error instanceof Error) || isOtherUserError(error)) throw error;
    return buildConfirmationProblem(messages.unexpected);
  });

/** Confirms as soon as scripts run. Without scripts there is a button. */
export default function ConfirmAddress({ loaderData, actionData }: Route.ComponentProps) {
  const fetcher = useFetcher<typeof action>();
  const result = fetcher.data ?? actionData;
  const link = useMailedLink("signup");
  useConfirmOnce(link, (mailed) => void fetcher.submit(mailed, { method: "post" }));

  if (result?.state === "success") return <Confirmed next={result.next} />;
  if (result?.state === "confirmed-before") return <AlreadyConfirmed />;
  if (result?.state === "error") return <ConfirmationRefused message={result.message} />;
  if (link && !link.token_hash && !link.access_token)
    return <ConfirmationRefused message={messages.missing} />;
  return (
    <Page title="Confirming your account" width="narrow">
      <div className="scripts-only">
        <Spinner label="Confirming your email address..." />
      </div>
      <noscript>
        {loaderData.link ? (
          <Form method="post" className={styles.stack}>
            <p>One more click to confirm your address.</p>
            <input type="hidden" name="token_hash" value={loaderData.link.token_hash} />
            <SubmitButton pendingLabel="Confirming...">Confirm my address</SubmitButton>
          </Form>
        ) : (
          <FormAlert>{messages.missing}</FormAlert>
        )}
      </noscript>
    </Page>
  );
}

function useConfirmOnce(link: MailedLink | null, post: (link: Record<string, string>) => void) {
  const posted = useRef(false);
  useEffect(() => {
    if (posted.current || !link || (!link.token_hash && !link.access_token)) return;
    posted.current = true;
    post({ ...link });
  });
}

function Confirmed({ next }: { next: OwnPath }) {
  useEffect(() => clearMailedLink("signup"), []);
  useDelayedNavigation(next, 3000);
  return (
    <Page title="Your account is confirmed" width="narrow" intro="Welcome! You're signed in.">
      <p role="status">
        We'll redirect you in a moment. <Link to={next}>Continue now</Link>
      </p>
    </Page>
  );
}

function AlreadyConfirmed() {
  useEffect(() => clearMailedLink("signup"), []);
  return (
    <Page title="Your email address is confirmed" width="narrow">
      <div className={styles.stack}>
        <p role="status">This link has already been used. You can log in now.</p>
        <ButtonLink to="/login">Log in</ButtonLink>
      </div>
    </Page>
  );
}

function ConfirmationRefused({ message }: { message: string }) {
  return (
    <Page title="That link didn't work" width="narrow">
      <div className={styles.stack}>
        <FormAlert>{message}</FormAlert>
        <ResendForm />
        <p>
          Already confirmed? <Link to="/login">Log in</Link>
        </p>
      </div>
    </Page>
  );
}
