import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { pendingReview } from "../../../tests/support/rows/review-states.ts";
import { openSession, recordSessionUse } from "../../accounts/session.server.ts";
import { accountUses, sessions, users } from "../../accounts/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { closeUnusedAccounts } from "./unused-accounts.server.tsx";

const { db } = await testDatabase();
const config = testConfig({ ERASE_AFTER_MONTHS: "12" });
const years = 366 * day;

beforeEach(stopClock);

const later = (time: number) => vi.setSystemTime(now().getTime() + time);
const run = () => closeUnusedAccounts(db, config);
const closedAtOf = async ({ id }: { id: string }) => {
  const [user] = await db.select({ at: users.closedAt }).from(users).where(eq(users.id, id));
  return user!.at;
};

test("an account is closed 30 days after its owner was warned, and neither a used one nor staff's", async () => {
  const unused = await person(db, "Asha Unused");
  const back = await person(db, "Ravi Back");
  const staff = await person(db, "Meera Staff", { roles: ["reviewer"] });
  // The months begin with the first run, since nobody knows what was before.
  expect(await run()).toEqual({ warned: 0, closed: 0 });
  later(years);
  expect(await run()).toEqual({ warned: 2, closed: 0 });
  expect(await run()).toEqual({ warned: 0, closed: 0 });
  const [mail] = await mailsTo(db, unused.email);
  expect(mail!.subject).toContain("Do you still need your");
  later(20 * day);
  await openSession(db, back.id);
  later(11 * day);
  expect(await run()).toEqual({ warned: 0, closed: 1 });
  expect(await closedAtOf(unused)).toEqual(now());
  expect((await mailsTo(db, unused.email))[0]!.text).toContain("nobody used it for 12 months");
  for (const who of [back, staff]) expect(await closedAtOf(who)).toBeNull();
});

test("using an open session counts, and takes a warning back", async () => {
  const asha = await person(db, "Asha Session");
  await openSession(db, asha.id);
  later(years);
  await run();
  const [session] = await db.select().from(sessions).where(eq(sessions.userId, asha.id));
  await recordSessionUse(db, session!.id);
  const [use] = await db.select().from(accountUses).where(eq(accountUses.userId, asha.id));
  expect(use!.warnedAt).toBeNull();
  later(31 * day);
  await run();
  expect(await closedAtOf(asha)).toBeNull();
});

test("an account with an open review is closed once that is finished", async () => {
  const asha = await person(db, "Asha Open");
  await run();
  const review = await pendingReview(db, asha);
  later(years);
  await run();
  later(31 * day);
  await run();
  expect(await closedAtOf(asha)).toBeNull();
  await db.update(serviceReviews).set({ withdrawnAt: now() }).where(eq(serviceReviews.id, review));
  await run();
  expect(await closedAtOf(asha)).toEqual(now());
});

test("without the setting nothing is closed or counted", async () => {
  await person(db, "Asha Off");
  const before = await db.$count(accountUses);
  later(20 * years);
  expect(await closeUnusedAccounts(db, testConfig())).toEqual({ warned: 0, closed: 0 });
  expect(await db.$count(accountUses)).toBe(before);
});
