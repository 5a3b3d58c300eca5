import type { ReactNode } from "react";
import { Form } from "react-router";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { Button } from "../../ui/form/button.tsx";
import { FormAlert, TextAreaField } from "../../ui/form/field.tsx";
import { saveLabels } from "../../ui/save-labels.ts";
import { reloadPage } from "../../ui/expected-user.ts";
import { feedbackLimit } from "../../reviews/staff-rules.ts";
import type { DraftState } from "./use-draft.ts";
import type { Feedback } from "./use-feedback.ts";
import * as styles from "./feedback.module.css";
import * as otherTextStyles from "../../ui/form/other-text.module.css";

/** Connects the submit button, which is in the bar, with the form. */
export const feedbackFormId = "feedback-form";

/** The feedback form. It autosaves, or has a save button without scripts. */
export function FeedbackForm({
  feedback: {
    hydrated,
    text,
    state,
    version,
    errors,
    isOutdated,
    older,
    other,
    area,
    initial,
    ...feedback
  },
}: {
  feedback: Feedback;
}) {
  return (
    <Form
      id={feedbackFormId}
      method="post"
      replace
      className={styles.form}
      onSubmit={feedback.submit}
    >
      <FormAlert>{!(hydrated && isOutdated) && errors[""]}</FormAlert>
      <input type="hidden" name="version" value={hydrated ? version : feedback.firstVersion} />
      {older !== null && (
        <OtherText
          text={older}
          use={{ label: "Use that text", onPress: feedback.useOlder }}
          drop={{ label: "Keep this draft", onPress: feedback.dropOlder }}
        >
          This tab has unsaved text, and the draft has changed since.
        </OtherText>
      )}
      {other !== null && (
        <OtherText
          text={other}
          use={{ label: "Use the other text", onPress: feedback.takeTheirs }}
          drop={{ label: "Keep the text in the field", onPress: feedback.keepMine }}
        >
          This draft was changed in another tab or window. Saving is paused here until you choose
          one. The other text:
        </OtherText>
      )}
      {!hydrated && isOutdated && (
        <OtherText text={feedback.savedText}>
          This is the saved draft. Send this form again to replace it with your text.
        </OtherText>
      )}
      {feedback.isRefused && (
        <div className={otherTextStyles.otherText} role="alert">
          <p>
            Saving has stopped here. Copy what you need from the field before you load the page
            again.
          </p>
          <Button variant="secondary" size="sm" onClick={reloadPage}>
            Reload
          </Button>
        </div>
      )}
      <TextAreaField
        label="Feedback"
        name="feedback"
        ref={area}
        rows={12}
        maxLength={feedbackLimit}
        defaultValue={initial}
        readOnly={feedback.isSubmitting}
        onChange={(event) => feedback.change(event.target.value)}
        error={errors.feedback}
        hint={
          hydrated ? (
            <SaveStatus state={state} left={feedbackLimit - text.length} />
          ) : (
            <span className="scripts-only">&nbsp;</span>
          )
        }
      />
      {!hydrated && (
        <Button
          type="submit"
          name="intent"
          value="save-draft"
          variant="secondary"
          className="stand-in"
        >
          Save draft
        </Button>
      )}
    </Form>
  );
}

function SaveStatus({ state, left }: { state: DraftState; left: number }) {
  const labels = { ...saveLabels, conflict: "Not saved: the draft was changed elsewhere" };
  return (
    <span className={styles.saveStatus} data-state={state.name}>
      <output>
        {labels[state.name]}
        {state.name === "failed" && `. ${state.message}`}
      </output>
      {left < 2_000 && <span className="tabular">{formatIndianNumber(left)} characters left</span>}
    </span>
  );
}

type Choice = { label: string; onPress(): void };

/** A second text beside the one in the field; neither is lost before the person chooses. */
function OtherText({
  text,
  use,
  drop,
  children,
}: {
  text: string;
  use?: Choice;
  drop?: Choice;
  children: ReactNode;
}) {
  return (
    <div className={otherTextStyles.otherText} role="alert">
      <p>{children}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it */}
      <blockquote tabIndex={0}>{text || "Empty"}</blockquote>
      {use && (
        <Button variant="secondary" size="sm" onClick={use.onPress}>
          {use.label}
        </Button>
      )}
      {drop && (
        <Button variant="ghost" size="sm" onClick={drop.onPress}>
          {drop.label}
        </Button>
      )}
    </div>
  );
}
