import type { Sheet } from "../marked.ts";
import { PinSign } from "../pin-sign.tsx";
import { MarkBox } from "../plate/mark-box.tsx";
import { toMarkStyle } from "../plate/mark-style.ts";
import { severities } from "../severities.ts";
import * as plateStyles from "../plate/plate.module.css";

/**
 * Renders an earlier page with its pins, which lead to the earlier remarks. `Plate` would do it too, but the scripts of
 * the result would then be split into more files.
 */
export function EarlierSheet({
  sheet: { title, width, height, bands, remarks, pins },
}: {
  sheet: Sheet;
}) {
  return (
    <>
      <h3>Earlier: {title}</h3>
      <div className={plateStyles.plate}>
        <span className={plateStyles.rows} />
        <div className={plateStyles.paper}>
          {bands.map((band, index) => (
            <img
              key={band.top}
              src={band.small}
              srcSet={`${band.small} 800w, ${band.large} 1600w`}
              sizes="(width >= 64rem) 25vw, 100vw"
              alt={index === 0 ? title : ""}
              width={1600}
              height={Math.round((1600 * band.height * height) / width)}
              loading="lazy"
              decoding="async"
            />
          ))}
          {remarks.map(
            ({ id, area, number, severity }) =>
              area && (
                <span
                  key={id}
                  className={plateStyles.mark}
                  data-severity={severity}
                  style={toMarkStyle(area, pins[id]!)}
                >
                  <MarkBox area={area} />
                  <a
                    href={`#remark-${number}`}
                    aria-label={`Earlier remark ${number}: ${severities[severity].label}`}
                  >
                    <PinSign severity={severity} number={number} />
                  </a>
                </span>
              ),
          )}
        </div>
      </div>
    </>
  );
}
