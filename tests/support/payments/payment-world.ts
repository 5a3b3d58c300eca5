import { eq, isNotNull, notInArray, sql } from "drizzle-orm";
import { vi } from "vitest";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { users } from "../../../app/accounts/tables.server.ts";
import { getRevenue } from "../../../app/admin/revenue.server.ts";
import { mails } from "../../../app/mail/tables.server.ts";
import { closeOwnAccount } from "../../../app/own-data/closing/close-account.server.tsx";
import { checkOrders } from "../../../app/payments/check-orders.server.ts";
import { inspectOrder } from "../../../app/payments/inspect-order.server.ts";
import type { Payments } from "../../../app/payments/payments.server.ts";
import { verifyPayment } from "../../../app/payments/payu.server.ts";
import { refund, refundStatus } from "../../../app/payments/refunds/payu-refunds.server.ts";
import { creditNotes, refunds } from "../../../app/payments/refunds/tables.server.ts";
import { createCallbackRoutes } from "../../../app/payments/provider-callbacks.server.ts";
import {
  invoices,
  invoiceSeries,
  orderEvents,
  orders,
} from "../../../app/payments/tables.server.ts";
import { listOrdersToResolve } from "../../../app/payments/resolve/orders-to-resolve.server.ts";
import { day, minute, now } from "../../../app/platform/clock.ts";
import type { Config } from "../../../app/platform/config.server.ts";
import { openDatabase } from "../../../app/platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../../app/platform/errors.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import {
  findBlockingPayment,
  startReviewPayment,
} from "../../../app/review-customer/buy/review-payments.server.ts";
import type { ServiceKey } from "../../../app/reviews/second-looks.ts";
import { reviewDrafts, reviewOrders, serviceReviews } from "../../../app/reviews/tables.server.ts";
import { deliverPurchase, describePurchase } from "../../../server/services/deliver-purchase.ts";
import { gstSettings, testConfig } from "../product/config.ts";
import { databaseProxy } from "../servers/database-proxy.ts";
import type { TestDatabase } from "../product/database.ts";
import type { History, Step, Work } from "./payment-histories.ts";
import { payuSettings } from "./payu.ts";
import { wrongInvoices } from "./wrong-invoices.ts";
import { person } from "../rows/people.ts";
import { completedReview } from "../rows/review-states.ts";
import { forgedPaymentId, providerModel } from "./provider-model.ts";

/** In the future, so that timers started before the clock was faked don't fire repeatedly. */
const firstMoment = new Date("2036-01-05T10:00:00Z");
const plainConfig = testConfig({ RATE_LIMITS: "off" });
const registeredConfig = testConfig({ RATE_LIMITS: "off", ...gstSettings });
const service = "portfolio_review";

/** The product's payment code with a database that can be cut off and a scripted provider. */
export async function paymentWorld({ db, url }: TestDatabase) {
  const proxy = await databaseProxy(url);
  const ours = openDatabase(proxy.url);
  const log = createLog("silent");
  const admin = await person(db, "Gita Menon", { roles: ["god_admin"] });
  const reviewer = await person(db, "Meera Rao", { roles: ["reviewer"] });

  return {
    /** Runs a history and settles it. @returns what is wrong, in sentences */
    async live(history: History): Promise<string[]> {
      vi.setSystemTime(firstMoment);
      await clear();
      const life = await begin(history.isRegistered ? registeredConfig : plainConfig);
      for (const step of history.steps) await life.take(step);
      life.provider.state = history.answersInTheEnd ? "answering" : "silent";
      await settle(life, history.lastCut);
      return life.complaints(history.answersInTheEnd);
    },

    async close(): Promise<void> {
      await ours.close();
      proxy.close();
    },
  };

  async function clear(): Promise<void> {
    await db.delete(creditNotes);
    await db.delete(refunds);
    await db.delete(invoices);
    await db.delete(invoiceSeries);
    await db.delete(serviceReviews);
    await db.delete(orders);
    await db.delete(mails);
    await db.execute(sql`delete from pgboss.job`);
    // In ten thousand histories some people would get the same address.
    await db.delete(users).where(notInArray(users.id, [admin.id, reviewer.id]));
  }

  async function settle({ take }: Life, lastCut: number | null): Promise<void> {
    const check: Work = { event: "check" };
    pass(15 * minute);
    await take(lastCut === null ? check : { event: "cut", statement: lastCut, work: check });
    for (const pause of [6 * minute, 9 * day, 6 * minute]) {
      pass(pause);
      await take(check);
    }
  }

  async function begin(config: Config) {
    const app = { db: ours.db, config, log };
    const provider = providerModel(payuSettings);
    const buyers = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
    /** A completed review of each buyer, for second looks. */
    const earlierReviews = new Map<Actor, string>();
    for (const buyer of buyers)
      earlierReviews.set(buyer, await completedReview(db, buyer, reviewer, { type: service }));
    const departed = new Set<Actor>();
    /** Orders paid while their buyer had an account, which were deleted with it. */
    const handedOver = new Set<string>();
    const payments: Payments = {
      settings: { ...payuSettings },
      verify: (orderId) => verifyPayment(payments.settings, orderId, { fetch: provider.fetch }),
      refund: (call) => refund(payments.settings, call, { fetch: provider.fetch }),
      refundStatus: (call) => refundStatus(payments.settings, call, { fetch: provider.fetch }),
      deliver: (tx, order) => deliverPurchase(config, tx, order),
      describe: describePurchase,
    };
    const callbacks = createCallbackRoutes(app, payments);
    const task = checkOrders(config, payments);

    return { provider, take, complaints };

    async function take(step: Step): Promise<void> {
      switch (step.event) {
        case "pay": {
          const orderId = provider.nth(step.order);
          if (orderId) provider.decide(orderId, step.ending);
          break;
        }
        case "wait":
          pass(step.milliseconds);
          break;
        case "provider":
          provider.state = step.state;
          break;
        case "new salt":
          payments.settings = { ...payments.settings, salt: `${payments.settings.salt}x` };
          provider.settings = payments.settings;
          break;
        case "close":
          await close(buyers[step.buyer]!);
          break;
        case "leave":
          await leave(buyers[step.buyer]!);
          break;
        case "cut":
          proxy.failFrom(step.statement);
          await work(step.work).catch(() => {});
          proxy.failFrom(null);
          break;
        case "at once":
          await Promise.all(step.works.map(work));
          break;
        default:
          await work(step);
      }
    }

    async function work(event: Work): Promise<unknown> {
      if (event.event === "check") return check();
      if (event.event === "begin") return startPayment(buyers[event.buyer]!, event);
      const orderId = provider.nth(event.order);
      if (!orderId) return;
      switch (event.event) {
        case "look":
          return inspectOrder(app, payments, { orderId, viewerId: await buyerOf(orderId) });
        case "forge":
          return post(event.as, provider.forged(orderId, event.by));
        default:
          return post(event.event, provider.sent(orderId, event.message));
      }
    }

    async function startPayment(
      buyer: Actor,
      { changed, isSecondLook }: { changed: boolean; isSecondLook: boolean },
    ): Promise<void> {
      if (departed.has(buyer)) return;
      const secondLookOf = isSecondLook ? earlierReviews.get(buyer)! : null;
      const key = { type: service, secondLookOf } as const;
      await draftOf(buyer, key, changed);
      const blocking = await findBlockingPayment(db, buyer, key);
      const despite = blocking?.orderId ?? null;
      const parts = { config, payments };
      const options = {
        phone: null,
        despite,
        shownPaise: (isSecondLook ? config.secondLooks.prices : config.reviewPrices)[service]!,
        typedPlace: { state: "Kerala" },
      };
      const started = startReviewPayment(ours.db, parts, buyer, key, options);
      // A concurrent event may use up the draft after the check.
      const order = await started.catch((error: unknown) => {
        if (error instanceof Conflict || error instanceof Invalid) return null;
        throw error;
      });
      if (order) provider.begin(order.fields);
    }

    async function draftOf(
      { id }: Actor,
      { type, secondLookOf }: ServiceKey,
      changed: boolean,
    ): Promise<void> {
      const portfolioUrl = "https://example.com/portfolio";
      const times = { createdAt: now(), updatedAt: now() };
      await db
        .insert(reviewDrafts)
        .values({ userId: id, serviceType: type, secondLookOf, portfolioUrl, ...times })
        .onConflictDoUpdate({
          target: [reviewDrafts.userId, reviewDrafts.serviceType, reviewDrafts.secondLookOf],
          set: { revision: sql`${reviewDrafts.revision} + ${changed ? 1 : 0}` },
        });
    }

    async function buyerOf(orderId: string): Promise<string | null> {
      const [row] = await db
        .select({ buyerId: orders.buyerId })
        .from(orders)
        .where(eq(orders.orderId, orderId));
      return row?.buyerId ?? null;
    }

    async function post(
      as: "return" | "notice",
      fields: Record<string, string> | null | undefined,
    ) {
      if (!fields) return;
      const path = as === "return" ? "/payment-success" : "/payu-webhook";
      const body = new URLSearchParams(fields);
      await callbacks.request(path, { method: "POST", body });
    }

    async function check(): Promise<void> {
      await task.run({}, app);
    }

    /** Closing is refused while a payment or a review is open, and for an account that is closed or deleted. */
    async function close(buyer: Actor): Promise<void> {
      await closeOwnAccount(db, buyer, config).then(
        () => departed.add(buyer),
        (error: unknown) => {
          if (!(error instanceof Conflict || error instanceof NotFound)) throw error;
        },
      );
    }

    async function leave(buyer: Actor): Promise<void> {
      const own = await db.select().from(orders).where(eq(orders.buyerId, buyer.id));
      for (const { orderId, status } of own) if (status === "success") handedOver.add(orderId);
      await db.delete(users).where(eq(users.id, buyer.id));
      departed.add(buyer);
    }

    async function complaints(isAnswering: boolean): Promise<string[]> {
      const wrong: string[] = [];
      const rows = await db.select().from(orders);
      const reviewed = await reviewsByOrder();
      const noticed = await noticedByAdmins(rows.map(({ orderId }) => orderId));
      const paidBack = await refundedForClosedAccounts();
      const lookOrders = await ordersOfSecondLooks();
      let revenue = 0;
      for (const order of rows) {
        const { orderId, status, nextCheckAt, buyerId } = order;
        const complain = (words: string) => wrong.push(`Order ${orderId} (${status}) ${words}.`);
        const paid = provider.paidPaise(orderId);
        const isPaid = paid === order.amountPaise;
        const reviews = reviewed.get(orderId) ?? 0;
        const isNoticed = noticed.has(orderId);
        if (status === "success") revenue += order.amountPaise ?? 0;

        if (nextCheckAt) complain("stays open forever");
        if (status === "pending" && !isNoticed) complain("is pending without a notice to admins");
        if (status === "success" && !isPaid) complain("was not paid");
        if (isPaid && isAnswering && status !== "success") complain("was paid");
        const delivered = reviews + (paidBack.has(orderId) ? 1 : 0);
        // A second payment for one second look delivers nothing, and admins refund it.
        const isLookPaidTwice = order.reasonToResolve === "paid twice" && lookOrders.has(orderId);
        if (status === "success" && buyerId && delivered !== (isLookPaidTwice ? 0 : 1))
          complain(`has ${delivered} reviews and refunds`);
        if (status !== "success" && reviews > 0) complain("is unpaid but has a review");
        const isHandedOver = handedOver.has(orderId) || (buyerId && delivered === 1);
        if (paid !== null && !isHandedOver && !isNoticed)
          complain("is paid without a notice to admins");
        if (order.providerPaymentId === forgedPaymentId) complain("was settled by a forgery");
      }
      if (await hasTwoOpenLooks()) wrong.push("A review has two open second looks.");
      if ((await countForged()) > 0) wrong.push("A forgery was accepted.");
      const { current, previous } = await getRevenue(db, admin, now());
      wrong.push(...(await wrongInvoices(db)));
      if (current + previous !== revenue) wrong.push(`The revenue is not ${revenue} paise.`);
      return wrong;
    }
  }

  async function ordersOfSecondLooks(): Promise<Set<string>> {
    const rows = await db
      .select({ orderId: reviewOrders.orderId })
      .from(reviewOrders)
      .where(isNotNull(reviewOrders.secondLookOf));
    return new Set(rows.map(({ orderId }) => orderId));
  }

  async function hasTwoOpenLooks(): Promise<boolean> {
    const rows = await db
      .select({ id: serviceReviews.secondLookOf })
      .from(serviceReviews)
      .where(isNotNull(serviceReviews.secondLookOf))
      .groupBy(serviceReviews.secondLookOf)
      .having(sql`count(*) > 1`);
    return rows.length > 0;
  }

  async function refundedForClosedAccounts(): Promise<Set<string>> {
    const rows = await db
      .select({ orderId: refunds.orderId })
      .from(refunds)
      .where(eq(refunds.grounds, "account closed"));
    return new Set(rows.map(({ orderId }) => orderId));
  }

  async function reviewsByOrder(): Promise<Map<string | null, number>> {
    const rows = await db
      .select({ orderId: serviceReviews.orderId, count: sql`count(*)`.mapWith(Number) })
      .from(serviceReviews)
      .where(isNotNull(serviceReviews.orderId))
      .groupBy(serviceReviews.orderId);
    return new Map(rows.map(({ orderId, count }) => [orderId, count]));
  }

  /** Returns the orders that admins are notified of, by an email to support or on their overview. */
  async function noticedByAdmins(orderIds: string[]): Promise<Set<string>> {
    const listed = await listOrdersToResolve(db, 100);
    const supportMails = await db
      .select({ subject: mails.subject })
      .from(mails)
      .where(eq(mails.recipient, plainConfig.product.supportEmail));
    const mailed = orderIds.filter((id) =>
      supportMails.some(({ subject }) => subject.includes(id)),
    );
    return new Set([...listed.map(({ orderId }) => orderId), ...mailed]);
  }

  function countForged(): Promise<number> {
    return db.$count(
      orderEvents,
      eq(sql`${orderEvents.detail}->'callback'->>'mihpayid'`, forgedPaymentId),
    );
  }
}

type Life = { take(step: Step): Promise<void> };

function pass(milliseconds: number): void {
  vi.setSystemTime(now().getTime() + milliseconds);
}
