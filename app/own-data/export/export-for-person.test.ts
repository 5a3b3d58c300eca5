import { beforeEach, expect, test } from "vitest";
import { eq } from "drizzle-orm";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { runCommand } from "../../../tests/support/product/operator.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { ticket } from "../../../tests/support/rows/admin-things.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { startExportFor } from "./export-for-person.server.tsx";
import { listOwnExports, startOwnExport } from "./exports.server.ts";

const { db } = await testDatabase();
const config = testConfig();
const who = everybody(db);
let asha: Actor;
let gita: Actor;
let own: string;
beforeEach(async () => {
  ({ asha, gita } = who);
  own = await ticket(db, gita, { senderId: asha.id, email: asha.email });
});

const start = (number = own, actor = gita, on: Database = db) =>
  startExportFor(
    on,
    actor,
    { userId: asha.id, ticket: number, reason: "She can't find the page." },
    config,
  );

const eventsOf = (person: Actor) =>
  db.select().from(auditEvents).where(eq(auditEvents.subjectId, person.id));

test("the person gets an email at once, and the history has the ticket and the reason", async () => {
  await start();
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.subject).toBe("We are preparing a copy of your data at Naksha");
  expect(mail!.text).toContain(`As you asked in your message ${own}`);
  expect(await listOwnExports(db, asha)).toMatchObject([{ state: "preparing" }]);
  expect(await listOwnExports(db, gita)).toEqual([]);
  expect(await eventsOf(asha)).toMatchObject([
    {
      event: "data.export-for",
      actorId: gita.id,
      after: { ticket: own, reason: "She can't find the page." },
    },
  ]);
});

test("a message counts by its sender or by its address, and its number in any case", async () => {
  await start((await ticket(db, gita, { email: asha.email })).toLowerCase());
  expect(await listOwnExports(db, asha)).toHaveLength(1);
});

test("another person's message or none starts nothing", async () => {
  const { ravi } = who;
  const other = await ticket(db, gita, { senderId: ravi.id, email: ravi.email });
  for (const number of [other, "T-0000-0000"])
    await expect(start(number)).rejects.toMatchObject({ fields: { ticket: expect.any(String) } });
  expect(await listOwnExports(db, asha)).toEqual([]);
  expect(await mailsTo(db, asha.email)).toEqual([]);
});

test("a closed account is exported for nobody", async () => {
  const { ravi } = who;
  const number = await ticket(db, gita, { senderId: ravi.id, email: ravi.email });
  await db.update(users).set({ closedAt: now() }).where(eq(users.id, ravi.id));
  const asked = { userId: ravi.id, ticket: number, reason: "Please." };
  await expect(startExportFor(db, gita, asked, config)).rejects.toMatchObject({ name: "NotFound" });
});

test("an admin has to sign in again first, and needs a person with a confirmed address", async () => {
  await expect(start(own, { ...gita, isProved: false })).rejects.toMatchObject({
    name: "NotProved",
  });
  await db.update(users).set({ emailVerified: false }).where(eq(users.id, asha.id));
  await expect(start()).rejects.toMatchObject({ name: "Invalid" });
});

test("of two admins one starts it, and not while the person's own is less than a day old", async () => {
  const results = await overlap(
    db,
    (tx) => start(own, gita, tx),
    (other) => start(own, gita, other),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await mailsTo(db, asha.email)).toHaveLength(1);

  const { ravi } = who;
  await startOwnExport(db, ravi);
  await expect(runCommand(db, ["export", ravi.email])).rejects.toMatchObject({ name: "Conflict" });
  expect(await mailsTo(db, ravi.email)).toEqual([]);
});

test("the operator starts it by an address", async () => {
  expect(await runCommand(db, ["export", asha.email.toUpperCase()])).toContain("prepares the data");
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.text).toContain("As you asked us, we're preparing a copy of your data.");
  expect(await eventsOf(asha)).toMatchObject([{ event: "data.export-for", actorName: "Operator" }]);
  await expect(runCommand(db, ["export", "nobody@example.com"])).rejects.toMatchObject({
    name: "Invalid",
  });
});
