import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { passkeyDevice } from "../../../tests/support/requests/passkey-device.ts";
import { changeCharacter } from "../../../tests/support/requests/tampered.ts";
import { givePassword, person } from "../../../tests/support/rows/people.ts";
import { tomorrow } from "../../../tests/support/rows/admin-things.ts";
import { day, hour, minute, now } from "../../platform/clock.ts";
import { type Actor, saveStaffRule } from "../actor.server.ts";
import { banAccount } from "../bans-and-roles.server.ts";
import { hashPassword } from "../passwords.server.ts";
import { resetFactors } from "../factor-changes.server.tsx";
import { finishByPasskey } from "../second-factor/second-step.server.ts";
import { findActor, openSession } from "../session.server.ts";
import { signIn, signInAgainByPasskey, signInByPasskey } from "../sign-in/sign-in.server.ts";
import { passkeys, sessions, staffRoles } from "../tables.server.ts";
import {
  addPasskey,
  isValidChallenge,
  listPasskeys,
  generateChallenge,
  buildRegistrationOptions,
  buildAuthenticationOptions,
  removePasskey,
  renamePasskey,
} from "./passkeys.server.ts";

const { db } = await testDatabase();
const config = testConfig({ RATE_LIMITS: "off" });
const site = { db, config };
const { origin } = config;
const browser = () => ({});
const refusal = "couldn't use this passkey";

test("a challenge is valid for an hour, unchanged and for its purpose", async () => {
  const challenge = generateChallenge(config, "sign-in").toString("base64url");
  expect(isValidChallenge(config, "sign-in", challenge)).toBe(true);
  expect(isValidChallenge(config, "add:someone", challenge)).toBe(false);
  expect(isValidChallenge({ ...config, secrets: ["another"] }, "sign-in", challenge)).toBe(false);
  const changed = changeCharacter(challenge);
  for (const forged of ["", "x", `${challenge}AAAA`, changed, "A".repeat(72)])
    expect(isValidChallenge(config, "sign-in", forged), forged).toBe(false);
  vi.useFakeTimers({ now: now().getTime() + hour + minute, toFake: ["Date"] });
  expect(isValidChallenge(config, "sign-in", challenge)).toBe(false);
  vi.useRealTimers();
});

test("a passkey can be added, renamed and removed, and adding and removing send emails", async () => {
  const asha = await person(db, "Asha Verma");
  const device = await withPasskey(asha);
  const [own] = await listPasskeys(db, asha);
  expect(own).toMatchObject({ name: "Phone", usedAt: null });
  const { pubKeyCredParams } = await buildRegistrationOptions(site, asha);
  expect(pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257]);
  expect((await buildRegistrationOptions(site, asha)).excludeCredentials).toHaveLength(1);
  await renamePasskey(db, asha, { id: own!.id, name: "Telephone" });
  await signInByPasskey(site, device.signIn(signInRequest()), browser);
  const [used] = await listPasskeys(db, asha);
  expect(used).toMatchObject({ name: "Telephone", usedAt: expect.stringContaining(",") });
  await removePasskey(site, asha, own!.id);
  expect(await listPasskeys(db, asha)).toEqual([]);
  await expect(signInByPasskey(site, device.signIn(signInRequest()), browser)).rejects.toThrow(
    "don't recognise",
  );
  expect((await mailsTo(db, asha.email)).map(({ subject }) => subject).toSorted()).toEqual([
    "A passkey was added (Naksha)",
    "A passkey was removed (Naksha)",
  ]);
});

test("only its owner can change a passkey, after a recent sign-in", async () => {
  const [asha, ravi] = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
  await withPasskey(asha);
  const [{ id } = { id: "" }] = await listPasskeys(db, asha);
  await expect(renamePasskey(db, ravi, { id, name: "Mine" })).rejects.toThrow(
    "already been removed",
  );
  await expect(removePasskey(site, ravi, id)).rejects.toThrow("already been removed");
  await expect(removePasskey(site, asha, "no id")).rejects.toThrow("already been removed");
  const stale = { ...asha, isProved: false };
  await expect(renamePasskey(db, stale, { id, name: "x" })).rejects.toThrow("sign in again");
  await expect(removePasskey(site, stale, id)).rejects.toThrow("sign in again");
  await expect(withPasskey(stale)).rejects.toThrow("sign in again");
});

test("a passkey for another site or person, or without verification, is refused", async () => {
  const [asha, ravi] = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
  const own = registrationRequest(asha);
  const responses = [
    passkeyDevice().register({ ...own, origin: "https://evil.example" }),
    passkeyDevice().register({ ...own, challenge: registrationRequest(ravi).challenge }),
    passkeyDevice().register({ ...own, challenge: signInRequest().challenge }),
    passkeyDevice().register({ ...own, isVerified: false }),
    { ...passkeyDevice().register(own), response: {} } as never,
  ];
  for (const response of responses)
    await expect(addPasskey(site, asha, { response, name: "Phone" })).rejects.toThrow(refusal);
  const device = passkeyDevice();
  await addPasskey(site, asha, { response: device.register(own), name: "Phone" });
  const duplicate = device.register(registrationRequest(ravi));
  await expect(addPasskey(site, ravi, { response: duplicate, name: "Phone" })).rejects.toThrow(
    "already been added",
  );
});

test("a passkey alone opens a session, and each signature works once", async () => {
  const asha = await person(db, "Asha Verma");
  const device = await withPasskey(asha);
  const signed = device.signIn(signInRequest());
  const both = await Promise.allSettled([1, 2].map(() => signInByPasskey(site, signed, browser)));
  const [done] = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await findActor(db, done!.session.token))?.actor).toMatchObject({
    id: asha.id,
    isProved: true,
  });
  await expect(signInByPasskey(site, signed, browser)).rejects.toThrow(refusal);
  expect(await countSessions(asha)).toBe(1);
});

test("a signature for another site or purpose, by another key or without verification, is refused", async () => {
  const asha = await person(db, "Asha Verma");
  const device = await withPasskey(asha);
  const another = passkeyDevice().signIn(signInRequest());
  const { id, rawId } = device.signIn(signInRequest());
  const responses = [
    device.signIn({ ...signInRequest(), origin: "https://evil.example" }),
    device.signIn({ ...signInRequest(), challenge: registrationRequest(asha).challenge }),
    device.signIn({ ...signInRequest(), challenge: "AAAA" }),
    device.signIn({ ...signInRequest(), isVerified: false }),
    { ...another, id, rawId },
    { ...device.signIn(signInRequest()), response: {} } as never,
  ];
  for (const response of responses)
    await expect(signInByPasskey(site, response, browser)).rejects.toThrow(refusal);
  expect(await countSessions(asha)).toBe(0);
});

test("a banned person can't sign in with a passkey", async () => {
  const asha = await person(db, "Asha Verma");
  const device = await withPasskey(asha);
  await banAccount(db, asha.email, { until: tomorrow(), reason: null }, site.config);
  await expect(signInByPasskey(site, device.signIn(signInRequest()), browser)).rejects.toThrow(
    "suspended until",
  );
});

test("staff need their own passkey after the password, customers don't", async () => {
  const passwordHash = await hashPassword("correct horse");
  const [gita, ravi] = [
    await person(db, "Gita Menon", { roles: ["god_admin"] }),
    await person(db, "Ravi Nair"),
  ];
  const [hers, his] = [await withPasskey(gita), await withPasskey(ravi)];
  for (const someone of [gita, ravi]) await givePassword(db, someone, passwordHash);
  const withPassword = ({ email }: Actor) => signIn(site, { email, password: "correct horse" });
  expect(await withPassword(ravi)).toHaveProperty("session");
  const answer = await withPassword(gita);
  const { token } = "half" in answer ? answer.half : { token: "" };
  await expect(finishByPasskey(site, token, his.signIn(signInRequest()), browser)).rejects.toThrow(
    "belongs to another account",
  );
  const { session } = await finishByPasskey(site, token, hers.signIn(signInRequest()), browser);
  expect((await findActor(db, session.token))?.actor).toMatchObject({ isGodAdmin: true });
  await expect(finishByPasskey(site, token, hers.signIn(signInRequest()), browser)).rejects.toThrow(
    "log in again",
  );
});

test("people can sign in again with their own passkey", async () => {
  const [asha, ravi] = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
  const device = await withPasskey(asha);
  const again = (who: Actor) => signInAgainByPasskey(site, who, device.signIn(signInRequest()), {});
  await expect(again(ravi)).rejects.toThrow("belongs to another account");
  expect((await findActor(db, (await again(asha)).token))?.actor.isProved).toBe(true);
});

test("a passkey counts as the second factor of staff, and the operator can reset it", async () => {
  const devi = await person(db, "Devi Rao", { roles: ["job_board_adder"] });
  const longAgo = new Date(now().getTime() - 30 * day);
  await db.update(staffRoles).set({ createdAt: longAgo }).where(eq(staffRoles.userId, devi.id));
  await saveStaffRule(db, { staffSecondFactor: "required" });
  const { token } = await openSession(db, devi.id);
  expect((await findActor(db, token))?.actor.factorDueAt).not.toBeNull();
  await withPasskey(devi);
  expect((await findActor(db, token))?.actor.factorDueAt).toBeNull();
  expect(await resetFactors(site, devi.email)).toBe(true);
  expect(await db.select().from(passkeys).where(eq(passkeys.userId, devi.id))).toEqual([]);
  await saveStaffRule(db, { staffSecondFactor: "optional" });
});

/** Builds the sign-in request that a browser signs. */
function signInRequest() {
  return { origin, challenge: buildAuthenticationOptions(config).challenge };
}

function registrationRequest({ id }: Actor) {
  return { origin, challenge: generateChallenge(config, `add:${id}`).toString("base64url") };
}

async function withPasskey(someone: Actor) {
  const device = passkeyDevice();
  const response = device.register(registrationRequest(someone));
  await addPasskey(site, someone, { response, name: "Phone" });
  return device;
}

async function countSessions({ id }: Actor): Promise<number> {
  return (await db.select().from(sessions).where(eq(sessions.userId, id))).length;
}
