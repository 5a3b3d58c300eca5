import { Badge } from "../ui/layout/card.tsx";
import { payUnstated } from "./rules.ts";

/** The pay of a job on a card and on its page. */
export function PayBadge({ pay }: { pay: string | null }) {
  if (pay) return <Badge tone="neutral">{pay}</Badge>;
  return <span className="text-sm text-ink-faint">{payUnstated}</span>;
}
