import { expect, test, vi } from "vitest";
import { AnswerStore, type SendAnswer } from "./answers.tsx";

const questions = [
  { position: 1, question: "Too long?", answer: null },
  { position: 2, question: "Which work first?", answer: "The shop." },
];

function answers(send: SendAnswer) {
  return new AnswerStore(questions, { send, pauseBeforeSaving: 0 });
}
const stateOf = (store: AnswerStore, position = 1) =>
  store.snapshot().find((entry) => entry.position === position)!;

test("what is typed is sent once it rests, with the answer that it was written over", async () => {
  const send = vi.fn<SendAnswer>(async () => ({ ok: true, result: null }));
  const store = answers(send);
  store.change(2, "The shop, th");
  store.change(2, "The shop, then the app.");
  expect(store.isUnsaved).toBe(true);
  await expect.poll(() => stateOf(store, 2).state.name).toBe("saved");
  expect(send.mock.calls.map(([fields]) => fields)).toEqual([
    { intent: "answer", position: "2", answer: "The shop, then the app.", seen: "The shop." },
  ]);
  expect(stateOf(store).answer).toBe("");
});

test("what is typed while an answer is on its way is sent behind it", async () => {
  const replies: ((reply: { ok: true; result: null }) => void)[] = [];
  const send = vi.fn<SendAnswer>(() => new Promise((reply) => replies.push(reply)));
  const store = answers(send);
  store.change(1, "No");
  const flushed = store.flush();
  await expect.poll(() => replies).toHaveLength(1);
  store.change(1, "No, but cut it.");
  replies[0]!({ ok: true, result: null });
  await flushed;
  await expect.poll(() => replies).toHaveLength(2);
  expect(send.mock.calls[1]![0]).toMatchObject({ answer: "No, but cut it.", seen: "No" });
  replies[1]!({ ok: true, result: null });
  await expect.poll(() => store.isUnsaved).toBe(false);
});

test("an answer that another tab has saved waits for a choice, and is then kept or replaced", async () => {
  const conflict = { ok: false as const, message: "Changed.", current: "Yes." };
  const send = vi.fn<SendAnswer>(async () => conflict);
  const store = answers(send);
  store.change(1, "No.");
  expect(await store.flush()).toBe(false);
  expect(stateOf(store).state).toEqual({ name: "conflict", current: "Yes." });
  store.change(1, "No, no.");
  expect(send).toHaveBeenCalledTimes(1);

  send.mockResolvedValue({ ok: true, result: null });
  store.keepOwn(1);
  expect(await store.flush()).toBe(true);
  expect(send.mock.calls[1]![0]).toMatchObject({ answer: "No, no.", seen: "Yes." });

  send.mockResolvedValue({ ...conflict, current: "Maybe." });
  store.change(1, "Never.");
  await store.flush();
  store.takeOther(1);
  expect(stateOf(store)).toMatchObject({ answer: "Maybe.", state: { name: "saved" } });
});

test("what is refused stays, says why, and is sent again only once it is changed", async () => {
  vi.useFakeTimers();
  const message = "This review has already been submitted.";
  const send = vi.fn<SendAnswer>(async () => ({ ok: false, message, isRefused: true }));
  const store = new AnswerStore(questions, { send });
  store.change(1, "No.");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stateOf(store)).toMatchObject({ answer: "No.", state: { name: "failed", message } });
  expect(send).toHaveBeenCalledTimes(1);
  store.change(1, "No, none.");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

test("what cannot be sent stays, says why, and is tried again", async () => {
  const send = vi.fn<SendAnswer>(async () => ({ ok: false, message: "You seem to be offline." }));
  const store = new AnswerStore(questions, {
    send,
    pauseBeforeSaving: 0,
    pauseBeforeTryingAgain: 0,
  });
  store.change(1, "No.");
  await expect.poll(() => stateOf(store).state.name).toBe("failed");
  send.mockResolvedValue({ ok: true, result: null });
  await expect.poll(() => stateOf(store).state.name).toBe("saved");
  expect(stateOf(store).answer).toBe("No.");
});
