import { Form } from "react-router";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDateTime, now, toIsoDay } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import {
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert, TextAreaField, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import type { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/tracked-job.screen.ts";
import { changeTrackedJob } from "./change-tracked-job.server.ts";
import { trackedJobForm } from "./forms.server.ts";
import { findReplyAnswer, findReplyQuestion } from "./replies.server.ts";
import { replyIntents } from "./reply-intents.server.ts";
import { ReplyQuestion } from "./reply-question.tsx";
import {
  describeNextStep,
  describeReplyAnswer,
  formatDay,
  isFoundElsewhere,
  trackerLabels,
  trackerLimits,
  trackerMessages,
  trackerPath,
  type TrackerState,
} from "./rules.ts";
import stylesheet from "./tracked-job.screen.css?url";
import { findTrackedJob, type TrackedJob } from "./tracked-jobs.server.ts";
import {
  CalendarLink,
  ClosedNote,
  ListingLink,
  OwnJobFields,
  StateField,
  StepLabel,
} from "./tracker-parts.tsx";
import * as styles from "./tracker.module.css";
import * as ownThingsStyles from "../../accounts/own-things.module.css";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  buildPrivateMeta(matches, loaderData?.job.title ?? "Your jobs");

export const headers = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ request, params: { trackedId }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const tracked = await findTrackedJob(db, actor, trackedId);
  if (!tracked) throw new NotFound(trackerMessages.gone);
  const { updatedAt, ...job } = tracked.job;
  const [question, answer] = await Promise.all([
    findReplyQuestion(db, actor),
    findReplyAnswer(db, actor, job.id),
  ]);
  return {
    job,
    reply: { isAsked: question?.id === job.id, answer },
    isOwn: isFoundElsewhere(job),
    step: describeNextStep(job, toIsoDay(now())),
    changed: formatShortDateTime(updatedAt),
    history: tracked.history.map(({ state, at }) => ({ state, at: formatShortDateTime(at) })),
    typed: await restoreInterruptedForm(context, request),
  };
}

const save = createFormIntent({
  schema: trackedJobForm,
  run: ({ params: { trackedId = "" }, context, value }) =>
    changeTrackedJob(context.get(appContext).db, context.get(currentActor), {
      id: trackedId,
      ...value,
    }),
  done: (_, { params }) => ({
    toast: { kind: "success", title: "Changes saved" },
    data: redirect(`${trackerPath}#tracked-${params.trackedId}`),
  }),
  failed: showReasonAboveForm("We couldn't save your changes"),
});

export const action = createFormActions({ "": save, ...replyIntents });

export const shouldRevalidate = revalidateAfterRefusal;

export default function OwnTrackedJob({ loaderData, actionData }: Route.ComponentProps) {
  const { job, reply, step, history } = loaderData;
  const problems = actionData && "errors" in actionData ? actionData : null;
  return (
    <Page
      width="text"
      back={<BackLink to={trackerPath}>Back to your jobs</BackLink>}
      title={job.title}
      intro={<p>{[job.company, job.place].filter(Boolean).join(" · ")}</p>}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <div className={ownThingsStyles.ownStack}>
        <p className={styles.trackedFacts}>
          <Badge tone={trackerLabels[job.state].tone}>{trackerLabels[job.state].label}</Badge>
          {step && <StepLabel {...step} />}
          {step && <CalendarLink id={job.id} as={SmallButton} />}
          <ListingLink {...job} as={SmallButton} />
        </p>
        {job.closed && <ClosedNote closed={job.closed} />}
        {(reply.isAsked || reply.answer) && (
          <ReplyQuestion
            id={job.id}
            company={job.company}
            about={
              reply.answer
                ? describeReplyAnswer(reply.answer)
                : `You applied on ${formatDay(job.appliedOn!)}.`
            }
            answer={reply.isAsked ? null : reply.answer}
          />
        )}
        <Card title="Details">
          <DetailsForm
            {...loaderData}
            errors={problems?.errors ?? {}}
            values={problems?.values ?? loaderData.typed}
            isChanged={problems?.code === "changed"}
          />
        </Card>
        <Card title="History">
          <ul className={styles.trackedHistory}>
            {history.map(({ state, at }, index) => (
              <li key={index}>
                <span>{trackerLabels[state].label}</span>
                <span>{at}</span>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </Page>
  );
}

const SmallButton: typeof Link = (props) => <ButtonLink variant="ghost" size="sm" {...props} />;

type Loaded = Route.ComponentProps["loaderData"];

function DetailsForm({
  job,
  isOwn,
  changed,
  errors,
  values,
  isChanged,
}: Pick<Loaded, "job" | "isOwn" | "changed"> & {
  errors: Record<string, string>;
  /** The typed texts of a refused or interrupted form. */
  values: Record<string, string>;
  /** True if the job has changed since the form was opened. */
  isChanged: boolean;
}) {
  useFocusFirstError(errors);
  const typed = { ...toFormValues(job), ...values };
  return (
    <Form method="post" noValidate preventScrollReset className={styles.form}>
      {errors[""] && (
        <FormAlert>
          {errors[""]}
          {isChanged && <SavedVersion job={job} changed={changed} />}
        </FormAlert>
      )}
      {/* The saved version can be replaced once the alert has shown it. */}
      <input
        type="hidden"
        name="version"
        value={isChanged ? job.version : (values.version ?? job.version)}
      />
      {isOwn && <OwnJobFields errors={errors} values={typed} />}
      <StateField value={typed.state} error={errors.state} />
      <Field
        label="Applied on"
        name="appliedOn"
        type="date"
        defaultValue={typed.appliedOn}
        hint="If you move the job to “Applied” without a date, we enter today."
        error={errors.appliedOn}
      />
      <Field
        label="Next step on"
        name="nextStepOn"
        type="date"
        defaultValue={typed.nextStepOn}
        hint="An interview, a deadline, or the day to ask again."
        error={errors.nextStepOn}
      />
      <TextAreaField
        label="Notes"
        name="notes"
        rows={8}
        maxLength={trackerLimits.notes}
        defaultValue={typed.notes}
        hint="Only you see them."
        error={errors.notes}
      />
      <SubmitButton pendingLabel="Saving...">Save changes</SubmitButton>
    </Form>
  );
}

type FormValues = Record<
  "title" | "company" | "place" | "url" | "state" | "appliedOn" | "nextStepOn" | "notes",
  string
>;

function toFormValues(job: Omit<TrackedJob, "updatedAt">): FormValues {
  const { title, company, place, url, state, appliedOn, nextStepOn, notes } = job;
  return {
    title,
    company,
    place,
    url,
    state,
    appliedOn: appliedOn ?? "",
    nextStepOn: nextStepOn ?? "",
    notes,
  };
}

/** The version that another tab saved, beside the typed one. */
function SavedVersion({ job, changed }: Pick<Loaded, "job" | "changed">) {
  const { state, appliedOn, nextStepOn, notes } = job;
  return (
    <>
      <p>
        Your text is still below. To replace the saved version, press “Save changes” again. Saved{" "}
        {changed}:
      </p>
      <dl className={styles.trackedSaved}>
        <SavedFact name="State">{trackerLabels[state satisfies TrackerState].label}</SavedFact>
        <SavedFact name="Applied on">{appliedOn && formatDay(appliedOn)}</SavedFact>
        <SavedFact name="Next step on">{nextStepOn && formatDay(nextStepOn)}</SavedFact>
        <SavedFact name="Notes">{notes}</SavedFact>
      </dl>
    </>
  );
}

function SavedFact({ name, children }: { name: string; children: string | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children || "None"}</dd>
    </div>
  );
}
