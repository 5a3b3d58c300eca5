import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { Form } from "react-router";
import { Button } from "../../ui/form/button.tsx";
import { TextAreaField } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { Autosave, type AutosaveEntry } from "../../ui/autosave.ts";
import { saveLabels } from "../../ui/save-labels.ts";
import { sendChange } from "../../ui/send-change.ts";
import { useAutosave } from "../../ui/use-autosave.ts";
import {
  briefLimits,
  type Question,
  type ReviewBrief,
  formatUnansweredCount,
} from "../../reviews/brief.ts";
import * as reviewBriefStyles from "../../reviews/brief/review-brief.module.css";
import * as otherTextStyles from "../../ui/form/other-text.module.css";

/** A review's answers in this tab, by question position, with their autosave. */
type Answers = { autosave: Autosave<number, string>; entries: readonly AnswerEntry[] };

/** An answer in this tab, with its question. */
export type AnswerEntry = AutosaveEntry<string> & Pick<Question, "position" | "question">;

/** Returns the answers of a workspace; empty without a workspace or without questions. */
export function useAnswers(
  workspace: { reviewId: string; assignmentId: string; brief: ReviewBrief | null } | null,
): Answers {
  const { reviewId, assignmentId, brief } = workspace ?? {};
  const { autosave, questions } = useMemo(
    () => ({
      autosave: createAnswerAutosave(
        `/reviewer/submission/${reviewId}/remarks`,
        brief?.questions ?? [],
      ),
      questions: brief?.questions ?? [],
    }),
    // oxlint-disable-next-line react/exhaustive-deps -- the tab's own answers replace later server data
    [reviewId, assignmentId],
  );
  const saves = useSyncExternalStore(autosave.subscribe, autosave.snapshot, autosave.snapshot);
  useAutosave(autosave);
  const entries = questions.map(({ position, question }) => ({
    position,
    question,
    ...saves.get(position)!,
  }));
  return { autosave, entries };
}

function createAnswerAutosave(address: string, questions: readonly Question[]) {
  const answers = questions.map(
    ({ position, answer }) => [position, answer ?? "", answer ?? ""] as const,
  );
  return new Autosave<number, string>(answers, {
    async send(position, { value, saved, leaving }) {
      const fields = {
        intent: "answer",
        position: String(position),
        answer: value,
        seen: saved,
      };
      const result = await sendChange<string>(address, fields, leaving);
      return result.ok ? { ok: true, saved: value } : result;
    },
    toValue: (saved) => saved,
  });
}

/** Renders one form per question. It saves automatically, or by a button without scripts. */
export function AnswerForms({
  answers: { autosave, entries },
  refused,
}: {
  answers: Answers;
  /** The form of a refused answer, with the typed values. */
  refused: { errors: Record<string, string>; values: Record<string, string> } | undefined;
}) {
  return entries.map((entry) => {
    const isRefused = refused?.values.position === String(entry.position);
    return (
      <AnswerForm
        key={entry.position}
        entry={entry}
        autosave={autosave}
        errors={isRefused ? refused.errors : {}}
        values={isRefused ? refused.values : {}}
      />
    );
  });
}

function AnswerForm({
  entry: { position, question, value: answer, saved, state },
  autosave,
  errors,
  values,
}: {
  entry: AnswerEntry;
  autosave: Autosave<number, string>;
  errors: Record<string, string>;
  values: Record<string, string>;
}) {
  const hydrated = useHydrated();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // Takes text from before hydration.
    if (area.current) autosave.change(position, area.current.value);
  }, [autosave, position]);
  const problem = errors.answer ?? errors[""];
  return (
    <Form method="post" className={reviewBriefStyles.answer}>
      <input type="hidden" name="intent" value="answer" />
      <input type="hidden" name="position" value={position} />
      <input type="hidden" name="seen" value={values.seen ?? saved} />
      <TextAreaField
        label={question}
        name="answer"
        ref={area}
        rows={3}
        maxLength={briefLimits.answer}
        defaultValue={values.answer ?? answer}
        onChange={(event) => autosave.change(position, event.target.value)}
        onBlur={() => void autosave.flush()}
        error={hydrated ? undefined : problem}
        hint={
          hydrated ? (
            <AnswerStatus state={state} isEmpty={answer === ""} />
          ) : (
            <span className="scripts-only">&nbsp;</span>
          )
        }
      />
      {!hydrated && problem && values.seen === undefined && (
        <blockquote className={otherTextStyles.otherText}>{saved || "Empty"}</blockquote>
      )}
      {state.name === "conflict" && (
        <div className={otherTextStyles.otherText} role="alert">
          <p>
            This answer was changed in another tab or window. Nothing more is saved here until you
            choose. The other text:
          </p>
          <blockquote>{state.current || "Empty"}</blockquote>
          <Button
            variant="secondary"
            size="sm"
            onClick={() => {
              if (area.current && state.name === "conflict") area.current.value = state.current;
              autosave.takeTheirs(position);
            }}
          >
            Use the other text
          </Button>
          <Button variant="ghost" size="sm" onClick={() => autosave.keepMine(position)}>
            Keep the text in the field
          </Button>
        </div>
      )}
      {!hydrated && (
        <Button type="submit" variant="secondary" size="sm" className="stand-in">
          Save answer
        </Button>
      )}
    </Form>
  );
}

function AnswerStatus({ state, isEmpty }: { state: AnswerEntry["state"]; isEmpty: boolean }) {
  const labels = { ...saveLabels, saved: isEmpty ? "Not answered yet" : saveLabels.saved };
  return (
    <output>
      {labels[state.name]}
      {state.name === "failed" && `. ${state.message}`}
    </output>
  );
}

/**
 * Shows above the submit button how many questions have no answer. Submitting is still allowed. The note
 * keeps its space when all are answered, so that the button does not move.
 */
export function UnansweredNote({ answers: { entries } }: { answers: Answers }) {
  const missing = formatUnansweredCount(entries.map(({ value }) => value));
  if (entries.length === 0) return null;
  return (
    <output className={reviewBriefStyles.unanswered} data-settled={!missing || undefined}>
      {missing ? `${missing} You can submit all the same.` : "Every question has an answer."}
    </output>
  );
}
