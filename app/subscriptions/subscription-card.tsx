import { type FormEvent, type ReactNode, useState } from "react";
import { useNavigate } from "react-router";
import { Button, ButtonLink } from "../ui/form/button.tsx";
import { Badge, Card } from "../ui/layout/card.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { ConfirmCancel } from "./cancel-dialogs.tsx";
import { Gate } from "./gate.tsx";

/** A subscription as the screen shows it. */
export type Shown = {
  isActive: boolean;
  isRecurring: boolean;
  subscriptionId: string | null;
  endsOn: string | null;
};

export function SubscriptionCard({
  subscription,
  asksToConfirm,
  answer,
}: {
  subscription: Shown;
  /** The address asks, as it does where no script runs. */
  asksToConfirm: boolean;
  /** What became of the last attempt to cancel; each new one ends the question. */
  answer: unknown;
}) {
  const [asked, setAsked] = useState(asksToConfirm ? { after: answer } : null);
  const navigate = useNavigate();
  const { isActive } = subscription;
  function keep() {
    setAsked(null);
    if (asksToConfirm) void navigate("/subscription", { replace: true });
  }
  return (
    <>
      <Card
        className="subscription"
        tone={isActive ? "marked" : "plain"}
        title="Job Board Subscription"
        footer={
          isActive ? (
            <WhileActive onCancel={() => setAsked({ after: answer })} />
          ) : (
            <WhileInactive />
          )
        }
      >
        <div className="subscription-state">
          {isActive ? <Active {...subscription} /> : <Inactive />}
          <Gate isOpen={isActive} />
        </div>
      </Card>
      {isActive && (
        <ConfirmCancel
          open={asked !== null && asked.after === answer}
          onKeep={keep}
          subscriptionId={subscription.subscriptionId}
        />
      )}
    </>
  );
}

function Active({ isRecurring, endsOn }: Shown) {
  return (
    <div>
      <p className="subscription-badges">
        <Badge tone="success">Active</Badge>
        {isRecurring && <Badge tone="info">Auto-renews</Badge>}
      </p>
      {endsOn && (
        <dl>
          <dt>{isRecurring ? "Renews on" : "Ends on"}</dt>
          <dd>{endsOn}</dd>
        </dl>
      )}
      <p>You can publish jobs on the board and look after those you published.</p>
    </div>
  );
}

function Inactive() {
  return (
    <div>
      <p className="subscription-badges">
        <Badge>Inactive</Badge>
      </p>
      <p>You do not have an active subscription</p>
    </div>
  );
}

function WhileActive({ onCancel }: { onCancel(): void }) {
  function ask(event: FormEvent) {
    event.preventDefault();
    onCancel();
  }
  return (
    <>
      <ButtonLink to="/job-board" prefetch="intent">
        Go to the job-board area
      </ButtonLink>
      {/* Without scripts the address asks. */}
      <form className="contents" action="/subscription#confirm" onSubmit={ask}>
        <Button type="submit" name="confirm" variant="danger">
          Cancel Subscription
        </Button>
      </form>
    </>
  );
}

function WhileInactive() {
  return (
    <ButtonLink to="/jobs" prefetch="intent">
      Subscribe Now
    </ButtonLink>
  );
}

/** In the card's place when it could not be read. */
export function NotLoaded({ children }: { children: ReactNode }) {
  return (
    <EmptyState
      title={children}
      drawing="lost"
      action={
        <ButtonLink to="/subscription" reloadDocument>
          Try again
        </ButtonLink>
      }
    >
      Something on our side broke, and it has been noted. Your subscription is as it was.
    </EmptyState>
  );
}
