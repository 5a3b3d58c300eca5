import { Form } from "react-router";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { type Column, Pager, Table } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import type { ManageQuery, OpenForm } from "./rules.ts";
import type { loadManagedJobs } from "./job-management.server.ts";

type Loaded = Awaited<ReturnType<typeof loadManagedJobs>>["data"];
type Listing = Loaded["listings"][number];
/** The address of the screen with a part of its query changed. */
type Address = (change: Partial<ManageQuery>) => string;

/** A page of listings with the actions for each, or the next step when there are none. */
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
    const shown = { query, address, isOwn: !showsOwners };
    return !problem && <NoListings {...shown} />;
  }
  return (
    <div className={`transition-opacity ${isBusy ? "opacity-50" : ""}`} aria-busy={isBusy}>
      <Table
        caption={query.isArchived ? "Archived Jobs" : openLabel}
        columns={buildListingColumns({ isArchived: query.isArchived, showsOwners, address })}
        rows={listings}
        rowKey={({ id }) => id}
      />
      <Pager
        shown={listings.length}
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
      cell: ({ id, title, company }) => (
        <>
          <span className="block font-semibold">
            {isArchived ? title : <Link to={`/jobs/${id}`}>{title}</Link>}
          </span>
          <span className="text-ink-soft">{company}</span>
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
  cell: ({ postedBy }) => <span className="person">{postedBy?.trim() || "Unknown"}</span>,
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

/** The actions for one listing: links and buttons, so that all work without scripts. */
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
  /** True when its history can be read here. */
  hasHistory: boolean;
}) {
  const named = { variant: "ghost", size: "sm", "aria-description": title } as const;
  const open = (form: OpenForm) => ({ ...named, to: address({ form }), preventScrollReset: true });
  return (
    <div className="-mx-3 flex flex-wrap md:-mx-2 md:flex-nowrap md:justify-end md:[&_.button]:px-2">
      <ButtonLink {...open({ intent: "edit", id })}>Edit</ButtonLink>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value={isArchived ? "unarchive-job" : "archive-job"} />
        <SubmitButton
          {...named}
          name="id"
          value={id}
          pendingLabel={isArchived ? "Unarchiving..." : "Archiving..."}
        >
          {isArchived ? "Unarchive" : "Archive"}
        </SubmitButton>
      </Form>
      {hasHistory && (
        <ButtonLink {...named} to={`/admin/history?type=job&id=${id}`}>
          History
        </ButtonLink>
      )}
      <ButtonLink {...open({ intent: "delete", id })} className="text-danger">
        Delete
      </ButtonLink>
    </div>
  );
}

/** Replaces an empty list and says what to do next. */
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
      Add the first one
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
        Try another word, a shorter one, or another job type.
      </EmptyState>
    );
  }
  return query.isArchived ? (
    <EmptyState
      title="No archived jobs"
      drawing="inbox"
      action={<ButtonLink to={address({ isArchived: false })}>Show open jobs</ButtonLink>}
    >
      A job that is no longer open can be archived: it leaves the public board and waits here.
    </EmptyState>
  ) : (
    <EmptyState
      title={isOwn ? "You have no jobs on the board" : "No jobs on the board"}
      drawing="map"
      action={add}
    >
      What is added stands on the public board at once.
    </EmptyState>
  );
}
