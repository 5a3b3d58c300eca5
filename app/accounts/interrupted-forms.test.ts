import { randomBytes } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { people } from "../../tests/support/rows/people.ts";
import { askedBy } from "../../tests/support/requests/asked.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { hour, now } from "../platform/clock.ts";
import { requestFacts } from "../platform/app-context.server.ts";
import { rateLimits } from "../platform/tables.server.ts";
import { feedbackLimit } from "../reviews/staff-rules.ts";
import { personHeader } from "../ui/expected-user.ts";
import type { Actor } from "./actor.server.ts";
import {
  saveInterruptedForm,
  maxFormBytes,
  maxTotalBytes,
  restoreInterruptedForm,
} from "./interrupted-forms.server.ts";
import { interruptedForms } from "./tables.server.ts";

const { db } = await testDatabase();
const screen = "/reviewer/submission";

beforeEach(async () => {
  await db.delete(interruptedForms);
  await db.delete(rateLimits);
});
test("the longest feedback comes back whole, once, to the screen it was typed on", async () => {
  const feedback = "क".repeat(feedbackLimit);
  const { cookie } = await held({ feedback, password: "secret", confirmPassword: "secret" });
  expect(await taken(cookie, { path: "/profile" })).toEqual({});
  expect(await taken(cookie)).toEqual({ feedback });
  expect(await taken(cookie)).toEqual({});
});

test("without the browser's key nobody reads what is kept", async () => {
  const { cookie } = await held({ feedback: "Lead with the work." });
  const [row] = await db.select().from(interruptedForms);
  expect(row!.sealed.toString()).not.toContain("Lead");
  expect(cookie).not.toContain(row!.id);
  expect(await taken(`held-form=${row!.id}`)).toEqual({});
  expect(await taken(`held-form=${randomBytes(32).toString("base64url")}`)).toEqual({});
});

test("who signs in instead of the sender gets nothing of it", async () => {
  const { asha, ravi } = await people(db);
  const headers = { [personHeader]: asha.id };
  const typed = { feedback: "Lead with the work." };
  for (const [by, given] of [
    [ravi, {}],
    [asha, typed],
  ] as const) {
    const { cookie } = await held(typed, { headers });
    expect(await taken(cookie, { by })).toEqual(given);
  }
});

test("after an hour nothing comes back, and the room is free", async () => {
  const { cookie } = await held({ feedback: "Lead with" });
  vi.useFakeTimers({ toFake: ["Date"], now: now().getTime() + hour + 1 });
  await held({ feedback: "Another" });
  expect(await db.$count(interruptedForms)).toBe(1);
  expect(await taken(cookie)).toEqual({});
});

test("what is longer than any form of ours is not kept, and its sender is told", async () => {
  const { cookie, toasts } = await held({ feedback: "x".repeat(maxFormBytes) });
  expect(cookie).toBeUndefined();
  expect(toasts).toMatchObject([{ title: "We couldn't save what you typed" }]);
  expect(await db.$count(interruptedForms)).toBe(0);
});

test("of a network only a few are kept in an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-02T10:00:00Z") });
  const all = await Promise.all(
    Array.from({ length: 30 }, () => held({ feedback: "Lead with" }, { network: "192.0.2.1" })),
  );
  expect(all.filter(({ cookie }) => cookie)).toHaveLength(10);
  expect(await db.$count(interruptedForms)).toBe(10);
  expect((await held({ feedback: "x" }, { network: "192.0.2.2" })).cookie).toBeDefined();
});

test("all that is held together stays below the bound, also when many come at once", async () => {
  const size = 150_000;
  const others = Buffer.alloc(maxTotalBytes - 3 * size);
  await db
    .insert(interruptedForms)
    .values({ id: "others", path: screen, sealed: others, createdAt: now() });
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      held({ feedback: "x".repeat(size - 100) }, { network: `192.0.2.${index}` }),
    ),
  );
  expect(all.filter(({ cookie }) => cookie)).toHaveLength(3);
});

async function held(
  fields: Record<string, string>,
  { network = "127.0.0.1", headers = {} }: { network?: string; headers?: HeadersInit } = {},
) {
  const { context, toasts } = askedBy(db, null, { clientAddress: network });
  const body = new URLSearchParams(fields);
  await saveInterruptedForm(
    context,
    new Request(`http://localhost${screen}`, { method: "POST", headers, body }),
    screen,
  );
  return { cookie: context.get(requestFacts).setCookies[0]?.split(";")[0], toasts };
}

function taken(
  cookie = "",
  { path = screen, by = null }: { path?: string; by?: Actor | null } = {},
): Promise<Record<string, string>> {
  const { context } = askedBy(db, by);
  return restoreInterruptedForm(
    context,
    new Request(`http://localhost${path}`, { headers: { cookie } }),
  );
}
