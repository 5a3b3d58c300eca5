import { Autosave, type SaveResult, type SaveState } from "../../ui/autosave.ts";
import type { ChangeResult } from "../../ui/send-change.ts";
import { sortByReadingOrder } from "../reading-order.ts";
import { normalizeArea, formatArea, type Remark, formatTargetKey } from "../rules.ts";

/** A remark in this tab, with its save state. */
export type Entry = {
  remark: Remark;
  /** The remark on the server; null if the server does not have it. */
  saved: Remark | null;
  state: SaveState<Remark | null>;
  /** The number of times another tab's remark replaced this one. A change of it resets the fields. */
  replaced: number;
};

type Snapshot = {
  /** In reading order, so the index gives the number. */
  entries: readonly Entry[];
  /** The remark that was deleted last, which undo restores. */
  deleted: Remark | null;
};

/** Sends a change; `leaving` if the tab may close before the response. */
type Send = (
  fields: Record<string, string>,
  leaving: boolean,
) => Promise<ChangeResult<Remark | null>>;

type Options = {
  send: Send;
  imageIds: readonly string[];
  /** Called after each change that the server saved. */
  onSaved?: () => void;
};

/** The remarks of one review in one tab, and their ranking, with autosave. */
export class RemarkStore {
  /** Remarks by id; null means deleted. */
  readonly #remarks: Autosave<string, Remark | null>;
  readonly #ranks: Autosave<"ranks", readonly string[]>;
  readonly #listeners = new Set<() => void>();
  /** The latest known version of each remark, including deleted ones. */
  readonly #versions = new Map<string, number>();
  /** Remarks that the server has listed. One that is missing from a later list was deleted elsewhere. */
  readonly #listed = new Set<string>();
  #imageIds: readonly string[];
  #deleted: Remark | null = null;
  #snapshot: Snapshot | null = null;

  constructor(remarks: readonly Remark[], { send, imageIds, onSaved = () => {} }: Options) {
    this.#imageIds = imageIds;
    this.#remarks = new Autosave<string, Remark | null>(
      remarks.map((remark) => [remark.id, remark, remark]),
      {
        send: (id, { value, saved, leaving }) =>
          value ? this.#sendRemark(send, value, saved, leaving) : sendDeletion(send, id, saved),
        toValue: (saved) => saved,
        isSame: isSameRemark,
        isReady: (entry) => !isBlank(entry),
        onSaved,
      },
    );
    const ranked = this.#rankedIds(remarks);
    this.#ranks = new Autosave([["ranks", ranked, ranked]], {
      send: async (_, { value }) => {
        // The server must know each ranked remark first.
        await this.#remarks.flush();
        return toSaveResult(
          await send({ intent: "rank-remarks", ids: value.join(",") }, true),
          value,
        );
      },
      toValue: (saved) => saved,
      onSaved,
    });
    for (const { id, version } of remarks) {
      this.#listed.add(id);
      this.#versions.set(id, version);
    }
    this.#remarks.subscribe(() => this.#publish());
    this.#ranks.subscribe(() => this.#publish());
  }

  /** Subscribes a listener, for `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the current state: the same object until something changes. */
  snapshot = (): Snapshot => {
    this.#snapshot ??= { entries: this.#list(), deleted: this.#deleted };
    return this.#snapshot;
  };

  /** Adds a remark. It is sent when it has text. */
  add(remark: Remark): void {
    this.#remarks.add(remark.id, remark, null);
  }

  change(id: string, change: Partial<Omit<Remark, "id" | "version">>): void {
    const before = this.#remarks.get(id)?.value;
    if (!before) return;
    const remark = { ...before, ...change };
    if (change.area) remark.area = normalizeArea(change.area);
    this.#remarks.change(id, remark);
  }

  /** Drops a new remark without text. */
  dropBlank(id: string): void {
    const entry = this.#remarks.get(id);
    if (entry && isBlank(entry)) this.delete(id);
  }

  /** Deletes a remark; `undo` restores it. */
  delete(id: string): void {
    const entry = this.#remarks.get(id);
    const remark = entry?.value;
    if (!remark) return;
    if (isBlank(entry) && entry.state.name === "unsaved") return this.#remarks.remove(id);
    if (hasText(remark)) this.#deleted = remark;
    void this.#remarks.press(id, null).then((problem) => {
      if (problem === null || this.#deleted?.id !== id) return;
      this.#deleted = null;
      this.#publish();
    });
  }

  /** Restores the remark that was deleted last. @returns its id */
  undo(): string | null {
    const remark = this.#deleted;
    if (!remark) return null;
    const { id } = remark;
    this.#deleted = null;
    this.#listed.delete(id);
    if (!this.#remarks.get(id)) this.#remarks.add(id, null, null);
    this.#remarks.change(id, remark, { pauseMs: 0 });
    return id;
  }

  /**
   * Adds a remark to the ranked ones, or removes it.
   *
   * @param limit the highest number of ranked remarks
   * @returns why it failed; null when it is saved
   */
  toggleRank(id: string, limit: number): Promise<string | null> {
    const ranked = this.#ranks.get("ranks")!.value;
    const isRanked = ranked.includes(id);
    const ids = isRanked
      ? ranked.filter((rankedId) => rankedId !== id)
      : [...ranked, id].slice(-limit);
    return this.#ranks.press("ranks", ids);
  }

  /** Resolves a conflict with this tab's remark. */
  keepMine(id: string): void {
    this.#remarks.keepMine(id);
  }

  /** Resolves a conflict with the remark, or the deletion, that was saved elsewhere. */
  takeTheirs(id: string): void {
    this.#remarks.takeTheirs(id);
  }

  /** Sets the order of screenshots, which orders their remarks. */
  setImageOrder(imageIds: readonly string[]): void {
    this.#imageIds = imageIds;
    this.#publish();
  }

  /**
   * Merges a list from the server. Unsaved changes in this tab win, and a list older than a save changes
   * nothing.
   */
  receive(remarks: readonly Remark[]): void {
    const ids = new Set(remarks.map(({ id }) => id));
    for (const remark of remarks) {
      const { id, version } = remark;
      this.#listed.add(id);
      const newest = this.#versions.get(id) ?? 0;
      const entry = this.#remarks.get(id);
      if (version < newest || (entry?.value === null && version <= newest)) continue;
      this.#versions.set(id, version);
      if (!entry) this.#remarks.add(id, remark, remark);
      this.#remarks.receive(id, remark);
    }
    for (const [id, { saved, state }] of this.#remarks.snapshot())
      if (saved && state.name === "saved" && this.#listed.has(id) && !ids.has(id))
        this.#remarks.remove(id);
    const ranked = this.#rankedIds(remarks);
    this.#ranks.receive("ranks", ranked);
  }

  /** Sends all pending changes and waits for the responses. @returns whether all were saved */
  async flush({ leaving = false } = {}): Promise<boolean> {
    const saved = await Promise.all([this.#ranks.flush(), this.#remarks.flush({ leaving })]);
    return saved.every(Boolean);
  }

  /** True if closing the tab would lose changes. */
  get hasUnsaved(): boolean {
    return this.#remarks.hasUnsaved;
  }

  #list(): Entry[] {
    const ranked = this.#ranks.get("ranks")!.value;
    const listed = [...this.#remarks.snapshot().values()].flatMap(({ value, ...entry }) => {
      if (!value) return [];
      const rank = ranked.indexOf(value.id) + 1 || null;
      const remark = { ...value, rank };
      return [{ ...remark, entry: { ...entry, remark } }];
    });
    return sortByReadingOrder(listed, this.#imageIds).map(({ entry }) => entry);
  }

  #rankedIds(remarks: readonly Remark[]): string[] {
    return remarks
      .filter(({ rank }) => rank !== null)
      .toSorted((one, other) => one.rank! - other.rank!)
      .map(({ id }) => id);
  }

  async #sendRemark(
    send: Send,
    remark: Remark,
    saved: Remark | null,
    leaving: boolean,
  ): Promise<SaveResult<Remark | null>> {
    const { id } = remark;
    const base = saved ? String(saved.version) : "";
    // A restored remark continues the version count, so that no tab confuses it with the deleted one.
    const last = saved ? "" : String(this.#versions.get(id) ?? 0);
    const fields = { intent: "save-remark", ...toRemarkFields(remark), base, last };
    const result = await send(fields, leaving);
    if (!result.ok) return result;
    const onServer = result.result as Remark;
    this.#versions.set(id, onServer.version);
    return { ok: true, saved: onServer };
  }

  #publish(): void {
    this.#snapshot = null;
    for (const listener of this.#listeners) listener();
  }
}

async function sendDeletion(
  send: Send,
  id: string,
  saved: Remark | null,
): Promise<SaveResult<Remark | null>> {
  if (!saved) return { ok: true, saved: null };
  const fields = { intent: "delete-remark", id, base: String(saved.version) };
  return toSaveResult(await send(fields, true), null);
}

function toSaveResult<Saved>(result: ChangeResult<Remark | null>, saved: Saved): SaveResult<Saved> {
  return result.ok ? { ok: true, saved } : (result as SaveResult<Saved>);
}

/** Converts a remark to form fields. */
export function toRemarkFields(remark: Remark): Record<string, string> {
  const { id, target, area, severity, criterion, text, quote, suggestion } = remark;
  return {
    id,
    target: target ? formatTargetKey(target) : "",
    area: formatArea(area),
    severity,
    criterion: criterion ?? "",
    text,
    quote: quote ?? "",
    suggestion: suggestion ?? "",
  };
}

type Written = { value: Remark | null; saved: Remark | null };

/** Checks whether a new remark has no text yet. */
function isBlank({ value, saved }: Written): boolean {
  return !saved && (!value || !hasText(value));
}

/** Checks whether an entry is a new remark without text. */
export function isBlankEntry({ remark, saved }: Entry): boolean {
  return isBlank({ value: remark, saved });
}

/** Checks whether a remark has typed text. A quote alone does not count, since it comes from a selection. */
function hasText({ text, suggestion }: Remark): boolean {
  return text.trim() !== "" || Boolean(suggestion?.trim());
}

function isSameRemark(one: Remark | null, other: Remark | null): boolean {
  if (!one || !other) return one === other;
  const [left, right] = [toRemarkFields(one), toRemarkFields(other)];
  return Object.keys(left).every((key) => left[key]!.trim() === right[key]!.trim());
}
