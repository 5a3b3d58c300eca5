import { expect, onTestFinished, test, vi } from "vitest";
import { createChangeCache } from "./change-cache.ts";

test("concurrent reads make a value once until something changes", async () => {
  const { cache, room, make, made } = setUp();
  const all = await Promise.all([1, 2, 3].map(() => room.read("a", make)));
  expect(all).toEqual([1, 1, 1]);
  cache.empty();
  expect(await room.read("a", make)).toBe(2);
  expect(made()).toBe(2);
});

test("a value that was started before a change is not cached", async () => {
  const { cache, room, make } = setUp();
  const pending = room.read("a", make);
  cache.empty();
  expect(await pending).toBe(1);
  expect(await room.read("a", make)).toBe(2);
});

test("nothing is cached while changes are not reported, and failures never are", async () => {
  const { cache, room, make } = setUp();
  await expect(room.read("b", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await room.read("b", make)).toBe(1);
  cache.setTrusted(false);
  await room.read("b", make);
  expect(await room.read("b", make)).toBe(3);
});

test("a value isn't used from the moment at which a listing lapses, whether or not a timer ran", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { cache, room, make, made } = setUp();
  cache.emptyIn(1000);
  await room.read("a", make);
  vi.advanceTimersByTime(999);
  expect(room.find("a")).toBe(1);
  const pending = room.read("b", make);
  vi.advanceTimersByTime(1);
  await pending;
  expect(room.find("a")).toBeNull();
  expect(room.find("b")).toBeNull();
  expect(await room.read("a", make)).toBe(3);
  // Another listing may lapse before the planned moment.
  cache.emptyIn(1000);
  cache.emptyIn(10);
  vi.advanceTimersByTime(10);
  expect(await room.read("a", make)).toBe(4);
  expect(made()).toBe(4);
});

test("the oldest value is evicted first", async () => {
  const { room, make } = setUp();
  for (const key of ["a", "b", "c"]) await room.read(key, make);
  expect(await room.read("c", make)).toBe(3);
  expect(await room.read("a", make)).toBe(4);
});

function setUp() {
  let count = 0;
  const cache = createChangeCache();
  cache.setTrusted(true);
  const room = cache.room<number>({ name: "numbers", max: 2 });
  return { cache, room, make: async () => ++count, made: () => count };
}
