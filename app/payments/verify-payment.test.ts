import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { payuSettings as settings } from "../../tests/support/payments/payu.ts";
import { startServer } from "../../tests/support/servers/http.ts";
import { verifyPayment } from "./payu.server.ts";

/** Tests PayU's answers about a transaction. */

const paid = {
  mihpayid: "403993715521889530",
  amt: "209.00",
  transaction_amount: "199.00",
  status: "success",
  unmappedstatus: "captured",
};

test("a paid transaction has the order's amount, without charges", async () => {
  const payu = await payuKnowing({ TXN_1: paid });
  expect(await verifyPayment(payu.settings, "TXN_1")).toEqual({
    outcome: "success",
    amountPaise: 19900,
    mihpayid: "403993715521889530",
    chargesPaise: null,
  });
});

test.each([
  [{ additional_charges: "10.00", net_amount_debit: "209.00" }, 10_00],
  [{ additional_charges: "0.00", net_amount_debit: 199 }, 0],
  [{ net_amount_debit: 203.5 }, 4_50],
  [{ net_amount_debit: "150.00" }, null],
  [{ additional_charges: "none" }, null],
])("of %j the charges are known as far as PayU tells them", async (facts, chargesPaise) => {
  const payu = await payuKnowing({ TXN_1: { ...paid, ...facts } });
  expect(await verifyPayment(payu.settings, "TXN_1")).toMatchObject({
    amountPaise: 19900,
    chargesPaise,
  });
});

test("the request has the signature that PayU published", async () => {
  const payu = await payuAnswering((_request, response) => response.end("{}"));
  const merchant = { ...payu.settings, key: "JPM7Fg", salt: "TuxqAugd" };
  await verifyPayment(merchant, "IhfgcZnXR4o4nB");
  expect(payu.posts).toEqual([
    {
      key: "JPM7Fg",
      command: "verify_payment",
      var1: "IhfgcZnXR4o4nB",
      hash:
        "a0ae79fdd66c875af6e9b21c4a67f1822deb00f2df5e9f0b1948f3222f536a9b" +
        "f741b24efbb1874ca0f84f76b036e6c0d641581d0100f7abe4aeed2f3264f5c9",
    },
  ]);
});

test.each([
  ["success", "success"],
  ["failure", "failed"],
  ["failed", "failed"],
  ["pending", "pending"],
  ["something new", "pending"],
])("status %s means %s", async (status, outcome) => {
  const payu = await payuKnowing({ TXN_1: { ...paid, status } });
  expect(await verifyPayment(payu.settings, "TXN_1")).toMatchObject({ outcome });
});

test.each([
  ['"199.00"', 19900],
  ['"199"', 19900],
  ["199", 19900],
  ["199.5", 19950],
  ["199.00", 19900],
])("the amount %s is parsed", async (amount, amountPaise) => {
  const details = `{"mihpayid":403993715521889530,"transaction_amount":${amount},"status":"success"}`;
  const payu = await payuAnswering((_request, response) =>
    response.end(`{"status":1,"transaction_details":{"TXN_1":${details}}}`),
  );
  expect(await verifyPayment(payu.settings, "TXN_1")).toEqual({
    outcome: "success",
    amountPaise,
    mihpayid: "403993715521889530",
    chargesPaise: null,
  });
});

test("a failed transaction needs no amount", async () => {
  const payu = await payuKnowing({ TXN_1: { mihpayid: "1", status: "failure" } });
  expect(await verifyPayment(payu.settings, "TXN_1")).toEqual({
    outcome: "failed",
    amountPaise: null,
    mihpayid: "1",
  });
});

test("an unknown transaction is not found", async () => {
  const missing = { mihpayid: "Not Found", status: "Not Found" };
  const payu = await payuKnowing({ TXN_1: missing }, 0);
  expect(await verifyPayment(payu.settings, "TXN_1")).toEqual({ outcome: "not found" });
});

test.each([
  ["a page", "<html>Maintenance</html>"],
  ["nothing", ""],
  ["null", "null"],
  ["a refusal", '{"status":0,"msg":"Invalid Hash."}'],
  ["details in words", '{"status":1,"transaction_details":"none"}'],
  ["another transaction", '{"status":1,"transaction_details":{"TXN_2":{"status":"success"}}}'],
  ["no status", '{"status":1,"transaction_details":{"TXN_1":{"mihpayid":"1"}}}'],
  ["no amount", '{"status":1,"transaction_details":{"TXN_1":{"mihpayid":"1","status":"success"}}}'],
  [
    "an amount in words",
    '{"status":1,"transaction_details":{"TXN_1":{"mihpayid":"1","status":"success","amt":"much"}}}',
  ],
])("%s means unreachable", async (_what, body) => {
  const payu = await payuAnswering((_request, response) => response.end(body));
  expect(await verifyPayment(payu.settings, "TXN_1")).toMatchObject({ outcome: "unreachable" });
});

test("a transaction id that is also an object property is not found by mistake", async () => {
  const payu = await payuKnowing({});
  expect(await verifyPayment(payu.settings, "constructor")).toMatchObject({
    outcome: "unreachable",
  });
});

test.each([500, 503, 404, 204])("status %i means unreachable", async (status) => {
  const payu = await payuAnswering((_request, response) => response.writeHead(status).end());
  expect(await verifyPayment(payu.settings, "TXN_1")).toEqual({
    outcome: "unreachable",
    reason: `answered ${status}`,
  });
});

test("a redirect is not followed, since the request has the merchant's key", async () => {
  const payu = await payuAnswering((_request, response) =>
    response.writeHead(307, { location: "/elsewhere" }).end(),
  );
  expect(await verifyPayment(payu.settings, "TXN_1")).toMatchObject({ outcome: "unreachable" });
  expect(payu.posts).toHaveLength(1);
});

test("the request times out, even in the middle of an answer", async () => {
  const silent = await payuAnswering(() => {});
  const halting = await payuAnswering((_request, response) => response.write('{"status":1,'));
  for (const payu of [silent, halting]) {
    const verification = await verifyPayment(payu.settings, "TXN_1", { timeout: 50 });
    expect(verification).toMatchObject({
      outcome: "unreachable",
      reason: expect.stringContaining("TimeoutError"),
    });
  }
});

test("a refused connection means unreachable", async () => {
  const payu = await payuAnswering(() => {});
  await payu.stop();
  expect(await verifyPayment(payu.settings, "TXN_1")).toMatchObject({
    outcome: "unreachable",
    reason: expect.stringContaining("ECONNREFUSED"),
  });
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

function payuKnowing(transactions: Record<string, object>, status = 1) {
  const body = JSON.stringify({ status, msg: "", transaction_details: transactions });
  return payuAnswering((_request, response) => response.end(body));
}

async function payuAnswering(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
) {
  const posts: Record<string, string>[] = [];
  const { origin, stop } = await startServer(async (request, response) => {
    posts.push(Object.fromEntries(new URLSearchParams(await text(request))));
    answer(request, response);
  });
  stops.push(stop);
  return { settings: { ...settings, commandUrl: `${origin}/` }, posts, stop };
}
