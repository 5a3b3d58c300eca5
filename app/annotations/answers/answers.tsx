import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { Form } from "react-router";
import { Button } from "../../ui/form/button.tsx";
import { TextAreaField } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { Turns } from "../../ui/turns.ts";
import { sendRemarkForm } from "../remarks/editor.tsx";
import type { Answer } from "../remarks/remark-store.ts";
import {
  briefLimits,
  type Question,
  type ReviewBrief,
  unansweredCopy,
} from "../../reviews/brief.ts";

/** The answers that are being written on a review, and where they are kept until they are saved. */
type Answers = { store: AnswerStore; entries: readonly AnswerEntry[] };

/** Holds the answers of a workspace; without one, or without questions, there are none. */
export function useAnswers(
  workspace: { reviewId: string; assignmentId: string; brief: ReviewBrief | null } | null,
): Answers {
  const hydrated = useHydrated();
  const { reviewId, assignmentId, brief } = workspace ?? {};
  const store = useMemo(
    () =>
      new AnswerStore(brief?.questions ?? [], {
        send: (fields, leaving) =>
          sendRemarkForm<string>(`/reviewer/submission/${reviewId}/remarks`, fields, leaving),
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- what is being written here counts from then on
    [reviewId, assignmentId],
  );
  const entries = useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot);
  useEffect(() => {
    if (!hydrated) return undefined;
    const onHide = () => {
      if (document.visibilityState === "hidden") void store.flush({ leaving: true });
    };
    const onLeave = (event: BeforeUnloadEvent) => {
      if (store.isUnsaved) event.preventDefault();
    };
    document.addEventListener("visibilitychange", onHide);
    window.addEventListener("beforeunload", onLeave);
    return () => {
      document.removeEventListener("visibilitychange", onHide);
      window.removeEventListener("beforeunload", onLeave);
      void store.flush({ leaving: true });
    };
  }, [hydrated, store]);
  return { store, entries };
}

/** A form a question. It saves itself; without scripts a button does. */
export function AnswerForms({
  answers: { store, entries },
  refused,
}: {
  answers: Answers;
  /** The form of an answer that was refused, with what was typed. */
  refused: { errors: Record<string, string>; values: Record<string, string> } | undefined;
}) {
  return entries.map((entry) => {
    const isRefused = refused?.values.position === String(entry.position);
    return (
      <AnswerForm
        key={entry.position}
        entry={entry}
        store={store}
        errors={isRefused ? refused.errors : {}}
        values={isRefused ? refused.values : {}}
      />
    );
  });
}

function AnswerForm({
  entry: { position, question, answer, saved, state },
  store,
  errors,
  values,
}: {
  entry: AnswerEntry;
  store: AnswerStore;
  errors: Record<string, string>;
  values: Record<string, string>;
}) {
  const hydrated = useHydrated();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // What was typed before the scripts came.
    if (area.current) store.change(position, area.current.value);
  }, [store, position]);
  const problem = errors.answer ?? errors[""];
  return (
    <Form method="post" className="answer">
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
        onChange={(event) => store.change(position, event.target.value)}
        onBlur={() => void store.flush()}
        error={hydrated ? undefined : problem}
        hint={
          hydrated ? (
            <AnswerStatus state={state} isEmpty={answer === ""} />
          ) : (
            <span className="noscript:hidden">&nbsp;</span>
          )
        }
      />
      {!hydrated && problem && values.seen === undefined && (
        <blockquote className="other-text">{saved || "Empty"}</blockquote>
      )}
      {state.name === "conflict" && (
        <div className="other-text" role="alert">
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
              store.takeOther(position);
            }}
          >
            Use the other text
          </Button>
          <Button variant="ghost" size="sm" onClick={() => store.keepOwn(position)}>
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
  const words = {
    saved: isEmpty ? "Not answered yet" : "Saved",
    unsaved: "Not saved yet",
    saving: "Saving…",
    failed: "Not saved",
    conflict: "Not saved: changed elsewhere",
  };
  return (
    <output>
      {words[state.name]}
      {state.name === "failed" && `. ${state.message}`}
    </output>
  );
}

/**
 * Says above the button that submits a review how many questions have no answer; it may be submitted so. It
 * keeps its room when all have one, so that the button stays under who goes to press it.
 */
export function UnansweredNote({ answers: { entries } }: { answers: Answers }) {
  const words = unansweredCopy(entries);
  if (entries.length === 0) return null;
  return (
    <output className="unanswered" data-settled={!words || undefined}>
      {words ? `${words} You can submit all the same.` : "Every question has an answer."}
    </output>
  );
}

type AnswerState =
  | { name: "saved" | "unsaved" | "saving" }
  | { name: "failed"; message: string }
  /** Another tab has saved another answer. */
  | { name: "conflict"; current: string };

/** An answer as it stands in this tab. */
type AnswerEntry = {
  position: number;
  question: string;
  answer: string;
  /** As the server has it. */
  saved: string;
  state: AnswerState;
};

/** Sends a form to the server; `leaving` when the tab may be gone before the answer. */
export type SendAnswer = (
  fields: Record<string, string>,
  leaving?: boolean,
) => Promise<Answer<string>>;

type Options = { send: SendAnswer; pauseBeforeSaving?: number; pauseBeforeTryingAgain?: number };

/**
 * The answers to one customer's questions in one tab. What is written is sent after a short pause, one
 * request at a time for each answer; what another tab has saved is never overwritten unseen.
 */
export class AnswerStore {
  readonly #options: Required<Options>;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #underWay = new Turns<number>();
  readonly #listeners = new Set<() => void>();
  #entries: readonly AnswerEntry[];

  constructor(questions: readonly Question[], options: Options) {
    this.#options = { pauseBeforeSaving: 700, pauseBeforeTryingAgain: 8_000, ...options };
    this.#entries = questions.map(asSaved);
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The same array until something changes. */
  snapshot = (): readonly AnswerEntry[] => this.#entries;

  change(position: number, answer: string): void {
    const entry = this.#get(position);
    if (!entry || entry.answer === answer) return;
    const isConflict = entry.state.name === "conflict";
    this.#put({ ...entry, answer, state: isConflict ? entry.state : { name: "unsaved" } });
    if (!isConflict) this.#later(position, this.#options.pauseBeforeSaving);
  }

  /** Saves the answer of this tab over what another one has saved. */
  keepOwn(position: number): void {
    const entry = this.#get(position);
    if (entry?.state.name !== "conflict") return;
    this.#put({ ...entry, saved: entry.state.current, state: { name: "unsaved" } });
    this.#start(position);
  }

  /** Takes what another tab has saved. */
  takeOther(position: number): void {
    const entry = this.#get(position);
    if (entry?.state.name !== "conflict") return;
    const { current } = entry.state;
    this.#put({ ...entry, answer: current, saved: current, state: { name: "saved" } });
  }

  /** Sends what waits, and waits for all answers. @returns whether the server has everything. */
  async flush({ leaving = false } = {}): Promise<boolean> {
    for (const { position, state } of this.#entries)
      if (isToSend(state)) this.#start(position, leaving);
    await this.#underWay.settled();
    return this.#entries.every(({ state }) => state.name === "saved");
  }

  /** Whether something would be lost with the tab. */
  get isUnsaved(): boolean {
    return this.#entries.some(({ state }) => state.name !== "saved");
  }

  #get(position: number): AnswerEntry | undefined {
    return this.#entries.find((entry) => entry.position === position);
  }

  #put(changed: AnswerEntry): void {
    this.#entries = this.#entries.map((entry) =>
      entry.position === changed.position ? changed : entry,
    );
    for (const listener of this.#listeners) listener();
  }

  #later(position: number, pause: number): void {
    clearTimeout(this.#timers.get(position));
    this.#timers.set(
      position,
      setTimeout(() => this.#start(position), pause),
    );
  }

  #start(position: number, leaving = false): void {
    clearTimeout(this.#timers.get(position));
    void this.#underWay.take(position, () => this.#sendAnswer(position, leaving));
  }

  async #sendAnswer(position: number, leaving: boolean): Promise<void> {
    const entry = this.#get(position);
    if (!entry || !isToSend(entry.state)) return;
    const { answer, saved } = entry;
    this.#put({ ...entry, state: { name: "saving" } });
    const fields = { intent: "answer", position: String(position), answer, seen: saved };
    const reply = await this.#options.send(fields, leaving);
    const latest = this.#get(position)!;
    if (reply.ok) {
      const isLatest = latest.answer === answer;
      this.#put({ ...latest, saved: answer, state: { name: isLatest ? "saved" : "unsaved" } });
      if (!isLatest) this.#later(position, this.#options.pauseBeforeSaving);
      return;
    }
    if (reply.current !== undefined)
      return this.#put({ ...latest, state: { name: "conflict", current: reply.current } });
    this.#put({ ...latest, state: { name: "failed", message: reply.message } });
    if (!reply.isRefused) this.#later(position, this.#options.pauseBeforeTryingAgain);
  }
}

function asSaved({ position, question, answer }: Question): AnswerEntry {
  const saved = answer ?? "";
  return { position, question, answer: saved, saved, state: { name: "saved" } };
}

function isToSend({ name }: AnswerState): boolean {
  return name === "unsaved" || name === "failed";
}
