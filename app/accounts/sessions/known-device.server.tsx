import { randomBytes } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { RouterContextProvider } from "react-router";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { day, now, second, formatShortDateTime } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Cookie, readCookie, setCookie } from "../../platform/cookies.ts";
import type { Database } from "../../platform/database.server.ts";
import { isSignature, signText } from "../../platform/signed-ids.server.ts";
import { addToast } from "../../platform/toasts.server.ts";
import { NewDeviceMail } from "../emails.tsx";
import { restoreAccount } from "../restore-account.server.tsx";
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

type Settings = Pick<Config, "origin" | "port" | "secrets">;
type Context = Readonly<RouterContextProvider>;

/**
 * Remembers the accounts that signed in on this device. The cookie grants no access. It keeps guesses made
 * elsewhere from locking the owner out, and avoids emails about their own device. It holds a random id and our
 * signature for each account, so that it reveals no address and we store nothing.
 */
const cookie: Cookie = { name: "known-device", isOfPort: true };
const lifetime = 365 * day;
/** The purpose of the signatures. */
const purpose = "known-device";
/** The number of people who can share a device. */
const maxAccounts = 5;

/** Returns this device's signature for the account; null if the account doesn't know the device. */
export function findKnownDevice(
  settings: Settings,
  header: string | null,
  email: string,
): string | null {
  const { device, signatures } = readDevice(settings, header);
  return signatures.find((one) => isSignatureOf(settings, { device, email }, one)) ?? null;
}

/** Builds the `Set-Cookie` header that makes the device known to the account. */
export function buildKnownDeviceCookie(
  settings: Settings,
  header: string | null,
  email: string,
): string {
  const { device, signatures } = readDevice(settings, header);
  const signature = signText(settings, purpose, toSignedText({ device, email }));
  const others = signatures
    .filter((one) => !isSignatureOf(settings, { device, email }, one))
    .slice(0, maxAccounts - 1);
  const value = [device, signature.toString("base64url"), ...others].join(".");
  return setCookie(cookie, value, lifetime / second, settings);
}

/** Reads the facts about a browser that opening a session for this account needs. */
export function readKnownBrowser(context: Context, request: Request, email: string): Browser {
  const { config } = context.get(appContext);
  const device = findKnownDevice(config, request.headers.get("cookie"), email);
  return { ...readBrowser(context, request), isKnown: device !== null };
}

/** Sets the session cookie, and makes the device known to the account. */
export function setSessionCookies(
  context: Context,
  request: Request,
  { session, email }: { session: Session; email: string },
): void {
  const { config } = context.get(appContext);
  const device = buildKnownDeviceCookie(config, request.headers.get("cookie"), email);
  context.get(requestFacts).setCookies.push(buildSessionCookie(config, session), device);
  if (session.isRestored)
    addToast(context, {
      kind: "success",
      title: "Your account is open again",
      description: "Links to your reviews, job alerts, your subscription and roles stay ended.",
    });
}

/** Reads the cookie. A device without one gets a new id. */
function readDevice(settings: Settings, header: string | null) {
  const [device = "", ...signatures] = (readCookie(cookie, header, settings) ?? "").split(".");
  if (!/^[\w-]{22}$/.test(device)) return { device: generateDeviceId(), signatures: [] };
  return {
    device,
    signatures: signatures
      .slice(0, maxAccounts)
      .filter((signature) => /^[\w-]{43}$/.test(signature)),
  };
}

function generateDeviceId(): string {
  return randomBytes(16).toString("base64url");
}

type KnownDevice = { device: string; email: string };

function isSignatureOf(settings: Settings, device: KnownDevice, signature: string): boolean {
  return isSignature(settings, purpose, toSignedText(device), Buffer.from(signature, "base64url"));
}

function toSignedText({ device, email }: KnownDevice): string {
  return `${device}\n${email}`;
}

/**
 * Opens a session, and emails the person if the account doesn't know the device. The first sign-in sends no
 * email. Signing in to a closed account restores it.
 */
export async function openSessionAndNotify(
  tx: Database,
  { product, origin }: Config,
  { id, email }: { id: string; email: string },
  browser: Browser,
): Promise<Session> {
  const isRestored = await restoreAccount(tx, { product, origin }, id);
  const isFirst = await recordFirstSignIn(tx, id);
  const session = { ...(await openSession(tx, id, browser)), isRestored };
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

/** Runs before the session is opened, which takes a weaker lock on the same row. */
async function recordFirstSignIn(tx: Database, userId: string): Promise<boolean> {
  const updated = await tx
    .update(users)
    .set({ firstSignInAt: now() })
    .where(and(eq(users.id, userId), isNull(users.firstSignInAt)))
    .returning({ id: users.id });
  return updated.length > 0;
}
