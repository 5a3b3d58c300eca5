import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testPayments, orderRow } from "../../../tests/support/payments/payments.ts";
import { gstSettings, testConfig } from "../../../tests/support/product/config.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import {
  company,
  listingFields,
  member,
  submission,
} from "../../../tests/support/rows/companies.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { setCompanyState } from "../../companies/decide/decide-companies.server.tsx";
import { hashContactAddress } from "../../jobs/contact/contact-address.server.ts";
import { jobChecks, jobs, stoppedContacts } from "../../jobs/tables.server.ts";
import { listOrdersToResolve } from "../../payments/resolve/orders-to-resolve.server.ts";
import { settleOrder } from "../../payments/settle-order.server.ts";
import type { TypedPlace } from "../../payments/tax/buyer-place.ts";
import { orderEvents, orders } from "../../payments/tables.server.ts";
import { day, minute, now, toIsoDay } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import {
  findReceipt,
  listOwnPayments,
} from "../../review-customer/payments/own-payments.server.ts";
import { approveSubmissions, returnSubmission } from "../decide/decide-submissions.server.tsx";
import { sendSubmission, withdrawSubmission } from "./change-submission.server.ts";
import { toDecisionSettings } from "../create-submitted-job.server.tsx";
import { payableFor } from "../rules.ts";
import { jobSubmissions } from "../tables.server.ts";
import { startListingPayment } from "./listing-payment.server.ts";

const { db, asha, ravi, gita } = await testPeople();
const config = testConfig({ RATE_LIMITS: "off", LISTING_PRICE: "999.50" });
const settings = toDecisionSettings(config);
const payments = testPayments();
payments.deliver = async (tx, order) => {
  const { deliverPurchase } = await import("../../../server/services/deliver-purchase.ts");
  return deliverPurchase(config, tx, order);
};
const app = { db, config, log: createLog("silent") };
let own: Awaited<ReturnType<typeof company>>;

beforeEach(async () => {
  await db.execute(sql`delete from companies; delete from jobs; delete from mails; delete from orders;
    delete from audit_events; delete from stopped_contacts`);
  own = await company(db);
  await member(db, own, asha);
});

const rowOf = async (id: string) => {
  const [row] = await db.select().from(jobSubmissions).where(eq(jobSubmissions.id, id));
  return row!;
};
const openJobs = () => db.select().from(jobs).where(eq(jobs.isArchived, false));
const approve = (id: string, version = 1) =>
  approveSubmissions(db, gita, [{ id, version }], settings);
const start = (id: string, { version = 2, actor = asha } = {}) =>
  startListingPayment(db, { config, payments }, actor, { id, version });

async function approved(fields = {}): Promise<string> {
  const id = await submission(db, own, asha, "waiting", fields);
  await approve(id);
  return id;
}

/** The provider confirms the payment of an order. */
async function pay(orderId: string) {
  payments.answer = { outcome: "success", amountPaise: 999_50, mihpayid: "403" };
  return settleOrder(app, payments, { orderId, source: "verification" });
}

test("an approved listing is on the board only once it is paid", async () => {
  stopClock();
  const id = await submission(db, own, asha, "waiting");
  expect(await approve(id)).toEqual({ published: 0, payable: 1, refusals: [] });
  expect(await openJobs()).toEqual([]);
  const row = await rowOf(id);
  expect(row).toMatchObject({ state: "payable", price: 999_50, decidedBy: gita.id, version: 2 });
  expect(row.payableUntil!.getTime() - row.decidedAt!.getTime()).toBe(payableFor);
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.subject).toBe("Your listing “Type Designer” is approved");
  expect(mail!.text).toContain("₹999.50");
  expect(mail!.text).toContain(`/post/${id}/preview`);

  const { orderId, fields } = await start(id);
  expect(fields).toMatchObject({ amount: "999.50", udf1: "listing", productinfo: "Job listing" });
  vi.setSystemTime(now().getTime() + minute);
  await pay(orderId);
  const [job] = await openJobs();
  expect(job).toMatchObject({ title: "Type Designer", companyId: own.id, createdBy: gita.id });
  expect(job!.postedAt).toEqual(job!.publishedAt);
  expect(await rowOf(id)).toMatchObject({ state: "live", jobId: job!.id, fields: {} });
  const [check] = await db.select().from(jobChecks).where(eq(jobChecks.jobId, job!.id));
  expect(check).toMatchObject({ kind: "company", actorId: asha.id });
  const events = await db.select().from(auditEvents).orderBy(auditEvents.at);
  expect(events.map(({ event, actorName }) => [event, actorName])).toEqual([
    ["listing.approve", gita.fullName],
    ["job.create", "A payment"],
  ]);
  expect(await listOrdersToResolve(db, 10)).toEqual([]);
  expect(await payments.describe(db, await orderRow(db, orderId))).toMatchObject([
    { name: "Your listing", words: "“Type Designer” is on the board" },
  ]);
});

test("without a price, and for what the operator imports, nobody pays", async () => {
  const free = await submission(db, own, asha, "waiting");
  const none = { ...settings, listingPrice: null };
  expect(await approveSubmissions(db, gita, [{ id: free, version: 1 }], none)).toEqual({
    published: 1,
    payable: 0,
    refusals: [],
  });
  const imported = await submission(db, own, asha, "waiting", { source: "import" });
  expect(await approve(imported)).toEqual({ published: 1, payable: 0, refusals: [] });
});

test("the price is the one of the approval", async () => {
  const id = await approved();
  const dearer = testConfig({ RATE_LIMITS: "off", LISTING_PRICE: "5000" });
  const { fields } = await startListingPayment(db, { config: dearer, payments }, asha, {
    id,
    version: 2,
  });
  expect(fields.amount).toBe("999.50");
});

test("with a GSTIN of the seller, the company's State is required", async () => {
  const id = await approved();
  const registered = testConfig({ RATE_LIMITS: "off", LISTING_PRICE: "999.50", ...gstSettings });
  const startFrom = (typedPlace: TypedPlace) =>
    startListingPayment(db, { config: registered, payments }, asha, { id, version: 2, typedPlace });
  await expect(startFrom({})).rejects.toMatchObject({ fields: { state: expect.any(String) } });
  const gstin = "29ABCDE1234F1ZW";
  const { orderId } = await startFrom({ gstin });
  expect((await startFrom({ state: "Karnataka", gstin })).orderId).toBe(orderId);
  expect(await orderRow(db, orderId)).toMatchObject({
    buyerState: "Karnataka",
    buyerGstin: gstin,
    serviceCode: "998365",
    taxablePaise: 847_03,
    igstPaise: 152_47,
  });
  expect((await startFrom({ state: "Kerala" })).orderId).not.toBe(orderId);
});

test("a double click pays once, and a later payment starts a new order", async () => {
  stopClock();
  const id = await approved();
  const results = await overlap(
    db,
    (tx) => startListingPayment(tx, { config, payments }, asha, { id, version: 2 }),
    (tx) => startListingPayment(tx, { config, payments }, asha, { id, version: 2 }),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await db.$count(orders)).toBe(1);
  vi.setSystemTime(now().getTime() + 11 * minute);
  await start(id);
  expect(await db.$count(orders)).toBe(2);
});

test("while a payment may still succeed, nobody pays again", async () => {
  await member(db, own, ravi, { role: "member" });
  const id = await approved();
  const { orderId } = await start(id);
  await db
    .insert(orderEvents)
    .values({ orderId, at: now(), source: "return", said: "pending", outcome: "unchanged" });
  await expect(start(id, { actor: ravi })).rejects.toThrow("isn't settled yet");
});

test("a payment can start for a week", async () => {
  stopClock();
  const id = await approved();
  vi.setSystemTime(now().getTime() + payableFor - 1);
  const { orderId } = await start(id);
  vi.setSystemTime(now().getTime() + 1);
  await expect(start(id)).rejects.toThrow("The time to pay has ended");
  // One that started in time publishes the listing, however late it is confirmed.
  vi.setSystemTime(now().getTime() + 2 * day);
  await pay(orderId);
  expect((await rowOf(id)).state).toBe("live");
});

const undeliverable = "Paid for something that could no longer be delivered. Refund it.";

test.each([
  ["was taken back", (id: string) => withdrawSubmission(db, asha, id)],
  [
    "was taken back, changed, and approved again",
    async (id: string) => {
      await withdrawSubmission(db, asha, id);
      const fields = { ...listingFields, title: "Other Designer" };
      await sendSubmission(db, asha, { id, version: 3, fields }, settings);
      await approve(id, 4);
    },
  ],
  [
    "was taken back and returned",
    async (id: string) => {
      await withdrawSubmission(db, asha, id);
      await sendSubmission(db, asha, { id, version: 3 }, settings);
      await returnSubmission(db, gita, { id, version: 4, reason: "State the pay." }, settings);
    },
  ],
  [
    "is of a company that we hid",
    () => setCompanyState(db, gita, { companyId: own.id, state: "hidden" }),
  ],
])("a payment for a listing that %s publishes nothing and is refunded", async (_case, change) => {
  const id = await approved();
  const { orderId } = await start(id);
  await change(id);
  await pay(orderId);
  expect(await openJobs()).toEqual([]);
  const [listed] = await listOrdersToResolve(db, 10);
  expect(listed).toMatchObject({ orderId, why: undeliverable });
  const subjects = (await mailsTo(db, asha.email)).map(({ subject }) => subject);
  expect(subjects).toContain("We refund your payment for a listing");
});

test("a listing whose contact has their name removed before it is paid isn't published", async () => {
  const id = await approved();
  const { orderId } = await start(id);
  const contactHash = hashContactAddress(config, "lalita@example.com");
  await db.insert(stoppedContacts).values({ contactHash, reason: "withdrawn", at: now() });
  await pay(orderId);
  expect(await openJobs()).toEqual([]);
  expect(await listOrdersToResolve(db, 10)).toMatchObject([{ orderId, why: undeliverable }]);
});

test("a listing whose closing date passes before it is paid isn't published", async () => {
  stopClock();
  const closesOn = toIsoDay(new Date(now().getTime() + 2 * day));
  const id = await approved({ fields: { ...listingFields, closesOn } });
  const { orderId } = await start(id);
  vi.setSystemTime(now().getTime() + 4 * day);
  await pay(orderId);
  expect(await openJobs()).toEqual([]);
  expect((await rowOf(id)).state).toBe("payable");
  expect(await listOrdersToResolve(db, 10)).toMatchObject([{ orderId, why: undeliverable }]);
});

test("of two payments for a listing, the first publishes it and the second is refunded", async () => {
  await member(db, own, ravi, { role: "member" });
  const id = await approved();
  const [first, second] = [await start(id), await start(id, { actor: ravi })];
  expect(first.orderId).not.toBe(second.orderId);
  await Promise.all([pay(first.orderId), pay(second.orderId)]);
  expect(await openJobs()).toHaveLength(1);
  expect(await listOrdersToResolve(db, 10)).toMatchObject([{ why: undeliverable }]);
});

test("a payment and taking the listing back at once have one effect", async () => {
  const id = await approved();
  const { orderId } = await start(id);
  payments.answer = { outcome: "success", amountPaise: 999_50, mihpayid: "403" };
  await overlap(
    db,
    (tx) => withdrawSubmission(tx, asha, id),
    (tx) => settleOrder({ ...app, db: tx }, payments, { orderId, source: "verification" }),
  );
  expect((await rowOf(id)).state).toBe("draft");
  expect(await openJobs()).toEqual([]);
  expect(await listOrdersToResolve(db, 10)).toMatchObject([{ orderId, why: undeliverable }]);
});

test("a payment from an account that is deleted meanwhile publishes nothing", async () => {
  const id = await approved();
  const { orderId } = await start(id);
  await db.update(orders).set({ buyerId: null });
  await pay(orderId);
  expect(await openJobs()).toEqual([]);
  const [listed] = await listOrdersToResolve(db, 10);
  expect(listed!.why).toContain("account was deleted");
});

test("payments for listings have their name on the buyer's list and receipt", async () => {
  const { orderId } = await start(await approved());
  await pay(orderId);
  const { payments: listed } = await listOwnPayments(db, asha);
  expect(listed).toMatchObject([{ orderId, service: "Job listing", status: "success" }]);
  expect(await findReceipt(db, asha, orderId, config.product)).toMatchObject({
    service: "Job listing",
  });
});

test("another person's listing can't be paid, nor one with another text than the page shows", async () => {
  const id = await approved();
  await expect(start(id, { actor: ravi })).rejects.toThrow("Listing not found");
  await expect(start(id, { version: 1 })).rejects.toThrow("Someone else changed this listing");
});
