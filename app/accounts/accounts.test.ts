import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { linkMailedTo, mailsTo, tokenMailedTo } from "../../tests/support/rows/mailbox.ts";
import { signedIn } from "../../tests/support/rows/people.ts";
import { runLater } from "../../tests/support/product/stop-clock.ts";
import { day, hour } from "../platform/clock.ts";
import { confirmAddress, sendConfirmationAgain, signUp } from "./sign-up/sign-up.server.tsx";
import { runInConstantTime, isLinkConfirmed, isLinkValid } from "./one-time-links.server.ts";
import { requestPasswordReset, resetPassword } from "./password-reset/reset-password.server.tsx";
import { findActor, hashToken } from "./session.server.ts";
import { signIn } from "./sign-in/sign-in.server.ts";
import { oneTimeLinks, profiles, users } from "./tables.server.ts";

const config = testConfig();
const password = "correct horse";
const { db } = await testDatabase();
let visitors = 0;

test("a sign-up creates an unconfirmed account with a profile and emails one link", async () => {
  const email = newAddress();
  await signUp(db, config, { fullName: "Asha Verma", email, password, next: "/jobs/1" });
  const [user] = await db.select().from(users).where(eq(users.email, email));
  expect(user).toMatchObject({ emailVerified: false, name: "Asha Verma" });
  expect(await db.select().from(profiles).where(eq(profiles.id, user!.id))).toHaveLength(1);
  const link = await linkMailedTo(db, email);
  expect(link.pathname).toBe("/account-confirmation");
  expect(link.searchParams.get("type")).toBe("signup");
});

test("the confirmation email repeats nothing from the sign-up form", async () => {
  const email = newAddress();
  await signUp(db, config, { fullName: "Win at https://evil.example", email, password });
  const [mail] = await mailsTo(db, email);
  expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toContain("evil.example");
});

test("only the hash of an emailed token is stored", async () => {
  const email = newAddress();
  await signUp(db, config, { fullName: "Asha", email, password });
  const token = await tokenMailedTo(db, email);
  const stored = await db.select().from(oneTimeLinks);
  expect(JSON.stringify(stored)).not.toContain(token);
});

test("a confirmation link works once and remembers the page to continue to", async () => {
  const email = newAddress();
  await signUp(db, config, { fullName: "Asha", email, password, next: "/jobs/1" });
  const token = await tokenMailedTo(db, email);
  const results = await Promise.all([confirmAddress(db, token), confirmAddress(db, token)]);
  const [confirmed, ...others] = results.filter((result) => result !== null);
  expect(others).toEqual([]);
  expect(confirmed?.next).toBe("/jobs/1");
  const found = await findActor(db, confirmed!.session.token);
  expect(found?.actor.email).toBe(email);
  expect(await confirmAddress(db, token)).toBeNull();
});

test("a confirmation link is still recognised after its address was confirmed", async () => {
  const [used, reset, open] = [newAddress(), newAddress(), newAddress()];
  for (const email of [used, reset, open])
    await signUp(db, config, { fullName: "Asha", email, password });
  const [usedToken, resetToken, openToken] = await Promise.all(
    [used, reset, open].map((email) => tokenMailedTo(db, email)),
  );
  await confirmAddress(db, usedToken!);
  await requestPasswordReset(db, config, reset);
  const recovery = await tokenMailedTo(db, reset);
  await resetPassword(db, config, recovery, "Other1!pass");
  expect(await isLinkConfirmed(db, usedToken!)).toBe(true);
  expect(await isLinkConfirmed(db, resetToken!)).toBe(true);
  expect(await confirmAddress(db, resetToken!)).toBeNull();
  // An unused link reveals nothing about its address, and any other token reveals nothing at all.
  for (const token of [openToken!, recovery, "made up", ""])
    expect(await isLinkConfirmed(db, token)).toBe(false);
  const [left] = await db
    .select()
    .from(oneTimeLinks)
    .where(eq(oneTimeLinks.tokenHash, hashToken(usedToken!)));
  expect(left).toMatchObject({ fullName: null, passwordHash: null, next: null });
});

test("a recovery link doesn't work as a confirmation link", async () => {
  const email = await confirmedAddress();
  await requestPasswordReset(db, config, email);
  expect(await confirmAddress(db, await tokenMailedTo(db, email))).toBeNull();
});

test("a confirmation link expires after 24 hours, a recovery link after one", async () => {
  const unconfirmed = newAddress();
  await signUp(db, config, { fullName: "Asha", email: unconfirmed, password });
  const confirmed = await confirmedAddress();
  await requestPasswordReset(db, config, confirmed);
  const recovery = await tokenMailedTo(db, confirmed);

  await runLater(hour + 1, async () => {
    expect(await isLinkValid(db, "recovery", recovery)).toBe(false);
    expect(await resetPassword(db, config, recovery, "Other1!pass")).toBe(false);
    expect(await isLinkValid(db, "signup", await tokenMailedTo(db, unconfirmed))).toBe(true);
  });
  await runLater(day + 1, async () => {
    expect(await confirmAddress(db, await tokenMailedTo(db, unconfirmed))).toBeNull();
  });
});

test("a repeated sign-up of an unconfirmed address replaces name, password and link", async () => {
  const email = newAddress();
  await signUp(db, config, { fullName: "Stranger", email, password: "stranger's choice" });
  const first = await tokenMailedTo(db, email);
  await signUp(db, config, { fullName: "Asha Verma", email, password });
  expect(await confirmAddress(db, first)).toBeNull();
  expect(await confirmAddress(db, await tokenMailedTo(db, email))).not.toBeNull();
  await expect(signIn({ db, config }, { email, password })).resolves.toBeTruthy();
  await expect(signIn({ db, config }, { email, password: "stranger's choice" })).rejects.toThrow(
    "Invalid email or password",
  );
  const [user] = await db.select().from(users).where(eq(users.email, email));
  expect(user?.name).toBe("Asha Verma");
});

test("a password reset locks out a stranger who signed up with the address", async () => {
  const email = newAddress();
  await signUp(db, config, { fullName: "Stranger", email, password: "stranger's choice" });
  const strangers = await tokenMailedTo(db, email);
  await requestPasswordReset(db, config, email);
  expect(await resetPassword(db, config, await tokenMailedTo(db, email), password)).toBe(true);
  await expect(signIn({ db, config }, { email, password })).resolves.toBeTruthy();
  expect(await confirmAddress(db, strangers)).toBeNull();
  await expect(signIn({ db, config }, { email, password: "stranger's choice" })).rejects.toThrow(
    "Invalid email or password",
  );
});

test("signing up with a confirmed address changes nothing and emails its owner", async () => {
  const email = await confirmedAddress();
  await signUp(db, config, { fullName: "Stranger", email, password: "stranger's choice" });
  const [newest] = await mailsTo(db, email);
  expect(newest?.subject).toBe("You already have an account at Naksha");
  expect(newest?.text).not.toContain("token_hash");
  await expect(signIn({ db, config }, { email, password })).resolves.toBeTruthy();
});

test("ten sign-ups of one address at the same time leave one account and one valid link", async () => {
  const email = newAddress();
  await Promise.all(
    Array.from({ length: 10 }, (_, turn) =>
      signUp(db, config, { fullName: `Asha ${turn}`, email, password }),
    ),
  );
  const mails = await mailsTo(db, email);
  expect(mails).toHaveLength(10);
  const tokens = mails.map(({ text }) => /token_hash=([\w-]+)/.exec(text)?.[1] ?? "");
  const valid = await Promise.all(tokens.map((token) => isLinkValid(db, "signup", token)));
  expect(valid.filter(Boolean)).toHaveLength(1);
});

test("resending a confirmation ends the older link", async () => {
  const email = newAddress();
  await signUp(db, config, { fullName: "Asha", email, password, next: "/jobs/2" });
  const first = await tokenMailedTo(db, email);
  await sendConfirmationAgain(db, config, email);
  expect(await confirmAddress(db, first)).toBeNull();
  expect(await confirmAddress(db, await tokenMailedTo(db, email))).toMatchObject({
    next: "/jobs/2",
  });
  await expect(signIn({ db, config }, { email, password })).resolves.toBeTruthy();
});

test("an address without an account gets no email", async () => {
  const email = newAddress();
  await sendConfirmationAgain(db, config, email);
  await requestPasswordReset(db, config, email);
  expect(await mailsTo(db, email)).toHaveLength(0);
});

test("only people who know the password learn that an address is unconfirmed", async () => {
  const email = newAddress();
  await signUp(db, config, { fullName: "Asha", email, password });
  await expect(signIn({ db, config }, { email, password: "wrong one" })).rejects.toThrow(
    "Invalid email or password",
  );
  await expect(signIn({ db, config }, { email, password })).rejects.toThrow(
    "Email not confirmed. Please check your inbox for the verification link.",
  );
});

test("an unknown address gets the same error as a wrong password", async () => {
  await expect(signIn({ db, config }, { email: newAddress(), password })).rejects.toThrow(
    "Invalid email or password",
  );
});

test("a password reset consumes the link, ends all sessions and emails the owner", async () => {
  const email = await confirmedAddress();
  const { session } = await signedIn({ db, config }, { email, password });
  await requestPasswordReset(db, config, email);
  const token = await tokenMailedTo(db, email);
  expect(await isLinkValid(db, "recovery", token)).toBe(true);
  const results = await Promise.all([
    resetPassword(db, config, token, "First1!pass"),
    resetPassword(db, config, token, "Second1!pass"),
  ]);
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(await findActor(db, session.token)).toBeNull();
  await expect(signIn({ db, config }, { email, password })).rejects.toThrow(
    "Invalid email or password",
  );
  expect((await mailsTo(db, email))[0]?.subject).toBe("Your password for Naksha was changed");
});

test("a second password reset request ends the first link", async () => {
  const email = await confirmedAddress();
  await requestPasswordReset(db, config, email);
  const first = await tokenMailedTo(db, email);
  await requestPasswordReset(db, config, email);
  expect(await isLinkValid(db, "recovery", first)).toBe(false);
  expect(await isLinkValid(db, "recovery", await tokenMailedTo(db, email))).toBe(true);
});

test("requested emails take a constant time, even if they fail", async () => {
  const works = [
    async () => {},
    async () => sleep(30),
    async () => Promise.reject(new Error("Nobody")),
  ];
  for (const work of works) {
    const done: string[] = [];
    const shorter = sleep(240).then(() => done.push("240 ms"));
    await runInConstantTime(work).catch(() => {});
    done.push("the work");
    await shorter;
    expect(done).toEqual(["240 ms", "the work"]);
  }
  await expect(runInConstantTime(works[2]!)).rejects.toThrow("Nobody");
});

function newAddress(): string {
  visitors += 1;
  return `visitor${visitors}@example.com`;
}

async function confirmedAddress(): Promise<string> {
  const email = newAddress();
  await signUp(db, config, { fullName: "Asha Verma", email, password });
  await confirmAddress(db, await tokenMailedTo(db, email));
  return email;
}
