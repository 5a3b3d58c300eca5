import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { startedOrder } from "../../tests/support/payments/payments.ts";
import { person } from "../../tests/support/rows/people.ts";
import { testTasks } from "../../tests/support/product/tasks.ts";
import { createOneTimeLink } from "../../app/accounts/one-time-links.server.ts";
import { sendConfirmationAgain, signUp } from "../../app/accounts/sign-up/sign-up.server.tsx";
import {
  accounts,
  oneTimeLinks,
  profiles,
  sessions,
  users,
} from "../../app/accounts/tables.server.ts";
import { mails } from "../../app/mail/tables.server.ts";
import { day, hour, minute, now } from "../../app/platform/clock.ts";
import { createLog } from "../../app/platform/log.server.ts";
import { supportMessages } from "../../app/support/tables.server.ts";

const { db } = await testDatabase();
const config = testConfig();
const forgetExpired = testTasks(config).find(({ name }) => name === "forget-expired")!;
const runForgetExpired = () => forgetExpired.run({}, { db, log: createLog("silent") });
const ago = (age: number) => new Date(now().getTime() - age);

test("all expired sessions are deleted, and no others", async () => {
  const { id: userId } = await person(db, "Asha Verma");
  const session = (expiresAt: Date) => ({
    userId,
    tokenHash: randomUUID(),
    createdAt: ago(40 * day),
    updatedAt: ago(40 * day),
    expiresAt,
  });
  const over = Array.from({ length: 1300 }, () => session(ago(minute)));
  await db.insert(sessions).values([...over, session(new Date(now().getTime() + minute))]);
  await runForgetExpired();
  expect(await db.$count(sessions)).toBe(1);
});

test("a failure with one kind of data does not stop the others and is reported at the end", async () => {
  const { id: userId } = await person(db, "Asha Verma");
  const over = { createdAt: ago(day), updatedAt: ago(day), expiresAt: ago(minute) };
  await db.insert(sessions).values({ userId, tokenHash: randomUUID(), ...over });
  await db.execute(sql`alter table rate_limits rename to rate_limits_away`);
  await expect(runForgetExpired())
    .rejects.toThrow("rate_limits")
    .finally(() => db.execute(sql`alter table rate_limits_away rename to rate_limits`));
  expect(await db.$count(sessions, eq(sessions.userId, userId))).toBe(0);
});

test("an account that is unconfirmed for a week is deleted with its data", async () => {
  await signUp(db, config, {
    fullName: "Late Comer",
    email: "late@example.com",
    password: "secret",
  });
  await setAge("late@example.com", 7 * day - hour);
  await runForgetExpired();
  expect(await accountExists("late@example.com")).toBe(true);
  await setAge("late@example.com", 7 * day + hour);
  await runForgetExpired();
  expect(await accountExists("late@example.com")).toBe(false);
  expect(await db.$count(profiles, eq(profiles.fullName, "Late Comer"))).toBe(0);
  expect(await db.$count(accounts)).toBe(0);
  expect(await db.$count(oneTimeLinks)).toBe(0);
});

test("an account with a valid confirmation link or a confirmed email is not deleted", async () => {
  for (const email of ["again@example.com", "confirmed@example.com"])
    await signUp(db, config, { fullName: "Asha Verma", email, password: "secret" });
  for (const email of ["again@example.com", "confirmed@example.com"]) await setAge(email, 9 * day);
  await sendConfirmationAgain(db, config, "again@example.com");
  await db
    .update(users)
    .set({ emailVerified: true })
    .where(eq(users.email, "confirmed@example.com"));
  await runForgetExpired();
  expect(await accountExists("again@example.com")).toBe(true);
  expect(await accountExists("confirmed@example.com")).toBe(true);
});

test("an unconfirmed account that other rows refer to is not deleted", async () => {
  const buyer = await person(db, "Imported Buyer");
  await db.update(users).set({ emailVerified: false }).where(eq(users.id, buyer.id));
  await startedOrder(db, buyer);
  await setAge(buyer.email, 90 * day);
  await runForgetExpired();
  expect(await accountExists(buyer.email)).toBe(true);
});

test("an emailed link is deleted a week after it expires", async () => {
  await db.delete(oneTimeLinks);
  const { id: userId } = await person(db, "Ravi Nair");
  await createOneTimeLink(db, config.origin, "recovery", userId);
  for (const [ended, left] of [
    [6 * day, 1],
    [8 * day, 0],
  ] as const) {
    await db.update(oneTimeLinks).set({ expiresAt: ago(ended) });
    await runForgetExpired();
    expect(await db.$count(oneTimeLinks)).toBe(left);
  }
});

test("emails and spam are deleted after a month, and contact messages after a year", async () => {
  await db.delete(mails);
  const mail = { recipient: "asha@example.com", subject: "Hello", html: "", text: "" };
  await db.insert(mails).values([
    { ...mail, cause: "new", createdAt: ago(29 * day) },
    { ...mail, cause: "old", createdAt: ago(31 * day), sentAt: ago(31 * day) },
    { ...mail, cause: "refused", createdAt: ago(31 * day), givenUpAt: ago(31 * day) },
  ]);
  const message = { name: "Asha", email: "asha@example.com", subject: "A question", message: "?" };
  await db.insert(supportMessages).values([
    { ...message, ticket: "kept", createdAt: ago(364 * day) },
    { ...message, ticket: "old", createdAt: ago(366 * day) },
    { ...message, ticket: "held", createdAt: ago(29 * day), isSuspected: true },
    { ...message, ticket: "spam", createdAt: ago(31 * day), isSuspected: true },
  ]);
  await runForgetExpired();
  expect(await db.select({ cause: mails.cause }).from(mails)).toEqual([{ cause: "new" }]);
  const left = await db.select({ ticket: supportMessages.ticket }).from(supportMessages);
  expect(left.map(({ ticket }) => ticket).toSorted()).toEqual(["held", "kept"]);
});

/** Sets the age of an account and its links. */
async function setAge(email: string, age: number): Promise<void> {
  const [user] = await db
    .update(users)
    .set({ createdAt: ago(age), updatedAt: ago(age) })
    .where(eq(users.email, email))
    .returning();
  const createdAt = ago(age);
  const expiresAt = new Date(createdAt.getTime() + day);
  await db
    .update(oneTimeLinks)
    .set({ createdAt, expiresAt })
    .where(sql`${oneTimeLinks.userId} = ${user!.id}`);
}

async function accountExists(email: string): Promise<boolean> {
  return (await db.$count(users, eq(users.email, email))) > 0;
}
