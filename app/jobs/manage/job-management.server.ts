import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { data, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { type Actor, currentActor } from "../../accounts/actor.server.ts";
import { authorize, permissions } from "../../accounts/permissions.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { appContext, type UndoForm } from "../../platform/app-context.server.ts";
import { formatShortDate, now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import {
  runCommand,
  type Failure,
  buildFailureToast,
  createFormActions,
  createFormIntent,
} from "../../platform/forms.server.ts";
import { readPageOrLast } from "../../platform/lists/list.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { addToast } from "../../platform/toasts.server.ts";
import { type OwnPath, getOwnPath } from "../../platform/own-path.ts";
import { buildJobFilter } from "../filters/job-filter.server.ts";
import { namesContact, newestFirst } from "../find.server.ts";
import { listBouncedAddresses } from "../contact/stopped-contacts.server.ts";
import { isInScope, type ListingScope } from "../own-listings.server.ts";
import { jobs } from "../tables.server.ts";
import { describeArchived, hasLapsed } from "../check-rules.ts";
import { countDueChecks } from "../due-checks.server.ts";
import {
  archiveJob,
  columns,
  createJob,
  deleteJob,
  unarchiveJob,
  updateJob,
  type PublishSettings,
  getJobVersion,
  toPublishSettings,
  toWrittenFields,
} from "./job-commands.server.ts";
import { closingForm } from "./details/closing-date.server.ts";
import { jobFields, toJobValues } from "./job-fields.server.ts";
import { restoreListing } from "./restore-listing.server.ts";
import { countByState, selectByState } from "./list-by-state.server.ts";
import { detailsForm } from "./details/parse-details.server.ts";
import {
  blankJob,
  intentMessages,
  type JobIntent,
  type JobValues,
  buildManageAddress,
  type ManageQuery,
  messages,
  parseManageQuery,
} from "./rules.ts";

type ManageRequest = { request: Request; url: URL; context: Readonly<RouterContextProvider> };

/** Loads a screen of listings: the list and the open form. */
export async function loadManagedJobs(
  { request, url, context }: ManageRequest,
  scope: ListingScope,
) {
  const query = parseManageQuery(url.searchParams);
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const result = await runCommand(
    context,
    async () => ({
      list: await listListings(db, actor, scope, query),
      counts: await countListings(db, actor, scope),
      form: await loadManageForm({ request, url, context }, scope),
      checks: actor && permissions["job.check"](actor) && (await countDueChecks(db, actor, scope)),
    }),
    { fallback: messages.listFailed },
  );
  if (!result.ok) return data({ ...emptyScreen, problem: result.message }, { status: 500 });
  const { list, counts, form, checks } = result.value;
  const isMissing = query.form !== null && form === null;
  return data(
    {
      listings: list.rows.map(({ postedAt, updatedAt, archived, ...listing }) => ({
        ...listing,
        reason: query.isArchived ? describeArchived(archived) : null,
        posted: formatShortDate(postedAt),
        edited: updatedAt && formatShortDate(updatedAt),
      })),
      previous: list.previous,
      next: list.next,
      counts,
      checks: checks || null,
      form,
      problem: isMissing ? messages.notFound : null,
    },
    { status: isMissing ? 404 : 200 },
  );
}

const emptyScreen = {
  listings: [],
  previous: null,
  next: null,
  counts: null,
  checks: null,
  form: null,
};

/** A form with the saved values, and the text typed before the person had to sign in. */
export type ManageForm =
  | {
      intent: "create" | "edit";
      id: string;
      /** The version of the listing when its form was opened. */
      version?: string;
      /** A reason to complete the listing. */
      warning: string | null;
      saved: JobValues;
      typed: Partial<JobValues>;
    }
  | Deletion;

type Deletion = {
  intent: "delete";
  id: string;
  title: string;
  company: string;
  isArchived: boolean;
};

async function loadManageForm(
  args: ManageRequest,
  scope: ListingScope,
): Promise<ManageForm | null> {
  const { form } = parseManageQuery(args.url.searchParams);
  if (form?.intent === "create") {
    const { id, ...typed } = await restoreTypedFields(args, "create-job");
    return { intent: "create", id: id ?? randomUUID(), warning: null, saved: blankJob, typed };
  }
  const { db } = args.context.get(appContext);
  const job = form && (await findListing(db, args.context.get(currentActor), scope, form.id));
  if (!job) return null;
  if (form.intent === "delete") {
    const { id, title, company } = job;
    const isArchived = job.isArchived || hasLapsed(job, now());
    return { intent: "delete", id, title, company, isArchived };
  }
  const { id, version, ...typed } = await restoreTypedFields(args, "update-job");
  const isRestored = id === job.id;
  return {
    intent: "edit",
    id: job.id,
    version: (isRestored && version) || getJobVersion(toWrittenFields(job)),
    warning: job.namesContact ? null : messages.nobodyToAsk,
    saved: toJobValues(toWrittenFields(job)),
    typed: isRestored ? typed : {},
  };
}

async function restoreTypedFields(
  { context, request }: ManageRequest,
  expected: string,
): Promise<Partial<JobValues> & { id?: string; version?: string }> {
  const { intent, ...fields } = await restoreInterruptedForm(context, request);
  return intent === expected ? fields : {};
}

const listingsPerPage = 25;

/** Lists open or archived listings of a screen, newest first. */
export async function listListings(
  db: Database,
  actor: Actor | null,
  scope: ListingScope,
  {
    isArchived,
    search,
    type,
    after,
  }: Pick<ManageQuery, "isArchived" | "search" | "type" | "after">,
) {
  authorize(actor, scope === "all" ? "job.manage-any" : "job.manage");
  const isListed = and(isInScope(actor, scope), buildJobFilter({ search, type }).condition);
  return readPageOrLast(newestFirst, { cursor: after, size: listingsPerPage }, (part) =>
    db
      .select({
        id: jobs.id,
        title: jobs.title,
        company: jobs.company,
        location: jobs.location,
        jobType: jobs.jobType,
        postedAt: jobs.postedAt,
        updatedAt: jobs.updatedAt,
        postedBy: profiles.fullName,
        archived: archivedState,
      })
      .from(selectByState(db, isArchived, isListed, part))
      .leftJoin(profiles, eq(profiles.id, jobs.createdBy))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
}

/** The columns that tell why a listing is archived. */
const archivedState = {
  isArchived: jobs.isArchived,
  archivedReason: jobs.archivedReason,
  closesOn: jobs.closesOn,
  checkedAt: jobs.checkedAt,
  checkDueAt: jobs.checkDueAt,
  liveUntil: jobs.liveUntil,
};

/** Counts a screen's open and archived listings for its tabs. */
export async function countListings(db: Database, actor: Actor | null, scope: ListingScope) {
  authorize(actor, scope === "all" ? "job.manage-any" : "job.manage");
  return countByState(db, isInScope(actor, scope));
}

/** Finds a listing with all its fields; null if it is outside the screen's scope. */
export async function findListing(
  db: Database,
  actor: Actor | null,
  scope: ListingScope,
  id: string,
) {
  authorize(actor, scope === "all" ? "job.manage-any" : "job.manage");
  if (!isUuid(id)) return null;
  const [job] = await db
    .select({ ...columns, namesContact })
    .from(jobs)
    .where(and(eq(jobs.id, id), isInScope(actor, scope)));
  return job ?? null;
}

const saving = {
  fallback: messages.saveFailed,
  failed: ({ message, refusal }: Failure) => ({
    // A field shows its own error.
    ...(refusal.data.errors[""] && { toast: buildFailureToast(message, message) }),
    data: refusal,
  }),
};

type Command = (
  db: Database,
  actor: Actor | null,
  id: string,
  settings: PublishSettings,
) => Promise<Date | null | void>;

const buildPressIntent = (intent: JobIntent, command: Command) =>
  createFormIntent({
    schema: z.object({ id: z.string() }),
    run({ context, value: { id } }) {
      const { db, config } = context.get(appContext);
      return command(db, context.get(currentActor), id, toPublishSettings(config));
    },
    done(at, { url, value: { id } }) {
      const action = buildListAddress(url);
      const fields = { intent: "undo-archive", id, at: at ? at.toISOString() : "" };
      const undo = at ? { action, fields } : undefined;
      return redirectWithToast(action, intentMessages[intent].done, undo);
    },
    fallback: intentMessages[intent].failed,
    failed: intentMessages[intent].failed,
  });

/** The action of both screens. It leads back to the list, which shows the result. */
export const manageJobsAction = createFormActions({
  "create-job": createFormIntent({
    ...saving,
    schema: jobFields.extend({ id: z.string().optional() }).and(detailsForm).and(closingForm),
    async run({ context, value: { id, ...job } }) {
      const { db, config } = context.get(appContext);
      const settings = toPublishSettings(config);
      await createJob(db, context.get(currentActor), job, id, settings);
      return listBouncedAddresses(db, settings, job);
    },
    // The new listing is the first open one, so the list must not be filtered.
    done: (bounced, { url }) =>
      redirectAfterSave(getOwnPath({ pathname: url.pathname }), createdMessage, bounced),
  }),
  "update-job": createFormIntent({
    ...saving,
    schema: jobFields
      .extend({ id: z.string(), version: z.string().optional() })
      .and(detailsForm)
      .and(closingForm),
    async run({ context, value: { id, version, ...job } }) {
      const { db, config } = context.get(appContext);
      const settings = toPublishSettings(config);
      await updateJob(db, context.get(currentActor), id, job, version, settings);
      return listBouncedAddresses(db, settings, job);
    },
    done: (bounced, { url }) => redirectAfterSave(buildListAddress(url), updatedMessage, bounced),
  }),
  "archive-job": buildPressIntent("archive-job", archiveJob),
  "unarchive-job": buildPressIntent("unarchive-job", unarchiveJob),
  "delete-job": buildPressIntent("delete-job", deleteJob),
  "undo-archive": createFormIntent({
    // An invalid time matches no change.
    schema: z.object({ id: z.string(), at: z.iso.datetime().catch(new Date(0).toISOString()) }),
    run({ context, value: { id, at } }) {
      const { db, config } = context.get(appContext);
      const change = { id, at: new Date(at) };
      return restoreListing(db, context.get(currentActor), change, toPublishSettings(config));
    },
    done: (isArchived, { url }) =>
      redirectWithToast(
        buildListAddress(url),
        intentMessages[isArchived ? "archive-job" : "unarchive-job"].done,
      ),
    fallback: messages.undoFailed,
    failed: messages.undoFailed,
  }),
});

const createdMessage = "Job listing created successfully";
const updatedMessage = "Job listing updated successfully";

/** Warns about contacts that our questions won't reach. */
function redirectAfterSave(address: OwnPath, title: string, bounced: string[]) {
  if (bounced.length === 0) return redirectWithToast(address, title);
  const description = `Email to ${new Intl.ListFormat("en-IN").format(bounced)} bounced. Please check the address.`;
  return { toast: { kind: "warning" as const, title, description }, data: redirect(address) };
}

function redirectWithToast(address: OwnPath, title: string, undo?: UndoForm) {
  return { toast: { kind: "success" as const, title, undo }, data: redirect(address) };
}

function buildListAddress({ pathname, searchParams }: URL): OwnPath {
  return buildManageAddress(getOwnPath({ pathname }), {
    ...parseManageQuery(searchParams),
    form: null,
  });
}

/** Runs before a guard, and explains why a signed-out person who sends a listing has to sign in. */
export const toastSignedOut: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (request.method === "POST" && !context.get(currentActor) && (await isListingForm(request))) {
    addToast(context, { kind: "error", title: messages.signedOut });
  }
  return next();
};

async function isListingForm(request: Request): Promise<boolean> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded")) return false;
  const intent = new URLSearchParams(await request.clone().text()).get("intent");
  return intent === "create-job" || intent === "update-job";
}
