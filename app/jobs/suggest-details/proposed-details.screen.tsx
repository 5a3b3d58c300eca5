import { useSearchParams } from "react-router";
import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { createFormAction } from "../../platform/forms.server.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { loadList } from "../../ui/list/load-list.server.ts";
import { StaffList } from "../../ui/list/staff-list.tsx";
import type { Column } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/proposed-details.screen.ts";
import {
  acceptDetails,
  findProposedDetails,
  listJobsWithoutDetails,
} from "./accept-details.server.ts";
import { formatProposal } from "./format-proposals.server.ts";
import { ProposalForm } from "./proposal-form.tsx";
import { chosenPrefix } from "./proposals.ts";
import * as styles from "./proposals.module.css";
import * as listsStyles from "../../ui/list/lists.module.css";

const title = "Proposed details";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = parseDetailsQuery(new URL(request.url).searchParams);
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  return loadList(
    context,
    async () => {
      const { rows, ...page } = await listJobsWithoutDetails(db, actor, query.after);
      const chosen = rows.find(({ id }) => id === query.job) ?? rows[0];
      const open = chosen ? await findProposedDetails(db, actor, chosen.id) : null;
      return { ...page, rows: rows.map(toRow), open: open && toOpenListing(open) };
    },
    { fallback: "Failed to load the listings", none: { open: null } },
  );
}

type Found = NonNullable<Awaited<ReturnType<typeof findProposedDetails>>>;

function toRow<Job extends { postedAt: Date }>({ postedAt, ...job }: Job) {
  return { ...job, posted: formatShortDate(postedAt) };
}

function toOpenListing({ job, proposals, conflict, version }: Found) {
  const { id, title, company, location, jobType, postedAt } = job;
  return {
    ...toRow({ id, title, company, location, jobType, postedAt }),
    version,
    conflict,
    proposals: proposals.map((proposal) => formatProposal(job, proposal)),
  };
}

export const action = createFormAction({
  schema: z.object({ id: z.string(), seen: z.string(), next: z.string().optional() }),
  run({ context, value: { id, seen }, values }) {
    const keys = Object.keys(values)
      .filter((name) => name.startsWith(chosenPrefix))
      .map((name) => name.slice(chosenPrefix.length));
    return acceptDetails(context.get(appContext).db, context.get(currentActor), { id, seen, keys });
  },
  done: (_done, { url, value: { next } }) => ({
    toast: { kind: "success", title: "Details saved" },
    data: redirect(
      buildDetailsAddress({ ...parseDetailsQuery(url.searchParams), job: next || null }),
    ),
  }),
  failed: ({ refusal }) => ({
    toast: { kind: "error", title: "Failed to save the details" },
    data: refusal,
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function ProposedDetails({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, open, next } = loaderData;
  const [params] = useSearchParams();
  const query = parseDetailsQuery(params);
  useFocusFirstError(actionData?.errors);
  const position = rows.findIndex(({ id }) => id === open?.id);
  const following = rows[position + 1];
  return (
    <StaffList
      title={title}
      intro="These listings state their details only in text, so filters miss them. Accept what the text says. Nothing changes until you do."
      back={<BackLink to="/admin/jobs">Back to Job Board</BackLink>}
      loaded={loaderData}
      caption="Listings without details"
      columns={buildColumns(query, open?.id)}
      rowKey={({ id }) => id}
      empty={{ title: "Every open listing has details", drawing: "inbox" }}
      after={query.after}
      address={(after) => buildDetailsAddress({ after, job: null })}
    >
      <FormAlert>{actionData?.errors[""]}</FormAlert>
      {open && (
        <ProposalForm
          key={open.version}
          listing={open}
          next={following?.id ?? ""}
          skip={getSkipAddress(query, following?.id, next)}
          refused={actionData ?? null}
        />
      )}
    </StaffList>
  );
}

/** The query of the screen: the cursor of its page, and the open listing. */
type DetailsQuery = { after: string | null; job: string | null };

/** Invalid parameters are ignored. */
function parseDetailsQuery(params: URLSearchParams): DetailsQuery {
  return { after: params.get("after") || null, job: params.get("job") || null };
}

function buildDetailsAddress(query: DetailsQuery): OwnPath {
  return `/admin/jobs/details${writeQuery(query)}`;
}

/** Returns the address of the next listing, or null after the last one. */
function getSkipAddress(
  query: DetailsQuery,
  following: string | undefined,
  next: string | null,
): OwnPath | null {
  if (following) return buildDetailsAddress({ ...query, job: following });
  return next ? buildDetailsAddress({ after: next, job: null }) : null;
}

type Row = { id: string; title: string; company: string; location: string; posted: string };

function buildColumns(query: DetailsQuery, open: string | undefined): Column<Row>[] {
  return [
    {
      header: "Job",
      wide: true,
      bare: true,
      cell: ({ id, title, company }) => (
        <>
          <Link
            to={buildDetailsAddress({ ...query, job: id })}
            aria-current={id === open ? "true" : undefined}
            className={styles.listingToCheck}
          >
            {title}
          </Link>
          <span className={listsStyles.preview}>{company}</span>
        </>
      ),
    },
    { header: "Location", cell: ({ location }) => location },
    { header: "Posted", cell: ({ posted }) => <span className="whitespace-nowrap">{posted}</span> },
  ];
}
