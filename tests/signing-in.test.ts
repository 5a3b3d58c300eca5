import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { banAccount, unbanAccount } from "../app/accounts/bans-and-roles.server.ts";
import { hashPassword } from "../app/accounts/passwords.server.ts";
import { sessions, users } from "../app/accounts/tables.server.ts";
import { day, now } from "../app/platform/clock.ts";
import type { Database } from "../app/platform/database.server.ts";
import { rateLimits } from "../app/platform/tables.server.ts";
import { demoPeople } from "../db/demo/people.ts";
import { testConfig } from "./support/product/config.ts";
import { stopClock } from "./support/product/stop-clock.ts";
import { mailsTo } from "./support/rows/mailbox.ts";
import { givePassword, person } from "./support/rows/people.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";
import { tomorrow } from "./support/rows/admin-things.ts";

/** Signing in and out over HTTP, with rate limits on. */
const password = "correct horse";
const email = "asha@example.com";
const unconfirmed = "unconfirmed@example.com";
let app: RunningApp;

beforeAll(async () => {
  app = await runningApp(
    async (db) => {
      const passwordHash = await hashPassword(password);
      await account(db, { email, isConfirmed: true, passwordHash });
      await account(db, { email: unconfirmed, isConfirmed: false, passwordHash });
    },
    { RATE_LIMITS: "on" },
  );
});
beforeEach(async () => {
  await app.db.delete(rateLimits);
});

test("a sign-in sets a session, remembers the device and ends the earlier session", async () => {
  const first = await signIn({ email, password });
  expect(first.status).toBe(302);
  expect(first.headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual([
    expect.stringMatching(/^session-\d+$/),
    expect.stringMatching(/^known-device-\d+$/),
    "toasts",
  ]);
  for (const cookie of first.headers.getSetCookie()) expect(cookie).toMatch(/; HttpOnly/);
  const second = await signIn({ email, password }, cookiesOf(first));
  expect(await isSignedIn(cookiesOf(first))).toBe(false);
  expect(await isSignedIn(cookiesOf(second))).toBe(true);
});

test("signing out twice works", async () => {
  const cookie = cookiesOf(await signIn({ email, password }));
  const answers = await Promise.all([send("/logout", {}, cookie), send("/logout", {}, cookie)]);
  for (const answer of [...answers, await send("/logout", {}, cookie)]) {
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/login");
  }
  expect(await isSignedIn(cookie)).toBe(false);
});

test("a read-only database keeps people signed in and able to read", async () => {
  const cookie = cookiesOf(await signIn({ email, password }));
  const twoDaysAgo = new Date(now().getTime() - 2 * day);
  await app.db.update(sessions).set({ updatedAt: twoDaysAgo, seenAt: twoDaysAgo });
  await app.db.execute(sql`create function refuse() returns trigger language plpgsql
    as 'begin raise exception using errcode = ''disk_full''; end'`);
  await app.db.execute(
    sql`create trigger refuse before update on sessions execute function refuse()`,
  );
  const page = await fetch(`${app.origin}/profile`, { headers: { cookie } }).finally(() =>
    app.db.execute(sql`drop function refuse cascade`),
  );
  expect(page.status).toBe(200);
  expect(page.headers.getSetCookie()).toEqual([]);
  expect(await isSignedIn(cookie)).toBe(true);
});

test("ten wrong guesses lock out a stranger, but not the owner's known device", async () => {
  stopClock();
  const owner = cookiesOf(await signIn({ email, password }));
  for (let guess = 0; guess < 10; guess += 1)
    expect((await signIn({ email, password: "a guess" })).status).toBe(403);
  expect((await signIn({ email, password })).status).toBe(429);
  await send("/logout", {}, owner);
  expect((await signIn({ email, password }, owner)).status).toBe(302);
});

test("only the correct password reveals that an address is unconfirmed and offers a new link", async () => {
  const page = await (await signIn({ email: unconfirmed, password })).text();
  expect(page).toContain("Please verify your email address before logging in.");
  const form = /<form[^>]*action="\/resend-confirmation"[\s\S]*?<\/form>/.exec(page)?.[0] ?? "";
  expect(form).toContain(`name="email" value="${unconfirmed}"`);
  expect(form).toContain("Send the link again");
  const sent = await send("/resend-confirmation", { email: unconfirmed });
  expect(sent.headers.get("location")).toBe("/login");
  expect(await mailsTo(app.db, unconfirmed)).toHaveLength(1);

  for (const form of [
    { email: unconfirmed, password: "wrong one" },
    { email: "nobody@example.com", password },
  ]) {
    const refused = await signIn(form);
    expect(refused.status).toBe(403);
    const text = await refused.text();
    expect(text).toContain("Invalid email or password");
    expect(text).not.toContain("resend-confirmation");
  }
});

test("a sign-in without an email or password asks for both", async () => {
  for (const fields of ["", `email=${email}`, `password=${password}`, `email=+&password=x`]) {
    const answer = await send("/login", fields);
    expect(answer.status).toBe(400);
    const text = await answer.text();
    expect(text).toContain("You must provide either an email or phone number and a password");
    expect(text).not.toMatch(/expected string|Invalid input/);
  }
});

test("a banned demo person cannot be acted as", async () => {
  const [{ email: demo }] = demoPeople.slice(2) as [(typeof demoPeople)[number]];
  await account(app.db, { email: demo, isConfirmed: true, passwordHash: null });
  const first = cookiesOf(await send("/demo/act-as", { email: demo }));
  const second = cookiesOf(await send("/demo/act-as", { email: demo }, first));
  expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
  await banAccount(app.db, demo, { until: tomorrow(), reason: null }, testConfig());
  const refused = await send("/demo/act-as", { email: demo }, second);
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain("suspended until");
  await unbanAccount(app.db, demo, testConfig());
  expect(await isSignedIn(second)).toBe(false);
  const [row] = await app.db.select().from(users).where(eq(users.email, demo));
  expect(await app.db.select().from(sessions).where(eq(sessions.userId, row!.id))).toEqual([]);
});

async function account(
  db: Database,
  facts: { email: string; isConfirmed: boolean; passwordHash: string | null },
): Promise<void> {
  const { id } = await person(db, "Asha Verma");
  const { email: address, isConfirmed: emailVerified, passwordHash } = facts;
  await db.update(users).set({ email: address, emailVerified }).where(eq(users.id, id));
  await givePassword(db, { id }, passwordHash);
}

function signIn(form: { email: string; password: string }, cookie?: string): Promise<Response> {
  return send("/login", form, cookie);
}

function send(
  path: string,
  fields: Record<string, string> | string,
  cookie = "",
): Promise<Response> {
  return fetch(app.origin + path, {
    method: "POST",
    redirect: "manual",
    headers: { origin: app.origin, cookie },
    body: new URLSearchParams(fields),
  });
}

/** Returns the cookies that a browser sends after this answer. */
function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .filter((cookie) => !cookie!.startsWith("toasts="))
    .join("; ");
}

async function isSignedIn(cookie: string): Promise<boolean> {
  const answer = await fetch(`${app.origin}/session`, { headers: { cookie } });
  return ((await answer.json()) as { signedIn: boolean }).signedIn;
}
