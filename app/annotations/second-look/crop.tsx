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
      <div style={{ aspectRatio: (ratio * frame.width) / frame.height }}>
        <div
          className={styles.page}
          style={{
            aspectRatio: ratio,
            width: `${(1 / frame.width) * 100}%`,
            left: `${(-frame.x / frame.width) * 100}%`,
            top: `${(-frame.y / frame.height) * 100}%`,
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
              style={{ top: `${band.top * 100}%`, height: `${band.height * 100}%` }}
            />
          ))}
          {area && (
            <span
              className={styles.area}
              style={{
                left: `${area.x * 100}%`,
                top: `${area.y * 100}%`,
                width: `${area.width * 100}%`,
                height: `${area.height * 100}%`,
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
