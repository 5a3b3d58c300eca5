import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { ShouldRevalidateFunction } from "react-router";
import { expect, test } from "vitest";
import type { Refusal } from "../app/platform/forms.server.ts";
import { screenRoutes, screens as inventory } from "./support/inventory/screens.ts";
import { testDatabase } from "./support/product/database.ts";
import { sentBy } from "./support/requests/asked.ts";
import { people } from "./support/rows/people.ts";

/** A form can be refused because its screen is stale. The screen must then reload, or every retry fails too. */

const app = resolve("app");
const screens = globSync(`${app}/**/*.screen.tsx`).map((path) => relative(app, path));

test("an error shown as a toast is not repeated above the form", async () => {
  const { db } = await testDatabase();
  const { asha } = await people(db);
  const refused: [string, Record<string, string>][] = [
    ["accounts/password-reset/forgot-password", { email: "asha@example.com" }],
    ["accounts/second-factor/second-factor", { intent: "renew-codes" }],
    ["accounts/second-factor/second-factor", { intent: "remove-app" }],
    ["accounts/passkeys/passkeys", { intent: "remove-passkey", id: randomUUID() }],
  ];
  for (const [screen, fields] of refused) {
    const { action } = (await import(resolve(app, `${screen}.screen.tsx`))) as Screen;
    const send = async () => {
      const form = sentBy(db, asha, fields);
      return { answer: await action!(form), ...form };
    };
    let sent = await send();
    for (let tries = 0; tries < 5 && sent.toasts[0]?.kind !== "error"; tries++) sent = await send();
    expect(sent.toasts, screen).toEqual([expect.objectContaining({ kind: "error" })]);
    expect(sent.answer, screen).toMatchObject({ data: { errors: {} } });
    expect((sent.answer as Refusal).data.errors, screen).toEqual({});
  }
});

type Screen = {
  action?: (context: object) => Promise<unknown>;
  shouldRevalidate?: ShouldRevalidateFunction;
};

test("a screen reloads after a conflict, but not after a server error", async () => {
  const modules = await Promise.all(
    screens.map(async (path) => [path, (await import(resolve(app, path))) as Screen] as const),
  );
  const withForms = modules.filter(([, screen]) => screen.action);
  expect(withForms.length).toBeGreaterThan(25);
  const stale = withForms.filter(([, screen]) => !isRead(screen, 409)).map(([path]) => path);
  const exempt = screenRoutes.filter(({ path }) => inventory[path]!.handlesConflicts);
  expect(stale.toSorted()).toEqual([...new Set(exempt.map(({ file }) => file))].toSorted());
  const eager = withForms.filter(([, screen]) => isRead(screen, 503)).map(([path]) => path);
  expect(eager).toEqual([]);
});

function isRead({ shouldRevalidate }: Screen, actionStatus: number): boolean | undefined {
  const url = new URL("http://localhost:3000/");
  const params = {};
  return shouldRevalidate?.({
    currentUrl: url,
    nextUrl: url,
    currentParams: params,
    nextParams: params,
    formMethod: "POST",
    actionStatus,
    defaultShouldRevalidate: false,
  });
}
