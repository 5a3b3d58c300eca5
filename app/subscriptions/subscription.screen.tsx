import { Suspense, useEffect, useState } from "react";
import { Await, data, useLocation } from "react-router";
import { z } from "zod";
import { signedInActor } from "../accounts/actor.server.ts";
import { signedInGuard } from "../accounts/guards.server.ts";
import { appContext } from "../platform/app-context.server.ts";
import { longDate } from "../platform/clock.ts";
import { formAction, orElse } from "../platform/forms.server.ts";
import { isOtherPersons, unsent } from "../ui/feedback/send-form.ts";
import { alsoWhenRefused } from "../ui/refused-forms.ts";
import { useDeparture } from "../ui/departure.ts";
import { Dialog } from "../ui/feedback/dialog.tsx";
import { Spinner } from "../ui/feedback/spinner.tsx";
import { showToast } from "../ui/feedback/toasts.tsx";
import { BackToProfile } from "../ui/layout/back-link.tsx";
import { Page } from "../ui/layout/page.tsx";
import { titled } from "../ui/meta.ts";
import type { Route } from "./+types/subscription.screen.ts";
import { NotLoaded, type Shown, SubscriptionCard } from "./subscription-card.tsx";
import { cancelSubscription, readOwnSubscription } from "./subscription.server.ts";

const title = "Manage Subscription";
const problems = {
  unread: "Failed to load subscription status",
  notCancelled: "Failed to cancel subscription. Please try again later.",
};
const departureSeconds = 2;

export const middleware = [signedInGuard];

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, title);

type Loaded = { supportEmail: string; subscription: Shown | null };

export async function loader({ context }: Route.LoaderArgs): Promise<Loaded> {
  const { db, config } = context.get(appContext);
  const { supportEmail } = config.product;
  const read = await orElse(context, () => readOwnSubscription(db, signedInActor(context)), null);
  if (!read) return { supportEmail, subscription: null };
  const { isActive, isRecurring, subscriptionId, subscriptionEndsAt } = read;
  const endsOn = subscriptionEndsAt && longDate(subscriptionEndsAt);
  return { supportEmail, subscription: { isActive, isRecurring, subscriptionId, endsOn } };
}

/** Within the product the screen opens at once and says that it is loading. */
export function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  const isHere = window.location.pathname === new URL(request.url).pathname;
  return isHere ? serverLoader() : { loaded: serverLoader().catch(withoutAnswer) };
}

/** The screen did not wait for the guard, so that where the guard leads is followed here. */
function withoutAnswer(thrown: unknown): Loaded | Promise<Loaded> {
  const elsewhere = thrown instanceof Response ? thrown.headers.get("Location") : null;
  if (!elsewhere) return { supportEmail: "", subscription: null };
  window.location.assign(elsewhere);
  return new Promise(() => {});
}

export const action = formAction({
  schema: z.object({ subscriptionId: z.string() }),
  run: ({ context, value: { subscriptionId } }) =>
    cancelSubscription(context.get(appContext).db, signedInActor(context), subscriptionId || null),
  done: () => ({
    toast: {
      kind: "success",
      title: "Success",
      description:
        "Your subscription has been cancelled. Access to the job board has been revoked.",
    },
    data: { cancelled: true },
  }),
  failed: ({ refusal }) => ({ data: notCancelled(refusal.init) }),
  invalid: (refusal) => ({ data: notCancelled(refusal.init) }),
});

function notCancelled(init: ResponseInit | null) {
  return data({ cancelled: false, problem: problems.notCancelled }, init ?? {});
}

/** Without an answer nobody here knows what the server has done. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (!(error instanceof Error) || isOtherPersons(error)) throw error;
    return data(
      { cancelled: false, problem: problems.notCancelled, isUnknown: true },
      { status: unsent },
    );
  }
}

export const shouldRevalidate = alsoWhenRefused;

export default function Subscription({ loaderData, actionData }: Route.ComponentProps) {
  const cancelled = actionData?.cancelled ?? false;
  useDeparture(cancelled ? "/profile" : null, departureSeconds * 1000, { replace: false });
  const show = (loaded: Loaded) => <Loaded {...loaded} answer={actionData} />;
  return (
    <Page
      title={title}
      width="text"
      intro="Publish jobs on the board, and look after them."
      actions={<BackToProfile />}
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

function Loaded({ subscription, supportEmail, answer }: Loaded & { answer: Answer }) {
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
        <Unread />
      )}
    </>
  );
}

/** Says that cancelling failed. */
function CancelFailed({
  answer,
  supportEmail,
}: {
  /** What the server said to the last attempt, if there was one. */
  answer: Answer;
  supportEmail: string;
}) {
  const [read, setRead] = useState<Answer>();
  return (
    <Dialog
      open={Boolean(answer?.problem) && read !== answer}
      onClose={() => setRead(answer)}
      closed="/subscription"
      title="Subscription Management Error"
      leave="Close"
      leaveProps={{ variant: "secondary" }}
    >
      <p>{answer?.problem}</p>
      <p className="mt-4">
        There are temporary issues with managing subscriptions.{" "}
        {answer?.isUnknown
          ? "No answer came, so it may be cancelled all the same: please load this page again before you try once more."
          : "Your subscription is as it was."}{" "}
        If this goes on, please contact support at{" "}
        <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
      </p>
    </Dialog>
  );
}

function Unread() {
  useEffect(() => {
    showToast({ kind: "error", title: "Error", description: problems.unread });
  }, []);
  return <NotLoaded>{problems.unread}</NotLoaded>;
}
