import { and, eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { askedListing } from "../../tests/support/rows/contact-questions.ts";
import { databaseProxy } from "../../tests/support/servers/database-proxy.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { stopClock } from "../../tests/support/product/stop-clock.ts";
import { askedBy, sentBy } from "../../tests/support/requests/asked.ts";
import { overlap } from "../../tests/support/product/overlap.ts";
import { jobAlert } from "../../tests/support/rows/alerts.ts";
import { person } from "../../tests/support/rows/people.ts";
import { review } from "../../tests/support/rows/reviews.ts";
import { jobRow } from "../../tests/support/rows/jobs.ts";
import type { Actor } from "../accounts/actor.server.ts";
import { findMissingNotice, recordConsent } from "../accounts/consents/consents.server.ts";
import { noticeVersion } from "../accounts/consents/notice.ts";
import { formatNoticeVersion, type Purpose } from "../accounts/consents/rules.ts";
import { consents } from "../accounts/consents/tables.server.ts";
import {
  listInstantMailAddresses,
  listOwnMailChoices,
  saveMailChoices,
} from "../accounts/mail-choices/mail-choices.server.ts";
import { getPerson, toPersonView } from "../admin/person/read-person.server.ts";
import { countOpenShares, findShareId } from "../annotations/share/find-shares.server.ts";
import { createShare } from "../annotations/share/shares.server.ts";
import { recordContactAnswer } from "../checks/question/answer-question.server.ts";
import { findQuestion } from "../checks/question/find-question.server.ts";
import { stoppedContacts } from "../jobs/tables.server.ts";
import { formatShortDate, now } from "../platform/clock.ts";
import { openDatabase } from "../platform/database.server.ts";
import { createOwnAlert } from "../seekers/alerts/own-alerts.server.ts";
import { alerts } from "../seekers/alerts/tables.server.ts";
import { toConsentViews } from "./consent-views.ts";
import { action, loader } from "./data.screen.tsx";
import {
  acceptNotice,
  getOwnConsents,
  recordOwnConsent,
  withdrawOwnConsent,
} from "./own-consents.server.ts";

const { db, url } = await testDatabase();
const proxy = await databaseProxy(url);
const proxied = openDatabase(proxy.url);
afterAll(async () => {
  await proxied.close();
  proxy.close();
});

async function linkOf(owner: Actor): Promise<string> {
  const { id: reviewId } = await review(db, owner, { status: "completed" });
  return createShare(db, owner, { reviewId, hidden: [], withFeedback: false });
}

async function rowsOf({ id }: Actor, purpose: Purpose) {
  const rows = await db.select().from(consents).where(eq(consents.userId, id));
  return rows.filter((row) => row.purpose === purpose);
}

const openRowsOf = async (who: Actor, purpose: Purpose) =>
  (await rowsOf(who, purpose)).filter(({ withdrawnAt }) => withdrawnAt === null);

/** Reads the profile's line about a purpose. */
async function shown(who: Actor, purpose: Purpose) {
  const views = toConsentViews(await getOwnConsents(db, who));
  return views.find((view) => view.purpose === purpose)!;
}

/** Sends a form of the screen. */
async function send(who: Actor | null, fields: Record<string, string>) {
  const { toasts, ...sent } = sentBy(db, who, fields, { path: "/profile/data" });
  await action(sent);
  return toasts[0]?.title;
}

test("creating a link consents to sharing, and withdrawing ends every link", async () => {
  const [asha, ravi] = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
  expect(await shown(asha, "share")).toMatchObject({ badge: "off", button: null });
  const links = [await linkOf(asha), await linkOf(asha)];
  const other = await linkOf(ravi);
  expect(await openRowsOf(asha, "share")).toMatchObject([{ how: "share", noticeVersion }]);
  expect((await shown(asha, "share")).state).toContain("2 links are open.");
  expect(await send(asha, { intent: "withdraw", purpose: "share" })).toBe(
    "All links to your reviews have ended",
  );
  expect(await countOpenShares(db, asha)).toBe(0);
  for (const link of links) expect(await findShareId(db, testConfig(), link)).toBeNull();
  expect(await findShareId(db, testConfig(), other)).not.toBeNull();
  expect(await shown(asha, "share")).toMatchObject({ badge: "off", button: null });
  await linkOf(asha);
  expect(await rowsOf(asha, "share")).toHaveLength(2);
});

test("a link that is created during a withdrawal is not missed", async () => {
  for (let round = 0; round < 10; round++) {
    const asha = await person(db, "Asha Verma");
    await linkOf(asha);
    await Promise.all([withdrawOwnConsent(db, asha, "share"), linkOf(asha)]);
    const hasConsent = (await openRowsOf(asha, "share")).length > 0;
    expect((await countOpenShares(db, asha)) > 0).toBe(hasConsent);
  }
});

test("a withdrawal that fails at any statement changes nothing", async () => {
  const asha = await person(db, "Asha Verma");
  await linkOf(asha);
  let failures = 0;
  for (let at = 0; ; at++) {
    proxy.failFrom(at);
    const outcome = await withdrawOwnConsent(proxied.db, asha, "share").catch(() => "failed");
    proxy.failFrom(null);
    if (outcome !== "failed") break;
    failures += 1;
    expect(await countOpenShares(db, asha), `statement ${at}`).toBe(1);
    expect(await openRowsOf(asha, "share"), `statement ${at}`).toHaveLength(1);
  }
  expect(failures).toBeGreaterThan(4);
  expect(await countOpenShares(db, asha)).toBe(0);
  expect(await openRowsOf(asha, "share")).toEqual([]);
});

test("a lost connection leaves no half of a withdrawal", async () => {
  for (const fate of ["lost", "committed, but not answered"] as const) {
    const asha = await person(db, "Asha Verma");
    await linkOf(asha);
    proxy.watch(
      ({ text }) => (/\bcommit\b/.test(text) ? fate : "pass"),
      () => proxy.cut(),
    );
    await expect(withdrawOwnConsent(proxied.db, asha, "share")).rejects.toThrow();
    const isOpen = fate === "lost" ? 1 : 0;
    await expect.poll(() => countOpenShares(db, asha)).toBe(isOpen);
    await expect.poll(async () => (await openRowsOf(asha, "share")).length).toBe(isOpen);
  }
});

test("optional emails are on from the start, and withdrawing turns all of them off", async () => {
  const meera = await person(db, "Meera Iyer", { roles: ["reviewer"] });
  expect((await shown(meera, "mails")).state).toBe("On since you joined.");
  const press = () => withdrawOwnConsent(db, meera, "mails");
  await Promise.all([press(), press(), press()]);
  const choices = await listOwnMailChoices(db, meera);
  expect(new Set(choices.map(({ choice }) => choice))).toEqual(new Set(["never"]));
  expect((await listInstantMailAddresses(db, "work-due", [meera.id])).size).toBe(0);
  expect(await rowsOf(meera, "mails")).toMatchObject([
    { how: "sign-up", noticeVersion, withdrawnAt: expect.any(Date) },
  ]);
  expect(await shown(meera, "mails")).toMatchObject({ badge: "off", button: "allow" });
});

test("a role that comes later doesn't bring emails back", async () => {
  const asha = await person(db, "Asha Verma");
  await withdrawOwnConsent(db, asha, "mails");
  const promoted = { ...asha, isReviewer: true };
  const choices = await listOwnMailChoices(db, promoted);
  expect(choices.map(({ choice }) => choice)).toEqual(Array(5).fill("never"));
});

test("allowing optional emails returns to the defaults, but only from none", async () => {
  const gita = await person(db, "Gita Menon", { roles: ["god_admin"] });
  const choices = {
    "review-assigned": "never",
    "review-ready": "at once",
    "saved-job-closes": "at once",
    "new-order": "every morning",
    "review-late": "never",
    "job-reported": "never",
  };
  await saveMailChoices(db, gita, choices);
  await recordOwnConsent(db, gita, "mails");
  const chosen = async () => (await listOwnMailChoices(db, gita)).map(({ choice }) => choice);
  expect(await chosen()).toEqual(Object.values(choices));
  await withdrawOwnConsent(db, gita, "mails");
  await recordOwnConsent(db, gita, "mails");
  await recordOwnConsent(db, gita, "mails");
  expect(await chosen()).toEqual(["at once", "at once", "never", "at once", "at once", "at once"]);
  expect(await rowsOf(gita, "mails")).toHaveLength(2);
});

test("saving email preferences gives or withdraws the consent", async () => {
  const asha = await person(db, "Asha Verma");
  const save = (first: string, second: string) =>
    saveMailChoices(db, asha, {
      "review-assigned": first,
      "review-ready": second,
      "saved-job-closes": "never",
    });
  await save("never", "at once");
  expect(await openRowsOf(asha, "mails")).toHaveLength(1);
  await save("never", "never");
  await save("never", "never");
  expect(await openRowsOf(asha, "mails")).toEqual([]);
  await save("at once", "never");
  expect(await rowsOf(asha, "mails")).toHaveLength(2);
  expect(await shown(asha, "mails")).toMatchObject({ badge: "on", button: "withdraw" });
});

test("a review is no sample until its owner allows it, and pressing twice changes nothing", async () => {
  const [asha, ravi] = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
  expect(await shown(asha, "sample")).toMatchObject({ badge: "off", button: "allow" });
  const allow = () => send(asha, { intent: "allow", purpose: "sample" });
  expect(new Set(await Promise.all([allow(), allow(), allow()]))).toEqual(
    new Set(["We may use your review as a sample"]),
  );
  expect(await openRowsOf(asha, "sample")).toHaveLength(1);
  const withdraw = () => send(asha, { intent: "withdraw", purpose: "sample" });
  expect(new Set(await Promise.all([withdraw(), withdraw()]))).toEqual(
    new Set(["We no longer use your review as a sample"]),
  );
  expect(await rowsOf(asha, "sample")).toMatchObject([{ withdrawnAt: expect.any(Date) }]);
  expect(await rowsOf(ravi, "sample")).toEqual([]);
});

test("god admins see if a person's review may be used as a sample", async () => {
  stopClock();
  const asha = await person(db, "Asha Verma");
  const gita = await person(db, "Gita Menon", { roles: ["god_admin"] });
  const fact = async () => toPersonView(await getPerson(db, gita, asha.id), gita.id).account.sample;
  expect(await fact()).toBe("Not allowed");
  await recordOwnConsent(db, asha, "sample");
  expect(await fact()).toBe(`Allowed since ${formatShortDate(now())}`);
  await withdrawOwnConsent(db, asha, "sample");
  expect(await fact()).toBe("Not allowed");
});

test("age, terms and the account can't be withdrawn", async () => {
  const asha = await person(db, "Asha Verma");
  for (const purpose of ["account", "adult", "terms", "all", ""]) {
    expect(await send(asha, { intent: "withdraw", purpose })).toBeUndefined();
    expect(await send(asha, { intent: "allow", purpose })).toBeUndefined();
  }
  for (const purpose of ["share", "alerts"])
    expect(await send(asha, { intent: "allow", purpose })).toBeUndefined();
  const rows = await db.select().from(consents).where(eq(consents.userId, asha.id));
  expect(rows.map(({ withdrawnAt }) => withdrawnAt)).toEqual([null, null, null]);
});

test("accepting a changed notice records it once and keeps the earlier consent", async () => {
  const asha = await person(db, "Asha Verma");
  await db
    .update(consents)
    .set({ noticeVersion: "2025-05-01" })
    .where(eq(consents.userId, asha.id));
  await db.delete(consents).where(and(eq(consents.userId, asha.id), eq(consents.purpose, "adult")));
  expect(await findMissingNotice(db, asha)).toEqual({ isFirst: false, needsTerms: true });
  await Promise.all([acceptNotice(db, asha), acceptNotice(db, asha)]);
  expect(await findMissingNotice(db, asha)).toBeNull();
  expect(await rowsOf(asha, "account")).toHaveLength(2);
  expect(await rowsOf(asha, "adult")).toMatchObject([{ how: "notice", noticeVersion }]);
});

test("the screen lists each consent with its date, version and way, and the history", async () => {
  stopClock();
  const asha = await person(db, "Asha Verma");
  const at = new Date("2026-01-05T10:00:00Z");
  await db.insert(consents).values([
    {
      userId: asha.id,
      purpose: "sample",
      noticeVersion: "2025-05-01",
      givenAt: at,
      withdrawnAt: new Date("2026-02-05T10:00:00Z"),
      how: "profile",
    },
    // A version that is no date.
    { userId: asha.id, purpose: "mails", noticeVersion: "<b>", givenAt: at, how: "profile" },
  ]);
  const { context } = askedBy(db, asha);
  const { consents: listed, history } = await loader({ context } as unknown as Parameters<
    typeof loader
  >[0]);
  expect(listed.map(({ purpose, button }) => [purpose, button])).toEqual([
    ["adult", null],
    ["terms", null],
    ["account", null],
    ["mails", "withdraw"],
    ["alerts", null],
    ["share", null],
    ["sample", "allow"],
  ]);
  const givenBySignUp = `, when you signed up. Privacy notice of ${formatNoticeVersion(noticeVersion)}.`;
  expect(listed[0]!.state).toBe(`Given on ${formatShortDate(now())}${givenBySignUp}`);
  expect(listed[6]!.state).toBe("Withdrawn on Feb 5, 2026.");
  expect(history).toHaveLength(5);
  expect(history).toContain(
    "Your review as an anonymous sample: given on Jan 5, 2026, on your profile. Privacy notice of May 1, 2025. Withdrawn on Feb 5, 2026.",
  );
  expect(history.join()).toContain("Privacy notice of <b>.");
});

test("the contact of a listing withdraws with one press, as with the link in our emails", async () => {
  const leela = await person(db, "Leela Menon");
  const ravi = await person(db, "Ravi Nair");
  const named = { pocContact: `Leela <${leela.email.toUpperCase()}>` };
  const { jobId, token } = await askedListing(db, named);
  expect(await shown(ravi, "contact")).toBeUndefined();
  expect(await shown(leela, "contact")).toMatchObject({
    state: "You haven't confirmed it. 1 listing names you.",
    button: "withdraw",
  });
  await recordContactAnswer(db, testConfig(), { token, answer: "open" });
  expect((await shown(leela, "contact")).state).toBe(
    `Given on ${formatShortDate(now())}, when you told us that a job is open. Privacy notice of ${formatNoticeVersion(noticeVersion)}. 1 listing names you.`,
  );
  // Another person's press removes nobody, and doesn't keep them from being a contact later.
  await send(ravi, { intent: "withdraw", purpose: "contact" });
  expect(await db.$count(stoppedContacts)).toBe(0);
  expect(await send(leela, { intent: "withdraw", purpose: "contact" })).toBe(
    "We removed your name and address",
  );
  const listing = await jobRow(db, jobId);
  expect(listing).toMatchObject({ pocName: null, pocContact: null });
  expect(await findQuestion(db, token)).toMatchObject({ answer: "withdrawn" });
  expect(await shown(leela, "contact")).toBeUndefined();
  expect(await db.select().from(stoppedContacts)).toMatchObject([{ reason: "withdrawn" }]);
});

test("withdrawing job alerts stops all of them with one press, those of the address too", async () => {
  const nina = await person(db, "Nina Alerts");
  const other = await person(db, "Omar Alerts");
  expect(await shown(nina, "alerts")).toMatchObject({ badge: "off", button: null });
  for (const who of [nina, other]) await createOwnAlert(db, who, { query: "", frequency: "daily" });
  const byAddress = await jobAlert(db, { email: nina.email, query: "type=Internship" });
  await recordConsent(db, { email: nina.email }, { purpose: "alerts", how: "alert" });
  const { state, ...on } = await shown(nina, "alerts");
  expect(on).toMatchObject({ badge: "on", button: "withdraw" });
  expect(state).toContain(`on ${formatShortDate(now())}, when you asked for job alerts`);
  expect(state).toContain("2 alerts are on.");
  await send(nina, { intent: "withdraw", purpose: "alerts" });
  await send(nina, { intent: "withdraw", purpose: "alerts" });
  const states = await db
    .select({ id: alerts.id, state: alerts.state })
    .from(alerts)
    .where(eq(alerts.email, nina.email));
  expect(states).toHaveLength(2);
  for (const one of states) expect(one.state).toBe("stopped");
  expect(states.map(({ id }) => id)).toContain(byAddress);
  const addressRows = await db.select().from(consents).where(eq(consents.email, nina.email));
  for (const row of [...(await rowsOf(nina, "alerts")), ...addressRows])
    expect(row.withdrawnAt).not.toBeNull();
  expect(await shown(nina, "alerts")).toMatchObject({
    badge: "off",
    button: null,
    state: expect.stringContaining("Withdrawn on"),
  });
  expect(await shown(other, "alerts")).toMatchObject({ badge: "on" });
});

test("a new alert and the withdrawal of all wait for each other", async () => {
  const nina = await person(db, "Nina Both");
  await createOwnAlert(db, nina, { query: "", frequency: "daily" });
  await overlap(
    db,
    (tx) => createOwnAlert(tx, nina, { query: "type=Internship", frequency: "daily" }),
    (tx) => withdrawOwnConsent(tx, nina, "alerts"),
  );
  expect(await shown(nina, "alerts")).toMatchObject({ badge: "off" });
  expect(await openRowsOf(nina, "alerts")).toEqual([]);
});
