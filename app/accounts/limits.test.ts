import { expect, test } from "vitest";
import { inSameTime } from "./limits.server.ts";

test("what ends at once takes as long as what has something to do, and so does what fails", async () => {
  const works = [
    async () => {},
    async () => void (await new Promise((done) => setTimeout(done, 30))),
    async () => Promise.reject(new Error("Nobody")),
  ];
  for (const work of works) {
    const begun = performance.now();
    await inSameTime(work).catch(() => {});
    const took = performance.now() - begun;
    expect(took).toBeGreaterThan(240);
  }
  await expect(inSameTime(works[2]!)).rejects.toThrow("Nobody");
});
