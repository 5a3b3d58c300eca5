import { afterEach, expect, test, vi } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { now, second } from "./clock.ts";
import { readEachMinute } from "./each-minute.server.ts";

const { db } = await testDatabase();
afterEach(() => void vi.useRealTimers());

test("what was read stands for a minute, but a failure does not", async () => {
  let times = 0;
  const read = () =>
    readEachMinute(db, "tries", async () => {
      times += 1;
      if (times === 1) throw new Error("not now");
      return times;
    });
  await expect(read()).rejects.toThrow("not now");
  expect([await read(), await read()]).toEqual([2, 2]);
  vi.useFakeTimers({ now: now().getTime() + 61 * second });
  expect(await read()).toBe(3);
});
