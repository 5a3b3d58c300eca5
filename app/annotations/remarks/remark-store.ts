import { Turns } from "../../ui/turns.ts";
import { inReadingOrder } from "../reading-order.ts";
import { cleanArea, type Remark, targetKey } from "../rules.ts";

type SaveState =
  | { name: "saved" | "unsaved" | "saving" }
  | { name: "failed"; message: string }
  /** It was changed elsewhere; null when it was deleted there. */
  | { name: "conflict"; current: Remark | null };

/** A remark as it stands in this tab. */
export type Entry = {
  remark: Remark;
  /** As the server has it; null for one that it does not have yet. */
  saved: Remark | null;
  state: SaveState;
  /** Counts how often what was saved elsewhere took its place here. */
  taken: number;
};

type Snapshot = {
  /** In reading order, which numbers them. */
  entries: readonly Entry[];
  /** The remark that was deleted last, which undo brings back. */
  deleted: Remark | null;
};

/** What the server says to a form; with what there is now where that was changed meanwhile. */
export type Answer<Current = Remark | null> =
  | { ok: true; result: unknown }
  | {
      ok: false;
      message: string;
      current?: Current;
      /** Whether the same would be refused again. */
      isRefused?: boolean;
    };

/** Sends a form to the server; `leaving` when the tab may be gone before the answer, as after a mere press. */
type Send = (fields: Record<string, string>, leaving?: boolean) => Promise<Answer>;

type Options = {
  send: Send;
  imageIds: readonly string[];
  /** Tells this browser's other tabs that the server has something new. */
  onSaved?: () => void;
  pauseBeforeSaving?: number;
  pauseBeforeTryingAgain?: number;
};

/**
 * The remarks of one review in one tab. What is written is sent after a short pause, one request at a time
 * for each remark, from the version that it was written from: what another tab has saved is never
 * overwritten unseen. What cannot be sent stays here and is tried again; what is refused is not, unless it is changed.
 */
export class RemarkStore {
  readonly #options: Required<Options>;
  #imageIds: readonly string[];
  readonly #entries = new Map<string, Entry>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #underWay = new Turns<string>();
  readonly #ranking = new Turns<"ranks", Answer>();
  readonly #listeners = new Set<() => void>();
  /** Those that were deleted here, so that a list that was asked for before does not bring them back. */
  readonly #gone = new Map<string, Remark>();
  /** Those that the server has listed: one that is missing in a later list was deleted elsewhere. */
  readonly #listed = new Set<string>();
  #deleted: Remark | null = null;
  #snapshot: Snapshot | null = null;

  constructor(remarks: readonly Remark[], options: Options) {
    this.#options = {
      onSaved() {},
      pauseBeforeSaving: 700,
      pauseBeforeTryingAgain: 8_000,
      ...options,
    };
    this.#imageIds = options.imageIds;
    for (const remark of remarks) {
      this.#entries.set(remark.id, kept(remark));
      this.#listed.add(remark.id);
    }
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The same object until something changes. */
  snapshot = (): Snapshot => {
    this.#snapshot ??= {
      entries: inReadingOrder(
        [...this.#entries.values()].map((entry) => ({ ...entry.remark, entry })),
        this.#imageIds,
      ).map(({ entry }) => entry),
      deleted: this.#deleted,
    };
    return this.#snapshot;
  };

  /** Adds a remark, which is sent once something is written in it. */
  add(remark: Remark): void {
    this.#put({ remark, saved: null, state: { name: "unsaved" }, taken: 0 });
  }

  change(id: string, change: Partial<Omit<Remark, "id" | "version">>): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    const remark = { ...entry.remark, ...change };
    if (change.area) remark.area = cleanArea(change.area);
    const isConflict = entry.state.name === "conflict";
    this.#put({ ...entry, remark, state: isConflict ? entry.state : { name: "unsaved" } });
    if (!isConflict) this.#later(id, this.#options.pauseBeforeSaving);
  }

  /** Forgets a remark that was added and in which nothing was written. */
  forgetBlank(id: string): void {
    const entry = this.#entries.get(id);
    if (entry && isBlank(entry)) this.delete(id);
  }

  /** Deletes a remark; `undo` brings it back. */
  delete(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#stop(id);
    this.#entries.delete(id);
    if (hasWords(entry.remark)) this.#deleted = entry.remark;
    this.#gone.set(id, entry.remark);
    this.#changed();
    // Of one that was never sent the server knows nothing.
    if (!entry.saved && !this.#underWay.has(id)) return;
    void this.#underWay.take(id, () => this.#sendDeletion(entry));
  }

  /** Brings the remark back that was deleted last. */
  undo(): string | null {
    const remark = this.#deleted;
    if (!remark) return null;
    this.#deleted = null;
    this.#gone.delete(remark.id);
    this.#listed.delete(remark.id);
    this.#put({ remark, saved: null, state: { name: "unsaved" }, taken: 0 });
    this.#later(remark.id, 0);
    return remark.id;
  }

  /**
   * Makes a remark the next of those that come first, or none of them.
   *
   * @returns what went wrong; null when it is saved.
   */
  async toggleRank(id: string, most: number): Promise<string | null> {
    const ranked = [...this.#entries.values()]
      .filter(({ remark }) => remark.rank !== null)
      .toSorted((one, other) => one.remark.rank! - other.remark.rank!)
      .map(({ remark }) => remark.id);
    const ids = ranked.includes(id)
      ? ranked.filter((other) => other !== id)
      : [...ranked, id].slice(-most);
    this.#rank(ids);
    const answer = await this.#ranking.take("ranks", () => this.#sendRanks(ids));
    if (answer.ok) this.#options.onSaved();
    else if (!this.#ranking.has()) this.#rank(ranked);
    return answer.ok ? null : answer.message;
  }

  async #sendRanks(ids: readonly string[]): Promise<Answer> {
    // The server must have every one of them first.
    await this.#sendWaiting();
    return this.#options.send({ intent: "rank-remarks", ids: ids.join(",") }, true);
  }

  #rank(ids: readonly string[]): void {
    for (const entry of this.#entries.values()) {
      const rank = ids.indexOf(entry.remark.id) + 1 || null;
      if (entry.remark.rank !== rank)
        this.#entries.set(entry.remark.id, { ...entry, remark: { ...entry.remark, rank } });
    }
    this.#changed();
  }

  /** Saves the text of this tab over what another one has saved. */
  keepOwn(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.state.name !== "conflict") return;
    this.#put({ ...entry, saved: entry.state.current, state: { name: "unsaved" } });
    this.#later(id, 0);
  }

  /** Takes what another tab has saved, or that it deleted it. */
  takeOther(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.state.name !== "conflict") return;
    if (entry.state.current) return this.#put(kept(entry.state.current, entry));
    this.#entries.delete(id);
    this.#changed();
  }

  /** Orders the screenshots, and with them the remarks on them. */
  arrange(imageIds: readonly string[]): void {
    this.#imageIds = imageIds;
    this.#changed();
  }

  /**
   * Takes over what the server has, where nothing was written here meanwhile. A list that was asked for
   * before the last save changes nothing.
   */
  meet(remarks: readonly Remark[]): void {
    const known = new Set(remarks.map(({ id }) => id));
    for (const remark of remarks) {
      const entry = this.#entries.get(remark.id);
      this.#listed.add(remark.id);
      if (this.#gone.has(remark.id) || isOlder(remark, entry)) continue;
      if (!entry || isSame(entry.remark, remark) || entry.state.name === "saved")
        this.#entries.set(remark.id, kept(remark, entry));
    }
    for (const { remark, saved, state } of this.#entries.values()) {
      const isGone = this.#listed.has(remark.id) && !known.has(remark.id);
      if (saved && state.name === "saved" && isGone) this.#entries.delete(remark.id);
    }
    this.#changed();
  }

  /** Sends what waits, and waits for all answers. @returns whether the server has everything. */
  async flush({ leaving = false } = {}): Promise<boolean> {
    const [[ranking]] = await Promise.all([this.#ranking.settled(), this.#sendWaiting(leaving)]);
    const areKept = [...this.#entries.values()].every(
      (entry) => entry.state.name === "saved" || isBlank(entry),
    );
    return areKept && (ranking?.ok ?? true);
  }

  /** Whether something would be lost with the tab; what is on its way may never arrive then. */
  get isUnsaved(): boolean {
    return [...this.#entries.values()].some(
      (entry) => entry.state.name !== "saved" && !isBlank(entry),
    );
  }

  async #sendWaiting(leaving = false): Promise<void> {
    for (const [id, entry] of this.#entries) if (isToSend(entry)) this.#start(id, leaving);
    await this.#underWay.settled();
  }

  #put(entry: Entry): void {
    this.#entries.set(entry.remark.id, entry);
    this.#changed();
  }

  #changed(): void {
    this.#snapshot = null;
    for (const listener of this.#listeners) listener();
  }

  #stop(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  #later(id: string, pause: number): void {
    this.#stop(id);
    this.#timers.set(
      id,
      setTimeout(() => this.#start(id), pause),
    );
  }

  #start(id: string, leaving = false): void {
    this.#stop(id);
    void this.#underWay.take(id, () => this.#sendRemark(id, leaving));
  }

  async #sendRemark(id: string, leaving: boolean): Promise<void> {
    const entry = this.#entries.get(id);
    if (!entry || !isToSend(entry)) return;
    const { remark, saved } = entry;
    this.#put({ ...entry, state: { name: "saving" } });
    const answer = await this.#options.send(
      {
        intent: "save-remark",
        ...fieldsOf(remark),
        base: saved ? String(saved.version) : "",
        last: saved ? "" : String(remark.version),
      },
      leaving,
    );
    const latest = this.#entries.get(id);
    if (!latest) return this.#noteVersion(id, answer);
    if (answer.ok) return this.#accept(latest, remark, answer.result as Remark);
    if (answer.current !== undefined) {
      return this.#put({ ...latest, state: { name: "conflict", current: answer.current } });
    }
    this.#put({ ...latest, state: { name: "failed", message: answer.message } });
    if (!answer.isRefused) this.#later(id, this.#options.pauseBeforeTryingAgain);
  }

  /** It was deleted here while it was being saved: the deletion comes behind. */
  #noteVersion(id: string, answer: Answer): void {
    const gone = this.#gone.get(id);
    if (!gone || !answer.ok) return;
    const { version } = answer.result as Remark;
    this.#gone.set(id, { ...gone, version });
    if (this.#deleted?.id === id) this.#deleted = { ...this.#deleted, version };
  }

  #accept(latest: Entry, sent: Remark, saved: Remark): void {
    const { id } = saved;
    const isLatest = isSame(latest.remark, sent);
    const rank = latest.remark.rank;
    const remark = isLatest ? { ...saved, rank } : { ...latest.remark, version: saved.version };
    this.#put({ ...latest, remark, saved, state: { name: isLatest ? "saved" : "unsaved" } });
    if (!isLatest) this.#later(id, this.#options.pauseBeforeSaving);
    this.#options.onSaved();
  }

  async #sendDeletion({ remark, saved, taken }: Entry): Promise<void> {
    if (this.#entries.has(remark.id)) return;
    const base = this.#gone.get(remark.id)?.version ?? remark.version;
    const answer = await this.#options.send(
      { intent: "delete-remark", id: remark.id, base: String(base) },
      true,
    );
    if (answer.ok) return this.#options.onSaved();
    if (this.#entries.has(remark.id)) return;
    const current = answer.current ?? saved;
    if (!current) return;
    this.#gone.delete(remark.id);
    this.#deleted = null;
    this.#put(
      answer.current === undefined
        ? { remark: current, saved, state: { name: "failed", message: answer.message }, taken }
        : { remark, saved, state: { name: "conflict", current }, taken },
    );
  }
}

/** What a form sends of a remark. */
export function fieldsOf(remark: Remark): Record<string, string> {
  const { id, target, area, severity, criterion, text, quote, suggestion } = remark;
  return {
    id,
    target: target ? targetKey(target) : "",
    x: String(area?.x ?? ""),
    y: String(area?.y ?? ""),
    width: String(area?.width ?? ""),
    height: String(area?.height ?? ""),
    severity,
    criterion: criterion ?? "",
    text,
    quote: quote ?? "",
    suggestion: suggestion ?? "",
  };
}

function kept(remark: Remark, before?: Entry): Entry {
  const taken = before ? before.taken + (isSame(before.remark, remark) ? 0 : 1) : 0;
  return { remark, saved: remark, state: { name: "saved" }, taken };
}

function isOlder(remark: Remark, entry: Entry | undefined): boolean {
  return remark.version < (entry?.saved?.version ?? 0);
}

/** Whether nothing was written in a remark that the server does not have. */
export function isBlank({ remark, saved }: Entry): boolean {
  return !saved && !hasWords(remark);
}

/** Words of the page are quoted by a press; a wording that is suggested was typed. */
function hasWords({ text, suggestion }: Remark): boolean {
  return text.trim() !== "" || Boolean(suggestion?.trim());
}

function isToSend(entry: Entry): boolean {
  const waits = entry.state.name === "unsaved" || entry.state.name === "failed";
  return waits && !isBlank(entry);
}

function isSame(one: Remark, other: Remark): boolean {
  const [left, right] = [fieldsOf(one), fieldsOf(other)];
  return Object.keys(left).every((key) => left[key]!.trim() === right[key]!.trim());
}
