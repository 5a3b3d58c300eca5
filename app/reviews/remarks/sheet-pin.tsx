import type { KeyboardEvent } from "react";
import { PinSign } from "../result/remark-item.tsx";
import {
  areaStyle,
  arrowWays,
  type Face,
  placeWords,
  resized,
  shifted,
  sizeWords,
  useAreaDrag,
} from "./area-moves.ts";
import { useEditor } from "./editor.tsx";
import type { Entry } from "./remark-store.ts";
import { type Area, severities, type Severity } from "./rules.ts";

/**
 * The sign of a remark at its place. A press opens the remark; arrows and the mouse move it, with Shift
 * arrows change its size.
 */
export function SheetPin({ entry: { remark }, number }: { entry: Entry; number: number }) {
  const { store, selected, select, drop, say } = useEditor();
  const { id, area, severity, text } = remark;
  const isSelected = selected === id;
  const drag = useAreaDrag(area, {
    faceOf,
    change: shifted,
    onChange: (moved) => store.change(id, { area: moved }),
  });

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && isSelected) return select(null);
    if (event.key === "Delete") return drop(id);
    const way = arrowWays[event.key];
    if (!way || !area) return;
    event.preventDefault();
    const change = event.shiftKey ? resized : shifted;
    const moved = change(area, way, faceOf(event.currentTarget));
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
  area,
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
  return (
    <span
      className="sheet-area"
      data-severity={severity}
      data-selected={isSelected || undefined}
      data-drawn={isDrawn || undefined}
      style={areaStyle(area)}
    />
  );
}

/** The fields come with the next rendering. */
function focusWriting(id: string): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[id="remark-${id}"] textarea`)?.focus(),
  );
}

function faceOf(pin: Element): Face {
  return pin.closest(".sheet-face")!.getBoundingClientRect();
}
