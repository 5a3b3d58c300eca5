import { randomUUID } from "node:crypto";
import { and, eq, ne } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { jobAlert } from "../../../tests/support/rows/alerts.ts";
import { mailsTo, tokenMailedTo } from "../../../tests/support/rows/mailbox.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { sentBy } from "../../../tests/support/requests/asked.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { setBan, tomorrow } from "../../../tests/support/rows/admin-things.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { consents } from "../../accounts/consents/tables.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { day, hour, minute, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { rateLimits } from "../../platform/tables.server.ts";
import { buildConfirmPath, buildStopPath, hashAlertAddress } from "./alerts.server.ts";
import { describeAlert, parseAlertFilters } from "./alert-query.server.ts";
import { deleteExpiredAlerts } from "./expired-alerts.server.ts";
import * as screen from "./new-alert.screen.tsx";
import {
  changeAlertFrequency,
  createOwnAlert,
  listOwnAlerts,
  stopOwnAlert,
} from "./own-alerts.server.ts";
import { alertForm, confirmAlert, findMailedAlert, requestAlert } from "./request-alert.server.tsx";
import { maxAlertsPerAddress } from "./rules.ts";
import { findStopLink, stopAlerts } from "./stop-alerts.server.ts";
import { alerts } from "./tables.server.ts";

const { db } = await testDatabase();
const config = testConfig();
const address = () => `reader.${randomUUID()}@example.com`;
const lastPart = (path: string) => path.split("/").at(-1)!;

type Asker = { actor?: Actor; query?: string };

/** Sends the form for a new alert, each time from another network. */
async function ask(fields: Record<string, string>, { actor, query = "" }: Asker = {}) {
  const clientAddress = `2001:db8:${randomUUID().slice(0, 4)}::1`;
  const path = `/jobs/alerts?${query}`;
  const typed = { frequency: "daily", ...fields };
  return screen.action(sentBy(db, actor ?? null, typed, { path, clientAddress }));
}

const rowsOf = (email: string) =>
  db.select().from(alerts).where(eq(alerts.email, email)).orderBy(alerts.createdAt, alerts.id);
const consentsOf = (person_: { email: string } | { userId: string }) =>
  db
    .select({ withdrawnAt: consents.withdrawnAt, how: consents.how })
    .from(consents)
    .where(
      and(
        "email" in person_
          ? eq(consents.email, person_.email)
          : eq(consents.userId, person_.userId),
        eq(consents.purpose, "alerts"),
      ),
    );
const confirmToken = (id: string) => lastPart(buildConfirmPath(config, id));
const stopToken = (id: string) => lastPart(buildStopPath(config, id, "stop"));

/** Asks for an alert as a visitor and confirms it. @returns its id */
async function confirmed(email: string, query = ""): Promise<string> {
  await ask({ email }, { query });
  const rows = await rowsOf(email);
  const alert = rows.find((row) => row.query === query && row.state === "pending");
  await confirmAlert(db, config, confirmToken(alert!.id));
  return alert!.id;
}

test.each([
  ["", "", "All jobs"],
  ["place=Bangalore&mode=remote&discipline=ux", "discipline=ux&mode=remote&place=bengaluru"],
  ["mode=remote&discipline=ux&place=bengaluru", "discipline=ux&mode=remote&place=bengaluru"],
  ["sort=pay&summary=hide&after=x&type=Internship", "type=Internship", "Internship"],
  ["search=%20Figma%20&skill=none", "search=Figma", "“Figma”"],
  ["discipline=ux&place=pune&pay=10&search=a", null, "UX design, Pune, ₹10 LPA or more, “a”"],
])("the filters %j are stored as %j", (given, query, words?: string) => {
  const filters = parseAlertFilters(new URLSearchParams(given));
  if (query !== null) expect(filters.query).toBe(query);
  if (words) expect(describeAlert(filters.query)).toBe(words);
  expect(parseAlertFilters(new URLSearchParams(filters.query)).query).toBe(filters.query);
});

test("values that the board doesn't know are left out and named", () => {
  expect(parseAlertFilters(new URLSearchParams("discipline=magic&mode=remote"))).toEqual({
    query: "mode=remote",
    ignored: "We ignored “magic” in the address: it isn't a known discipline.",
  });
});

test("a visitor's alert starts once they confirm it, with their consent", async () => {
  const email = address();
  await ask({ email: ` ${email.toUpperCase()} ` }, { query: "discipline=ux&search=win%20money" });
  const [alert] = await rowsOf(email);
  expect(alert).toMatchObject({ state: "pending", query: "search=win+money&discipline=ux" });
  expect(await consentsOf({ email })).toEqual([]);
  const [mail] = await mailsTo(db, email);
  expect(mail!.subject).toBe("Confirm your job alert");
  for (const form of [mail!.html, mail!.text]) {
    expect(form).toContain(buildConfirmPath(config, alert!.id));
    expect(form).toContain("UX design");
    // Anyone can enter any address.
    expect(form).not.toContain("money");
  }
  const token = await tokenMailedTo(db, email, "/alerts/confirm/");
  await confirmAlert(db, config, token);
  await confirmAlert(db, config, token);
  const [started] = await rowsOf(email);
  expect(started!.state).toBe("active");
  expect(started!.sentUntil).toEqual(started!.confirmedAt);
  expect(await consentsOf({ email })).toEqual([{ how: "alert", withdrawnAt: null }]);
});

test("two confirmations at once are one", async () => {
  const email = address();
  await ask({ email });
  const [alert] = await rowsOf(email);
  const confirm = (handle: Database) => confirmAlert(handle, config, confirmToken(alert!.id));
  const results = await overlap(db, confirm, confirm);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await consentsOf({ email })).toHaveLength(1);
});

test("all addresses get the same answer, and the email says what applies", async () => {
  const account = await person(db, "Nina Account");
  const [fresh, known, full] = [address(), address(), address()];
  const knownId = await confirmed(known);
  await db.delete(mails).where(eq(mails.recipient, known));
  for (let turn = 0; turn < maxAlertsPerAddress; turn++)
    await jobAlert(db, { email: full, query: `search=${turn}` });
  const answers = [];
  for (const email of [fresh, known, full, account.email, "bot@example.com"]) {
    const answer = await ask({ email, ...(email.startsWith("bot") && { topic: "x" }) });
    answers.push(JSON.stringify(answer).replaceAll(email, "(address)"));
  }
  expect(new Set(answers).size).toBe(1);
  const subjectTo = async (email: string) => (await mailsTo(db, email))[0]?.subject;
  expect(await subjectTo(fresh)).toBe("Confirm your job alert");
  expect(await subjectTo(account.email)).toBe("Confirm your job alert");
  expect(await subjectTo(known)).toBe("You already have this job alert");
  expect(await subjectTo(full)).toBe("You have ten job alerts");
  expect(await subjectTo("bot@example.com")).toBeUndefined();
  const [mail] = await mailsTo(db, known);
  for (const form of [mail!.html, mail!.text])
    expect(form).toContain(buildStopPath(config, knownId, "stop"));
  const [limit] = await mailsTo(db, full);
  for (const form of [limit!.html, limit!.text]) expect(form).toContain("/alerts/stop/");
  expect(await rowsOf(full)).toHaveLength(maxAlertsPerAddress);
});

test("asking again changes no active alert, and an address gets one email an hour", async () => {
  stopClock();
  const email = address();
  const id = await confirmed(email);
  const mailed = () => mailsTo(db, email);
  await ask({ email, frequency: "weekly" });
  await ask({ email }, { query: "search=a" });
  await ask({ email, frequency: "weekly" }, { query: "search=a" });
  const findAlert = async (query: string) =>
    (await rowsOf(email)).find((row) => row.query === query);
  expect(await findAlert("")).toMatchObject({ id, frequency: "daily", state: "active" });
  expect(await findAlert("search=a")).toMatchObject({ state: "pending", frequency: "weekly" });
  expect(await mailed()).toHaveLength(1);
  const hourPasses = async () => {
    const createdAt = new Date(now().getTime() - hour);
    await db.update(mails).set({ createdAt }).where(eq(mails.recipient, email));
    await db.delete(rateLimits);
  };
  await hourPasses();
  await ask({ email }, { query: "search=a" });
  await ask({ email });
  expect(await mailed()).toHaveLength(2);
  await hourPasses();
  await ask({ email });
  expect((await mailed()).map(({ subject }) => subject).toSorted()).toEqual([
    "Confirm your job alert",
    "Confirm your job alert",
    "You already have this job alert",
  ]);
});

test("two forms at once send one email", async () => {
  const email = address();
  const create = (query: string) => (handle: Database) =>
    requestAlert(handle, config, { query, form: alertForm.parse({ frequency: "daily", email }) });
  await overlap(db, create("search=a"), create("search=b"));
  expect(await mailsTo(db, email)).toHaveLength(1);
});

test("a banned person's address gets the same answer and no email", async () => {
  const asha = await person(db, "Asha Banned");
  await setBan(db, asha.id, tomorrow());
  const answers = [];
  for (const email of [asha.email, address()])
    answers.push(JSON.stringify(await ask({ email })).replaceAll(email, "(address)"));
  expect(answers[0]).toBe(answers[1]);
  expect(await mailsTo(db, asha.email)).toEqual([]);
  expect(await rowsOf(asha.email)).toEqual([]);
});

test("unconfirmed alerts never block an address", async () => {
  const email = address();
  for (let turn = 0; turn < maxAlertsPerAddress; turn++)
    await jobAlert(db, {
      email,
      query: `search=${turn}`,
      state: "pending",
      createdAt: new Date(now().getTime() - hour + turn * minute),
    });
  await ask({ email }, { query: "search=mine" });
  const queries = (await rowsOf(email)).map(({ query }) => query);
  expect(queries).toHaveLength(maxAlertsPerAddress);
  expect(queries).toContain("search=mine");
  expect(queries).not.toContain("search=0");
});

test.each([
  [{ frequency: "hourly", email: "a@example.com" }, { frequency: "Choose how often" }],
  [{ email: "nowhere" }, { email: "Please enter a valid email address." }],
  [{}, { email: "Please enter a valid email address." }],
])("the fields %j are refused and keep what was typed", async (fields, errors) => {
  const typed = { frequency: "daily", ...fields };
  expect(await ask(fields)).toMatchObject({
    init: { status: 422 },
    data: { errors, values: typed },
  });
});

test("filters that are too long for an alert are refused", async () => {
  const query = `search=${encodeURIComponent("🎨".repeat(190))}`;
  expect(await ask({ email: address() }, { query })).toMatchObject({
    init: { status: 422 },
    data: { errors: { "": expect.stringContaining("too long") } },
  });
});

test("the longest filters fit in the index", async () => {
  const email = `${"x".repeat(240)}@example.com`;
  const random = Array.from({ length: 160 }, (_, at) => String.fromCharCode(0x4e00 + at * 97));
  const query = `search=${encodeURIComponent(random.join(""))}`;
  await jobAlert(db, { email, query });
  expect(await rowsOf(email)).toHaveLength(1);
});

test("a link is refused after 48 hours, for another alert, and for another purpose", async () => {
  const email = address();
  await ask({ email });
  const [alert] = await rowsOf(email);
  const foreign = confirmToken(randomUUID());
  const forged = `${alert!.id}${foreign.slice(alert!.id.length)}`;
  for (const token of [foreign, forged, stopToken(alert!.id), alert!.id, ""])
    await expect(confirmAlert(db, config, token)).rejects.toThrow("This link isn't complete");
  await db
    .update(alerts)
    .set({ createdAt: new Date(now().getTime() - 48 * hour - 1) })
    .where(eq(alerts.id, alert!.id));
  expect(await findMailedAlert(db, config, confirmToken(alert!.id))).toBeNull();
  await expect(confirmAlert(db, config, confirmToken(alert!.id))).rejects.toThrow("48 hours");
  await deleteExpiredAlerts(db, config);
  expect(await rowsOf(email)).toEqual([]);
});

test("a stopped alert can't be started with its old link", async () => {
  const email = address();
  const id = await confirmed(email);
  await stopAlerts(db, config, stopToken(id));
  await expect(confirmAlert(db, config, confirmToken(id))).rejects.toThrow("You stopped");
});

test("an account's alert starts at once, and asking again changes its frequency", async () => {
  const asha = await person(db, "Asha Alert");
  await ask({ frequency: "daily" }, { actor: asha, query: "discipline=ux" });
  await ask({ frequency: "weekly" }, { actor: asha, query: "discipline=ux" });
  expect(await rowsOf(asha.email)).toMatchObject([
    { state: "active", frequency: "weekly", userId: asha.id, query: "discipline=ux" },
  ]);
  expect(await mailsTo(db, asha.email)).toEqual([]);
  expect(await consentsOf({ userId: asha.id })).toEqual([{ how: "alert", withdrawnAt: null }]);
});

test("an account confirms the alert that it asked for as a visitor", async () => {
  const asha = await person(db, "Asha Visitor");
  await ask({ email: asha.email });
  await createOwnAlert(db, asha, { query: "", frequency: "daily" });
  expect(await rowsOf(asha.email)).toMatchObject([{ state: "active", userId: asha.id }]);
});

test("an account has ten alerts at most, also with two tabs", async () => {
  const asha = await person(db, "Asha Ten");
  for (let turn = 1; turn < maxAlertsPerAddress; turn++)
    await createOwnAlert(db, asha, { query: `search=${turn}`, frequency: "daily" });
  const create = (query: string) => (handle: Database) =>
    createOwnAlert(handle, asha, { query, frequency: "daily" });
  const [first, second] = await overlap(db, create("search=a"), create("search=b"));
  expect(first!.status).toBe("fulfilled");
  expect(second).toMatchObject({ status: "rejected", reason: { name: "Conflict" } });
  const [alert] = await listOwnAlerts(db, asha);
  await stopOwnAlert(db, asha, alert!.id);
  await createOwnAlert(db, asha, { query: "search=b", frequency: "daily" });
  expect(await listOwnAlerts(db, asha)).toHaveLength(maxAlertsPerAddress);
});

test("people see and change the alerts of their account and of its address, and no others", async () => {
  const [asha, ravi] = [await person(db, "Asha Own"), await person(db, "Ravi Own")];
  await createOwnAlert(db, asha, { query: "search=a", frequency: "daily" });
  const asVisitor = await confirmed(asha.email, "search=b");
  expect((await listOwnAlerts(db, asha)).map(({ query }) => query)).toEqual([
    "search=b",
    "search=a",
  ]);
  expect(await listOwnAlerts(db, ravi)).toEqual([]);
  const change = { id: asVisitor, frequency: "weekly" } as const;
  await expect(changeAlertFrequency(db, ravi, change)).rejects.toMatchObject({ name: "NotFound" });
  await expect(stopOwnAlert(db, ravi, asVisitor)).rejects.toMatchObject({ name: "NotFound" });
  await changeAlertFrequency(db, asha, change);
  expect((await listOwnAlerts(db, asha))[0]).toMatchObject(change);
  await stopOwnAlert(db, asha, asVisitor);
  await expect(stopOwnAlert(db, asha, asVisitor)).rejects.toMatchObject({ name: "NotFound" });
  expect(await listOwnAlerts(db, asha)).toHaveLength(1);
});

test("the consent ends with the last alert of a person", async () => {
  const email = address();
  const ids = [await confirmed(email), await confirmed(email, "search=a")];
  await stopAlerts(db, config, stopToken(ids[0]!));
  expect(await consentsOf({ email })).toMatchObject([{ withdrawnAt: null }]);
  await stopAlerts(db, config, stopToken(ids[1]!));
  expect(await consentsOf({ email })).toMatchObject([{ withdrawnAt: expect.any(Date) }]);
});

test("an alert can be asked for again after it was stopped", async () => {
  const email = address();
  await stopAlerts(db, config, stopToken(await confirmed(email)));
  await confirmed(email);
  expect((await rowsOf(email)).map(({ state }) => state).toSorted()).toEqual(["active", "stopped"]);
});

test("fifty stops at once are one", async () => {
  const email = address();
  const id = await confirmed(email);
  const stops = Array.from({ length: 50 }, () => stopAlerts(db, config, stopToken(id)));
  expect(new Set(await Promise.all(stops))).toEqual(new Set([true]));
  const [alert] = await rowsOf(email);
  const consented = await consentsOf({ email });
  await stopAlerts(db, config, stopToken(id));
  expect((await rowsOf(email))[0]!.stoppedAt).toEqual(alert!.stoppedAt);
  expect(await consentsOf({ email })).toEqual(consented);
  expect(consented).toHaveLength(1);
});

test("a link stops its alert, or all of the address", async () => {
  const email = address();
  const ids = [await confirmed(email), await confirmed(email, "search=a")];
  const other = await confirmed(address());
  expect(await findStopLink(db, config, stopToken(ids[0]!))).toMatchObject({ openAlerts: 2 });
  const all = lastPart(buildStopPath(config, ids[0]!, "stop-all"));
  expect(await findStopLink(db, config, all)).toEqual({ alert: null, openAlerts: 2 });
  await stopAlerts(db, config, all);
  expect(await db.$count(alerts, and(eq(alerts.email, email), ne(alerts.state, "stopped")))).toBe(
    0,
  );
  expect(await findStopLink(db, config, stopToken(other))).toMatchObject({ openAlerts: 1 });
  for (const token of [confirmToken(other), other, "none"]) {
    expect(await stopAlerts(db, config, token)).toBe(false);
    expect(await findStopLink(db, config, token)).toBeNull();
  }
});

test("30 days after the last alert was stopped, its address is gone and the proof stays", async () => {
  const email = address();
  const ids = [await confirmed(email), await confirmed(email, "search=a")];
  await stopAlerts(db, config, stopToken(ids[0]!));
  const age = async (days: number) =>
    db
      .update(alerts)
      .set({ stoppedAt: new Date(now().getTime() - days * day - 1) })
      .where(and(eq(alerts.email, email), eq(alerts.state, "stopped")));
  await age(30);
  await deleteExpiredAlerts(db, config);
  expect(await rowsOf(email)).toHaveLength(1);
  expect(await consentsOf({ email })).toHaveLength(1);
  await stopAlerts(db, config, stopToken(ids[1]!));
  await age(29);
  await deleteExpiredAlerts(db, config);
  expect(await rowsOf(email)).toHaveLength(1);
  await age(30);
  await deleteExpiredAlerts(db, config);
  expect(await rowsOf(email)).toEqual([]);
  expect(await consentsOf({ email })).toEqual([]);
  const emailHash = hashAlertAddress(config, email);
  const proof = await db.select().from(consents).where(eq(consents.emailHash, emailHash));
  expect(proof).toMatchObject([{ purpose: "alerts", withdrawnAt: expect.any(Date) }]);
  // The link in an old email leads on.
  expect(await stopAlerts(db, config, stopToken(ids[1]!))).toBe(true);
  expect(await findStopLink(db, config, stopToken(ids[1]!))).toBeNull();
});

test("an account's alerts are deleted with it", async () => {
  const asha = await person(db, "Asha Gone");
  await createOwnAlert(db, asha, { query: "", frequency: "daily" });
  await db.delete(users).where(eq(users.id, asha.id));
  expect(await rowsOf(asha.email)).toEqual([]);
});

test("opening a link changes nothing", async () => {
  const email = address();
  await ask({ email });
  const before = await rowsOf(email);
  await findMailedAlert(db, config, confirmToken(before[0]!.id));
  await findStopLink(db, config, stopToken(before[0]!.id));
  expect(await rowsOf(email)).toEqual(before);
  vi.useRealTimers();
});
