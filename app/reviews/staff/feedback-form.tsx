import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { Button, SubmitButton } from "../../ui/button.tsx";
import { FormAlert, TextAreaField } from "../../ui/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { showToast } from "../../ui/toasts.tsx";
import { feedbackLimit } from "./rules.ts";
import { readUnsaved } from "./unsaved-text.ts";
import { type DraftState, useSavedDraft } from "./use-saved-draft.ts";

const formId = "feedback-form";

/**
 * Where the feedback is written. It saves itself; without scripts a button does. The button that
 * submits it all stands at the end, below what else is given back.
 */
export function FeedbackForm({
  workspace,
  typed,
  errors,
  children,
}: {
  workspace: { reviewId: string; assignmentId: string; feedback: string };
  /** What a refused form held; it comes before the saved draft. */
  typed: string | null;
  errors: Record<string, string>;
  /** Screenshots and files. */
  children: ReactNode;
}) {
  const { reviewId, assignmentId, feedback } = workspace;
  const hydrated = useHydrated();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(typed ?? feedback);
  const [older, setOlder] = useState<string | null>(null);
  const state = useSavedDraft({ reviewId, assignmentId, saved: feedback }, text);

  function put(words: string) {
    if (area.current) area.current.value = words;
    setText(words);
    setOlder(null);
  }

  useEffect(() => {
    // What was typed before the scripts came stays; else what this tab could not save comes back.
    const inField = area.current?.value ?? "";
    if (inField !== (typed ?? feedback)) return setText(inField);
    const unsaved = readUnsaved(assignmentId);
    if (!unsaved || unsaved.text === inField) return;
    if (unsaved.base === feedback) put(unsaved.text);
    else setOlder(unsaved.text);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the scripts come
  }, []);

  return (
    <>
      <Form id={formId} method="post" replace className="feedback-form" onSubmit={waitForUploads}>
        <FormAlert>{errors[""]}</FormAlert>
        {older !== null && <OlderText onUse={() => put(older)} onDrop={() => setOlder(null)} />}
        <TextAreaField
          label="Feedback"
          name="feedback"
          ref={area}
          rows={12}
          maxLength={feedbackLimit}
          defaultValue={typed ?? feedback}
          onChange={(event) => setText(event.target.value)}
          error={errors.feedback}
          hint={
            hydrated ? <SaveStatus state={state} left={feedbackLimit - text.length} /> : undefined
          }
        />
        {!hydrated && (
          <Button type="submit" name="intent" value="save-draft" variant="secondary">
            Save draft
          </Button>
        )}
      </Form>
      {children}
      <div className="feedback-end">
        <SubmitButton
          form={formId}
          name="intent"
          value="submit"
          pendingLabel="Submitting..."
          disabled={hydrated && text.trim() === ""}
        >
          Submit Review
        </SubmitButton>
        <p>The customer can read it from then on, and it cannot be changed any more.</p>
      </div>
    </>
  );
}

/** A file that is still in its row would never reach a review that is completed. */
function waitForUploads(event: FormEvent) {
  if (!document.querySelector(".workspace .upload-row")) return;
  event.preventDefault();
  showToast({
    kind: "warning",
    title: "Some files are not uploaded yet",
    description: "Upload or cancel them, then submit the review.",
  });
}

function SaveStatus({ state, left }: { state: DraftState; left: number }) {
  const words = {
    saved: "Saved",
    unsaved: "Not saved yet",
    saving: "Saving…",
    failed: "Not saved",
  };
  return (
    <span className="save-status" data-state={state.name}>
      <output>
        {words[state.name]}
        {state.name === "failed" && `. ${state.message}`}
      </output>
      {left < 2_000 && (
        <span className="tabular-nums">{left.toLocaleString("en-IN")} characters left</span>
      )}
    </span>
  );
}

function OlderText({ onUse, onDrop }: { onUse(): void; onDrop(): void }) {
  return (
    <div className="older-text">
      <p>This tab has text that was never saved, and the draft has changed since.</p>
      <Button variant="secondary" size="sm" onClick={onUse}>
        Use that text
      </Button>
      <Button variant="ghost" size="sm" onClick={onDrop}>
        Keep this draft
      </Button>
    </div>
  );
}
