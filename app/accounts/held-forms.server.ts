import { randomBytes } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
import type { RouterContextProvider } from "react-router";
import { hour, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { machine, requestFacts } from "../platform/machine.server.ts";
import { heldForms } from "./tables.server.ts";

const cookie = "held-form";
const lifetime = hour;
/** Longer than any text that a form of ours takes. */
const longestForm = 200_000;

/**
 * Keeps a form whose sender turned out to be signed out, so that nothing typed is lost while they
 * sign in. Passwords and files are not kept. The browser gets a cookie that names what was kept.
 *
 * @param path the path of the screen that shows the form, without a query
 */
export async function holdForm(
  context: Readonly<RouterContextProvider>,
  request: Request,
  path: string,
): Promise<void> {
  if (!request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")) return;
  const text = await request.clone().text();
  if (text.length === 0 || text.length > longestForm) return;
  const fields = Object.fromEntries(
    [...new URLSearchParams(text)].filter(([name]) => !/password/i.test(name)),
  );
  const id = randomBytes(24).toString("base64url");
  await context.get(machine).db.insert(heldForms).values({ id, path, fields, createdAt: now() });
  context
    .get(requestFacts)
    .setCookies.push(`${cookie}=${id}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetime / 1000}`);
}

/** Gives back, once, what was typed into the form of this screen before its sender had to sign in. */
export async function takeHeldForm(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<Record<string, string>> {
  const id = new RegExp(`(?:^|;\\s*)${cookie}=([\\w-]{32})`).exec(
    request.headers.get("cookie") ?? "",
  )?.[1];
  if (!id) return {};
  // The router asks for a screen's data at an address of its own.
  const pathname = new URL(request.url).pathname.replace(/\.data$/, "");
  const [held] = await context
    .get(machine)
    .db.delete(heldForms)
    .where(and(eq(heldForms.id, id), eq(heldForms.path, pathname)))
    .returning();
  if (!held) return {};
  context
    .get(requestFacts)
    .setCookies.push(`${cookie}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`);
  return held.createdAt.getTime() + lifetime > now().getTime() ? held.fields : {};
}

/** Forgets forms that nobody came back for. */
export async function forgetHeldForms(db: Database): Promise<void> {
  await db.delete(heldForms).where(lt(heldForms.createdAt, new Date(now().getTime() - lifetime)));
}
