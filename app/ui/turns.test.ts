import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("work under one name runs in order", async () => {
  const started: string[] = [];
  const turns = new Turns<string, string>();
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const begin = (name: string, work: Promise<string>) => () => {
    started.push(name);
    return work;
  };
  const one = turns.take("remark", begin("first", first.promise));
  const two = turns.take("remark", begin("second", second.promise));
  await turns.take("score", begin("other", Promise.resolve("scored")));
  expect(started).toEqual(["first", "other"]);
  expect(turns.has("score")).toBe(false);

  first.resolve("one");
  expect(await one).toBe("one");
  expect(started).toEqual(["first", "other", "second"]);
  expect(turns.has("remark")).toBe(true);
  const settled = turns.settled();
  second.resolve("two");
  expect(await settled).toEqual(["two"]);
  expect(await two).toBe("two");
  expect(turns.has()).toBe(false);
});

test("failed work rejects and doesn't block the next", async () => {
  const turns = new Turns<string, string>();
  const failing = turns.take("remark", () => Promise.reject(new Error("no connection")));
  const next = turns.take("remark", () => Promise.resolve("saved"));
  await expect(failing).rejects.toThrow("no connection");
  expect(await next).toBe("saved");
});
