import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { and, eq, lt, sql } from "drizzle-orm";
import type { RouterContextProvider } from "react-router";
import { readFormWithFile } from "../files/receive/one-file-form.server.ts";
import { appContext, requestFacts, type Toast } from "../platform/app-context.server.ts";
import { hour, now, second } from "../platform/clock.ts";
import { type Cookie, expireCookie, readCookie, setCookie } from "../platform/cookies.ts";
import type { Database } from "../platform/database.server.ts";
import { isExpected } from "../platform/errors.ts";
import { countAsker, type RateLimit } from "../platform/rate-limit.server.ts";
import { addToast } from "../platform/toasts.server.ts";
import { personHeader } from "../ui/expected-user.ts";
import { currentActor } from "./actor.server.ts";
import { interruptedForms } from "./tables.server.ts";

type Context = Readonly<RouterContextProvider>;

/** Holds the key to the saved form, which the next page fills in. */
export const interruptedFormCookie: Cookie = { name: "held-form" };
const lifetime = hour;
/** In bytes. */
const keyLength = 32;
/** In bytes. The longest text is feedback of 50,000 characters, with three bytes each in Hindi. */
export const maxFormBytes = 180_000;
/** The size limit in bytes for all stored forms together, so that visitors cannot fill the database. */
export const maxTotalBytes = 32 * 1024 * 1024;
/** A low limit, because sessions rarely end in the middle of a form. */
const interruptedFormByClient: RateLimit = { name: "held-form-client", max: 10, windowMs: hour };

/**
 * Saves a form whose session has ended, so that nothing typed is lost while the person signs in. Passwords,
 * codes, files and forms above the limits are not saved. Only the browser gets the key to the form, in a
 * cookie.
 *
 * @param path the path of the screen that shows the form, without a query
 */
export async function saveInterruptedForm(
  context: Context,
  request: Request,
  path: string,
): Promise<void> {
  const typed = (await readTexts(request)).filter(([name]) => !/password|^code$/i.test(name));
  if (typed.length === 0) return;
  const person = request.headers.get(personHeader);
  const fields = JSON.stringify(person ? [...typed, [personHeader, person]] : typed);
  const key = randomBytes(keyLength);
  const isSaved =
    Buffer.byteLength(fields) <= maxFormBytes &&
    (await isWithinFormLimit(context)) &&
    (await insertInterruptedForm(context.get(appContext).db, {
      id: hashFormKey(key),
      path,
      sealed: sealFields(key, fields),
    }));
  if (!isSaved) return addToast(context, notSavedToast);
  const { config } = context.get(appContext);
  const cookie = setCookie(
    interruptedFormCookie,
    key.toString("base64url"),
    lifetime / second,
    config,
  );
  context.get(requestFacts).setCookies.push(cookie);
}

/** Reads the texts of a form. Files are dropped. */
async function readTexts(request: Request): Promise<[string, string][]> {
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("application/x-www-form-urlencoded"))
    return [...new URLSearchParams(await request.clone().text())];
  if (!type.startsWith("multipart/form-data")) return [];
  const form = await readFormWithFile(request, 0);
  return [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
}

const notSavedToast: Toast = {
  kind: "warning",
  title: "We couldn't save what you typed",
  description: "It was too long, or your network sent too many forms.",
};

async function isWithinFormLimit(context: Context): Promise<boolean> {
  try {
    await countAsker(context, interruptedFormByClient);
    return true;
  } catch (error) {
    if (isExpected(error)) return false;
    throw error;
  }
}

type InterruptedForm = Pick<typeof interruptedForms.$inferInsert, "id" | "path" | "sealed">;

/** Concurrent inserts run one at a time, which makes the limit exact. */
async function insertInterruptedForm(db: Database, form: InterruptedForm): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('held-forms', 0))`);
    await deleteExpiredInterruptedForms(tx);
    const [{ size } = { size: 0 }] = await tx
      .select({
        size: sql`coalesce(sum(octet_length(${interruptedForms.sealed})), 0)`.mapWith(Number),
      })
      .from(interruptedForms);
    if (size + form.sealed.length > maxTotalBytes) return false;
    await tx.insert(interruptedForms).values({ ...form, createdAt: now() });
    return true;
  });
}

/**
 * Restores, once, the form that was typed on this screen before its sender had to sign in. If the request named
 * its sender, only that person gets it.
 */
export async function restoreInterruptedForm(
  context: Context,
  request: Request,
): Promise<Record<string, string>> {
  const { config, db } = context.get(appContext);
  const cookie = readCookie(interruptedFormCookie, request.headers.get("cookie"), config);
  const key = Buffer.from(cookie ?? "", "base64url");
  if (key.length !== keyLength) return {};
  // The router requests a screen's data at a URL with a suffix.
  const pathname = new URL(request.url).pathname.replace(/\.data$/, "");
  const [saved] = await db
    .delete(interruptedForms)
    .where(and(eq(interruptedForms.id, hashFormKey(key)), eq(interruptedForms.path, pathname)))
    .returning();
  if (!saved) return {};
  context.get(requestFacts).setCookies.push(expireCookie(interruptedFormCookie, config));
  if (saved.createdAt.getTime() + lifetime <= now().getTime()) return {};
  const { [personHeader]: person, ...fields } = Object.fromEntries(
    JSON.parse(unsealFields(key, saved.sealed)) as [string, string][],
  );
  const isTheirs = person === undefined || person === context.get(currentActor)?.id;
  return isTheirs ? fields : {};
}

/** Deletes forms that were never restored. @returns how many */
export async function deleteExpiredInterruptedForms(db: Database): Promise<number> {
  const before = new Date(now().getTime() - lifetime);
  const { rowCount } = await db
    .delete(interruptedForms)
    .where(lt(interruptedForms.createdAt, before));
  return rowCount ?? 0;
}

function hashFormKey(key: Buffer): string {
  return createHash("sha256").update(key).digest("base64url");
}

const algorithm = "aes-256-gcm";
/** Each key encrypts only one form, so that a fixed IV is safe. */
const iv = Buffer.alloc(12);
const tagLength = 16;

function sealFields(key: Buffer, text: string): Buffer {
  const cipher = createCipheriv(algorithm, key, iv);
  return Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

function unsealFields(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagLength });
  decipher.setAuthTag(sealed.subarray(-tagLength));
  return Buffer.concat([
    decipher.update(sealed.subarray(0, -tagLength)),
    decipher.final(),
  ]).toString();
}
