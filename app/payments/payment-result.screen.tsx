import { Fragment, type ReactNode, useCallback, useEffect, useState } from "react";
import { useFetcher, useLocation, useRouteLoaderData } from "react-router";
import { currentActor } from "../accounts/actor.server.ts";
import { appContext, requestFacts } from "../platform/app-context.server.ts";
import { second } from "../platform/clock.ts";
import { isExpected } from "../platform/errors.ts";
import { logFailure } from "../platform/log.server.ts";
import type { OwnPath } from "../platform/own-path.ts";
import { countClientTry } from "../platform/rate-limit.server.ts";
import { DrawingSvg, type Drawing } from "../ui/feedback/empty-state.tsx";
import { useOnReturn } from "../ui/coming-back.ts";
import { useDelayedNavigation } from "../ui/departure.ts";
import { Spinner } from "../ui/feedback/spinner.tsx";
import { ButtonLink } from "../ui/form/button.tsx";
import { StationLine } from "../ui/layout/station-line.tsx";
import { Page } from "../ui/layout/page.tsx";
import { Link } from "../ui/link.tsx";
import { buildPrivateMeta } from "../ui/meta.ts";
import type { Route } from "./+types/payment-result.screen.ts";
import { inspectOrder, resultByClient } from "./inspect-order.server.ts";
import { formatRupees } from "./money.ts";
import stylesheet from "./payment-result.screen.css?url";
import { payments, type PurchaseFact } from "./payments.server.ts";
import * as styles from "./payment-result.module.css";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, "Payment");

export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-store" });

/** The state of a payment on the result screen. */
type PaymentResult =
  | {
      status: "pending" | "success" | "failed";
      txnId: string;
      amountPaise: number;
      /** The page to try again; only the buyer gets it. */
      retryPath: OwnPath | null;
      /** Details of the purchase; only the buyer gets them. */
      facts: PurchaseFact[];
      signedIn: boolean;
    }
  /** The order doesn't exist, or the client sent too many requests. */
  | { status: "unknown"; txnId: string | null }
  /** The order could not be read this time. */
  | { status: "unread"; txnId: string | null };

/** Anyone with a transaction id can see the state and the amount. */
export async function loader({ request, context }: Route.LoaderArgs): Promise<PaymentResult> {
  const txnId = new URL(request.url).searchParams.get("txnId") ?? "";
  if (!/^[\w-]{1,64}$/.test(txnId)) return { status: "unknown", txnId: null };
  const actor = context.get(currentActor);
  try {
    await countClientTry(
      context.get(appContext),
      resultByClient,
      context.get(requestFacts).clientAddress,
    );
    const order = await inspectOrder(context.get(appContext), context.get(payments), {
      orderId: txnId,
      viewerId: actor?.id ?? null,
    });
    if (!order) return { status: "unknown", txnId };
    return { ...order, txnId, signedIn: actor !== null };
  } catch (error) {
    if (isExpected(error)) return { status: "unknown", txnId };
    const request = context.get(requestFacts).id;
    logFailure(context.get(appContext).log, error, "payment result not read", { request });
    return { status: "unread", txnId };
  }
}

/** A network failure is not a result. The next request may succeed. */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  try {
    return await serverLoader();
  } catch {
    const txnId = new URL(request.url).searchParams.get("txnId");
    return { status: "unread", txnId } satisfies PaymentResult;
  }
}

/** Loads the order after half a second. Without JavaScript, the server's result is shown. */
export default function PaymentResultScreen({ loaderData }: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  const result = useWatchedResult(`${pathname}${search}`, loaderData);
  useDelayedNavigation(result?.status === "success" ? "/profile" : null, departureSeconds * second);
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <div className="scripts-only" aria-live="polite">
        <ResultView result={result ?? { ...loaderData, status: "checking" }} />
      </div>
      <noscript>
        {loaderData.status === "success" && (
          <meta httpEquiv="refresh" content={`${departureSeconds};url=/profile`} />
        )}
        <ResultView result={loaderData} />
      </noscript>
    </>
  );
}

/** Gives time to read the success message. */
const departureSeconds = 5;

const firstCheckAfter = 500;
const nextCheckAfter = 2000;
const pollTimeoutMs = 10_000;

/**
 * Polls the result for about ten seconds while it is pending, and again when the buyer returns to the tab, perhaps
 * from their bank's app.
 *
 * @returns null while polling without a final result; otherwise the latest result
 */
function useWatchedResult(address: string, { txnId }: PaymentResult): PaymentResult | null {
  const { load, state, data } = useFetcher<PaymentResult>();
  const [isPolling, setPolling] = useState(true);
  useOnReturn(useCallback(() => setPolling(true), []));
  const open = !data || data.status === "pending" || data.status === "unread";

  useEffect(() => {
    if (!isPolling) return undefined;
    const timer = setTimeout(() => setPolling(false), pollTimeoutMs);
    return () => clearTimeout(timer);
  }, [isPolling]);

  useEffect(() => {
    if (!open || !isPolling || state !== "idle") return undefined;
    const timer = setTimeout(() => void load(address), data ? nextCheckAfter : firstCheckAfter);
    return () => clearTimeout(timer);
  }, [open, isPolling, state, data, load, address]);

  if (data && !open) return data;
  return isPolling ? null : (data ?? { status: "unread", txnId });
}

type DisplayedResult =
  | PaymentResult
  | { status: "checking"; txnId: string | null; amountPaise?: number };

/** The view of a payment, by its state. */
function ResultView({ result }: { result: DisplayedResult }) {
  if (result.status === "success") return <Successful result={result} />;
  if (result.status === "failed") return <Failed result={result} />;
  if (result.status === "checking") return <Checking result={result} />;
  return <Unconfirmed result={result} />;
}

type Settled = Extract<PaymentResult, { amountPaise: number }>;

function Successful({ result }: { result: Settled }) {
  return (
    <Page
      width="narrow"
      title="Payment Successful"
      intro="Thank you. Your profile opens in a moment."
    >
      <Scene name="table" />
      <Slip result={result} />
      {result.facts.map(({ name, way }) => (
        <div key={name} className="mt-6">
          <StationLine {...way} />
        </div>
      ))}
      <Steps>
        <ButtonLink to="/profile" replace>
          Go to your profile now
        </ButtonLink>
      </Steps>
    </Page>
  );
}

function Failed({ result }: { result: Settled }) {
  return (
    <Page
      width="narrow"
      title="Payment Failed"
      intro="Your payment could not be completed. Please try again."
    >
      <Scene name="lost" />
      <Slip result={result} />
      <p className="mt-6">
        Your files and details are saved. If money has left your account, wait before you pay again.
        We keep checking with PayU, and a payment that is confirmed late still counts.
      </p>
      <Steps>
        <TryAgain result={result} />
      </Steps>
    </Page>
  );
}

/** The drawing above a result. */
function Scene({ name }: { name: Drawing }) {
  return (
    <div className={styles.scene}>
      <DrawingSvg name={name} />
    </div>
  );
}

/** A signed-out buyer gets a link to log in, which leads back to this page. */
function TryAgain({ result }: { result: Settled }) {
  const { pathname, search } = useLocation();
  if (result.retryPath) return <ButtonLink to={result.retryPath}>Try again</ButtonLink>;
  if (result.signedIn) return null;
  const here = encodeURIComponent(pathname + search);
  return <ButtonLink to={`/login?next=${here}`}>Log in to try again</ButtonLink>;
}

function Checking({ result }: { result: DisplayedResult }) {
  return (
    <Page width="narrow" title="Your payment" intro={<Spinner label="Checking your payment…" />}>
      <Slip result={result} />
    </Page>
  );
}

function Unconfirmed({ result }: { result: PaymentResult }) {
  const { pathname, search } = useLocation();
  const supportEmail = useSupportEmail();
  return (
    <Page
      width="narrow"
      title="Your payment"
      intro="Could not fetch payment details, but your payment might have been successful."
    >
      <Slip result={result} />
      <p className="mt-6">
        We&apos;re still checking with PayU. Your purchase appears on your{" "}
        <Link to="/profile">profile</Link> when the payment is confirmed. Please don&apos;t pay
        again.
      </p>
      {supportEmail && (
        <p className={styles.questions}>
          Questions? Email <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          {result.txnId && " and quote the transaction ID"}.
        </p>
      )}
      <Steps>
        <ButtonLink to={pathname + search} reloadDocument variant="secondary">
          Check again
        </ButtonLink>
      </Steps>
    </Page>
  );
}

function useSupportEmail(): string | undefined {
  const root = useRouteLoaderData<{ product: { supportEmail: string } }>("root");
  return root?.product.supportEmail;
}

/** The payment's details, styled like a paper slip. */
function Slip({ result }: { result: DisplayedResult }) {
  if (!result.txnId) return null;
  return (
    <dl className={`${styles.slip} tabular`}>
      {"amountPaise" in result && result.amountPaise !== undefined && (
        <>
          <dt className="text-ink-soft">Amount</dt>
          <dd className="font-semibold">{formatRupees(result.amountPaise)}</dd>
        </>
      )}
      <dt className="text-ink-soft">Transaction</dt>
      <dd className="wrap-anywhere">{result.txnId}</dd>
      {result.status === "success" &&
        result.facts.map(({ name, words }) => (
          <Fragment key={name}>
            <dt className="text-ink-soft">{name}</dt>
            <dd>{words}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

function Steps({ children }: { children: ReactNode }) {
  return <div className={styles.ways}>{children}</div>;
}
