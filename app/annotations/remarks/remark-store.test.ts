import { beforeEach, expect, test, vi } from "vitest";
import type { ChangeResult } from "../../ui/send-change.ts";
import { RemarkStore } from "./remark-store.ts";
import { type Remark, remarkMessages } from "../rules.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

/** Creates a server that saves remarks as the product does, and can be offline. */
function server(remarks: Remark[] = []) {
  const rows = new Map(remarks.map((remark) => [remark.id, remark]));
  const sent: Record<string, string>[] = [];
  /** The intents of requests that survive a closed tab. */
  const outliving: string[] = [];
  let isAway = false;
  const send = async (
    fields: Record<string, string>,
    leaving = false,
  ): Promise<ChangeResult<Remark | null>> => {
    sent.push(fields);
    if (leaving) outliving.push(fields.intent!);
    await Promise.resolve();
    if (isAway) return { ok: false, message: "You're offline." };
    const row = rows.get(fields.id!);
    if (fields.intent === "rank-remarks") return { ok: true, result: null };
    if (fields.intent === "delete-remark") {
      if (row && String(row.version) !== fields.base)
        return { ok: false, message: remarkMessages.changed, current: row };
      rows.delete(fields.id!);
      return { ok: true, result: null };
    }
    if (row && row.text === fields.text) return { ok: true, result: row };
    if (row ? String(row.version) !== fields.base : fields.base !== "")
      return { ok: false, message: remarkMessages.changed, current: row ?? null };
    const version = (row?.version ?? Number(fields.last)) + 1;
    const saved = { ...remark(fields.id), text: fields.text!, version };
    rows.set(saved.id, saved);
    return { ok: true, result: saved };
  };
  return { rows, sent, outliving, send, be: (away: boolean) => (isAway = away) };
}

function remark(id = "one", change: Partial<Remark> = {}): Remark {
  return {
    id,
    target: { kind: "page", part: "resume", page: 1 },
    area: null,
    severity: "should",
    criterion: null,
    text: "Begin with the outcome.",
    quote: null,
    suggestion: null,
    rank: null,
    version: 1,
    ...change,
  };
}

function opened({ rows, send }: ReturnType<typeof server>) {
  return new RemarkStore([...rows.values()], { send, imageIds: [] });
}

const stateOf = (store: RemarkStore, id = "one") =>
  store.snapshot().entries.find((entry) => entry.remark.id === id)?.state;

test("a new text is sent once, after a pause, and numbers follow the reading order", async () => {
  const there = server([remark("last", { area: { x: 0, y: 0.9, width: 0, height: 0 } })]);
  const store = opened(there);
  store.add(remark("first", { text: "", version: 0, area: { x: 0, y: 0.1, width: 0, height: 0 } }));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(there.sent).toEqual([]);
  store.change("first", { text: "L" });
  store.change("first", { text: "Lead" });
  expect(stateOf(store, "first")).toEqual({ name: "unsaved" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(there.sent).toHaveLength(1);
  expect(there.rows.get("first")).toMatchObject({ text: "Lead", version: 1 });
  expect(store.snapshot().entries.map((entry) => entry.remark.id)).toEqual(["first", "last"]);
  expect(store.snapshot()).toBe(store.snapshot());
});

test("text typed during a save is sent after it, based on the saved version", async () => {
  const there = server([remark()]);
  const store = opened(there);
  store.change("one", { text: "Lead" });
  await vi.advanceTimersByTimeAsync(700);
  store.change("one", { text: "Lead with it" });
  expect(await store.flush()).toBe(true);
  expect(there.sent.map(({ text, base }) => [text, base])).toEqual([
    ["Lead", "1"],
    ["Lead with it", "2"],
  ]);
});

test("another tab's text is never overwritten silently: either text can be kept", async () => {
  const there = server([remark()]);
  const [left, right] = [opened(there), opened(there)];
  left.change("one", { text: "Left" });
  await left.flush();
  right.change("one", { text: "Right" });
  expect(await right.flush()).toBe(false);
  expect(stateOf(right)).toMatchObject({ name: "conflict", current: { text: "Left" } });
  expect(there.rows.get("one")?.text).toBe("Left");
  right.keepMine("one");
  await vi.advanceTimersByTimeAsync(0);
  expect(there.rows.get("one")).toMatchObject({ text: "Right", version: 3 });
  left.change("one", { text: "Left again" });
  await left.flush();
  left.takeTheirs("one");
  expect(left.snapshot().entries[0]).toMatchObject({
    remark: { text: "Right", version: 3 },
    state: { name: "saved" },
  });
});

test("a reloaded list replaces only remarks without unsaved text", async () => {
  const there = server([remark("one"), remark("two"), remark("three")]);
  const store = opened(there);
  store.change("two", { text: "Mine" });
  store.receive([remark("one", { text: "Theirs", version: 2 }), remark("two"), remark("four")]);
  const texts = store.snapshot().entries.map((entry) => entry.remark.text);
  expect(texts).toEqual(["Begin with the outcome.", "Theirs", "Mine"]);
});

test("undo restores a deleted remark, even during its save", async () => {
  const there = server();
  const store = opened(there);
  store.add(remark("one", { text: "Lead", version: 0 }));
  store.change("one", { text: "Lead on" });
  await vi.advanceTimersByTimeAsync(700);
  store.change("one", { text: "Lead on and on" });
  const saving = store.flush();
  store.delete("one");
  await saving;
  await store.flush();
  expect([...there.rows.keys()]).toEqual([]);
  store.receive([remark("one")]);
  expect(store.snapshot().entries).toEqual([]);
  expect(store.undo()).toBe("one");
  await vi.advanceTimersByTimeAsync(0);
  expect(there.rows.get("one")).toMatchObject({ text: "Lead on and on" });
  expect(there.rows.get("one")!.version).toBeGreaterThan(1);
  expect(store.snapshot().deleted).toBeNull();
});

test("a failed save is shown, and retried when the server is back", async () => {
  const there = server([remark()]);
  const store = opened(there);
  there.be(true);
  store.change("one", { text: "Lead" });
  expect(await store.flush()).toBe(false);
  expect(stateOf(store)).toEqual({ name: "failed", message: "You're offline." });
  expect(store.hasUnsaved).toBe(true);
  there.be(false);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(stateOf(store)).toEqual({ name: "saved" });
  expect(there.rows.get("one")?.text).toBe("Lead");
});

test("a refused save shows its reason, and is sent again only after a change", async () => {
  const message = "This review has already been submitted.";
  const send = vi.fn<() => Promise<ChangeResult<Remark | null>>>(async () => ({
    ok: false,
    message,
    isRefused: true,
  }));
  const store = new RemarkStore([remark()], { send, imageIds: [] });
  store.change("one", { text: "Begin with the end." });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(store.snapshot().entries[0]).toMatchObject({
    remark: { text: "Begin with the end." },
    state: { name: "failed", message },
  });
  expect(send).toHaveBeenCalledTimes(1);
  store.change("one", { text: "Begin there." });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).toHaveBeenCalledTimes(2);
});

test("a failed deletion restores the remark", async () => {
  const there = server([remark()]);
  const store = opened(there);
  there.be(true);
  store.delete("one");
  expect(store.snapshot().entries).toEqual([]);
  await store.flush();
  expect(stateOf(store)).toMatchObject({ name: "failed" });
  expect(store.snapshot().deleted).toBeNull();
});

test("a press is saved although the tab is closed immediately afterwards", async () => {
  const product = server([remark(), remark("two")]);
  const store = opened(product);
  await store.toggleRank("one", 3);
  store.delete("two");
  await vi.runAllTimersAsync();
  expect(product.outliving).toEqual(["rank-remarks", "delete-remark"]);
});

test("a fourth ranked remark replaces the first one", async () => {
  const there = server(["a", "b", "c", "d"].map((id) => remark(id)));
  const store = opened(there);
  for (const id of ["b", "a", "d", "c"]) await store.toggleRank(id, 3);
  expect(there.sent.at(-1)).toEqual({ intent: "rank-remarks", ids: "a,d,c" });
  await store.toggleRank("d", 3);
  expect(there.sent.at(-1)).toEqual({ intent: "rank-remarks", ids: "a,c" });
  const ranks = store.snapshot().entries.map((entry) => [entry.remark.id, entry.remark.rank]);
  expect(Object.fromEntries(ranks)).toEqual({ a: 1, b: null, c: 2, d: null });
});

test("ranks are sent in the order of the presses, and flush waits for them", async () => {
  const sent: (string | undefined)[] = [];
  const answers: (() => void)[] = [];
  const send = ({ ids }: Record<string, string>) =>
    new Promise<ChangeResult<Remark | null>>((answer) => {
      sent.push(ids);
      answers.push(() => answer({ ok: true, result: null }));
    });
  const store = new RemarkStore([remark()], { send, imageIds: [] });
  for (let presses = 0; presses < 2; presses += 1) void store.toggleRank("one", 3);
  let isSaved = false;
  void store.flush().then(() => (isSaved = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(["one"]);
  answers[0]!();
  await vi.advanceTimersByTimeAsync(0);
  expect([sent, isSaved]).toEqual([["one", ""], false]);
  answers[1]!();
  await vi.advanceTimersByTimeAsync(0);
  expect(isSaved).toBe(true);
});

test("a list that was asked for before a save takes nothing back", async () => {
  const there = server([remark()]);
  const store = opened(there);
  const before = [...there.rows.values()];
  store.change("one", { text: "Lead with the outcome." });
  store.add(remark("two", { version: 0, text: "Which clinic?" }));
  await store.flush();
  store.receive(before);
  const texts = store.snapshot().entries.map((entry) => entry.remark.text);
  expect(texts).toEqual(["Lead with the outcome.", "Which clinic?"]);
  store.receive([...there.rows.values()]);
  there.rows.delete("two");
  store.receive([...there.rows.values()]);
  expect(store.snapshot().entries.map((entry) => entry.remark.id)).toEqual(["one"]);
});

test("fields are replaced only when another tab has saved", async () => {
  const there = server([remark()]);
  const store = opened(there);
  const replaced = () => store.snapshot().entries[0]!.replaced;
  store.change("one", { text: "Lead" });
  await store.flush();
  store.receive([...there.rows.values()]);
  expect(replaced()).toBe(0);
  store.receive([remark("one", { text: "From another tab.", version: 3 })]);
  expect(replaced()).toBe(1);
});

test("a remark dropped before it was sent never reaches the server", async () => {
  const there = server();
  const store = opened(there);
  store.add(remark("one", { version: 0, text: "" }));
  store.dropBlank("one");
  await store.flush();
  expect([store.snapshot().entries, there.sent]).toEqual([[], []]);
});

test("pending, refused and conflicting changes count as unsaved", async () => {
  const there = server([remark()]);
  const store = opened(there);
  expect(store.hasUnsaved).toBe(false);
  store.change("one", { text: "Lead." });
  const saving = store.flush();
  await Promise.resolve();
  expect([stateOf(store), store.hasUnsaved]).toEqual([{ name: "saving" }, true]);
  await saving;
  expect(store.hasUnsaved).toBe(false);
  there.rows.set("one", remark("one", { text: "From elsewhere.", version: 9 }));
  store.change("one", { text: "Lead with it." });
  await store.flush();
  expect([stateOf(store)?.name, store.hasUnsaved]).toEqual(["conflict", true]);
});

test("a suggestion without a remark is saved", async () => {
  const there = server();
  const store = opened(there);
  store.add(remark("one", { text: "", quote: "Made an app", version: 0 }));
  store.change("one", { suggestion: "Led the redesign of an app" });
  store.dropBlank("one");
  expect(store.snapshot().entries).toHaveLength(1);
  expect(store.hasUnsaved).toBe(true);
  store.delete("one");
  expect(store.undo()).toBe("one");
});

test("ranks that could not be saved return to their former state", async () => {
  const there = server([remark()]);
  const store = opened(there);
  there.be(true);
  const toggled = store.toggleRank("one", 3);
  expect(await store.flush()).toBe(false);
  expect(await toggled).toBe("You're offline.");
  expect(store.snapshot().entries[0]!.remark.rank).toBeNull();
  expect(await store.flush()).toBe(true);
});
