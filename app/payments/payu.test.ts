import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { payuSettings as settings } from "../../tests/support/payments/payu.ts";
import { flipBit } from "../../tests/support/requests/tampered.ts";
import { buildCheckoutFields, readCallback, hashRequest, type Checkout } from "./payu.server.ts";

const checkout: Checkout = {
  txnId: "TXN_a1b2c3d41767225600000",
  amountPaise: 19900,
  productInfo: "Resume review",
  firstName: "Asha",
  email: "asha@example.com",
  phone: "9876543210",
  serviceType: "resume_review",
  supportEmail: "support@naksha.example",
  surl: "https://naksha.example/payment-success",
  furl: "https://naksha.example/payment-failure",
};

const jacobPaid = {
  status: "success",
  email: "test@payu.in",
  firstname: "Jacob",
  productinfo: "mobile",
  amount: "1000",
  txnid: "3123",
  key: "bjg$121",
  hash:
    "687c82156a84271a7a6c63d0e8774d5ac567d9b894a334a47d72e47b72392a51" +
    "67a1b2add5b253490b70731d9eb3e3a3b7225e0c5f26829befafbbee71977c4c",
};

const jacobPaidWithCharges =
  "35e64908cc3882e9a7a242a19ae9bada1e33601585971fd9939d2777a60754d9" +
  "278ff5b36d73b2a47dc24bca2e0e2568647e8f4d6749ed2b9ec0e979324d98d8";

describe("PayU's published hashes match", () => {
  test.each([
    [
      "some of the five user fields",
      "3sf0jURk",
      { key: "C0Dr8m", txnid: "12345", amount: "10", productinfo: "Shopping" },
      { firstname: "Test", email: "test@test.com", udf2: "abc", udf4: "15" },
      "ffcdbf04fa5beefdcc2dd476c18bc410f02b3968e7f4f54e8f43f1e1a310bb32" +
        "e3b4dec9305232bb89db5b1d0c009a53bcace6f4bd8ec2f695baf3d43ba730ce",
    ],
    [
      "no user fields",
      "vhgvs75",
      { key: "bjg$121", txnid: "3123", amount: "1000", productinfo: "mobile" },
      { firstname: "Jacob", email: "test@payu.in" },
      "19d0822939b32b371847521c89aba3521de3a9bfeabeee5dab2d6f41962ff9fc" +
        "dcee87067bb3a3de870acce488f9ff88a3511bb78c6143344a277b1b91ad38b8",
    ],
    [
      "a first name that has a space",
      "TuxqAugd",
      { key: "JPM7Fg", txnid: "PQI6MqpYrjEefU", amount: "10.00", productinfo: "iPhone" },
      { firstname: "PayU User", email: "test@gmail.com" },
      "05a397501918ec5c36ae52daa3b3e49b43e986b86940e109d060076e467c3ea7" +
        "536617df7420e0e6863dced8c5b45f9fff15c13bdf0335512c05f0210b31b072",
    ],
  ])("a request with %s", (_what, salt, payment, buyer, hash) => {
    expect(hashRequest({ ...payment, ...buyer }, salt)).toBe(hash);
  });

  test("a response", () => {
    expect(readCallback(settings, jacobPaid)).toEqual({
      txnId: "3123",
      amountPaise: 100000,
      keyMatches: true,
      status: "success",
      mihpayid: "",
      unmappedStatus: "",
      mode: "",
      errorMessage: "",
    });
  });

  test("another merchant's response", () => {
    const fields = {
      status: "success",
      email: "test@gmail.com",
      firstname: "Ashish",
      productinfo: "iPhone",
      amount: "10.00",
      txnid: "ewP8oRopzdHEtC",
      key: "JPM7Fg",
      hash:
        "1be7e6e97ab1ea9034b9a107e7cf9718308aa9637b4dbbd1a3343c91b0da02b3" +
        "4a40d00ac7267ebe81c20ea1129b931371c555d565bc6e11f470c3d2cf69b5a3",
    };
    const callback = readCallback({ ...settings, key: "JPM7Fg", salt: "TuxqAugd" }, fields);
    expect(callback).toMatchObject({ txnId: "ewP8oRopzdHEtC", amountPaise: 1000 });
  });

  test.each(["additionalCharges", "additional_charges"])("a response with %s", (name) => {
    const charged = { ...jacobPaid, [name]: "10.00", hash: jacobPaidWithCharges };
    expect(readCallback(settings, charged)).toMatchObject({ amountPaise: 100000 });
    expect(readCallback(settings, { ...charged, [name]: "11.00" })).toBeNull();
    expect(readCallback(settings, { ...jacobPaid, hash: jacobPaidWithCharges })).toBeNull();
  });
});

describe("the checkout form", () => {
  test("has the order's fields", () => {
    expect(buildCheckoutFields(settings, checkout)).toMatchObject({
      key: "bjg$121",
      txnid: "TXN_a1b2c3d41767225600000",
      amount: "199.00",
      productinfo: "Resume review",
      firstname: "Asha",
      email: "asha@example.com",
      phone: "9876543210",
      udf1: "resume_review",
      surl: "https://naksha.example/payment-success",
      furl: "https://naksha.example/payment-failure",
    });
  });

  test("replaces values that PayU would reject", () => {
    const fields = buildCheckoutFields(settings, {
      ...checkout,
      firstName: "आशा",
      email: "asha+jobs@example.com",
      phone: "+91 98765 43210",
      productInfo: "Resume & portfolio | 100%",
      serviceType: '{"bundle":true}',
    });
    expect(fields).toMatchObject({
      firstname: "Customer",
      email: "support@naksha.example",
      phone: "9999999999",
      productinfo: "Resume portfolio 100",
      udf1: "bundle true",
    });
  });

  test("shortens a long name and replaces a long address", () => {
    const fields = buildCheckoutFields(settings, {
      ...checkout,
      firstName: "Venkatanarasimharajuvaripeta",
      email: `${"a".repeat(40)}@example.com`,
    });
    expect(fields.firstname).toBe("Venkatanarasimharaju");
    expect(fields.email).toBe("support@naksha.example");
  });

  test("rejects an invalid transaction id or amount", () => {
    for (const txnId of ["", "a".repeat(26), "TXN|1", "TXN 1"]) {
      expect(() => buildCheckoutFields(settings, { ...checkout, txnId })).toThrow(RangeError);
    }
    for (const amountPaise of [0, -100, 19.5, NaN, Infinity]) {
      expect(() => buildCheckoutFields(settings, { ...checkout, amountPaise })).toThrow(RangeError);
    }
  });

  test("follows PayU's rules for any input, and hashes the posted values", () => {
    const anything = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.emailAddress());
    const texts = { productInfo: anything, firstName: anything, email: anything };
    const input = fc.record({ ...texts, phone: anything, serviceType: anything });
    fc.assert(
      fc.property(input, fc.integer({ min: 1, max: 1e9 }), (buyer, amountPaise) => {
        const fields = buildCheckoutFields(settings, { ...checkout, ...buyer, amountPaise });
        expect(fields.productinfo).toMatch(/^[A-Za-z0-9 ._-]{1,100}$/);
        expect(fields.firstname).toMatch(/^[A-Za-z0-9 ]{1,20}$/);
        expect(fields.email).toMatch(/^[A-Za-z0-9._@-]{3,50}$/);
        expect(fields.phone).toMatch(/^[0-9]{10}$/);
        expect(fields.udf1).toMatch(/^[A-Za-z0-9 ._-]{0,255}$/);
        expect(fields.amount).toMatch(/^\d+\.\d\d$/);

        const posted = Object.fromEntries(
          new URLSearchParams(new URLSearchParams(fields).toString()),
        );
        const { key, txnid, amount, productinfo, firstname, email, udf1 } = posted;
        expect(posted.hash).toBe(
          sha512(
            `${key}|${txnid}|${amount}|${productinfo}|${firstname}|${email}|${udf1}||||||||||vhgvs75`,
          ),
        );
      }),
    );
  });
});

describe("a callback", () => {
  test.each([
    ["success", "success"],
    ["failure", "failed"],
    ["failed", "failed"],
    ["pending", "pending"],
    ["in progress", "pending"],
    ["Success", "pending"],
    ["", "pending"],
  ])('with status "%s" is %s', (status, outcome) => {
    expect(readCallback(settings, signed({ ...jacobPaid, status }))?.status).toBe(outcome);
  });

  test("has the unsigned details of a failure", () => {
    const fields = signed({ ...jacobPaid, status: "failure" });
    const unsigned = { mihpayid: "403993715521889530", unmappedstatus: "bounced", mode: "CC" };
    expect(
      readCallback(settings, { ...fields, ...unsigned, error_Message: "Declined" }),
    ).toMatchObject({
      mihpayid: "403993715521889530",
      unmappedStatus: "bounced",
      mode: "CC",
      errorMessage: "Declined",
    });
  });

  test("is recognised as another merchant's", () => {
    expect(readCallback(settings, signed({ ...jacobPaid, key: "other" }))?.keyMatches).toBe(false);
  });

  test.each(["", "1,000", "1e3", "-1", " 1", "10.005", "٣", "10.", ".5"])(
    'has no amount if it says "%s"',
    (amount) => {
      expect(readCallback(settings, signed({ ...jacobPaid, amount }))?.amountPaise).toBeNull();
    },
  );

  test("is rejected without a hash or without fields", () => {
    expect(readCallback(settings, { ...jacobPaid, hash: "" })).toBeNull();
    expect(readCallback(settings, { ...jacobPaid, hash: jacobPaid.hash.toUpperCase() })).toBeNull();
    expect(readCallback(settings, {})).toBeNull();
  });

  test("is rejected if one signed text can be read as two payments", () => {
    const fields = { ...jacobPaid, productinfo: "mobile|1", amount: "1000" };
    expect(readCallback(settings, signed(fields))).toBeNull();
  });

  test("is rejected if any bit of a signed field was changed", () => {
    const value = fc.string({ maxLength: 30 }).filter((text) => !text.includes("|"));
    const fields = fc.record(Object.fromEntries(signedNames.map((name) => [name, value])));
    const name = fc.constantFrom(...signedNames);
    fc.assert(
      fc.property(fields, name, fc.nat(), fc.nat(6), (original, changed, place, bit) => {
        const genuine = signed(original);
        expect(readCallback(settings, genuine)).not.toBeNull();
        const forged = { ...genuine, [changed]: flipBit(genuine[changed]!, place, bit) };
        expect(readCallback(settings, forged)).toBeNull();
      }),
    );
  });

  test("is rejected if any bit of its hash was changed", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(6), (place, bit) => {
        const forged = { ...jacobPaid, hash: flipBit(jacobPaid.hash, place, bit) };
        expect(readCallback(settings, forged)).toBeNull();
      }),
    );
  });
});

const signedNames = ["key", "txnid", "amount", "productinfo", "firstname", "email"].concat(
  ["udf1", "udf2", "udf3", "udf4", "udf5"],
  "status",
);

function signed(fields: Record<string, string>): Record<string, string> {
  const at = (name: string) => fields[name] ?? "";
  const udfs = `${at("udf5")}|${at("udf4")}|${at("udf3")}|${at("udf2")}|${at("udf1")}`;
  const payer = `${at("email")}|${at("firstname")}|${at("productinfo")}`;
  const payment = `${at("amount")}|${at("txnid")}|${at("key")}`;
  return { ...fields, hash: sha512(`vhgvs75|${at("status")}||||||${udfs}|${payer}|${payment}`) };
}

function sha512(text: string): string {
  return createHash("sha512").update(text).digest("hex");
}
