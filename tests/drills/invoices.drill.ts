import { setTimeout as sleep } from "node:timers/promises";
import { constantFrom, integer, noBias, record, sample } from "fast-check";
import { expect, test } from "vitest";
import { creditNotes } from "../../app/payments/refunds/tables.server.ts";
import { invoices } from "../../app/payments/tables.server.ts";
import { wrongInvoices } from "../support/payments/wrong-invoices.ts";
import { gstSettings } from "../support/product/config.ts";
import { testDatabase } from "../support/product/database.ts";
import { complaints } from "./complaints.ts";
import { say, seed } from "./figures.ts";
import { underLoad } from "./load.ts";
import { paymentFlows } from "./payment-flows.ts";
import { world as startWorld } from "./world.ts";

const kills = 50;
const randomKill = record({
  pause: noBias(integer({ min: 100, max: 1_600 })),
  victim: constantFrom("web" as const, "worker" as const),
});

const world = await startWorld(await testDatabase(), gstSettings);

test("invoices have no gap after a process was killed while it settled and refunded", async () => {
  const load = underLoad(world, paymentFlows);
  for (const { pause, victim } of sample(randomKill, { seed, numRuns: kills })) {
    await sleep(pause);
    await world[victim].kill();
    await world[victim].start();
  }
  const { done, wrong } = await load.end();
  expect([...wrong, ...(await complaints(world)), ...(await wrongInvoices(world.db))]).toEqual([]);
  say("invoices", [
    `${kills} kills`,
    `${done} actions`,
    `${await world.db.$count(invoices)} invoices`,
    `${await world.db.$count(creditNotes)} credit notes`,
    `seed ${seed}`,
  ]);
});
