import { eq, ne } from "drizzle-orm";
import type { AppContext } from "../../platform/app-context.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { findConfirmedAccount } from "../bans-and-roles.server.ts";
import { endSessionsOf } from "../session.server.ts";
import { authenticators, passkeys, recoveryCodes } from "../tables.server.ts";
import { noteFactorChange } from "./factor-changes.server.tsx";
import { keyId, seal, unseal } from "./factor-keys.server.ts";

type Site = Pick<AppContext, "db" | "config">;

/**
 * Takes away every second factor of a person who lost it, and ends their sessions. Only the operator does
 * this, who has made sure of who asks.
 *
 * @returns false when there was none.
 * @throws {Invalid} when there is no such account.
 */
export async function resetFactors({ db, config }: Site, email: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { id, name, ...user } = await findConfirmedAccount(tx, email);
    if (!(await removeFactors(tx, id))) return false;
    await endSessionsOf(tx, id);
    const person = { id, email: user.email, fullName: name };
    await noteFactorChange(tx, config, person, "factor.reset", "operator");
    return true;
  });
}

async function removeFactors(tx: Database, userId: string): Promise<boolean> {
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
 * Seals every secret with the first key of the settings, so that the others can be taken out of them.
 *
 * @returns how many were sealed anew.
 * @throws {Error} where a secret was sealed with a key that is not in the settings.
 */
export async function reencryptFactors({ db, config }: Site): Promise<number> {
  const keys = config.secondFactorKeys;
  return db.transaction(async (tx) => {
    const old = await tx
      .select()
      .from(authenticators)
      .where(ne(authenticators.keyId, keyId(keys[0]!)))
      .for("update");
    for (const row of old) {
      const sealed = seal(keys, row.userId, unseal(keys, row.userId, row));
      await tx.update(authenticators).set(sealed).where(eq(authenticators.userId, row.userId));
    }
    return old.length;
  });
}
