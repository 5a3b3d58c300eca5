import { redirect } from "react-router";
import { z } from "zod";
import { type Actor, currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { type Failure, failure, formActions, formIntent } from "../../platform/forms.server.ts";
import { archiveJob, unarchiveJob } from "./archive-job.server.ts";
import { createJob } from "./create-job.server.ts";
import { deleteJob } from "./delete-job.server.ts";
import { jobFields } from "./forms.server.ts";
import { manageAddress, readManageQuery } from "./query.ts";
import { intentCopy, type JobIntent, messages } from "./rules.ts";
import { updateJob } from "./update-job.server.ts";

const saving = {
  fallback: messages.saveFailed,
  failed: ({ message, refusal }: Failure) => ({
    toast: failure(message, message),
    data: refusal,
  }),
};

type Command = (db: Database, actor: Actor | null, id: string) => Promise<void>;

const pressed = (intent: JobIntent, command: Command) =>
  formIntent({
    schema: z.object({ id: z.string() }),
    run: ({ context, value: { id } }) =>
      command(context.get(appContext).db, context.get(currentActor), id),
    done: (_done, { url }) => goTo(listAt(url), intentCopy[intent].done),
    fallback: intentCopy[intent].failed,
    failed: intentCopy[intent].failed,
  });

/** The action of the screens of listings; what was done is seen in their list. */
export const manageJobsAction = formActions({
  "create-job": formIntent({
    ...saving,
    schema: jobFields.extend({ id: z.string().optional() }),
    run: ({ context, value: { id, ...job } }) =>
      createJob(context.get(appContext).db, context.get(currentActor), job, id),
    // A new listing is the newest of the open ones: it is seen where nothing is filtered.
    done: (_id, { url }) => goTo(url.pathname, "Job listing created successfully"),
  }),
  "update-job": formIntent({
    ...saving,
    schema: jobFields.extend({ id: z.string() }),
    run: ({ context, value: { id, ...job } }) =>
      updateJob(context.get(appContext).db, context.get(currentActor), id, job),
    done: (_done, { url }) => goTo(listAt(url), "Job listing updated successfully"),
  }),
  "archive-job": pressed("archive-job", archiveJob),
  "unarchive-job": pressed("unarchive-job", unarchiveJob),
  "delete-job": pressed("delete-job", deleteJob),
});

function goTo(address: string, title: string) {
  return { toast: { kind: "success" as const, title }, data: redirect(address) };
}

function listAt({ pathname, searchParams }: URL): string {
  return manageAddress(pathname, { ...readManageQuery(searchParams), form: null });
}
