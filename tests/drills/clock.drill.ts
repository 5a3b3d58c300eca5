import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { afterAll, afterEach, expect, test } from "vitest";
import { mails } from "../../app/mail/tables.server.ts";
import { second } from "../../app/platform/clock.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { testDatabase } from "../support/product/database.ts";
import { megabyte, pdfOf } from "../support/requests/uploads.ts";
import { cookieOf, visitor } from "../support/requests/visitor.ts";
import { askForReset, confirm, signUp } from "./accounts.ts";
import { complaints } from "./complaints.ts";
import { say } from "./figures.ts";
import { flowOf, flows } from "./flows.ts";
import { buyer, servicePath, wrongPurchase } from "./payment-flows.ts";
import { missing } from "./missing.ts";
import { soon } from "./soon.ts";
import { world as startWorld } from "./world.ts";

/**
 * The clock of the product's computer is set, while it runs, and that of the database is not. What measures
 * time and does not tell it goes on as it does there.
 */
const [library] = globSync("/usr/{lib,local/lib}/{*/,}faketime/libfaketimeMT.so.1");
if (!library) throw missing("libfaketime", "libfaketime");

const folder = await mkdtemp(join(tmpdir(), "naksha-clock-"));
const file = join(folder, "clock");
afterAll(() => rm(folder, { recursive: true }));
await set("+0");

const world = await startWorld(await testDatabase(), {
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_NO_CACHE: "1",
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
});
const asha = await world.somebody("Asha Verma");

const changes = ["-1d", "-1h", "+1h", "+1d"] as const;
let checked = 0;

/** Sets the clock wrong by this much. */
async function set(change: string): Promise<void> {
  await writeFile(file, `${change}\n`);
}

afterEach(() => set("+0"));

test.each(changes)(
  "with the clock set by %s everything is done at once, and once",
  async (change) => {
    await set(change);
    for (const flow of flows) {
      const attempt = await flow.prepare(world);
      expect(await attempt.act(), flow.name).toBe(true);
      expect(await attempt.wrong()).toEqual([]);
      checked += 1;
    }
  },
);

test.each(changes)("who is signed in stays so with %s, and after", async (change) => {
  await set(change);
  expect((await asha.browser.get("/profile")).status).toBe(200);
  const answer = await world.visitor.post("/login", {
    email: "ravi@example.com",
    password: "demo-Password1",
  });
  const ravi = visitor(world.config.origin, cookieOf(answer));
  expect((await ravi.get("/profile")).status).toBe(200);
  await set("+0");
  expect((await ravi.get("/profile")).status).toBe(200);
  expect((await asha.browser.get("/profile")).status).toBe(200);
});

test.each(changes)("a mailed link works once with %s as long as it says", async (change) => {
  const email = `${randomUUID()}@example.com`;
  const token = await signUp(world, email);
  await set(change);
  const confirmed = await confirm(world, token);
  if (change === "+1d") {
    // It has ended by that clock; another one comes by mail.
    expect(confirmed).toBeNull();
    await set("+0");
    expect(await confirm(world, token)).not.toBeNull();
  } else expect(confirmed).not.toBeNull();
  expect(await confirm(world, token)).toBeNull();
  expect(await askForReset(world, email)).not.toBe("");
});

test.each(changes)("what a task does each minute by itself is done with %s", async (change) => {
  await set(change);
  // Work that other processes requested is done within a moment.
  await sleep(3 * second);
  const before = await checks();
  await soon(async () => (await checks()) > before, 150);
});

async function checks(): Promise<number> {
  const { rows } = await world.db.execute<{ count: number }>(sql`
    select count(*)::int as count from pgboss.job
    where name = 'check-orders' and state = 'completed'`);
  return rows[0]!.count;
}

test("a mail whose sender died leaves, although the clock was set back meanwhile", async () => {
  const flow = flowOf("mail");
  const attempt = await flow.prepare(world);
  const killing = world.worker.killAt(({ text }) =>
    /update "mails" set .*"sent_at" =/.test(text) ? "lost" : "pass",
  );
  void attempt.act().catch(() => {});
  await soon(async () => killing.isKilled());
  await killing.settle();
  await set("-1d");
  await world.worker.start();
  await attempt.again();
  expect(await attempt.wrong()).toEqual([]);
});

test("a mail that meets a server that is away when the clock jumps ahead is not given up", async () => {
  const mail = flowOf("mail");
  const attempt = await mail.prepare(world);
  world.refuseMail(true);
  const acting = attempt.act().catch(() => false);
  await soon(async () => (await world.db.$count(mails, sql`attempts > 0 and sent_at is null`)) > 0);
  await set("+1d");
  await world.passTime();
  await soon(async () => (await world.db.$count(mails, sql`attempts > 1 and sent_at is null`)) > 0);
  world.refuseMail(false);
  await acting;
  expect(await world.db.$count(mails, isNotNull(mails.givenUpAt))).toBe(0);
  expect(await attempt.wrong()).toEqual([]);
});

test.each(["-1d", "+1d"])("an upload that a kill has cut off goes on with %s", async (change) => {
  const bytes = pdfOf(2 * megabyte);
  const { tus } = asha.browser;
  const declared = { purpose: "resume", target: "resume_review", name: "asha.pdf" };
  const address = await tus.begin(declared, bytes.length);
  await tus.send(address, 0, bytes.subarray(0, megabyte));
  await tus.sendAndLoseConnection(
    address,
    megabyte,
    bytes.subarray(megabyte, megabyte + 1000),
    megabyte,
  );
  await world.web.kill();
  await set(change);
  await world.web.start();
  const offset = Number((await tus.head(address)).headers.get("Upload-Offset"));
  expect(offset).toBeGreaterThanOrEqual(megabyte);
  expect((await tus.send(address, offset, bytes.subarray(offset))).status).toBe(200);
});

test("an order that the clock had given up is paid all the same, once its payer pays", async () => {
  const ravi = await buyer(world);
  const checkout = await ravi.browser.beginPayment(servicePath);
  await set("+1d");
  await world.inTime(async () => {
    const own = eq(orders.buyerId, ravi.actor.id);
    return (await world.db.$count(orders, and(own, eq(orders.status, "failed")))) > 0;
  });
  await set("+0");
  await ravi.browser.send((await ravi.browser.payAtProvider(checkout))!);
  expect(await wrongPurchase(world, ravi)).toEqual([]);
});

test("in the end nothing is lost, nothing is there twice, and nothing is left over", async () => {
  expect(await complaints(world)).toEqual([]);
  say("clock", [`${checked} flows with the clock set by ${changes.join(", ")}`]);
});
