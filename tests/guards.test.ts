import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { authorize, type Permission, permissions } from "../app/accounts/permissions.server.ts";
import type { Actor } from "../app/accounts/actor.server.ts";
import type { StaffRole } from "../app/accounts/roles.ts";
import { staffRoles } from "../app/accounts/tables.server.ts";
import { handlers } from "./support/inventory/handlers.ts";
import { eventsOf, everyone, type Persona } from "./support/inventory/permissions.ts";
import { screenPaths as paths, screens } from "./support/inventory/screens.ts";
import { people, person } from "./support/rows/people.ts";
import { type Answer, plainFetch } from "./support/requests/plain-fetch.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";
import { setBan, tomorrow } from "./support/rows/admin-things.ts";

const cookies = new Map<Persona, string>();
const actors = new Map<Persona, Actor>();
const revokedCookies = { former: "", banned: "" };
let app: RunningApp;

beforeAll(async () => {
  let farah!: Actor;
  let bala!: Actor;
  app = await runningApp(async (db) => {
    const { ravi, sonia, devi, meera, gita } = await people(db);
    actors.set("customer", ravi).set("subscriber", sonia).set("adder", devi);
    actors.set("reviewer", meera).set("admin", gita);
    const roles: StaffRole[] = ["god_admin", "job_board_adder", "reviewer"];
    farah = await person(db, "Farah Khan", { roles });
    bala = await person(db, "Bala Rao", { roles, subscribed: true });
  });
  for (const [persona, actor] of actors) cookies.set(persona, await app.cookieOf(actor));
  revokedCookies.former = await app.cookieOf(farah);
  revokedCookies.banned = await app.cookieOf(bala);
  await app.db.delete(staffRoles).where(eq(staffRoles.userId, farah.id));
  await setBan(app.db, bala.id, tomorrow());
});

test.each(paths)("%s opens only for the people in its row", async (path) => {
  const opened: Persona[] = [];
  for (const persona of everyone) {
    const response = await ask(persona, path);
    expect(response.status, `${persona} at ${path}`).toBeLessThan(500);
    if (letsIn(response)) opened.push(persona);
  }
  expect(opened).toEqual(
    screens[path]!.redirects
      ? opened
      : everyone.filter((persona) => screens[path]!.who.includes(persona)),
  );
});

test.each(paths)(
  "%s rejects people right after they lose their roles or are banned",
  async (path) => {
    const answer = async (cookie?: string) => letsIn(await askWith(cookie, path));
    expect(await answer(revokedCookies.former)).toBe(await answer(cookies.get("customer")));
    expect(await answer(revokedCookies.banned)).toBe(await answer());
  },
);

test.each(paths)("%s rejects forms from everyone else", async (path) => {
  for (const persona of everyone.filter((candidate) => !screens[path]!.who.includes(candidate))) {
    if (path.startsWith("/login") || path === "/signup") continue;
    const response = await ask(persona, path, "POST");
    expect(letsIn(response), `${persona} posts to ${path}: ${response.status}`).toBe(false);
  }
});

test.each(Object.keys(permissions))(
  "the permission %s is granted only to the people in its row",
  (permission) => {
    const allowed = everyone.filter((persona) => {
      try {
        authorize(actors.get(persona) ?? null, permission as Permission);
        return true;
      } catch {
        return false;
      }
    });
    expect(allowed).toEqual(everyone.filter((persona) => eventsOf[permission]!.includes(persona)));
  },
);

test("every command that changes something authorizes its actor first", async () => {
  const unauthorized: string[] = [];
  for (const file of globSync("app/**/*.server.{ts,tsx}")) {
    const text = await readFile(file, "utf8");
    for (const [, name, body] of text.matchAll(
      /^export async function (\w+)\([^{]*?\bactor: Actor\b[\s\S]*?\{\n([\s\S]*?)^\}/gm,
    )) {
      if (
        /\.(insert|update|delete)\(|transaction\(/.test(body!) &&
        !/^\s*authorize\(actor, "/.test(body!)
      ) {
        unauthorized.push(`${name} in ${file}`);
      }
    }
  }
  expect(unauthorized).toEqual([]);
});

const middleware = new Set(["ALL /*", "ALL *"]);

test("every handler besides the screens has exactly one row", () => {
  const found = new Set(app.product.handlers.map(({ method, path }) => `${method} ${path}`));
  expect([...found].filter((row) => !middleware.has(row)).toSorted()).toEqual(
    Object.keys(handlers).toSorted(),
  );
});

test.each(Object.entries(handlers).filter(([, who]) => who === "signed in" || who === "owner"))(
  "%s refuses a visitor",
  async (row) => {
    const [method = "", path = ""] = row.split(" ");
    const response = await ask("visitor", path, method === "ALL" ? "GET" : method);
    expect(response.ok, `${response.status}`).toBe(false);
    expect(response.status).toBeLessThan(500);
  },
);

test.each(Object.entries(handlers).filter(([, who]) => who === "nobody"))(
  "%s answers 405 to everyone",
  async (row) => {
    const [method = "", path = ""] = row.split(" ");
    for (const persona of everyone) {
      expect((await ask(persona, path, method === "ALL" ? "PUT" : method)).status).toBe(405);
    }
  },
);

test.each(Object.entries(handlers).filter(([, who]) => who === "signed by PayU"))(
  "%s rejects callbacks without a signature",
  async (row) => {
    for (const persona of everyone) {
      const response = await ask(persona, row.split(" ")[1]!, "POST");
      expect(response.ok, `${response.status}`).toBe(false);
      expect(response.status).toBeLessThan(500);
      expect(response.headers.get("set-cookie") ?? "").not.toContain("session");
    }
  },
);

function ask(persona: Persona, path: string, method?: string): Promise<Answer> {
  return askWith(cookies.get(persona), path, method);
}

async function askWith(cookie: string | undefined, path: string, method = "GET") {
  const concrete = path.replace(/:\w+\??/, randomUUID()).replace("*", "nowhere");
  return plainFetch(`${app.origin}${concrete}`, {
    method,
    headers: { ...(cookie && { cookie }), ...(method === "POST" && { origin: app.origin }) },
    ...(method === "POST" && { body: new URLSearchParams({ any: "thing" }) }),
  });
}

/** Checks whether the screen itself answers, even with "not found". Guards redirect instead. */
function letsIn(response: Answer): boolean {
  const target = response.headers.get("location");
  return target === null || !/^\/($|login|admin$|job-board$|reviewer$)/.test(target);
}
