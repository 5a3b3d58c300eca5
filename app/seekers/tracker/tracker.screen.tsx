import { useEffect, useEffectEvent, useRef } from "react";
import { useFetcher, Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { truncateText } from "../../jobs/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { now, toIsoDay } from "../../platform/clock.ts";
import {
  buildSuccess,
  createFormActions,
  createFormIntent,
  type FormProblems,
  showReasonAboveForm,
  showReasonAsToast,
} from "../../platform/forms.server.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackToProfile } from "../../ui/layout/back-link.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import { Link } from "../../ui/link.tsx";
import { RowMenu } from "../../ui/list/row-menu.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/tracker.screen.ts";
import {
  addTrackedJob,
  changeTrackedJob,
  removeTrackedJob,
  type RemovedJob,
  restoreTrackedJob,
} from "./change-tracked-job.server.ts";
import {
  CalendarLink,
  ClosedNote,
  ListingLink,
  OwnJobFields,
  StateField,
  StepLabel,
} from "./tracker-parts.tsx";
import { ReplyQuestion } from "./reply-question.tsx";
import { newTrackedJob, restoredJob, trackedJobMove } from "./forms.server.ts";
import { findReplyQuestion } from "./replies.server.ts";
import { replyIntents } from "./reply-intents.server.ts";
import {
  describeNextStep,
  formatDay,
  isTrackerState,
  trackerLabels,
  trackerPath,
  type TrackerState,
  trackerStates,
} from "./rules.ts";
import stylesheet from "./tracker.screen.css?url";
import { countTrackedJobs, listTrackedJobs, type TrackedJob } from "./tracked-jobs.server.ts";
import * as styles from "./tracker.module.css";
import * as selectStyles from "../../ui/form/select.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";

const title = "Your jobs";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const named = url.searchParams.get("state");
  const state = isTrackerState(named) ? named : null;
  const after = url.searchParams.get("after");
  const today = toIsoDay(now());
  const [page, counts, question, typed] = await Promise.all([
    listTrackedJobs(db, actor, { state, after }),
    countTrackedJobs(db, actor, today),
    findReplyQuestion(db, actor),
    restoreInterruptedForm(context, request),
  ]);
  return {
    ...page,
    rows: page.rows.map((job) => toTrackerRow(job, today)),
    counts,
    question: question && {
      id: question.id,
      company: question.company,
      about: `You applied for “${question.title}” on ${formatDay(question.appliedOn)}.`,
    },
    state,
    after,
    typed,
  };
}

const previewLength = 160;

/** The server formats the dates, since the browser's time zone may differ. */
function toTrackerRow(
  { updatedAt: _updatedAt, appliedOn, nextStepOn, notes, ...job }: TrackedJob,
  today: string,
) {
  return {
    ...job,
    applied: appliedOn && `Applied ${formatDay(appliedOn)}`,
    step: describeNextStep({ nextStepOn, state: job.state }, today),
    notes: truncateText(notes, previewLength),
  };
}

export const action = createFormActions({
  add: createFormIntent({
    schema: newTrackedJob,
    run: ({ context, value }) =>
      addTrackedJob(context.get(appContext).db, context.get(currentActor), value),
    done: (_id, { value }) => buildSuccess(`“${value.title}” is in your jobs`),
    failed: showReasonAboveForm("We couldn't add this job"),
  }),
  move: createFormIntent({
    schema: trackedJobMove,
    run: ({ context, value }) =>
      changeTrackedJob(context.get(appContext).db, context.get(currentActor), value),
    done: (_, { value }) => buildSuccess(`Moved to “${trackerLabels[value.state].label}”`),
    failed: showReasonAsToast,
    fallback: "We couldn't move this job. Please try again later.",
  }),
  remove: createFormIntent({
    schema: z.object({ id: z.string() }),
    run: ({ context, value }) =>
      removeTrackedJob(context.get(appContext).db, context.get(currentActor), value),
    done: (removed) => ({ data: { removed } }),
    failed: showReasonAsToast,
    fallback: "We couldn't remove this job. Please try again later.",
  }),
  restore: createFormIntent({
    schema: restoredJob,
    run: ({ context, value: { removed } }) =>
      restoreTrackedJob(context.get(appContext).db, context.get(currentActor), removed),
    done: (_, { value: { removed } }) => buildSuccess(`“${removed.title}” is back in your jobs`),
    failed: "We couldn't restore this job",
  }),
  ...replyIntents,
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function Tracker({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, counts, question, state, after, next, typed } = loaderData;
  const removed = actionData && "removed" in actionData ? actionData.removed : null;
  const refused = actionData && "errors" in actionData ? actionData : null;
  const isAdding = refused?.values.intent === "add";
  useFocusFirstError(refused?.errors);
  return (
    <Page
      title={title}
      intro="Jobs that you saved or applied for, also from other places. Only you see this list."
      back={<BackToProfile />}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {removed && <UndoNotice removed={removed} />}
      {question && (
        <div className={styles.question}>
          <ReplyQuestion {...question} />
        </div>
      )}
      {counts.all > 0 && <StateTabs counts={counts} state={state} />}
      <div className={styles.tools}>
        {counts.all > 0 && (
          <>
            <DueSteps {...counts} />
            <ButtonLink to={`${trackerPath}.csv`} variant="ghost" size="sm" reloadDocument>
              <Icon name="download" />
              Download as CSV
            </ButtonLink>
          </>
        )}
        <AddForm
          key={counts.all}
          refused={isAdding ? refused : null}
          typed={typed.intent === "add" ? typed : {}}
        />
      </div>
      {rows.length > 0 ? (
        <ol className={styles.tracker}>
          {rows.map((row) => (
            <JobRow key={row.id} row={row} />
          ))}
        </ol>
      ) : (
        <NoJobs state={counts.all > 0 ? state : null} />
      )}
      <Form id={removeForm} method="post" preventScrollReset hidden>
        <input type="hidden" name="intent" value="remove" />
      </Form>
      {(after || next) && (
        <nav className={styles.pages} aria-label="Pages">
          {after && <Link to={buildTrackerAddress(state)}>First jobs</Link>}
          {next && <Link to={buildTrackerAddress(state, next)}>More jobs</Link>}
        </nav>
      )}
    </Page>
  );
}

function buildTrackerAddress(state: TrackerState | null, after?: string): OwnPath {
  return `${trackerPath}${writeQuery({ state, after })}`;
}

type Loaded = Route.ComponentProps["loaderData"];

function StateTabs({ counts, state }: Pick<Loaded, "counts" | "state">) {
  const toCount = (counted: number) => ({ counted, isMore: false });
  return (
    <TabLinks
      label="States"
      items={[
        { label: "All", to: trackerPath, current: state === null, count: toCount(counts.all) },
        ...trackerStates.map((name) => ({
          label: trackerLabels[name].label,
          to: buildTrackerAddress(name),
          current: state === name,
          count: toCount(counts.states[name] ?? 0),
        })),
      ]}
    />
  );
}

/** The steps that are due, at a glance. */
function DueSteps({ overdue, today }: Pick<Loaded["counts"], "overdue" | "today">) {
  if (overdue + today === 0) return <p className={styles.due}>No next step is due today.</p>;
  return (
    <p className={styles.due}>
      {overdue > 0 && <Badge tone="danger">{`${overdue} overdue`}</Badge>}
      {today > 0 && <Badge tone="info">{`${today} due today`}</Badge>}
    </p>
  );
}

/** Offers to restore a job. The page holds it, so that this works without scripts too. */
function UndoNotice({ removed }: { removed: RemovedJob }) {
  return (
    <div className={styles.undo} role="status">
      <p>
        Removed “{removed.title}” at {removed.company}.
      </p>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="removed" value={JSON.stringify(removed)} />
        <SubmitButton intent="restore" variant="secondary" size="sm" pendingLabel="Restoring...">
          Undo
        </SubmitButton>
      </Form>
    </div>
  );
}

/** The form for a job that was found elsewhere. */
function AddForm({
  refused,
  typed,
}: {
  refused: FormProblems | null;
  /** A form that was sent after the session had ended. */
  typed: Record<string, string>;
}) {
  const { errors, values }: FormProblems = refused ?? { errors: {}, values: typed };
  const isTyped = Object.keys(values).length > 0;
  return (
    <details className={styles.add} open={isTyped}>
      <summary>
        <Icon name="plus" />
        Add a job from elsewhere
      </summary>
      <Form method="post" noValidate preventScrollReset className={styles.form}>
        <FormAlert>{errors[""]}</FormAlert>
        <OwnJobFields errors={errors} values={values} />
        <StateField value={values.state ?? "saved"} error={errors.state} />
        <SubmitButton intent="add" pendingLabel="Adding...">
          Add job
        </SubmitButton>
      </Form>
    </details>
  );
}

type Row = Loaded["rows"][number];

function JobRow({ row }: { row: Row }) {
  const { id, title: name, company, place, step, applied, notes, closed } = row;
  return (
    <li id={`tracked-${id}`} className={styles.tracked} data-due={step?.due} data-state={row.state}>
      <div className={styles.trackedJob}>
        <h2>
          <Link to={`${trackerPath}/${id}`} prefetch="intent">
            {name}
          </Link>
        </h2>
        <p>{[company, place, applied].filter(Boolean).join(" · ")}</p>
        {notes && <p className={styles.trackedNotes}>{notes}</p>}
        {closed && <ClosedNote closed={closed} />}
      </div>
      <p className={styles.trackedStep}>{step && <StepLabel {...step} />}</p>
      <StateMenu row={row} />
      <RowMenu id={id} label={`Actions for ${name}`}>
        {() => (
          <>
            {step && <CalendarLink id={id} />}
            <ListingLink {...row} />
            <button type="submit" form={removeForm} name="id" value={id} className="text-danger">
              Remove
            </button>
          </>
        )}
      </RowMenu>
    </li>
  );
}

/** The form of all buttons that remove a job. */
const removeForm = "remove";

/** A choice of the state, which saves at once. */
function StateMenu({ row: { id, title: name, state, version } }: { row: Row }) {
  const fetcher = useFetcher();
  const isBusy = fetcher.state !== "idle";
  const select = useRef<HTMLSelectElement>(null);
  // A state may be chosen before the scripts run.
  const isChosen = useRef(true);
  function saveChoice() {
    const { value } = select.current!;
    if (isChosen.current && value !== state)
      void fetcher.submit({ intent: "move", id, version, state: value }, { method: "post" });
    else select.current!.value = state;
    isChosen.current = false;
  }
  const saveWaitingChoice = useEffectEvent(saveChoice);
  // A choice during a save waits for it, since the save changes the version. A refused choice is taken back.
  useEffect(() => {
    if (!isBusy) saveWaitingChoice();
  }, [isBusy]);
  return (
    <fetcher.Form method="post" className={styles.trackedMove}>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="version" value={version} />
      <label className={selectStyles.inputSelect}>
        <span className="sr-only">State of {name}</span>
        <select
          name="state"
          className={fieldStyles.input}
          // Browsers would restore an earlier choice after a reload, which would save it.
          autoComplete="off"
          defaultValue={state}
          aria-busy={isBusy || undefined}
          ref={select}
          onChange={() => {
            isChosen.current = true;
            if (!isBusy) saveChoice();
          }}
        >
          {trackerStates.map((value) => (
            <option key={value} value={value}>
              {trackerLabels[value].label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </label>
      <SubmitButton
        intent="move"
        variant="secondary"
        className="no-scripts-only"
        pending={false}
        pendingLabel="Moving..."
      >
        Move <span className="sr-only">{name}</span>
      </SubmitButton>
    </fetcher.Form>
  );
}

function NoJobs({ state }: { state: TrackerState | null }) {
  if (state)
    return (
      <EmptyState
        title={`No jobs are in “${trackerLabels[state].label}”`}
        drawing="search"
        action={<ButtonLink to={trackerPath}>Show all your jobs</ButtonLink>}
      >
        Move a job here when its state changes.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No jobs in your list yet"
      drawing="map"
      action={<ButtonLink to="/jobs">Find jobs to save</ButtonLink>}
    >
      Press Save on a job, and it appears here. Add the ones from other places too, so that all your
      applications are in one list.
    </EmptyState>
  );
}
