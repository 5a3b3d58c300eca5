import { useSearchParams } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDateTime } from "../../platform/clock.ts";
import {
  buildSuccess,
  createFormActions,
  createFormIntent,
  type FormProblems,
  type Sent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import { countNoun } from "../../platform/count-noun.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { loadList } from "../../ui/list/load-list.server.ts";
import { StaffList } from "../../ui/list/staff-list.tsx";
import type { Column } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { DecisionForm, DecisionReason } from "../../ui/form/decision-form.tsx";
import { decisionReason } from "../../ui/form/decision-reason.server.ts";
import { categoryLabels } from "../rules.ts";
import type { Route } from "./+types/reports.screen.ts";
import { archiveReportedJob, type Decision, closeReports } from "./close-reports.server.ts";
import { type ListedReport, listReportedJobs, type ReportedJob } from "./list-reports.server.ts";
import stylesheet from "./reports.screen.css?url";
import * as styles from "./reports.module.css";
import * as decisionStyles from "../../ui/form/decision-form.module.css";
import * as listsStyles from "../../ui/list/lists.module.css";

const title = "Reports on listings";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const after = new URL(request.url).searchParams.get("after") || null;
  const { db } = context.get(appContext);
  return loadList(
    context,
    async () => {
      const page = await listReportedJobs(db, getSignedInActor(context), { after });
      return { ...page, rows: page.rows.map(toReportedRow) };
    },
    { fallback: "Failed to load the reports", none: {} },
  );
}

function toReportedRow({ oldestAt, reports, ...job }: ReportedJob) {
  return {
    ...job,
    oldest: formatShortDateTime(oldestAt),
    reports: reports.map(({ createdAt, ...report }) => ({
      ...report,
      sent: formatShortDateTime(createdAt),
    })),
  };
}

const decisionForm = z.object({
  jobId: z.string(),
  seen: z.string(),
  reason: decisionReason,
});

type DecisionForm = Sent<Decision>;

export const action = createFormActions({
  "archive-reported": createFormIntent({
    schema: decisionForm,
    run: ({ context, value }: DecisionForm) =>
      archiveReportedJob(context.get(appContext).db, getSignedInActor(context), value),
    done: () => buildSuccess("Listing archived"),
    failed: showReasonAboveForm("Failed to archive the listing"),
  }),
  "dismiss-reports": createFormIntent({
    schema: decisionForm,
    run: ({ context, value }: DecisionForm) =>
      closeReports(context.get(appContext).db, getSignedInActor(context), value),
    done: () => buildSuccess("Reports dismissed"),
    failed: showReasonAboveForm("Failed to dismiss the reports"),
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

const buildReportsAddress = (after: string | null): OwnPath =>
  `/admin/jobs/reports${writeQuery({ after })}`;

export default function Reports({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const refused = actionData && "errors" in actionData ? actionData : null;
  useFocusFirstError(refused?.errors);
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <StaffList
        back={<BackLink to="/admin/jobs">Back to Job Board</BackLink>}
        title={title}
        intro="A listing stays public until you decide. Both decisions close its open reports. The reason is only for staff."
        loaded={loaderData}
        columns={buildReportColumns(refused)}
        rowKey={({ id }) => id}
        renderTable={(table) => <div className={decisionStyles.list}>{table}</div>}
        empty={{ title: "No open reports", drawing: "inbox" }}
        after={params.get("after") || null}
        address={buildReportsAddress}
      >
        <FormAlert>{refused?.errors[""]}</FormAlert>
      </StaffList>
    </>
  );
}

type ReportedRow = ReturnType<typeof toReportedRow>;

function buildReportColumns(refused: FormProblems | null): Column<ReportedRow>[] {
  return [
    { header: "Listing", wide: true, bare: true, cell: (job) => <ListingCell job={job} /> },
    { header: "Reports", wide: true, cell: (job) => <ReportsCell job={job} /> },
    {
      header: "Decision",
      wide: true,
      cell: (job) => (
        <DecisionCell job={job} refused={refused?.values.jobId === job.id ? refused : null} />
      ),
    },
  ];
}

function ListingCell({ job }: { job: ReportedRow }) {
  return (
    <>
      <Link to={`/jobs/${job.id}`}>{job.title}</Link>
      <span className={`${listsStyles.preview} wrap-anywhere`}>{job.company}</span>
      <span className={listsStyles.preview}>
        Posted by {job.postedBy?.trim() || "an unknown user"}
      </span>
      {!job.isOpen && <Badge tone="neutral">Archived</Badge>}{" "}
      {job.isReported && <Badge tone="info">Shown as reported</Badge>}
    </>
  );
}

const reporterLabels: Record<ListedReport["reporter"], string> = {
  account: "Account",
  visitor: "Confirmed email",
  deleted: "Deleted account",
};

function ReportsCell({ job: { reports, total } }: { job: ReportedRow }) {
  return (
    <>
      <strong>{countNoun(total, "report")}</strong>
      <ul className={styles.jobReports}>
        {reports.map(({ id, reason, text, reporter, sent }) => (
          <li key={id}>
            {categoryLabels[reason]}
            <span className={listsStyles.preview}>
              {reporterLabels[reporter]}, {sent}
            </span>
            {text && <p className={styles.text}>{text}</p>}
          </li>
        ))}
      </ul>
      {total > reports.length && <p>And {total - reports.length} more.</p>}
    </>
  );
}

function DecisionCell({
  job: { id, title: name, version, isOpen },
  refused,
}: {
  job: ReportedRow;
  refused: FormProblems | null;
}) {
  const about = <span className="sr-only"> “{name}”</span>;
  return (
    <DecisionForm>
      <input type="hidden" name="jobId" value={id} />
      <input type="hidden" name="seen" value={version} />
      <DecisionReason
        label={<>Reason{about}</>}
        value={refused?.values.reason}
        error={refused?.errors.reason}
      />
      <SubmitButton
        intent="archive-reported"
        variant="danger"
        size="sm"
        pendingLabel="Archiving..."
      >
        {isOpen ? "Archive listing" : "Keep archived"}
        {about}
      </SubmitButton>
      <SubmitButton
        intent="dismiss-reports"
        variant="secondary"
        size="sm"
        pendingLabel="Dismissing..."
      >
        Dismiss reports{about}
      </SubmitButton>
    </DecisionForm>
  );
}
