import { Badge } from "../../ui/layout/card.tsx";
import { serviceLabel, priorityBadge, services, isServiceType } from "../rules.ts";
import type { Material } from "../materials.ts";
import type { Column } from "../../ui/list/table.tsx";
import { Tooltip } from "../../ui/feedback/tooltip.tsx";

/** A row as the lists of reviews have it in common. */
export type ReviewRow = {
  id: string;
  serviceType: string;
  userId: string;
  resource: Material | null;
  priority: number;
};

export const idColumn: Column<ReviewRow> = {
  header: "Review ID",
  wide: true,
  cell: ({ id }) => <Id>{id}</Id>,
};

export const typeColumn: Column<ReviewRow> = {
  header: "Service Type",
  cell: ({ serviceType }) => (
    <span className="whitespace-nowrap">
      {isServiceType(serviceType) ? services[serviceType].shortLabel : serviceLabel(serviceType)}
    </span>
  ),
};

/** In the list of pending reviews the user is an id; in the others, a name. */
export const userIdColumn: Column<ReviewRow> = {
  header: "User",
  cell: ({ userId }) => <Id>{userId}</Id>,
};

export const userNameColumn: Column<ReviewRow & { userName: string }> = {
  header: "User",
  cell: ({ userName, userId }) => (
    <Tooltip words={userId}>
      <span className="person">{userName}</span>
    </Tooltip>
  ),
};

export const resourceColumn: Column<ReviewRow> = {
  header: "Resource",
  cell: ({ resource }) =>
    resource ? <Resource material={resource} /> : <span className="text-ink-faint">None</span>,
};

export const priorityColumn: Column<ReviewRow> = {
  header: "Priority",
  cell: ({ priority }) => {
    const badge = priorityBadge(priority);
    return badge ? (
      <Badge tone={badge.tone}>{badge.label}</Badge>
    ) : (
      <span className="sr-only">None</span>
    );
  },
};

function Resource({ material: { label, href, text } }: { material: Material }) {
  return (
    <Tooltip words={text}>
      {href ? (
        <a href={href} target="_blank" rel="noopener noreferrer" className="whitespace-nowrap">
          {label}
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      ) : (
        <span>{label}</span>
      )}
    </Tooltip>
  );
}

/** An id takes the room of its first characters; the whole of it is there to copy and to read out. */
export function Id({ children }: { children: string }) {
  return (
    <Tooltip words={children}>
      <code className="short-id">{children}</code>
    </Tooltip>
  );
}
