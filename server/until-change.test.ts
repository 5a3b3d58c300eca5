import { expect, test } from "vitest";
import { untilChange } from "./until-change.ts";

test("a thing is made once, however many ask, until something changes", async () => {
  const { memory, make, made } = making();
  const all = await Promise.all([1, 2, 3].map(() => memory.read("a", make)));
  expect(all).toEqual([1, 1, 1]);
  memory.empty();
  expect(await memory.read("a", make)).toBe(2);
  expect(made()).toBe(2);
});

test("what was begun before a change is not kept", async () => {
  const { memory, make } = making();
  const begun = memory.read("a", make);
  memory.empty();
  expect(await begun).toBe(1);
  expect(await memory.read("a", make)).toBe(2);
});

test("nothing is kept while nobody tells of changes, nor what failed", async () => {
  const { memory, make } = making();
  await expect(memory.read("b", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await memory.read("b", make)).toBe(1);
  memory.setTrusted(false);
  await memory.read("b", make);
  expect(await memory.read("b", make)).toBe(3);
});

test("only the last are kept", async () => {
  const { memory, make } = making();
  for (const key of ["a", "b", "c"]) await memory.read(key, make);
  expect(await memory.read("c", make)).toBe(3);
  expect(await memory.read("a", make)).toBe(4);
});

function making() {
  let count = 0;
  const memory = untilChange<number>(2);
  memory.setTrusted(true);
  return { memory, make: async () => ++count, made: () => count };
}
