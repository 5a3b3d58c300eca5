import { randomUUID } from "node:crypto";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { contactMentions } from "../../../app/checks/question/tables.server.ts";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { jobFields } from "./things.ts";

/** Hides a listing whose title names a removed contact, if the actor can decide about it. @returns the id of the mention */
export async function contactMention(db: Database, actor: Actor | null): Promise<string> {
  if (!actor?.isGodAdmin) return randomUUID();
  const name = `Leela ${randomUUID().slice(-4)}`;
  const [job] = await db
    .insert(jobs)
    .values({
      ...jobFields,
      title: `Designer for ${name}`,
      postedAt: now(),
      isArchived: true,
      archivedReason: "named",
    })
    .returning({ id: jobs.id });
  const [mention] = await db
    .insert(contactMentions)
    .values({
      kind: "listing",
      subjectId: job!.id,
      jobId: job!.id,
      field: "title",
      person: { email: "leela@removed.example", names: [name], phones: [] },
      wasArchived: false,
      foundAt: now(),
    })
    .returning({ id: contactMentions.id });
  return mention!.id;
}
