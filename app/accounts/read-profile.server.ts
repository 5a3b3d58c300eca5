import { eq } from "drizzle-orm";
import type { Database } from "../platform/database.server.ts";
import { profiles } from "./tables.server.ts";

export type OwnProfile = { fullName: string | null; phone: string | null; createdAt: Date };

/** What the product knows of this person; null when there is no profile. */
export async function readOwnProfile(
  db: Database,
  actor: { id: string },
): Promise<OwnProfile | null> {
  const [profile] = await db
    .select({
      fullName: profiles.fullName,
      phone: profiles.phone,
      createdAt: profiles.createdAt,
    })
    .from(profiles)
    .where(eq(profiles.id, actor.id));
  return profile ?? null;
}
