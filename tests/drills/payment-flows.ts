import { join } from "node:path";
import { eq, inArray } from "drizzle-orm";
import { mails } from "../../app/mail/tables.server.ts";
import { openLedger } from "../../app/payments/stand-in/ledger.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { now } from "../../app/platform/clock.ts";
import { reviewDrafts, serviceReviews } from "../../app/reviews/tables.server.ts";
import { refundsOf } from "../support/rows/refunds.ts";
import type { Attempt, Flow } from "./flow.ts";
import { soon } from "./soon.ts";
import type { Person, World } from "./world.ts";

/** Flows that move money. */
export const paymentFlows: Flow[] = [
  { name: "payment start", by: "web", prepare: startPayment },
  { name: "return", by: "web", prepare: returnFromPayment },
  { name: "notice", by: "web", prepare: sendNotice },
  { name: "settle", by: "worker", prepare: settleByCheck },
  { name: "refund request", by: "web", prepare: requestRefund },
  { name: "refund", by: "worker", prepare: receiveRefund },
];

export const servicePath = "/services/portfolio-review";

/** Creates a person whose draft is complete. */
export async function buyer(world: World): Promise<Person> {
  const ravi = await world.createPerson("Ravi Nair");
  const times = { createdAt: now(), updatedAt: now() };
  const portfolioUrl = "https://example.com/portfolio";
  const serviceType = "portfolio_review" as const;
  await world.db
    .insert(reviewDrafts)
    .values({ userId: ravi.actor.id, serviceType, portfolioUrl, ...times });
  return ravi;
}

async function startPayment(world: World): Promise<Attempt> {
  const ravi = await buyer(world);
  const start = () => ravi.browser.beginPayment(servicePath);
  return {
    act: () => start().then(Boolean),
    again: () =>
      soon(async () => {
        // The payment may have succeeded despite the lost answer. It is then settled automatically.
        if (await hasReview(world, ravi)) return true;
        const returned = await ravi.browser.payAtProvider(await start());
        return (await ravi.browser.send(returned!)).status === 303;
      }),
    // Each form could be paid, so there must be only one.
    wrong: async () => {
      const count = await world.db.$count(orders, eq(orders.buyerId, ravi.actor.id));
      return count === 1 ? [] : [`One payment started as ${count} orders.`];
    },
  };
}

async function hasReview({ db }: World, { actor }: Person): Promise<boolean> {
  return (await db.$count(serviceReviews, eq(serviceReviews.userId, actor.id))) > 0;
}

/** The buyer paid and is returning. After an interruption only the scheduled check can settle the order. */
async function returnFromPayment(world: World): Promise<Attempt> {
  const ravi = await buyer(world);
  const checkout = await ravi.browser.beginPayment(servicePath);
  const back = (await ravi.browser.payAtProvider(checkout))!;
  return {
    act: async () => {
      const returned = await ravi.browser.send(back);
      const result = await ravi.browser.get(returned.headers.get("location")!);
      return (await result.text()).includes("Payment Successful");
    },
    again: () => settledInTime(world, ravi),
    wrong: () => wrongPurchase(world, ravi),
  };
}

async function sendNotice(world: World): Promise<Attempt> {
  const ravi = await buyer(world);
  const checkout = await ravi.browser.beginPayment(servicePath);
  const { fields } = (await ravi.browser.payAtProvider(checkout))!;
  const notify = async () => {
    const answer = await world.visitor.post("/payu-webhook", fields);
    return answer.status === 200;
  };
  return { act: notify, again: () => soon(notify), wrong: () => wrongPurchase(world, ravi) };
}

/** The buyer paid and closed the window, and the notice is lost. */
async function settleByCheck(world: World): Promise<Attempt> {
  const ravi = await buyer(world);
  await ravi.browser.payAtProvider(await ravi.browser.beginPayment(servicePath), "never");
  const settled = () => settledInTime(world, ravi);
  return {
    act: async () => {
      await settled();
      return true;
    },
    again: settled,
    wrong: () => wrongPurchase(world, ravi),
  };
}

function settledInTime(world: World, { actor }: Person): Promise<void> {
  return world.inTime(async () => {
    const [order] = await world.db.select().from(orders).where(eq(orders.buyerId, actor.id));
    return order?.status === "success";
  });
}

/** Checks that a person who paid once has one order and one review. */
export async function wrongPurchase({ db }: World, { actor }: Person): Promise<string[]> {
  const bought = await db
    .select({ status: orders.status, reviewId: serviceReviews.id })
    .from(orders)
    .leftJoin(serviceReviews, eq(serviceReviews.orderId, orders.orderId))
    .where(eq(orders.buyerId, actor.id));
  const reviews = await db.$count(serviceReviews, eq(serviceReviews.userId, actor.id));
  const isValid = bought.length === 1 && bought[0]!.status === "success" && bought[0]!.reviewId;
  if (isValid && reviews === 1) return [];
  const states = bought.map(({ status }) => status).join(", ");
  return [`One payment made ${bought.length} orders (${states}) with ${reviews} reviews.`];
}

/** The buyer requests a refund before work has started. */
async function requestRefund(world: World): Promise<Attempt> {
  const { ravi, press } = await prepareRefund(world);
  return { act: press, again: () => soon(press), wrong: () => wrongRefund(world, ravi) };
}

/** The refund is requested, and has to be settled. */
async function receiveRefund(world: World): Promise<Attempt> {
  const { ravi, orderId, press } = await prepareRefund(world);
  const arrived = () =>
    world.inTime(async () => {
      const [refund] = await refundsOf(world.db, orderId);
      return refund?.state === "settled";
    });
  return {
    act: async () => {
      if (!(await press())) return false;
      await arrived();
      return true;
    },
    again: async () => {
      await soon(press);
      await arrived();
    },
    wrong: () => wrongRefund(world, ravi),
  };
}

async function prepareRefund(world: World) {
  const ravi = await buyer(world);
  const back = await ravi.browser.payAtProvider(await ravi.browser.beginPayment(servicePath));
  await ravi.browser.send(back!);
  const [order] = await world.db.select().from(orders).where(eq(orders.buyerId, ravi.actor.id));
  const { orderId } = order!;
  const press = async () => {
    const fields = { intent: "refund", orderId };
    const answer = await ravi.browser.post("/profile/payments", fields);
    return /on its way|Refund in progress|Refunded/.test(await answer.text());
  };
  return { ravi, orderId, press };
}

/** Checks that a person was refunded once. */
async function wrongRefund(world: World, { actor }: Person): Promise<string[]> {
  const { db, dataDir } = world;
  const [order] = await db.select().from(orders).where(eq(orders.buyerId, actor.id));
  const wrong: string[] = [];
  const refunds = await refundsOf(db, order!.orderId);
  if (refunds.length !== 1) wrong.push(`The order has ${refunds.length} refunds.`);
  const [review] = await db
    .select()
    .from(serviceReviews)
    .where(eq(serviceReviews.userId, actor.id));
  if (!review?.withdrawnAt) wrong.push("The review is not withdrawn.");
  for (const { id, state, paymentId, amountPaise } of refunds) {
    const causes = [
      `refund-approved:${id}`,
      ...(state === "settled" ? [`refund-settled:${id}`] : []),
    ];
    const queued = await db.$count(mails, inArray(mails.cause, causes));
    if (queued !== causes.length)
      wrong.push(`There are ${queued} emails for ${causes.join(" and ")}.`);
    const ledger = openLedger(join(dataDir, "payu-stand-in.db"));
    const amounts = ledger.refundsOf(paymentId).map(({ amount }) => Number(amount) * 100);
    ledger.close();
    if (amounts.length > 1 || amounts.some((paise) => paise !== amountPaise))
      wrong.push(`The provider refunded ${amounts.join(" and ")} paise.`);
    if (state === "settled" && amounts.length === 0) wrong.push("The provider refunded nothing.");
  }
  return wrong;
}
