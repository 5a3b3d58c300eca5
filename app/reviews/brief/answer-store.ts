import type { Answer } from "../remarks/remark-store.ts";
import type { Question } from "./rules.ts";

export type AnswerState =
  | { name: "saved" | "unsaved" | "saving" }
  | { name: "failed"; message: string }
  /** Another tab has saved another answer. */
  | { name: "conflict"; current: string };

/** An answer as it stands in this tab. */
export type AnswerEntry = {
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
  readonly #underWay = new Map<number, Promise<void>>();
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
    await Promise.all(this.#underWay.values());
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
    const before = this.#underWay.get(position) ?? Promise.resolve();
    const own = before
      .then(() => this.#sendAnswer(position, leaving))
      .finally(() => {
        if (this.#underWay.get(position) === own) this.#underWay.delete(position);
      });
    this.#underWay.set(position, own);
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
    this.#later(position, this.#options.pauseBeforeTryingAgain);
  }
}

function asSaved({ position, question, answer }: Question): AnswerEntry {
  const saved = answer ?? "";
  return { position, question, answer: saved, saved, state: { name: "saved" } };
}

function isToSend({ name }: AnswerState): boolean {
  return name === "unsaved" || name === "failed";
}
