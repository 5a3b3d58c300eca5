import { randomUUID } from "node:crypto";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { contactMentions } from "../../../app/checks/question/tables.server.ts";
import { now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { insertJob } from "./jobs.ts";

/** Hides a listing whose title names a removed contact, if the actor can decide about it. @returns the id of the mention */
export async function contactMention(db: Database, actor: Actor | null): Promise<string> {
  if (!actor?.isGodAdmin) return randomUUID();
  const name = `Leela ${randomUUID().slice(-4)}`;
  const hidden = { isArchived: true, archivedReason: "named" } as const;
  const { id: jobId } = await insertJob(db, { title: `Designer for ${name}`, ...hidden });
  const [mention] = await db
    .insert(contactMentions)
    .values({
      kind: "listing",
      subjectId: jobId,
      jobId,
      field: "title",
      person: { email: "leela@removed.example", names: [name], phones: [] },
      wasArchived: false,
      foundAt: now(),
    })
    .returning({ id: contactMentions.id });
  return mention!.id;
}
