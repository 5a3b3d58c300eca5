import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import { startedOrder } from "../../tests/support/payments.ts";
import { people } from "../../tests/support/people.ts";
import { mails } from "../mail/tables.server.ts";
import { orders } from "../payments/tables.server.ts";
import { day, hour, minute, now } from "../platform/clock.ts";
import { listPaymentsToLookInto, listUndeliveredMails } from "./attention.server.ts";

const { db } = await testDatabase();
const { asha, gita } = await people(db);

beforeEach(async () => {
  await db.delete(orders);
  await db.delete(mails);
});

test("payments that somebody has to look into are counted, and the ten newest shown", async () => {
  expect(await listPaymentsToLookInto(db, gita)).toEqual({ orders: [], total: 0 });
  for (let index = 0; index < 11; index++) await startedOrder(db, asha);
  expect(await listPaymentsToLookInto(db, gita)).toEqual({ orders: [], total: 0 });
  await db.update(orders).set({ nextCheckAt: null });
  const { orders: shown, total } = await listPaymentsToLookInto(db, gita);
  expect(total).toBe(11);
  expect(shown).toHaveLength(10);
  expect(shown[0]).toMatchObject({ buyer: asha.email, amountPaise: 199_00 });
});

test("mail that was given up or waits for long is shown for a week; what was sent, or is new, is not", async () => {
  const since = (age: number) => new Date(now().getTime() - age);
  const mail = (subject: string, age: number, rest: Partial<typeof mails.$inferInsert> = {}) => ({
    cause: randomUUID(),
    recipient: "asha@example.com",
    subject,
    html: "",
    text: "",
    createdAt: since(age),
    ...rest,
  });
  await db
    .insert(mails)
    .values([
      mail("sent", hour, { sentAt: now() }),
      mail("new", minute),
      mail("refused", minute, { givenUpAt: now(), lastError: "550" }),
      mail("waiting", hour, { lastError: "450" }),
      mail("long ago", 8 * day, { givenUpAt: since(7 * day) }),
    ]);
  const { mails: shown, total } = await listUndeliveredMails(db, gita);
  expect(shown.map(({ subject }) => subject)).toEqual(["refused", "waiting"]);
  expect(total).toBe(2);
});
