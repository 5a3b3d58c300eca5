import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { gstSettings, testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { testPayments } from "../../../tests/support/payments/payments.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { completedReview } from "../../../tests/support/rows/review-states.ts";
import { review as insertReview, storedFile } from "../../../tests/support/rows/reviews.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { orderEvents, orders } from "../../payments/tables.server.ts";
import { settleOrder } from "../../payments/settle-order.server.ts";
import type { TypedPlace } from "../../payments/tax/buyer-place.ts";
import { hour, minute, now } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { changeDraft, getDraft, savePortfolioUrl } from "./drafts.server.ts";
import {
  earlierPaymentUnsettled,
  findBlockingPayment,
  listUnsettledPayments,
  startReviewPayment,
} from "./review-payments.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { secondLookRefusals } from "../../reviews/second-looks.server.ts";
import { reviewDrafts, reviewOrders } from "../../reviews/tables.server.ts";
import { formatPriceChange, materialsChanged, materialsGone } from "./submission.ts";
import { services } from "../../reviews/rules.ts";

const config = testConfig();
const { db } = await testDatabase();

test("a payment starts at our own price, for exactly the uploaded files", async () => {
  const { asha, resume, portfolio } = await readyPerson();
  const { orderId, checkoutUrl, fields } = await pay(asha);
  const [order] = await db.select().from(orders).where(eq(orders.orderId, orderId));
  const [draft] = await db.select().from(reviewDrafts).where(eq(reviewDrafts.userId, asha.id));
  expect(checkoutUrl).toBe(config.payu.checkoutUrl);
  expect(fields).toMatchObject({ txnid: orderId, amount: "299.00", udf1: "combined_review" });
  expect(order).toMatchObject({
    buyerId: asha.id,
    amount: "299.00",
    status: "pending",
    retryPath: "/services/combined-review?step=payment",
    purpose: { kind: "review" },
  });
  expect(await materialsOf(orderId)).toEqual({
    draftId: draft!.id,
    draftRevision: draft!.revision,
    serviceType: "combined_review",
    resumeFilePath: resume.path,
    portfolioUrl: null,
    portfolioFilePath: portfolio.path,
    brief: null,
    secondLookOf: null,
  });
});

test("no payment starts while a part is missing", async () => {
  const asha = await person(db, "Asha Verma");
  const part = async () => pay(asha).catch((error: { fields: object }) => error.fields);
  expect(await part()).toEqual({ resume: "Please upload your resume as a PDF or Word document" });
  const resume = await storedFile(db, asha, "resumes");
  await changeDraft(db, asha.id, services.combined_review, { resumeFileId: resume.id });
  expect(await part()).toEqual({ portfolio: "Please provide either a file or a URL" });
  expect(await ordersOf(asha)).toHaveLength(0);
});

test("a phone number is saved in the profile and sent; without one the placeholder is sent", async () => {
  const { asha } = await readyPerson();
  expect((await pay(asha, { phone: "9876543210" })).fields.phone).toBe("9876543210");
  expect(await phoneOf(asha)).toBe("9876543210");
  expect((await pay(asha)).fields.phone).toBe(config.payu.placeholderPhone);
  expect(await phoneOf(asha)).toBeNull();
});

test("a person without a profile gets an error", async () => {
  const { asha } = await readyPerson();
  await db.delete(profiles).where(eq(profiles.id, asha.id));
  await expect(pay(asha)).rejects.toThrow("Could not fetch your profile data");
});

test("ten simultaneous submits lead to one payment", async () => {
  const { asha } = await readyPerson();
  const started = await Promise.all(Array.from({ length: 10 }, () => pay(asha)));
  expect(new Set(started.map(({ orderId }) => orderId)).size).toBe(1);
  expect(new Set(started.map(({ fields }) => fields.hash)).size).toBe(1);
  expect(await ordersOf(asha)).toHaveLength(1);
});

test("changed materials start a new payment", async () => {
  const { asha } = await readyPerson();
  const first = await pay(asha);
  await savePortfolioUrl(db, asha, services.combined_review, "https://asha.design");
  expect((await pay(asha)).orderId).not.toBe(first.orderId);
});

test("materials that changed after they were checked cannot be paid unseen", async () => {
  const { asha } = await readyPerson();
  const { version } = await getDraft(db, asha, services.combined_review);
  await savePortfolioUrl(db, asha, services.combined_review, "https://asha.design");
  await expect(pay(asha, { version })).rejects.toThrow(materialsChanged);
  const seen = await getDraft(db, asha, services.combined_review);
  await pay(asha, seen);
  // A second submit is for the same materials; one after they were paid gets an error.
  await pay(asha, seen);
  await db.delete(reviewDrafts).where(eq(reviewDrafts.userId, asha.id));
  await expect(pay(asha, seen)).rejects.toThrow(materialsGone);
  expect(await ordersOf(asha)).toHaveLength(1);
});

test("after a declined card the same files are paid with a new order", async () => {
  const { asha } = await readyPerson();
  const first = await pay(asha);
  await db.update(orders).set({ status: "failed" }).where(eq(orders.orderId, first.orderId));
  const second = await pay(asha);
  expect(second.orderId).not.toBe(first.orderId);
  expect(await materialsOf(second.orderId)).toEqual(await materialsOf(first.orderId));
});

test("a payment left open for over ten minutes is repeated only after a warning", async () => {
  const { asha } = await readyPerson();
  const { orderId } = await pay(asha);
  await leaveFor(11 * minute, orderId);
  await expect(pay(asha)).rejects.toThrow(earlierPaymentUnsettled);
  expect(await findBlockingPayment(db, asha, services.combined_review)).toMatchObject({
    orderId,
    amount: "299.00",
    hasProviderCallback: false,
  });
  expect(await listUnsettledPayments(db, asha)).toEqual([]);
  expect((await pay(asha, { despite: orderId })).orderId).not.toBe(orderId);
});

test("a payment left open blocks nothing once the materials change or a day has passed", async () => {
  const { asha } = await readyPerson();
  await leaveFor(25 * hour, (await pay(asha)).orderId);
  const second = await pay(asha);
  await leaveFor(11 * minute, second.orderId);
  await savePortfolioUrl(db, asha, services.combined_review, "https://asha.design");
  expect((await pay(asha)).orderId).not.toBe(second.orderId);
});

test("a buyer who came back from an unsettled payment pays again only after a warning", async () => {
  const { asha } = await readyPerson();
  const { orderId } = await pay(asha);
  await comeBack(orderId);
  await expect(pay(asha)).rejects.toThrow(earlierPaymentUnsettled);

  const warning = await findBlockingPayment(db, asha, services.combined_review);
  expect(warning).toMatchObject({ orderId, amount: "299.00", hasProviderCallback: true });
  const second = await pay(asha, { despite: orderId });
  expect(second.orderId).not.toBe(orderId);
  expect((await pay(asha)).orderId).toBe(second.orderId);
});

test("an unsettled payment of another person or service blocks nothing", async () => {
  const { asha } = await readyPerson();
  const { asha: other } = await readyPerson();
  await comeBack((await pay(other)).orderId);
  await savePortfolioUrl(db, asha, services.portfolio_review, "https://asha.design");
  const parts = { config, payments: { settings: config.payu } };
  const single = await startReviewPayment(db, parts, asha, services.portfolio_review, {
    phone: null,
    shownPaise: 199_00,
  });
  expect(single.fields.amount).toBe("199.00");
  await comeBack(single.orderId);
  await expect(pay(asha)).resolves.toBeTruthy();
});

const dearer = testConfig({ PRICE_COMBINED: "349.50" });

test("nothing is charged at a price that the page didn't show", async () => {
  const { asha } = await readyPerson();
  const refused = formatPriceChange("₹349.50");
  for (const shownPaise of [299_00, 1, 0, -349_50, NaN])
    await expect(pay(asha, { current: dearer, phone: "9876543210", shownPaise })).rejects.toThrow(
      refused,
    );
  expect(await ordersOf(asha)).toEqual([]);
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, asha.id));
  expect(profile!.phone).toBeNull();
  const started = await pay(asha, { current: dearer, shownPaise: 349_50 });
  expect(started.fields.amount).toBe("349.50");
});

test("of two tabs, the one from before a change keeps its price, and the other gets the new one", async () => {
  const { asha } = await readyPerson();
  const before = await pay(asha);
  const after = await pay(asha, { current: dearer, shownPaise: 349_50 });
  expect(after.orderId).not.toBe(before.orderId);
  expect((await ordersOf(asha)).map(({ amount }) => amount).toSorted()).toEqual([
    "299.00",
    "349.50",
  ]);
  const app = { db, config: dearer, log: createLog("silent") };
  const payments = { ...testPayments(), deliver: async () => {} };
  const settle = (orderId: string, amountPaise: number) => {
    payments.answer = { outcome: "success", amountPaise, mihpayid: "403" };
    return settleOrder(app, payments, { orderId, source: "verification" });
  };
  expect(await settle(before.orderId, 349_50)).toMatchObject({ status: "pending" });
  expect(await settle(before.orderId, 299_00)).toMatchObject({ status: "success" });
  expect(await settle(after.orderId, 349_50)).toMatchObject({ status: "success" });
});

test("a person cannot pay for another person's draft", async () => {
  await readyPerson();
  await expect(pay(await person(db, "Ravi Nair"))).rejects.toThrow("Please upload your resume");
});

test("a second look is paid at its own price, to its own page, and names itself at PayU", async () => {
  const { asha, earlier, key } = await readyForSecondLook();
  const { orderId, fields } = await payFor(asha, key);
  expect(fields).toMatchObject({
    amount: "99.00",
    // PayU takes no colon.
    productinfo: "Second look Resume Review",
    udf1: "resume_review",
  });
  const [order] = await ordersOf(asha);
  expect(order).toMatchObject({
    retryPath: `/service-review/${earlier}/second-look?step=payment`,
    purpose: { kind: "review" },
  });
  expect(await materialsOf(orderId)).toMatchObject({ secondLookOf: earlier });
});

test("two tabs that pay for one second look get the same order", async () => {
  const { asha, key } = await readyForSecondLook();
  const started = await Promise.all([1, 2, 3].map(() => payFor(asha, key)));
  expect(new Set(started.map(({ orderId }) => orderId)).size).toBe(1);
});

test("an unsettled payment for a second look blocks no first review, nor another second look", async () => {
  const { asha, key } = await readyForSecondLook();
  await comeBack((await payFor(asha, key)).orderId);
  expect(await listUnsettledPayments(db, asha)).toMatchObject([
    { service: "Second look: Resume Review", amount: "99.00" },
  ]);
  await expect(payFor(asha, key)).rejects.toThrow(earlierPaymentUnsettled);
  expect(await findBlockingPayment(db, asha, services.resume_review)).toBeUndefined();
  const other = await lookDraft(asha);
  await expect(payFor(asha, other)).resolves.toBeTruthy();
});

test("no payment for a second look starts at another price, after its time, or once one is open", async () => {
  const { asha, earlier, key } = await readyForSecondLook();
  await expect(payFor(asha, key, { shownPaise: 89_00 })).rejects.toThrow(formatPriceChange("₹99"));
  const over = { ...config, secondLooks: { ...config.secondLooks, days: 0 } };
  await expect(payFor(asha, key, { current: over })).rejects.toThrow(secondLookRefusals.over);
  const { prices } = config.secondLooks;
  const unset = {
    ...config,
    secondLooks: { days: 60, prices: { ...prices, resume_review: null } },
  };
  await expect(payFor(asha, key, { current: unset })).rejects.toThrow(NotFound);
  const ravi = await person(db, "Ravi Nair");
  await expect(payFor(ravi, key)).rejects.toThrow(NotFound);
  await insertReview(db, asha, { secondLookOf: earlier });
  await expect(payFor(asha, key)).rejects.toThrow(secondLookRefusals.open);
  expect(await ordersOf(asha)).toEqual([]);
  expect(await ordersOf(ravi)).toEqual([]);
});

type LookKey = { type: "resume_review"; secondLookOf: string };

async function readyForSecondLook() {
  const asha = await person(db, "Asha Verma");
  const key = await lookDraft(asha);
  return { asha, earlier: key.secondLookOf, key };
}

async function lookDraft(asha: Actor): Promise<LookKey> {
  const meera = await person(db, "Meera Rao", { roles: ["reviewer"] });
  const secondLookOf = await completedReview(db, asha, meera);
  const key: LookKey = { type: "resume_review", secondLookOf };
  const resume = await storedFile(db, asha, "resumes");
  await changeDraft(db, asha.id, key, { resumeFileId: resume.id });
  return key;
}

function payFor(actor: Actor, key: LookKey, { shownPaise = 99_00, current = config } = {}) {
  const parts = { config: current, payments: { settings: config.payu } };
  return startReviewPayment(db, parts, actor, key, { phone: null, shownPaise });
}

async function readyPerson() {
  const asha = await person(db, "Asha Verma");
  const resume = await storedFile(db, asha, "resumes");
  const portfolio = await storedFile(db, asha, "portfolios");
  await changeDraft(db, asha.id, services.combined_review, { resumeFileId: resume.id });
  await changeDraft(db, asha.id, services.combined_review, { portfolioFileId: portfolio.id });
  return { asha, resume, portfolio };
}

function pay(
  actor: Actor,
  {
    phone = null,
    despite,
    version,
    shownPaise = 299_00,
    current = config,
    typedPlace,
  }: {
    phone?: string | null;
    despite?: string;
    version?: string;
    shownPaise?: number;
    current?: typeof config;
    typedPlace?: TypedPlace;
  } = {},
) {
  const parts = { config: current, payments: { settings: config.payu } };
  const form = { phone, despite, version, shownPaise, typedPlace };
  return startReviewPayment(db, parts, actor, services.combined_review, form);
}

test("with a GSTIN of the seller, the State is required and another one starts a new order", async () => {
  const { asha } = await readyPerson();
  const current = testConfig(gstSettings);
  const payFrom = (typedPlace: TypedPlace) => pay(asha, { current, typedPlace });
  await expect(payFrom({})).rejects.toMatchObject({ fields: { state: expect.any(String) } });
  expect(await ordersOf(asha)).toEqual([]);
  const first = await payFrom({ state: "Rajasthan" });
  expect((await payFrom({ state: "Rajasthan" })).orderId).toBe(first.orderId);
  const other = await payFrom({ state: "Kerala" });
  const company = await payFrom({ state: "Karnataka", gstin: "29ABCDE1234F1ZW" });
  const places = (await ordersOf(asha)).map(({ orderId, buyerState, buyerGstin }) => ({
    orderId,
    buyerState,
    buyerGstin,
  }));
  expect(places).toEqual(
    expect.arrayContaining([
      { orderId: first.orderId, buyerState: "Rajasthan", buyerGstin: null },
      { orderId: other.orderId, buyerState: "Kerala", buyerGstin: null },
      { orderId: company.orderId, buyerState: "Karnataka", buyerGstin: "29ABCDE1234F1ZW" },
    ]),
  );
  expect(places).toHaveLength(3);
});

async function comeBack(orderId: string): Promise<void> {
  await db
    .insert(orderEvents)
    .values({ orderId, at: now(), source: "return", said: "pending", outcome: "pending" });
}

async function leaveFor(milliseconds: number, orderId: string): Promise<void> {
  const createdAt = new Date(now().getTime() - milliseconds);
  await db.update(orders).set({ createdAt }).where(eq(orders.orderId, orderId));
}

async function materialsOf(id: string) {
  const [row] = await db.select().from(reviewOrders).where(eq(reviewOrders.orderId, id));
  const { orderId: _, ...materials } = row!;
  return materials;
}

function ordersOf({ id }: Actor) {
  return db.select().from(orders).where(eq(orders.buyerId, id));
}

async function phoneOf({ id }: Actor): Promise<string | null | undefined> {
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, id));
  return profile?.phone;
}
