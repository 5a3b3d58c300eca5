import { ButtonLink } from "../../ui/form/button.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import {
  assignmentsAddress,
  type AssignmentsQuery,
  sortedBy,
} from "../assign/assignments-query.ts";

const measures = [
  { sort: "assigned", label: "Date Assigned" },
  { sort: "priority", label: "Priority" },
] as const;

/** Each orders by its measure, descending at first; pressed again it turns the order round. */
export function SortButtons({ query }: { query: AssignmentsQuery }) {
  return (
    <nav className="sorts" aria-label="Sort by">
      {measures.map(({ sort, label }) => {
        const direction = query.sort === sort ? query.direction : null;
        return (
          <ButtonLink
            key={sort}
            to={assignmentsAddress(sortedBy(query, sort))}
            variant="secondary"
            size="sm"
            aria-current={direction ? "true" : undefined}
            data-direction={direction ?? undefined}
            preventScrollReset
            replace
          >
            {label}
            {direction && <Icon name="chevron-down" />}
            {direction && (
              <span className="sr-only">
                {direction === "asc" ? ", ascending" : ", descending"}
              </span>
            )}
          </ButtonLink>
        );
      })}
    </nav>
  );
}
