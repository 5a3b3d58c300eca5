import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { now } from "../platform/clock.ts";
import { Autosave, type SaveResult } from "./autosave.ts";

type Send = (
  key: string,
  change: { value: string; saved: string; leaving: boolean },
) => Promise<SaveResult<string>>;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opens an autosave with a server that accepts everything by default. */
const taking: Send = async (_, { value }) => ({ ok: true, saved: value });
const offline = { ok: false as const, message: "You're offline." };

function openAutosave(send: Send, values: Record<string, string> = { one: "", two: "The shop." }) {
  const entries = Object.entries(values).map(([key, value]) => [key, value, value] as const);
  return new Autosave<string, string>(entries, { send, toValue: (saved) => saved });
}

const stateOf = (autosave: Autosave<string, string>, key = "one") => autosave.get(key)!;
const sentBy = (send: { mock: { calls: Parameters<Send>[] } }) =>
  send.mock.calls.map(([, { value, saved }]) => [value, saved]);

/** Creates a server that answers each value when the test says so. */
function slowServer() {
  const answers: ((result: SaveResult<string>) => void)[] = [];
  const send = vi.fn<Send>(() => new Promise((answer) => answers.push(answer)));
  return { send, answers };
}

test("a typed value is sent once, after a pause", async () => {
  const send = vi.fn<Send>(taking);
  const autosave = openAutosave(send);
  autosave.change("two", "The shop, th");
  autosave.change("two", "The shop, then the app.");
  expect([stateOf(autosave, "two").state.name, autosave.hasUnsaved]).toEqual(["unsaved", true]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sentBy(send)).toEqual([["The shop, then the app.", "The shop."]]);
  expect([stateOf(autosave, "two").state.name, autosave.hasUnsaved]).toEqual(["saved", false]);
  expect(stateOf(autosave).value).toBe("");
});

test("text typed during a save is sent too", async () => {
  const { send, answers } = slowServer();
  const autosave = openAutosave(send);
  const states: string[] = [];
  autosave.subscribe(() => states.push(stateOf(autosave).state.name));
  autosave.change("one", "No");
  await vi.advanceTimersByTimeAsync(700);
  autosave.change("one", "No, but cut it.");
  answers[0]!({ ok: true, saved: "No" });
  await vi.advanceTimersByTimeAsync(700);
  expect(sentBy(send)).toEqual([
    ["No", ""],
    ["No, but cut it.", "No"],
  ]);
  expect(states).toEqual(["unsaved", "saving", "unsaved", "unsaved", "saving"]);
  answers[1]!({ ok: true, saved: "No, but cut it." });
  await vi.advanceTimersByTimeAsync(0);
  expect([states.at(-1), autosave.hasUnsaved]).toEqual(["saved", false]);
});

test("undoing a change while it is being sent sends the old value again", async () => {
  const { send, answers } = slowServer();
  const autosave = openAutosave(send);
  autosave.change("one", "No");
  await vi.advanceTimersByTimeAsync(700);
  autosave.change("one", "");
  expect(stateOf(autosave).state.name).toBe("unsaved");
  answers[0]!({ ok: true, saved: "No" });
  await vi.advanceTimersByTimeAsync(700);
  expect(sentBy(send).at(-1)).toEqual(["", "No"]);
});

test("undoing a change before it is sent sends nothing", async () => {
  const send = vi.fn<Send>(taking);
  const autosave = openAutosave(send);
  autosave.change("two", "The");
  autosave.change("two", "The shop.");
  expect(stateOf(autosave, "two").state.name).toBe("saved");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(send).not.toHaveBeenCalled();
});

test("a value changed by someone else is never overwritten", async () => {
  const conflict = { ok: false as const, message: "Changed.", current: "Yes." };
  const send = vi.fn<Send>(async () => conflict);
  const autosave = openAutosave(send);
  autosave.change("one", "No.");
  expect(await autosave.flush()).toBe(false);
  expect(stateOf(autosave).state).toEqual({ name: "conflict", current: "Yes." });
  autosave.change("one", "No, no.");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).toHaveBeenCalledTimes(1);

  send.mockImplementation(taking);
  autosave.keepMine("one");
  expect(await autosave.flush()).toBe(true);
  expect(sentBy(send)[1]).toEqual(["No, no.", "Yes."]);

  send.mockResolvedValue({ ...conflict, current: "Maybe." });
  autosave.change("one", "Never.");
  await autosave.flush();
  autosave.takeTheirs("one");
  expect(stateOf(autosave)).toMatchObject({
    value: "Maybe.",
    replaced: 1,
    state: { name: "saved" },
  });
});

test("a saved value whose answer was lost causes no conflict", async () => {
  const rows = { one: "" };
  let isLost = true;
  const send = vi.fn<Send>(async (_, { value, saved }) => {
    if (rows.one !== saved) return { ok: false, message: "Changed.", current: rows.one };
    rows.one = value;
    return isLost ? offline : { ok: true, saved: value };
  });
  const autosave = openAutosave(send);
  autosave.change("one", "Lead");
  await vi.advanceTimersByTimeAsync(700);
  expect([rows.one, stateOf(autosave).state.name]).toEqual(["Lead", "failed"]);
  isLost = false;
  autosave.change("one", "Lead with it");
  await vi.advanceTimersByTimeAsync(1_400);
  expect([rows.one, stateOf(autosave).state.name]).toEqual(["Lead with it", "saved"]);
});

test("a refused value is sent again only after another change", async () => {
  const message = "This review has already been submitted.";
  const send = vi.fn<Send>(async () => ({ ok: false, message, isRefused: true }));
  const autosave = openAutosave(send);
  autosave.change("one", "No.");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stateOf(autosave)).toMatchObject({ value: "No.", state: { name: "failed", message } });
  expect(send).toHaveBeenCalledTimes(1);
  autosave.change("one", "No, none.");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).toHaveBeenCalledTimes(2);
});

test("a failed save is retried with backoff", async () => {
  const start = now().getTime();
  const seconds: number[] = [];
  const send = vi.fn<Send>(async () => {
    seconds.push((now().getTime() - start) / 1_000);
    return offline;
  });
  const autosave = openAutosave(send);
  autosave.change("one", "No.");
  await vi.advanceTimersByTimeAsync(200_000);
  expect(seconds).toEqual([0.7, 8.7, 24.7, 56.7, 120.7, 184.7]);
  expect(stateOf(autosave).state).toMatchObject({ name: "failed", message: offline.message });
  send.mockImplementation(taking);
  expect(await autosave.flush()).toBe(true);
  expect(stateOf(autosave).state.name).toBe("saved");
});

test("a new value from the server replaces only an unchanged value", async () => {
  const autosave = openAutosave(taking);
  autosave.change("one", "Mine");
  autosave.receive("one", "Theirs");
  autosave.receive("two", "Theirs");
  expect([stateOf(autosave).value, stateOf(autosave).replaced]).toEqual(["Mine", 0]);
  expect([stateOf(autosave, "two").value, stateOf(autosave, "two").replaced]).toEqual([
    "Theirs",
    1,
  ]);
});

test("a check finds a newer value without showing that it saves", async () => {
  const send = vi.fn<Send>(async () => ({ ok: false, message: "Changed.", current: "Theirs" }));
  const autosave = openAutosave(send);
  const states = new Set<string>();
  autosave.subscribe(() => states.add(stateOf(autosave).state.name));
  await autosave.check("one");
  expect(stateOf(autosave)).toMatchObject({ value: "Theirs", replaced: 1 });
  expect([...states]).toEqual(["saved"]);
});

test("a press is sent immediately and undone if it fails", async () => {
  const send = vi.fn<Send>(taking);
  const autosave = openAutosave(send);
  expect(await autosave.press("one", "3")).toBeNull();
  expect(send.mock.calls[0]![1]).toEqual({ value: "3", saved: "", leaving: true });
  send.mockResolvedValue(offline);
  const pressed = autosave.press("one", "4");
  expect(stateOf(autosave).value).toBe("4");
  expect(await autosave.flush()).toBe(false);
  expect(await pressed).toBe(offline.message);
  expect(stateOf(autosave).value).toBe("3");
  expect(await autosave.flush()).toBe(true);
});

test("presses are sent in order, and the last one counts", async () => {
  const { send, answers } = slowServer();
  const autosave = openAutosave(send);
  const presses = [autosave.press("one", "3"), autosave.press("one", "4")];
  await vi.advanceTimersByTimeAsync(0);
  expect(sentBy(send)).toEqual([["3", ""]]);
  answers[0]!(offline);
  await vi.advanceTimersByTimeAsync(0);
  expect(stateOf(autosave).value).toBe("4");
  answers[1]!({ ok: true, saved: "4" });
  expect(await Promise.all(presses)).toEqual([null, null]);
  expect(stateOf(autosave)).toMatchObject({ value: "4", state: { name: "saved" } });
});

test("nothing is sent while paused, and everything afterwards", async () => {
  const send = vi.fn<Send>(taking);
  const autosave = openAutosave(send);
  autosave.setPaused(true);
  autosave.change("one", "No.");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).not.toHaveBeenCalled();
  autosave.setPaused(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sentBy(send)).toEqual([["No.", ""]]);
});
