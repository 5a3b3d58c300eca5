import type { ReactNode } from "react";
import { criteria } from "../rubric.ts";
import { type Area, severities } from "../remarks/rules.ts";
import type { NumberedRemark, Sheet } from "./marked.ts";
import { Pin } from "./remark-item.tsx";

/** A page with its pins; beside it, or below it on phones, what is said about it. */
export function MarkedSheet({
  sheet,
  isLit,
  focused,
  children,
}: {
  sheet: Sheet;
  /** Whether a remark is pointed at. */
  isLit: (id: string) => boolean;
  /** The remark that has the focus: its part of a tall page is shown. */
  focused: string | null;
  /** The list of its remarks. */
  children: ReactNode;
}) {
  const { id, title, caption, width, height, remarks } = sheet;
  const inSight = remarks.find((remark) => remark.id === focused)?.area?.y;
  return (
    <section className="marked-sheet" id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      {caption && <p className="marked-sheet-caption">{caption}</p>}
      <div
        className="marked-sheet-sides"
        style={{ "--ratio": width > 0 ? height / width : undefined } as object}
      >
        <div className="marked-sheet-page">
          <div className="sheet-paper" style={{ "--focused": inSight } as object}>
            <Bands sheet={sheet} />
            <svg className="pins" role="group" aria-label={`Places on ${title}`}>
              {remarks.map((remark) => (
                <PlacedPin key={remark.id} remark={remark} isLit={isLit(remark.id)} />
              ))}
            </svg>
          </div>
        </div>
        {children}
      </div>
    </section>
  );
}

/** The pictures of a page from top to bottom; their sides are known, so nothing moves when they come. */
function Bands({ sheet: { title, width, height, bands, href } }: { sheet: Sheet }) {
  // Of a screenshot no sides may be known yet; its pins keep to it all the same.
  const sides = width > 0 ? { width: Math.round(width), height: Math.round(height) } : {};
  if (bands.length === 0) return <img src={href!} alt={title} {...sides} />;
  return bands.map((band, index) => (
    <img
      key={band.top}
      loading="lazy"
      decoding="async"
      src={band.small}
      srcSet={`${band.small} 800w, ${band.large} 1600w`}
      sizes="(width >= 64rem) 46rem, 100vw"
      alt={index === 0 ? title : ""}
      width={1600}
      height={Math.round((1600 * band.height * height) / width)}
    />
  ));
}

function PlacedPin({ remark, isLit }: { remark: NumberedRemark; isLit: boolean }) {
  const { id, area, number, severity, criterion } = remark;
  if (!area) return null;
  const about = criterion ? `, ${criteria[criterion].label}` : "";
  return (
    <a
      id={`pin-${number}`}
      href={`#remark-${number}`}
      aria-label={`Remark ${number}: ${severities[severity].label}${about}`}
      data-remark={id}
      data-severity={severity}
      data-lit={isLit || undefined}
    >
      {area.width > 0 && <Outline area={area} />}
      <svg x={percent(area.x)} y={percent(area.y)}>
        <circle className="pin-reach" r="22" />
        <Pin severity={severity} number={number} />
      </svg>
    </a>
  );
}

/** A line of the severity's colour on one of paper, so that it is seen on any page. */
function Outline({ area: { x, y, width, height } }: { area: Area }) {
  const box = { x: percent(x), y: percent(y), width: percent(width), height: percent(height) };
  return (
    <>
      <rect className="area-ground" {...box} />
      <rect className="area-line" {...box} />
    </>
  );
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 10_000) / 100}%`;
}
