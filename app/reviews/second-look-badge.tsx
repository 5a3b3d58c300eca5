import { Badge } from "../ui/layout/card.tsx";
import { secondLookLabel } from "./second-looks.ts";

/** Shows beside the title of a review that it is a second look. */
export function SecondLookBadge({ secondLookOf }: { secondLookOf: string | null }) {
  return secondLookOf && <Badge tone="outline">{secondLookLabel}</Badge>;
}
