import type { Testimonial } from "../../platform/config.server.ts";
import { Badge } from "../../ui/layout/card.tsx";
import * as styles from "./voices.module.css";

/**
 * Customer quotes, side by side.
 *
 * @param samples shown, and marked as samples, until there are real quotes
 */
export function Testimonials({ real, samples }: { real: Testimonial[]; samples: Testimonial[] }) {
  const isSample = real.length === 0;
  return (
    <div className={styles.voices}>
      {(isSample ? samples : real).map(({ who, says }) => (
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
