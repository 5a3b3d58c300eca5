import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { type App, beginsApp, hasApp } from "../../../tests/support/rows/factors.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { givePassword, person, signedIn } from "../../../tests/support/rows/people.ts";
import { tomorrow } from "../../../tests/support/rows/admin-things.ts";
import { day, minute, now } from "../../platform/clock.ts";
import { auditEvents, milestones, rateLimits } from "../../platform/tables.server.ts";
import { banAccount } from "../bans-and-roles.server.ts";
import { hashPassword } from "../passwords.server.ts";
import { findActor, openSession } from "../session.server.ts";
import { signIn, signInAgain, signInAgainByCode } from "../sign-in/sign-in.server.ts";
import {
  authenticators,
  halfSignIns,
  recoveryCodes,
  sessions,
  staffRoles,
} from "../tables.server.ts";
import {
  startAuthenticatorSetup,
  confirmAuthenticator,
  getAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
} from "./authenticator.server.ts";
import { sealSecret, unsealSecret } from "../factor-keys.server.ts";
import { reencryptFactors, resetFactors } from "../factor-changes.server.tsx";
import { finishByCode } from "./second-step.server.ts";
import { saveStaffRule } from "../actor.server.ts";

const { db } = await testDatabase();
const config = testConfig({ RATE_LIMITS: "off" });
const site = { db, config };
const password = "correct horse";
const passwordHash = await hashPassword(password);
const [older, newer] = ["a".repeat(32), "b".repeat(32)];
const browser = () => ({});

// A code lasts 30 seconds.
beforeEach(stopClock);

test("a secret can be decrypted only for its person, with its key and unchanged", () => {
  const secret = Buffer.from("twenty bytes of luck");
  const sealed = sealSecret([older], "asha", secret);
  expect(sealed.sealedSecret.includes(secret)).toBe(false);
  expect(unsealSecret([newer, older], "asha", sealed)).toEqual(secret);
  expect(sealSecret([older], "asha", secret).sealedSecret).not.toEqual(sealed.sealedSecret);
  expect(() => unsealSecret([older], "ravi", sealed)).toThrow();
  expect(() => unsealSecret([newer], "asha", sealed)).toThrow("SECOND_FACTOR_KEYS lacks the key");
  expect(() =>
    unsealSecret([newer], "asha", { ...sealed, keyId: sealSecret([newer], "x", secret).keyId }),
  ).toThrow();
  for (const position of [0, 15, sealed.sealedSecret.length - 1]) {
    const changed = Buffer.from(sealed.sealedSecret);
    changed[position]! ^= 1;
    expect(() => unsealSecret([older], "asha", { ...sealed, sealedSecret: changed })).toThrow();
  }
});

test("the first correct code turns the app on and ends earlier sessions", async () => {
  const { asha } = await signedInPerson();
  const elsewhere = await openSession(db, asha.id);
  expect(await getAuthenticator(site, asha)).toEqual({ state: "none" });
  await startAuthenticatorSetup(site, asha);
  expect(await getAuthenticator(site, asha)).toMatchObject({
    state: "pending",
    keyToType: expect.stringMatching(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/),
    qr: expect.stringContaining("data:image/svg+xml;base64,"),
  });
  expect(await signIn(site, { email: asha.email, password })).toHaveProperty("session");

  const app = await beginsApp(site, asha);
  await expect(confirmAuthenticator(site, asha, app.wrongCode())).rejects.toThrow(
    "This code is wrong",
  );
  expect(await confirmAuthenticator(site, asha, app.code())).toHaveLength(10);
  expect(await getAuthenticator(site, asha)).toMatchObject({ state: "on", recoveryCodesLeft: 10 });
  expect(await findActor(db, elsewhere.token)).toBeNull();
  expect(await db.select().from(sessions).where(eq(sessions.userId, asha.id))).toHaveLength(1);
  expect((await mailsTo(db, asha.email))[0]?.subject).toContain("authenticator app was set up");
  await expect(startAuthenticatorSetup(site, asha)).rejects.toThrow("already");
  await expect(confirmAuthenticator(site, asha, app.code(1))).rejects.toThrow("This code is wrong");
});

test("with an app, only the code opens a session, which has a new token", async () => {
  const { asha, app } = await withApp();
  const token = await startSignIn(asha.email);
  expect(await findActor(db, token)).toBeNull();
  expect(await countSessions(asha.id)).toBe(0);
  await expect(finishByCode(site, token, "12", browser)).rejects.toThrow("This code is wrong");
  const { session } = await finishByCode(
    site,
    token,
    ` ${app.code().replace(/^.../, "$& ")} `,
    browser,
  );
  expect(session.token).not.toBe(token);
  expect((await findActor(db, session.token))?.actor.id).toBe(asha.id);
  await expect(finishByCode(site, token, app.code(1), browser)).rejects.toThrow("log in again");
});

test("a code works once, even in several tabs at the same time", async () => {
  const { asha, app } = await withApp();
  const tokens = [
    await startSignIn(asha.email),
    await startSignIn(asha.email),
    await startSignIn(asha.email),
  ];
  const tries = tokens.map((token) => finishByCode(site, token, app.code(), browser));
  const done = (await Promise.allSettled(tries)).filter(({ status }) => status === "fulfilled");
  expect(done).toHaveLength(1);
  expect(await countSessions(asha.id)).toBe(1);
  const again = await startSignIn(asha.email);
  await expect(finishByCode(site, again, app.code(), browser)).rejects.toThrow("was already used");
  await expect(finishByCode(site, again, app.code(-1), browser)).rejects.toThrow(
    "was already used",
  );
  await expect(finishByCode(site, again, app.code(1), browser)).resolves.toBeTruthy();
});

test("codes of other times or other people are refused", async () => {
  const [{ asha, app }, other] = [await withApp(), await withApp()];
  const token = await startSignIn(asha.email);
  const right = [app.code(-1), app.code(), app.code(1)];
  const foreign = [other.app.code(), other.app.code(1)].find((code) => !right.includes(code))!;
  for (const code of [app.code(-4), app.code(4), foreign, "", "é", "x".repeat(60)])
    await expect(finishByCode(site, token, code, browser)).rejects.toThrow("This code is wrong");
});

test("a recovery code works once in any notation, even in two tabs at the same time", async () => {
  const { asha } = await withApp();
  const codes = await replaceRecoveryCodes(site, asha);
  const { rows } = await db.execute<{ row: string }>(
    sql`select to_jsonb(recovery_codes)::text as row from recovery_codes`,
  );
  expect(rows.some(({ row }) => codes.some((code) => row.includes(code.replaceAll("-", ""))))).toBe(
    false,
  );
  const tokens = [await startSignIn(asha.email), await startSignIn(asha.email)];
  const notations = [codes[0]!, codes[0]!.toLowerCase().replaceAll("-", " ").replaceAll("0", "o")];
  const tries = tokens.map((token, turn) => finishByCode(site, token, notations[turn]!, browser));
  const done = (await Promise.allSettled(tries)).filter(({ status }) => status === "fulfilled");
  expect(done).toHaveLength(1);
  expect(await getAuthenticator(site, asha)).toMatchObject({ recoveryCodesLeft: 9 });
  expect((await mailsTo(db, asha.email))[0]?.subject).toContain("A recovery code was used");

  await replaceRecoveryCodes(site, asha);
  const again = await startSignIn(asha.email);
  await expect(finishByCode(site, again, codes[1]!, browser)).rejects.toThrow("This code is wrong");
});

test("a half sign-in ends after ten wrong codes, after ten minutes and with a ban", async () => {
  const { asha, app } = await withApp();
  const guessed = await startSignIn(asha.email);
  for (let turn = 0; turn < 10; turn += 1)
    await expect(finishByCode(site, guessed, app.wrongCode(), browser)).rejects.toThrow(
      "This code is wrong",
    );
  await expect(finishByCode(site, guessed, app.code(), browser)).rejects.toThrow("log in again");

  const late = await startSignIn(asha.email);
  await at(11 * minute, () =>
    expect(finishByCode(site, late, app.code(), browser)).rejects.toThrow("log in again"),
  );
  const banned = await startSignIn(asha.email);
  await banAccount(db, asha.email, { until: tomorrow(), reason: null }, site.config);
  await expect(finishByCode(site, banned, app.code(), browser)).rejects.toThrow("log in again");
  expect(await db.select().from(halfSignIns).where(eq(halfSignIns.userId, asha.id))).toEqual([]);
});

test("an account allows ten codes in 15 minutes, across all sign-ins", async () => {
  const counted = { db, config: testConfig() };
  const { asha, app } = await withApp();
  await db.delete(rateLimits);
  for (let turn = 0; turn < 10; turn += 1) {
    const token = await startSignIn(asha.email);
    await expect(finishByCode(counted, token, app.wrongCode(), browser)).rejects.toThrow(
      "This code is wrong",
    );
  }
  const token = await startSignIn(asha.email);
  await expect(finishByCode(counted, token, app.code(), browser)).rejects.toThrow("Too many");
});

test("sensitive actions need a recent sign-in with a password or a code", async () => {
  const { asha, app } = await withApp();
  const stale = { ...asha, isProved: false };
  for (const change of [startAuthenticatorSetup, replaceRecoveryCodes, removeAuthenticator])
    await expect(change(site, stale)).rejects.toThrow("sign in again");
  await expect(confirmAuthenticator(site, stale, app.code())).rejects.toThrow("sign in again");
  await expect(signInAgain(db, asha, "not it", {})).rejects.toThrow("not your password");
  await expect(signInAgainByCode(site, asha, app.wrongCode(), {})).rejects.toThrow(
    "This code is wrong",
  );
  for (const { token } of [
    await signInAgain(db, asha, password, {}),
    await signInAgainByCode(site, asha, app.code(), {}),
  ])
    expect((await findActor(db, token))?.actor.isProved).toBe(true);
});

test("turning the app off deletes its data, and the password alone is enough", async () => {
  const { asha } = await withApp();
  await replaceRecoveryCodes(site, asha);
  await removeAuthenticator(site, asha);
  expect(await signIn(site, { email: asha.email, password })).toHaveProperty("session");
  for (const table of [authenticators, recoveryCodes])
    expect(await db.select().from(table).where(eq(table.userId, asha.id))).toEqual([]);
  await expect(removeAuthenticator(site, asha)).rejects.toThrow("don't have an authenticator app");
});

test("the operator's reset ends all sessions, and is audited and emailed", async () => {
  const { asha } = await withApp();
  const { token } = await openSession(db, asha.id);
  const answers = [await resetFactors(site, asha.email), await resetFactors(site, asha.email)];
  expect(answers).toEqual([true, false]);
  expect(await findActor(db, token)).toBeNull();
  const history = await db.select().from(auditEvents).where(eq(auditEvents.subjectId, asha.id));
  expect(history).toMatchObject([{ event: "factor.reset", actorName: "Operator" }]);
  expect((await mailsTo(db, asha.email)).map(({ subject }) => subject)).toEqual([
    "Your second factor was reset (Naksha)",
  ]);
});

test("changing the encryption key keeps everyone's app working", async () => {
  await db.delete(authenticators);
  const keysOf = (...keys: string[]) => ({ db, config: { ...config, secondFactorKeys: keys } });
  const asha = await person(db, "Asha Verma");
  await givePassword(db, asha, passwordHash);
  const app = await hasApp(keysOf(older), asha);
  expect(await reencryptFactors(keysOf(newer, older))).toBe(1);
  expect(await reencryptFactors(keysOf(newer, older))).toBe(0);
  const token = await startSignIn(asha.email);
  await expect(finishByCode(keysOf(newer), token, app.code(), browser)).resolves.toBeTruthy();
  await expect(reencryptFactors(keysOf("c".repeat(32)))).rejects.toThrow("lacks the key");
});

test("staff have a week to set up a second factor, from the first start that requires it or from becoming staff", async () => {
  const gita = await person(db, "Gita Menon", { roles: ["god_admin"] });
  const { token } = await openSession(db, gita.id);
  const roles = async () => (await findActor(db, token))!.actor;
  const required = { staffSecondFactor: "required" as const };
  expect(await roles()).toMatchObject({ isGodAdmin: true, factorDueAt: null });

  const longAgo = new Date(now().getTime() - 30 * day);
  await db.update(staffRoles).set({ createdAt: longAgo }).where(eq(staffRoles.userId, gita.id));
  await saveStaffRule(db, required);
  const due = (await roles()).factorDueAt!;
  expect(due.getTime() - now().getTime()).toBeGreaterThan(6.9 * day);
  await at(3 * day, async () => {
    await saveStaffRule(db, required);
    expect((await roles()).factorDueAt).toEqual(due);
    const late = await person(db, "Devi Rao", { roles: ["job_board_adder"] });
    const session = await openSession(db, late.id);
    const { factorDueAt } = (await findActor(db, session.token))!.actor;
    expect(factorDueAt!.getTime()).toBeGreaterThan(due.getTime() + 2 * day);
  });
  await at(8 * day, async () => {
    expect(await roles()).toMatchObject({ isGodAdmin: false, factorDueAt: due });
    await hasApp(site, gita);
    expect(await roles()).toMatchObject({ isGodAdmin: true, factorDueAt: null });
    await db.delete(authenticators).where(eq(authenticators.userId, gita.id));
    await saveStaffRule(db, { staffSecondFactor: "optional" });
    expect(await roles()).toMatchObject({ isGodAdmin: true, factorDueAt: null });
  });
  expect(await db.select().from(milestones)).toEqual([]);
});

test("customers never need a second factor", async () => {
  await saveStaffRule(db, { staffSecondFactor: "required" });
  const asha = await person(db, "Asha Verma");
  const { token } = await openSession(db, asha.id);
  expect((await findActor(db, token))?.actor.factorDueAt).toBeNull();
  await saveStaffRule(db, { staffSecondFactor: "optional" });
});

async function signedInPerson() {
  const someone = await person(db, "Asha Verma");
  await givePassword(db, someone, passwordHash);
  const { session } = await signedIn(site, { email: someone.email, password });
  return { asha: (await findActor(db, session.token))!.actor };
}

/** Creates a person with an app and no session. */
async function withApp() {
  const asha = await person(db, "Asha Verma");
  await givePassword(db, asha, passwordHash);
  const app: App = await hasApp(site, asha);
  return { asha, app };
}

/** Enters the correct password, and returns the token of the half sign-in. */
async function startSignIn(email: string): Promise<string> {
  const answer = await signIn(site, { email, password });
  if (!("half" in answer)) throw new Error("No second factor was required.");
  return answer.half.token;
}

async function countSessions(userId: string): Promise<number> {
  return (await db.select().from(sessions).where(eq(sessions.userId, userId))).length;
}

/** Runs at a later time, in milliseconds from now. */
async function at(later: number, run: () => Promise<void>): Promise<void> {
  const moment = now();
  vi.setSystemTime(moment.getTime() + later);
  await run().finally(() => vi.setSystemTime(moment));
}
