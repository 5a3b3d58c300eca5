import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { TooMany } from "../../platform/errors.ts";
import { rateLimits } from "../../platform/tables.server.ts";
import { findKnownDevice, buildKnownDeviceCookie } from "../sessions/known-device.server.tsx";
import { countSignInTry } from "./sign-in.server.ts";

const config = testConfig();
const [asha, ravi] = ["asha@example.com", "ravi@example.com"];
const { db } = await testDatabase();

beforeEach(async () => {
  await db.delete(rateLimits);
  stopClock();
});

test("a device is known only to the accounts that signed in on it", () => {
  const once = sentBack(buildKnownDeviceCookie(config, null, asha));
  expect(findKnownDevice(config, once, asha)).not.toBeNull();
  expect(findKnownDevice(config, once, ravi)).toBeNull();
  const shared = sentBack(buildKnownDeviceCookie(config, once, ravi));
  expect(findKnownDevice(config, shared, asha)).not.toBeNull();
  expect(findKnownDevice(config, shared, ravi)).not.toBeNull();
  expect(buildKnownDeviceCookie(config, shared, ravi)).toHaveLength(
    buildKnownDeviceCookie(config, shared, asha).length,
  );
});

test("a device remembers the last five accounts", () => {
  const emails = [1, 2, 3, 4, 5, 6].map((turn) => `visitor${turn}@example.com`);
  const cookie = emails.reduce<string | null>(
    (former, email) => sentBack(buildKnownDeviceCookie(config, former, email)),
    null,
  );
  expect(emails.map((email) => findKnownDevice(config, cookie, email) !== null)).toEqual([
    false,
    true,
    true,
    true,
    true,
    true,
  ]);
});

test("the device cookie contains no address and is only for this host, not for scripts", () => {
  const header = buildKnownDeviceCookie(config, null, asha);
  expect(header).toMatch(
    /^known-device-3000=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  expect(decodeURIComponent(header)).not.toContain("asha");
  const online = { ...config, origin: "https://example.com" };
  expect(buildKnownDeviceCookie(online, null, asha)).toMatch(/^__Host-known-device=.*; Secure;/);
});

test("a forged cookie doesn't make a device known", () => {
  const own = sentBack(buildKnownDeviceCookie(config, null, ravi));
  const [, device, signature] = /=([^.;]+)\.([^.;]+)/.exec(own)!;
  const forged = [
    "",
    ".",
    device!,
    `${device}.`,
    `${device}.${"A".repeat(43)}`,
    `${device}.${signature}`,
    `${"A".repeat(22)}.${signature}`,
    `${device}.${asha}`,
    "x".repeat(3000),
    "%00.%00",
  ];
  for (const value of forged)
    expect(findKnownDevice(config, `known-device-3000=${value}`, asha), value).toBeNull();
  const elsewhere = { ...config, secrets: ["the secret of another installation"] };
  expect(
    findKnownDevice(config, sentBack(buildKnownDeviceCookie(elsewhere, null, asha)), asha),
  ).toBeNull();
});

test("a device stays known after a change of the secret, and is then signed with the new one", () => {
  const cookie = sentBack(buildKnownDeviceCookie(config, null, asha));
  const secrets = ["a newer secret of this installation", ...config.secrets];
  const changed = { ...config, secrets };
  expect(findKnownDevice(changed, cookie, asha)).not.toBeNull();
  const renewed = sentBack(buildKnownDeviceCookie(changed, cookie, asha));
  expect(renewed.length).toBe(cookie.length);
  expect(
    findKnownDevice({ ...config, secrets: secrets.slice(0, 1) }, renewed, asha),
  ).not.toBeNull();
});

test("guesses from many networks lock out unknown devices, but not a known one", async () => {
  const owner = findKnownDevice(config, sentBack(buildKnownDeviceCookie(config, null, asha)), asha);
  const guess = (turn: number) => tryFrom(`192.0.${turn}.1`, null);
  for (let turn = 0; turn < 60; turn += 1) await guess(turn);
  await expect(guess(60)).rejects.toThrow(TooMany);
  await tryFrom("192.0.61.1", owner);
  await tryFrom("192.0.61.1", null, ravi);
});

test("a network can try an account ten times, without affecting other networks", async () => {
  for (let turn = 0; turn < 10; turn += 1) await tryFrom("192.0.2.1", null);
  await expect(tryFrom("192.0.2.1", null)).rejects.toThrow(TooMany);
  await tryFrom("192.0.2.1", null, ravi);
  await tryFrom("192.0.2.2", null);
});

test("all addresses of an IPv6 network share one limit", async () => {
  for (let turn = 0; turn < 10; turn += 1) await tryFrom(`2001:db8:1:2::${turn}`, null);
  await expect(tryFrom("2001:db8:1:2:ffff::1", null)).rejects.toThrow(TooMany);
  await tryFrom("2001:db8:1:3::1", null);
});

test("a network can try fifty times across all accounts", async () => {
  const account = (turn: number) => `visitor${turn}@example.com`;
  for (let turn = 0; turn < 50; turn += 1) await tryFrom("192.0.2.1", null, account(turn));
  await expect(tryFrom("192.0.2.1", null, account(50))).rejects.toThrow(TooMany);
});

test("each known device has its own limit", async () => {
  const devices = [1, 2].map(() =>
    findKnownDevice(config, sentBack(buildKnownDeviceCookie(config, null, asha)), asha),
  );
  for (let turn = 0; turn < 10; turn += 1) await tryFrom(`192.0.2.${turn}`, devices[0]!);
  await expect(tryFrom("192.0.2.11", devices[0]!)).rejects.toThrow(TooMany);
  await tryFrom("192.0.2.11", devices[1]!);
});

test("correct passwords don't use up the limit of a shared network", async () => {
  const device = findKnownDevice(
    config,
    sentBack(buildKnownDeviceCookie(config, null, asha)),
    asha,
  );
  for (let turn = 0; turn < 70; turn += 1) await (await tryFrom("2001:db8:1:2::1", null))();
  for (let turn = 0; turn < 70; turn += 1) await (await tryFrom("192.0.2.1", device))();
  for (let turn = 0; turn < 10; turn += 1) await tryFrom("2001:db8:1:2::1", null);
  await expect(tryFrom("2001:db8:1:2::1", null)).rejects.toThrow(TooMany);
  await (
    await tryFrom("192.0.2.1", null, ravi)
  )();
});

test("refused attempts don't use up the limit while many people sign in", async () => {
  const account = (turn: number) => `visitor${turn}@example.com`;
  const pending = [];
  for (let turn = 0; turn < 50; turn += 1)
    pending.push(await tryFrom("192.0.2.1", null, account(turn)));
  for (let turn = 50; turn < 120; turn += 1)
    await expect(tryFrom("192.0.2.1", null, account(turn))).rejects.toThrow(TooMany);
  for (const uncount of pending) await uncount();
  for (let turn = 50; turn < 99; turn += 1) await tryFrom("192.0.2.1", null, account(turn));
});

test("too many attempts at one account don't lock out others on the network", async () => {
  for (let turn = 0; turn < 10; turn += 1) await tryFrom("192.0.2.1", null);
  for (let turn = 0; turn < 60; turn += 1)
    await expect(tryFrom("192.0.2.1", null)).rejects.toThrow(TooMany);
  await tryFrom("192.0.2.1", null, ravi);
});

// Covered by "tests/bounds.test.ts: trying passwords".
test("a network can sign in only a thousand times, even with correct passwords @slow", async () => {
  for (let turn = 0; turn < 1000; turn += 1) await (await tryFrom("192.0.2.1", null))();
  await expect(tryFrom("192.0.2.1", null)).rejects.toThrow(TooMany);
  await tryFrom("192.0.2.2", null);
});

function tryFrom(clientAddress: string, device: string | null, email = asha) {
  return countSignInTry({ db, config }, email, { clientAddress, device });
}

/** Converts a `Set-Cookie` header to the `Cookie` header that a browser sends back. */
function sentBack(setCookie: string): string {
  return setCookie.split(";")[0]!;
}
