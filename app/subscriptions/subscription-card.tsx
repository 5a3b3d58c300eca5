import { type FormEvent, type ReactNode, useState } from "react";
import { Form, useNavigate, useNavigation } from "react-router";
import type { OwnPath } from "../platform/own-path.ts";
import { Dialog } from "../ui/feedback/dialog.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Button, ButtonLink, SubmitButton } from "../ui/form/button.tsx";
import { Badge, Card } from "../ui/layout/card.tsx";
import { isPosting } from "../ui/navigations.ts";
import * as drawingsStyles from "../ui/brand/drawings.module.css";
import * as styles from "./subscription.module.css";

/** A subscription as the screen shows it. */
export type SubscriptionView = {
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
  subscription: SubscriptionView;
  /** True if the URL opens the dialog, which works without scripts. */
  asksToConfirm: boolean;
  /** The result of the last attempt to cancel. A new result closes the dialog. */
  answer: unknown;
}) {
  const [opened, setOpened] = useState(asksToConfirm ? { after: answer } : null);
  const navigate = useNavigate();
  const { isActive } = subscription;
  function closeDialog() {
    setOpened(null);
    if (asksToConfirm) void navigate("/subscription" satisfies OwnPath, { replace: true });
  }
  return (
    <>
      <Card
        tone={isActive ? "marked" : "plain"}
        title="Job Board Subscription"
        footer={
          isActive ? (
            <CancelForm onCancel={() => setOpened({ after: answer })} />
          ) : (
            <SubscribeLink />
          )
        }
      >
        <div className={styles.state}>
          {isActive ? <ActiveDetails {...subscription} /> : <InactiveDetails />}
          <Gate isOpen={isActive} />
        </div>
      </Card>
      {isActive && (
        <ConfirmCancel
          open={opened !== null && opened.after === answer}
          onKeep={closeDialog}
          subscriptionId={subscription.subscriptionId}
        />
      )}
    </>
  );
}

function ActiveDetails({ isRecurring, endsOn }: SubscriptionView) {
  return (
    <div>
      <p className={styles.badges}>
        <Badge tone="success">Active</Badge>
        {isRecurring && <Badge tone="info">Auto-renews</Badge>}
      </p>
      {endsOn && (
        <dl>
          <dt>{isRecurring ? "Renews on" : "Ends on"}</dt>
          <dd>{endsOn}</dd>
        </dl>
      )}
      <p>You can post jobs to the board and manage your listings.</p>
    </div>
  );
}

function InactiveDetails() {
  return (
    <div>
      <p className={styles.badges}>
        <Badge>Inactive</Badge>
      </p>
      <p>You do not have an active subscription</p>
    </div>
  );
}

const stripes = [0, 1, 2, 3, 4, 5];

/** The barrier on the road to the job-board area: raised for subscribers, down for everyone else. */
function Gate({ isOpen }: { isOpen: boolean }) {
  return (
    <svg
      className={`${drawingsStyles.drawing} ${styles.gate}`}
      viewBox={isOpen ? "0 -34 200 148" : "0 22 200 92"}
      aria-hidden="true"
    >
      <path
        className={drawingsStyles.faint}
        d="M4 84c26-12 44 6 70-2s42-20 66-14 34 14 56 8M4 72c24-12 46 2 68-4s44-24 68-18 36 12 56 6M120 40c12-10 34-12 48-4"
      />
      <path
        className={drawingsStyles.route}
        d={isOpen ? "M78 112c14-8 26-18 36-34s38-26 72-34" : "M78 112c14-8 26-18 34-30"}
      />
      <path
        className={drawingsStyles.mark}
        d={isOpen ? "m186 42-7-14a8 8 0 1 1 14 0z" : "M114 74a5 5 0 1 1-.1 0z"}
      />
      <g transform={isOpen ? "rotate(-42 50 58)" : undefined}>
        <rect className={styles.gateArm} x="50" y="54" width="132" height="9" />
        {stripes.map((stripe) => (
          <rect
            key={stripe}
            className={styles.gateStripe}
            x={50 + stripe * 22}
            y="54"
            width="11"
            height="9"
          />
        ))}
        <path className={drawingsStyles.fill} d="M30 50h20v17H30z" />
        <path d="M30 50h20v17H30z" />
      </g>
      <path className={drawingsStyles.fill} d="M44 44h12v62H44z" />
      <path d="M44 44h12v62H44zM34 106h32" />
      {!isOpen && <path d="M176 63v43M168 106h16" />}
      <circle className={drawingsStyles.fill} cx="50" cy="58" r="4" />
      <circle cx="50" cy="58" r="4" />
    </svg>
  );
}

function CancelForm({ onCancel }: { onCancel(): void }) {
  function openDialog(event: FormEvent) {
    event.preventDefault();
    onCancel();
  }
  return (
    <>
      <ButtonLink to="/job-board" prefetch="intent">
        Go to the job-board area
      </ButtonLink>
      {/* The URL opens the dialog if no script runs. */}
      <form
        className="contents"
        action={"/subscription#confirm" satisfies OwnPath}
        onSubmit={openDialog}
      >
        <Button type="submit" name="confirm" variant="danger">
          Cancel Subscription
        </Button>
      </form>
    </>
  );
}

function SubscribeLink() {
  return (
    <ButtonLink to="/jobs" prefetch="intent">
      Subscribe Now
    </ButtonLink>
  );
}

/** The dialog that confirms the end of a subscription. */
function ConfirmCancel({
  open,
  onKeep,
  subscriptionId,
}: {
  open: boolean;
  onKeep(): void;
  subscriptionId: string | null;
}) {
  const isCancelling = useNavigation().formMethod === "POST";
  return (
    <Dialog
      open={open}
      onClose={onKeep}
      isSending={() => isCancelling || isPosting()}
      closed="/subscription"
      title="Are you sure?"
      submit={
        <SubmitButton
          form="cancel-subscription"
          variant="danger"
          pendingLabel="Processing..."
          pending={isCancelling}
        >
          Yes, Cancel Now
        </SubmitButton>
      }
      leave="Keep Subscription"
      leaveProps={{ variant: "secondary", disabled: isCancelling }}
    >
      <p id="confirm" className={styles.question}>
        Cancelling immediately ends your subscription and your access to the job board. This cannot
        be undone.
      </p>
      <Form method="post" action={"/subscription" satisfies OwnPath} id="cancel-subscription">
        <input type="hidden" name="subscriptionId" value={subscriptionId ?? ""} />
      </Form>
    </Dialog>
  );
}

/** Replaces the card if it couldn't be loaded. */
export function SubscriptionNotLoaded({ children }: { children: ReactNode }) {
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
      Something went wrong on our side, and we've logged it. Your subscription hasn't changed.
    </EmptyState>
  );
}
