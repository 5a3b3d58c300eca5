/** Saves what people type or press, value by value, without React: the hook is in use-autosave.ts. */
import { Turns } from "./turns.ts";

/** The server's answer to a value that was sent. */
export type SaveResult<Saved> =
  | { ok: true; saved: Saved }
  | {
      ok: false;
      message: string;
      /** The server's value, when someone else has changed it. */
      current?: Saved;
      /** Names the error, for a screen that has to tell it from others. */
      code?: string;
      /** A message a field, where a value has several. */
      errors?: Record<string, string>;
      /** The server would refuse the same value again. */
      isRefused?: boolean;
    };

type Failure = Omit<Extract<SaveResult<never>, { ok: false }>, "ok" | "current">;

export type SaveState<Saved> =
  | { name: "saved" | "unsaved" | "saving" }
  | ({ name: "failed" } & Failure)
  | { name: "conflict"; current: Saved };

export type AutosaveEntry<Value, Saved = Value> = {
  /** The value in this tab. */
  value: Value;
  /** The value on the server, as far as this tab knows. */
  saved: Saved;
  state: SaveState<Saved>;
  /** Counts how often a value from elsewhere replaced the one in this tab, so that fields show it. */
  replaced: number;
};

type Options<Key, Value, Saved> = {
  /** Sends a value that was written over `saved`; `leaving` when the tab may be gone before the answer. */
  send(
    key: Key,
    change: { value: Value; saved: Saved; leaving: boolean },
  ): Promise<SaveResult<Saved>>;
  /** The value to show for what the server has; `value` is the one in this tab. */
  toValue(saved: Saved, value: Value): Value;
  isSame?(one: Value, other: Value): boolean;
  /** Checks whether a value can be sent yet. An incomplete one waits, and is not missed when the tab closes. */
  isReady?(entry: { value: Value; saved: Saved }): boolean;
  /** Called after each value that the server has taken. */
  onSaved?(key: Key): void;
  /** Milliseconds without a change before a value is sent. */
  pauseMs?: number;
  /** Milliseconds before a failed value is sent again; each further failure doubles them, up to eightfold. */
  retryMs?: number;
};

/**
 * Keeps values in step with the server.
 *
 * `change` takes typed text: it is sent after a pause and retried until the server has it. `press` takes a
 * choice: it is sent at once, and taken back if it fails. The values of one key are sent one after the other.
 *
 * A value that someone else has changed is never overwritten: its entry is in conflict until `keepMine` or
 * `takeTheirs` is called. A refused value is sent again only after another change or a `flush`.
 */
export class Autosave<Key, Value, Saved = Value> {
  readonly #options: Required<Options<Key, Value, Saved>>;
  readonly #queue = new Turns<Key, SaveResult<Saved>>();
  readonly #timers = new Map<Key, ReturnType<typeof setTimeout>>();
  readonly #failures = new Map<Key, number>();
  /** Values that may have reached the server although no answer came. */
  readonly #unanswered = new Map<Key, Value[]>();
  /** The values before presses that are under way. */
  readonly #beforePress = new Map<Key, Value>();
  readonly #listeners = new Set<() => void>();
  #entries: ReadonlyMap<Key, AutosaveEntry<Value, Saved>>;
  #isPaused = false;

  constructor(saved: Iterable<readonly [Key, Saved, Value]>, options: Options<Key, Value, Saved>) {
    this.#options = {
      isSame: Object.is,
      isReady: () => true,
      onSaved() {},
      pauseMs: 700,
      retryMs: 8_000,
      ...options,
    };
    this.#entries = new Map(
      [...saved].map(([key, onServer, value]) => [
        key,
        { value, saved: onServer, state: { name: "saved" }, replaced: 0 },
      ]),
    );
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Every entry by its key; the same map until something changes. */
  snapshot = (): ReadonlyMap<Key, AutosaveEntry<Value, Saved>> => this.#entries;

  get(key: Key): AutosaveEntry<Value, Saved> | undefined {
    return this.#entries.get(key);
  }

  /** Adds a value that the server does not have, or replaces an entry by it. Nothing is sent before it changes. */
  add(key: Key, value: Value, saved: Saved): void {
    this.#put(key, { value, saved, state: { name: "unsaved" }, replaced: 0 });
  }

  /** Removes an entry; an answer that is still under way changes nothing any more. */
  remove(key: Key): void {
    this.#cancel(key);
    const entries = new Map(this.#entries);
    entries.delete(key);
    this.#publish(entries);
  }

  /** Takes a typed value and sends it after the pause, or after `pauseMs` milliseconds. */
  change(key: Key, value: Value, { pauseMs = this.#options.pauseMs } = {}): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    if (entry.state.name === "conflict") return this.#put(key, { ...entry, value });
    if (this.#isOnServer(key, { ...entry, value })) {
      this.#cancel(key);
      return this.#put(key, { ...entry, value, state: { name: "saved" } });
    }
    this.#put(key, { ...entry, value, state: { name: "unsaved" } });
    this.#schedule(key, pauseMs);
  }

  /**
   * Takes a value that was chosen by a press and sends it, also when the tab closes right then.
   *
   * @returns why it failed and was taken back; null when it is saved, or another press has followed
   */
  async press(key: Key, value: Value): Promise<string | null> {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    this.#cancel(key);
    if (!this.#beforePress.has(key)) this.#beforePress.set(key, entry.value);
    this.#put(key, { ...entry, value, state: { name: "saving" } });
    const result = await this.#queue.take(key, () => this.#sendValue(key, value, true));
    const latest = this.#entries.get(key);
    const isLast = !this.#queue.has(key);
    if (latest && result.ok) this.#accept(key, latest, value, result.saved);
    if (!isLast) return null;
    const before = this.#beforePress.get(key);
    this.#beforePress.delete(key);
    if (result.ok) return null;
    this.#unanswered.delete(key);
    if (latest && before !== undefined) {
      const { ok: _ok, current, ...failure } = result;
      const state =
        current === undefined
          ? ({ name: "failed", ...failure } as const)
          : ({ name: "conflict", current } as const);
      this.#put(key, { ...latest, value: before, state });
    }
    return result.message;
  }

  /** Ends a conflict: sends the value of this tab over the server's. */
  keepMine(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry?.state.name !== "conflict") return;
    this.#put(key, { ...entry, saved: entry.state.current, state: { name: "unsaved" } });
    this.#schedule(key, 0);
  }

  /** Ends a conflict: takes the server's value. */
  takeTheirs(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry?.state.name === "conflict") this.#replace(key, entry, entry.state.current);
  }

  /** Takes news from the server, unless something was written here meanwhile. */
  receive(key: Key, saved: Saved): void {
    const entry = this.#entries.get(key);
    if (!entry || this.#queue.has(key)) return;
    const isSame = this.#options.isSame(entry.value, this.#options.toValue(saved, entry.value));
    if (isSame || entry.state.name === "saved") this.#replace(key, entry, saved);
  }

  /** Sends a value as it is, to learn whether the server still has it. */
  async check(key: Key): Promise<void> {
    await this.#queue.take(key, () => this.#send(key, { leaving: false, isCheck: true }));
  }

  /** Sends what waits, and waits for every answer. @returns whether the server has every value */
  async flush({ leaving = false } = {}): Promise<boolean> {
    for (const [key, entry] of this.#entries) if (this.#isToSend(entry)) this.#start(key, leaving);
    const results = await this.#queue.settled();
    return results.every(({ ok }) => ok) && !this.hasUnsaved;
  }

  /** Waits for what is under way, without sending anything else. */
  async settled(): Promise<void> {
    await this.#queue.settled();
  }

  /** Sends nothing while paused, as while a form that holds the values is submitted. */
  setPaused(isPaused: boolean): void {
    if (this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) return;
    for (const [key, entry] of this.#entries)
      if (this.#isToSend(entry)) this.#schedule(key, this.#options.pauseMs);
  }

  /** True when closing the tab would lose a value. A value under way may never arrive then. */
  get hasUnsaved(): boolean {
    return [...this.#entries.values()].some(
      (entry) =>
        entry.state.name !== "saved" &&
        this.#options.isReady(entry) &&
        (entry.state.name !== "failed" || !this.#isSaved(entry)),
    );
  }

  #isToSend(entry: AutosaveEntry<Value, Saved>): boolean {
    const { name } = entry.state;
    const isWaiting = name === "unsaved" || (name === "failed" && !this.#isSaved(entry));
    return isWaiting && !this.#isPaused && this.#options.isReady(entry);
  }

  #isSaved({ value, saved }: AutosaveEntry<Value, Saved>): boolean {
    return this.#options.isSame(value, this.#options.toValue(saved, value));
  }

  /** Checks whether the server certainly has this value: nothing else is under way or may have arrived. */
  #isOnServer(key: Key, entry: AutosaveEntry<Value, Saved>): boolean {
    const isOpen = this.#queue.has(key) || this.#unanswered.has(key);
    return !isOpen && this.#isSaved(entry) && this.#options.isReady(entry);
  }

  #schedule(key: Key, delay: number): void {
    this.#cancel(key);
    this.#timers.set(
      key,
      setTimeout(() => this.#start(key, false), delay),
    );
  }

  #cancel(key: Key): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
  }

  #start(key: Key, leaving: boolean): void {
    this.#cancel(key);
    void this.#queue.take(key, () => this.#send(key, { leaving, isCheck: false }));
  }

  async #send(
    key: Key,
    { leaving, isCheck }: { leaving: boolean; isCheck: boolean },
  ): Promise<SaveResult<Saved>> {
    const entry = this.#entries.get(key);
    const isDue = entry && (this.#isToSend(entry) || (isCheck && !this.#isPaused));
    if (!isDue) return { ok: true, saved: entry?.saved as Saved };
    const { value } = entry;
    if (!this.#isSaved(entry)) this.#put(key, { ...entry, state: { name: "saving" } });
    const result = await this.#sendValue(key, value, leaving);
    const latest = this.#entries.get(key);
    if (!latest) return result;
    if (result.ok) this.#accept(key, latest, value, result.saved);
    else if (result.current !== undefined) this.#compare(key, latest, result.current);
    else {
      const { ok: _ok, current: _current, ...failure } = result;
      this.#fail(key, latest, failure);
    }
    return result;
  }

  #sendValue(key: Key, value: Value, leaving: boolean): Promise<SaveResult<Saved>> {
    this.#unanswered.set(key, [...(this.#unanswered.get(key) ?? []), value]);
    return this.#options.send(key, { value, saved: this.#entries.get(key)!.saved, leaving });
  }

  #accept(key: Key, latest: AutosaveEntry<Value, Saved>, sent: Value, saved: Saved): void {
    this.#failures.delete(key);
    this.#unanswered.delete(key);
    const isLatest = this.#options.isSame(latest.value, sent);
    const value = isLatest ? this.#options.toValue(saved, latest.value) : latest.value;
    const name = isLatest ? "saved" : this.#beforePress.has(key) ? "saving" : "unsaved";
    this.#put(key, { ...latest, value, saved, state: { name } });
    if (name === "unsaved") this.#schedule(key, this.#options.pauseMs);
    this.#options.onSaved(key);
  }

  /** The server has another value than this tab took it for. */
  #compare(key: Key, latest: AutosaveEntry<Value, Saved>, current: Saved): void {
    const { isSame, toValue } = this.#options;
    const theirs = toValue(current, latest.value);
    const isOwn = this.#unanswered.get(key)?.some((value) => isSame(value, theirs)) ?? false;
    this.#unanswered.delete(key);
    if (isSame(latest.value, theirs) || this.#isSaved(latest))
      return this.#replace(key, latest, current);
    if (!isOwn) return this.#put(key, { ...latest, state: { name: "conflict", current } });
    this.#put(key, { ...latest, saved: current, state: { name: "unsaved" } });
    this.#schedule(key, 0);
  }

  #fail(key: Key, latest: AutosaveEntry<Value, Saved>, failure: Failure): void {
    this.#put(key, { ...latest, state: { name: "failed", ...failure } });
    if (failure.isRefused) return void this.#unanswered.delete(key);
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#schedule(key, this.#options.retryMs * 2 ** Math.min(failures, 3));
  }

  #replace(key: Key, entry: AutosaveEntry<Value, Saved>, saved: Saved): void {
    this.#cancel(key);
    this.#failures.delete(key);
    const value = this.#options.toValue(saved, entry.value);
    const replaced = entry.replaced + (this.#options.isSame(entry.value, value) ? 0 : 1);
    this.#put(key, { value, saved, state: { name: "saved" }, replaced });
  }

  #put(key: Key, entry: AutosaveEntry<Value, Saved>): void {
    this.#publish(new Map(this.#entries).set(key, entry));
  }

  #publish(entries: ReadonlyMap<Key, AutosaveEntry<Value, Saved>>): void {
    this.#entries = entries;
    for (const listener of this.#listeners) listener();
  }
}
