import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { gstSettings, testConfig } from "../../tests/support/product/config.ts";
import {
  deliverForTest,
  deliveriesOf,
  orderRow,
  testPayments,
  verifiedPaid,
} from "../../tests/support/payments/payments.ts";
import { invoicedOrder, taxedOrder } from "../../tests/support/rows/invoices.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { people } from "../../tests/support/rows/people.ts";
import { order as insertOrder } from "../../tests/support/rows/refunds.ts";
import { refundProvider } from "../../tests/support/payments/refund-provider.ts";
import { users } from "../accounts/tables.server.ts";
import { minute, now } from "../platform/clock.ts";
import { openDatabase } from "../platform/database.server.ts";
import { Conflict } from "../platform/errors.ts";
import { createLog } from "../platform/log.server.ts";
import { createDocumentNumber, documentSeries } from "./document-numbers.server.ts";
import { addRefund, lockOrder } from "./refunds/refund-orders.server.ts";
import { checkRefund } from "./refunds/send-refunds.server.ts";
import { creditNotes, refunds } from "./refunds/tables.server.ts";
import { settleOrder } from "./settle-order.server.ts";
import { invoices, invoiceSeries, orders } from "./tables.server.ts";

const { db, url } = await testDatabase();
const { asha, ravi, gita } = await people(db);
const app = { db, config: testConfig(gstSettings), log: createLog("silent") };
const payments = Object.assign(testPayments(), { deliver: deliverForTest });

beforeEach(async () => {
  for (const table of [creditNotes, refunds, invoices, invoiceSeries, orders])
    await db.delete(table);
  payments.answer = verifiedPaid;
  payments.deliver = deliverForTest;
});

const unpaid = { status: "pending", settledAt: null, capturedPaise: null } as const;
const pay = (orderId: string) => settleOrder(app, payments, { orderId, source: "verification" });
const invoiceOf = async (orderId: string) => {
  const [row] = await db.select().from(invoices).where(eq(invoices.orderId, orderId));
  return row;
};
const creditNoteOf = async (orderId: string) => {
  const [row] = await db.select().from(creditNotes).where(eq(creditNotes.orderId, orderId));
  return row;
};

test("a paid order has one invoice with all that it shows", async () => {
  const sale = { state: "Karnataka", gstin: "29ABCDE1234F1ZW", fields: unpaid };
  const orderId = await taxedOrder(db, asha, sale);
  await Promise.all(Array.from({ length: 5 }, () => pay(orderId)));
  await pay(orderId);
  expect(await deliveriesOf(db, orderId)).toBe(1);
  expect(await db.select().from(invoices)).toEqual([
    {
      orderId,
      series: "NK",
      financialYear: expect.stringMatching(/^\d\d-\d\d$/),
      number: 1,
      serial: expect.stringMatching(/^NK\/\d\d-\d\d\/000001$/),
      issuedAt: expect.any(Date),
      productName: "Naksha",
      sellerName: app.config.product.merchant,
      sellerAddress: app.config.product.address,
      sellerGstin: gstSettings.GSTIN,
      sellerState: "Rajasthan",
      buyerName: "Asha Verma",
      buyerState: "Karnataka",
      buyerGstin: "29ABCDE1234F1ZW",
      description: "Resume Review",
      serviceCode: "998399",
      taxRate: 18,
      amountPaise: 199_00,
      taxablePaise: 168_64,
      cgstPaise: 0,
      sgstPaise: 0,
      igstPaise: 30_36,
    },
  ]);
});

test("an order without the seller's GSTIN, or without the buyer's State, has none", async () => {
  const orderId = await insertOrder(db, asha, unpaid);
  const before = await insertOrder(db, asha, { ...unpaid, sellerGstin: gstSettings.GSTIN });
  for (const one of [orderId, before]) {
    expect(await pay(one)).toMatchObject({ status: "success" });
    expect(await invoiceOf(one)).toBeUndefined();
  }
});

test("an order that fails, or whose delivery fails, takes no number", async () => {
  const orderId = await taxedOrder(db, asha, { fields: unpaid });
  payments.deliver = () => Promise.reject(new Error("out of stock"));
  await expect(pay(orderId)).rejects.toThrow("out of stock");
  payments.answer = { outcome: "failed", amountPaise: null, mihpayid: "403" };
  await pay(await taxedOrder(db, asha, { fields: unpaid }));
  expect(await db.select().from(invoiceSeries)).toEqual([]);

  payments.answer = verifiedPaid;
  payments.deliver = deliverForTest;
  await pay(orderId);
  expect(await invoiceOf(orderId)).toMatchObject({ number: 1 });
});

test("a payment after the account was deleted has an invoice with the name that the provider got", async () => {
  const orderId = await taxedOrder(db, null, {
    fields: { ...unpaid, checkoutFields: { firstname: "Ravi", productinfo: "Resume Review" } },
  });
  await pay(orderId);
  expect(await invoiceOf(orderId)).toMatchObject({ buyerName: "Ravi", number: 1 });
});

test("deleting the account keeps the invoice", async () => {
  const orderId = await invoicedOrder(db, ravi);
  const before = await invoiceOf(orderId);
  await db.delete(users).where(eq(users.id, ravi.id));
  expect(await invoiceOf(orderId)).toEqual(before);
});

describe("a refund", () => {
  const approve = (orderId: string) =>
    db.transaction(async (tx) => {
      const one = { grounds: "decided", state: "approved", reason: null } as const;
      const order = await lockOrder(tx, orderId);
      await addRefund(tx, app.config, order, { ...one, askedBy: gita, decidedBy: gita });
    });

  test("of an invoiced order writes one credit note once it is settled", async () => {
    const orderId = await invoicedOrder(db, asha);
    const provider = refundProvider();
    await approve(orderId);
    expect(await checkRefund(app, provider, orderId)).toBe("sent");
    expect(await creditNoteOf(orderId)).toBeUndefined();
    provider.end("success");
    await Promise.all(Array.from({ length: 4 }, () => checkRefund(app, provider, orderId)));
    expect(await creditNoteOf(orderId)).toMatchObject({
      serial: expect.stringMatching(/^CN\/\d\d-\d\d\/000001$/),
      refundId: expect.any(String),
    });
    expect(await db.$count(creditNotes)).toBe(1);
  });

  test("that fails writes none, and the next one does", async () => {
    const orderId = await invoicedOrder(db, asha);
    const failing = refundProvider();
    await approve(orderId);
    await checkRefund(app, failing, orderId);
    failing.end("failure");
    expect(await checkRefund(app, failing, orderId)).toBe("failed");
    expect(await creditNoteOf(orderId)).toBeUndefined();
    const provider = refundProvider();
    await approve(orderId);
    await checkRefund(app, provider, orderId);
    provider.end("success");
    await checkRefund(app, provider, orderId);
    expect(await creditNoteOf(orderId)).toMatchObject({ number: 1 });
  });

  test("of an order with a receipt writes none", async () => {
    const orderId = await insertOrder(db, asha);
    const provider = refundProvider();
    await approve(orderId);
    await checkRefund(app, provider, orderId);
    provider.end("success");
    expect(await checkRefund(app, provider, orderId)).toBe("settled");
    expect(await creditNoteOf(orderId)).toBeUndefined();
  });

  test("of a part of an invoiced order is refused with the reason", async () => {
    const orderId = await invoicedOrder(db, asha, { fields: { capturedPaise: 100_00 } });
    const refused = approve(orderId);
    await expect(refused).rejects.toThrow(Conflict);
    await expect(refused).rejects.toThrow(/invoice is for ₹199, .* ₹100 can't be refunded/);
    expect(await db.$count(refunds)).toBe(0);
  });

  test("of an earlier payment of another amount doesn't cancel the invoice", async () => {
    const orderId = await taxedOrder(db, asha, {
      fields: { ...unpaid, capturedPaise: 100_00, providerPaymentId: "402" },
    });
    const provider = refundProvider();
    await approve(orderId);
    await checkRefund(app, provider, orderId);
    await pay(orderId);
    provider.end("success");
    expect(await checkRefund(app, provider, orderId)).toBe("settled");
    expect(await invoiceOf(orderId)).toMatchObject({ amountPaise: 199_00 });
    expect(await creditNoteOf(orderId)).toBeUndefined();
  });
});

describe("by the database's clock", () => {
  const pools = ["UTC", "Asia/Kolkata", "America/New_York", "Pacific/Auckland"].map((zone) => {
    const address = new URL(url);
    // A function of this name before PostgreSQL's own sets the clock.
    address.searchParams.set(
      "options",
      `-c search_path=set_clock,public,pg_catalog -c timezone=${zone}`,
    );
    return [zone, openDatabase(address.href, { max: 2 })] as const;
  });
  afterAll(() => Promise.all(pools.map(([, pool]) => pool.close())));

  async function setClock(moment: string): Promise<void> {
    await db.execute(sql`create schema if not exists set_clock`);
    await db.execute(
      sql.raw(`create or replace function set_clock.now() returns timestamptz language sql
        as $$ select timestamptz '${moment}' $$`),
    );
  }

  test.each(pools)(
    "a financial year ends at 18:30 UTC on March 31, in a session in %s",
    async (_zone, pool) => {
      const take = async (moment: string) => {
        await setClock(moment);
        const taken = await pool.db.transaction((tx) =>
          createDocumentNumber(tx, documentSeries.invoice),
        );
        return [taken.serial, taken.issuedAt.toISOString()];
      };
      expect(await take("2027-03-31T18:29:59.999Z")).toEqual([
        "NK/26-27/000001",
        "2027-03-31T18:29:59.999Z",
      ]);
      expect(await take("2027-03-31T18:30:00Z")).toEqual([
        "NK/27-28/000001",
        "2027-03-31T18:30:00.000Z",
      ]);
      expect(await take("2027-12-31T23:59:59Z")).toEqual([
        "NK/27-28/000002",
        "2027-12-31T23:59:59.000Z",
      ]);
      expect((await take("2028-02-29T12:00:00Z"))[0]).toBe("NK/27-28/000003");
      expect((await take("2099-05-31T12:00:00Z"))[0]).toBe("NK/99-00/000001");
    },
  );

  test("a later number never has an earlier date", async () => {
    const [, pool] = pools[0]!;
    const take = (moment: string) =>
      setClock(moment).then(() =>
        pool.db.transaction((tx) => createDocumentNumber(tx, documentSeries.creditNote)),
      );
    const first = await take("2026-11-28T10:00:00.500Z");
    const second = await take("2026-11-28T10:00:00.100Z");
    expect(second).toMatchObject({ number: first.number + 1, issuedAt: first.issuedAt });
  });

  test("the process's clock doesn't count", async () => {
    const orderId = await invoicedOrder(db, asha, {
      fields: { settledAt: new Date(now().getTime() - 90 * 24 * 60 * minute) },
    });
    const { rows } = await db.execute<{ isToday: boolean }>(
      sql`select issued_at > now() - interval '1 hour' as "isToday" from invoices where order_id = ${orderId}`,
    );
    expect(rows).toEqual([{ isToday: true }]);
  });
});

test("a serial has at most 16 characters, up to the ten millionth of a year", async () => {
  await db.transaction((tx) => createDocumentNumber(tx, documentSeries.invoice));
  await db.update(invoiceSeries).set({ lastNumber: 9_999_998 });
  const orderId = await invoicedOrder(db, asha);
  const { serial } = (await invoiceOf(orderId))!;
  expect(serial).toMatch(/^NK\/\d\d-\d\d\/9999999$/);
  expect(serial).toHaveLength(16);
});

test("the database refuses a second invoice, a repeated serial and parts that don't add up", async () => {
  const first = (await invoiceOf(await invoicedOrder(db, asha)))!;
  const orderId = await taxedOrder(db, asha);
  const insert = (changes: Partial<typeof first>) =>
    db.insert(invoices).values({ ...first, ...changes });
  await expect(insert({ serial: "NK/00-01/000001", number: 7 })).rejects.toThrow();
  await expect(insert({ orderId, number: 7 })).rejects.toThrow();
  await expect(insert({ orderId, serial: "NK/00-01/000001" })).rejects.toThrow();
  const other = { orderId, serial: "NK/00-01/000001", number: 7 };
  await expect(insert({ ...other, taxablePaise: 1 })).rejects.toThrow();
  await insert(other);
  expect(await orderRow(db, orderId)).toMatchObject({ status: "success" });
});
