import { decidedWithin, longestReason, refundTakes } from "../../payments/refunds/rules.ts";
import { hour } from "../../platform/clock.ts";
import { FormDialog } from "../../ui/feedback/dialog.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { FormAlert, TextAreaField } from "../../ui/form/field.tsx";
import type { RefundStep } from "./rules.ts";

/** What is possible with the money of a payment; moments are in words. */
export type ShownTerms =
  | { may: "at once"; grounds: "not begun" | "overdue" }
  | { may: "ask"; until: string }
  | { may: "no"; why: string };

type Refundable = {
  orderId: string;
  service: string;
  amount: string;
  begun: string;
  terms: ShownTerms | null;
};

/** Below a paid payment: the way to its money, or why there is none now. */
export function RefundWay({ payment, ask }: { payment: Refundable; ask: string }) {
  const { terms, service, begun } = payment;
  if (!terms) return null;
  if (terms.may === "no")
    return (
      <details className="payment-terms">
        <summary>
          Refund<span className="sr-only">{`: ${service}, ${begun}`}</span>
        </summary>
        <p>{terms.why}</p>
      </details>
    );
  return (
    <div className="payment-refund">
      <ButtonLink to={ask} variant="secondary" size="sm" preventScrollReset>
        {terms.may === "at once" ? "Take the money back" : "Ask for the money back"}
        <span className="sr-only">{`: ${service}, ${begun}`}</span>
      </ButtonLink>
      <p>{terms.may === "at once" ? reasons[terms.grounds] : `You can until ${terms.until}.`}</p>
    </div>
  );
}

const reasons = {
  "not begun": "Nobody has begun with it yet.",
  overdue: "It is not there in the time that was promised.",
};

/** How far money has come that goes back. */
export function RefundProgress({ steps }: { steps: RefundStep[] }) {
  return (
    <ol className="refund-steps" aria-label="Refund">
      {steps.map(({ said, words, state }) => (
        <li key={said} data-state={state} aria-current={state === "now" ? "step" : undefined}>
          {said}
          {words && <q>{words}</q>}
        </li>
      ))}
    </ol>
  );
}

/** Asks once, naming the amount and the time, before money goes back or is asked for. */
export function RefundDialog({
  payment,
  closed,
  held,
}: {
  /** Null while none is asked about, or of the one that is nothing is possible. */
  payment: Refundable | null;
  /** The address without the dialog. */
  closed: string;
  held: Record<string, string>;
}) {
  const terms = payment?.terms ?? null;
  const amount = payment?.amount ?? "";
  const isAsking = terms?.may === "ask";
  return (
    <FormDialog
      open={terms !== null && terms.may !== "no"}
      title={isAsking ? `Ask for ${amount} back` : `Take ${amount} back`}
      closed={closed}
      intent="refund"
      submitLabel={isAsking ? `Ask for ${amount} back` : `Take ${amount} back`}
      pendingLabel={isAsking ? "Asking..." : "Taking it back..."}
      variant={isAsking ? "primary" : "danger"}
      onSaved={() => {}}
    >
      {({ errors, values }) => (
        <>
          <FormAlert>{errors?.[""]}</FormAlert>
          <input type="hidden" name="orderId" value={payment?.orderId} />
          <p className="mb-4">
            {payment?.service}, paid on {payment?.begun}.{" "}
            {isAsking
              ? `We decide within ${decidedWithin / hour} hours. Approved, the whole ${amount} goes back by the way you paid, which takes ${refundTakes}.`
              : `The review is called off for good, and the whole ${amount} goes back by the way you paid. It takes ${refundTakes} to reach you.`}
          </p>
          {isAsking && (
            <TextAreaField
              label="What is wrong with the review?"
              name="reason"
              rows={4}
              maxLength={longestReason}
              defaultValue={values?.reason ?? held.reason}
              error={errors?.reason}
              hint="Our administrators read it, and answer."
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
