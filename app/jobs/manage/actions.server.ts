import { type MiddlewareFunction, redirect } from "react-router";
import { z } from "zod";
import { type Actor, currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { type Failure, failure, formActions, formIntent } from "../../platform/forms.server.ts";
import { toast } from "../../platform/toasts.server.ts";
import { jobTypes, webLink } from "../rules.ts";
import {
  archiveJob,
  createJob,
  deleteJob,
  unarchiveJob,
  updateJob,
} from "./job-commands.server.ts";
import {
  intentCopy,
  type JobIntent,
  longest,
  manageAddress,
  messages,
  readManageQuery,
} from "./rules.ts";

const tooLong = (most: number) =>
  `Please keep this within ${most.toLocaleString("en-IN")} characters`;

/** One line: whatever else a paste brings along becomes a space. */
const line = z
  .string()
  .default("")
  .transform((text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim());

/** Several lines, with one kind of line end and no characters that a database refuses. */
const lines = z
  .string()
  .default("")
  .transform((text) =>
    text
      .replace(/\r\n?/g, "\n")
      .replace(/[^\P{Cc}\n\t]/gu, "")
      .trim(),
  );

const orNull = (text: string) => text || null;

function optional(most: number) {
  return line.pipe(z.string().max(most, tooLong(most)).transform(orNull));
}

function required(most: number, message: string) {
  return lines.pipe(z.string().min(1, message).max(most, tooLong(most)));
}

function atLeast(least: number, most: number, message: string) {
  return line.pipe(z.string().min(least, message).max(most, tooLong(most)));
}

function link(most: number) {
  return line.pipe(
    z
      .string()
      .max(most, tooLong(most))
      .refine((text) => text === "" || webLink(text) !== null, "Must be a valid URL")
      .transform(orNull),
  );
}

/** The fields of a listing, the same for whoever writes it. */
export const jobFields = z.object({
  title: atLeast(3, longest.title, "Job title must be at least 3 characters"),
  company: atLeast(2, longest.company, "Company name is required"),
  location: atLeast(2, longest.location, "Location is required"),
  jobType: z.enum(jobTypes, "Please select a valid job type").default("Full-time"),
  compensation: optional(longest.compensation),
  description: required(longest.description, "Please summarise the job"),
  largeDescription: required(longest.largeDescription, "Please describe the job in detail"),
  pocName: optional(longest.pocName),
  pocContact: optional(longest.pocContact),
  portalApplicationLink: link(longest.portalApplicationLink),
  directApplicationLink: link(longest.directApplicationLink),
});

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

/** Stands before a guard: tells who sends a listing without a session why they have to sign in. */
export const saySignedOut: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (request.method === "POST" && !context.get(currentActor) && (await isListing(request))) {
    toast(context, { kind: "error", title: messages.signedOut });
  }
  return next();
};

async function isListing(request: Request): Promise<boolean> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded")) return false;
  const intent = new URLSearchParams(await request.clone().text()).get("intent");
  return intent === "create-job" || intent === "update-job";
}
