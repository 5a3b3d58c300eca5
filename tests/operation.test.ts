import { expect, test } from "vitest";
import { testDatabase } from "./support/database.ts";
import { productOn } from "./support/running.ts";

/** What the operator of a running product sees and sets. */

const said = [
  { who: "Type designer, Chennai", says: "They saw what I had stopped seeing." },
  { who: "Game artist, Kochi", says: "One page, and I knew what to cut." },
];

test("pages show what customers said where that is set, and samples that are called so elsewhere", async () => {
  const { url } = await testDatabase();
  const unset = await productOn(url);
  for (const path of ["/", "/services"])
    expect(await textAt(unset.config.origin + path)).toMatch(/Sample<.*Sample</s);
  await unset.product.close();

  const set = await productOn(url, { TESTIMONIALS: JSON.stringify(said) });
  for (const path of ["/", "/services"]) {
    const text = await textAt(set.config.origin + path);
    for (const { who, says } of said)
      expect(text).toContain(`<p>${says}</p></blockquote><figcaption>${who}`);
    expect(text).not.toContain("Sample<");
  }
  await set.product.close();
});

test("a process that is to end says so first, answers on for its time, and is gone then", async () => {
  const { url } = await testDatabase();
  const { product, config } = await productOn(url, { DRAIN_SECONDS: "2" });
  const statusOf = async (path: string) => (await fetch(config.origin + path)).status;
  expect(await statusOf("/readyz")).toBe(200);
  const ended = product.close();
  expect(await statusOf("/readyz")).toBe(503);
  for (const path of ["/livez", "/jobs"]) expect(await statusOf(path)).toBe(200);
  await ended;
  await expect(fetch(config.origin)).rejects.toThrow();
});

async function textAt(address: string): Promise<string> {
  return (await fetch(address)).text();
}
