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

test("a device is known to the accounts that were signed in to on it, and to no other", () => {
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

test("the five accounts signed in to last are remembered", () => {
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

test("the cookie names no address, is for this host alone, and no script reads it", () => {
  const header = buildKnownDeviceCookie(config, null, asha);
  expect(header).toMatch(
    /^known-device-3000=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  expect(decodeURIComponent(header)).not.toContain("asha");
  const online = { ...config, origin: "https://example.com" };
  expect(buildKnownDeviceCookie(online, null, asha)).toMatch(/^__Host-known-device=.*; Secure;/);
});

test("nobody makes a device known but us", () => {
  const own = sentBack(buildKnownDeviceCookie(config, null, ravi));
  const [, device, mark] = /=([^.;]+)\.([^.;]+)/.exec(own)!;
  const made = [
    "",
    ".",
    device!,
    `${device}.`,
    `${device}.${"A".repeat(43)}`,
    `${device}.${mark}`,
    `${"A".repeat(22)}.${mark}`,
    `${device}.${asha}`,
    "x".repeat(3000),
    "%00.%00",
  ];
  for (const value of made)
    expect(findKnownDevice(config, `known-device-3000=${value}`, asha), value).toBeNull();
  const elsewhere = { ...config, secret: "the secret of another installation" };
  expect(
    findKnownDevice(config, sentBack(buildKnownDeviceCookie(elsewhere, null, asha)), asha),
  ).toBeNull();
});

test("guesses from anywhere lock out strangers to the account, and not a device it knows", async () => {
  const owner = findKnownDevice(config, sentBack(buildKnownDeviceCookie(config, null, asha)), asha);
  const guess = (turn: number) => from(`192.0.${turn}.1`, null);
  for (let turn = 0; turn < 60; turn += 1) await guess(turn);
  await expect(guess(60)).rejects.toThrow(TooMany);
  await from("192.0.61.1", owner);
  await from("192.0.61.1", null, ravi);
});

test("a network tries an account ten times, and no other network pays for it", async () => {
  for (let turn = 0; turn < 10; turn += 1) await from("192.0.2.1", null);
  await expect(from("192.0.2.1", null)).rejects.toThrow(TooMany);
  await from("192.0.2.1", null, ravi);
  await from("192.0.2.2", null);
});

test("whoever owns an IPv6 network is one, whatever address in it they use", async () => {
  for (let turn = 0; turn < 10; turn += 1) await from(`2001:db8:1:2::${turn}`, null);
  await expect(from("2001:db8:1:2:ffff::1", null)).rejects.toThrow(TooMany);
  await from("2001:db8:1:3::1", null);
});

test("a network tries fifty times, whichever accounts", async () => {
  const account = (turn: number) => `visitor${turn}@example.com`;
  for (let turn = 0; turn < 50; turn += 1) await from("192.0.2.1", null, account(turn));
  await expect(from("192.0.2.1", null, account(50))).rejects.toThrow(TooMany);
});

test("a known device has a limit too, which is its own", async () => {
  const marks = [1, 2].map(() =>
    findKnownDevice(config, sentBack(buildKnownDeviceCookie(config, null, asha)), asha),
  );
  for (let turn = 0; turn < 10; turn += 1) await from(`192.0.2.${turn}`, marks[0]!);
  await expect(from("192.0.2.11", marks[0]!)).rejects.toThrow(TooMany);
  await from("192.0.2.11", marks[1]!);
});

test("who knows the password pays for no limit of guesses, however many share a network", async () => {
  const device = findKnownDevice(
    config,
    sentBack(buildKnownDeviceCookie(config, null, asha)),
    asha,
  );
  for (let turn = 0; turn < 70; turn += 1) await (await from("2001:db8:1:2::1", null))();
  for (let turn = 0; turn < 70; turn += 1) await (await from("192.0.2.1", device))();
  for (let turn = 0; turn < 10; turn += 1) await from("2001:db8:1:2::1", null);
  await expect(from("2001:db8:1:2::1", null)).rejects.toThrow(TooMany);
  await (
    await from("192.0.2.1", null, ravi)
  )();
});

test("who is refused while many sign in at once pays for none of them", async () => {
  const account = (turn: number) => `visitor${turn}@example.com`;
  const underWay = [];
  for (let turn = 0; turn < 50; turn += 1)
    underWay.push(await from("192.0.2.1", null, account(turn)));
  for (let turn = 50; turn < 120; turn += 1)
    await expect(from("192.0.2.1", null, account(turn))).rejects.toThrow(TooMany);
  for (const uncount of underWay) await uncount();
  for (let turn = 50; turn < 99; turn += 1) await from("192.0.2.1", null, account(turn));
});

test("who tries one account too often locks nobody else of the network out", async () => {
  for (let turn = 0; turn < 10; turn += 1) await from("192.0.2.1", null);
  for (let turn = 0; turn < 60; turn += 1)
    await expect(from("192.0.2.1", null)).rejects.toThrow(TooMany);
  await from("192.0.2.1", null, ravi);
});

test("however right the passwords are, a network has only so many of them hashed", async () => {
  for (let turn = 0; turn < 1000; turn += 1) await (await from("192.0.2.1", null))();
  await expect(from("192.0.2.1", null)).rejects.toThrow(TooMany);
  await from("192.0.2.2", null);
});

function from(clientAddress: string, device: string | null, email = asha) {
  return countSignInTry({ db, config }, email, { clientAddress, device });
}

/** The `Cookie` header that a browser makes of a `Set-Cookie` header. */
function sentBack(setCookie: string): string {
  return setCookie.split(";")[0]!;
}
