import {
  data,
  type ErrorResponse,
  isRouteErrorResponse,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useLocation,
} from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { formatLongDate } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { addToast } from "../../platform/toasts.server.ts";
import { Badge } from "../../ui/layout/card.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { type PublicScreen, buildPublicMeta, buildPrivateMeta } from "../../ui/meta.ts";
import type { Route } from "./+types/job.screen.ts";
import { ApplyCard, JobChart } from "./beside-listing.tsx";
import { SafetyNote } from "./safety-note.tsx";
import { buildJobPosting } from "./job-posting.server.ts";
import { renderPostedDescription } from "./posted-description.ts";
import { buildJobPage } from "../pages.ts";
import { formatClosing } from "../check-rules.ts";
import { listSimilarJobs, type SimilarJob } from "../find.server.ts";
import { limitContactViews } from "../contact-limit.server.ts";
import {
  buildLimitedContacts,
  toContactsView,
  applyMethod,
  applyMethods,
} from "../contact-ways.ts";
import { findJob } from "../contacts.server.ts";
import { listJobFacts } from "../job-facts.server.ts";
import { PayBadge } from "../pay-badge.tsx";
import { type JobFact, reportedNotice, splitIntoParagraphs } from "../rules.ts";
import { SaveButton, SaveForm, useOwnLabels } from "../save-button.tsx";
import styles from "../jobs.css?url";
import listingStyles from "./listing.css?url";
import { ShareJob } from "./share-job.tsx";

const notFoundTitle = "Job Not Found";

export const middleware = [limitContactViews];

export async function loader({ params, context }: Route.LoaderArgs) {
  const found = await getOpenJob(context, params.jobId);
  const { job, compensation, details, closesOn, contacts } = found;
  const { config } = context.get(appContext);
  const address = config.origin + buildJobPage(job).path;
  const posting = buildJobPosting({ ...job, closesOn }, details, address);
  // The job already contains the description.
  return {
    job,
    address,
    facts: listJobFacts(details, compensation),
    check: found.check,
    applyBy: formatClosing(closesOn),
    contacts: context.get(requestFacts).hidesContact
      ? buildLimitedContacts(contacts)
      : toContactsView(contacts),
    posting: posting && { ...posting, description: "" },
  };
}

/** Handles the two buttons without JavaScript, and in apps that cannot open the links. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const requested = (await request.formData()).get("way");
  const { contacts } = await getOpenJob(context, params.jobId);
  const name = applyMethods.find((known) => known === requested);
  const method = name && applyMethod(name, contacts);
  if (method?.kind === "toast") addToast(context, method.toast);
  return redirect(`/jobs/${params.jobId}`);
}

async function getOpenJob(context: Route.LoaderArgs["context"], id: string) {
  const { db } = context.get(appContext);
  const found = await findJob(db, context.get(currentActor), id);
  if (found.state === "missing") throw new NotFound(notFoundTitle);
  if (found.state === "archived") {
    const similar = await listSimilarJobs(db, id);
    throw data(
      { message: notFoundTitle, similar, why: found.why },
      { status: 410, statusText: "Gone" },
    );
  }
  return found;
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
  const { job, facts, contacts, check, applyBy, address } = loaderData;
  const labels = useOwnLabels(contacts.isVisitor, job.id);
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="default" />
      <link rel="stylesheet" href={listingStyles} precedence="default" />
      <Page
        back={<BackToJobs />}
        title={<span style={{ viewTransitionName: "job-title" }}>{job.title}</span>}
        intro={<JobHeader job={job} check={check} applyBy={applyBy} />}
        actions={
          <>
            <SaveForm />
            <SaveButton job={job} labels={labels} />
            <ShareJob title={`${job.title} at ${job.company}`} address={address} />
          </>
        }
      >
        <div className="grid grid-cols-1 gap-x-[clamp(2rem,5vw,4.5rem)] gap-y-10 lg:grid-cols-[minmax(0,1fr)_21rem] lg:grid-rows-[auto_1fr]">
          <div className="lg:col-start-2">
            <JobChart id={job.id} coordinates={job.coordinates} />
            <ApplyCard job={job} contacts={contacts} labels={labels} />
            <SafetyNote jobId={job.id} />
          </div>
          <article className="lg:col-start-1 lg:row-span-2 lg:row-start-1">
            <JobFacts facts={facts} />
            <JobDescription job={job} />
          </article>
          <Planning />
        </div>
      </Page>
    </>
  );
}

type JobData = Route.ComponentProps["loaderData"]["job"];

function JobHeader({
  job,
  check,
  applyBy,
}: {
  job: JobData;
  check: string;
  applyBy: string | null;
}) {
  return (
    <>
      <p>
        <span className="font-semibold text-ink">{job.company}</span>
        <span aria-hidden="true"> · </span>
        <span className="sr-only">, </span>
        <span>{job.location}</span>
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <Badge tone="outline">{job.jobType}</Badge>
        <PayBadge pay={job.pay} />
        <p className="text-sm text-ink-faint">
          Posted <time dateTime={job.postedAt.toISOString()}>{formatLongDate(job.postedAt)}</time>
        </p>
        {applyBy && <p className="text-sm font-semibold text-ink">{applyBy}</p>}
      </div>
      {job.isReported && <p className="job-reported">{reportedNotice}</p>}
      <p className="mt-2 text-sm text-ink-faint">{check}</p>
    </>
  );
}

/** The stated details. Their links lead to the jobs that have the same. */
function JobFacts({ facts }: { facts: JobFact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className="job-facts">
      {facts.map(({ label, values }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {values.map(({ text, to }) =>
              to ? (
                <Link key={text} to={to}>
                  {text}
                </Link>
              ) : (
                <span key={text}>{text}</span>
              ),
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The summary followed by the full text, if there is one. */
function JobDescription({ job }: { job: JobData }) {
  const full = job.largeDescription?.trim() ? job.largeDescription : null;
  return (
    <div className="prose border-t-2 border-ink pt-6">
      {full &&
        splitIntoParagraphs(job.description).map((paragraph, index) => (
          <p key={index} className="text-xl">
            {paragraph}
          </p>
        ))}
      {full && <hr className="!my-8 w-24 border-line-strong" />}
      {splitIntoParagraphs(full ?? job.description).map((paragraph, index) => (
        <p key={index}>{paragraph}</p>
      ))}
    </div>
  );
}

function BackToJobs() {
  const from: unknown = useLocation().state?.board;
  const search = typeof from === "string" && from.startsWith("?") ? from : "";
  return (
    <ButtonLink to={`/jobs${search}`} variant="ghost" viewTransition>
      <Icon name="arrow-left" />
      Back to Jobs
    </ButtonLink>
  );
}

function Planning() {
  return (
    <aside
      className="self-start border-s-4 border-marigold ps-5 lg:col-start-2"
      aria-labelledby="planning"
    >
      <h2 id="planning" className="text-lg">
        Planning to apply for this job?
      </h2>
      <p className="mt-1 text-sm text-ink-soft">
        Ask an expert to review your work before you send it.
      </p>
      <ul className="mt-2">
        {[
          ["Resume Review", "/services/resume-review"],
          ["Portfolio Review", "/services/portfolio-review"],
        ].map(([label, to]) => (
          <li key={to}>
            <Link
              to={to ?? ""}
              prefetch="intent"
              className="inline-flex min-h-11 items-center gap-2 font-semibold"
            >
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
      <EmptyState
        title={closed ? "This job is no longer open" : "We can't find this job"}
        drawing="lost"
        action={<ButtonLink to="/jobs">Back to Jobs</ButtonLink>}
      >
        {closed
          ? `${closed.why} The board lists all open jobs, newest first.`
          : "Check that the link is complete, or look for the job on the board."}
      </EmptyState>
      {closed && closed.similar.length > 0 && <SimilarJobs jobs={closed.similar} />}
    </Page>
  );
}

/** Suggestions on the page of a closed job. */
function SimilarJobs({ jobs }: { jobs: SimilarJob[] }) {
  return (
    <section aria-labelledby="similar-jobs" className="mt-12">
      <h2 id="similar-jobs" className="text-xl">
        Similar open jobs
      </h2>
      <ul className="mt-4 border-t border-line">
        {jobs.map((job) => (
          <li
            key={job.id}
            className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-2"
          >
            <Link
              to={`/jobs/${job.id}`}
              prefetch="intent"
              className="inline-flex min-h-11 items-center font-semibold"
            >
              {job.title}
            </Link>
            <span className="text-sm text-ink-soft">
              {job.company} · {job.location} · {job.jobType}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function isJobGone(error: unknown): error is ErrorResponse {
  return isRouteErrorResponse(error) && (error.status === 404 || error.status === 410);
}
