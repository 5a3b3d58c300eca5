import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { type Material, materialsOf } from "../materials.ts";
import { type MarkedReview, readMarkedReview } from "../remarks/editor-data.server.ts";
import type { ServiceType } from "../rules.ts";
import { serviceReviews } from "../tables.server.ts";
import { asShown } from "../workspace/find.server.ts";

/** Reads what is marked of a completed review; null for any other. */
export async function readCompletedRemarks(
  db: Database,
  actor: Actor | null,
  id: string,
): Promise<
  (MarkedReview & { id: string; serviceType: ServiceType; materials: Material[] }) | null
> {
  authorize(actor, "review.oversee");
  if (!isUuid(id)) return null;
  const [review] = await db
    .select()
    .from(serviceReviews)
    .where(and(eq(serviceReviews.id, id), eq(serviceReviews.status, "completed")));
  if (!review) return null;
  return {
    id,
    serviceType: review.serviceType,
    materials: await asShown(db, materialsOf(review)),
    ...(await readMarkedReview(db, review)),
  };
}
