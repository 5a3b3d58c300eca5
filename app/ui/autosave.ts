/** Saves typed and chosen values one by one, without React. The hook is in use-autosave.ts. */
import { Turns } from "./turns.ts";

/** The server's answer to a sent value. */
export type SaveResult<Saved> =
  | { ok: true; saved: Saved }
  | {
      ok: false;
      message: string;
      /** The server's value, if someone else has changed it. */
      current?: Saved;
      /** Identifies the error for the screen. */
      code?: string;
      /** A message for each field, if the value has several. */
      errors?: Record<string, string>;
      /** True if the server would refuse the same value again. */
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
  /** Counts how often another value replaced this tab's value, so that fields update. */
  replaced: number;
};

type Options<Key, Value, Saved> = {
  /** Sends a value that replaces `saved`. `leaving` is true if the tab may close before the answer. */
  send(
    key: Key,
    change: { value: Value; saved: Saved; leaving: boolean },
  ): Promise<SaveResult<Saved>>;
  /** Returns the value to show for the server's value. `value` is this tab's value. */
  toValue(saved: Saved, value: Value): Value;
  isSame?(one: Value, other: Value): boolean;
  /** Checks whether a value can be sent yet. An incomplete value doesn't count as unsaved. */
  isReady?(entry: { value: Value; saved: Saved }): boolean;
  onSaved?(key: Key): void;
  /** The debounce before a value is sent. */
  pauseMs?: number;
  /** The delay before a retry, which doubles with each failure up to eightfold. */
  retryMs?: number;
};

/**
 * Keeps values in step with the server.
 *
 * `change` is for typed text, which is sent after a pause and retried until it is saved. `press` is for a choice, which
 * is sent immediately and undone if it fails. The values of one key are sent one after another.
 *
 * A value changed by someone else is never overwritten. Its entry is in conflict until `keepMine` or `takeTheirs` is
 * called. A refused value is sent again only after another change or a `flush`.
 */
export class Autosave<Key, Value, Saved = Value> {
  readonly #options: Required<Options<Key, Value, Saved>>;
  readonly #queue = new Turns<Key, SaveResult<Saved>>();
  readonly #timers = new Map<Key, ReturnType<typeof setTimeout>>();
  readonly #failures = new Map<Key, number>();
  /** Values without an answer, which the server may have saved. */
  readonly #unanswered = new Map<Key, Value[]>();
  /** The values before presses in progress. */
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

  /** Returns every entry by its key. The map is the same until something changes. */
  snapshot = (): ReadonlyMap<Key, AutosaveEntry<Value, Saved>> => this.#entries;

  get(key: Key): AutosaveEntry<Value, Saved> | undefined {
    return this.#entries.get(key);
  }

  /** Adds or replaces an entry with a value that the server doesn't have. It is sent once it changes. */
  add(key: Key, value: Value, saved: Saved): void {
    this.#put(key, { value, saved, state: { name: "unsaved" }, replaced: 0 });
  }

  /** Removes an entry. A later answer has no effect. */
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
   * Takes a chosen value and sends it, even if the tab closes immediately.
   *
   * @returns the error message if it failed and was undone, or null if it is saved or another press followed
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

  /** Takes a new value from the server, unless this tab's value changed. */
  receive(key: Key, saved: Saved): void {
    const entry = this.#entries.get(key);
    if (!entry || this.#queue.has(key)) return;
    const isSame = this.#options.isSame(entry.value, this.#options.toValue(saved, entry.value));
    if (isSame || entry.state.name === "saved") this.#replace(key, entry, saved);
  }

  /** Sends an unchanged value, to find out if the server still has it. */
  async check(key: Key): Promise<void> {
    await this.#queue.take(key, () => this.#send(key, { leaving: false, isCheck: true }));
  }

  /** Sends every waiting value and waits for the answers. @returns true if the server has every value */
  async flush({ leaving = false } = {}): Promise<boolean> {
    for (const [key, entry] of this.#entries) if (this.#isToSend(entry)) this.#start(key, leaving);
    const results = await this.#queue.settled();
    return results.every(({ ok }) => ok) && !this.hasUnsaved;
  }

  /** Waits for the values in progress, without sending others. */
  async settled(): Promise<void> {
    await this.#queue.settled();
  }

  /** Sends nothing while paused, for example while a form with the values is submitted. */
  setPaused(isPaused: boolean): void {
    if (this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) return;
    for (const [key, entry] of this.#entries)
      if (this.#isToSend(entry)) this.#schedule(key, this.#options.pauseMs);
  }

  /** True if closing the tab would lose a value. A value in progress may not arrive. */
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

  /** Checks whether the server certainly has this value, with no other value in progress or unanswered. */
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

  #accept(key: Key, latest: AutosaveEntry<Value, Saved>, draft: Value, saved: Saved): void {
    this.#failures.delete(key);
    this.#unanswered.delete(key);
    const isLatest = this.#options.isSame(latest.value, draft);
    const value = isLatest ? this.#options.toValue(saved, latest.value) : latest.value;
    const name = isLatest ? "saved" : this.#beforePress.has(key) ? "saving" : "unsaved";
    this.#put(key, { ...latest, value, saved, state: { name } });
    if (name === "unsaved") this.#schedule(key, this.#options.pauseMs);
    this.#options.onSaved(key);
  }

  /** Handles a server value that differs from the one this tab knows. */
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
