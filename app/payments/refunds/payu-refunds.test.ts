import { expect, test } from "vitest";
import { payuSettings as settings } from "../../../tests/support/payments/payu.ts";
import { refund, refundStatus } from "./payu-refunds.server.ts";

/** Tests PayU's refund commands and its answers. */

const call = {
  paymentId: "403993715521937565",
  token: "R_ABCDEFGH1700000000000",
  amountPaise: 19900,
};

test("a refund request has the payment, token and amount, and signs the payment", async () => {
  const payu = answering("{}");
  await refund(settings, call, payu);
  expect(payu.posts).toEqual([
    {
      key: settings.key,
      command: "cancel_refund_transaction",
      var1: "403993715521937565",
      var2: "R_ABCDEFGH1700000000000",
      var3: "199.00",
      hash: expect.stringMatching(/^[0-9a-f]{128}$/),
    },
  ]);
});

test("a queued refund keeps all digits of its request id", async () => {
  const body = `{"status":1,"msg":"Refund Request Queued","request_id":12345678901234567890,
    "bank_ref_num":null,"mihpayid":403993715521937565,"error_code":102}`;
  const answer = { outcome: "queued", requestId: "12345678901234567890" };
  expect(await refund(settings, call, answering(body))).toEqual(answer);
});

test("a queued refund needs no request id", async () => {
  const answer = await refund(settings, call, answering('{"status":1,"msg":"Refund Queued"}'));
  expect(answer).toEqual({ outcome: "queued", requestId: null });
});

test.each([103, 105, 110, 111, 113, 116, 117, 124, 128, 230])(
  "code %i means refused",
  async (code) => {
    const body = `{"status":0,"msg":"Refund FAILURE - Invalid amount","error_code":${code}}`;
    const reason = "Refund FAILURE - Invalid amount";
    expect(await refund(settings, call, answering(body))).toEqual({ outcome: "refused", reason });
  },
);

test.each([
  ["a token that exists", '{"status":0,"msg":"Token already exists.","error_code":106}'],
  [
    "a known token under another code",
    '{"status":0,"msg":"token is already used","error_code":105}',
  ],
  ["a request that is logged", '{"status":0,"msg":"Request is already logged","error_code":109}'],
  ["a lock", '{"status":0,"msg":"Transaction lock could not be obtained.","error_code":120}'],
  ["a pause between equal ones", '{"status":0,"msg":"Same amount","error_code":214}'],
  ["a capture of today", '{"status":0,"msg":"Capture is done today","error_code":226}'],
  ["a wrong hash", '{"status":0,"msg":"Invalid Hash."}'],
  ["an unknown code", '{"status":0,"msg":"New","error_code":999}'],
  ["a code without a status", '{"msg":"Invalid amount","error_code":105}'],
  ["a page", "<html>Maintenance</html>"],
  ["null", "null"],
  ["nothing", ""],
])("%s means unknown", async (_what, body) => {
  expect(await refund(settings, call, answering(body))).toMatchObject({ outcome: "unknown" });
});

test.each([500, 503, 204])("status %i means unknown", async (status) => {
  const unknown = { outcome: "unknown", reason: `answered ${status}` };
  const query = { ...call, requestId: null };
  expect(await refund(settings, call, answering("", status))).toEqual(unknown);
  expect(await refundStatus(settings, query, answering("", status))).toEqual(unknown);
});

test("the status is requested by payment, or by request id once it is known", async () => {
  const payu = answering("{}");
  await refundStatus(settings, { ...call, requestId: null }, payu);
  await refundStatus(settings, { ...call, requestId: "131278422" }, payu);
  expect(payu.posts).toMatchObject([
    { command: "check_action_status", var1: "403993715521937565", var2: "payuid" },
    { command: "check_action_status", var1: "131278422" },
  ]);
  expect(payu.posts[1]).not.toHaveProperty("var2");
});

const action = {
  mihpayid: "403993715521937565",
  bank_ref_num: "527013524405",
  request_id: "131278422",
  amt: "199.00",
  action: "refund",
  token: call.token,
  status: "success",
};
const capture = {
  ...action,
  request_id: "131278418",
  action: "capture",
  token: "",
  status: "SUCCESS",
};

test.each([
  ["success", "settled"],
  ["SUCCESS", "settled"],
  ["failure", "failed"],
  ["FAILURE", "failed"],
  ["queued", "queued"],
  ["IN PROGRESS", "queued"],
  ["REQUESTED", "queued"],
  ["od_hit", "queued"],
  ["something new", "queued"],
])("status %s of our token means %s", async (status, outcome) => {
  const other = { ...action, request_id: "131278500", token: "Another" };
  const actions = { "131278418": capture, "131278500": other, "131278422": { ...action, status } };
  const result = await refundStatus(
    settings,
    { ...call, requestId: null },
    knowing({ [call.paymentId]: actions }),
  );
  expect(result).toMatchObject({ outcome, requestId: "131278422" });
});

test("an action nested twice under the request id is found", async () => {
  const payu = knowing({ "131278422": { "131278422": action } });
  const result = await refundStatus(settings, { ...call, requestId: "131278422" }, payu);
  expect(result).toEqual({ outcome: "settled", requestId: "131278422" });
});

test.each([
  ["the payment has no action", { [call.paymentId]: "No action status found" }],
  ["no action has the token", { [call.paymentId]: { "131278418": capture } }],
])("the refund is not found if %s", async (_what, details) => {
  const result = await refundStatus(settings, { ...call, requestId: null }, knowing(details));
  expect(result).toEqual({ outcome: "not found" });
});

test.each([
  ["another payment", { "1": { "131278422": action } }],
  ["no action at all", { [call.paymentId]: {} }],
  ["words", { [call.paymentId]: "Please try again later" }],
  ["no status", { [call.paymentId]: { "1": { ...action, status: null } } }],
  ["another amount", { [call.paymentId]: { "1": { ...action, amt: "1.00" } } }],
  ["the token twice", { [call.paymentId]: { "1": action, "2": action } }],
])("%s means an unknown state", async (_what, details) => {
  const result = await refundStatus(settings, { ...call, requestId: null }, knowing(details));
  expect(result).toMatchObject({ outcome: "unknown" });
});

function knowing(details: object) {
  return answering(JSON.stringify({ status: 1, msg: "", transaction_details: details }));
}

/** A PayU that gives this answer and records the requests. */
function answering(body: string, status = 200) {
  const posts: Record<string, string>[] = [];
  const fetch = async (_url: unknown, init?: { body?: unknown }) => {
    posts.push(Object.fromEntries(init?.body as URLSearchParams));
    return new Response(status === 204 ? null : body, { status });
  };
  return { fetch: fetch as typeof globalThis.fetch, posts };
}
