import { Suspense, useEffect, useState } from "react";
import { Await, data, useLocation } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../accounts/actor.server.ts";
import { requireSignIn } from "../accounts/guards.server.ts";
import { appContext } from "../platform/app-context.server.ts";
import { formatLongDate } from "../platform/clock.ts";
import { createFormAction, withFallback } from "../platform/forms.server.ts";
import { isOtherUserError, unsent } from "../ui/feedback/send-form.ts";
import { revalidateAfterRefusal } from "../ui/refused-forms.ts";
import { useDelayedNavigation } from "../ui/departure.ts";
import { Dialog } from "../ui/feedback/dialog.tsx";
import { Spinner } from "../ui/feedback/spinner.tsx";
import { showToast } from "../ui/feedback/toasts.tsx";
import { BackToProfile } from "../ui/layout/back-link.tsx";
import { Page } from "../ui/layout/page.tsx";
import { buildPrivateMeta } from "../ui/meta.ts";
import type { Route } from "./+types/subscription.screen.ts";
import {
  SubscriptionNotLoaded,
  type SubscriptionView,
  SubscriptionCard,
} from "./subscription-card.tsx";
import { cancelSubscription, getOwnSubscription } from "./subscription.server.ts";

const title = "Manage Subscription";
const problems = {
  notLoaded: "Failed to load subscription status",
  notCancelled: "Failed to cancel subscription. Please try again later.",
};
const departureSeconds = 2;

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

type LoadedSubscription = { supportEmail: string; subscription: SubscriptionView | null };

export async function loader({ context }: Route.LoaderArgs): Promise<LoadedSubscription> {
  const { db, config } = context.get(appContext);
  const { supportEmail } = config.product;
  const own = await withFallback(
    context,
    () => getOwnSubscription(db, getSignedInActor(context)),
    null,
  );
  if (!own) return { supportEmail, subscription: null };
  const { isActive, isRecurring, subscriptionId, subscriptionEndsAt } = own;
  const endsOn = subscriptionEndsAt && formatLongDate(subscriptionEndsAt);
  return { supportEmail, subscription: { isActive, isRecurring, subscriptionId, endsOn } };
}

/** Navigation within the product opens the screen immediately, with a spinner. */
export function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  const isReload = window.location.pathname === new URL(request.url).pathname;
  return isReload ? serverLoader() : { loaded: serverLoader().catch(resolveLoadFailure) };
}

/** The screen doesn't wait for the guard, so the guard's redirect is followed here. */
function resolveLoadFailure(thrown: unknown): LoadedSubscription | Promise<LoadedSubscription> {
  const redirectUrl = thrown instanceof Response ? thrown.headers.get("Location") : null;
  if (!redirectUrl) return { supportEmail: "", subscription: null };
  window.location.assign(redirectUrl);
  return new Promise(() => {});
}

export const action = createFormAction({
  schema: z.object({ subscriptionId: z.string() }),
  run: ({ context, value: { subscriptionId } }) =>
    cancelSubscription(
      context.get(appContext).db,
      getSignedInActor(context),
      subscriptionId || null,
    ),
  done: () => ({
    toast: {
      kind: "success",
      title: "Success",
      description:
        "Your subscription has been cancelled. Access to the job board has been revoked.",
    },
    data: { cancelled: true },
  }),
  failed: ({ refusal }) => ({ data: buildNotCancelledAnswer(refusal.init) }),
  invalid: (refusal) => ({ data: buildNotCancelledAnswer(refusal.init) }),
});

function buildNotCancelledAnswer(init: ResponseInit | null) {
  return data({ cancelled: false, problem: problems.notCancelled }, init ?? {});
}

/** The result on the server is unknown if no answer arrives. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (!(error instanceof Error) || isOtherUserError(error)) throw error;
    return data(
      { cancelled: false, problem: problems.notCancelled, isUnknown: true },
      { status: unsent },
    );
  }
}

export const shouldRevalidate = revalidateAfterRefusal;

export default function Subscription({ loaderData, actionData }: Route.ComponentProps) {
  const cancelled = actionData?.cancelled ?? false;
  useDelayedNavigation(cancelled ? "/profile" : null, departureSeconds * 1000, { replace: false });
  const show = (loaded: LoadedSubscription) => (
    <LoadedSubscription {...loaded} answer={actionData} />
  );
  return (
    <Page
      title={title}
      width="text"
      intro="Post jobs to the board and manage your listings."
      back={<BackToProfile />}
    >
      {"loaded" in loaderData ? (
        <Suspense fallback={<Spinner />}>
          <Await resolve={loaderData.loaded}>{show}</Await>
        </Suspense>
      ) : (
        show(loaderData)
      )}
      {cancelled && (
        <noscript>
          <meta httpEquiv="refresh" content={`${departureSeconds};url=/profile`} />
        </noscript>
      )}
    </Page>
  );
}

type Answer = { cancelled: boolean; problem?: string; isUnknown?: boolean } | undefined;

function LoadedSubscription({
  subscription,
  supportEmail,
  answer,
}: LoadedSubscription & { answer: Answer }) {
  const { search } = useLocation();
  return (
    <>
      <CancelFailed answer={answer} supportEmail={supportEmail} />
      {subscription ? (
        <SubscriptionCard
          subscription={subscription}
          asksToConfirm={new URLSearchParams(search).has("confirm")}
          answer={answer}
        />
      ) : (
        <SubscriptionFailed />
      )}
    </>
  );
}

/** The dialog after a failed cancellation. */
function CancelFailed({
  answer,
  supportEmail,
}: {
  /** The server's answer to the last attempt, if there was one. */
  answer: Answer;
  supportEmail: string;
}) {
  const [dismissed, setDismissed] = useState<Answer>();
  return (
    <Dialog
      open={Boolean(answer?.problem) && dismissed !== answer}
      onClose={() => setDismissed(answer)}
      closed="/subscription"
      title="Subscription Management Error"
      leave="Close"
      leaveProps={{ variant: "secondary" }}
    >
      <p>{answer?.problem}</p>
      <p className="mt-4">
        There are temporary issues with managing subscriptions.{" "}
        {answer?.isUnknown
          ? "We got no answer, so it may have been cancelled anyway. Reload this page before you try again."
          : "Your subscription hasn't changed."}{" "}
        If this keeps happening, please contact support at{" "}
        <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
      </p>
    </Dialog>
  );
}

function SubscriptionFailed() {
  useEffect(() => {
    showToast({ kind: "error", title: "Error", description: problems.notLoaded });
  }, []);
  return <SubscriptionNotLoaded>{problems.notLoaded}</SubscriptionNotLoaded>;
}
