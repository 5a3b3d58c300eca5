import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { hasApp, sparePasskey } from "../../../tests/support/rows/factors.ts";
import { mailsTo, tokenMailedTo } from "../../../tests/support/rows/mailbox.ts";
import { givePassword, person } from "../../../tests/support/rows/people.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { mails } from "../../mail/tables.server.ts";
import { minute, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { TooMany } from "../../platform/errors.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { alerts } from "../../seekers/alerts/tables.server.ts";
import type { Actor } from "../actor.server.ts";
import { hashPassword } from "../passwords.server.ts";
import { resetPassword } from "../password-reset/reset-password.server.tsx";
import { findActor, openSession } from "../session.server.ts";
import { signIn } from "../sign-in/sign-in.server.ts";
import { signUp } from "../sign-up/sign-up.server.tsx";
import { addressChanges, passkeys, profiles, users } from "../tables.server.ts";
import {
  changeOwnName,
  confirmAddressChange,
  deleteExpiredAddressChanges,
  findAddressRequest,
  findConfirmableAddress,
  requestAddressChange,
} from "./details.server.tsx";
import { approveReversal, findReversal, reverseAddressChange } from "./reverse-address.server.tsx";
import { confirmWithin, reversibleFor } from "./rules.ts";

const { db, gita } = await testPeople();
const config = testConfig({ RATE_LIMITS: "off" });
const site = { db, config };
const password = "correct horse";
const passwordHash = await hashPassword(password);

let asha: Actor;
let count = 0;
const nextAddress = () => `new-${(count += 1)}@example.com`;

beforeEach(async () => {
  stopClock();
  count += 1;
  asha = await person(db, `Asha Verma ${count}`);
  await givePassword(db, asha, passwordHash);
});

const emailOf = async ({ id }: { id: string }) => {
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, id));
  return user!.email;
};
const later = (time: number) => vi.setSystemTime(now().getTime() + time);

/** Moves an account to a new address. @returns the address and the token that was mailed to the earlier one */
async function moved(who: Actor, email = nextAddress()) {
  const earlier = await emailOf(who);
  await requestAddressChange(db, { ...who, email: earlier }, config, email);
  later(minute);
  const token = await tokenMailedTo(db, email, "/new-address/");
  expect(await confirmAddressChange(db, config, token)).toBe(email);
  return { email, earlier, token: await tokenMailedTo(db, earlier, "/earlier-address/") };
}

test("a corrected name is shown everywhere, and recorded", async () => {
  await changeOwnName(db, asha, "Asha V. Verma");
  const session = await openSession(db, asha.id);
  expect((await findActor(db, session.token))!.actor.fullName).toBe("Asha V. Verma");
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, asha.id));
  expect(profile!.fullName).toBe("Asha V. Verma");
  const events = await db.select().from(auditEvents).where(eq(auditEvents.subjectId, asha.id));
  expect(events).toMatchObject([{ event: "user.rename", before: null, after: null }]);
});

test("an address changes once the new one confirms it, and everyone is signed out", async () => {
  const session = await openSession(db, asha.id);
  const email = nextAddress();
  await requestAddressChange(db, asha, config, email);
  expect(await findAddressRequest(db, asha)).toMatchObject({ email });
  expect(await emailOf(asha)).toBe(asha.email);
  const token = await tokenMailedTo(db, email, "/new-address/");
  expect(await findConfirmableAddress(db, token)).toBe(email);
  expect(await confirmAddressChange(db, config, token)).toBe(email);
  expect(await emailOf(asha)).toBe(email);
  expect(await findActor(db, session.token)).toBeNull();
  await signIn(site, { email, password });
  await expect(signIn(site, { email: asha.email, password })).rejects.toThrow();
  expect(await confirmAddressChange(db, config, token)).toBeNull();
  for (const address of [asha.email, email])
    expect((await mailsTo(db, address))[0]!.subject).toContain("was changed");
  expect((await mailsTo(db, email))[0]!.text).not.toContain("/earlier-address/");
});

test("a link expires, and a newer request replaces it", async () => {
  const [first, second] = [nextAddress(), nextAddress()];
  await requestAddressChange(db, asha, config, first);
  await requestAddressChange(db, asha, config, second);
  const old = await tokenMailedTo(db, first, "/new-address/");
  expect(await confirmAddressChange(db, config, old)).toBeNull();
  const token = await tokenMailedTo(db, second, "/new-address/");
  later(confirmWithin + 1);
  expect(await findAddressRequest(db, asha)).toBeNull();
  expect(await confirmAddressChange(db, config, token)).toBeNull();
  expect(await emailOf(asha)).toBe(asha.email);
});

test("the address of another account looks the same to the actor, and its owner gets an email", async () => {
  const ravi = await person(db, `Ravi ${count}`);
  await requestAddressChange(db, asha, config, ravi.email);
  expect(await findAddressRequest(db, asha)).toMatchObject({ email: ravi.email });
  const [mail] = await mailsTo(db, ravi.email);
  expect(mail!.subject).toContain("You already have an account");
  expect(mail!.text).not.toContain("/new-address/");
});

test("an address that got an account meanwhile can't be taken, and an unconfirmed sign-up makes room", async () => {
  const email = nextAddress();
  await requestAddressChange(db, asha, config, email);
  const token = await tokenMailedTo(db, email, "/new-address/");
  await signUp(db, config, { fullName: "Kabir Rao", email, password: "other horse" });
  expect(await confirmAddressChange(db, config, token)).toBe(email);
  expect(await emailOf(asha)).toBe(email);

  const taken = nextAddress();
  await requestAddressChange(db, { ...asha, email }, config, taken);
  const second = await tokenMailedTo(db, taken, "/new-address/");
  await db
    .update(users)
    .set({ email: taken })
    .where(eq(users.id, (await person(db, "T")).id));
  await expect(confirmAddressChange(db, config, second)).rejects.toThrow("account of its own");
  expect(await emailOf(asha)).toBe(email);
});

test("two presses on a link have one effect", async () => {
  const email = nextAddress();
  await requestAddressChange(db, asha, config, email);
  const token = await tokenMailedTo(db, email, "/new-address/");
  const press = (tx: Database) => confirmAddressChange(tx, config, token);
  const results = await overlap(db, press, press);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await emailOf(asha)).toBe(email);
  expect(await mailsTo(db, asha.email)).toHaveLength(1);
});

test("alerts move to the new address, and one that it has already is stopped", async () => {
  const email = nextAddress();
  const alert = {
    frequency: "daily",
    state: "active",
    createdAt: now(),
    sentUntil: now(),
  } as const;
  await db.insert(alerts).values([
    { ...alert, userId: asha.id, email: asha.email, query: "type=Internship" },
    { ...alert, userId: asha.id, email: asha.email, query: "" },
    { ...alert, userId: null, email, query: "" },
  ]);
  await moved(asha, email);
  const rows = await db.select().from(alerts).where(eq(alerts.email, email));
  expect(rows.map(({ userId, query, state }) => [userId, query, state])).toEqual(
    expect.arrayContaining([
      [asha.id, "type=Internship", "active"],
      [asha.id, "", "stopped"],
      [null, "", "active"],
    ]),
  );
});

test("the earlier address takes the account back: the password and what a thief added stop working", async () => {
  const { earlier, token } = await moved(asha);
  later(minute);
  const thief = await openSession(db, asha.id);
  await sparePasskey(db, asha);
  expect(await reverseAddressChange(site, token, null)).toBe("reversed");
  expect(await emailOf(asha)).toBe(earlier);
  expect(await findActor(db, thief.token)).toBeNull();
  expect(await db.$count(passkeys, eq(passkeys.userId, asha.id))).toBe(0);
  await expect(signIn(site, { email: earlier, password })).rejects.toThrow();
  expect(await reverseAddressChange(site, token, null)).toBeNull();
  const recovery = await tokenMailedTo(db, earlier);
  expect(await resetPassword(db, config, recovery, "Another-horse1")).toBe(true);
  await signIn(site, { email: earlier, password: "Another-horse1" });
});

test("a link of the first change also undoes a second one, whose link then no longer works", async () => {
  const first = await moved(asha);
  later(minute);
  const second = await moved(asha);
  expect(await reverseAddressChange(site, first.token, null)).toBe("reversed");
  expect(await emailOf(asha)).toBe(asha.email);
  expect(await reverseAddressChange(site, second.token, null)).toBeNull();
});

test("an account that had an authenticator app needs its code, and a thief's app doesn't count", async () => {
  const app = await hasApp(site, asha);
  later(minute);
  const { token, earlier } = await moved(asha);
  expect(await findReversal(db, token)).toMatchObject({ app: true, passkey: false });
  await expect(reverseAddressChange(site, token, null)).rejects.toThrow();
  await expect(reverseAddressChange(site, token, { code: app.wrongCode() })).rejects.toThrow();
  expect(await reverseAddressChange(site, token, { code: app.code() })).toBe("reversed");
  expect(await emailOf(asha)).toBe(earlier);

  const ravi = await person(db, `Ravi ${count}`);
  const change = await moved(ravi);
  later(minute);
  await hasApp(site, ravi);
  expect(await findReversal(db, change.token)).toMatchObject({ app: false });
  expect(await reverseAddressChange(site, change.token, null)).toBe("reversed");
});

test("after a week, or if email to the earlier address bounced, nothing takes a change back", async () => {
  const { token } = await moved(asha);
  later(reversibleFor + 1);
  expect(await findReversal(db, token)).toBeNull();
  expect(await reverseAddressChange(site, token, null)).toBeNull();
  await deleteExpiredAddressChanges(db);
  expect(await db.$count(addressChanges, eq(addressChanges.userId, asha.id))).toBe(0);

  const earlier = await emailOf(asha);
  await db
    .update(mails)
    .set({ givenUpAt: now(), lastError: "550" })
    .where(eq(mails.recipient, earlier));
  const email = nextAddress();
  await requestAddressChange(db, { ...asha, email: earlier }, config, email);
  await confirmAddressChange(db, config, await tokenMailedTo(db, email, "/new-address/"));
  expect((await mailsTo(db, earlier))[0]!.text).not.toContain("/earlier-address/");
  const [change] = await db.select().from(addressChanges).where(eq(addressChanges.userId, asha.id));
  expect(change!.reverseHash).toBeNull();
});

test("an account of staff is locked, and another god admin gives it back", async () => {
  const staff = await person(db, `Meera ${count}`, { roles: ["god_admin"] });
  await givePassword(db, staff, passwordHash);
  const { token, earlier, email } = await moved(staff);
  expect(await reverseAddressChange(site, token, null)).toBe("asked");
  expect(await reverseAddressChange(site, token, null)).toBe("asked");
  expect(await emailOf(staff)).toBe(email);
  await expect(signIn(site, { email, password })).rejects.toThrow();
  const sent = (await mailsTo(db, gita.email)).filter(({ cause }) => cause.startsWith("reversal"));
  expect(sent).toHaveLength(1);
  await expect(approveReversal(site, { ...staff, email }, staff.id)).rejects.toThrow("Another");
  await approveReversal(site, gita, staff.id);
  expect(await emailOf(staff)).toBe(earlier);
  await expect(approveReversal(site, gita, staff.id)).rejects.toThrow("No earlier address");
});

test("a signed-in person's open session with an old proof can't ask for another address", async () => {
  const { rows } = await db.execute(sql`select count(*)::int as changes from address_changes`);
  const session = await openSession(db, asha.id);
  const { actor } = (await findActor(db, session.token))!;
  await expect(
    requestAddressChange(db, { ...actor, isProved: false }, config, nextAddress()),
  ).rejects.toThrow();
  expect(
    (await db.execute(sql`select count(*)::int as changes from address_changes`)).rows,
  ).toEqual(rows);
});

test("a person can't email many addresses by asking for each", async () => {
  const limited = testConfig({ RATE_LIMITS: "on" });
  for (let turn = 0; turn < 10; turn += 1)
    await requestAddressChange(db, asha, limited, nextAddress());
  await expect(requestAddressChange(db, asha, limited, nextAddress())).rejects.toThrow(TooMany);
});
