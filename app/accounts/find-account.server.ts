import { eq } from "drizzle-orm";
import type { Database } from "../platform/database.server.ts";
import { Invalid } from "../platform/errors.ts";
import { users } from "./tables.server.ts";

/**
 * The confirmed account of an address, for the operator's commands; its row is locked.
 *
 * @throws {Invalid} when there is no such account or it was never confirmed.
 */
export async function findConfirmedAccount(tx: Database, email: string) {
  const [user] = await tx
    .select()
    .from(users)
    .where(eq(users.email, email.trim().toLowerCase()))
    .for("update");
  if (!user) throw new Invalid({ email: `No account has the address ${email}.` });
  if (!user.emailVerified)
    throw new Invalid({ email: `The address ${email} is not confirmed yet.` });
  return user;
}
