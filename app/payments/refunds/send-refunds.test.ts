import fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { databaseProxy } from "../../../tests/support/servers/database-proxy.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { eventsOf, price } from "../../../tests/support/payments/payments.ts";
import { people } from "../../../tests/support/rows/people.ts";
import { refundProvider } from "../../../tests/support/payments/refund-provider.ts";
import { order, refundsOf } from "../../../tests/support/rows/refunds.ts";
import { runTasks } from "../../../tests/support/product/tasks.ts";
import { day, hour, minute, now } from "../../platform/clock.ts";
import { openDatabase } from "../../platform/database.server.ts";
import { isExpected } from "../../platform/errors.ts";
import { createLog } from "../../platform/log.server.ts";
import { resolveOrder, listOrdersToResolve } from "../resolve/orders-to-resolve.server.ts";
import { addRefund, lockOrder } from "./refund-orders.server.ts";
import { checkRefund, getNextRefundCheck, sendRefunds } from "./send-refunds.server.ts";
import { refunds } from "./tables.server.ts";

const config = testConfig();
const { db, url } = await testDatabase();
const { asha, gita } = await people(db);
const proxy = await databaseProxy(url);
const ours = openDatabase(proxy.url);
const log = createLog("silent");
/** In the future, so that timers from before the fake clock don't fire. */
const begin = new Date("2036-01-05T10:00:00Z");
const paymentId = "403993715521937565";

let provider: ReturnType<typeof refundProvider>;
const send = (by = db) => sendRefunds(config, provider).run({}, { db: by, log });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: begin });
  provider = refundProvider();
});
afterEach(async () => {
  vi.useRealTimers();
  await db.delete(refunds);
});
afterAll(async () => {
  await ours.close();
  proxy.close();
});

test("an approved refund is sent right away and settled when the provider reports it", async () => {
  const orderId = await approved();
  expect(await runTasks(db, [sendRefunds(config, provider)].concat(noMail()))).toContain(
    "send-refunds",
  );
  expect(await latest(orderId)).toMatchObject({
    state: "sent",
    requestId: "131278422",
    sentAt: begin,
    nextCheckAt: later(minute),
  });
  provider.end("success");
  vi.setSystemTime(later(minute));
  await send();
  expect(await latest(orderId)).toMatchObject({
    state: "settled",
    endedAt: later(minute),
    nextCheckAt: null,
  });
  expect(await eventsOf(db, orderId)).toEqual([
    { source: "refund", said: "decided", outcome: "approved" },
    { source: "refund", said: "queued", outcome: "sent" },
    { source: "refund", said: "settled", outcome: "settled" },
  ]);
  expect(await mailsTo(db, asha.email)).toContainEqual(
    expect.objectContaining({ subject: "₹199 refunded" }),
  );
});

test("a request without an answer is found by its token and not repeated", async () => {
  const orderId = await approved();
  provider.line = "answers are lost";
  await send();
  expect(await latest(orderId)).toMatchObject({ state: "approved", nextCheckAt: later(minute) });
  provider.line = "whole";
  vi.setSystemTime(later(minute));
  await send();
  expect(await latest(orderId)).toMatchObject({ state: "sent", requestId: "131278422" });
  expect(provider.goneOf(paymentId)).toMatchObject({ paise: price, open: 1 });
});

test("a request that never arrived is repeated with the same token", async () => {
  const orderId = await approved();
  const { token } = await latest(orderId);
  provider.line = "calls are lost";
  await send();
  provider.line = "whole";
  const called = vi.spyOn(provider, "refund");
  vi.setSystemTime(later(minute));
  await send();
  expect(called.mock.calls).toEqual([[{ paymentId, token, amountPaise: price }]]);
  expect(await latest(orderId)).toMatchObject({ state: "sent" });
});

test("a refusal of an already accepted refund is not a failure", async () => {
  const orderId = await approved();
  const { refund } = provider;
  // The provider accepts the refund, then answers that nothing is left to refund.
  provider.refund = async (call) => {
    await refund(call);
    return { outcome: "refused", reason: "Invalid amount" };
  };
  await send();
  expect(await latest(orderId)).toMatchObject({ state: "sent", failure: null });
});

test("a failed refund is listed, and only an admin can start another", async () => {
  const orderId = await approved();
  provider.refuses = true;
  await send();
  expect(await latest(orderId)).toMatchObject({
    state: "failed",
    failure: "Invalid amount",
    nextCheckAt: null,
  });
  const why = { orderId, why: "The refund failed: Invalid amount." };
  expect(await listOrdersToResolve(db, 10)).toEqual([expect.objectContaining(why)]);
  expect(await mailsTo(db, config.product.supportEmail)).toContainEqual(
    expect.objectContaining({ subject: `Refund of order ${orderId} failed` }),
  );
  vi.setSystemTime(later(day));
  await send();
  expect(await refundsOf(db, orderId)).toHaveLength(1);

  const earlier = await latest(orderId);
  await approve(orderId);
  expect(await listOrdersToResolve(db, 10)).toEqual([]);
  expect((await latest(orderId)).token).not.toBe(earlier.token);
});

test("an open refund is checked for a month and listed after a week", async () => {
  const orderId = await approved();
  await send();
  for (let next = (await latest(orderId)).nextCheckAt; next;) {
    const isOverdue = next.getTime() - begin.getTime() > 7 * day;
    vi.setSystemTime(next);
    expect(await listOrdersToResolve(db, 10)).toHaveLength(isOverdue ? 1 : 0);
    await send();
    next = (await latest(orderId)).nextCheckAt;
  }
  expect(now()).toEqual(later(30 * day));
  await resolveOrder(db, gita, { orderId, note: "The bank is asked." });
  expect(await listOrdersToResolve(db, 10)).toEqual([]);
  // A manual check still settles it.
  provider.end("success");
  expect(await checkRefund({ db, config, log }, provider, orderId)).toBe("settled");
});

test("refunds are checked less and less often, then daily for a month", () => {
  const ages: number[] = [];
  for (let next = getNextRefundCheck(begin, begin); next; next = getNextRefundCheck(begin, next)) {
    ages.push((next.getTime() - begin.getTime()) / hour);
  }
  expect(ages.slice(5, 12)).toEqual([1, 3, 6, 12, 24, 48, 72]);
  expect(ages.at(-1)).toBe(30 * 24);
});

test("two processes that run at the same time send one request", async () => {
  await approved();
  const called = vi.spyOn(provider, "refund");
  await Promise.all([send(), send(), send()]);
  expect(called).toHaveBeenCalledTimes(1);
});

describe("killed before a statement", () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    "number %i, the payment is refunded once",
    async (statement) => {
      const orderId = await approved();
      for (const step of ["call", "end"]) {
        if (step === "end") provider.end("success");
        proxy.failFrom(statement);
        await send(ours.db).catch(() => {});
        proxy.failFrom(null);
        vi.setSystemTime(now().getTime() + 5 * minute);
        await send();
      }
      provider.end("success");
      vi.setSystemTime(now().getTime() + hour);
      await send();
      expect(await latest(orderId)).toMatchObject({ state: "settled" });
      expect(provider.goneOf(paymentId)).toEqual({ paise: price, settled: 1, open: 0 });
    },
  );
});

type Step =
  | { event: "press" | "send" | "ask" | "ends" | "fails" }
  | { event: "line"; line: ReturnType<typeof refundProvider>["line"] }
  | { event: "refuses"; refuses: boolean }
  | { event: "cut"; statement: number }
  | { event: "at once"; times: number }
  | { event: "wait"; minutes: number };

const event = (name: "press" | "send" | "ask" | "ends" | "fails") =>
  fc.record({ event: fc.constant(name) });
const step: fc.Arbitrary<Step> = fc.oneof(
  event("press"),
  event("send"),
  event("ask"),
  event("ends"),
  event("fails"),
  fc.record({
    event: fc.constant("line" as const),
    line: fc.constantFrom("whole" as const, "answers are lost" as const, "calls are lost" as const),
  }),
  fc.record({ event: fc.constant("refuses" as const), refuses: fc.boolean() }),
  fc.record({ event: fc.constant("cut" as const), statement: fc.integer({ min: 0, max: 12 }) }),
  fc.record({ event: fc.constant("at once" as const), times: fc.constantFrom(2, 3) }),
  fc.record({ event: fc.constant("wait" as const), minutes: fc.constantFrom(1, 6, 90, 1500) }),
);

test("no sequence of events refunds more than was captured, or more than once", async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
    vi.setSystemTime(begin);
    provider = refundProvider();
    const orderId = await approved();
    for (const one of steps) {
      await run(orderId, one);
      const { paise, settled } = provider.goneOf(paymentId);
      expect(paise).toBeLessThanOrEqual(price);
      expect(settled).toBeLessThanOrEqual(1);
    }
    // Finally the provider answers, and everything that is due is done.
    Object.assign(provider, { line: "whole", refuses: false });
    for (const pause of [10 * minute, 2 * day, 2 * day]) {
      vi.setSystemTime(now().getTime() + pause);
      await send();
      provider.end("success");
    }
    const made = await refundsOf(db, orderId);
    expect(made.map(({ state }) => state)).not.toContain("approved");
    expect(made.map(({ state }) => state)).not.toContain("sent");
    const settledHere = made.filter(({ state }) => state === "settled").length;
    expect(settledHere).toBe(provider.goneOf(paymentId).settled);
    await db.delete(refunds);
  });
  await fc.assert(property, { numRuns: 20 });
});

async function run(orderId: string, current: Step): Promise<void> {
  switch (current.event) {
    case "press":
      return approve(orderId).catch((error: unknown) => {
        if (!isExpected(error)) throw error;
      });
    case "send":
      return send();
    case "ask":
      return void (await checkRefund({ db, config, log }, provider, orderId));
    case "ends":
      return provider.end("success");
    case "fails":
      return provider.end("failure");
    case "line":
      provider.line = current.line;
      return;
    case "refuses":
      provider.refuses = current.refuses;
      return;
    case "cut":
      proxy.failFrom(current.statement);
      await send(ours.db).catch(() => {});
      proxy.failFrom(null);
      return;
    case "at once":
      await Promise.all(Array.from({ length: current.times }, () => send()));
      return;
    case "wait":
      vi.setSystemTime(now().getTime() + current.minutes * minute);
  }
}

/** Creates a paid order with an approved refund. */
async function approved(): Promise<string> {
  const orderId = await order(db, asha, { providerPaymentId: paymentId });
  await approve(orderId);
  return orderId;
}

function approve(orderId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const locked = await lockOrder(tx, orderId);
    await addRefund(tx, config, locked, {
      grounds: "decided",
      state: "approved",
      reason: "Paid by mistake.",
      askedBy: gita,
      decidedBy: gita,
    });
  });
}

async function latest(orderId: string) {
  return (await refundsOf(db, orderId))[0]!;
}

const later = (milliseconds: number) => new Date(begin.getTime() + milliseconds);

/** Drops the emails that approvals queue. */
function noMail() {
  return [{ name: "deliver-mail", run: async () => {} }];
}
