import type { ReactNode } from "react";
import { Form } from "react-router";
import type { FormProblems } from "../../platform/forms.server.ts";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Field } from "../../ui/form/field.tsx";
import { Badge, type Tone } from "../../ui/layout/card.tsx";
import * as ownThingsStyles from "../../accounts/own-things.module.css";
import { messages, stateLabels, type SubmissionState } from "../rules.ts";
import * as styles from "./own.module.css";

export const stateTones: Record<SubmissionState, Tone> = {
  draft: "outline",
  waiting: "info",
  returned: "info",
  payable: "info",
  live: "success",
  discarded: "neutral",
};

/** The change of a published listing that isn't decided yet. */
export function OpenChange({
  id,
  state,
  reason,
  dated,
  isOpen,
  about,
}: {
  id: string;
  state: SubmissionState;
  reason: string | null;
  dated: string;
  /** True if the listing is on the board. */
  isOpen: boolean;
  /** Names the listing for screen readers. */
  about: ReactNode;
}) {
  const isWaiting = state === "waiting";
  return (
    <div className={styles.change}>
      <div className={styles.listing}>
        <p className={ownThingsStyles.name}>
          Your change <Badge tone={stateTones[state]}>{stateLabels[state]}</Badge>
        </p>
        <p className={ownThingsStyles.facts}>
          {dated}. {isOpen && "Designers see the published text until our team has read it."}
        </p>
        {!isOpen && (
          <p>
            {isWaiting
              ? "The listing is off the board. Our team still reads your change, but publishing it won't put the listing back."
              : messages.cannotSend}
          </p>
        )}
        {reason && (
          <p className={styles.reason}>
            <strong>Please change:</strong> {reason}
          </p>
        )}
      </div>
      <ButtonLink to={`/post/${id}`} variant="secondary" size="sm">
        {isWaiting ? "View the change" : "Edit the change"}
        {about}
      </ButtonLink>
    </div>
  );
}

/** Sets the first or an earlier closing date at once. */
export function CloseEarlier({
  id,
  closesOn,
  about,
  refused,
}: {
  id: string;
  /** The present closing date; "" for none. */
  closesOn: string;
  about: ReactNode;
  /** The form as it was sent, if it was refused. */
  refused: FormProblems | null;
}) {
  const error = refused?.errors.closesOn;
  return (
    <details className={ownThingsStyles.rename} open={error !== undefined || undefined}>
      <summary>
        {closesOn ? "Close earlier" : "Set a closing date"}
        {about}
      </summary>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="id" value={id} />
        <Field
          label="Closing date"
          name="closesOn"
          type="date"
          required
          defaultValue={refused?.values.closesOn ?? closesOn}
          max={closesOn || undefined}
          error={error}
          hint="The last day to apply. The listing leaves the board after it. Our team reads later dates first, so edit the listing for those."
        />
        <SubmitButton intent="close-earlier" variant="secondary" size="sm" pendingLabel="Saving...">
          Save the date
        </SubmitButton>
      </Form>
    </details>
  );
}
