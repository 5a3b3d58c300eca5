import { randomUUID } from "node:crypto";
import { alerts } from "../../../app/seekers/alerts/tables.server.ts";
import { hour, now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";

/** Creates an active alert for all jobs, which starts an hour ago. @returns its id */
export async function jobAlert(
  db: Database,
  fields: Partial<typeof alerts.$inferInsert> & { email: string },
): Promise<string> {
  const createdAt = new Date(now().getTime() - hour);
  const [alert] = await db
    .insert(alerts)
    .values({
      query: "",
      frequency: "daily",
      state: "active",
      createdAt,
      confirmedAt: createdAt,
      sentUntil: createdAt,
      ...fields,
    })
    .returning({ id: alerts.id });
  return alert!.id;
}

/** Creates an alert of a person at an address of its own. @returns its id; one that doesn't exist for a visitor */
export async function spareAlert(db: Database, actor: { id: string } | null): Promise<string> {
  const id = randomUUID();
  if (actor) await jobAlert(db, { id, email: `${id}@example.com`, userId: actor.id });
  return id;
}
