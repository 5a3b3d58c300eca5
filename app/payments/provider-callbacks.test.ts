import { join } from "node:path";
import { assert, asyncProperty, constantFrom, nat } from "fast-check";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import {
  deliverForTest,
  deliveriesOf,
  eventsOf,
  orderRow,
  startedOrder,
  verifiedPaid,
} from "../../tests/support/payments/payments.ts";
import { flipBit } from "../../tests/support/requests/tampered.ts";
import { people } from "../../tests/support/rows/people.ts";
import { testServer } from "../../tests/support/product/server.ts";
import { signResponse } from "./stand-in/messages.server.ts";
import { startPayuStandIn } from "./stand-in/start.server.ts";
import { verifyPayment } from "./payu.server.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";

type Fields = Record<string, string>;

const folder = ownFolder();
const database = await testDatabase();
const { db } = database;
const { asha } = await people(db);
const { origin, payments, app } = await testServer(database, { DATA_DIR: folder });
const standIn = await startPayuStandIn({
  settings: { ...payments.settings, standInPorts: { checkout: 0, bank: 0 } },
  origin,
  stateFile: join(folder, "payu.db"),
  log: { info() {}, warn() {} },
  pauses: { soon: 0, late: 50, retries: [5, 5, 5], refund: 0 },
});
payments.settings = standIn.settings;
const refusals = vi.spyOn(app.log, "warn");

afterAll(() => standIn.stop());

beforeEach(() => {
  payments.verify = async () => verifiedPaid;
  payments.deliver = deliverForTest;
  refusals.mockClear();
});

describe("with the stand-in", () => {
  beforeEach(() => {
    payments.verify = (txnId) => verifyPayment(standIn.settings, txnId);
  });

  test.each([
    ["captured", "success", "/payment-success"],
    ["failed", "failed", "/payment-failure"],
    ["userCancelled", "failed", "/payment-failure"],
    ["pending", "pending", "/payment-failure"],
  ])("a payment that ends as %s is settled", async (result, status, path) => {
    const { orderId, back } = await pay({ result, notice: "never" });
    expect(new URL(back.action).pathname).toBe(path);
    const answer = await post(back.action, form(back.fields));
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`${path}?txnId=${orderId}`);
    expect((await orderRow(db, orderId)).status).toBe(status);
    expect(await deliveriesOf(db, orderId)).toBe(status === "success" ? 1 : 0);
  });

  test("a return and a notice together deliver once", async () => {
    const { orderId, back } = await pay({ result: "captured", notice: "before" });
    await post(back.action, form(back.fields));
    await post(back.action, form(back.fields));
    expect(await deliveriesOf(db, orderId)).toBe(1);
    expect((await eventsOf(db, orderId)).map(({ source, outcome }) => [source, outcome])).toEqual([
      ["start", "pending"],
      ["notice", "success"],
      ["return", "unchanged"],
      ["return", "unchanged"],
    ]);
  });

  test("the notice settles a payment whose browser never returns", async () => {
    const { orderId } = await pay({ result: "captured", notice: "before", browser: "never" });
    expect((await orderRow(db, orderId)).status).toBe("success");
  });

  test("a payment with additional charges succeeds while the provider is unreachable", async () => {
    const choices = { result: "captured", notice: "never", charges: "yes", verify: "unreachable" };
    const { orderId, back } = await pay(choices);
    await post(back.action, form(back.fields));
    expect((await orderRow(db, orderId)).status).toBe("success");
  });

  test.each(["disagree", "wrong amount"])(
    "a payment stays pending if the provider's answer is: %s",
    async (verify) => {
      const { orderId, back } = await pay({ result: "captured", notice: "never", verify });
      await post(back.action, form(back.fields));
      expect((await orderRow(db, orderId)).status).toBe("pending");
      expect(await deliveriesOf(db, orderId)).toBe(0);
    },
  );
});

describe("a return", () => {
  test("from another site needs no session and starts none", async () => {
    const { fields } = await signed();
    const answer = await post(`${origin}/payment-success`, {
      ...form(fields),
      headers: { origin: "http://127.0.0.1:9", "sec-fetch-site": "cross-site" },
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("that is forged leads to the result page and changes nothing", async () => {
    const { orderId, fields } = await signed();
    const answer = await post(
      `${origin}/payment-success`,
      form({ ...fields, hash: "0".repeat(128) }),
    );
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`/payment-success?txnId=${orderId}`);
    expect((await orderRow(db, orderId)).status).toBe("pending");
    expect(await eventsOf(db, orderId)).toHaveLength(1);
  });

  test("without a valid transaction id leads to the plain result page", async () => {
    const bodies: RequestInit[] = [
      {},
      form({}),
      form({ txnid: "//evil.example" }),
      form({ txnid: "TXN_1\r\nSet-Cookie: a=b" }),
      { body: "{", headers: { "content-type": "application/json" } },
      { body: "hello", headers: { "content-type": "text/plain" } },
    ];
    for (const body of bodies) {
      const answer = await post(`${origin}/payment-failure?txnId=TXN_QUERY`, body);
      expect(answer.status).toBe(303);
      expect(answer.headers.get("location")).toBe("/payment-failure");
    }
  });

  test("whose delivery fails still leads to the result page", async () => {
    payments.deliver = () => Promise.reject(new Error("out of stock"));
    const { orderId, fields } = await signed();
    const answer = await post(`${origin}/payment-success`, form(fields));
    expect(answer.status).toBe(303);
    expect((await orderRow(db, orderId)).status).toBe("pending");
  });

  test("is accepted only by POST", async () => {
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const answer = await fetch(`${origin}/payment-success`, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
    }
  });
});

describe("a notice", () => {
  const webhook = `${origin}/payu-webhook`;

  test("settles the order, and every repeat gets status 200", async () => {
    const { orderId, fields } = await signed();
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(webhook, form(fields))));
    answers.push(await post(webhook, form(fields)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(200));
    expect(answers.flatMap((answer) => answer.headers.getSetCookie())).toEqual([]);
    expect(await deliveriesOf(db, orderId)).toBe(1);
  });

  test("can be JSON with unquoted numbers", async () => {
    const { orderId, fields } = await signed();
    const body = JSON.stringify(fields).replace('"amount":"199.00"', '"amount":199.00');
    expect(body).toContain(":199.00");
    const headers = { "content-type": "application/json; charset=utf-8" };
    expect((await post(webhook, { body, headers })).status).toBe(200);
    expect((await orderRow(db, orderId)).status).toBe("success");
  });

  test("of a failed payment marks the order as failed", async () => {
    payments.verify = async () => ({ outcome: "failed", amountPaise: null, mihpayid: "403" });
    const { orderId, fields } = await signed({ status: "failure" });
    expect((await post(webhook, form(fields))).status).toBe(200);
    expect((await orderRow(db, orderId)).status).toBe("failed");
  });

  test("is refused and logged if any bit was changed", async () => {
    const { orderId, fields } = await signed();
    const names = ["txnid", "amount", "status", "key", "email", "firstname", "udf1", "hash"];
    await assert(
      asyncProperty(constantFrom(...names), nat(), nat(6), async (name, place, bit) => {
        const forged = { ...fields, [name]: flipBit(fields[name]!, place, bit) };
        expect((await post(webhook, form(forged))).status).toBe(403);
      }),
      { numRuns: 60 },
    );
    expect((await orderRow(db, orderId)).status).toBe("pending");
    expect(refusals).toHaveBeenCalledWith(
      expect.objectContaining({ why: "forged" }),
      "callback refused",
    );
  });

  test("about another merchant's payment is refused", async () => {
    const { orderId, fields } = await signed({ key: "stranger" });
    expect((await post(webhook, form(fields))).status).toBe(403);
    expect((await orderRow(db, orderId)).status).toBe("pending");
  });

  test("with another amount does not pay the order", async () => {
    payments.verify = async () => ({ outcome: "unreachable", reason: "answered 503" });
    const { orderId, fields } = await signed({ amount: "1.00" });
    expect((await post(webhook, form(fields))).status).toBe(200);
    expect((await orderRow(db, orderId)).status).toBe("pending");
  });

  test("about an unknown order is refused", async () => {
    const { fields } = await signed({ txnid: "TXN_NOBODYS" });
    expect((await post(webhook, form(fields))).status).toBe(404);
  });

  test.each([
    ["nothing", {}],
    ["plain text", { body: "status=success", headers: { "content-type": "text/plain" } }],
    ["broken JSON", { body: '{"txnid":', headers: { "content-type": "application/json" } }],
    ["a JSON list", { body: "[]", headers: { "content-type": "application/json" } }],
  ])("with %s is malformed", async (_what, request) => {
    expect((await post(webhook, request)).status).toBe(400);
    expect(refusals).toHaveBeenCalledWith(
      expect.objectContaining({ why: "malformed" }),
      "callback refused",
    );
  });

  test("that is too long is refused", async () => {
    expect((await post(webhook, form({ udf5: "x".repeat(70_000) }))).status).toBe(413);
  });

  test("whose delivery failed gets status 500, so that the provider sends it again", async () => {
    payments.deliver = () => Promise.reject(new Error("out of stock"));
    const { orderId, fields } = await signed();
    expect((await post(webhook, form(fields))).status).toBe(500);
    payments.deliver = deliverForTest;
    expect((await post(webhook, form(fields))).status).toBe(200);
    expect(await deliveriesOf(db, orderId)).toBe(1);
  });

  test("has a page with one sentence for GET and refuses other methods", async () => {
    const page = await fetch(webhook);
    expect(page.status).toBe(200);
    const text = (await page.text()).replace(/<(style|title)>.*?<\/\1>|<[^>]*>/gs, "").trim();
    expect(text).toBe("Processing Payment...");
    expect((await fetch(webhook, { method: "DELETE" })).status).toBe(405);
  });
});

/** Starts an order, chooses its result in the stand-in, and returns the form that leads back. */
async function pay(choices: Fields) {
  const { orderId, checkoutUrl, fields } = await startedOrder(db, asha, payments, { origin });
  const started = await post(checkoutUrl, form(fields));
  const page = await (await post(started.headers.get("location")!, form(choices))).text();
  const inputs = page.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const back = {
    action: /action="([^"]*)"/.exec(page)?.[1] ?? "",
    fields: Object.fromEntries([...inputs].map(([, name, value]) => [name!, value!])),
  };
  return { orderId, back };
}

/** Returns a signed callback about a new order. */
async function signed(changes: Fields = {}): Promise<{ orderId: string; fields: Fields }> {
  const { orderId, fields } = await startedOrder(db, asha, payments, { origin });
  const { hash: _request, ...sent } = fields;
  const unsigned: Fields = { ...sent, status: "success", mihpayid: "403", ...changes };
  return {
    orderId,
    fields: { ...unsigned, hash: signResponse(unsigned, payments.settings.salt, "") },
  };
}

function form(fields: Fields): RequestInit {
  return { body: new URLSearchParams(fields) };
}

function post(url: string, request: RequestInit): Promise<Response> {
  return fetch(url, { method: "POST", redirect: "manual", ...request });
}
