import { data, redirect, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { attempt, readForm } from "../../platform/forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { toast } from "../../platform/toasts.server.ts";
import { archiveJob, unarchiveJob } from "./archive-job.server.ts";
import { createJob } from "./create-job.server.ts";
import { deleteJob } from "./delete-job.server.ts";
import { manageAddress, readManageQuery } from "./query.ts";
import { manageForm } from "./forms.server.ts";
import { intentCopy, type JobIntent, messages } from "./rules.ts";
import { updateJob } from "./update-job.server.ts";

type Asked = { request: Request; url: URL; context: Readonly<RouterContextProvider> };

/** Does what was sent from a screen of listings, and goes back to its list. */
export async function manageJobsAction({ request, url, context }: Asked) {
  const form = await readForm(request, manageForm);
  if (!form.ok) return form.refusal;
  const { value, values } = form;
  const list = { ...readManageQuery(url.searchParams), form: null };
  if (value.intent === "create-job") {
    // A new listing is the newest of the open ones: it is seen where nothing is filtered.
    return save(context, value, values, url.pathname);
  }
  const back = manageAddress(url.pathname, list);
  return value.intent === "update-job"
    ? save(context, value, values, back)
    : press(context, value.intent, value.id, back);
}

type Saved = Extract<z.output<typeof manageForm>, { intent: "create-job" | "update-job" }>;

async function save(
  context: Asked["context"],
  { intent, id, ...job }: Saved,
  values: Record<string, string>,
  back: string,
) {
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const saved = await attempt(
    context,
    async () =>
      intent === "create-job"
        ? await createJob(db, actor, job, id)
        : await updateJob(db, actor, id ?? "", job),
    { values, fallback: messages.saveFailed },
  );
  if (!saved.ok) {
    toast(context, { kind: "error", title: saved.message });
    return saved.refusal;
  }
  const title = `Job listing ${intent === "create-job" ? "created" : "updated"} successfully`;
  toast(context, { kind: "success", title });
  return redirect(back);
}

const commands = {
  "archive-job": archiveJob,
  "unarchive-job": unarchiveJob,
  "delete-job": deleteJob,
};

async function press(context: Asked["context"], intent: JobIntent, id: string, back: string) {
  const { done, failed } = intentCopy[intent];
  const { db } = context.get(appContext);
  const pressed = await attempt(
    context,
    () => commands[intent](db, context.get(currentActor), id),
    {
      fallback: failed,
    },
  );
  if (pressed.ok) {
    toast(context, { kind: "success", title: done });
    return redirect(back);
  }
  const said = pressed.message === failed ? undefined : pressed.message;
  toast(context, { kind: "error", title: failed, description: said });
  return data({ errors: {}, values: {} }, pressed.refusal.init ?? undefined);
}
