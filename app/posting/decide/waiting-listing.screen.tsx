import { Form } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { describeArchived } from "../../jobs/check-rules.ts";
import {
  type CompanyJob,
  findCompanyJob,
  getBaseVersion,
} from "../../jobs/manage/company-changes.server.ts";
import { toWrittenFields } from "../../jobs/manage/job-commands.server.ts";
import type { JobInput } from "../../jobs/manage/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDateTime } from "../../platform/clock.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import {
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { DecisionForm, DecisionReason } from "../../ui/form/decision-form.tsx";
import { decisionReason } from "../../ui/form/decision-reason.server.ts";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { buildPreview } from "../build-preview.server.ts";
import { readListing } from "../listing-form.server.ts";
import { ListingPreview } from "../listing-preview.tsx";
import { messages } from "../rules.ts";
import type { Route } from "./+types/waiting-listing.screen.ts";
import { toDecisionSettings } from "../create-submitted-job.server.tsx";
import { approveSubmissions, returnSubmission } from "./decide-submissions.server.tsx";
import { DifferencesCard } from "./differences.tsx";
import { listDifferences } from "./list-differences.server.ts";
import { listSameTexts } from "./list-same-texts.server.ts";
import { getWaiting } from "./list-waiting.server.ts";
import stylesheet from "./waiting-listing.screen.css?url";
import * as differencesStyles from "../../ui/differences/differences.module.css";
import * as styles from "./decide.module.css";
import { formatSender, SourceLink } from "./source-link.tsx";
import { getWarningFacts, listWarnings } from "./warnings.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPrivateMeta(matches, "Listing to publish");

export async function loader({ params: { submissionId }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const waiting = await getWaiting(db, getSignedInActor(context), submissionId);
  const { version, fields, sentAt, sender, workEmail, company, importedFrom } = waiting;
  const { jobId, baseVersion } = waiting;
  const job = await findCompanyJob(db, jobId);
  return {
    version,
    title: fields.title ?? "Untitled listing",
    sentOn: formatShortDateTime(sentAt),
    sender: { id: sender.id, name: formatSender(importedFrom, sender.name), workEmail },
    sourceUrl: importedFrom?.url ?? null,
    company,
    ...readForAdmin(waiting, job),
    change: baseVersion === null ? null : describePublished(job, baseVersion),
    sameTexts: await listSameTexts(db, fields.description ?? "", jobId),
  };
}

/** A listing that was complete when it was sent may not be any more, such as after its closing date. */
function readForAdmin(waiting: Awaited<ReturnType<typeof getWaiting>>, job: CompanyJob | null) {
  const { id, fields, company, source } = waiting;
  try {
    const listing = readListing(fields, company.name, source);
    const warnings = listWarnings(listing, getWarningFacts(waiting));
    const differences = job && listDifferences(toWrittenFields(job), listing);
    return { preview: buildPreview(id, listing, job?.postedAt), differences, warnings };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const warnings = [`It can't be published as it is: ${error.message}`];
    return { preview: null, differences: null, warnings };
  }
}

/** Describes the published listing of a change, and whether it is still the one on which the change is based. */
function describePublished(job: CompanyJob | null, baseVersion: string) {
  if (!job) return { conflict: messages.listingDeleted, published: null };
  const version = getBaseVersion(job);
  const listing: JobInput = { ...job, largeDescription: job.largeDescription ?? "" };
  return {
    conflict: version === baseVersion ? null : describeConflict(job),
    published: { version, preview: buildPreview(job.id, listing, job.postedAt) },
  };
}

function describeConflict(job: CompanyJob): string {
  if (job.isOpen) return messages.listingChanged;
  const reason = describeArchived(job) ?? "Archived";
  return `The listing is off the board: ${reason}. If you publish this change, its text changes, but it stays off the board.`;
}

const readVersion = z.object({
  version: z.coerce.number().int().catch(0),
  baseVersion: z.string().optional(),
});

export const action = createFormActions({
  "publish-listing": createFormIntent({
    schema: readVersion,
    async run({ params: { submissionId: id = "" }, context, value }) {
      const { db, config } = context.get(appContext);
      const settings = toDecisionSettings(config);
      const actor = getSignedInActor(context);
      const read = { id, ...value };
      const { refusals, payable } = await approveSubmissions(db, actor, [read], settings);
      if (refusals.length > 0) throw new Conflict(refusals.join(" "));
      return payable > 0;
    },
    done: (isPayable, { value }) =>
      toWaitingList(
        isPayable ? "Listing approved. Its company pays first." : `${formatKind(value)} published`,
      ),
    failed: showReasonAboveForm("Failed to publish the listing"),
  }),
  "return-listing": createFormIntent({
    schema: readVersion.extend({ reason: decisionReason }),
    run({ params: { submissionId: id = "" }, context, value }) {
      const { db, config } = context.get(appContext);
      const settings = toDecisionSettings(config);
      return returnSubmission(db, getSignedInActor(context), { id, ...value }, settings);
    },
    done: (_returned, { value }) => toWaitingList(`${formatKind(value)} returned`),
    failed: showReasonAboveForm("Failed to return the listing"),
  }),
});

/** The version of the published listing is only in the form of a change. */
const formatKind = ({ baseVersion }: { baseVersion?: string | undefined }) =>
  baseVersion === undefined ? "Listing" : "Change";

function toWaitingList(title: string) {
  return { toast: { kind: "success" as const, title }, data: redirect("/admin/jobs/waiting") };
}

export const shouldRevalidate = revalidateAfterRefusal;

export default function WaitingListing({ loaderData, actionData }: Route.ComponentProps) {
  const { title, version, sentOn, sender, sourceUrl, company, warnings, sameTexts } = loaderData;
  const { change, differences, preview } = loaderData;
  const hasWarnings = warnings.length + sameTexts.length > 0;
  const versions = (
    <>
      <input type="hidden" name="version" value={version} />
      {change && <input type="hidden" name="baseVersion" value={change.published?.version ?? ""} />}
    </>
  );
  const refused = actionData && "errors" in actionData ? actionData : null;
  useFocusFirstError(refused?.errors);
  return (
    <Page
      back={<BackLink to="/admin/jobs/waiting">Back to the listings</BackLink>}
      title={title}
      intro={`${change ? "Change of a published listing. " : ""}Sent ${sentOn} for ${company.name}.`}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <FormAlert>{refused?.errors[""]}</FormAlert>
      {change?.conflict && <p className={styles.warnings}>{change.conflict}</p>}
      {hasWarnings && (
        <ul className={styles.warnings}>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
          {sameTexts.map((job) => (
            <li key={job.id}>
              Its summary is the same as that of{" "}
              <Link to={`/jobs/${job.id}`}>
                “{job.title}” at {job.company}
              </Link>
              .
            </li>
          ))}
        </ul>
      )}
      {differences && <DifferencesCard {...differences} />}
      <Card title="Company">
        <dl className={differencesStyles.facts}>
          <div>
            <dt>Name</dt>
            <dd>{company.name}</dd>
          </div>
          <div>
            <dt>Website</dt>
            <dd>
              <a href={company.website} target="_blank" rel="noopener noreferrer nofollow">
                {company.website}
              </a>
            </dd>
          </div>
          <div>
            <dt>From</dt>
            <dd>
              {sender.id ? (
                <Link to={`/admin/users/${sender.id}`}>{sender.name}</Link>
              ) : (
                sender.name
              )}
              {sender.workEmail && `, ${sender.workEmail}`}
              {sourceUrl && <SourceLink url={sourceUrl} />}
            </dd>
          </div>
          {company.about && (
            <div>
              <dt>About</dt>
              <dd>{company.about}</dd>
            </div>
          )}
        </dl>
      </Card>
      <div className={styles.decisions}>
        <Form method="post" preventScrollReset>
          {versions}
          <SubmitButton
            intent="publish-listing"
            pendingLabel="Publishing..."
            disabled={!preview || change?.published === null}
          >
            {hasWarnings || change?.conflict ? "Publish anyway" : "Publish"}
          </SubmitButton>
        </Form>
        <DecisionForm>
          {versions}
          <DecisionReason
            label="What has to change"
            value={refused?.values.reason}
            error={refused?.errors.reason}
          />
          <SubmitButton intent="return-listing" variant="secondary" pendingLabel="Returning...">
            Return to the company
          </SubmitButton>
        </DecisionForm>
      </div>
      {change?.published && (
        <details className={styles.folded} open={change.conflict !== null}>
          <summary>The published listing as it is now</summary>
          <ListingPreview {...change.published.preview} check="Published" />
        </details>
      )}
      {preview && <ListingPreview {...preview} />}
    </Page>
  );
}
