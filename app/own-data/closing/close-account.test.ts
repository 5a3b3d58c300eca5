import { and, eq, like } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { runLater, stopClock } from "../../../tests/support/product/stop-clock.ts";
import {
  startedOrder,
  testPayments,
  verifiedPaid,
} from "../../../tests/support/payments/payments.ts";
import { hasApp } from "../../../tests/support/rows/factors.ts";
import { company, member } from "../../../tests/support/rows/companies.ts";
import { mailsTo, tokenMailedTo } from "../../../tests/support/rows/mailbox.ts";
import { givePassword, people, person, signedIn } from "../../../tests/support/rows/people.ts";
import { order, paidReview } from "../../../tests/support/rows/refunds.ts";
import { assignment, review, storedFile } from "../../../tests/support/rows/reviews.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { hashPassword } from "../../accounts/passwords.server.ts";
import {
  requestPasswordReset,
  resetPassword,
} from "../../accounts/password-reset/reset-password.server.tsx";
import { findActor, openSession } from "../../accounts/session.server.ts";
import { finishByCode } from "../../accounts/second-factor/second-step.server.ts";
import { signIn } from "../../accounts/sign-in/sign-in.server.ts";
import { signUp } from "../../accounts/sign-up/sign-up.server.tsx";
import { profiles, sealedAccounts, sessions, users } from "../../accounts/tables.server.ts";
import { listHistory } from "../../admin/history.server.ts";
import { listUsers } from "../../admin/list-users.server.ts";
import { getOrder, toOrderView } from "../../admin/orders/read-orders.server.ts";
import { getPerson } from "../../admin/person/read-person.server.ts";
import { countOpenShares } from "../../annotations/share/find-shares.server.ts";
import { createShare } from "../../annotations/share/shares.server.ts";
import { companies, companyMembers } from "../../companies/tables.server.ts";
import { isClosedAddress } from "../../mail/rules.ts";
import { mails } from "../../mail/tables.server.ts";
import { refundForClosedAccount } from "../../payments/refunds/refund-orders.server.ts";
import { refunds } from "../../payments/refunds/tables.server.ts";
import { settleOrder } from "../../payments/settle-order.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { day, formatShortDateTime, now } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { findReadableFile } from "../../reviews/may-read-file.server.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { createOwnAlert, listOwnAlerts } from "../../seekers/alerts/own-alerts.server.ts";
import { getOwnSubscription } from "../../subscriptions/subscription.server.ts";
import { listMessages } from "../../support/answer/list-messages.server.ts";
import { supportMessages } from "../../support/tables.server.ts";
import {
  closeAccountByAddress,
  closeAccountFor,
  closeOwnAccount,
} from "./close-account.server.tsx";

const { db } = await testDatabase();
const config = testConfig();
const { gita, meera } = await people(db);
const password = "correct horse battery";
const passwordHash = await hashPassword(password);

const close = (actor: Actor) => closeOwnAccount(db, actor, config);

async function userRow({ id }: { id: string }) {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row!;
}

async function message(sender: Actor) {
  const ticket = `NAK-${sender.id.slice(0, 8).toUpperCase()}`;
  await db.insert(supportMessages).values({
    ticket,
    name: sender.fullName!,
    email: sender.email,
    senderId: sender.id,
    subject: "My account",
    message: "Please close it.",
    createdAt: now(),
  });
  return ticket;
}

test("closing ends sessions, links, alerts, subscription and roles, and mails the date at once", async () => {
  const asha = await person(db, "Asha Verma", { subscribed: true, roles: ["job_board_adder"] });
  const { token } = await openSession(db, asha.id);
  await requestPasswordReset(db, config, asha.email);
  const { id: reviewId } = await review(db, asha, { status: "completed" });
  await createShare(db, asha, { reviewId, hidden: [], withFeedback: false });
  await createOwnAlert(db, asha, { query: "", frequency: "daily" });

  const purgeAt = await close(asha);

  expect(purgeAt.getTime()).toBeCloseTo(now().getTime() + 14 * day, -5);
  expect(await findActor(db, token)).toBeNull();
  expect(await db.$count(sessions, eq(sessions.userId, asha.id))).toBe(0);
  expect(await countOpenShares(db, asha)).toBe(0);
  expect(await listOwnAlerts(db, asha)).toEqual([]);
  expect((await getOwnSubscription(db, asha)).isActive).toBe(false);
  const row = await userRow(asha);
  expect(row).toMatchObject({ name: "", highestRole: "user" });
  expect(row.closedAt).not.toBeNull();
  expect(isClosedAddress(row.email)).toBe(true);
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.subject).toBe("Your Naksha account is closed");
  expect(mail!.text).toContain(formatShortDateTime(purgeAt));
  const [event] = await db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.event, "user.close"), eq(auditEvents.subjectId, asha.id)));
  expect(event).toMatchObject({ before: { roles: ["job_board_adder"] } });
});

test("staff no longer see a closed account anywhere", async () => {
  const asha = await person(db, "Asha Verma");
  const { orderId, reviewId } = await paidReview(
    db,
    { buyer: asha, reviewer: meera },
    { state: "completed" },
  );
  const file = await storedFile(db, asha, "resumes");
  await db
    .update(serviceReviews)
    .set({ resumeFilePath: file.path })
    .where(eq(serviceReviews.id, reviewId));
  await message(asha);
  const read = (reader: Actor) => findReadableFile(db, reader, "resumes", file.path);
  expect(await read(gita)).not.toBeNull();

  await close(asha);

  for (const reader of [gita, meera]) expect(await read(reader)).toBeNull();
  await expect(getPerson(db, gita, asha.id)).rejects.toThrow("User not found");
  const query = { search: asha.email, by: "email", direction: "asc", after: null } as const;
  expect((await listUsers(db, gita, query)).rows).toEqual([]);
  expect(toOrderView(await getOrder(db, gita, orderId)).buyer).toBeFalsy();
  const { rows } = await listMessages(db, gita, { list: "open", search: "", after: null });
  expect(rows[0]).toMatchObject({ name: "Unknown User", email: "" });
  const history = { type: "user", id: asha.id, after: null };
  const { events } = await listHistory(db, gita, history);
  expect(events.map(({ actorName }) => actorName)).toEqual(["Unknown User"]);
  const [row] = await db.select().from(serviceReviews).where(eq(serviceReviews.id, reviewId));
  expect(row!.searchText).not.toContain("asha verma");
});

test("signing in within two weeks restores the account, and what ended stays ended", async () => {
  const asha = await person(db, "Asha Verma");
  await givePassword(db, asha, passwordHash);
  await db.update(profiles).set({ phone: "9876543210" }).where(eq(profiles.id, asha.id));
  await createOwnAlert(db, asha, { query: "", frequency: "daily" });
  await close(asha);

  await runLater(13 * day, async () => {
    const { session } = await signedIn({ db, config }, { email: asha.email, password });
    expect(session.isRestored).toBe(true);
    const found = await findActor(db, session.token);
    expect(found!.actor).toMatchObject({ id: asha.id, email: asha.email, fullName: "Asha Verma" });
  });

  expect(await userRow(asha)).toMatchObject({ email: asha.email, closedAt: null });
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, asha.id));
  expect(profile).toMatchObject({ fullName: "Asha Verma", phone: "9876543210" });
  expect(await listOwnAlerts(db, asha)).toEqual([]);
  expect((await mailsTo(db, asha.email)).map(({ subject }) => subject)).toContain(
    "Your Naksha account is open again",
  );
  expect(await db.$count(sealedAccounts, eq(sealedAccounts.userId, asha.id))).toBe(0);
});

test("with a second factor, only the second step restores the account", async () => {
  stopClock();
  const asha = await person(db, "Asha Verma");
  await givePassword(db, asha, passwordHash);
  const site = { db, config };
  const app = await hasApp(site, asha);
  await close(asha);
  const first = await signIn(site, { email: asha.email, password });
  if (!("half" in first)) throw new Error("The account needs no second step.");
  expect((await userRow(asha)).closedAt).not.toBeNull();
  const { session, email } = await finishByCode(site, first.half.token, app.code(), () => ({}));
  expect(session.isRestored).toBe(true);
  expect(email).toBe(asha.email);
  expect(await userRow(asha)).toMatchObject({ closedAt: null, email: asha.email });
});

test("a forgotten password of a closed account is reset by its address", async () => {
  const asha = await person(db, "Asha Verma");
  await givePassword(db, asha, passwordHash);
  await close(asha);
  await requestPasswordReset(db, config, asha.email);
  const token = await tokenMailedTo(db, asha.email);
  expect(await resetPassword(db, config, token, "Another-one1")).toBe(true);
  await signedIn({ db, config }, { email: asha.email, password: "Another-one1" });
  expect((await userRow(asha)).closedAt).toBeNull();
});

test("after two weeks nobody can sign in to a closed account", async () => {
  const asha = await person(db, "Asha Verma");
  await givePassword(db, asha, passwordHash);
  await close(asha);
  await runLater(14 * day + 1, async () => {
    await expect(signedIn({ db, config }, { email: asha.email, password })).rejects.toThrow(
      "This account is closed.",
    );
  });
});

test("the address of a closed account can't sign up again until it is purged", async () => {
  const asha = await person(db, "Asha Verma");
  await close(asha);
  await signUp(db, config, { fullName: "Other", email: asha.email, password });
  expect(await db.$count(users, eq(users.email, asha.email))).toBe(0);
  expect((await mailsTo(db, asha.email))[0]!.subject).toContain("You already have an account");
});

test("closing waits for payments and for reviews that aren't ready", async () => {
  const asha = await person(db, "Asha Verma");
  const orderId = await order(db, asha, { status: "pending", settledAt: null });
  await expect(close(asha)).rejects.toThrow("One of your payments isn't confirmed yet.");
  await db.update(orders).set({ status: "failed" }).where(eq(orders.orderId, orderId));
  const { id } = await review(db, asha);
  await expect(close(asha)).rejects.toThrow("You have a review that isn't ready yet.");
  expect(await userRow(asha)).toMatchObject({ closedAt: null });
  await db.update(serviceReviews).set({ withdrawnAt: now() }).where(eq(serviceReviews.id, id));
  await close(asha);
});

test("money that arrives after closing is refunded, and nothing is delivered", async () => {
  const asha = await person(db, "Asha Verma");
  const { orderId } = await startedOrder(db, asha);
  await db.update(orders).set({ status: "failed" }).where(eq(orders.orderId, orderId));
  await close(asha);
  const payments = testPayments();
  payments.answer = verifiedPaid;
  const app = { db, config, log: createLog("silent") };

  await settleOrder(app, payments, { orderId, source: "verification" });
  await settleOrder(app, payments, { orderId, source: "verification" });

  expect(await db.$count(serviceReviews, eq(serviceReviews.userId, asha.id))).toBe(0);
  const rows = await db.select().from(refunds).where(eq(refunds.orderId, orderId));
  expect(rows).toMatchObject([{ state: "approved", grounds: "account closed" }]);
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.cause).toContain("refund-");
});

test("the last god admin can't close their account", async () => {
  await expect(close(gita)).rejects.toThrow("You are the last god admin.");
  const other = await person(db, "Other Admin", { roles: ["god_admin"] });
  await close(other);
});

test("a reviewer's open reviews return to the queue", async () => {
  const reviewer = await person(db, "Ravi Reviewer", { roles: ["reviewer"] });
  const asha = await person(db, "Asha Verma");
  const [open, done] = [
    await review(db, asha, { status: "under_review" }),
    await review(db, asha, { status: "completed" }),
  ];
  await assignment(db, open.id, reviewer);
  await assignment(db, done.id, reviewer, now());
  await close(reviewer);
  const [row] = await db.select().from(serviceReviews).where(eq(serviceReviews.id, open.id));
  expect(row!.status).toBe("pending");
  const left = await db
    .select({ id: reviewAssignments.reviewId })
    .from(reviewAssignments)
    .where(eq(reviewAssignments.reviewerId, reviewer.id));
  expect(left).toEqual([{ id: done.id }]);
});

test("the only owner of a company names another, and a company without members is hidden", async () => {
  const [asha, ravi] = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
  const own = await company(db);
  await member(db, own, asha);
  const other = await member(db, own, ravi, { role: "member", workEmail: `ravi@${own.domain}` });
  await expect(close(asha)).rejects.toThrow("You are the only owner of a company");
  await db.update(companyMembers).set({ role: "owner" }).where(eq(companyMembers.id, other.id));
  await close(asha);
  const stateOf = async () =>
    (await db.select().from(companies).where(eq(companies.id, own.id)))[0]!.state;
  expect(await stateOf()).toBe("approved");
  await close(ravi);
  expect(await stateOf()).toBe("hidden");
  expect(await db.$count(companyMembers, eq(companyMembers.companyId, own.id))).toBe(0);
});

test("staff close an account only with a message of the person, and the mail says why", async () => {
  const [asha, ravi] = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
  const [ticket, reason] = [await message(asha), "You asked for it."];
  const closeFor = (userId: string, of = ticket) =>
    closeAccountFor(db, gita, { userId, ticket: of, reason }, config);
  await expect(closeFor(ravi.id)).rejects.toThrow();
  await expect(closeFor(asha.id, "NAK-NONE")).rejects.toThrow();
  await expect(closeFor(gita.id)).rejects.toThrow("You can't close your own account here.");
  const admin = await person(db, "Other Admin", { roles: ["god_admin"] });
  await expect(closeFor(admin.id)).rejects.toThrow("You can't close a god admin's account.");
  await closeFor(asha.id);
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.text).toContain("Our team closed your account: You asked for it.");
  const isEvent = and(eq(auditEvents.event, "user.close"), eq(auditEvents.subjectId, asha.id));
  const [event] = await db.select().from(auditEvents).where(isEvent);
  expect(event).toMatchObject({ actorId: gita.id, after: { ticket, reason } });
});

test("closing twice at once closes once", async () => {
  const asha = await person(db, "Asha Verma");
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => close(asha)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const isMail = and(eq(mails.recipient, asha.email), like(mails.cause, "account-closed:%"));
  expect(await db.$count(mails, isMail)).toBe(1);
});

test("a link to a review or an alert that is created while the account closes doesn't stay", async () => {
  for (let round = 0; round < 8; round++) {
    const asha = await person(db, "Asha Verma");
    const { id: reviewId } = await review(db, asha, { status: "completed" });
    await Promise.allSettled([
      close(asha),
      createShare(db, asha, { reviewId, hidden: [], withFeedback: false }),
      createOwnAlert(db, asha, { query: "", frequency: "daily" }),
    ]);
    expect((await userRow(asha)).closedAt).not.toBeNull();
    expect(await countOpenShares(db, asha)).toBe(0);
    expect(await listOwnAlerts(db, asha)).toEqual([]);
  }
});

test("a payment that settles while the account closes is delivered first or refunded", async () => {
  const payments = testPayments();
  payments.answer = verifiedPaid;
  const app = { db, config, log: createLog("silent") };
  for (let round = 0; round < 8; round++) {
    const asha = await person(db, "Asha Verma");
    const { orderId } = await startedOrder(db, asha);
    await db.update(orders).set({ status: "failed" }).where(eq(orders.orderId, orderId));
    payments.deliver = async (tx, paid) => {
      const isRefunded = await refundForClosedAccount(tx, config, paid);
      if (!isRefunded) await review(tx, asha, { orderId: paid.orderId });
    };
    const [closed] = await Promise.allSettled([
      close(asha),
      settleOrder(app, payments, { orderId, source: "verification" }),
    ]);
    const delivered = await db.$count(serviceReviews, eq(serviceReviews.userId, asha.id));
    const refunded = await db.$count(refunds, eq(refunds.orderId, orderId));
    expect(delivered + refunded).toBe(1);
    expect(closed.status === "fulfilled").toBe(refunded === 1);
  }
});

test("the operator closes an account by its address", async () => {
  const asha = await person(db, "Asha Verma");
  await closeAccountByAddress(db, asha.email, "They called us.", config);
  expect((await userRow(asha)).closedAt).not.toBeNull();
  await expect(closeAccountByAddress(db, "none@example.com", "x", config)).rejects.toThrow();
});
