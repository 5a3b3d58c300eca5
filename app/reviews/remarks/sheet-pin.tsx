import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { PinSign } from "../result/remark-item.tsx";
import { useEditor } from "./editor.tsx";
import type { Entry } from "./remark-store.ts";
import { type Area, severities, type Severity } from "./rules.ts";

/** By how much of the width of its sheet an arrow key moves a pin. */
const step = 0.01;
const moves: Record<string, [number, number]> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
};

/**
 * The sign of a remark at its place. A press opens the remark; arrows and the mouse move it, with Shift
 * arrows change its size.
 */
export function SheetPin({ entry: { remark }, number }: { entry: Entry; number: number }) {
  const { store, selected, select, drop, say } = useEditor();
  const { id, area, severity, text } = remark;
  const isSelected = selected === id;
  const drag = useDrag(area, (moved) => store.change(id, { area: moved }));

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && isSelected) return select(null);
    if (event.key === "Delete") return drop(id);
    const move = moves[event.key];
    if (!move || !area) return;
    event.preventDefault();
    const moved = event.shiftKey
      ? resized(area, move, faceOf(event.currentTarget))
      : shifted(area, move, faceOf(event.currentTarget));
    store.change(id, { area: moved });
    say(event.shiftKey ? sizeWords(moved) : placeWords(moved));
  }

  return (
    <>
      {area && (area.width > 0 || area.height > 0) && (
        <AreaBox area={area} severity={severity} isSelected={isSelected} />
      )}
      <a
        id={`pin-${id}`}
        href={`#remark-${id}`}
        className="sheet-pin"
        data-severity={severity}
        data-whole={area ? undefined : true}
        data-selected={isSelected || undefined}
        style={area ? { left: `${area.x * 100}%`, top: `${area.y * 100}%` } : undefined}
        aria-label={`Remark ${number}, ${severities[severity].label}: ${text || "not written yet"}`}
        aria-current={isSelected || undefined}
        onClick={(event) => {
          event.preventDefault();
          if (drag.hasMoved()) return;
          select(id);
          // By the keyboard one comes to write; a mouse may want to move it first.
          if (event.detail === 0) focusWriting(id);
        }}
        onKeyDown={onKeyDown}
        draggable={false}
        {...drag.handlers}
      >
        <PinSign severity={severity} number={number} />
      </a>
    </>
  );
}

/** The box that a remark is about. */
export function AreaBox({
  area: { x, y, width, height },
  severity,
  isSelected = false,
  isDrawn = false,
}: {
  area: Area;
  severity?: Severity;
  isSelected?: boolean;
  /** It is being drawn. */
  isDrawn?: boolean;
}) {
  const percent = (side: number) => `${side * 100}%`;
  return (
    <span
      className="sheet-area"
      data-severity={severity}
      data-selected={isSelected || undefined}
      data-drawn={isDrawn || undefined}
      style={{ left: percent(x), top: percent(y), width: percent(width), height: percent(height) }}
    />
  );
}

/** The fields come with the next rendering. */
function focusWriting(id: string): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[id="remark-${id}"] textarea`)?.focus(),
  );
}

type Face = { width: number; height: number };

function faceOf(pin: Element): Face {
  return pin.closest(".sheet-face")!.getBoundingClientRect();
}

/** Moves by shares of the width, so that a step is as long down a tall page as across it. */
function shifted(area: Area, [right, down]: [number, number], { width, height }: Face): Area {
  return {
    ...area,
    x: Math.min(Math.max(0, area.x + right), 1 - area.width),
    y: Math.min(Math.max(0, area.y + (down * width) / height), 1 - area.height),
  };
}

function resized(area: Area, [right, down]: [number, number], { width, height }: Face): Area {
  return {
    ...area,
    width: Math.max(0, Math.min(area.width + right, 1 - area.x)),
    height: Math.max(0, Math.min(area.height + (down * width) / height, 1 - area.y)),
  };
}

const percentOf = (side: number) => `${Math.round(side * 100)} %`;

function placeWords({ x, y }: Area): string {
  return `${percentOf(x)} from the left, ${percentOf(y)} from the top`;
}

function sizeWords({ width, height }: Area): string {
  return `${percentOf(width)} wide, ${percentOf(height)} high`;
}

/** In pixels: a hand that presses moves less. */
const shortestDrag = 4;

/** Moves a pin with the mouse; a finger that touches one scrolls or presses. */
function useDrag(area: Area | null, onMove: (area: Area) => void) {
  const from = useRef<{ x: number; y: number; area: Area } | null>(null);
  const moved = useRef(false);
  return {
    /** Whether the press that has just ended was a drag. */
    hasMoved: () => moved.current,
    handlers: {
      onPointerDown(event: PointerEvent) {
        moved.current = false;
        if (!area || event.button !== 0 || event.pointerType === "touch") return;
        from.current = { x: event.clientX, y: event.clientY, area };
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove({ clientX, clientY, currentTarget }: PointerEvent) {
        if (!from.current) return;
        const { x, y, area: before } = from.current;
        if (!moved.current && Math.hypot(clientX - x, clientY - y) < shortestDrag) return;
        moved.current = true;
        const face = faceOf(currentTarget);
        const way: [number, number] = [(clientX - x) / face.width, (clientY - y) / face.width];
        onMove(shifted(before, way, face));
      },
      onPointerUp() {
        from.current = null;
      },
      onPointerCancel() {
        from.current = null;
      },
    },
  };
}
