import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { ShouldRevalidateFunction } from "react-router";
import { expect, test } from "vitest";
import type { Refusal } from "../app/platform/forms.server.ts";
import { testDatabase } from "./support/product/database.ts";
import { askedBy } from "./support/requests/asked.ts";
import { people } from "./support/rows/people.ts";

/** A form can be refused because its screen is stale. The screen must then reload, or every retry fails too. */

/** Screens whose forms cannot conflict with other people's changes, or that handle conflicts themselves. */
const exempt = new Set([
  "accounts/mail-choices/mail-choices.screen.tsx",
  "accounts/password-reset/forgot-password.screen.tsx",
  "accounts/password-reset/reset-password.screen.tsx",
  "accounts/second-factor/second-step.screen.tsx",
  "accounts/sign-in/sign-in-again.screen.tsx",
  "accounts/sign-in/sign-in.screen.tsx",
  "accounts/sign-up/confirm-address.screen.tsx",
  "accounts/sign-up/resend.screen.tsx",
  "accounts/sign-up/sign-up.screen.tsx",
  "jobs/listing/job.screen.tsx",
  "review-customer/resume-check/resume-check.screen.tsx",
  "review-staff/edit/edit-remarks.screen.tsx",
  "reviews/reviewer-profile/about-you.screen.tsx",
  "review-staff/workspace/workspace.screen.tsx",
  "site/not-found.screen.tsx",
  "support/new-message.screen.tsx",
]);

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
      const context = askedBy(db, asha);
      const request = new Request("http://localhost/", {
        method: "POST",
        body: new URLSearchParams(fields),
      });
      const url = new URL(request.url);
      return { answer: await action!({ request, url, params: {}, ...context }), ...context };
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
  expect(stale.toSorted()).toEqual([...exempt].toSorted());
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
