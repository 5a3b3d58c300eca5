import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { fee, testPan } from "../../../tests/support/rows/fees.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { Invalid, NotFound, NotProved } from "../../platform/errors.ts";
import { parseMonth } from "../../platform/months.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { getOwnEarnings } from "./earnings.server.ts";
import { deleteOldPans, findPanDate, getPan, reencryptPans, savePan } from "./pan.server.ts";
import { createPayoutFile, listPayeeMonths } from "./payouts.server.ts";
import { listStatementRows, toStatementDocument } from "./statement.ts";
import { payouts, reviewerPans } from "./tables.server.ts";

const { db, asha, meera, kabir, gita } = await testPeople();
const [older, newer] = ["a".repeat(32), "b".repeat(32)];
const siteOf = (keys: string) => ({ db, config: testConfig({ SECOND_FACTOR_KEYS: keys }) });
const site = siteOf(older);

beforeEach(async () => {
  for (const table of [reviewerPans, payouts, auditEvents]) await db.delete(table);
});

test("a PAN has its format, in any case and with spaces", async () => {
  for (const typed of ["", "ABCPD1234", "ABCDD1234E", "ABCP01234E", "ABCPD1234EE", "ABCPD12345"])
    await expect(savePan(site, meera, typed)).rejects.toThrow(Invalid);
  expect(await findPanDate(db, meera.id)).toBeNull();
  await savePan(site, meera, " abcpd 1234e ");
  expect(await getPan(site, gita, meera.id)).toBe(testPan);
  await savePan(site, meera, "ZZZPZ9999Z");
  expect(await getPan(site, gita, meera.id)).toBe("ZZZPZ9999Z");
});

test("each look at a PAN needs a recent sign-in and is in the audit log, without the PAN", async () => {
  await savePan(site, meera, testPan);
  await expect(getPan(site, { ...gita, isProved: false }, meera.id)).rejects.toThrow(NotProved);
  await expect(getPan(site, gita, kabir.id)).rejects.toThrow(NotFound);
  for (let look = 0; look < 2; look++) await getPan(site, gita, meera.id);
  const events = await db.select().from(auditEvents).orderBy(auditEvents.at);
  expect(events.map(({ event }) => event)).toEqual(["pan.save", "pan.read", "pan.read"]);
  for (const { before, after } of events) expect([before, after]).toEqual([null, null]);
});

test("a stored PAN is encrypted, and readable only in its own row", async () => {
  await savePan(site, meera, testPan);
  const [row] = await db.select().from(reviewerPans);
  expect(row!.sealedPan.toString("latin1")).not.toContain("ABC");
  await db.update(reviewerPans).set({ userId: kabir.id });
  await expect(getPan(site, gita, kabir.id)).rejects.toThrow();
});

test("no file, email, audit event or other row has a PAN", async () => {
  await savePan(site, meera, testPan);
  const october = parseMonth("2026-10");
  await fee(db, asha, meera, { at: october.start });
  const texts = [
    await createPayoutFile(db, gita, october),
    JSON.stringify(await listPayeeMonths(db, gita, october)),
  ];
  for (const text of texts) {
    expect(text).toContain("Meera");
    expect(text).not.toContain(testPan);
  }
  await getPan(site, gita, meera.id);
  const statement = await getOwnEarnings(db, meera, october);
  expect(JSON.stringify(listStatementRows(statement))).not.toContain(testPan);
  const { product } = site.config;
  expect(JSON.stringify(toStatementDocument(product, meera, october, statement))).not.toContain(
    testPan,
  );
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  expect(tables.length).toBeGreaterThan(50);
  for (const { name } of tables) {
    const { rows } = await db.execute(
      sql`select 1 from ${sql.identifier(name)} as t where strpos(t::text, ${testPan}) > 0`,
    );
    expect(rows, name).toEqual([]);
  }
});

test("a PAN is encrypted again with a newer key", async () => {
  await savePan(site, meera, testPan);
  expect(await reencryptPans(siteOf(`${newer},${older}`))).toBe(1);
  expect(await getPan(siteOf(newer), gita, meera.id)).toBe(testPan);
  await expect(getPan(site, gita, meera.id)).rejects.toThrow(/SECOND_FACTOR_KEYS/);
});

test("a PAN is deleted 8 years after the last payout, or without one after it was saved", async () => {
  const set = (moment: string) => vi.useFakeTimers({ now: new Date(moment), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  set("2026-12-01T00:00:00Z");
  for (const reviewer of [meera, kabir]) await savePan(site, reviewer, testPan);
  const payout = { month: "2027-04", paise: 80_00, paidOn: "2027-05-05", reference: "UTR 1" };
  await db
    .insert(payouts)
    .values({ reviewerId: meera.id, ...payout, recordedAt: new Date("2027-05-05T00:00:00Z") });
  const left = async () => (await db.select().from(reviewerPans)).map(({ userId }) => userId);
  set("2034-12-01T00:00:00Z");
  expect(await deleteOldPans(db)).toBe(0);
  set("2034-12-01T00:00:01Z");
  expect(await deleteOldPans(db)).toBe(1);
  expect(await left()).toEqual([meera.id]);
  set("2035-05-04T18:30:00Z");
  expect(await deleteOldPans(db)).toBe(0);
  set("2035-05-04T18:30:01Z");
  expect(await deleteOldPans(db)).toBe(1);
  expect(await db.$count(payouts, eq(payouts.reviewerId, meera.id))).toBe(1);
});
