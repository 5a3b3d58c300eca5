import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Actor } from "../app/accounts/actor.server.ts";
import { hashPassword } from "../app/accounts/passwords.server.ts";
import { getSessionCookieName } from "../app/accounts/session.server.ts";
import { sessions, staffRoles } from "../app/accounts/tables.server.ts";
import { day, hour, now } from "../app/platform/clock.ts";
import { milestones } from "../app/platform/tables.server.ts";
import { type App, hasApp } from "./support/rows/factors.ts";
import { mailsTo } from "./support/rows/mailbox.ts";
import { givePassword, people } from "./support/rows/people.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";

/** The second step and signing in again, over HTTP, with production settings. */
const password = "correct horse";
let app: RunningApp;
let asha: Actor;
let gita: Actor;
let ravi: Actor;
let authenticator: App;

beforeAll(async () => {
  const passwordHash = await hashPassword(password);
  app = await runningApp(
    async (db) => {
      ({ asha, gita, ravi } = await people(db));
      for (const someone of [asha, gita]) await givePassword(db, someone, passwordHash);
    },
    { SIGN_IN_AGAIN: "required", STAFF_SECOND_FACTOR: "required" },
  );
});
beforeEach(async () => {
  authenticator = await hasApp(app.product.services.app, asha);
});

test("with an authenticator app, a correct password only opens the second step", async () => {
  const first = await send("/login", { email: asha.email, password });
  expect(first.headers.get("location")).toBe("/login/second-step");
  const half = cookiesOf(first);
  expect(Object.keys(half)).toEqual([expect.stringMatching(/^second-step-\d+$/)]);
  const [token] = Object.values(half);

  const asSession = { [sessionName()]: token! };
  for (const cookies of [half, asSession, { ...half, ...asSession }]) {
    expect(await isSignedIn(cookies)).toBe(false);
    expect((await ask("/profile", cookies)).headers.get("location")).toMatch(/^\/login\?/);
  }
  expect((await ask("/login/second-step", half)).status).toBe(200);
  const wrong = await send(
    "/login/second-step",
    { intent: "by-code", code: authenticator.wrongCode() },
    half,
  );
  expect([wrong.status, sessionOf(wrong)]).toEqual([422, undefined]);

  const done = await send(
    "/login/second-step",
    { intent: "by-code", code: authenticator.code() },
    half,
  );
  expect(done.headers.get("location")).toBe("/");
  expect(sessionOf(done)).not.toBe(token);
  expect(await isSignedIn(cookiesOf(done))).toBe(true);
  expect(cookiesOf(done)[Object.keys(half)[0]!]).toBe("");
});

test("the second step ends a session that was planted in the browser", async () => {
  const planted = { [sessionName()]: (await app.cookieOf(ravi)).split("=")[1]! };
  const first = await send("/login", { email: asha.email, password }, planted);
  const half = { ...planted, ...cookiesOf(first) };
  const done = await send(
    "/login/second-step",
    { intent: "by-code", code: authenticator.code() },
    half,
  );
  expect(sessionOf(done)).not.toBe(planted[sessionName()]);
  expect(await isSignedIn(planted)).toBe(false);
});

test("a device is remembered only after the second step", async () => {
  const first = await send("/login", { email: asha.email, password });
  expect(Object.keys(cookiesOf(first)).join()).not.toContain("known-device");
  const done = await send(
    "/login/second-step",
    { intent: "by-code", code: authenticator.code() },
    cookiesOf(first),
  );
  expect(Object.keys(cookiesOf(done)).join()).toContain("known-device");
});

test("a second step without a first one redirects to the login", async () => {
  for (const cookies of [{}, { [`second-step-${new URL(app.origin).port}`]: "made-up" }]) {
    expect((await ask("/login/second-step", cookies)).headers.get("location")).toBe("/login");
    const sent = await send(
      "/login/second-step",
      { intent: "by-code", code: authenticator.code() },
      cookies,
    );
    expect(sent.headers.get("location")).toBe("/login");
    expect(sessionOf(sent)).toBeUndefined();
  }
});

test("an admin has to sign in again before changing another account", async () => {
  const cookie = await app.cookieOf(gita);
  const cookies = { [sessionName()]: cookie.split("=")[1]! };
  const longAgo = new Date(now().getTime() - hour);
  await app.db.update(sessions).set({ provedAt: longAgo }).where(eq(sessions.userId, gita.id));
  const form = { userId: ravi.id };
  const redirected = await send("/admin/users", form, cookies);
  const target = redirected.headers.get("location")!;
  expect(target).toBe("/sign-in-again?next=%2Fadmin%2Fusers");
  expect(await mailsTo(app.db, ravi.email)).toEqual([]);
  expect((await ask("/admin/users", cookies)).status).toBe(200);

  const refused = await send(target, { intent: "by-password", password: "not it" }, cookies);
  expect([refused.status, sessionOf(refused)]).toEqual([422, undefined]);
  const proof = { intent: "by-password", password, next: "/admin/users" };
  const proved = await send(target, proof, cookies);
  expect(proved.headers.get("location")).toBe("/admin/users");
  expect(await isSignedIn(cookies)).toBe(false);
  expect((await send("/admin/users", form, cookiesOf(proved))).status).toBe(200);
  expect(await mailsTo(app.db, ravi.email)).toHaveLength(1);
});

test("a form is held while an admin signs in again", async () => {
  const cookies = { [sessionName()]: (await app.cookieOf(gita)).split("=")[1]! };
  await app.db.update(sessions).set({ provedAt: null }).where(eq(sessions.userId, gita.id));
  const redirected = await send("/admin/users", { userId: ravi.id }, cookies);
  expect(cookiesOf(redirected)["held-form"]).toMatch(/^[\w-]{43}$/);
});

test("after a week, staff must set up a second factor to continue", async () => {
  const cookies = { [sessionName()]: (await app.cookieOf(gita)).split("=")[1]! };
  expect((await ask("/admin", cookies)).status).toBe(200);
  const longAgo = new Date(now().getTime() - 8 * day);
  await app.db.update(milestones).set({ at: longAgo });
  await app.db.update(staffRoles).set({ createdAt: longAgo });
  for (const path of ["/admin", "/admin/users", "/reviewer", "/job-board"])
    expect((await ask(path, cookies)).headers.get("location")).toBe(
      `/profile/second-factor?next=${encodeURIComponent(path)}`,
    );
  const mailed = (await mailsTo(app.db, ravi.email)).length;
  await send("/admin/users", { userId: ravi.id }, cookies);
  expect(await mailsTo(app.db, ravi.email)).toHaveLength(mailed);
  expect((await ask("/profile/second-factor", cookies)).status).toBe(200);
  await hasApp(app.product.services.app, gita);
  expect((await ask("/admin", cookies)).status).toBe(200);
});

type Cookies = Record<string, string>;

function sessionName(): string {
  return getSessionCookieName(app.product.services.app.config);
}

function cookiesOf(response: Response): Cookies {
  const pairs = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]!);
  return Object.fromEntries(
    pairs.map((pair) => pair.split("=") as [string, string]).filter(([name]) => name !== "toasts"),
  );
}

function sessionOf(response: Response): string | undefined {
  return cookiesOf(response)[sessionName()];
}

function header(cookies: Cookies): string {
  return Object.entries(cookies)
    .map((pair) => pair.join("="))
    .join("; ");
}

function ask(path: string, cookies: Cookies): Promise<Response> {
  return fetch(app.origin + path, { redirect: "manual", headers: { cookie: header(cookies) } });
}

function send(path: string, fields: Record<string, string>, cookies: Cookies = {}) {
  return fetch(app.origin + path, {
    method: "POST",
    redirect: "manual",
    headers: { origin: app.origin, cookie: header(cookies) },
    body: new URLSearchParams(fields),
  });
}

async function isSignedIn(cookies: Cookies): Promise<boolean> {
  const answer = await (await ask("/session", cookies)).json();
  return (answer as { signedIn: boolean }).signedIn;
}
