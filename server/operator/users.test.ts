import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { answerTo, runCommand } from "../../tests/support/product/operator.ts";
import { person } from "../../tests/support/rows/people.ts";
import { resetPassword } from "../../app/accounts/password-reset/reset-password.server.tsx";
import { verifyPassword } from "../../app/accounts/passwords.server.ts";
import { confirmAddress, signUp } from "../../app/accounts/sign-up/sign-up.server.tsx";
import { createOneTimeLink } from "../../app/accounts/one-time-links.server.ts";
import { accounts, staffRoles, users } from "../../app/accounts/tables.server.ts";
import { mails } from "../../app/mail/tables.server.ts";
import { auditEvents } from "../../app/platform/tables.server.ts";

const { db } = await testDatabase();
const typing = (password: string) => ({ readPassword: async () => password });
const created = (email: string) => ["user", "create", email, "--name", "Gita Menon"];

async function accountOf(email: string) {
  const [found] = await db
    .select()
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(eq(users.email, email));
  return found!;
}

test("the first god admin is created without an email and can log in", async () => {
  const args = [...created("First@Example.com"), "--role", "god_admin", "reviewer"];
  const output = await runCommand(db, args, typing("Sailing by the stars"));
  expect(output).toBe(
    "first@example.com has an account with the role god_admin, reviewer and can log in.",
  );
  const { users: user, accounts: account } = await accountOf("first@example.com");
  expect(user).toMatchObject({ emailVerified: true, highestRole: "god_admin" });
  expect(await verifyPassword(account!.password, "Sailing by the stars")).toBe(true);
  expect(await db.$count(mails)).toBe(0);
  const history = await db.select().from(auditEvents).where(eq(auditEvents.subjectId, user.id));
  expect(history.map(({ event, actorName }) => `${event} by ${actorName}`).toSorted()).toEqual([
    "role.grant by Operator",
    "role.grant by Operator",
    "user.create by Operator",
  ]);
});

test("a printed link sets the password, once", async () => {
  const { data } = await answerTo(db, [...created("linked@example.com"), "--link", "print"]);
  const { link } = data as { link: string };
  const token = new URL(link).searchParams.get("token_hash")!;
  expect(await resetPassword(db, testConfig(), token, "Sailing by the stars")).toBe(true);
  expect(await resetPassword(db, testConfig(), token, "Another one")).toBe(false);
  const { accounts: account } = await accountOf("linked@example.com");
  expect(await verifyPassword(account!.password, "Sailing by the stars")).toBe(true);
});

test("--link mail emails the link to the person", async () => {
  await runCommand(db, [...created("mailed@example.com"), "--link", "mail"]);
  const [mail] = await db.select().from(mails).where(eq(mails.recipient, "mailed@example.com"));
  expect(mail?.text).toContain("/reset-password?token_hash=");
});

test("an unconfirmed sign-up becomes the account, and its links stop working", async () => {
  const email = "late@example.com";
  const form = { fullName: "Someone else", email, password: "Their own password" };
  await signUp(db, testConfig(), form);
  const { users: before } = await accountOf(email);
  const link = await createOneTimeLink(db, "http://localhost", "signup", before.id, form);
  await runCommand(db, created(email), typing("Sailing by the stars"));
  expect(await confirmAddress(db, new URL(link).searchParams.get("token_hash")!)).toBe(null);
  const { users: user, accounts: account } = await accountOf(email);
  expect(user).toMatchObject({ id: before.id, name: "Gita Menon", emailVerified: true });
  expect(await verifyPassword(account!.password, "Sailing by the stars")).toBe(true);
});

test.each([
  ["nobody", "Sailing by the stars", "Please enter a valid email address"],
  ["new@example.com", "short", "at least 8 characters"],
  ["new@example.com", "password1", "too common"],
])("%s with the password %s is refused", async (email, password, why) => {
  await expect(runCommand(db, created(email), typing(password))).rejects.toThrow(why);
  expect(await db.$count(users, eq(users.email, email))).toBe(0);
});

test("an existing account is not changed", async () => {
  const asha = await person(db, "Asha Verma");
  const again = [...created(asha.email), "--role", "god_admin"];
  await expect(runCommand(db, again, typing("Sailing by the stars"))).rejects.toThrow(
    "already has an account",
  );
  expect(await db.$count(staffRoles, eq(staffRoles.userId, asha.id))).toBe(0);
});

test("an account is closed by its address, and the answer names the date", async () => {
  const asha = await person(db, "Asha Verma");
  const closing = ["close", asha.email, "--reason", "You asked for it."];
  const output = await runCommand(db, closing);
  expect(output).toMatch(/is closed, and we've emailed them\. Their data is deleted on /);
  const [user] = await db.select().from(users).where(eq(users.id, asha.id));
  expect(user!.closedAt).not.toBeNull();
  await expect(runCommand(db, closing)).rejects.toThrow("No account has the address");
});
