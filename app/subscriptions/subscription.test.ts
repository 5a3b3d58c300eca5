import { eq } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { beforeEach, expect, test } from "vitest";
import { askedBy, sentBy } from "../../tests/support/requests/asked.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import type { Actor } from "../accounts/actor.server.ts";
import { findActor, openSession } from "../accounts/session.server.ts";
import { profiles } from "../accounts/tables.server.ts";
import type { Database } from "../platform/database.server.ts";
import { NotFound } from "../platform/errors.ts";
import { auditEvents } from "../platform/tables.server.ts";
import {
  cancelSubscription,
  noSubscription,
  getOwnSubscription,
  subscriptionFields,
} from "./subscription.server.ts";
import * as screen from "./subscription.screen.tsx";

const { db, sonia, ravi } = await testPeople();
const future = new Date("2099-03-05T12:00:00Z");
const past = new Date("2020-01-01T00:00:00Z");

beforeEach(async () => {
  await db.delete(auditEvents);
  await subscribe(sonia, { subscriptionId: "SUB_1" });
  await db.update(profiles).set(noSubscription).where(eq(profiles.id, ravi.id));
});

test.each([
  ["without an end", {}, true],
  ["with a future end", { subscriptionEndsAt: future }, true],
  ["that renews after its end", { subscriptionEndsAt: past, isRecurring: true }, true],
  ["past its end", { subscriptionEndsAt: past }, false],
])("the screen and the access rule agree on a subscription %s", async (_case, fields, isActive) => {
  await subscribe(sonia, fields);
  expect((await getOwnSubscription(db, sonia)).isActive).toBe(isActive);
  expect((await findActor(db, await sessionOf(sonia)))?.actor.hasActiveSubscription).toBe(isActive);
});

test("the screen shows when a subscription renews", async () => {
  await subscribe(sonia, {
    subscriptionId: "SUB_1",
    subscriptionEndsAt: future,
    isRecurring: true,
  });
  const html = render(await load(sonia));
  for (const text of [
    "Active",
    "Auto-renews",
    "Renews on",
    "March 5, 2099",
    "Cancel Subscription",
  ]) {
    expect(html).toContain(text);
  }
  expect(html).toContain('href="/job-board"');
});

test("a subscription that doesn't renew shows its end", async () => {
  await subscribe(sonia, { subscriptionEndsAt: future });
  const html = render(await load(sonia));
  expect(html).toContain("Ends on");
  expect(html).not.toContain("Auto-renews");
});

test("people without a subscription get a link to the jobs", async () => {
  const html = render(await load(ravi));
  for (const text of ["Inactive", "You do not have an active subscription", "Subscribe Now"]) {
    expect(html).toContain(text);
  }
  expect(html).toContain('href="/jobs"');
  expect(html).not.toContain("Cancel Subscription");
});

test("the confirmation dialog works without scripts", async () => {
  const html = render(await load(sonia), undefined, "/subscription?confirm");
  for (const text of ["Are you sure?", "Keep Subscription", "Yes, Cancel Now"]) {
    expect(html).toContain(text);
  }
});

test("cancelling ends the subscription and access immediately, and is recorded", async () => {
  const token = await sessionOf(sonia);
  const { answer, toasts } = await cancel(sonia, "SUB_1");
  expect(answer).toEqual({ cancelled: true });
  expect(toasts).toEqual([
    {
      kind: "success",
      title: "Success",
      description:
        "Your subscription has been cancelled. Access to the job board has been revoked.",
    },
  ]);
  expect(await subscriptionOf(sonia)).toEqual(noSubscription);
  expect((await findActor(db, token))?.actor.hasActiveSubscription).toBe(false);
  expect(await db.select().from(auditEvents)).toMatchObject([
    {
      actorId: sonia.id,
      event: "subscription.cancel",
      subjectId: sonia.id,
      before: { isSubscribed: true, subscriptionId: "SUB_1" },
      after: { isSubscribed: false, subscriptionId: null },
    },
  ]);
});

test("cancelling twice at the same time is recorded once", async () => {
  const twice = [1, 2].map(() => cancelSubscription(db, sonia, "SUB_1"));
  expect(new Set(await Promise.all(twice))).toEqual(new Set([true, false]));
  expect(await cancelSubscription(db, sonia, "SUB_1")).toBe(false);
  expect(await db.$count(auditEvents)).toBe(1);
});

test("the id of another or an older subscription cancels nothing", async () => {
  await subscribe(ravi, { subscriptionId: "SUB_2" });
  await expect(cancelSubscription(db, ravi, "SUB_1")).rejects.toThrow(NotFound);
  expect(await subscriptionOf(sonia)).toMatchObject({ isSubscribed: true });
  expect(await subscriptionOf(ravi)).toMatchObject({ isSubscribed: true });
});

test("a subscription without an id can be cancelled too", async () => {
  await subscribe(sonia, { subscriptionId: null });
  expect(await cancelSubscription(db, sonia, null)).toBe(true);
});

test("a failed cancellation opens the error dialog", async () => {
  const { answer, toasts } = await cancel(sonia, "SUB_1", broken);
  const problem = "Failed to cancel subscription. Please try again later.";
  expect(answer).toMatchObject({ init: { status: 500 }, data: { cancelled: false, problem } });
  expect(toasts).toEqual([]);
  const html = render(await load(sonia), { cancelled: false, problem });
  for (const text of [
    "Subscription Management Error",
    problem,
    "temporary issues",
    "contact support",
    "Close",
  ]) {
    expect(html).toContain(text);
  }
});

test("a subscription that can't be loaded shows an error", async () => {
  const html = render(await load(sonia, broken));
  expect(html).toContain("Failed to load subscription status");
  expect(html).not.toContain("Inactive");
});

const broken = new Proxy(db, {
  get() {
    throw new Error("The database is down.");
  },
});

type Fields = Partial<typeof profiles.$inferInsert>;

async function subscribe(person: Actor, fields: Fields): Promise<void> {
  await db
    .update(profiles)
    .set({ ...noSubscription, isSubscribed: true, ...fields })
    .where(eq(profiles.id, person.id));
}

async function subscriptionOf(person: Actor) {
  const [row] = await db
    .select(subscriptionFields)
    .from(profiles)
    .where(eq(profiles.id, person.id));
  return row;
}

async function sessionOf(person: Actor): Promise<string> {
  return (await openSession(db, person.id)).token;
}

function load(actor: Actor, database: Database = db) {
  const { context } = askedBy(database, actor);
  return screen.loader({ context } as never);
}

async function cancel(actor: Actor, subscriptionId: string, database: Database = db) {
  const { toasts, ...sent } = sentBy(database, actor, { subscriptionId });
  return { answer: await screen.action(sent), toasts };
}

/** Renders the screen as the server does. */
function render(loaderData: unknown, actionData?: unknown, at = "/subscription"): string {
  const props = { loaderData, actionData } as Parameters<typeof screen.default>[0];
  const Component = () => createElement(screen.default, props);
  const Stub = createRoutesStub([{ path: "/subscription", Component }]);
  return renderToStaticMarkup(createElement(Stub, { initialEntries: [at] }));
}
