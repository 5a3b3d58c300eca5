import { readdir } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { hour, minute, now } from "../app/platform/clock.ts";
import { sendDueQuestions } from "../app/checks/question/ask-contacts.server.ts";
import { signResponse } from "../app/payments/stand-in/messages.server.ts";
import { maxUnchanged } from "../app/payments/order-records.server.ts";
import { type Everybody, people } from "./support/rows/people.ts";
import { startedOrder } from "./support/payments/payments.ts";
import { type Answer, plainFetch } from "./support/requests/plain-fetch.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";
import { sentForms, unknownFacts } from "./support/inventory/forms.ts";
import { makeThings, type Things } from "./support/rows/things.ts";
import { sample } from "./support/inventory/selection.ts";

/**
 * Checks how much data people without an account can store (docs/decisions/bounds.md). Each form is sent many
 * times from one network, then the rows of every table are counted.
 */
const attempts = 60;
const network = "192.0.2.1";

let app: RunningApp;
let who: Everybody;
let things: Things;
let signedReturn: Record<string, string>;

// Attempts are counted per clock hour, so the hour must not end during a test.
const moment = Math.floor(now().getTime() / hour) * hour + minute;
const stopClock = () => vi.useFakeTimers({ toFake: ["Date"], now: moment });

beforeAll(async () => {
  stopClock();
  app = await runningApp(
    async (db) => {
      who = await people(db);
    },
    { RATE_LIMITS: "on", TRUSTED_PROXIES: "127.0.0.1,::1,::ffff:127.0.0.1" },
  );
  things = await makeThings(app.db, who);
  // Otherwise the task that asks contacts could queue an email in the middle of a test.
  await sendDueQuestions(app.db, app.product.services.app.config);
  const { payments } = app.product.services;
  const { orderId, fields } = await startedOrder(app.db, who.asha, payments);
  const { hash: _request, ...sent } = fields;
  const response = { ...sent, status: "success", mihpayid: "403", txnid: orderId };
  signedReturn = { ...response, hash: signResponse(response, payments.settings.salt, "") };
});

beforeEach(async () => {
  stopClock();
  await app.db.execute(sql`delete from rate_limits; delete from interrupted_forms`);
});

type Growth = Record<string, number>;
type Sending = {
  path: string | ((turn: number) => string);
  fields(turn: number): Record<string, string>;
  /** The rows that each table gains. All others stay the same. */
  grows: Growth;
};

const address = (turn: number) => `person.${turn}@example.com`;
const password = { password: "Good-enough1!", confirmPassword: "Good-enough1!" };
const signUp = { fullName: "Asha", terms: "accepted", ...password };
const messageForm = {
  name: "Asha Verma",
  subject: "A question",
  message: "Is this read by anybody?",
};
const token = (turn: number) => ({ token_hash: `${turn}`.padEnd(43, "x") });

const sendings: Record<string, Sending> = {
  "signing up with one address after another": {
    path: "/signup",
    fields: (turn) => ({ ...signUp, email: address(turn) }),
    grows: {
      users: 50,
      profiles: 50,
      accounts: 50,
      one_time_links: 50,
      consents: 150,
      mails: 50,
      rate_limits: 51,
    },
  },
  "signing up with the same address": {
    path: "/signup",
    fields: () => ({ ...signUp, email: "same@example.com" }),
    grows: {
      users: 1,
      profiles: 1,
      accounts: 1,
      one_time_links: 1,
      consents: 3,
      mails: 5,
      rate_limits: 2,
    },
  },
  "signing up with a registered address": {
    path: "/signup",
    fields: () => ({ ...signUp, email: who.ravi.email }),
    grows: { mails: 5, rate_limits: 2 },
  },
  "trying passwords": {
    path: "/login",
    fields: (turn) => ({ email: address(turn), password: "wrong" }),
    grows: { rate_limits: 102 },
  },
  "asking for a new password": {
    path: "/forgot-password",
    fields: () => ({ email: who.asha.email }),
    grows: { one_time_links: 1, mails: 5, rate_limits: 2 },
  },
  "asking for passwords of unknown addresses": {
    path: "/forgot-password",
    fields: (turn) => ({ email: `nobody.${turn}@example.com` }),
    grows: { rate_limits: 51 },
  },
  "asking for a confirmation again": {
    path: "/resend-confirmation",
    fields: (turn) => ({ email: `nobody.${turn}@example.com` }),
    grows: { rate_limits: 51 },
  },
  "following made-up confirmation links": {
    path: "/account-confirmation",
    fields: token,
    grows: { rate_limits: 1 },
  },
  "checking made-up reset links": {
    path: "/reset-password/check",
    fields: token,
    grows: { rate_limits: 1 },
  },
  "using made-up reset links": {
    path: "/reset-password",
    fields: (turn) => ({ ...token(turn), ...password }),
    grows: { rate_limits: 1 },
  },
  "sending contact messages": {
    path: "/contact",
    fields: (turn) => ({ ...messageForm, email: address(turn) }),
    grows: { contact_messages: 20, mails: 40, rate_limits: 21 },
  },
  "sending contact messages as a bot": {
    path: "/contact",
    fields: (turn) => ({ ...messageForm, email: address(turn), topic: "x" }),
    grows: { contact_messages: 20, rate_limits: 21 },
  },
  "reporting a listing from one address after another": {
    path: () => `/jobs/${things.jobs.published}/report`,
    fields: (turn) => ({ reason: "fake", email: address(turn) }),
    grows: { job_reports: 5, mails: 5, rate_limits: 6 },
  },
  "reporting a listing as a bot": {
    path: () => `/jobs/${things.jobs.published}/report`,
    fields: (turn) => ({ reason: "fake", email: address(turn), topic: "x" }),
    grows: { rate_limits: 6 },
  },
  "asking for alerts to one address after another": {
    path: (turn) => `/jobs/alerts?search=${turn}`,
    fields: (turn) => ({ frequency: "daily", email: address(turn) }),
    grows: { alerts: 10, mails: 10, rate_limits: 11 },
  },
  "asking for alerts to one address": {
    path: (turn) => `/jobs/alerts?search=${turn}`,
    fields: () => ({ frequency: "daily", email: "one.address@example.com" }),
    grows: { alerts: 5, mails: 1, rate_limits: 2 },
  },
  "asking for alerts as a bot": {
    path: "/jobs/alerts",
    fields: (turn) => ({ frequency: "daily", email: address(turn), topic: "x" }),
    grows: { rate_limits: 11 },
  },
  "following made-up links to alerts": {
    path: (turn) => `/alerts/confirm/${turn}`,
    fields: () => ({}),
    grows: { rate_limits: 1 },
  },
  "stopping alerts with made-up links": {
    path: (turn) => `/alerts/stop/${turn}`,
    fields: () => ({ intent: "stop" }),
    grows: { rate_limits: 1 },
  },
  "stopping alerts with made-up links from mail programs": {
    path: (turn) => `/alerts/stop/${turn}`,
    fields: () => ({ "List-Unsubscribe": "One-Click" }),
    grows: {},
  },
  "following made-up links to reports": {
    path: (turn) => `/jobs/report/${turn}`,
    fields: () => ({}),
    grows: { rate_limits: 1 },
  },
  "sending a form of a screen for signed-in people": {
    path: "/job-board",
    fields: () => ({ intent: "create-job", description: "x".repeat(5000) }),
    grows: { interrupted_forms: 10, rate_limits: 1 },
  },
  "forging a payment's return": {
    path: "/payment-success",
    fields: (turn) => ({ txnid: `TXN_${turn}`, status: "success", hash: "0" }),
    grows: {},
  },
  "forging a payment's notice": {
    path: "/payu-webhook",
    fields: (turn) => ({ txnid: `TXN_${turn}`, status: "success", hash: "0" }),
    grows: {},
  },
  "sending a payment's return again": {
    path: "/payment-success",
    fields: () => signedReturn,
    grows: { order_events: maxUnchanged },
  },
  "following made-up links of contacts": {
    path: (turn) => `/check/${turn}`,
    fields: () => ({ intent: "remove" }),
    grows: { rate_limits: 1 },
  },
  "choosing a theme": { path: "/theme", fields: () => ({ theme: "dark" }), grows: {} },
  "signing out": { path: "/logout", fields: () => ({}), grows: {} },
  "sending a form to an unknown address": {
    path: (turn) => `/nowhere/${turn}`,
    fields: () => ({ text: "x".repeat(5000) }),
    grows: {},
  },
  "checking resumes": {
    path: "/services/resume-check",
    fields: () => ({ file: "x".repeat(5000) }),
    grows: { rate_limits: 2 },
  },
  "sending a file": {
    path: "/uploads/form?purpose=resume&target=resume_review&next=/",
    fields: () => ({ file: "x".repeat(5000) }),
    grows: {},
  },
};

test.each(
  sample(Object.entries(sendings), { every: 7, always: ([name]) => name === "trying passwords" }),
)("%s is bounded", async (_what, { path, fields, grows }) => {
  const before = await countRows();
  for (let turn = 0; turn < attempts; turn++) {
    const at = typeof path === "string" ? path : path(turn);
    const body = new URLSearchParams(fields(turn));
    const response = await ask(at, { method: "POST", body });
    expect(response.status).toBeLessThan(500);
  }
  expect(await growthSince(before)).toEqual(grows);
});

test("all screens for signed-in people share one limit of held forms", async () => {
  const before = await countRows();
  const facts = unknownFacts();
  for (const { at, intent } of sentForms) {
    const body = new URLSearchParams({ intent, text: "x".repeat(5000) });
    await ask(at(facts), { method: "POST", body });
  }
  expect(await growthSince(before)).toEqual({ interrupted_forms: 10, rate_limits: 1 });
});

test("reading pages stores nothing", async () => {
  const before = await countRows();
  const pages = ["/", "/jobs", "/services", "/about", "/contact", "/faq", "/login", "/profile"];
  const documents = ["/jobs/feed.atom", "/sitemap.xml", "/robots.txt", "/social/about.png"];
  for (const path of [...pages, ...documents, `/jobs/${things.jobs.published}`])
    for (let turn = 0; turn < 5; turn++) await ask(`${path}?q=${turn}`);
  for (let turn = 0; turn < attempts; turn++) await ask(`/payment-success?txnId=TXN_${turn}`);
  expect(await growthSince(before)).toEqual({ rate_limits: 1 });
});

test("a visitor cannot start an upload", async () => {
  const before = await countRows();
  for (const [method, path] of [
    ["POST", "/uploads"],
    ["PATCH", "/uploads/one"],
    ["PUT", "/storage/resumes/one"],
  ] as const) {
    const headers = { "tus-resumable": "1.0.0", "upload-length": "5000" };
    const response = await ask(path, { method, headers, body: "x".repeat(5000) });
    expect(response.status).toBeGreaterThanOrEqual(400);
  }
  expect(await growthSince(before)).toEqual({});
  const { dataDir } = app.product.services.app.config;
  expect(await readdir(`${dataDir}/uploads`).catch(() => [])).not.toContain("one");
});

test("the redirect target of a sign-up is limited to 2,000 characters", async () => {
  const next = `/${"x".repeat(500_000)}`;
  const email = `next.${now().getTime()}@example.com`;
  await ask("/signup", { method: "POST", body: new URLSearchParams({ ...signUp, email, next }) });
  const { rows } = await app.db.execute<{ longest: number | null }>(
    sql`select max(length(next)) as longest from one_time_links`,
  );
  expect(rows[0]!.longest ?? 0).toBeLessThanOrEqual(2000);
});

type Init = { method?: string; body?: string | URLSearchParams; headers?: Record<string, string> };

function ask(path: string, init: Init = {}): Promise<Answer> {
  const headers = { origin: app.origin, "x-forwarded-for": network, ...init.headers };
  return plainFetch(app.origin + path, { ...init, headers });
}

/** Counts the rows of every table. */
async function countRows(): Promise<Growth> {
  const { rows } = await app.db.execute<{ name: string; rows: string }>(sql`
    select table_name as name, (xpath('/table/row/rows/text()', query_to_xml(
      format('select count(*) as rows from %I', table_name), false, false, '')))[1]::text as rows
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
      -- Tasks write these by the clock, whatever is asked.
      and table_name not in ('board_counts', 'search_words')`);
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, Number(count)]));
}

async function growthSince(before: Growth): Promise<Growth> {
  const after = Object.entries(await countRows());
  return Object.fromEntries(
    after
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, growth]) => growth !== 0),
  );
}
