import type { Testimonial } from "../../platform/config.server.ts";
import { Badge } from "../../ui/layout/card.tsx";

/**
 * Customer quotes, side by side.
 *
 * @param samples stand in as long as nobody has said anything; the page itself calls them samples.
 */
export function Testimonials({ said, samples }: { said: Testimonial[]; samples: Testimonial[] }) {
  const isSample = said.length === 0;
  return (
    <div className="voices">
      {(isSample ? samples : said).map(({ who, says }) => (
        <figure key={says} className="voice">
          <blockquote>
            <p>{says}</p>
          </blockquote>
          <figcaption>
            {who} {isSample && <Badge tone="outline">Sample</Badge>}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}
