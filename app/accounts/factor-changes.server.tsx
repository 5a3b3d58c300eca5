import { randomUUID } from "node:crypto";
import { eq, ne } from "drizzle-orm";
import { MailAction, MailLayout, MailText } from "../mail/mail-layout.tsx";
import { queueMail } from "../mail/deliver-mail.server.ts";
import type { AppContext } from "../platform/app-context.server.ts";
import { recordAuditEvents } from "../platform/audit.server.ts";
import type { Config } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import { getConfirmedAccount } from "./bans-and-roles.server.ts";
import { revokeUserSessions } from "./session.server.ts";
import { authenticators, passkeys, recoveryCodes } from "./tables.server.ts";
import { getKeyId, sealSecret, unsealSecret } from "./factor-keys.server.ts";

/** The text of each security email. People can't turn these off. */
const changes = {
  "factor.add": {
    title: "An authenticator app was set up",
    text: "From now on, you need a code from your authenticator app as well as your password. You were signed out on all other devices.",
  },
  "factor.renew-codes": {
    title: "Your recovery codes were replaced",
    text: "You have new recovery codes. The old ones no longer work.",
  },
  "factor.remove": {
    title: "Your authenticator app was turned off",
    text: "You no longer need a code to log in with your password.",
  },
  "factor.use-recovery-code": {
    title: "A recovery code was used",
    text: "Someone, probably you, signed in with one of your recovery codes. It won't work again.",
  },
  "passkey.add": {
    title: "A passkey was added",
    text: "A new passkey can sign in to your account without your password or a code.",
  },
  "passkey.remove": {
    title: "A passkey was removed",
    text: "One of your passkeys no longer works.",
  },
  "factor.reset": {
    title: "Your second factor was reset",
    text: "Our team removed your authenticator app, recovery codes and passkeys, and signed you out everywhere. Log in with your password to set them up again.",
  },
} as const;

type FactorChange = keyof typeof changes;

type Person = { id: string; email: string; fullName: string | null };

/**
 * Records a change of a second factor in the audit log and emails its owner, in the same transaction.
 *
 * @param by the author of the change, if not the person
 */
export async function recordFactorChange(
  tx: Database,
  config: Config,
  person: Person,
  event: FactorChange,
  by?: "operator",
): Promise<void> {
  const subject = { type: "user", id: person.id };
  await recordAuditEvents(tx, [{ actor: by ?? person, event, subject }]);
  await queueMail(tx, {
    cause: `factor-changed:${randomUUID()}`,
    to: person.email,
    subject: `${changes[event].title} (${config.product.name})`,
    body: <FactorChangeMail {...changes[event]} config={config} />,
  });
}

type Props = { title: string; text: string; config: Config };

function FactorChangeMail({ title, text, config: { product, origin } }: Props) {
  return (
    <MailLayout product={product} title={title} preview={text}>
      <MailText>{text}</MailText>
      <MailText>If this wasn't you, create a new password right away and contact us.</MailText>
      <MailAction href={`${origin}/forgot-password`}>Create a new password</MailAction>
    </MailLayout>
  );
}

type Site = Pick<AppContext, "db" | "config">;

/**
 * Removes every second factor of a person and ends their sessions, for the operator, who verifies the person
 * first.
 *
 * @returns false if there was none.
 * @throws {Invalid} if there is no such account.
 */
export async function resetFactors({ db, config }: Site, email: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { id, name, ...user } = await getConfirmedAccount(tx, email);
    if (!(await deleteFactors(tx, id))) return false;
    await revokeUserSessions(tx, id);
    const person = { id, email: user.email, fullName: name };
    await recordFactorChange(tx, config, person, "factor.reset", "operator");
    return true;
  });
}

async function deleteFactors(tx: Database, userId: string): Promise<boolean> {
  const removed = await tx
    .delete(authenticators)
    .where(eq(authenticators.userId, userId))
    .returning({ userId: authenticators.userId });
  const removedPasskeys = await tx
    .delete(passkeys)
    .where(eq(passkeys.userId, userId))
    .returning({ id: passkeys.id });
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  return removed.length + removedPasskeys.length > 0;
}

/**
 * Encrypts every secret with the first key of the settings, so that the other keys can be removed.
 *
 * @returns the number of secrets that changed.
 * @throws {Error} if a secret needs a key that isn't in the settings.
 */
export async function reencryptFactors({ db, config }: Site): Promise<number> {
  const keys = config.secondFactorKeys;
  return db.transaction(async (tx) => {
    const old = await tx
      .select()
      .from(authenticators)
      .where(ne(authenticators.keyId, getKeyId(keys[0]!)))
      .for("update");
    for (const row of old) {
      const sealed = sealSecret(keys, row.userId, unsealSecret(keys, row.userId, row));
      await tx.update(authenticators).set(sealed).where(eq(authenticators.userId, row.userId));
    }
    return old.length;
  });
}
