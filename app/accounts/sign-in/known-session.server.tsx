import { and, eq, isNull } from "drizzle-orm";
import { queueMail } from "../../mail/mails.server.ts";
import { now, shortDateTime } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { NewDeviceMail } from "../emails.tsx";
import { type Browser, hashToken, openSession, type Session } from "../session.server.ts";
import { deviceCopy } from "../sessions/device.server.ts";
import { users } from "../tables.server.ts";

/**
 * Opens a session, and mails its person when it is on a device that the account does not know. Their
 * first one is no news to them.
 */
export async function openKnownSession(
  tx: Database,
  { product, origin }: Config,
  { id, email }: { id: string; email: string },
  browser: Browser,
): Promise<Session> {
  const isFirst = await noteFirstSignIn(tx, id);
  const session = await openSession(tx, id, browser);
  if (isFirst || browser.isKnown) return session;
  const device = deviceCopy(browser.userAgent ?? null);
  await queueMail(tx, {
    cause: `new-device:${hashToken(session.token)}`,
    to: email,
    subject: `A new device signed in to your ${product.name} account`,
    body: <NewDeviceMail {...{ product, origin, device, at: shortDateTime(now()) }} />,
  });
  return session;
}

/** Before the session is opened, which locks the person's row as well, and more weakly. */
async function noteFirstSignIn(tx: Database, userId: string): Promise<boolean> {
  const noted = await tx
    .update(users)
    .set({ firstSignInAt: now() })
    .where(and(eq(users.id, userId), isNull(users.firstSignInAt)))
    .returning({ id: users.id });
  return noted.length > 0;
}
