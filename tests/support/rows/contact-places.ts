import { randomUUID } from "node:crypto";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { contactPlaces } from "../../../app/checks/contact/tables.server.ts";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { jobFields } from "./things.ts";

/** Hides a listing whose title names a removed contact, if the actor can decide about it. @returns the id of the place */
export async function contactPlace(db: Database, actor: Actor | null): Promise<string> {
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
  const [place] = await db
    .insert(contactPlaces)
    .values({
      kind: "listing",
      subjectId: job!.id,
      jobId: job!.id,
      field: "title",
      person: { email: "leela@removed.example", names: [name], phones: [] },
      wasArchived: false,
      foundAt: now(),
    })
    .returning({ id: contactPlaces.id });
  return place!.id;
}
