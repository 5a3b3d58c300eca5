import { PageThumbnail } from "../../annotations/document-pages/page-thumbnail.tsx";
import { countNoun } from "../../platform/count-noun.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import type { DueView } from "../../reviews/due-dates/due-dates.ts";
import type { CardFacts } from "./card-facts.server.ts";
import {
  buildAssignmentsAddress,
  type AssignmentsQuery,
  buildSortQuery,
} from "./dashboard-query.ts";
import { toPriorityBadge, type ReviewStatus, toStatusBadge } from "../../reviews/rules.ts";
import * as styles from "./dashboard.module.css";

type AssignmentCard = CardFacts & {
  reviewId: string;
  service: string;
  status: ReviewStatus;
  priority: number;
  hasDraft: boolean;
  isOpen: boolean;
  /** "Assigned on Jan 5, 2025" */
  when: string;
  due: DueView | null;
};

export function AssignmentCards({ cards }: { cards: AssignmentCard[] }) {
  return (
    <ul className={styles.assignments}>
      {cards.map((card) => (
        <Card key={card.reviewId} as="li" title={card.service} footer={<Step card={card} />}>
          <ReviewBadges {...card} />
          {card.targetRole && <p className={styles.role}>{card.targetRole}</p>}
          <p className={styles.details}>
            <DueDate due={card.due} />
            {card.pageCount > 0 && <span>{countNoun(card.pageCount, "page")}</span>}
            {card.hasDraft && <span>Draft saved</span>}
          </p>
          <p className="text-sm text-ink-faint">{card.when}</p>
          {card.cover && (
            <div className={styles.cover}>
              <PageThumbnail thumbnail={card.cover} ratio={null} label="" />
            </div>
          )}
        </Card>
      ))}
    </ul>
  );
}

/** The priority, if any, and the status of a review. */
export function ReviewBadges({ priority, status }: { priority: number; status: ReviewStatus }) {
  const badges = [toPriorityBadge(priority), toStatusBadge(status)].filter(
    (badge) => badge !== null,
  );
  return (
    <p className="row">
      {badges.map(({ label, tone }) => (
        <Badge key={label} tone={tone}>
          {label}
        </Badge>
      ))}
    </p>
  );
}

function Step({ card: { reviewId, isOpen, service, when } }: { card: AssignmentCard }) {
  return (
    <ButtonLink
      to={`/reviewer/submission/${reviewId}`}
      variant="secondary"
      aria-description={`${service}, ${when}`}
    >
      {isOpen ? "Review This Order" : "View Submission"}
    </ButtonLink>
  );
}

const sortFields = [
  { sort: "assigned", label: "Date Assigned" },
  { sort: "priority", label: "Priority" },
] as const;

/**
 * The sort buttons: descending first, and pressing again reverses the order. Pending reviews can also be sorted by due
 * date, in one direction.
 */
export function SortButtons({ query }: { query: AssignmentsQuery }) {
  return (
    <nav className={styles.sorts} aria-label="Sort by">
      {sortFields.map(({ sort, label }) => {
        const direction = query.sort === sort ? query.direction : null;
        return (
          <ButtonLink
            key={sort}
            to={buildAssignmentsAddress(buildSortQuery(query, sort))}
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
      {query.tab === "pending" && (
        <ButtonLink
          to={buildAssignmentsAddress(buildSortQuery(query, "due"))}
          variant="secondary"
          size="sm"
          aria-current={query.sort === "due" ? "true" : undefined}
          preventScrollReset
          replace
        >
          Due first
        </ButtonLink>
      )}
    </nav>
  );
}
