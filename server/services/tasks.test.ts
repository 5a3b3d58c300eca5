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
import { contactMessages } from "../../app/support/tables.server.ts";

const { db } = await testDatabase();
const config = testConfig();
const forgetExpired = testTasks(config).find(({ name }) => name === "forget-expired")!;
const forget = () => forgetExpired.run({}, { db, log: createLog("silent") });
const ago = (age: number) => new Date(now().getTime() - age);

test("sessions that are over are forgotten, however many, and no other", async () => {
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
  await forget();
  expect(await db.$count(sessions)).toBe(1);
});

test("what cannot be forgotten keeps nothing else from being forgotten, and is said at the end", async () => {
  const { id: userId } = await person(db, "Asha Verma");
  const over = { createdAt: ago(day), updatedAt: ago(day), expiresAt: ago(minute) };
  await db.insert(sessions).values({ userId, tokenHash: randomUUID(), ...over });
  await db.execute(sql`alter table rate_limits rename to rate_limits_away`);
  await expect(forget())
    .rejects.toThrow("rate_limits")
    .finally(() => db.execute(sql`alter table rate_limits_away rename to rate_limits`));
  expect(await db.$count(sessions, eq(sessions.userId, userId))).toBe(0);
});

test("an account that nobody confirmed in a week is forgotten with all of its own", async () => {
  await signUp(db, config, {
    fullName: "Late Comer",
    email: "late@example.com",
    password: "secret",
  });
  await grow("late@example.com", 7 * day - hour);
  await forget();
  expect(await known("late@example.com")).toBe(true);
  await grow("late@example.com", 7 * day + hour);
  await forget();
  expect(await known("late@example.com")).toBe(false);
  expect(await db.$count(profiles, eq(profiles.fullName, "Late Comer"))).toBe(0);
  expect(await db.$count(accounts)).toBe(0);
  expect(await db.$count(oneTimeLinks)).toBe(0);
});

test("it stays while a link to confirm it is good, or when it was confirmed", async () => {
  for (const email of ["again@example.com", "confirmed@example.com"])
    await signUp(db, config, { fullName: "Asha Verma", email, password: "secret" });
  for (const email of ["again@example.com", "confirmed@example.com"]) await grow(email, 9 * day);
  await sendConfirmationAgain(db, config, "again@example.com");
  await db
    .update(users)
    .set({ emailVerified: true })
    .where(eq(users.email, "confirmed@example.com"));
  await forget();
  expect(await known("again@example.com")).toBe(true);
  expect(await known("confirmed@example.com")).toBe(true);
});

test("it stays when anything in the database refers to it", async () => {
  const buyer = await person(db, "Imported Buyer");
  await db.update(users).set({ emailVerified: false }).where(eq(users.id, buyer.id));
  await startedOrder(db, buyer);
  await grow(buyer.email, 90 * day);
  await forget();
  expect(await known(buyer.email)).toBe(true);
});

test("a mailed link is forgotten a week after it ended", async () => {
  await db.delete(oneTimeLinks);
  const { id: userId } = await person(db, "Ravi Nair");
  await createOneTimeLink(db, config.origin, "recovery", userId);
  for (const [ended, left] of [
    [6 * day, 1],
    [8 * day, 0],
  ] as const) {
    await db.update(oneTimeLinks).set({ expiresAt: ago(ended) });
    await forget();
    expect(await db.$count(oneTimeLinks)).toBe(left);
  }
});

test("mails are forgotten after a month, and messages to us after a year or, as spam, a month", async () => {
  await db.delete(mails);
  const mail = { recipient: "asha@example.com", subject: "Hello", html: "", text: "" };
  await db.insert(mails).values([
    { ...mail, cause: "new", createdAt: ago(29 * day) },
    { ...mail, cause: "old", createdAt: ago(31 * day), sentAt: ago(31 * day) },
    { ...mail, cause: "refused", createdAt: ago(31 * day), givenUpAt: ago(31 * day) },
  ]);
  const message = { name: "Asha", email: "asha@example.com", subject: "A question", message: "?" };
  await db.insert(contactMessages).values([
    { ...message, ticket: "kept", createdAt: ago(364 * day) },
    { ...message, ticket: "old", createdAt: ago(366 * day) },
    { ...message, ticket: "held", createdAt: ago(29 * day), isSuspected: true },
    { ...message, ticket: "spam", createdAt: ago(31 * day), isSuspected: true },
  ]);
  await forget();
  expect(await db.select({ cause: mails.cause }).from(mails)).toEqual([{ cause: "new" }]);
  const left = await db.select({ ticket: contactMessages.ticket }).from(contactMessages);
  expect(left.map(({ ticket }) => ticket).toSorted()).toEqual(["held", "kept"]);
});

/** Makes an account, and its links, so much older than they are. */
async function grow(email: string, age: number): Promise<void> {
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

async function known(email: string): Promise<boolean> {
  return (await db.$count(users, eq(users.email, email))) > 0;
}
