import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { Icon } from "../../ui/brand/icon.tsx";
import { CheckboxField } from "../../ui/form/field.tsx";
import {
  getAreaStyle,
  arrowMoves,
  formatAreaPosition,
  resizeArea,
  moveArea,
  formatAreaSize,
  step,
  useAreaDrag,
} from "../remarks/area-moves.ts";
import { type Area, normalizeArea, type PageView } from "../rules.ts";
import type { HiddenArea } from "./hidden-areas.ts";
import * as styles from "./hiding.module.css";
import * as buttonStyles from "../../ui/form/button.module.css";

/** Renders a page on which its owner blacks out areas before sharing. */
export function HidingSheet({
  page,
  label,
  name,
  suggestions,
  areas,
  isWhole,
  onChange,
}: {
  page: PageView;
  label: string;
  /** The name of the field that hides the whole page. */
  name: string;
  /** Areas with names and contact details. */
  suggestions: readonly Area[];
  areas: readonly HiddenArea[];
  /** True when the whole page starts hidden. */
  isWhole: boolean;
  onChange(areas: HiddenArea[]): void;
}) {
  const paper = useRef<HTMLDivElement>(null);
  const start = useRef<Point | null>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const [drawn, setDrawn] = useState<Area | null>(null);
  const [hasAdded, setHasAdded] = useState(false);
  const [announcement, say] = useState("");

  function add(area: Area) {
    const clean = normalizeArea(area);
    if (!clean) return;
    setHasAdded(true);
    onChange([...areas, { part: page.part, page: page.number, ...clean }]);
  }

  function at({ clientX, clientY }: PointerEvent): Point {
    const { left, top, width, height } = paper.current!.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  }

  function finish(event: PointerEvent) {
    if (!start.current) return;
    const area = toArea(start.current, at(event));
    start.current = null;
    setDrawn(null);
    if (area.width > minSide && area.height > minSide) add(area);
  }

  return (
    <figure className={styles.sheet}>
      <figcaption>
        {label}
        <button
          ref={adder}
          type="button"
          className={`${buttonStyles.button} ${buttonStyles.ghost} ${buttonStyles.sm} needs-scripts`}
          onClick={() => add({ x: 0.3, y: 0.45, width: 0.4, height: 0.05 })}
        >
          <Icon name="plus" />
          Black out an area<span className="sr-only"> on {label}</span>
        </button>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the button below does the same */}
      <div
        ref={paper}
        className={styles.paper}
        style={{ aspectRatio: page.width / page.height }}
        onPointerDown={(event) => {
          // Touch scrolls the page. It adds areas by the button, and can move them.
          const isOnPaper = !(event.target as Element).closest(`.${styles.area}`);
          if (event.pointerType !== "mouse" || event.button !== 0 || !isOnPaper) return;
          event.preventDefault();
          start.current = at(event);
          paper.current!.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (start.current) setDrawn(toArea(start.current, at(event)));
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
        {suggestions.map((area) => (
          <span key={`${area.x} ${area.y}`} className={styles.found} style={getAreaStyle(area)} />
        ))}
        {areas.map((area, index) => (
          <HidingArea
            // oxlint-disable-next-line react/no-array-index-key -- areas have no id and keep their order
            key={index}
            area={area}
            label={`Blacked out area ${index + 1} on ${label}`}
            takesFocus={hasAdded}
            say={say}
            onChange={(changed) => onChange(areas.with(index, changed))}
            onRemove={() => {
              onChange(areas.toSpliced(index, 1));
              say("No longer blacked out");
              adder.current?.focus();
            }}
          />
        ))}
        {drawn && <span className={styles.drawn} style={getAreaStyle(drawn)} />}
      </div>
      <CheckboxField
        label="Black out the whole page"
        name={name}
        value="yes"
        defaultChecked={isWhole}
      />
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </figure>
  );
}

type Point = { x: number; y: number };

/** The least sides of a drawn area, as a share of the page; less is an accident. */
const minSide = 0.004;

function toArea(one: Point, other: Point): Area {
  return {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  };
}

/** Renders a blacked-out area. It can be dragged, moved by arrow keys, and resized with Shift. */
function HidingArea({
  area,
  label,
  takesFocus,
  say,
  onChange,
  onRemove,
}: {
  area: HiddenArea;
  label: string;
  /** True if it takes the focus when it appears. */
  takesFocus: boolean;
  /** Announces a change to screen readers. */
  say(message: string): void;
  onChange(area: HiddenArea): void;
  onRemove(): void;
}) {
  const moving = useAreaDrag(area, {
    faceOf: getPaperRect,
    change: moveArea,
    isByFinger: true,
    onChange,
  });
  const sizing = useAreaDrag(area, {
    faceOf: getPaperRect,
    change: resizeByStep,
    isByFinger: true,
    onChange,
  });
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Delete" || event.key === "Backspace") return onRemove();
    const move = arrowMoves[event.key];
    if (!move) return;
    event.preventDefault();
    const changed = (event.shiftKey ? resizeByStep : moveArea)(
      area,
      move,
      getPaperRect(event.currentTarget),
    );
    onChange(changed);
    say(event.shiftKey ? formatAreaSize(changed) : formatAreaPosition(changed));
  }
  return (
    <span className={styles.area} style={getAreaStyle(area)}>
      <button
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it appears on request, to be moved
        autoFocus={takesFocus}
        type="button"
        className={styles.move}
        aria-label={label}
        title="Arrow keys move it, with Shift they change its size, Delete takes it away"
        onKeyDown={onKeyDown}
        // Some browsers do not focus pressed buttons.
        onClick={(event) => event.currentTarget.focus()}
        {...moving.handlers}
      />
      <span className={styles.corner} aria-hidden {...sizing.handlers} />
      <button
        type="button"
        className={styles.remove}
        aria-label={`Take away: ${label}`}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}

function getPaperRect(part: Element): DOMRect {
  return part.closest(`.${styles.paper}`)!.getBoundingClientRect();
}

function resizeByStep(...[area, move, face]: Parameters<typeof resizeArea<HiddenArea>>) {
  return resizeArea(area, move, face, step);
}
