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
import type { Somebody, World } from "./world.ts";

/** Flows that move money. */
export const paymentFlows: Flow[] = [
  { name: "payment start", by: "web", prepare: startPayment },
  { name: "return", by: "web", prepare: comeBack },
  { name: "notice", by: "web", prepare: takeNotice },
  { name: "settle", by: "worker", prepare: settleByCheck },
  { name: "taking back", by: "web", prepare: takeBack },
  { name: "refund", by: "worker", prepare: giveBack },
];

export const servicePath = "/services/portfolio-review";

/** Creates a person whose draft is complete. */
export async function buyer(world: World): Promise<Somebody> {
  const ravi = await world.somebody("Ravi Nair");
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
        // The lost answer may belong to a successful payment, which is settled without them.
        if (await hasReview(world, ravi)) return true;
        const returned = await ravi.browser.payAtProvider(await start());
        return (await ravi.browser.send(returned!)).status === 303;
      }),
    // A person with the form can pay with it.
    wrong: async () => {
      const begun = await world.db.$count(orders, eq(orders.buyerId, ravi.actor.id));
      return begun === 1 ? [] : [`One payment was begun as ${begun}.`];
    },
  };
}

async function hasReview({ db }: World, { actor }: Somebody): Promise<boolean> {
  return (await db.$count(serviceReviews, eq(serviceReviews.userId, actor.id))) > 0;
}

/** They paid, are on their way back, and never look again: time has to do. */
async function comeBack(world: World): Promise<Attempt> {
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

async function takeNotice(world: World): Promise<Attempt> {
  const ravi = await buyer(world);
  const checkout = await ravi.browser.beginPayment(servicePath);
  const { fields } = (await ravi.browser.payAtProvider(checkout))!;
  const notify = async () => {
    const answer = await world.visitor.post("/payu-webhook", fields);
    return answer.status === 200;
  };
  return { act: notify, again: () => soon(notify), wrong: () => wrongPurchase(world, ravi) };
}

/** They paid, closed the window, and no notice comes. */
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

function settledInTime(world: World, { actor }: Somebody): Promise<void> {
  return world.inTime(async () => {
    const [order] = await world.db.select().from(orders).where(eq(orders.buyerId, actor.id));
    return order?.status === "success";
  });
}

/** Checks a person who paid once. */
export async function wrongPurchase({ db }: World, { actor }: Somebody): Promise<string[]> {
  const bought = await db
    .select({ status: orders.status, reviewId: serviceReviews.id })
    .from(orders)
    .leftJoin(serviceReviews, eq(serviceReviews.orderId, orders.orderId))
    .where(eq(orders.buyerId, actor.id));
  const reviews = await db.$count(serviceReviews, eq(serviceReviews.userId, actor.id));
  const isWell = bought.length === 1 && bought[0]!.status === "success" && bought[0]!.reviewId;
  if (isWell && reviews === 1) return [];
  const states = bought.map(({ status }) => status).join(", ");
  return [`What was paid once is ${bought.length} orders (${states}) with ${reviews} reviews.`];
}

/** They request a refund before work has started. */
async function takeBack(world: World): Promise<Attempt> {
  const { ravi, press } = await readyToTakeBack(world);
  return { act: press, again: () => soon(press), wrong: () => wrongRefund(world, ravi) };
}

/** The money was taken back, and has to arrive. */
async function giveBack(world: World): Promise<Attempt> {
  const { ravi, orderId, press } = await readyToTakeBack(world);
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

async function readyToTakeBack(world: World) {
  const ravi = await buyer(world);
  const back = await ravi.browser.payAtProvider(await ravi.browser.beginPayment(servicePath));
  await ravi.browser.send(back!);
  const [order] = await world.db.select().from(orders).where(eq(orders.buyerId, ravi.actor.id));
  const { orderId } = order!;
  const press = async () => {
    const fields = { intent: "refund", orderId };
    const answer = await ravi.browser.post("/profile/payments", fields);
    return /on its way back|Refund in progress|Refunded/.test(await answer.text());
  };
  return { ravi, orderId, press };
}

/** Checks a person who was refunded once. */
async function wrongRefund(world: World, { actor }: Somebody): Promise<string[]> {
  const { db, dataDir } = world;
  const [order] = await db.select().from(orders).where(eq(orders.buyerId, actor.id));
  const wrong: string[] = [];
  const begun = await refundsOf(db, order!.orderId);
  if (begun.length !== 1) wrong.push(`The money was taken back ${begun.length} times.`);
  const [review] = await db
    .select()
    .from(serviceReviews)
    .where(eq(serviceReviews.userId, actor.id));
  if (!review?.withdrawnAt) wrong.push("The review is not withdrawn.");
  for (const { id, state, paymentId, amountPaise } of begun) {
    const told = [
      `refund-approved:${id}`,
      ...(state === "settled" ? [`refund-settled:${id}`] : []),
    ];
    const queued = await db.$count(mails, inArray(mails.cause, told));
    if (queued !== told.length) wrong.push(`Of ${told.join(" and ")} there are ${queued} mails.`);
    const ledger = openLedger(join(dataDir, "payu-stand-in.db"));
    const given = ledger.refundsOf(paymentId).map(({ amount }) => Number(amount) * 100);
    ledger.close();
    if (given.length > 1 || given.some((paise) => paise !== amountPaise))
      wrong.push(`The provider gave back ${given.join(" and ")} paise.`);
    if (state === "settled" && given.length === 0) wrong.push("The provider gave nothing back.");
  }
  return wrong;
}
