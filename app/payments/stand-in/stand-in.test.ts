import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startServer } from "../../../tests/support/servers/http.ts";
import type { PayuSettings } from "../../platform/config.server.ts";
import { buildCheckoutFields, readCallback, hashRequest, verifyPayment } from "../payu.server.ts";
import { refund, refundStatus } from "../refunds/payu-refunds.server.ts";
import { getDemoPaymentId } from "./refunds.server.ts";
import { signCommand } from "./messages.server.ts";
import { startPayuStandIn, type RunningStandIn } from "./start.server.ts";

type Fields = Record<string, string>;

const pauses = { soon: 0, late: 300, retries: [5, 5, 5], refund: 0 };
const quiet = { info: () => {}, warn: () => {} };

let shop: Awaited<ReturnType<typeof openShop>>;
let payu: RunningStandIn;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "payu-stand-in-"));
  shop = await openShop();
  payu = await startStandIn();
});

afterEach(async () => {
  await payu.stop();
  await shop.close();
  await rm(folder, { recursive: true });
});

describe("a payment form", () => {
  test("leads to the bank's host, which shows the order", async () => {
    const answer = await postForm(payu.settings.checkoutUrl, order("TXN_1"));
    expect(answer.status).toBe(303);
    const bank = answer.headers.get("location")!;
    expect(new URL(bank).origin).toBe(payu.settings.formHosts[1]);

    const page = await (await fetch(bank)).text();
    for (const fact of ["₹199.00", "TXN_1", "Resume review", "No money moves", "Asha"]) {
      expect(page).toContain(fact);
    }
    // The product's site doesn't give its files to other sites.
    const fonts = page.match(/url\([^)]{0,30}/g)!;
    expect(fonts).toHaveLength(2);
    for (const font of fonts) expect(font).toMatch(/^url\("data:font\/woff2;base64,/);
  });

  test.each<[string, Fields, string]>([
    ["a wrong hash", { hash: "0".repeat(128) }, "Checksum failed"],
    ["a changed amount", { amount: "1.00" }, "Checksum failed"],
    ["an unknown key", { key: "stranger" }, "No merchant has this key"],
    ["no email address", { email: "" }, "parameters are missing: email"],
    ["no return address", { furl: "" }, "parameters are missing: furl"],
  ])("with %s is refused", async (_what, changes, reason) => {
    const answer = await postForm(payu.settings.checkoutUrl, { ...order("TXN_1"), ...changes });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(reason);
  });

  test.each<[string, Fields, string]>([
    ["a long transaction id", { txnid: "T".repeat(26) }, "txnid has more than 25"],
    ["a broken character", { productinfo: "Fish & chips" }, "productinfo contains a character"],
    ["an amount in words", { amount: "much" }, "must be a number of rupees"],
    ["a script for an address", { surl: "javascript:alert(1)" }, "surl is not a web address"],
  ])("with %s is refused even if signed", async (_what, changes, reason) => {
    const fields = { ...order("TXN_1"), ...changes };
    const hash = hashRequest(fields, payu.settings.salt);
    const answer = await postForm(payu.settings.checkoutUrl, { ...fields, hash });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(reason);
  });

  test("is accepted again after a failed payment, but not after a successful one", async () => {
    await pay("TXN_1", { result: "failed", notice: "never" });
    await pay("TXN_1", { result: "captured", notice: "never" });
    const answer = await postForm(payu.settings.checkoutUrl, order("TXN_1"));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("Duplicate order id");
  });
});

describe("a round trip", () => {
  test.each([
    ["captured", "success", "/payment-success"],
    ["failed", "failed", "/payment-failure"],
    ["userCancelled", "failed", "/payment-failure"],
    ["pending", "pending", "/payment-failure"],
  ])("can end as %s", async (result, status, path) => {
    const back = formIn(await pay("TXN_1", { result }));
    expect(back.action).toBe(`${shop.origin}${path}`);
    const notice = await shop.nextNotice();

    for (const fields of [back.fields, notice]) {
      expect(readCallback(payu.settings, fields)).toMatchObject({
        txnId: "TXN_1",
        amountPaise: 19900,
        keyMatches: true,
        status,
        unmappedStatus: result,
      });
    }
    expect(await verifyPayment(payu.settings, "TXN_1")).toMatchObject({
      outcome: status,
      amountPaise: 19900,
      mihpayid: back.fields.mihpayid,
    });
  });

  test("with additional charges uses both of their names", async () => {
    const back = formIn(await pay("TXN_1", { result: "captured", charges: "yes" }));
    const notice = await shop.nextNotice();
    expect(back.fields).toMatchObject({ additionalCharges: "10.00", net_amount_debit: "209.00" });
    expect(notice).toMatchObject({ additional_charges: "10.00", amount: "199.00" });
    for (const fields of [back.fields, notice]) {
      expect(readCallback(payu.settings, fields)).toMatchObject({ amountPaise: 19900 });
    }
    expect(await verifyPayment(payu.settings, "TXN_1")).toMatchObject({
      amountPaise: 19900,
      chargesPaise: 10_00,
    });
  });
});

describe("the notice", () => {
  test("can be sent before the return", async () => {
    await pay("TXN_1", { result: "captured", notice: "before" });
    expect(shop.notices).toHaveLength(1);
  });

  test("can be sent twice", async () => {
    await pay("TXN_1", { result: "captured", notice: "twice" });
    expect(await shop.nextNotice()).toEqual(await shop.nextNotice());
  });

  test("can be skipped", async () => {
    await pay("TXN_1", { result: "captured", notice: "never" });
    expect(await list()).toContain("<dd>none</dd>");
  });

  test("is retried until it gets status 200", async () => {
    shop.answers.push(500, 302);
    await pay("TXN_1", { result: "captured" });
    const [first, second, third] = [
      await shop.nextNotice(),
      await shop.nextNotice(),
      await shop.nextNotice(),
    ];
    expect(second).toEqual(first);
    expect(third).toEqual(first);
  });

  test("can be sent again manually", async () => {
    const { fields } = formIn(await pay("TXN_1", { result: "failed", notice: "never" }));
    await postForm(`${checkoutOrigin()}/attempts/${fields.mihpayid}/notice`, {});
    expect(await shop.nextNotice()).toMatchObject({ txnid: "TXN_1", status: "failure" });
  });

  test("reports a late success", async () => {
    const { fields } = formIn(await pay("TXN_1", { result: "failed", notice: "never" }));
    await postForm(`${checkoutOrigin()}/attempts/${fields.mihpayid}/captured`, {});
    expect(await shop.nextNotice()).toMatchObject({ txnid: "TXN_1", status: "success" });
    expect(await verifyPayment(payu.settings, "TXN_1")).toMatchObject({ outcome: "success" });
  });
});

describe("the browser", () => {
  test("can return twice", async () => {
    const page = await pay("TXN_1", { result: "captured", notice: "never", browser: "twice" });
    expect(page.match(/<form/g)).toHaveLength(2);
    expect(page).not.toContain("<script");
  });

  test("can be closed", async () => {
    const page = await pay("TXN_1", { result: "captured", browser: "never" });
    expect(page).not.toContain("<form");
    expect(page).toContain("The browser was closed");
    expect(await shop.nextNotice()).toMatchObject({ status: "success" });
  });

  test("can press a second button without paying twice or changing the result", async () => {
    const bank = await begin("TXN_1");
    const once = await postForm(bank, { result: "captured", notice: "before" });
    const again = await postForm(bank, { result: "failed", notice: "before" });
    expect(formIn(await again.text())).toEqual(formIn(await once.text()));
    expect(shop.notices).toHaveLength(1);
  });

  test("cannot pay the same transaction in a second window", async () => {
    const [first, second] = [await begin("TXN_1"), await begin("TXN_1")];
    await postForm(first, { result: "captured", notice: "never" });
    const answer = await postForm(second, { result: "captured", notice: "never" });
    expect(answer.status).toBe(409);
  });
});

describe("verify_payment", () => {
  test("reports several transactions, including missing ones", async () => {
    await pay("TXN_1", { result: "captured", notice: "never" });
    expect(await verifyCommand("TXN_1|TXN_2")).toMatchObject({
      status: 1,
      msg: "1 out of 2 Transactions Fetched Successfully",
      transaction_details: {
        TXN_1: { status: "success", transaction_amount: "199.00", net_amount_debit: 199 },
        TXN_2: { status: "Not Found", mihpayid: "Not Found" },
      },
    });
    expect(await verifyPayment(payu.settings, "TXN_2")).toEqual({ outcome: "not found" });
  });

  test("reports a started payment as pending", async () => {
    await begin("TXN_1");
    expect(await verifyPayment(payu.settings, "TXN_1")).toMatchObject({ outcome: "pending" });
  });

  test("refuses a wrong hash", async () => {
    const settings = { ...payu.settings, salt: "guessed" };
    expect(await verifyPayment(settings, "TXN_1")).toMatchObject({
      outcome: "unreachable",
      reason: expect.stringContaining("Invalid Hash"),
    });
  });

  test("can be set to be unreachable, to disagree, or to report another amount", async () => {
    await pay("TXN_1", { result: "captured", notice: "never" });
    const outcomeOf = async (verify: string, txnid?: string) => {
      expect((await control({ verify, txnid })).status).toBe(204);
      return verifyPayment(payu.settings, "TXN_1");
    };
    expect(await outcomeOf("unreachable")).toMatchObject({ reason: "answered 503" });
    expect(await outcomeOf("disagree", "TXN_1")).toMatchObject({ outcome: "failed" });
    expect(await outcomeOf("wrong amount", "TXN_1")).toMatchObject({ amountPaise: 20000 });
    expect(await outcomeOf("normal", "TXN_1")).toMatchObject({
      outcome: "success",
      amountPaise: 19900,
    });
    expect((await control({ verify: "sometimes" })).status).toBe(400);
  });
});

describe("a refund", () => {
  const token = "R_ABCDEFGH1700000000000";

  test("is queued, then settled, by payment and by request id", async () => {
    const call = await paid();
    const answer = await refund(payu.settings, call);
    expect(answer).toEqual({ outcome: "queued", requestId: expect.stringMatching(/^\d{9}$/) });
    const requestId = (answer as { requestId: string }).requestId;
    for (const by of [null, requestId]) {
      const status = await refundStatus(payu.settings, { ...call, requestId: by });
      expect(status).toEqual({ outcome: "settled", requestId });
    }
    expect(await list()).toContain(`token ${token}`);
  });

  test("is queued for the configured time", async () => {
    await payu.stop();
    payu = await startStandIn({ ...pauses, refund: 60_000 });
    const call = await paid();
    await refund(payu.settings, call);
    const status = await refundStatus(payu.settings, { ...call, requestId: null });
    expect(status).toMatchObject({ outcome: "queued" });
  });

  test("is accepted once per token, and never for more than was paid", async () => {
    const call = await paid();
    await refund(payu.settings, call);
    expect(await refund(payu.settings, call)).toMatchObject({ outcome: "unknown" });
    const another = { ...call, token: "another" };
    expect(await refund(payu.settings, another)).toMatchObject({ outcome: "refused" });
    const status = await refundStatus(payu.settings, { ...another, requestId: null });
    expect(status).toEqual({ outcome: "not found" });
  });

  test("can fail, be refused, lose its answer or never arrive", async () => {
    const call = await paid();
    const outcomeOf = async (mode: string) => {
      await control({ refund: mode, txnid: "TXN_1" });
      const request = { ...call, token: mode };
      const answer = await refund(payu.settings, request);
      const status = await refundStatus(payu.settings, { ...request, requestId: null });
      return [answer.outcome, status.outcome];
    };
    expect(await outcomeOf("refused")).toEqual(["refused", "not found"]);
    expect(await outcomeOf("lost call")).toEqual(["unknown", "not found"]);
    expect(await outcomeOf("failure")).toEqual(["queued", "failed"]);
    expect(await outcomeOf("lost answer")).toEqual(["unknown", "settled"]);
  });

  test("gets its result from the page of transactions", async () => {
    const call = await paid();
    const chosen = `${checkoutOrigin()}/attempts/${call.paymentId}/refunds`;
    await postForm(chosen, { refund: "refused" });
    expect(await refund(payu.settings, call)).toMatchObject({ outcome: "refused" });
    expect(await list()).toContain("Refused immediately");
  });

  test("of an unpaid transaction is refused", async () => {
    const { fields } = formIn(await pay("TXN_1", { result: "failed", notice: "never" }));
    const call = { paymentId: fields.mihpayid!, token, amountPaise: 19900 };
    expect(await refund(payu.settings, call)).toMatchObject({ outcome: "refused" });
    const unknown = { ...call, paymentId: "1" };
    expect(await refund(payu.settings, unknown)).toMatchObject({ outcome: "refused" });
  });

  test("of a payment in the demo data is accepted", async () => {
    const call = { paymentId: getDemoPaymentId(19800, 3), token, amountPaise: 19800 };
    expect(await refund(payu.settings, call)).toMatchObject({ outcome: "queued" });
    const status = await refundStatus(payu.settings, { ...call, requestId: null });
    expect(status).toMatchObject({ outcome: "settled" });
    const more = { ...call, token: "another" };
    expect(await refund(payu.settings, more)).toMatchObject({ outcome: "refused" });
  });

  async function paid() {
    const { fields } = formIn(await pay("TXN_1", { result: "captured", notice: "never" }));
    return { paymentId: fields.mihpayid!, token, amountPaise: 19900 };
  }
});

test("payments and notices survive a restart", async () => {
  await pay("TXN_1", { result: "captured", notice: "late", verify: "unreachable" });
  await payu.stop();
  payu = await startStandIn();
  expect(await list()).toContain("TXN_1");
  expect(await verifyPayment(payu.settings, "TXN_1")).toMatchObject({ outcome: "unreachable" });
  expect(await shop.nextNotice()).toMatchObject({ txnid: "TXN_1", status: "success" });
});

test("the stand-in does not start with the real PayU's settings", async () => {
  const settings = { ...payu.settings, standInPorts: null };
  const start = { settings, origin: shop.origin, stateFile: join(folder, "x.db"), log: quiet };
  await expect(startPayuStandIn(start)).rejects.toThrow("real PayU");
});

function startStandIn(ownPauses = pauses): Promise<RunningStandIn> {
  const settings: PayuSettings = {
    key: "demoKey",
    salt: "demoSalt",
    checkoutUrl: "",
    commandUrl: "",
    formHosts: [],
    standInPorts: { checkout: 0, bank: 0 },
    placeholderPhone: "9999999999",
  };
  const stateFile = join(folder, "state", "payu.db");
  return startPayuStandIn({
    settings,
    origin: shop.origin,
    stateFile,
    log: quiet,
    pauses: ownPauses,
  });
}

/** Starts a merchant's server that records its notices. It answers with `answers` first, then with 200. */
async function openShop() {
  const notices: Fields[] = [];
  const answers: number[] = [];
  let readCount = 0;
  const { server, origin, stop } = await startServer(async (request, response) => {
    const fields = Object.fromEntries(new URLSearchParams(await text(request)));
    if (request.url === "/payu-webhook") notices.push(fields);
    response.writeHead(answers.shift() ?? 200).end();
    server.emit("notice");
  });
  return {
    origin,
    notices,
    answers,
    async nextNotice(): Promise<Fields> {
      while (notices.length <= readCount) await once(server, "notice");
      return notices[readCount++]!;
    },
    close: stop,
  };
}

function order(txnId: string): Fields {
  return buildCheckoutFields(payu.settings, {
    txnId,
    amountPaise: 19900,
    productInfo: "Resume review",
    firstName: "Asha",
    email: "asha@example.com",
    phone: "9876543210",
    serviceType: "resume_review",
    supportEmail: "support@naksha.example",
    surl: `${shop.origin}/payment-success`,
    furl: `${shop.origin}/payment-failure`,
  });
}

async function begin(txnId: string): Promise<string> {
  const answer = await postForm(payu.settings.checkoutUrl, order(txnId));
  return answer.headers.get("location")!;
}

async function pay(txnId: string, choices: Fields): Promise<string> {
  const answer = await postForm(await begin(txnId), choices);
  expect(answer.status).toBe(200);
  return answer.text();
}

async function verifyCommand(var1: string) {
  const fields = { key: "demoKey", command: "verify_payment", var1 };
  const hash = signCommand(fields, "demoSalt");
  const answer = await postForm(payu.settings.commandUrl, { ...fields, hash });
  return (await answer.json()) as Record<string, unknown>;
}

function control(modes: { verify?: string; refund?: string; txnid?: string }): Promise<Response> {
  return fetch(`${checkoutOrigin()}/control`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(modes),
  });
}

async function list(): Promise<string> {
  return (await fetch(checkoutOrigin())).text();
}

function checkoutOrigin(): string {
  return payu.settings.formHosts[0]!;
}

function postForm(url: string, fields: Fields): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
}

function formIn(page: string): { action: string; fields: Fields } {
  const inputs = page.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return {
    action: /action="([^"]*)"/.exec(page)![1]!,
    fields: Object.fromEntries([...inputs].map(([, name, value]) => [name!, value!])),
  };
}
