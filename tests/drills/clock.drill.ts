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
import { confirm, requestReset, signUp } from "./accounts.ts";
import { complaints } from "./complaints.ts";
import { say } from "./figures.ts";
import { flowOf, flows } from "./flows.ts";
import { buyer, servicePath, wrongPurchase } from "./payment-flows.ts";
import { missing } from "./missing.ts";
import { soon } from "./soon.ts";
import { world as startWorld } from "./world.ts";

/**
 * Sets the clock of the product's computer while it runs, but not the database's. Monotonic clocks continue as usual.
 */
const [library] = globSync("/usr/{lib,local/lib}/{*/,}faketime/libfaketimeMT.so.1");
if (!library) throw missing("libfaketime", "libfaketime");

const folder = await mkdtemp(join(tmpdir(), "naksha-clock-"));
const file = join(folder, "clock");
afterAll(() => rm(folder, { recursive: true }));
await setClock("+0");

const world = await startWorld(await testDatabase(), {
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_NO_CACHE: "1",
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
});
const asha = await world.createPerson("Asha Verma");

const changes = ["-1d", "-1h", "+1h", "+1d"] as const;
let checked = 0;

/** Sets the clock to a wrong time. @param change the difference, such as "-1d" */
async function setClock(change: string): Promise<void> {
  await writeFile(file, `${change}\n`);
}

afterEach(() => setClock("+0"));

test.each(changes)("with the clock off by %s, every action succeeds once", async (change) => {
  await setClock(change);
  for (const flow of flows) {
    const attempt = await flow.prepare(world);
    expect(await attempt.act(), flow.name).toBe(true);
    expect(await attempt.wrong()).toEqual([]);
    checked += 1;
  }
});

test.each(changes)(
  "people stay signed in with the clock off by %s, and afterwards",
  async (change) => {
    await setClock(change);
    expect((await asha.browser.get("/profile")).status).toBe(200);
    const answer = await world.visitor.post("/login", {
      email: "ravi@example.com",
      password: "demo-Password1",
    });
    const ravi = visitor(world.config.origin, cookieOf(answer));
    expect((await ravi.get("/profile")).status).toBe(200);
    await setClock("+0");
    expect((await ravi.get("/profile")).status).toBe(200);
    expect((await asha.browser.get("/profile")).status).toBe(200);
  },
);

test.each(changes)(
  "an emailed link works once with the clock off by %s, until it expires",
  async (change) => {
    const email = `${randomUUID()}@example.com`;
    const token = await signUp(world, email);
    await setClock(change);
    const confirmed = await confirm(world, token);
    if (change === "+1d") {
      // By that clock, the link has expired.
      expect(confirmed).toBeNull();
      await setClock("+0");
      expect(await confirm(world, token)).not.toBeNull();
    } else expect(confirmed).not.toBeNull();
    expect(await confirm(world, token)).toBeNull();
    expect(await requestReset(world, email)).not.toBe("");
  },
);

test.each(changes)("scheduled tasks run with the clock off by %s", async (change) => {
  await setClock(change);
  // Waits for tasks that other processes requested.
  await sleep(3 * second);
  const before = await countChecks();
  await soon(async () => (await countChecks()) > before, 150);
});

async function countChecks(): Promise<number> {
  const { rows } = await world.db.execute<{ count: number }>(sql`
    select count(*)::int as count from pgboss.job
    where name = 'check-orders' and state = 'completed'`);
  return rows[0]!.count;
}

test("an email whose sender died is sent, even if the clock was set back", async () => {
  const flow = flowOf("mail");
  const attempt = await flow.prepare(world);
  const killing = world.worker.killAt(({ text }) =>
    /update "mails" set .*"sent_at" =/.test(text) ? "lost" : "pass",
  );
  void attempt.act().catch(() => {});
  await soon(async () => killing.isKilled());
  await killing.settle();
  await setClock("-1d");
  await world.worker.start();
  await attempt.again();
  expect(await attempt.wrong()).toEqual([]);
});

test("an email is not given up if the clock jumps ahead while the mail server is down", async () => {
  const mail = flowOf("mail");
  const attempt = await mail.prepare(world);
  world.refuseMail(true);
  const acting = attempt.act().catch(() => false);
  await soon(async () => (await world.db.$count(mails, sql`attempts > 0 and sent_at is null`)) > 0);
  await setClock("+1d");
  await world.passTime();
  await soon(async () => (await world.db.$count(mails, sql`attempts > 1 and sent_at is null`)) > 0);
  world.refuseMail(false);
  await acting;
  expect(await world.db.$count(mails, isNotNull(mails.givenUpAt))).toBe(0);
  expect(await attempt.wrong()).toEqual([]);
});

test.each(["-1d", "+1d"])(
  "an upload interrupted by a kill continues with the clock off by %s",
  async (change) => {
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
    await setClock(change);
    await world.web.start();
    const offset = Number((await tus.head(address)).headers.get("Upload-Offset"));
    expect(offset).toBeGreaterThanOrEqual(megabyte);
    expect((await tus.send(address, offset, bytes.subarray(offset))).status).toBe(200);
  },
);

test("an order that failed because of the clock is still paid when its buyer pays", async () => {
  const ravi = await buyer(world);
  const checkout = await ravi.browser.beginPayment(servicePath);
  await setClock("+1d");
  await world.inTime(async () => {
    const isRavis = eq(orders.buyerId, ravi.actor.id);
    return (await world.db.$count(orders, and(isRavis, eq(orders.status, "failed")))) > 0;
  });
  await setClock("+0");
  await ravi.browser.send((await ravi.browser.payAtProvider(checkout))!);
  expect(await wrongPurchase(world, ravi)).toEqual([]);
});

test("finally, nothing is lost, duplicated or left over", async () => {
  expect(await complaints(world)).toEqual([]);
  say("clock", [`${checked} flows with the clock off by ${changes.join(", ")}`]);
});
