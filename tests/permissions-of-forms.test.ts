import { eq, type SQL, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { profiles, sessions } from "../app/accounts/tables.server.ts";
import { day, now } from "../app/platform/clock.ts";
import type { Database } from "../app/platform/database.server.ts";
import { ensurePages } from "../app/annotations/document-pages/pages.server.ts";
import { changeDraft } from "../app/review-customer/buy/drafts.server.ts";
import { services } from "../app/reviews/rules.ts";
import { findCompletedReview } from "../app/review-staff/edit/completed-reviews.server.ts";
import { thingsForAdmins } from "./support/rows/admin-things.ts";
import { sparePasskey, spareSession } from "./support/rows/factors.ts";
import type { Everybody } from "./support/rows/people.ts";
import { plainFetch } from "./support/requests/plain-fetch.ts";
import { storedFile } from "./support/rows/reviews.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";
import {
  type FormFacts,
  gatheredAddress,
  type SentForm,
  sentForms,
} from "./support/inventory/forms.ts";
import { type Sender, senders } from "./support/inventory/permissions.ts";
import { makeSenders, type SignedInSenders, signInSenders } from "./support/rows/senders.ts";
import { makeThings, snapshot } from "./support/rows/things.ts";
import { rotate, sample } from "./support/inventory/selection.ts";

/**
 * Sends every form as each kind of person. `support/inventory/forms.ts` lists who can use a form. For anyone else, no table changes.
 */

let app: RunningApp;
let who: Everybody;
let actors: SignedInSenders;
let cookies: Map<Sender, string>;

beforeAll(async () => {
  const fill = async (db: Database) => {
    ({ who, actors } = await makeSenders(db));
  };
  // Tasks are off, so every change comes from a form.
  app = await runningApp(fill, { SIGN_IN_AGAIN: "required", ROLE: "web" });
  cookies = await signInSenders(app, actors);
});

test.each(sentForms.map((form, position) => ({ ...form, position })))(
  "the form $intent at $route works only for the people in its row",
  async ({ position, ...form }) => {
    const facts = await makeFacts();
    // The next request of a session that was seen long ago would record it.
    await app.db.execute(sql`update sessions set seen_at = now()`);
    const before = await snapshot(app.db);
    const others = senders.filter((one) => !form.who.includes(one));
    for (const sender of rotate(others, { take: 2, position })) {
      const status = await send(form, facts, sender);
      expect(status, sender).toBeLessThan(500);
    }
    expect(await snapshot(app.db), "a person without permission changed something").toBe(before);

    const allowed = rotate(form.who, { take: 1, position });
    for (const [index, sender] of allowed.entries()) {
      // The first person finds everything unchanged.
      const fresh = index === 0 ? facts : await makeFacts();
      const earlier = index === 0 ? before : await snapshot(app.db);
      const status = await send(form, fresh, sender);
      expect(status, sender).toBeLessThan(400);
      expect(await snapshot(app.db), `nothing happened for the ${sender}`).not.toBe(earlier);
    }
  },
);

test("a form shows its error once, in a toast or above its fields", async () => {
  const repeated: string[] = [];
  let notices = 0;
  // A payment that cannot start shows its error in a toast and next to the button.
  const forms = sentForms.filter(
    ({ who: allowed, intent }) => allowed.length > 0 && intent !== "pay",
  );
  const facts = await makeFacts();
  const pages = await withoutWrites(async () => {
    const answers = [];
    for (const form of sample(forms, { every: 8 }))
      answers.push({ ...form, ...(await sent(form, facts, form.who[0]!)) });
    return answers.filter(({ status }) => status >= 400);
  });
  for (const { route, intent, page } of pages) {
    for (const text of textsOfNotices(page)) {
      notices += 1;
      if (visibleText(page).split(text).length > 2) repeated.push(`${route} ${intent}: ${text}`);
    }
  }
  expect(repeated).toEqual([]);
  expect(notices).toBeGreaterThan(5);
});

/** Makes every write fail, except to tables that change without a form's command. So no form spoils another's data. */
async function withoutWrites<Result>(send: () => Promise<Result>): Promise<Result> {
  const { rows: tables } = await app.db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('sessions', 'rate_limits', 'interrupted_forms')`);
  await app.db.execute(sql`
    create or replace function refuse_write() returns trigger language plpgsql
    as $$ begin raise 'writes are refused'; end $$`);
  const change = (statement: (table: ReturnType<typeof sql.identifier>) => SQL) =>
    app.db.execute(
      sql.join(
        tables.map(({ name }) => statement(sql.identifier(name))),
        sql`; `,
      ),
    );
  await change(
    (table) => sql`create trigger refuse_write before insert or update or delete on ${table}
      for each statement execute function refuse_write()`,
  );
  try {
    return await send();
  } finally {
    await change((table) => sql`drop trigger refuse_write on ${table}`);
  }
}

/** Lists the titles and descriptions of a page's toasts. */
function textsOfNotices(page: string): string[] {
  const region = /<section[^>]*class="toasts"[\s\S]*?<\/section>/.exec(page)?.[0] ?? "";
  return [...region.matchAll(/<p[^>]*>([\s\S]*?)<\/p>/g)].map(([, text]) => visibleText(text!));
}

function visibleText(page: string): string {
  return page
    .replace(/<(script|style|title)[\s\S]*?<\/\1>/g, "")
    .replace(/<!--[\s\S]*?-->|<[^>]*>/g, "")
    .trim();
}

test("no form stores invisible characters", async () => {
  const forms = sentForms.filter(({ who: allowed }) => allowed.length > 0);
  for (const form of sample(forms, { every: 8 })) {
    const facts = await makeFacts();
    const typed = Object.entries(form.fields(facts)).map(([name, text]) => [name, pasted(text)]);
    const sender = form.who[0]!;
    const { status } = await sent(
      { ...form, fields: () => Object.fromEntries(typed) },
      facts,
      sender,
    );
    const name = `${form.route} ${form.intent}`;
    expect(status, name).toBeLessThan(400);
    expect(await rowsWithPasted(), name).toEqual([]);
  }
});

/** Adds the invisible characters that Word, WhatsApp and macOS add. Ids stay unchanged. */
function pasted(text: string): string {
  if (/^[\da-f-]{36}$/.test(text)) return text;
  const marked = text.replace(/ /g, "\u00a0").replace(/(?<=[a-z])\.$/, "e\u0301.");
  return `\ufeff${marked.slice(0, 2)}\u200b\u00ad${marked.slice(2)}\u2060\u202c`;
}

/** Lists the rows with such characters. Emails are skipped: their preview line is padded with them. */
async function rowsWithPasted(): Promise<string[]> {
  const { rows: tables } = await app.db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'mails'`);
  const queries = tables.map(
    ({ name }) =>
      sql`select ${name} || ': ' || t::text as row from ${sql.identifier(name)} as t
        where t::text ~ '[\\u00a0\\u00ad\\u0301\\u200b\\u2060\\u202c\\ufeff]'`,
  );
  const { rows } = await app.db.execute<{ row: string }>(sql.join(queries, sql` union all `));
  return rows.map(({ row }) => row);
}

test("only account changes, refunds and payouts ask an admin to sign in again", async () => {
  const askedToSignIn: string[] = [];
  const provedAt = new Date(now().getTime() - day);
  const facts = await makeFacts();
  await app.db.update(sessions).set({ provedAt }).where(eq(sessions.userId, who.gita.id));
  const forms = sentForms.filter(({ who: senders }) => senders.includes("admin"));
  await withoutWrites(async () => {
    for (const form of forms) {
      const { location } = await sent(form, facts, "admin");
      if (location?.startsWith("/sign-in-again"))
        askedToSignIn.push(`${form.route} ${form.intent}`);
    }
  });
  await app.db.update(sessions).set({ provedAt: now() }).where(eq(sessions.userId, who.gita.id));
  expect(askedToSignIn.filter((form) => form.startsWith("/admin/")).toSorted()).toEqual([
    "/admin/orders/:orderId approve-refund",
    "/admin/orders/:orderId ask",
    "/admin/orders/:orderId decline-refund",
    "/admin/orders/:orderId refund",
    "/admin/payouts/:reviewerId record-payout",
    "/admin/payouts/:reviewerId show-pan",
    "/admin/payouts/:reviewerId take-back",
    "/admin/users ",
    "/admin/users/:userId ban",
    "/admin/users/:userId export-data",
    "/admin/users/:userId grant-role",
    "/admin/users/:userId reset-password",
    "/admin/users/:userId revoke-role",
    "/admin/users/:userId unban",
  ]);
});

/** Creates fresh data for the forms and deletes the old. */
async function makeFacts(): Promise<FormFacts> {
  const { db } = app;
  // Deleting is faster than truncating, which creates dozens of files. Dependent rows go too.
  await db.execute(
    sql`delete from contact_messages; delete from service_reviews; delete from refunds; delete from orders;
      delete from review_drafts; delete from jobs; delete from audit_events; delete from mails;
      delete from one_time_links`,
  );
  for (const serviceType of ["resume_review", "portfolio_review", "combined_review"] as const) {
    const resume = await storedFile(db, who.asha, "resumes");
    const portfolio = await storedFile(db, who.asha, "portfolios");
    await changeDraft(db, who.asha.id, services[serviceType], {
      resumeFileId: serviceType === "portfolio_review" ? null : resume.id,
      portfolioFileId: serviceType === "resume_review" ? null : portfolio.id,
      portfolioUrl: serviceType === "resume_review" ? null : gatheredAddress,
    });
    // As an upload does.
    await ensurePages(db, { resumeFilePath: resume.path, portfolioFilePath: portfolio.path });
  }
  const subscriptionId = "sub_sonia";
  await db
    .update(profiles)
    .set({ isSubscribed: true, subscriptionId })
    .where(eq(profiles.id, who.sonia.id));
  const things = await makeThings(db, who);
  const resume = await storedFile(db, who.asha, "resumes");
  const secondLook = { type: "resume_review", secondLookOf: things.reviews.completed } as const;
  await changeDraft(db, who.asha.id, secondLook, { resumeFileId: resume.id });
  await ensurePages(db, { resumeFilePath: resume.path, portfolioFilePath: null });
  const completed = await findCompletedReview(db, who.gita, things.reviews.completed);
  const ids = Object.fromEntries(Object.entries(actors).map(([name, { id }]) => [name, id]));
  return {
    things,
    ids: ids as FormFacts["ids"],
    subscriptionId,
    sessionId: await spareSession(db, who.ravi),
    passkeyId: await sparePasskey(db, who.ravi),
    version: completed!.version,
    ...(await thingsForAdmins(db, who)),
  };
}

async function send(form: SentForm, facts: FormFacts, sender: Sender): Promise<number> {
  return (await sent(form, facts, sender)).status;
}

async function sent(form: SentForm, facts: FormFacts, sender: Sender) {
  const cookie = cookies.get(sender);
  const response = await plainFetch(app.origin + form.at(facts), {
    method: "POST",
    headers: { origin: app.origin, ...(cookie && { cookie }) },
    body: new URLSearchParams({
      ...(form.intent && { intent: form.intent }),
      ...form.fields(facts),
    }),
  });
  const page = await response.text();
  return { status: response.status, location: response.headers.get("location"), page };
}
