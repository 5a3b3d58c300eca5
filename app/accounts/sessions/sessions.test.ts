import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { linkMailedTo, mailsTo, tokenMailedTo } from "../../../tests/support/rows/mailbox.ts";
import { givePassword, person, signedIn } from "../../../tests/support/rows/people.ts";
import { minute, now } from "../../platform/clock.ts";
import { hashPassword } from "../passwords.server.ts";
import { findActor, recordSessionUse, openSession } from "../session.server.ts";
import { confirmAddress, signUp } from "../sign-up/sign-up.server.tsx";
import { sessions, users } from "../tables.server.ts";
import {
  formatDevice,
  revokeOtherSessions,
  revokeOwnSession,
  listOwnSessions,
} from "./sessions.server.ts";

const config = testConfig();
const password = "correct horse";
const passwordHash = await hashPassword(password);
const { db } = await testDatabase();
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0";
const iPhone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

test("user agents are shown as device names", () => {
  expect(formatDevice(firefox)).toBe("Firefox on Linux");
  expect(formatDevice(iPhone)).toBe("Safari on iPhone");
  for (const odd of [null, "", "x".repeat(300), "\u0000", "<script>alert(1)</script>"])
    expect(formatDevice(odd)).toBe("Unknown browser");
});

test("a person sees only their own sessions, the current one first", async () => {
  const [asha, ravi] = [await account(), await account()];
  await openSession(db, ravi.id, { userAgent: firefox });
  await openSession(db, asha.id, { userAgent: firefox });
  const { actor } = (await findActor(db, (await openSession(db, asha.id)).token))!;
  await openSession(db, asha.id, { userAgent: iPhone });
  const { sessions: own, more } = await listOwnSessions(db, actor);
  expect(own.map(({ device, isThis }) => [device, isThis])).toEqual([
    ["Unknown browser", true],
    ["Safari on iPhone", false],
    ["Firefox on Linux", false],
  ]);
  expect(more).toBe(0);
});

test("the use of a session is recorded at most every five minutes", async () => {
  const asha = await account();
  const { token } = await openSession(db, asha.id);
  expect((await findActor(db, token))?.needsSeenUpdate).toBe(false);
  vi.useFakeTimers({ now: now().getTime() + 6 * minute, toFake: ["Date"] });
  try {
    const { actor, needsSeenUpdate } = (await findActor(db, token))!;
    expect(needsSeenUpdate).toBe(true);
    await recordSessionUse(db, actor.sessionId);
    expect((await findActor(db, token))?.needsSeenUpdate).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test("a session can be ended once, and only by its owner", async () => {
  const [asha, ravi] = [await account(), await account()];
  const { token } = await openSession(db, asha.id);
  const { sessionId } = (await findActor(db, token))!.actor;
  await expect(revokeOwnSession(db, ravi, sessionId)).rejects.toThrow("already ended");
  await expect(revokeOwnSession(db, ravi, "no id")).rejects.toThrow("already ended");
  expect(await findActor(db, token)).not.toBeNull();
  const twice = await Promise.allSettled([1, 2].map(() => revokeOwnSession(db, asha, sessionId)));
  expect(twice.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await findActor(db, token)).toBeNull();
});

test("all other sessions can be ended together, and the current one stays", async () => {
  const asha = await account();
  const here = await openSession(db, asha.id);
  const others = [await openSession(db, asha.id), await openSession(db, asha.id)];
  const { actor } = (await findActor(db, here.token))!;
  expect(await revokeOtherSessions(db, actor)).toBe(2);
  expect(await findActor(db, here.token)).not.toBeNull();
  for (const { token } of others) expect(await findActor(db, token)).toBeNull();
});

test("a sign-in on an unknown device sends one email", async () => {
  const { email } = await account();
  const form = { email, password };
  await signedIn({ db, config }, form, { userAgent: firefox });
  expect(await mailsTo(db, email), "the first sign-in").toHaveLength(0);
  await signedIn({ db, config }, form, { userAgent: firefox, isKnown: true });
  expect(await mailsTo(db, email), "a known device").toHaveLength(0);
  await signedIn({ db, config }, form, { userAgent: iPhone });
  const [mail, ...more] = await mailsTo(db, email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe("New sign-in to your Naksha account");
  expect(mail?.text).toContain("Safari on iPhone");
});

test("confirming an address sends no new-device email, but the next sign-in does", async () => {
  const email = `newcomer.${now().getTime()}@example.com`;
  await signUp(db, config, { fullName: "Asha Verma", email, password });
  expect((await linkMailedTo(db, email)).pathname).toBe("/account-confirmation");
  await confirmAddress(db, await tokenMailedTo(db, email));
  const [user] = await db.select().from(users).where(eq(users.email, email));
  expect(user?.firstSignInAt).not.toBeNull();
  await signedIn({ db, config }, { email, password }, { userAgent: firefox });
  expect((await mailsTo(db, email))[0]?.text).toContain("Firefox on Linux");
});

test("a sign-in allows sensitive actions for 15 minutes, and an emailed link doesn't", async () => {
  const asha = await account();
  const { token } = await openSession(db, asha.id);
  const byLink = await openSession(db, asha.id, {}, "link");
  expect((await findActor(db, token))?.actor.isProved).toBe(true);
  expect((await findActor(db, byLink.token))?.actor.isProved).toBe(false);
  const provedAt = new Date(now().getTime() - 16 * minute);
  await db.update(sessions).set({ provedAt }).where(eq(sessions.userId, asha.id));
  expect((await findActor(db, token))?.actor.isProved).toBe(false);
});

async function account() {
  const someone = await person(db, "Asha Verma");
  await givePassword(db, someone, passwordHash);
  return someone;
}
