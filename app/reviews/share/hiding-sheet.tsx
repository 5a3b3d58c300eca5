import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { CheckboxField } from "../../ui/form/field.tsx";
import { type Area, cleanArea, type PageView } from "../remarks/rules.ts";
import type { HiddenArea } from "./rules.ts";

/** A page on which its owner draws over what others are not to see. */
export function HidingSheet({
  page,
  label,
  name,
  found,
  areas,
  onChange,
}: {
  page: PageView;
  label: string;
  /** Of the field that hides all of it. */
  name: string;
  /** Places of names and contacts. */
  found: readonly Area[];
  areas: readonly HiddenArea[];
  onChange(areas: HiddenArea[]): void;
}) {
  const paper = useRef<HTMLDivElement>(null);
  const start = useRef<Point | null>(null);
  const [drawn, setDrawn] = useState<Area | null>(null);

  function add(area: Area) {
    const clean = cleanArea(area);
    if (clean) onChange([...areas, { part: page.part, page: page.number, ...clean }]);
  }

  function at({ clientX, clientY }: PointerEvent): Point {
    const { left, top, width, height } = paper.current!.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  }

  function finish(event: PointerEvent) {
    if (!start.current) return;
    const area = between(start.current, at(event));
    start.current = null;
    setDrawn(null);
    if (area.width > smallest && area.height > smallest) add(area);
  }

  return (
    <figure className="hiding-sheet">
      <figcaption>{label}</figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the button below does the same */}
      <div
        ref={paper}
        className="hiding-paper"
        style={{ aspectRatio: page.width / page.height }}
        onPointerDown={(event) => {
          // A finger scrolls; it adds areas by the button, and moves them.
          const isOnPaper = !(event.target as Element).closest("button");
          if (event.pointerType !== "mouse" || event.button !== 0 || !isOnPaper) return;
          event.preventDefault();
          start.current = at(event);
          paper.current!.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (start.current) setDrawn(between(start.current, at(event)));
        }}
        onPointerUp={finish}
        onPointerCancel={() => {
          start.current = null;
          setDrawn(null);
        }}
      >
        {page.bands.map((band, index) => (
          <img
            key={band.top}
            src={band.small}
            alt={index === 0 ? label : ""}
            width={800}
            height={Math.round((800 * page.height * band.height) / page.width)}
            loading="lazy"
            draggable={false}
          />
        ))}
        {found.map((area) => (
          <span key={`${area.x} ${area.y}`} className="hiding-found" style={placed(area)} />
        ))}
        {areas.map((area, index) => (
          <HidingArea
            // oxlint-disable-next-line react/no-array-index-key -- it has no other name, and keeps its place
            key={index}
            area={area}
            label={`Blacked out area ${index + 1} on ${label}`}
            onChange={(changed) =>
              onChange(
                areas.flatMap((one, other) => (other === index ? (changed ? [changed] : []) : one)),
              )
            }
          />
        ))}
        {drawn && <span className="hiding-drawn" style={placed(drawn)} />}
      </div>
      <div className="hiding-tools">
        <CheckboxField label="Black out the whole page" name={name} value="yes" />
        <button
          type="button"
          className="button button-ghost button-sm needs-scripts"
          onClick={() => add({ x: 0.3, y: 0.45, width: 0.4, height: 0.05 })}
        >
          Black out an area<span className="sr-only"> on {label}</span>
        </button>
      </div>
    </figure>
  );
}

type Point = { x: number; y: number };

/** In sides of the page: less was a slip of the hand. */
const smallest = 0.004;

function between(one: Point, other: Point): Area {
  return {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  };
}

function placed({ x, y, width, height }: Area) {
  const percent = (side: number) => `${side * 100}%`;
  return { left: percent(x), top: percent(y), width: percent(width), height: percent(height) };
}

const step = 0.01;
const ways: Record<string, Point> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
};

/** Drawn over by its owner. Arrows move it, with Shift they change its size; Delete or a press takes it away. */
function HidingArea({
  area,
  label,
  onChange,
}: {
  area: HiddenArea;
  label: string;
  onChange(area: HiddenArea | null): void;
}) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Delete" || event.key === "Backspace") return onChange(null);
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    const { x, y, width, height } = area;
    onChange(
      event.shiftKey
        ? {
            ...area,
            width: within(width + way.x, step, 1 - x),
            height: within(height + way.y, step, 1 - y),
          }
        : { ...area, x: within(x + way.x, 0, 1 - width), y: within(y + way.y, 0, 1 - height) },
    );
  }
  return (
    <button
      type="button"
      className="hiding-area"
      style={placed(area)}
      aria-label={`${label}: press to take it away`}
      title="Press to take it away; arrow keys move it, with Shift they change its size"
      onKeyDown={onKeyDown}
      onClick={() => onChange(null)}
    />
  );
}

function within(side: number, least: number, most: number): number {
  return Math.min(Math.max(side, least), most);
}
