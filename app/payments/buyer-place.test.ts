import { expect, test } from "vitest";
import { gstSettings, testConfig } from "../../tests/support/product/config.ts";
import { orderRow, testPayments } from "../../tests/support/payments/payments.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { Invalid } from "../platform/errors.ts";
import { startOrder } from "./start-order.server.ts";
import { findOfferedPlace, requireBuyerPlace } from "./buyer-place.server.ts";
import { buyerStates, outsideIndia, parseBuyerPlace } from "./tax/buyer-place.ts";

const { db, asha, ravi } = await testPeople();
const { product } = testConfig();
const registered = testConfig(gstSettings);
const inKarnataka = "29ABCDE1234F1ZW";

test("the 28 States, the 8 Union Territories and abroad can be chosen", () => {
  expect(buyerStates).toHaveLength(37);
  for (const state of buyerStates)
    expect(parseBuyerPlace({ state })).toEqual({ place: { state, gstin: null } });
});

test.each([
  [{}, { state: "Please choose your State" }],
  [{ state: "Bengal" }, { state: "Please choose your State" }],
  [
    { state: "Kerala", gstin: inKarnataka },
    {
      state: "This GSTIN belongs to Karnataka. Please choose that, or correct the GSTIN.",
    },
  ],
  [{ state: outsideIndia, gstin: inKarnataka }, { state: expect.stringContaining("Karnataka") }],
  [
    { state: "Karnataka", gstin: "29ABCDE1234F1ZX" },
    { gstin: expect.stringContaining("Its last character, the check character") },
  ],
  [
    { gstin: "29ABCDE" },
    { state: "Please choose your State", gstin: expect.stringContaining("It has 7 characters") },
  ],
])("%j is refused beside its field", (typed, errors) => {
  expect(parseBuyerPlace(typed)).toEqual({ errors });
});

test.each(["29abcde1234f1zw", " 29 ABCDE 1234 F1ZW ", "29ABCDE-1234F-1ZW"])(
  "the GSTIN %j is understood, and decides the State",
  (gstin) => {
    const place = { state: "Karnataka", gstin: inKarnataka };
    expect(parseBuyerPlace({ state: "", gstin })).toEqual({ place });
    expect(parseBuyerPlace({ state: "Karnataka", gstin })).toEqual({ place });
  },
);

test("without a registration of the seller nothing is asked", async () => {
  expect(requireBuyerPlace(product, {})).toBeNull();
  expect(await findOfferedPlace(db, product, asha, "review")).toBeNull();
  expect(() => requireBuyerPlace(registered.product, {})).toThrow(Invalid);
});

async function start(kind: "review" | "listing", state: string, gstin: string | null = null) {
  const { orderId } = await startOrder(
    db,
    { config: registered, payments: testPayments() },
    {
      buyer: { ...asha, phone: null },
      amountPaise: 199_00,
      productInfo: "Resume Review",
      serviceCode: "998399",
      serviceType: kind,
      place: { state, gstin },
      purpose: { kind },
      retryPath: "/services",
    },
  );
  return orderRow(db, orderId);
}

test("an order stores its buyer's place and its tax in paise", async () => {
  expect(await start("review", "Rajasthan")).toMatchObject({
    buyerState: "Rajasthan",
    buyerGstin: null,
    taxablePaise: 168_64,
    cgstPaise: 15_18,
    sgstPaise: 15_18,
    igstPaise: 0,
  });
  const elsewhere = { taxablePaise: 168_64, cgstPaise: 0, sgstPaise: 0, igstPaise: 30_36 };
  expect(await start("review", "Karnataka", inKarnataka)).toMatchObject({
    buyerState: "Karnataka",
    buyerGstin: inKarnataka,
    ...elsewhere,
  });
  expect(await start("review", outsideIndia)).toMatchObject(elsewhere);
});

test("the State is remembered, and a company's GSTIN for the same kind of purchase", async () => {
  expect(await findOfferedPlace(db, registered.product, ravi, "review")).toEqual({
    state: "",
    gstin: "",
    states: buyerStates,
  });
  await start("listing", "Karnataka", inKarnataka);
  const offered = (kind: string) => findOfferedPlace(db, registered.product, asha, kind);
  expect(await offered("listing")).toMatchObject({ state: "Karnataka", gstin: inKarnataka });
  expect(await offered("review")).toMatchObject({ state: "Karnataka", gstin: "" });
});
