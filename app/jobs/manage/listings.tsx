import { Form } from "react-router";
import type { OwnPath } from "../../platform/own-path.ts";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { HistoryLink, RowMenu } from "../../ui/list/row-menu.tsx";
import { type Column, Pager, Table } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import type { ManageQuery, OpenForm } from "./rules.ts";
import type { loadManagedJobs } from "./job-management.server.ts";
import * as listsStyles from "../../ui/list/lists.module.css";
import * as tableStyles from "../../ui/list/table.module.css";
import * as styles from "./manage.module.css";

type Loaded = Awaited<ReturnType<typeof loadManagedJobs>>["data"];
type Listing = Loaded["listings"][number];
/** Builds the screen's address with some query values changed. */
type Address = (change: Partial<ManageQuery>) => OwnPath;

/** A page of listings with actions, or an empty state with the next step. */
export function Listings({
  loaded: { listings, previous, next, problem },
  query,
  address,
  openLabel,
  showsOwners = false,
  isBusy,
}: {
  loaded: Loaded;
  query: ManageQuery;
  address: Address;
  openLabel: string;
  showsOwners?: boolean;
  isBusy: boolean;
}) {
  if (listings.length === 0) {
    return !problem && <NoListings query={query} address={address} isOwn={!showsOwners} />;
  }
  return (
    <div className={styles.listings} aria-busy={isBusy}>
      <Table
        caption={query.isArchived ? "Archived Jobs" : openLabel}
        columns={buildListingColumns({ isArchived: query.isArchived, showsOwners, address })}
        rows={listings}
        rowKey={({ id }) => id}
      />
      <Pager
        rowCount={listings.length}
        previous={previous}
        next={next}
        after={query.after}
        address={(after) => address({ after })}
      />
    </div>
  );
}

function buildListingColumns({
  isArchived,
  showsOwners,
  address,
}: {
  isArchived: boolean;
  showsOwners: boolean;
  address: Address;
}): Column<Listing>[] {
  return [
    {
      header: "Job",
      wide: true,
      bare: true,
      cell: ({ id, title, company, reason }) => (
        <>
          <span className="block font-semibold">
            {isArchived ? title : <Link to={`/jobs/${id}`}>{title}</Link>}
          </span>
          <span className="text-ink-soft">{company}</span>
          {reason && <span className={listsStyles.preview}>{reason}</span>}
        </>
      ),
    },
    { header: "Location", cell: ({ location }) => location },
    { header: "Type", cell: ({ jobType }) => <Badge tone="outline">{jobType}</Badge> },
    ...(showsOwners ? [ownerColumn] : []),
    postedColumn,
    {
      header: <span className="sr-only">Actions</span>,
      align: "end",
      cell: ({ id, title }) => (
        <ListingActions
          id={id}
          title={title}
          isArchived={isArchived}
          address={address}
          hasHistory={showsOwners}
        />
      ),
    },
  ];
}

const ownerColumn: Column<Listing> = {
  header: "Posted by",
  cell: ({ postedBy }) => (
    <span className={tableStyles.person}>{postedBy?.trim() || "Unknown"}</span>
  ),
};

const postedColumn: Column<Listing> = {
  header: "Posted",
  cell: ({ posted, edited }) => (
    <span className="whitespace-nowrap">
      {posted}
      {edited && <span className="block text-xs text-ink-faint">Edited {edited}</span>}
    </span>
  ),
};

/** The actions for a listing: links and forms, so that they work without JavaScript. */
function ListingActions({
  id,
  title,
  isArchived,
  address,
  hasHistory,
}: {
  id: string;
  title: string;
  isArchived: boolean;
  address: Address;
  /** Adds a link to the listing's history. */
  hasHistory: boolean;
}) {
  const style = { variant: "ghost", size: "sm", "aria-description": title } as const;
  const open = (form: OpenForm) => ({ to: address({ form }), preventScrollReset: true });
  return (
    <div className={styles.actions}>
      <ButtonLink {...style} {...open({ intent: "edit", id })}>
        Edit
      </ButtonLink>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value={isArchived ? "unarchive-job" : "archive-job"} />
        <SubmitButton
          {...style}
          name="id"
          value={id}
          pendingLabel={isArchived ? "Unarchiving..." : "Archiving..."}
        >
          {isArchived ? "Unarchive" : "Archive"}
        </SubmitButton>
      </Form>
      <RowMenu id={id} label={`Actions for ${title}`}>
        {() => (
          <>
            {hasHistory && <HistoryLink type="job" id={id} />}
            <Link {...open({ intent: "delete", id })} className="text-danger">
              Delete
            </Link>
          </>
        )}
      </RowMenu>
    </div>
  );
}

/** The empty state of a list, with the next step. */
function NoListings({
  query,
  address,
  isOwn,
}: {
  query: ManageQuery;
  address: Address;
  isOwn: boolean;
}) {
  const add = (
    <ButtonLink to={address({ form: { intent: "create" } })} preventScrollReset>
      Add a job
    </ButtonLink>
  );
  if (query.search || query.type || query.after) {
    const all = address({ search: "", type: null, after: null });
    return (
      <EmptyState
        title="No jobs found matching your criteria."
        drawing="search"
        action={<ButtonLink to={all}>Show all jobs</ButtonLink>}
      >
        Try a shorter search, other words or another job type.
      </EmptyState>
    );
  }
  return query.isArchived ? (
    <EmptyState
      title="No archived jobs"
      drawing="inbox"
      action={<ButtonLink to={address({ isArchived: false })}>Show open jobs</ButtonLink>}
    >
      Archive jobs that are no longer open. They leave the public board and appear here.
    </EmptyState>
  ) : (
    <EmptyState
      title={isOwn ? "You have no jobs on the board" : "No jobs on the board"}
      drawing="map"
      action={add}
    >
      New listings appear on the public board immediately.
    </EmptyState>
  );
}
