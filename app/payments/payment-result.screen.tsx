import { useLocation } from "react-router";
import { currentActor } from "../accounts/actor.server.ts";
import { second } from "../platform/clock.ts";
import { isExpected } from "../platform/errors.ts";
import { appContext, requestFacts } from "../platform/app-context.server.ts";
import { logFailure } from "../platform/log.server.ts";
import { countClientTry } from "../platform/rate-limit.server.ts";
import { useDeparture } from "../ui/departure.ts";
import { titled } from "../ui/meta.ts";
import type { Route } from "./+types/payment-result.screen.ts";
import { inspectOrder, resultByClient } from "./inspect-order.server.ts";
import { payments } from "./payments.server.ts";
import { type PaymentResult, ResultView, useWatchedResult } from "./result-view.tsx";

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, "Payment");

export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-store" });

/** Whoever holds a transaction id may know how it stands, and the amount. */
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

/** A network that fails for a moment is no result: the next look may find it. */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  try {
    return await serverLoader();
  } catch {
    const txnId = new URL(request.url).searchParams.get("txnId");
    return { status: "unread", txnId } satisfies PaymentResult;
  }
}

/** Once scripts run, waits half a second before it loads the order; without them the server has. */
export default function PaymentResultScreen({ loaderData }: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  const result = useWatchedResult(`${pathname}${search}`);
  useDeparture(result?.status === "success" ? "/profile" : null, departureSeconds * second);
  return (
    <>
      <div className="noscript:hidden" aria-live="polite">
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

/** Until then the person has read that all is well. */
const departureSeconds = 5;
