import { expect, test, vi } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { stopClock } from "../../tests/support/product/stop-clock.ts";
import { hour, minute, now } from "./clock.ts";
import { TooMany } from "./errors.ts";
import { countClientTry, countTry, listNetworks } from "./rate-limit.server.ts";

const limit = { name: "test", max: 3, windowMs: 10 * minute };
const { db } = await testDatabase();

test("the fourth try is refused, but not for another subject", async () => {
  stopClock();
  const on = { db, config: { rateLimits: "on" as const } };
  for (const _try of [1, 2, 3]) await countTry(on, limit, "asha");
  await expect(countTry(on, limit, "asha")).rejects.toThrow(TooMany);
  await expect(countTry(on, limit, "asha")).rejects.toThrow(/Please try again in/);
  await countTry(on, limit, "ravi");
  vi.setSystemTime(now().getTime() + hour);
  await countTry(on, limit, "asha");
});

test("no more concurrent tries pass than the limit allows", async () => {
  stopClock();
  const on = { db, config: { rateLimits: "on" as const } };
  const tries = await Promise.allSettled(
    Array.from({ length: 20 }, () => countTry(on, limit, "many")),
  );
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
});

test("everything passes when limits are off", async () => {
  const off = { db, config: { rateLimits: "off" as const } };
  await Promise.all(Array.from({ length: 20 }, () => countTry(off, limit, "load test")));
});

test.each([
  ["192.0.2.7", "192.0.2.7", null],
  ["::ffff:192.0.2.7", "192.0.2.7", null],
  ["::FFFF:c000:0207", "192.0.2.7", null],
  ["0:0:0:0:0:ffff:c000:207", "192.0.2.7", null],
  ["2001:db8:0:1:2:3:4:5", "2001:db8:0:1::/64", "2001:db8:0::/48"],
  ["2001:0DB8:0000:0001::5", "2001:db8:0:1::/64", "2001:db8:0::/48"],
  ["2001:db8::", "2001:db8:0:0::/64", "2001:db8:0::/48"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48"],
  ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
  ["unknown", "unknown", null],
  ["2001:db8:::1", "2001:db8:::1", null],
])("the network of %s is %s, within %s", (address, own, around) => {
  expect(listNetworks(address)).toEqual({ own, around });
});

test("a network counts as one client, and the wider network has a looser limit", async () => {
  stopClock();
  const on = { db, config: { rateLimits: "on" as const } };
  const twice = { name: "network", max: 2, windowMs: 10 * minute };
  for (const last of ["1", "2"]) await countClientTry(on, twice, `2001:db8:5:1::${last}`);
  await expect(countClientTry(on, twice, "2001:db8:5:1::3")).rejects.toThrow(TooMany);
  const neighbours = Array.from({ length: 30 }, (_, turn) => `2001:db8:5:${turn + 2}::1`);
  for (const address of neighbours) await countClientTry(on, twice, address);
  await expect(countClientTry(on, twice, "2001:db8:5:99::1")).rejects.toThrow(TooMany);
  await countClientTry(on, twice, "2001:db8:6:1::1");
});
