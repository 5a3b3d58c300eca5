import { day } from "../../platform/clock.ts";
import type { OwnAddress } from "../../platform/own-path.ts";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { Field, FormAlert, TextAreaField } from "../../ui/form/field.tsx";
import { extensionLimits, getExtensionDates, type DueView } from "./due-dates.ts";
import * as styles from "../../ui/feedback/dialog.module.css";

/** Renders the dialog that sets a later due date; closed without a review. */
export function ExtendDialog({
  review,
  moment,
  ...way
}: {
  review: { id: string; due: DueView } | null;
  /** The moment at which the list was loaded, as in "2026-01-31T16:10:00.000Z". */
  moment: string;
  closed: OwnAddress;
  onSaved(): void;
}) {
  return (
    <FormDialog
      {...way}
      open={review !== null}
      title="Set Later Due Date"
      intent="extend"
      submitLabel="Save and Tell the Customer"
      pendingLabel="Saving..."
    >
      {({ errors = {}, values = {} }) => {
        if (!review) return null;
        const { id, due } = review;
        const { earliest, suggested, latest } = getExtensionDates(due, new Date(moment));
        return (
          <>
            <FormAlert>{errors[""]}</FormAlert>
            <input type="hidden" name="reviewId" value={id} />
            <input type="hidden" name="seen" value={values.seen ?? due.at} />
            <dl className={styles.facts}>
              <dt>Review</dt>
              <dd>{id}</dd>
              <dt>Now</dt>
              <dd>
                {due.due}, {due.left}
              </dd>
            </dl>
            <Field
              label="New due date, in Indian time"
              name="until"
              type="datetime-local"
              min={earliest}
              max={latest}
              required
              defaultValue={values.until ?? suggested}
              error={errors.until}
              hint={`Within ${extensionLimits.ahead / day} days. Refunds and figures go on counting by the first date.`}
            />
            <TextAreaField
              label="Reason"
              name="reason"
              rows={3}
              maxLength={extensionLimits.reason}
              required
              defaultValue={values.reason ?? ""}
              error={errors.reason}
              hint="We email this reason to the customer."
            />
          </>
        );
      }}
    </FormDialog>
  );
}
