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
            width: toPercent(1 / frame.width),
            left: toPercent(-frame.x / frame.width),
            top: toPercent(-frame.y / frame.height),
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
              style={{ top: toPercent(band.top), height: toPercent(band.height) }}
            />
          ))}
          {area && (
            <span
              className={styles.area}
              style={{
                left: toPercent(area.x),
                top: toPercent(area.y),
                width: toPercent(area.width),
                height: toPercent(area.height),
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

/** Rounds, because a page shows many crops and long numbers don't compress. */
function toPercent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}
