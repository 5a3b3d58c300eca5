import { ButtonLink } from "../../ui/form/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import type { ManageQuery } from "./query.ts";
import type { Address } from "./listing-actions.tsx";

/** Stands in the place of a list without a listing, and says what to do next. */
export function NoListings({
  query,
  address,
  openLabel,
}: {
  query: ManageQuery;
  address: Address;
  openLabel: string;
}) {
  const add = (
    <ButtonLink to={address({ form: { intent: "create" } })} preventScrollReset>
      Add New Job
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
      action={<ButtonLink to={address({ isArchived: false })}>{openLabel}</ButtonLink>}
    >
      A job that is no longer open can be archived: it leaves the public board and waits here.
    </EmptyState>
  ) : (
    <EmptyState title="No jobs on the board" drawing="map" action={add}>
      Add one, and it stands on the public board at once.
    </EmptyState>
  );
}
