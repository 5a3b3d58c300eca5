import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { day, now } from "../../platform/clock.ts";
import {
  createConfirmedAccount,
  deleteUnconfirmedAccounts,
  signUp,
} from "../sign-up/sign-up.server.tsx";
import { users } from "../tables.server.ts";
import {
  findMissingNotice,
  findOpenConsent,
  listConsentHistory,
  listLatestConsents,
  recordConsent,
  withdrawConsent,
} from "./consents.server.ts";
import { noticeVersion } from "./notice.ts";
import { consents } from "./tables.server.ts";

const { db } = await testDatabase();
const config = testConfig();

const form = { fullName: "Asha Verma", password: "correct horse" };

async function consentsOf(email: string) {
  const [user] = await db.select().from(users).where(eq(users.email, email));
  const rows = await db.select().from(consents).where(eq(consents.userId, user!.id));
  return rows
    .map(({ purpose, how, noticeVersion: version }) => `${purpose} ${how} ${version}`)
    .toSorted();
}

const bySignUp = ["account", "adult", "terms"].map((one) => `${one} sign-up ${noticeVersion}`);

test("a sign-up records age, terms and privacy as three consents under the current notice", async () => {
  await signUp(db, config, { ...form, email: "new@example.com" });
  expect(await consentsOf("new@example.com")).toEqual(bySignUp);
});

test("signing up again for an unconfirmed address records nothing twice", async () => {
  const again = () => signUp(db, config, { ...form, email: "again@example.com" });
  await Promise.all([again(), again(), again()]);
  await again();
  expect(await consentsOf("again@example.com")).toEqual(bySignUp);
});

test("signing up with a confirmed address records nothing", async () => {
  const asha = await person(db, "Asha Verma");
  const before = await db.select().from(consents);
  await signUp(db, config, { ...form, email: asha.email });
  expect(await db.select().from(consents)).toHaveLength(before.length);
});

test("the operator's accounts have no consents, not even those of an unconfirmed sign-up", async () => {
  await signUp(db, config, { ...form, email: "staff@example.com" });
  const { id } = await createConfirmedAccount(db, {
    ...form,
    email: "staff@example.com",
    roles: ["reviewer"],
  });
  expect(await consentsOf("staff@example.com")).toEqual([]);
  expect(await findMissingNotice(db, { id })).toEqual({ isFirst: true, needsTerms: true });
});

test("unconfirmed accounts are still deleted, with their consents", async () => {
  await signUp(db, config, { ...form, email: "gone@example.com" });
  const [user] = await db.select().from(users).where(eq(users.email, "gone@example.com"));
  vi.useFakeTimers({ toFake: ["Date"], now: now().getTime() + 30 * day });
  try {
    expect(await deleteUnconfirmedAccounts(db)).toBeGreaterThan(0);
  } finally {
    vi.useRealTimers();
  }
  expect(await db.select().from(users).where(eq(users.id, user!.id))).toEqual([]);
  expect(await db.select().from(consents).where(eq(consents.userId, user!.id))).toEqual([]);
});

test("an email address can consent without an account, in any spelling", async () => {
  const contact = { purpose: "contact", how: "notice" } as const;
  await recordConsent(db, { email: "Leela@Example.com" }, contact);
  await recordConsent(db, { email: "leela@example.com" }, contact);
  expect(await listConsentHistory(db, { email: "leela@example.com" }, 10)).toHaveLength(1);
  await withdrawConsent(db, { email: "LEELA@example.com" }, "contact");
  expect(await findOpenConsent(db, { email: "leela@example.com" }, "contact")).toBeNull();
});

test("withdrawing and giving again keeps the history", async () => {
  const asha = { userId: (await person(db, "Asha Verma")).id };
  const sample = { purpose: "sample", how: "profile" } as const;
  await recordConsent(db, asha, sample);
  await withdrawConsent(db, asha, "sample");
  await recordConsent(db, asha, sample);
  const history = await listConsentHistory(db, asha, 10);
  const own = history.filter(({ purpose }) => purpose === "sample");
  expect(own).toHaveLength(2);
  expect(own.filter(({ withdrawnAt }) => withdrawnAt === null)).toHaveLength(1);
  const latest = await listLatestConsents(db, asha);
  expect(latest.find(({ purpose }) => purpose === "sample")?.withdrawnAt).toBeNull();
});

test("giving and withdrawing at the same time leaves one open consent at most", async () => {
  const asha = { userId: (await person(db, "Asha Verma")).id };
  const give = () =>
    db.transaction((tx) => recordConsent(tx, asha, { purpose: "sample", how: "profile" }));
  const withdraw = () => db.transaction((tx) => withdrawConsent(tx, asha, "sample"));
  await Promise.all([give(), withdraw(), give(), withdraw(), give(), give()]);
  const rows = await db.select().from(consents).where(eq(consents.userId, asha.userId));
  const open = rows.filter((row) => row.purpose === "sample" && row.withdrawnAt === null);
  expect(open.length).toBeLessThanOrEqual(1);
});

test("withdrawing ends the consent under every version of the notice", async () => {
  const asha = { userId: (await person(db, "Asha Verma")).id };
  const at = { givenAt: now(), how: "profile" } as const;
  await db.insert(consents).values([
    { ...asha, ...at, purpose: "sample", noticeVersion: "2025-05-01" },
    { ...asha, ...at, purpose: "sample", noticeVersion },
  ]);
  await withdrawConsent(db, asha, "sample");
  expect(await findOpenConsent(db, asha, "sample")).toBeNull();
});

test("people are asked until they accepted the current notice and the terms as adults", async () => {
  const { id } = await person(db, "Asha Verma");
  expect(await findMissingNotice(db, { id })).toBeNull();
  await db.execute(sql`delete from consents where user_id = ${id} and purpose = 'adult'`);
  expect(await findMissingNotice(db, { id })).toEqual({ isFirst: false, needsTerms: true });
  await db.execute(sql`delete from consents where user_id = ${id} and purpose = 'terms'`);
  await recordConsent(db, { userId: id }, { purpose: "adult", how: "notice" });
  expect(await findMissingNotice(db, { id })).toEqual({ isFirst: false, needsTerms: true });
  await recordConsent(db, { userId: id }, { purpose: "terms", how: "notice" });
  expect(await findMissingNotice(db, { id })).toBeNull();
  await db.execute(sql`update consents set notice_version = '2025-05-01' where user_id = ${id}`);
  await recordConsent(db, { userId: id }, { purpose: "adult", how: "notice" });
  expect(await findMissingNotice(db, { id })).toEqual({ isFirst: false, needsTerms: false });
  await recordConsent(db, { userId: id }, { purpose: "account", how: "notice" });
  expect(await findMissingNotice(db, { id })).toBeNull();
});

test.each([
  [
    "nobody",
    sql`insert into consents (purpose, notice_version, given_at, how)
    values ('sample', '2026-11-26', now(), 'profile')`,
  ],
  [
    "a person and an address",
    sql`insert into consents (user_id, email, purpose, notice_version, given_at, how)
    select id, 'a@example.com', 'sample', '2026-11-26', now(), 'profile' from users limit 1`,
  ],
  [
    "an address in capitals",
    sql`insert into consents (email, purpose, notice_version, given_at, how)
    values ('A@example.com', 'sample', '2026-11-26', now(), 'profile')`,
  ],
  [
    "an unknown purpose",
    sql`insert into consents (email, purpose, notice_version, given_at, how)
    values ('a@example.com', 'ads', '2026-11-26', now(), 'profile')`,
  ],
  [
    "an unknown way",
    sql`insert into consents (email, purpose, notice_version, given_at, how)
    values ('a@example.com', 'sample', '2026-11-26', now(), 'phone')`,
  ],
])("the table refuses a consent of %s", async (_who, insert) => {
  await person(db, "Asha Verma");
  await expect(db.execute(insert)).rejects.toThrow();
});
