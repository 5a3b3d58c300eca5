import { asyncProperty, check } from "fast-check";
import { afterAll, assert, expect, test } from "vitest";
import { historyCounts } from "./support/inventory/selection.ts";
import { testDatabase } from "./support/product/database.ts";
import {
  formatInvoiceHistory,
  invoiceHistories,
  invoiceWorld,
} from "./support/payments/invoice-world.ts";
import { wrongInvoices } from "./support/payments/wrong-invoices.ts";
import { createDocumentNumber, documentSeries } from "../app/payments/document-numbers.server.ts";
import { invoicedOrder } from "./support/rows/invoices.ts";

/** Set by `npm run drill -- invoices`; the seed repeats a failure. Other runs live the same histories each time. */
const { DRILL_RUNS, DRILL_SEED } = process.env;
const numRuns = Number(DRILL_RUNS ?? historyCounts.invoices);
const seed = Number(DRILL_SEED ?? 1);

const database = await testDatabase();
const world = await invoiceWorld(database);
afterAll(() => world.close());

test(
  "two processes with cut connections leave no gap, no repetition and no wrong document",
  { timeout: numRuns * 1_000 },
  async () => {
    if (DRILL_RUNS) console.log(`${numRuns} histories, seed ${seed}`);
    const property = asyncProperty(invoiceHistories, async (history) => {
      const wrong = await world.live(history);
      if (wrong.length > 0) throw new Error(wrong.join(" "));
    });
    const { counterexample, errorInstance } = await check(property, { seed, numRuns });
    if (!counterexample) return;
    const message = `This history fails (seed ${seed}):\n${formatInvoiceHistory(counterexample[0])}`;
    assert.fail(`${message}\n${String(errorInstance)}`);
  },
);

test("a number without its document is noticed", async () => {
  const { db } = database;
  await invoicedOrder(db, null);
  await db.transaction((tx) => createDocumentNumber(tx, documentSeries.invoice));
  expect(await wrongInvoices(db)).toEqual([expect.stringMatching(/^NK\/\d\d-\d\d has .*, up to /)]);
});
