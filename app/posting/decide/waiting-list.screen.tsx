import { useRef } from "react";
import { useNavigation, useSearchParams } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDateTime } from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { Invalid } from "../../platform/errors.ts";
import {
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import { useHydrated } from "../../ui/hydrated.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Link } from "../../ui/link.tsx";
import { loadList } from "../../ui/list/load-list.server.ts";
import * as listsStyles from "../../ui/list/lists.module.css";
import {
  SelectAll,
  SelectionForm,
  SelectionSummary,
  useSelection,
  useSuccesses,
} from "../../ui/list/selection.tsx";
import { StaffList } from "../../ui/list/staff-list.tsx";
import type { Column } from "../../ui/list/table.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { readListing } from "../listing-form.server.ts";
import type { Route } from "./+types/waiting-list.screen.ts";
import { toDecisionSettings } from "../create-submitted-job.server.tsx";
import { approveSubmissions } from "./decide-submissions.server.tsx";
import stylesheet from "./waiting-list.screen.css?url";
import * as styles from "./decide.module.css";
import { countWaiting, listWaiting } from "./list-waiting.server.ts";
import { formatSender, SourceLink } from "./source-link.tsx";
import { getWarningFacts, listWarnings } from "./warnings.ts";

const title = "Listings to publish";

/** The most listings that one form publishes. */
const maxSelection = 200;

/** The boxes have the listing's id, the version that the admin sees, and a mark if it has warnings. */
const ticked = "listing";
const warned = ":warned";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  return loadList(
    context,
    async () => {
      const [{ rows, ...page }, total] = await Promise.all([
        listWaiting(db, actor, { after: url.searchParams.get("after") }),
        countWaiting(db, actor),
      ]);
      return { ...page, total, rows: rows.map(toWaitingRow) };
    },
    { fallback: "Failed to load the listings", none: {} },
  );
}

type Listed = Awaited<ReturnType<typeof listWaiting>>["rows"][number];

function toWaitingRow(listed: Listed) {
  const { id, version, fields, sentAt, sender, workEmail, company } = listed;
  const warnings = readWarnings(listed);
  return {
    id,
    isChange: listed.baseVersion !== null,
    box: `${id}:${version}${warnings.length > 0 ? warned : ""}`,
    title: fields.title ?? "Untitled listing",
    place: fields.location ?? "",
    company: company.name,
    sender: formatSender(listed.importedFrom, sender.name),
    sourceUrl: listed.importedFrom?.url ?? null,
    workEmail,
    sentOn: formatShortDateTime(sentAt),
    warnings,
  };
}

function readWarnings(listed: Listed): string[] {
  const { fields, company, source } = listed;
  try {
    return listWarnings(readListing(fields, company.name, source), getWarningFacts(listed));
  } catch (error) {
    if (error instanceof Invalid) return [`It isn't complete: ${error.message}`];
    throw error;
  }
}

export const action = createFormActions({
  "publish-listings": createFormIntent({
    schema: z.object({}),
    run({ context, form }) {
      const { db, config } = context.get(appContext);
      const boxes = [...new Set(form.getAll(ticked).map(String))];
      if (boxes.length === 0) throw new Invalid({ "": "Select at least one listing" });
      if (boxes.length > maxSelection)
        throw new Invalid({ "": `Select at most ${maxSelection} listings at a time` });
      const read = boxes.map((box) => {
        const [id = "", version] = box.split(":");
        return { id, version: Number(version) };
      });
      const settings = toDecisionSettings(config);
      return approveSubmissions(db, getSignedInActor(context), read, settings);
    },
    done({ published, payable, refusals }) {
      const heading =
        payable > 0
          ? `Approved ${countNoun(payable + published, "listing")}, ${payable} to be paid first`
          : `Published ${countNoun(published, "listing")}`;
      const problems = [...new Set(refusals)].join(" ");
      return {
        toast:
          refusals.length === 0
            ? { kind: "success" as const, title: heading }
            : {
                kind: "warning" as const,
                title: `${heading}, and ${refusals.length} not`,
                description: problems,
              },
        data: { ok: true as const },
      };
    },
    failed: showReasonAboveForm("Failed to publish the listings"),
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

const buildWaitingAddress = (after: string | null) =>
  `/admin/jobs/waiting${writeQuery({ after })}` as const;

export default function WaitingList({ loaderData, actionData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const after = params.get("after");
  const form = useRef<HTMLFormElement>(null);
  const { rows } = loaderData;
  const [successes] = useSuccesses(actionData);
  const selection = useSelection(form, {
    name: ticked,
    rows,
    successes,
    across: { list: "listings to publish", max: maxSelection },
  });
  const isSending = useNavigation().formMethod === "POST";
  const hydrated = useHydrated();
  const refused = actionData && "errors" in actionData ? actionData : null;
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <StaffList
        back={<BackLink to="/admin/jobs">Back to Job Board</BackLink>}
        title={title}
        intro="Companies sent these listings and changes, or you imported them. Nobody sees them until you publish them. Read each one first."
        loaded={loaderData}
        columns={columns}
        rowKey={({ id }) => id}
        renderTable={(table) => (
          <SelectionForm form={form} selection={selection} closed={buildWaitingAddress(after)}>
            <div className={listsStyles.assignBar}>
              <SelectAll selection={selection} of={rows.length} />
              <div className={listsStyles.assignActions}>
                <SelectionSummary of={selection} />
                <SubmitButton
                  intent="publish-listings"
                  className={styles.publish}
                  pendingLabel="Publishing..."
                  disabled={hydrated && (selection.count === 0 || isSending)}
                >
                  Publish {hydrated && formatSelected(selection.values)}
                </SubmitButton>
              </div>
            </div>
            {table}
          </SelectionForm>
        )}
        empty={{ title: "No listings to publish", drawing: "inbox" }}
        after={after}
        address={buildWaitingAddress}
      >
        <FormAlert>{refused?.errors[""]}</FormAlert>
      </StaffList>
    </>
  );
}

/** Says how many listings are selected, on all pages: "120 (14 with warnings)". */
function formatSelected(boxes: readonly string[]): string {
  const count = boxes.filter((box) => box.endsWith(warned)).length;
  return `${boxes.length}${count > 0 ? ` (${count} with ${count === 1 ? "a warning" : "warnings"})` : ""}`;
}

type WaitingRow = ReturnType<typeof toWaitingRow>;

const columns: Column<WaitingRow>[] = [
  {
    header: <span className="sr-only">Select</span>,
    label: "Select",
    cell: ({ box, title: name, company }) => (
      <label className={listsStyles.rowTick}>
        <input
          type="checkbox"
          name={ticked}
          value={box}
          aria-label={`Select ${name} at ${company}`}
        />
      </label>
    ),
  },
  {
    header: "Listing",
    wide: true,
    bare: true,
    cell: ({ id, title: name, company, place, isChange }) => (
      <>
        <Link to={`/admin/jobs/waiting/${id}`}>{name}</Link>
        {isChange && <span className="block">Change of a published listing</span>}
        <span className={`${listsStyles.preview} wrap-anywhere`}>
          {company}
          {place && `, ${place}`}
        </span>
      </>
    ),
  },
  {
    header: "From",
    cell: ({ sender, sourceUrl, workEmail, sentOn }) => (
      <>
        {sender}
        {sourceUrl && <SourceLink url={sourceUrl} />}
        {workEmail && <span className={`${listsStyles.preview} wrap-anywhere`}>{workEmail}</span>}
        <span className={listsStyles.preview}>{sentOn}</span>
      </>
    ),
  },
  {
    header: "Look at",
    wide: true,
    cell: ({ warnings }) =>
      warnings.length === 0
        ? "Nothing found"
        : warnings.map((warning) => (
            <span key={warning} className="block">
              <Badge tone="info">Check</Badge> {warning}
            </span>
          )),
  },
];
