/** How the admin's list of assigned reviews can be sorted; safe for the browser. */

export const assignedSorts = [
  "service_type",
  "user",
  "assigned_to",
  "days_assigned",
  "days_since_purchase",
  "created_at",
  "assigned_at",
] as const;

export type AssignedSort = { by: (typeof assignedSorts)[number]; direction: "asc" | "desc" };

export const firstAssignedSort: AssignedSort = { by: "days_assigned", direction: "desc" };

/** "user.asc" → by user, ascending; anything that is not understood is the first sort. */
export function readAssignedSort(text: string | null): AssignedSort {
  const [name, direction] = (text ?? "").split(".");
  const by = assignedSorts.find((known) => known === name);
  if (!by || (direction !== "asc" && direction !== "desc")) return firstAssignedSort;
  return { by, direction };
}

export function writeAssignedSort({ by, direction }: AssignedSort): string {
  return `${by}.${direction}`;
}
