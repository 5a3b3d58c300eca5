import type { Crop } from "./outcomes.ts";
import * as styles from "./crop.module.css";

/** Renders a part of a page with its marked area, and a caption such as "Before: Resume, page 1". */
export function CropFigure({
  crop: { label, ratio, frame, area, bands },
  caption,
}: {
  crop: Crop;
  caption: string;
}) {
  return (
    <figure className={styles.crop}>
      <div style={{ aspectRatio: Number(((ratio * frame.width) / frame.height).toFixed(3)) }}>
        <div
          className={styles.page}
          style={{
            aspectRatio: ratio,
            width: formatCropPercent(1 / frame.width),
            left: formatCropPercent(-frame.x / frame.width),
            top: formatCropPercent(-frame.y / frame.height),
          }}
        >
          {bands.map((band) => (
            <img
              key={band.top}
              src={band.small}
              srcSet={`${band.small} 800w, ${band.large} 1600w`}
              sizes="(width >= 64rem) 40rem, 100vw"
              alt=""
              loading="lazy"
              decoding="async"
              draggable={false}
              style={{ top: formatCropPercent(band.top), height: formatCropPercent(band.height) }}
            />
          ))}
          {area && (
            <span
              className={styles.area}
              style={{
                left: formatCropPercent(area.x),
                top: formatCropPercent(area.y),
                width: formatCropPercent(area.width),
                height: formatCropPercent(area.height),
              }}
            />
          )}
        </div>
      </div>
      <figcaption>
        {caption}: {label}
      </figcaption>
    </figure>
  );
}

/**
 * Rounds, because a page shows many crops and long numbers don't compress. Sharing this with `mark-style.ts` would split
 * the scripts of the example review, which are at their limit.
 */
function formatCropPercent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}
