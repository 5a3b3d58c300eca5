import {
  data,
  type ErrorResponse,
  isRouteErrorResponse,
  type ShouldRevalidateFunctionArgs,
  useLocation,
} from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { withFallback } from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { addToast } from "../../platform/toasts.server.ts";
import { ButtonLink } from "../../ui/form/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { type PublicScreen, buildPublicMeta, buildPrivateMeta } from "../../ui/meta.ts";
import type { Route } from "./+types/job.screen.ts";
import { ApplyCard, contactId } from "./beside-listing.tsx";
import { SafetyNote } from "./safety-note.tsx";
import { buildJobPosting } from "./job-posting.server.ts";
import { renderPostedDescription } from "./posted-description.ts";
import { buildJobPage } from "./pages.ts";
import { formatClosing } from "../check-rules.ts";
import { listSimilarJobs, listSimilarToEach, type SimilarJob } from "../find.server.ts";
import { limitContactViews } from "../contact/view-limit.server.ts";
import { buildLimitedContacts, toContactsView, applyMethods } from "../contact/apply-methods.ts";
import { findJob } from "./find-job.server.ts";
import { listJobFacts } from "../job-facts.server.ts";
import { JobDescription, JobFacts, JobHeader } from "./listing-article.tsx";
import { describeReplies, findReplyRecord } from "../replies/reply-records.server.ts";
import { SaveButton, SaveForm, useOwnLabels } from "../save-button.tsx";
import stylesheet from "./job.screen.css?url";
import { ShareJob } from "./share-job.tsx";
import * as styles from "./listing.module.css";

const notFoundTitle = "Job Not Found";

export const middleware = [limitContactViews];

export async function loader({ params, context }: Route.LoaderArgs) {
  const listing = await getOpenJob(context, params.jobId);
  const { job, compensation, details, closesOn } = listing;
  const { config, db } = context.get(appContext);
  const address = config.origin + buildJobPage(job).path;
  const [[similar = []], replies] = await Promise.all([
    withFallback(context, () => listSimilarToEach(db, [job]), []),
    withFallback(context, () => findReplyRecord(db, listing.companyKey), null),
  ]);
  const posting = buildJobPosting({ ...job, closesOn }, details, address);
  // The job already contains the description.
  return {
    job,
    address,
    similar,
    facts: [
      ...listJobFacts(details, compensation),
      ...(replies
        ? [{ label: "Replies", values: [{ text: describeReplies(replies), to: null }] }]
        : []),
    ],
    check: listing.check,
    applyBy: formatClosing(closesOn),
    companyPath: listing.companyPath,
    contacts: toShownContacts(context, listing),
    posting: posting && { ...posting, description: "" },
  };
}

/** Handles the two buttons without JavaScript, and in apps that cannot open the links. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const requested = (await request.formData()).get("way");
  const { methods } = toShownContacts(context, await getOpenJob(context, params.jobId));
  const name = applyMethods.find((candidate) => candidate === requested);
  const method = name && methods[name];
  if (method?.kind === "toast") addToast(context, method.toast);
  return redirect(`/jobs/${params.jobId}`);
}

function toShownContacts(
  context: Route.LoaderArgs["context"],
  { contacts, hasContact }: Pick<OpenJob, "contacts" | "hasContact">,
) {
  return context.get(requestFacts).hidesContact
    ? buildLimitedContacts(contacts, hasContact)
    : toContactsView(contacts, hasContact);
}

type OpenJob = Awaited<ReturnType<typeof getOpenJob>>;

async function getOpenJob(context: Route.LoaderArgs["context"], id: string) {
  const { db } = context.get(appContext);
  const listing = await findJob(db, context.get(currentActor), id);
  if (listing.state === "missing") throw new NotFound(notFoundTitle);
  if (listing.state === "archived") {
    const similar = await listSimilarJobs(db, id);
    throw data(
      { message: notFoundTitle, similar, why: listing.why },
      { status: 410, statusText: "Gone" },
    );
  }
  return listing;
}

/** Skips reloading after the job is saved. */
export function shouldRevalidate({
  formAction,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return !formAction?.endsWith("/save") && defaultShouldRevalidate;
}

export const handle: PublicScreen = { page: null, isCached: true, isShared: true };

export const meta: Route.MetaFunction = ({ matches, loaderData, error }) => {
  if (!loaderData)
    return buildPrivateMeta(
      matches,
      isJobGone(error) ? notFoundTitle : "Failed to load job details",
    );
  const { job, posting } = loaderData;
  const description = renderPostedDescription(job);
  return [
    ...buildPublicMeta(matches, buildJobPage(job)),
    ...(posting ? [{ "script:ld+json": { ...posting, description } }] : []),
  ];
};

export default function Job({ loaderData }: Route.ComponentProps) {
  const { job, companyPath, facts, contacts, check, applyBy, address, similar } = loaderData;
  const labels = useOwnLabels(contacts.isVisitor, job.id);
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />

      <Page
        back={<BackToJobs />}
        title={<span style={{ viewTransitionName: "job-title" }}>{job.title}</span>}
        intro={<JobHeader job={job} companyPath={companyPath} check={check} applyBy={applyBy} />}
        actions={
          <>
            <SaveForm />
            <SaveButton job={job} labels={labels} />
            <ShareJob title={`${job.title} at ${job.company}`} address={address} />
          </>
        }
      >
        <div className={styles.layout}>
          <JobFacts facts={facts} />
          <div className={styles.beside}>
            <ApplyCard job={job} contacts={contacts} labels={labels} />
            <SafetyNote jobId={job.id} />
          </div>
          <div>
            <article>
              <JobDescription job={job} />
            </article>
            <Planning />
            {similar.length > 0 && <SimilarJobs title="More jobs like this" jobs={similar} />}
            <ApplyBar job={job} isVisitor={contacts.isVisitor} />
          </div>
        </div>
      </Page>
    </>
  );
}

/** The pay and the next step, at the bottom of phones while the contact is out of view. */
function ApplyBar({
  job,
  isVisitor,
}: {
  job: Route.ComponentProps["loaderData"]["job"];
  isVisitor: boolean;
}) {
  return (
    <div className={styles.bar}>
      <p>{job.pay ?? job.jobType}</p>
      {isVisitor ? (
        <ButtonLink to={`/login?next=/jobs/${job.id}`}>Sign in to apply</ButtonLink>
      ) : (
        <ButtonLink to={`#${contactId}`}>See the contact</ButtonLink>
      )}
    </div>
  );
}

function BackToJobs() {
  const from: unknown = useLocation().state?.board;
  const search = typeof from === "string" && from.startsWith("?") ? (from as `?${string}`) : "";
  return (
    <ButtonLink to={`/jobs${search}`} variant="ghost" viewTransition>
      <Icon name="arrow-left" />
      Back to Jobs
    </ButtonLink>
  );
}

function Planning() {
  return (
    <aside className={styles.planning} aria-labelledby="planning">
      <h2 id="planning">Planning to apply for this job?</h2>
      <p>Ask an expert to review your work before you send it.</p>
      <ul>
        {(
          [
            ["Resume Review", "/services/resume-review"],
            ["Portfolio Review", "/services/portfolio-review"],
          ] as const
        ).map(([label, to]) => (
          <li key={to}>
            <Link to={to} prefetch="intent">
              {label}
              <Icon name="arrow-right" />
            </Link>
          </li>
        ))}
      </ul>
    </aside>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { pathname } = useLocation();
  if (isJobGone(error)) {
    return <JobNotFound closed={error.status === 410 ? (error.data as ClosedJob) : null} />;
  }
  return (
    <Page title="Failed to load job details">
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <EmptyState
        title="We couldn't load this job"
        drawing="lost"
        action={
          <ButtonLink to={pathname} reloadDocument>
            Try again
          </ButtonLink>
        }
      >
        Something went wrong on our side, and we've logged it.
      </EmptyState>
    </Page>
  );
}

type ClosedJob = { similar: SimilarJob[]; why: string };

/** @param closed null for a job that never existed or was deleted */
function JobNotFound({ closed }: { closed: ClosedJob | null }) {
  return (
    <Page title={notFoundTitle}>
      <link rel="stylesheet" href={stylesheet} precedence="default" />

      <EmptyState
        title={closed ? "This job is no longer open" : "We can't find this job"}
        drawing="lost"
        action={<ButtonLink to="/jobs">Back to Jobs</ButtonLink>}
      >
        {closed
          ? `${closed.why} The board lists all open jobs, newest first.`
          : "Check that the link is complete, or look for the job on the board."}
      </EmptyState>
      {closed && closed.similar.length > 0 && (
        <SimilarJobs title="Similar open jobs" jobs={closed.similar} />
      )}
    </Page>
  );
}

function SimilarJobs({ title, jobs }: { title: string; jobs: SimilarJob[] }) {
  return (
    <section aria-labelledby="similar-jobs" className={styles.similarJobs}>
      <h2 id="similar-jobs">{title}</h2>
      <ul>
        {jobs.map(({ id, title, ...job }) => (
          <li key={id}>
            <Link to={`/jobs/${id}`} prefetch="intent">
              {title}
            </Link>
            <p>{[job.company, job.location, job.jobType, job.pay].filter(Boolean).join(" · ")}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function isJobGone(error: unknown): error is ErrorResponse {
  return isRouteErrorResponse(error) && (error.status === 404 || error.status === 410);
}
