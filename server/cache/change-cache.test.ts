import { expect, test } from "vitest";
import { createChangeCache } from "./change-cache.ts";

test("a thing is made once, however many ask, until something changes", async () => {
  const { cache, room, make, made } = making();
  const all = await Promise.all([1, 2, 3].map(() => room.read("a", make)));
  expect(all).toEqual([1, 1, 1]);
  cache.empty();
  expect(await room.read("a", make)).toBe(2);
  expect(made()).toBe(2);
});

test("what was begun before a change is not cached", async () => {
  const { cache, room, make } = making();
  const begun = room.read("a", make);
  cache.empty();
  expect(await begun).toBe(1);
  expect(await room.read("a", make)).toBe(2);
});

test("nothing is cached while nobody tells of changes, nor what failed", async () => {
  const { cache, room, make } = making();
  await expect(room.read("b", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await room.read("b", make)).toBe(1);
  cache.setTrusted(false);
  await room.read("b", make);
  expect(await room.read("b", make)).toBe(3);
});

test("only the last are cached", async () => {
  const { room, make } = making();
  for (const key of ["a", "b", "c"]) await room.read(key, make);
  expect(await room.read("c", make)).toBe(3);
  expect(await room.read("a", make)).toBe(4);
});

function making() {
  let count = 0;
  const cache = createChangeCache();
  cache.setTrusted(true);
  const room = cache.room<number>({ name: "numbers", most: 2 });
  return { cache, room, make: async () => ++count, made: () => count };
}
