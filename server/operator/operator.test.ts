import { readFileSync } from "node:fs";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { answerTo, runCommand } from "../../tests/support/product/operator.ts";
import {
  deliverForTest,
  startedOrder,
  testPayments,
  verifiedPaid,
} from "../../tests/support/payments/payments.ts";
import { person } from "../../tests/support/rows/people.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { openSession } from "../../app/accounts/session.server.ts";
import { profiles, sessions, staffRoles, users } from "../../app/accounts/tables.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { day, now } from "../../app/platform/clock.ts";
import { auditEvents } from "../../app/platform/tables.server.ts";
import { sendMessage } from "../../app/support/send-message.server.tsx";
import { UsageError } from "./command.ts";

import { createOperatorProgram, readCommand } from "./program.ts";

const { db, ...everybody } = await testPeople();

test("the help lists all commands, and is the default", () => {
  expect(readCommand([])).toBe(readCommand(["--help"]));
  expect(readCommand([])).toContain("subscriptions|subscription");
  expect(readCommand(["ban", "--help"])).toContain("Usage: npm run admin -- ban [options] <email>");
  expect(readCommand(["ban", "--help"])).toContain("--json");
});

test("the manual documents every command with its usage", () => {
  const manual = readFileSync("docs/operator.md", "utf8");
  const usages = usagesOf(createOperatorProgram(() => {}, []));
  expect(usages).toContain("roles grant <email> <role>");
  expect(usages.filter((usage) => !manual.includes(`\`${usage}\``))).toEqual([]);
});

test("--json returns the data that a command prints", async () => {
  const command = readCommand(["roles", "list", "--json"]);
  expect(command).toMatchObject({ json: true });
  const { data } = await answerTo(db, ["roles", "list"]);
  expect(data).toContainEqual({
    email: everybody.gita.email,
    name: "Gita Menon",
    role: "god_admin",
  });
});

test("granting god_admin takes effect once and is audited", async () => {
  const { asha } = everybody;
  expect(await runCommand(db, ["roles", "grant", asha.email, "god_admin"])).toContain(
    "now has the role god_admin",
  );
  expect(await runCommand(db, ["roles", "grant", asha.email, "god_admin"])).toContain(
    "already has",
  );
  expect(await db.select().from(staffRoles).where(eq(staffRoles.userId, asha.id))).toHaveLength(1);
  const trail = await db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.subjectId, asha.id), eq(auditEvents.event, "role.grant")));
  expect(trail).toMatchObject([
    { actorName: "Operator", actorId: null, after: { role: "god_admin" } },
  ]);
  expect(await runCommand(db, ["roles", "list"])).toContain(asha.email);
});

test("held-messages shows only messages that were treated as spam", async () => {
  expect(await runCommand(db, ["held-messages"])).toBe("No held messages.");
  const form = { subject: "A question", message: "Is this read?", renderedAt: "" };
  for (const [name, topic] of [
    ["Seller", "SEO"],
    ["Asha Verma", ""],
  ] as const) {
    const written = { ...form, name, topic, email: "someone@example.com" };
    await sendMessage(db, testConfig(), { form: written, sender: null });
  }
  const output = await runCommand(db, ["held-messages"]);
  expect(output).toMatch(
    /^T-.{4}-.{4} {2}.+ {2}Seller <someone@example.com>\nA question\n\nIs this read\?$/,
  );
});

test("payments to resolve are listed, and the provider can be asked about one again", async () => {
  expect(await runCommand(db, ["orders"])).toBe(
    "Every payment is settled, or will settle by itself.",
  );
  const { orderId } = await startedOrder(db, everybody.asha);
  expect(await runCommand(db, ["orders"])).not.toContain(orderId);
  await db.update(orders).set({ nextCheckAt: null }).where(eq(orders.orderId, orderId));
  const listed = await runCommand(db, ["orders"]);
  expect(listed).toContain(`₹199.00  ${everybody.asha.email}`);
  expect(listed).toContain(orderId);

  const payments = Object.assign(testPayments(), { deliver: deliverForTest });
  const unknown = runCommand(db, ["orders", "ask", "TXN_NONE"], { payments });
  await expect(unknown).rejects.toThrow("There is no order TXN_NONE");
  expect(await runCommand(db, ["orders", "ask", orderId], { payments })).toContain("still pending");
  payments.answer = verifiedPaid;
  expect(await runCommand(db, ["orders", "ask", orderId], { payments })).toContain("is paid");
  expect(await runCommand(db, ["orders"])).not.toContain(orderId);
});

test("reconcile fails and lists orders that differ from the provider's", async () => {
  const payments = Object.assign(testPayments(), { answer: verifiedPaid });
  const { orderId } = await startedOrder(db, everybody.ravi);
  const args = ["reconcile", "--dry-run", "--since", "2026-01-31"];
  const output = await answerTo(db, args, { payments });
  expect(output.failed).toBe(true);
  expect(output.text).toMatch(
    new RegExp(`${orderId}  .+  here pending ₹199.00  there success ₹199.00  Paid there, not here`),
  );
  payments.answer = { outcome: "not found" };
  expect(await answerTo(db, ["reconcile", "--since", "2999-01-31"], { payments })).toMatchObject({
    failed: false,
    data: { asked: 0 },
  });
});

test("revoking a role keeps the others", async () => {
  const both = await person(db, "Lata Rao", { roles: ["reviewer", "job_board_adder"] });
  await runCommand(db, ["roles", "revoke", both.email, "reviewer"]);
  expect(await db.select().from(staffRoles).where(eq(staffRoles.userId, both.id))).toMatchObject([
    { role: "job_board_adder" },
  ]);
  expect(await runCommand(db, ["roles", "revoke", both.email, "reviewer"])).toContain(
    "does not have",
  );
});

test("a ban ends all sessions and can be lifted", async () => {
  const { ravi } = everybody;
  const moment = now();
  await openSession(db, ravi.id);
  await runCommand(db, ["ban", ravi.email.toUpperCase(), "--days", "3"]);
  expect(await db.select().from(sessions).where(eq(sessions.userId, ravi.id))).toHaveLength(0);
  const [banned] = await db.select().from(users).where(eq(users.id, ravi.id));
  expect(banned?.bannedUntil?.getTime()).toBeGreaterThan(moment.getTime() + 2 * day);
  expect(await runCommand(db, ["unban", ravi.email])).toContain("can log in again");
  expect(await runCommand(db, ["unban", ravi.email])).toContain("was not banned");
});

test("a subscription can be granted and ended", async () => {
  const { asha } = everybody;
  await runCommand(db, ["subscription", "grant", asha.email, "--days", "30", "--recurring"]);
  const [granted] = await db.select().from(profiles).where(eq(profiles.id, asha.id));
  expect(granted).toMatchObject({ isSubscribed: true, isRecurring: true });
  expect(granted?.subscriptionEndsAt).not.toBeNull();
  await runCommand(db, ["subscription", "end", asha.email]);
  const [ended] = await db.select().from(profiles).where(eq(profiles.id, asha.id));
  expect(ended).toMatchObject({
    isSubscribed: false,
    subscriptionEndsAt: null,
    subscriptionId: null,
  });
});

test.each([
  [["roles", "grant", "nobody@example.com", "owner"], "Allowed choices are god_admin"],
  [["roles", "make"], "unknown command 'make'"],
  [["roles"], "Usage: npm run admin -- roles"],
  [["ban"], "missing required argument 'email'"],
  [["ban", "nobody@example.com", "--days", "-1"], "must be a whole number"],
  [["ban", "nobody@example.com", "--days", "soon"], "must be a whole number"],
  [["subscription", "renew", "nobody@example.com"], "unknown command 'renew'"],
  [["orders", "ask"], "missing required argument 'transaction'"],
  [["orders", "sell"], "too many arguments"],
  [["user", "create", "nobody@example.com"], "required option '--name <full name>'"],
  [["reconcile", "--since", "yesterday"], "must be a day like"],
  [["dance"], "unknown command 'dance'"],
  [["--loud"], "unknown option '--loud'"],
])("%j is rejected with a reason", (args, message) => {
  expect(() => readCommand(args)).toThrow(UsageError);
  expect(() => readCommand(args)).toThrow(message);
});

test("an unknown email address is refused", async () => {
  await expect(
    runCommand(db, ["roles", "grant", "nobody@example.com", "reviewer"]),
  ).rejects.toThrow("No account has the address");
});

test("an unconfirmed account cannot be given a role", async () => {
  const unconfirmed = await person(db, "Late Comer");
  await db.update(users).set({ emailVerified: false }).where(eq(users.id, unconfirmed.id));
  await expect(runCommand(db, ["roles", "grant", unconfirmed.email, "reviewer"])).rejects.toThrow(
    "not confirmed yet",
  );
});

/** Returns the usage of every command, such as "roles grant <email> <role>". */
function usagesOf(command: CommandUnknownOpts, path = ""): string[] {
  return command.commands.flatMap((child) => {
    const ownPath = `${path}${child.name()}`;
    const options = child.options.length > 0 ? ["[options]"] : [];
    const argumentNames = child.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    );
    const isFamily = child.commands.length > 0 && options.length === 0;
    const own = isFamily ? [] : [[ownPath, ...options, ...argumentNames].join(" ")];
    return [...own, ...usagesOf(child, `${ownPath} `)];
  });
}
