import { Autosave, type SaveResult, type SaveState } from "../../ui/autosave.ts";
import type { ChangeResult } from "../../ui/send-change.ts";
import { sortByReadingOrder } from "../reading-order.ts";
import { normalizeArea, formatArea, type Remark, formatTargetKey } from "../rules.ts";

/** A remark as it is in this tab. */
export type Entry = {
  remark: Remark;
  /** The remark on the server; null when the server does not have it. */
  saved: Remark | null;
  state: SaveState<Remark | null>;
  /** Counts how often a remark from elsewhere replaced this one, so that its fields show it. */
  replaced: number;
};

type Snapshot = {
  /** In reading order, which numbers them. */
  entries: readonly Entry[];
  /** The remark that was deleted last, which undo brings back. */
  deleted: Remark | null;
};

/** Sends a change of remarks; `leaving` when the tab may be gone before the answer. */
type Send = (
  fields: Record<string, string>,
  leaving: boolean,
) => Promise<ChangeResult<Remark | null>>;

type Options = {
  send: Send;
  imageIds: readonly string[];
  /** Called after each change that the server has taken. */
  onSaved?: () => void;
};

/** The remarks of one review in one tab, and which of them come first. They save themselves. */
export class RemarkStore {
  /** Remarks by id; null means deleted. */
  readonly #remarks: Autosave<string, Remark | null>;
  readonly #ranks: Autosave<"ranks", readonly string[]>;
  readonly #listeners = new Set<() => void>();
  /** The latest version of each remark that this tab knows, also of deleted ones. */
  readonly #versions = new Map<string, number>();
  /** Remarks that the server has listed: one that is missing in a later list was deleted elsewhere. */
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
        // The server must have each of them first.
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

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The same object until something changes. */
  snapshot = (): Snapshot => {
    this.#snapshot ??= { entries: this.#list(), deleted: this.#deleted };
    return this.#snapshot;
  };

  /** Adds a remark. It is sent once something is written in it. */
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

  /** Drops a remark that was added and in which nothing was written. */
  dropBlank(id: string): void {
    const entry = this.#remarks.get(id);
    if (entry && isBlank(entry)) this.delete(id);
  }

  /** Deletes a remark; `undo` brings it back. */
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

  /** Brings back the remark that was deleted last. @returns its id */
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
   * Makes a remark the next of those that come first, or none of them.
   *
   * @param most how many can come first
   * @returns why it failed; null when it is saved
   */
  toggleRank(id: string, most: number): Promise<string | null> {
    const ranked = this.#ranks.get("ranks")!.value;
    const isRanked = ranked.includes(id);
    const ids = isRanked ? ranked.filter((other) => other !== id) : [...ranked, id].slice(-most);
    return this.#ranks.press("ranks", ids);
  }

  /** Saves the remark of this tab over the one that was saved elsewhere. */
  keepMine(id: string): void {
    this.#remarks.keepMine(id);
  }

  /** Takes the remark that was saved elsewhere, or that it was deleted there. */
  takeTheirs(id: string): void {
    this.#remarks.takeTheirs(id);
  }

  /** Orders the screenshots, and with them the remarks on them. */
  setImageOrder(imageIds: readonly string[]): void {
    this.#imageIds = imageIds;
    this.#publish();
  }

  /** Takes a list from the server, except where something was written here. A list older than a save changes nothing. */
  receive(remarks: readonly Remark[]): void {
    const ids = new Set(remarks.map(({ id }) => id));
    for (const remark of remarks) {
      const { id, version } = remark;
      this.#listed.add(id);
      const known = this.#versions.get(id) ?? 0;
      const entry = this.#remarks.get(id);
      if (version < known || (entry?.value === null && version <= known)) continue;
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

  /** Sends what waits, and waits for every answer. @returns whether the server has everything */
  async flush({ leaving = false } = {}): Promise<boolean> {
    const saved = await Promise.all([this.#ranks.flush(), this.#remarks.flush({ leaving })]);
    return saved.every(Boolean);
  }

  /** True when closing the tab would lose something. */
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
    // A remark that comes back by undo goes on counting, so that no tab takes it for the deleted one.
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

/** The fields of a form that sends a remark. */
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

/** A press quotes words of the page; text and suggestion are typed. */
function hasText({ text, suggestion }: Remark): boolean {
  return text.trim() !== "" || Boolean(suggestion?.trim());
}

function isSameRemark(one: Remark | null, other: Remark | null): boolean {
  if (!one || !other) return one === other;
  const [left, right] = [toRemarkFields(one), toRemarkFields(other)];
  return Object.keys(left).every((key) => left[key]!.trim() === right[key]!.trim());
}
