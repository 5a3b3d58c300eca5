import type { ChildProcess } from "node:child_process";
import { eq, inArray, isNotNull } from "drizzle-orm";
import { matchPath } from "react-router";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Actor } from "../../app/accounts/actor.server.ts";
import { toRoleFlags } from "../../app/accounts/roles.ts";
import { openSession } from "../../app/accounts/session.server.ts";
import { accounts, users } from "../../app/accounts/tables.server.ts";
import { mails } from "../../app/mail/tables.server.ts";
import { demoPeople } from "../../db/demo/people.ts";
import { thingsForAdmins } from "../support/rows/admin-things.ts";
import { type DatabaseProxy, databaseProxy } from "../support/servers/database-proxy.ts";
import { testDatabase, type TestDatabase } from "../support/product/database.ts";
import { actAs, end, runToEnd, start } from "../support/product/own-product.ts";
import { freePorts } from "../support/product/free-ports.ts";
import { type Answer, plainFetch } from "../support/requests/plain-fetch.ts";
import { sparePasskey, spareSession } from "../support/rows/factors.ts";
import type { Everybody } from "../support/rows/people.ts";
import { screenPaths } from "../support/inventory/screens.ts";
import { screensOf } from "../support/inventory/screens-of-demo.ts";
import { type FormFacts, sentForms } from "../support/inventory/forms.ts";
import type { Sender } from "../support/inventory/permissions.ts";
import { makeThings } from "../support/rows/things.ts";
import { ownFolder } from "../support/product/own-folder.ts";
import { sample } from "../support/inventory/selection.ts";

/**
 * Runs every screen and form with each of its queries failing in turn. The errors repeat the query's values as
 * PostgreSQL's do. The log must report the failures without these values.
 */
const port = await freePorts(3);
const origin = `http://localhost:${port}`;
const secrets = {
  email: "new.person@example.com",
  password: "Never-in-a-log-1!",
  message: "What I write here is between us.",
  feedback: "Lead with the work that nobody may read of.",
  token: "a-token-that-opens-everything",
  phone: "9812345670",
  code: "ABCD-EFGH-JKMN-PQRS",
};

let database: TestDatabase;
let proxy: DatabaseProxy;
const dataDir = ownFolder();
let product: ChildProcess;
let printed: () => string;
let env: Record<string, string>;
const cookies = new Map<string | undefined, string>([
  [undefined, `session-${port}=${secrets.token}`],
]);

beforeAll(async () => {
  database = await testDatabase();
  proxy = await databaseProxy(database.url);
  env = {
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: proxy.url,
    RATE_LIMITS: "off",
    LOG_LEVEL: "debug",
  };
  ({ child: product, printed } = await start(env));
  for (const { email } of demoPeople) cookies.set(email, await actAs(origin, email));
});

afterAll(async () => {
  if (product.exitCode === null) await end(product, "SIGTERM");
  proxy.close();
});

test("failures on screens are logged without values", async () => {
  const screens = await screensOf(database);
  for (const { path, as } of sample(screens, { every: 8 })) {
    const cookie = cookies.get(as) ?? (await signIn(as!));
    const route = routeOf(path);
    const failed = failedAt.get(route) ?? new Set();
    failedAt.set(route, failed);
    await failInTurn(() => plainFetch(origin + path, { headers: { cookie } }), failed);
  }
  await expectSilence();
});

/** The queries that have failed, by route. In other states of a screen only new queries fail. */
const failedAt = new Map<string, Set<string>>();

function routeOf(path: string): string {
  const { pathname } = new URL(path, origin);
  return screenPaths.find((route) => matchPath(route, pathname))!;
}

const forms: [path: string, fields: Record<string, string>][] = [
  ["/login", { email: "ravi@example.com", password: secrets.password }],
  [
    "/signup",
    {
      fullName: "New Person",
      email: secrets.email,
      password: secrets.password,
      confirmPassword: secrets.password,
      terms: "accepted",
    },
  ],
  ["/login/second-step", { intent: "by-code", code: secrets.code }],
  ["/forgot-password", { email: "ravi@example.com" }],
  ["/resend-confirmation", { email: secrets.email }],
  ["/account-confirmation", { token_hash: secrets.token }],
  [
    "/reset-password",
    { token_hash: secrets.token, password: secrets.password, confirmPassword: secrets.password },
  ],
  ["/reset-password/check", { token_hash: secrets.token }],
  [
    "/contact",
    { name: "New Person", email: secrets.email, subject: "A question", message: secrets.message },
  ],
  ["/logout", {}],
];

test.each(sample(forms, { every: 4 }))(
  "failures of the form at %s are logged without values",
  async (path, fields) => {
    await failInTurn(() => send(path, fields, undefined));
    await expectSilence();
  },
);

test("failures of signed-in people's forms are logged without values", async () => {
  const { facts, emailOf } = await makeFacts();
  for (const form of sample(sentForms, { every: 10 })) {
    const sender = form.who[0];
    if (!sender) continue;
    const fields = { intent: form.intent, ...form.fields(facts) };
    if ("feedback" in fields) fields.feedback = secrets.feedback;
    if ("code" in fields) fields.code = secrets.code;
    if ("phone" in fields) fields.phone = secrets.phone;
    // After a failed form the screen runs its own queries again.
    const failed = new Set(failedAt.get(form.route));
    await failInTurn(() => send(form.at(facts), fields, emailOf(sender)), failed);
  }
  await expectSilence();
});

test("failures of tasks are logged without values", async () => {
  await send("/forgot-password", { email: "asha@example.com" }, undefined);
  proxy.failFrom(0);
  await expect.poll(printed).toContain('"task queue"');
  proxy.failFrom(null);
  await expectSilence(printed());
});

// Covered by "failures of tasks".
test("a failed start is reported without values @slow", async () => {
  await end(product, "SIGTERM");
  for (const number of [0, 1, 4, 8]) {
    proxy.failFrom(number);
    const failed = await runToEnd(env);
    proxy.failFrom(null);
    expect(failed.code).toBe(1);
    expect(failed.printed).toContain("invalid input syntax");
    await expectSilence(failed.printed);
  }
});

/** Creates a session for people who are not demo people. */
async function signIn(email: string): Promise<string> {
  const [user] = await database.db.select().from(users).where(eq(users.email, email));
  const { token } = await openSession(database.db, user!.id);
  const cookie = `session-${port}=${token}`;
  cookies.set(email, cookie);
  return cookie;
}

/** Repeats a request until each of its queries has failed once. */
async function failInTurn(ask: () => Promise<Answer>, failed = new Set<string>()): Promise<void> {
  let hasFailed = true;
  while (hasFailed) {
    const pass = proxy.failNext(failed, "naksha");
    const answer = await ask();
    await answer.text();
    hasFailed = pass();
  }
}

function send(path: string, fields: Record<string, string>, as: string | undefined) {
  return plainFetch(origin + path, {
    method: "POST",
    headers: { origin, cookie: cookies.get(as)! },
    body: new URLSearchParams(fields),
  });
}

let lookedAt = 0;

/** Returns the output since the last call; all of it is checked at the end. */
function printedSince(): string {
  const text = printed().slice(lookedAt);
  lookedAt += text.length;
  return text;
}

/** Expects failures in the log, and no values in it. */
async function expectSilence(text = printedSince()): Promise<void> {
  expect(text).toMatch(/QueryFailed|invalid input syntax/);
  const { db } = database;
  const passwords = await db
    .select({ hash: accounts.password })
    .from(accounts)
    .where(isNotNull(accounts.password));
  const people = await db.select({ email: users.email }).from(users);
  const emails = await db.select({ text: mails.text }).from(mails);
  const tokens = emails.flatMap((mail) => [
    ...(/token_hash=([\w-]+)/.exec(mail.text)?.slice(1) ?? []),
  ]);
  const all = [
    ...Object.values(secrets),
    ...[...cookies.values()].map((cookie) => cookie.split("=")[1]!.split(".")[0]!),
    ...passwords.map(({ hash }) => hash!),
    ...people.map(({ email }) => email),
    ...tokens,
  ];
  expect(all.filter((secret) => text.includes(secret))).toEqual([]);
}

async function makeFacts() {
  const { db } = database;
  const found = await db
    .select()
    .from(users)
    .where(
      inArray(
        users.email,
        demoPeople.map(({ email }) => email),
      ),
    );
  const actorOf = (name: string): Actor => {
    const person = demoPeople.find(({ email }) => email.startsWith(`${name}@`))!;
    const { id, email } = found.find((user) => user.email === person.email)!;
    const rest = { fullName: person.fullName, hasActiveSubscription: false };
    const session = { sessionId: "", isProved: true, factorDueAt: null };
    return { id, email, ...rest, ...session, ...toRoleFlags([...(person.roles ?? [])]) };
  };
  const [asha, ravi, sonia, devi] = ["asha", "ravi", "sonia", "devi"].map(actorOf);
  const [meera, kabir, gita] = ["meera", "kabir", "gita"].map(actorOf);
  const who = { asha, ravi, sonia, devi, meera, kabir, gita, omar: devi } as Everybody;
  const actors: Partial<Record<Sender, Actor>> = {
    owner: who.asha,
    customer: who.ravi,
    subscriber: who.sonia,
    adder: who.devi,
    reviewer: who.meera,
    "other reviewer": who.kabir,
    admin: who.gita,
  };
  const ids = Object.fromEntries(Object.entries(actors).map(([name, { id }]) => [name, id]));
  const facts: FormFacts = {
    things: await makeThings(db, who),
    ids: ids as FormFacts["ids"],
    subscriptionId: "",
    sessionId: await spareSession(db, who.ravi),
    passkeyId: await sparePasskey(db, who.ravi),
    version: "",
    ...(await thingsForAdmins(db, who)),
  };
  return { facts, emailOf: (sender: Sender) => (actors[sender] ?? who.asha).email };
}
