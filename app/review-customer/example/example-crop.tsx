import { ButtonLink } from "../../ui/form/button.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Link } from "../../ui/link.tsx";
import { exampleReviewPath } from "./pages.ts";
import type { ExampleCrop as Crop } from "./example-crop.server.ts";
import * as styles from "./example-crop.module.css";

/**
 * Renders half a page of the example review with its pins, beside one of its remarks. Both lead to the example.
 *
 * @param isFirst whether it is at the top of the screen: its picture loads at once, and the suggestion is left out
 */
export function ExampleCrop({
  crop: { src, wide, narrow, alt, legend, remark },
  isFirst = false,
}: {
  crop: Crop;
  isFirst?: boolean;
}) {
  return (
    <div className={`${styles.exampleCrop} ${isFirst ? "" : styles.later}`}>
      <div>
        <Link to={exampleReviewPath} prefetch="intent" className="block">
          <picture>
            <source media="(width < 40rem)" type="image/avif" {...narrow} />
            <source type="image/avif" {...wide} />
            <img
              src={src}
              width={wide.width}
              height={wide.height}
              alt={alt}
              loading={isFirst ? "eager" : "lazy"}
              fetchPriority={isFirst ? "high" : undefined}
              decoding="async"
            />
          </picture>
        </Link>
        <p className={`${styles.legend} text-sm`}>{legend}</p>
      </div>
      <div className={styles.remark}>
        <Badge tone="outline">Made up</Badge>
        <p className={styles.kind}>
          <span>{remark.number}</span> {remark.label}
          <small className="text-ink-soft">{remark.about}</small>
        </p>
        <p>{remark.text}</p>
        {!isFirst && (
          <dl className="text-sm">
            <dt className="text-ink-faint">Before</dt>
            <dd>
              <del className="text-ink-soft">{remark.quote}</del>
            </dd>
            <dt className="text-ink-faint">After</dt>
            <dd>
              <ins>{remark.suggestion}</ins>
            </dd>
          </dl>
        )}
        <ButtonLink to={exampleReviewPath} variant="secondary" prefetch="intent">
          Read the example review
        </ButtonLink>
      </div>
    </div>
  );
}
