import { randomUUID } from "node:crypto";
import { Fragment } from "react";
import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { listOwnClaims, listOwnCompanies } from "../../companies/own-companies.server.ts";
import { type CheckResult, describeArchived, describeCheck } from "../../jobs/check-rules.ts";
import { closingDate } from "../../jobs/manage/details/closing-date.server.ts";
import { listFigures } from "../../jobs/figures/figures.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { appContext } from "../../platform/app-context.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { formatMonthDay, formatShortDate, formatShortDateTime, now } from "../../platform/clock.ts";
import {
  buildFailureToast,
  buildSuccess,
  createFormActions,
  createFormIntent,
  type FormProblems,
} from "../../platform/forms.server.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { SelectField, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { Pager } from "../../ui/list/table.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { stateLabels, type SubmissionState } from "../rules.ts";
import type { Route } from "./+types/own-listings.screen.ts";
import { checkOwnListing, closeEarlier, createChange } from "./change-own-listing.server.ts";
import { createDraft } from "./change-submission.server.ts";
import { CloseEarlier, OpenChange, stateTones } from "./published-listing.tsx";
import { FiguresByDay } from "./figures-by-day.tsx";
import stylesheet from "./own-listings.screen.css?url";
import * as ownThingsStyles from "../../accounts/own-things.module.css";
import * as styles from "./own.module.css";
import { OwnRepliesCard } from "./own-replies-card.tsx";
import { listOwnReplies } from "./own-replies.server.ts";
import { listOwnSubmissions } from "./own-submissions.server.ts";

const title = "Your listings";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const after = url.searchParams.get("after");
  const [companies, claims, page] = await Promise.all([
    listOwnCompanies(db, actor),
    listOwnClaims(db, actor),
    listOwnSubmissions(db, actor, { after }),
  ]);
  return {
    companies: companies.map(({ id, name }) => ({ id, name })),
    claims: claims.map(({ domain }) => domain),
    replies: await listOwnReplies(db, companies),
    formId: randomUUID(),
    ...page,
    after,
    ...(await loadRows(db, page.rows)),
  };
}

async function loadRows(db: Database, rows: readonly Listed[]) {
  const jobIds = rows.flatMap(({ job }) => job?.id ?? []);
  const figures = await listFigures(db, jobIds);
  return {
    rows: rows.map((row) => ({ ...toListedRow(row), figures: figures.get(row.job?.id ?? "") })),
    today: formatMonthDay(now()),
  };
}

type Listed = Awaited<ReturnType<typeof listOwnSubmissions>>["rows"][number];

function toListedRow({ title: name, company, change, job, ...row }: Listed) {
  return {
    ...toListedState(row),
    title: name || "Untitled listing",
    company,
    change: change?.id ? toListedState(change) : null,
    job: job?.id
      ? { id: job.id, isOpen: job.isOpen, note: describeJob(job), closesOn: job.closesOn ?? "" }
      : null,
  };
}

type ListedState = Pick<Listed, "id" | "state" | "reason" | "sentAt" | "updatedAt"> &
  Partial<Pick<Listed, "price" | "payableUntil">>;

/** A listing or a change, and where it is on its way. */
function toListedState({ id, state, reason, ...dates }: ListedState) {
  const { price, payableUntil, sentAt, updatedAt } = dates;
  return {
    id,
    state,
    reason: state === "returned" ? reason : null,
    dated:
      state === "payable" && price && payableUntil
        ? `${formatRupees(price)}, to be paid by ${formatShortDateTime(payableUntil)}`
        : state === "waiting" && sentAt
          ? `Sent ${formatShortDate(sentAt)}`
          : `Changed ${formatShortDate(updatedAt)}`,
  };
}

/** Describes the check of an open listing, or why it left the board. */
function describeJob(job: NonNullable<Listed["job"]>): string {
  return job.isOpen
    ? describeCheck({ ...job, kind: job.lastCheck }, now())
    : (describeArchived(job) ?? "Archived");
}

const buildCompanyAnswer = (result: CheckResult, done: string) =>
  createFormIntent({
    schema: z.object({ id: z.string() }),
    run({ context, value: { id } }) {
      const { db, config } = context.get(appContext);
      return checkOwnListing(db, context.get(currentActor), { id, result }, config.checks);
    },
    done: () => buildSuccess(done),
    failed: "We couldn't save your answer",
  });

const dateFailed = "We couldn't save the closing date";

export const action = createFormActions({
  "create-listing": createFormIntent({
    schema: z.object({ id: z.uuid(), companyId: z.string() }),
    run: ({ context, value }) =>
      createDraft(context.get(appContext).db, context.get(currentActor), value),
    done: (id) => ({ data: redirect(`/post/${id}`) }),
    failed: "We couldn't start a listing",
  }),
  "change-listing": createFormIntent({
    schema: z.object({ id: z.string() }),
    run: ({ context, value: { id } }) =>
      createChange(context.get(appContext).db, context.get(currentActor), id),
    done: (id) => ({ data: redirect(`/post/${id}`) }),
    failed: "We couldn't start a change",
  }),
  "close-earlier": createFormIntent({
    schema: z.object({ id: z.string(), closesOn: closingDate }),
    run({ context, value }) {
      const { db, config } = context.get(appContext);
      return closeEarlier(db, context.get(currentActor), value, config.checks);
    },
    done: () => buildSuccess("Closing date saved"),
    failed: ({ message, refusal }) => ({
      // The field shows its own error.
      ...(refusal.data.errors[""] && { toast: buildFailureToast(dateFailed, message) }),
      data: refusal,
    }),
  }),
  "still-open": buildCompanyAnswer("open", "Marked as still open"),
  filled: buildCompanyAnswer("filled", "Marked as filled. It left the board."),
  closed: buildCompanyAnswer("closed", "Closed. It left the board."),
});

export const shouldRevalidate = revalidateAfterRefusal;

const buildListingsAddress = (after: string | null) =>
  `/post/listings${writeQuery({ after })}` as const;

export default function OwnListings({ loaderData, actionData }: Route.ComponentProps) {
  const { companies, claims, replies, formId, rows, today, previous, next, after } = loaderData;
  const refused = actionData && "errors" in actionData ? actionData : null;
  useFocusFirstError(refused?.errors);
  return (
    <Page
      width="text"
      back={<BackLink to="/post">Posting a job</BackLink>}
      title={title}
      actions={companies.length > 0 && <NewListing companies={companies} formId={formId} />}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {claims.map((domain) => (
        <p key={domain} className={styles.claim}>
          Our team decides whether you can post for the company at {domain}. We email you.
        </p>
      ))}
      {companies.length === 0 ? (
        claims.length === 0 && (
          <EmptyState
            title="Add your company first"
            drawing="table"
            action={<ButtonLink to="/post/company">Add your company</ButtonLink>}
          >
            You post with an email address at your company's own domain.
          </EmptyState>
        )
      ) : rows.length === 0 ? (
        <EmptyState title="No listings yet" drawing="table">
          Write your first one. You can save it and go on later.
        </EmptyState>
      ) : (
        <Card>
          <ul className={ownThingsStyles.ownThings}>
            {rows.map((row) => (
              <ListingRow
                key={row.id}
                {...row}
                today={today}
                refused={refused?.values.id === row.id ? refused : null}
              />
            ))}
          </ul>
        </Card>
      )}
      <Pager {...{ previous, next, after }} rowCount={rows.length} address={buildListingsAddress} />
      <OwnRepliesCard replies={replies} />
      {companies.length > 0 && (
        <p className="mt-6 text-sm">
          <Link to="/post/team">Your team</Link> ·{" "}
          {companies.map(({ id, name }) => (
            <Fragment key={id}>
              <Link to={`/post/company/${id}/page`}>Page of {name}</Link> ·{" "}
            </Fragment>
          ))}
          <Link to="/post/company">Add another company</Link>
        </p>
      )}
    </Page>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function NewListing({ companies, formId }: Pick<Loaded, "companies" | "formId">) {
  const [only, ...others] = companies;
  return (
    <Form method="post" className={styles.start}>
      <input type="hidden" name="id" value={formId} />
      {others.length === 0 ? (
        <input type="hidden" name="companyId" value={only!.id} />
      ) : (
        <SelectField
          label="Company"
          name="companyId"
          options={companies.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <SubmitButton intent="create-listing" pendingLabel="Starting...">
        New listing
      </SubmitButton>
    </Form>
  );
}

const openLabels: Partial<Record<SubmissionState, string>> = { waiting: "View", payable: "Pay" };

function ListingRow({
  id,
  title: name,
  company,
  state,
  reason,
  dated,
  job,
  change,
  refused,
  figures,
  today,
}: Loaded["rows"][number] & Pick<Loaded, "today"> & { refused: FormProblems | null }) {
  const about = <span className="sr-only">: {name}</span>;
  return (
    <li>
      <div className={styles.listing}>
        <p className={`${ownThingsStyles.name} wrap-anywhere`}>
          <Link to={job ? `/jobs/${job.id}` : `/post/${id}`}>{name}</Link>
          {job && !job.isOpen ? (
            <Badge tone="neutral">Off the board</Badge>
          ) : (
            <Badge tone={stateTones[state]}>{stateLabels[state]}</Badge>
          )}
        </p>
        <p className={ownThingsStyles.facts}>
          {company} · {job ? job.note : dated}
        </p>
        {reason && (
          <p className={styles.reason}>
            <strong>Please change:</strong> {reason}
          </p>
        )}
      </div>
      {job?.isOpen && (
        <Form method="post" preventScrollReset className={styles.answers}>
          <input type="hidden" name="id" value={id} />
          <SubmitButton intent="still-open" variant="secondary" size="sm" pendingLabel="Saving...">
            Still open{about}
          </SubmitButton>
          <SubmitButton intent="filled" variant="ghost" size="sm" pendingLabel="Saving...">
            Filled{about}
          </SubmitButton>
          <SubmitButton intent="closed" variant="ghost" size="sm" pendingLabel="Saving...">
            Close{about}
          </SubmitButton>
          {!change && (
            <SubmitButton
              intent="change-listing"
              variant="ghost"
              size="sm"
              pendingLabel="Opening..."
            >
              Edit{about}
            </SubmitButton>
          )}
        </Form>
      )}
      {job && change && <OpenChange {...change} isOpen={job.isOpen} about={about} />}
      {job?.isOpen && <CloseEarlier {...{ id, about, refused }} closesOn={job.closesOn} />}
      {!job && state !== "live" && (
        <ButtonLink to={`/post/${id}`} variant="secondary" size="sm">
          {openLabels[state] ?? "Edit"}
          {about}
        </ButtonLink>
      )}
      {figures && <FiguresByDay title={name} figures={figures} today={today} />}
    </li>
  );
}
