import { Link } from "react-router";
import { Badge } from "../../ui/layout/card.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import type { ManageQuery } from "./query.ts";
import type { loadManagedJobs } from "./list-managed-jobs.server.ts";
import { type Address, ListingActions } from "./listing-actions.tsx";
import { NoListings } from "./no-listings.tsx";

type Loaded = Awaited<ReturnType<typeof loadManagedJobs>>["data"];
type Listing = Loaded["listings"][number];

/** A page of listings with what can be done to each, or what to do where there are none. */
export function Listings({
  loaded: { listings, next, problem },
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
    return !problem && <NoListings query={query} address={address} openLabel={openLabel} />;
  }
  return (
    <div className={`transition-opacity ${isBusy ? "opacity-50" : ""}`} aria-busy={isBusy}>
      <Table
        caption={query.isArchived ? "Archived Jobs" : openLabel}
        columns={columnsOf({ isArchived: query.isArchived, showsOwners, address })}
        rows={listings}
        rowKey={({ id }) => id}
      />
      <nav className="flex flex-wrap gap-x-5 text-sm" aria-label="Pages">
        {query.after && (
          <Link to={address({ after: null })} className="inline-flex min-h-11 items-center">
            First page
          </Link>
        )}
        {next && (
          <Link to={address({ after: next })} className="inline-flex min-h-11 items-center">
            Next page
          </Link>
        )}
      </nav>
    </div>
  );
}

function columnsOf({
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
