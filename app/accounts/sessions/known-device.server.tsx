import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { RouterContextProvider } from "react-router";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { day, now, second, formatShortDateTime } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Cookie, readCookie, setCookie } from "../../platform/cookies.ts";
import type { Database } from "../../platform/database.server.ts";
import { NewDeviceMail } from "../emails.tsx";
import {
  readBrowser,
  type Browser,
  hashToken,
  openSession,
  type Session,
  buildSessionCookie,
} from "../session.server.ts";
import { formatDevice } from "./sessions.server.ts";
import { users } from "../tables.server.ts";

type Settings = Pick<Config, "origin" | "port" | "secret">;
type Context = Readonly<RouterContextProvider>;

/**
 * A device is known to an account that signed in on it. The cookie grants no access. It keeps guesses made
 * elsewhere from locking the owner out, and avoids mails about their own device. It holds a random number and
 * one mark for each account that only we can make: it reveals no address, and we store nothing.
 */
const cookie: Cookie = { name: "known-device", isOfPort: true };
const lifetime = 365 * day;
/** People who share a device. */
const mostAccounts = 5;

/** The mark by which this device is known to the account; null when it is not. */
export function findKnownDevice(
  settings: Settings,
  header: string | null,
  email: string,
): string | null {
  const { device, marks } = readDevice(settings, header);
  const mark = signDevice(settings, device, email);
  return marks.some((one) => isSameMark(one, mark)) ? mark : null;
}

/** The `Set-Cookie` header that makes the device known to the account. */
export function buildKnownDeviceCookie(
  settings: Settings,
  header: string | null,
  email: string,
): string {
  const { device, marks } = readDevice(settings, header);
  const mark = signDevice(settings, device, email);
  const others = marks.filter((one) => one !== mark).slice(0, mostAccounts - 1);
  const value = [device, mark, ...others].join(".");
  return setCookie(cookie, value, lifetime / second, settings);
}

/** Reads the facts about a browser that opening a session for this account needs. */
export function readKnownBrowser(context: Context, request: Request, email: string): Browser {
  const { config } = context.get(appContext);
  const device = findKnownDevice(config, request.headers.get("cookie"), email);
  return { ...readBrowser(context, request), isKnown: device !== null };
}

/** Gives the browser that asks its session, and makes its device known to the account. */
export function setSessionCookies(
  context: Context,
  request: Request,
  { session, email }: { session: Session; email: string },
): void {
  const { config } = context.get(appContext);
  const device = buildKnownDeviceCookie(config, request.headers.get("cookie"), email);
  context.get(requestFacts).setCookies.push(buildSessionCookie(config, session), device);
}

/** Reads the cookie. A device without one gets a new number. */
function readDevice(
  settings: Settings,
  header: string | null,
): { device: string; marks: string[] } {
  const [device = "", ...marks] = (readCookie(cookie, header, settings) ?? "").split(".");
  if (!/^[\w-]{22}$/.test(device)) return { device: generateDeviceId(), marks: [] };
  return { device, marks: marks.slice(0, mostAccounts).filter((mark) => /^[\w-]{43}$/.test(mark)) };
}

function generateDeviceId(): string {
  return randomBytes(16).toString("base64url");
}

function signDevice({ secret }: Settings, device: string, email: string): string {
  return createHmac("sha256", secret)
    .update(`known-device\n${device}\n${email}`)
    .digest("base64url");
}

function isSameMark(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Opens a session, and mails its person when it is on a device that the account does not know. Their
 * first one is no news to them.
 */
export async function openSessionAndNotify(
  tx: Database,
  { product, origin }: Config,
  { id, email }: { id: string; email: string },
  browser: Browser,
): Promise<Session> {
  const isFirst = await recordFirstSignIn(tx, id);
  const session = await openSession(tx, id, browser);
  if (isFirst || browser.isKnown) return session;
  const device = formatDevice(browser.userAgent ?? null);
  await queueMail(tx, {
    cause: `new-device:${hashToken(session.token)}`,
    to: email,
    subject: `New sign-in to your ${product.name} account`,
    body: <NewDeviceMail {...{ product, origin, device, at: formatShortDateTime(now()) }} />,
  });
  return session;
}

/** Before the session is opened, which locks the person's row as well, and more weakly. */
async function recordFirstSignIn(tx: Database, userId: string): Promise<boolean> {
  const noted = await tx
    .update(users)
    .set({ firstSignInAt: now() })
    .where(and(eq(users.id, userId), isNull(users.firstSignInAt)))
    .returning({ id: users.id });
  return noted.length > 0;
}
