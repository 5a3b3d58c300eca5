import type { Testimonial } from "../../platform/config.server.ts";
import { Badge } from "../../ui/layout/card.tsx";
import * as styles from "./voices.module.css";

/**
 * Customer quotes, side by side.
 *
 * @param samples shown, and marked as samples, until there are real quotes
 */
export function Testimonials({ said, samples }: { said: Testimonial[]; samples: Testimonial[] }) {
  const isSample = said.length === 0;
  return (
    <div className={styles.voices}>
      {(isSample ? samples : said).map(({ who, says }) => (
        <figure key={says} className={styles.voice}>
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
