import type { ReactNode } from "react";
import { Badge } from "../../ui/layout/card.tsx";

/** What people say, side by side. */
export function Voices({ children }: { children: ReactNode }) {
  return <div className="voices">{children}</div>;
}

/** What one person says. As long as nobody has said it, the page itself calls it a sample. */
export function Voice({ who, children }: { who: string; children: string }) {
  return (
    <figure className="voice">
      <blockquote>
        <p>{children}</p>
      </blockquote>
      <figcaption>
        {who} <Badge tone="outline">Sample</Badge>
      </figcaption>
    </figure>
  );
}
