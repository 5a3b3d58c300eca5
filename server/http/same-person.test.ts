import { beforeAll, expect, test } from "vitest";
import type { Actor } from "../../app/accounts/actor.server.ts";
import { choosableMails } from "../../app/accounts/mail-choices.ts";
import { chosenMails } from "../../app/accounts/tables.server.ts";
import { personHeader } from "../../app/ui/expected-user.ts";
import { type RunningApp, runningApp } from "../../tests/support/product/running.ts";
import { person } from "../../tests/support/rows/people.ts";

/** Requests from one person's page after another person logged in with the same browser. */

let app: RunningApp;
let asha: Actor;
let ravi: Actor;
let cookie: string;

beforeAll(async () => {
  app = await runningApp();
  asha = await person(app.db, "Asha Verma");
  ravi = await person(app.db, "Ravi Nair");
  cookie = await app.cookieOf(ravi);
});

function send(path: string, headers: Record<string, string>, body = new URLSearchParams()) {
  return fetch(app.origin + path, {
    method: "POST",
    redirect: "manual",
    headers: { origin: app.origin, cookie, ...headers },
    body,
  });
}

test.each([
  "/profile/mails",
  "/profile/mails.data",
  "/uploads",
  "/uploads/0123",
  "/services/resume-review",
])("%s refuses a request from another person's page", async (path) => {
  const response = await send(path, { [personHeader]: asha.id });
  expect(response.status).toBe(409);
  expect(response.headers.has(personHeader)).toBe(true);
  const { title, description, message } = (await response.json()) as Record<string, string>;
  expect(message).toBe(`${title}. ${description}`);
});

test.each([
  ["their own page", () => ({ [personHeader]: ravi.id })],
  ["a page without scripts", () => ({})],
])("a request from %s is accepted", async (_, headers) => {
  await app.db.delete(chosenMails);
  const settings = Object.entries(choosableMails).filter(([, mail]) => mail.isFor(ravi));
  const choice = new URLSearchParams(settings.map(([kind]) => [kind, "never"]));
  expect((await send("/profile/mails", headers(), choice)).status).toBe(200);
  const chosen = await app.db.select({ by: chosenMails.userId }).from(chosenMails);
  expect(chosen).toEqual(settings.map(() => ({ by: ravi.id })));
});

test("a request without a session is redirected to the login page", async () => {
  const headers = { [personHeader]: asha.id, cookie: "" };
  const response = await send("/profile/mails", headers);
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toMatch(/^\/login\?next=/);
});
