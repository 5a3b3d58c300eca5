import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import { Form, useNavigate, useNavigation, useSubmit } from "react-router";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { Button, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, TextAreaField } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { reloadPage } from "../../ui/expected-user.ts";
import { failedTitles, feedbackLimit, messages } from "../../reviews/staff-rules.ts";
import { type DraftState, readUnsaved, type SavedDraft, useDraft } from "./use-draft.ts";

const formId = "feedback-form";

/**
 * The feedback form. It autosaves, or has a save button without scripts. The submit button is at the end, below the
 * other results.
 */
export function FeedbackForm({
  workspace: { reviewId, assignmentId, draft },
  typed,
  refused,
  settle,
  warnings,
  children,
}: {
  workspace: { reviewId: string; assignmentId: string; draft: SavedDraft };
  /** The fields of a rejected form and their draft version; they take precedence over the saved draft. */
  typed: Record<string, string>;
  /** The errors of this form from the screen's action. */
  refused: { errors: Record<string, string>; code?: string } | undefined;
  /** Waits until remarks and answers are saved. @returns false when some cannot be. */
  settle(): Promise<boolean>;
  /** Warnings about missing optional parts, above the submit button. */
  warnings: ReactNode;
  /** Screenshots and files. */
  children: ReactNode;
}) {
  const initial = typed.feedback ?? draft.feedback;
  const saved = { ...draft, version: typed.version ?? draft.version };
  const hydrated = useHydrated();
  const area = useRef<HTMLTextAreaElement>(null);
  const [older, setOlder] = useState<string | null>(null);
  const [isWaiting, setIsWaiting] = useState(false);
  const navigation = useNavigation();
  const isSubmitting = isWaiting || navigation.formData?.get("intent") === "submit";
  const draftOfTab = useDraft({ reviewId, assignmentId, draft: saved }, initial, {
    isSubmitting,
    onReplaced: show,
    onClosed: (reason) => void leave(reason),
  });
  const { text, state, version, other, isRefused, change, keepMine, takeTheirs, check } =
    draftOfTab;
  const navigate = useNavigate();
  const send = useSubmit();
  const errors = refused?.errors ?? {};
  const isOutdated = refused?.code === "changed";

  /** Shows a text in the field, which is uncontrolled. */
  function show(newText: string) {
    if (area.current) area.current.value = newText;
    setOlder(null);
  }

  function put(newText: string) {
    show(newText);
    change(newText);
  }

  /** The review was submitted in another tab, or reassigned, so nothing more is written here. */
  async function leave({ message, code }: { message: string; code?: string }) {
    if (document.querySelector(uploadRow) || !(await settle())) return;
    showToast({ kind: "warning", title: message });
    await navigate(code === "already-submitted" ? "?submitted" : ".", { replace: true });
  }

  /** Waits for a save under way, since it changes the version to submit with. */
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isWaiting || hasWaitingUploads()) return;
    const form = event.currentTarget;
    const written = new FormData(form, event.nativeEvent.submitter);
    setIsWaiting(true);
    await sendSettled(written);
    setIsWaiting(false);
  }

  async function sendSettled(written: FormData) {
    const [current, areRemarksSaved] = await Promise.all([draftOfTab.settle(), settle()]);
    if (!areRemarksSaved) {
      const description = messages.notSaved;
      return showToast({ kind: "error", title: failedTitles.submit, description });
    }
    // Another tab's text may have arrived in the field, which the reviewer has not read yet.
    if (current === null || area.current?.value !== written.get("feedback")) {
      const description = messages.draftChanged;
      return showToast({ kind: "error", title: failedTitles.submit, description });
    }
    // A file may have been chosen during the save.
    if (hasWaitingUploads()) return undefined;
    written.set("version", current);
    await send(written, { method: "post", replace: true });
  }

  useEffect(() => {
    // Text from before hydration stays; otherwise this tab's unsaved text is restored.
    const inField = area.current?.value ?? "";
    if (inField !== initial) return change(inField);
    const unsaved = readUnsaved(assignmentId);
    if (!unsaved || unsaved.text === inField) return;
    if (unsaved.base === draft.feedback) put(unsaved.text);
    else setOlder(unsaved.text);
    // oxlint-disable-next-line react/exhaustive-deps -- runs once, on hydration
  }, []);

  useEffect(() => {
    if (isOutdated) check();
    // oxlint-disable-next-line react/exhaustive-deps -- runs once per answer
  }, [refused]);

  return (
    <>
      <Form id={formId} method="post" replace className="feedback-form" onSubmit={submit}>
        <FormAlert>{!(hydrated && isOutdated) && errors[""]}</FormAlert>
        <input type="hidden" name="version" value={hydrated ? version : saved.version} />
        {older !== null && (
          <OtherText
            text={older}
            use={{ label: "Use that text", onPress: () => put(older) }}
            drop={{ label: "Keep this draft", onPress: () => setOlder(null) }}
          >
            This tab has unsaved text, and the draft has changed since.
          </OtherText>
        )}
        {other !== null && (
          <OtherText
            text={other}
            use={{ label: "Use the other text", onPress: takeTheirs }}
            drop={{ label: "Keep the text in the field", onPress: keepMine }}
          >
            This draft was changed in another tab or window. Saving is paused here until you choose
            one. The other text:
          </OtherText>
        )}
        {!hydrated && isOutdated && (
          <OtherText text={draft.feedback}>
            This is the saved draft. Send this form again to replace it with your text.
          </OtherText>
        )}
        {isRefused && (
          <div className="other-text" role="alert">
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
          readOnly={isSubmitting}
          onChange={(event) => change(event.target.value)}
          error={errors.feedback}
          hint={
            hydrated ? (
              <SaveStatus state={state} left={feedbackLimit - text.length} />
            ) : (
              <span className="noscript:hidden">&nbsp;</span>
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
      {children}
      {warnings}
      <div className="feedback-end">
        <SubmitButton
          form={formId}
          intent="submit"
          pendingLabel="Submitting..."
          pending={isSubmitting}
          disabled={hydrated && text.trim() === ""}
        >
          Submit Review
        </SubmitButton>
        <p>The customer gets it right away, and you can&apos;t change it afterwards.</p>
      </div>
    </>
  );
}

const uploadRow = ".workspace .upload-row";

/** Warns about files that are not uploaded yet, since a completed review accepts no more. */
function hasWaitingUploads(): boolean {
  if (!document.querySelector(uploadRow)) return false;
  showToast({
    kind: "warning",
    title: "Some files are not uploaded yet",
    description: "Upload or cancel them, then submit the review.",
  });
  return true;
}

function SaveStatus({ state, left }: { state: DraftState; left: number }) {
  const labels = {
    saved: "Saved",
    unsaved: "Not saved yet",
    saving: "Saving…",
    failed: "Not saved",
    conflict: "Not saved: the draft was changed elsewhere",
  };
  return (
    <span className="save-status" data-state={state.name}>
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
    <div className="other-text" role="alert">
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
