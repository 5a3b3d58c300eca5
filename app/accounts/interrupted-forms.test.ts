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

test("the longest feedback is restored once, on the screen where it was typed", async () => {
  const feedback = "क".repeat(feedbackLimit);
  const { cookie } = await saveForm({ feedback, password: "secret", confirmPassword: "secret" });
  expect(await restoreForm(cookie, { path: "/profile" })).toEqual({});
  expect(await restoreForm(cookie)).toEqual({ feedback });
  expect(await restoreForm(cookie)).toEqual({});
});

test("a saved form can't be read without the browser's key", async () => {
  const { cookie } = await saveForm({ feedback: "Lead with the work." });
  const [row] = await db.select().from(interruptedForms);
  expect(row!.sealed.toString()).not.toContain("Lead");
  expect(cookie).not.toContain(row!.id);
  expect(await restoreForm(`held-form=${row!.id}`)).toEqual({});
  expect(await restoreForm(`held-form=${randomBytes(32).toString("base64url")}`)).toEqual({});
});

test("another person who signs in doesn't get the form", async () => {
  const { asha, ravi } = await people(db);
  const headers = { [personHeader]: asha.id };
  const typed = { feedback: "Lead with the work." };
  for (const [by, given] of [
    [ravi, {}],
    [asha, typed],
  ] as const) {
    const { cookie } = await saveForm(typed, { headers });
    expect(await restoreForm(cookie, { by })).toEqual(given);
  }
});

test("a form isn't restored after an hour, and is deleted", async () => {
  const { cookie } = await saveForm({ feedback: "Lead with" });
  vi.useFakeTimers({ toFake: ["Date"], now: now().getTime() + hour + 1 });
  await saveForm({ feedback: "Another" });
  expect(await db.$count(interruptedForms)).toBe(1);
  expect(await restoreForm(cookie)).toEqual({});
});

test("a form above the size limit isn't saved, and its sender gets a toast", async () => {
  const { cookie, toasts } = await saveForm({ feedback: "x".repeat(maxFormBytes) });
  expect(cookie).toBeUndefined();
  expect(toasts).toMatchObject([{ title: "We couldn't save what you typed" }]);
  expect(await db.$count(interruptedForms)).toBe(0);
});

test("a network can save ten forms an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-02T10:00:00Z") });
  const all = await Promise.all(
    Array.from({ length: 30 }, () => saveForm({ feedback: "Lead with" }, { network: "192.0.2.1" })),
  );
  expect(all.filter(({ cookie }) => cookie)).toHaveLength(10);
  expect(await db.$count(interruptedForms)).toBe(10);
  expect((await saveForm({ feedback: "x" }, { network: "192.0.2.2" })).cookie).toBeDefined();
});

test("all saved forms stay below the total limit, even when many arrive at the same time", async () => {
  const size = 150_000;
  const others = Buffer.alloc(maxTotalBytes - 3 * size);
  await db
    .insert(interruptedForms)
    .values({ id: "others", path: screen, sealed: others, createdAt: now() });
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      saveForm({ feedback: "x".repeat(size - 100) }, { network: `192.0.2.${index}` }),
    ),
  );
  expect(all.filter(({ cookie }) => cookie)).toHaveLength(3);
});

async function saveForm(
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

function restoreForm(
  cookie = "",
  { path = screen, by = null }: { path?: string; by?: Actor | null } = {},
): Promise<Record<string, string>> {
  const { context } = askedBy(db, by);
  return restoreInterruptedForm(
    context,
    new Request(`http://localhost${path}`, { headers: { cookie } }),
  );
}
