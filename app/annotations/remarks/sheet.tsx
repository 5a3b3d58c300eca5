import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import { Icon } from "../../ui/brand/icon.tsx";
import { Button } from "../../ui/form/button.tsx";
import { PinSign } from "../pin-sign.tsx";
import { toMarkStyle } from "../plate/mark-style.ts";
import { type PinnedArea, getPinPositions } from "../pin-positions.ts";
import type { PinPosition } from "../pin-positions.ts";
import { MarkBox } from "../plate/mark-box.tsx";
import { editorShortcuts, pinShortcuts } from "../shortcuts/editor-shortcuts.ts";
import { getNumbers } from "../reading-order.ts";
import { findShortcut } from "../shortcuts/shortcuts.ts";
import {
  getAreaStyle,
  arrowMoves,
  type Face,
  formatAreaPosition,
  resizeArea,
  moveArea,
  formatAreaSize,
  isDrawn,
  type PointerPlace,
  useAreaDrag,
} from "./area-moves.ts";
import { useEditor } from "./editor.tsx";
import type { Entry } from "./remark-store.ts";
import { type Area, normalizeArea, type Remark, type Target, formatTargetKey } from "../rules.ts";
import { severities } from "../severities.ts";
import { TextLayer } from "./text-layer.tsx";
import * as styles from "./sheet.module.css";
import * as plateStyles from "../plate/plate.module.css";

/** Renders a page or a screenshot with its pins. A press adds a new one. */
export function Sheet({
  target,
  label,
  ratio,
  full,
  sharpest,
  children,
}: {
  target: Target;
  label: string;
  /** Width divided by height; undefined for a screenshot of unknown size, which then sets its own. */
  ratio: number | undefined;
  /** Its width at a zoom of 100 %, in pixels. */
  full: number;
  /** The width of its picture in pixels, which it never exceeds when zoomed. */
  sharpest: number;
  /** The pictures of the page. */
  children: ReactNode;
}) {
  const { entries, mode, add } = useEditor();
  const face = useRef<HTMLDivElement>(null);
  const { drawn, addPoint, ...drawing } = useDrawing(face, (area) => add(target, area));
  const key = formatTargetKey(target);
  const numbers = getNumbers(entries.map(({ remark }) => remark));
  const pinned = entries
    .map((entry, index) => ({ entry, number: numbers[index]! }))
    .filter(({ entry }) => entry.remark.target && formatTargetKey(entry.remark.target) === key);
  const heights = getPinPositions(
    pinned.flatMap(({ entry: { remark } }) => toPinnedArea(remark)),
    ratio ? 1 / ratio : 1,
  );
  const pins = (isWhole: boolean) =>
    pinned
      .filter(({ entry }) => (entry.remark.area === null) === isWhole)
      .map((pin) => (
        <SheetPin key={pin.entry.remark.id} height={heights[pin.entry.remark.id]} {...pin} />
      ));

  return (
    <figure
      className={styles.sheet}
      id={key}
      style={{ "--full": `${full}px`, "--sharpest": `${sharpest}px` } as CSSProperties}
    >
      <figcaption>
        <span className={styles.name}>{label}</span>
        {pins(true)}
        <span className={`${styles.adders} needs-scripts`}>
          <Button
            size="sm"
            variant="ghost"
            aria-description={`A remark on all of ${label}; arrow keys then place its pin`}
            onClick={() => add(target, null)}
          >
            <Icon name="plus" />
            {target.kind === "page" ? "Whole page" : "Whole picture"}
          </Button>
        </span>
      </figcaption>
      <div className={plateStyles.plate}>
        <span className={plateStyles.rows} />
        <div
          ref={face}
          className={`${plateStyles.paper} ${styles.face}`}
          data-mode={mode}
          style={
            ratio ? ({ aspectRatio: ratio, "--pins": pinned.length } as CSSProperties) : undefined
          }
          {...(mode === "add" ? drawing : {})}
        >
          {children}
          {mode !== "read" && target.kind === "page" && ratio && (
            <TextLayer target={target} label={label} ratio={ratio} onPoint={addPoint} />
          )}
          {pins(false)}
          {drawn && <span className={styles.drawn} style={getAreaStyle(drawn)} />}
        </div>
      </div>
    </figure>
  );
}

/**
 * Draws on a page. A mouse or pen draws a box or sets a point, and Escape cancels. Touch sets a point unless
 * it scrolls.
 */
function useDrawing(face: { current: HTMLElement | null }, onDrawn: (area: Area | null) => void) {
  const start = useRef<PointerPlace | null>(null);
  const [drawn, setDrawn] = useState<Area | null>(null);
  const isDrawing = drawn !== null;

  function drop() {
    start.current = null;
    setDrawn(null);
  }

  useEffect(() => {
    if (!isDrawing) return undefined;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (findShortcut(editorShortcuts, event) !== "stopAdding") return;
      event.stopPropagation();
      start.current = null;
      setDrawn(null);
    };
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, [isDrawing]);

  function areaTo({ clientX, clientY }: PointerPlace, from: PointerPlace): Area {
    const { left, top, width, height } = face.current!.getBoundingClientRect();
    return {
      x: (Math.max(left, Math.min(from.clientX, clientX)) - left) / width,
      y: (Math.max(top, Math.min(from.clientY, clientY)) - top) / height,
      width: Math.abs(clientX - from.clientX) / width,
      height: Math.abs(clientY - from.clientY) / height,
    };
  }

  function addPoint(place: PointerPlace) {
    onDrawn(normalizeArea(areaTo(place, place)));
  }

  return {
    drawn,
    addPoint,
    onPointerDown(event: PointerEvent) {
      const isPressed = event.target instanceof Element && event.target.closest("a, button");
      // A second finger pinches.
      if (!event.isPrimary) return drop();
      if (event.button !== 0 || isPressed) return;
      // Mouse events after a tap would take the focus from the new remark.
      event.preventDefault();
      start.current = { clientX: event.clientX, clientY: event.clientY };
      if (event.pointerType !== "touch") face.current!.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      if (!start.current || event.pointerType === "touch") return;
      // The pointer was released unnoticed, because Escape ended adding meanwhile.
      if (event.buttons === 0) return drop();
      setDrawn(isDrawn(start.current, event) ? areaTo(event, start.current) : null);
    },
    onPointerUp(event: PointerEvent) {
      const from = start.current;
      if (!from) return;
      drop();
      // A long touch on a word selects it.
      if (event.pointerType === "touch" && !getSelection()!.isCollapsed) return;
      const isBox = event.pointerType !== "touch" && isDrawn(from, event);
      if (isBox) onDrawn(normalizeArea(areaTo(event, from)));
      else addPoint(event);
    },
    onPointerCancel: drop,
  };
}

/**
 * Renders a remark's sign in the margin, tied to its place. A press opens the remark. Arrow keys and the mouse move it; Shift and
 * arrow keys resize it.
 */
function SheetPin({
  entry: { remark },
  number,
  height,
}: {
  entry: Entry;
  number: number;
  /** Its place in the margin; undefined for a remark on the whole sheet. */
  height: PinPosition | undefined;
}) {
  const { store, selected, fresh, select, drop, say } = useEditor();
  const { id, area, severity, text } = remark;
  const isSelected = selected === id;
  const drag = useAreaDrag(area, {
    faceOf: getSheetRect,
    change: moveArea,
    onChange: (moved) => store.change(id, { area: moved }),
  });

  function onKeyDown(event: KeyboardEvent) {
    const action = findShortcut(pinShortcuts, event);
    if (action === "closeRemark" && isSelected) return select(null);
    if (action === "deleteRemark") return drop(id);
    const isResized = action === "resizeArea";
    if (action !== "movePin" && !isResized) return;
    event.preventDefault();
    const change = isResized ? resizeArea : moveArea;
    const from = area ?? middle;
    const changed = change(from, arrowMoves[event.key]!, getSheetRect(event.currentTarget));
    store.change(id, { area: changed });
    // Its pin is now another element, on the page.
    if (!area) focusLater(`[id="pin-${id}"]`);
    say(isResized ? formatAreaSize(changed) : formatAreaPosition(changed));
  }

  const pin = (
    <a
      id={`pin-${id}`}
      href={`#remark-${id}`}
      className={styles.pin}
      data-severity={severity}
      data-fresh={fresh === id || undefined}
      aria-label={`Remark ${number}, ${severities[severity].label}: ${text || "not written yet"}`}
      aria-current={isSelected || undefined}
      onClick={(event) => {
        event.preventDefault();
        if (drag.hasMoved()) return;
        select(id);
        // A keyboard user wants to write; a mouse user may want to move the pin first.
        if (isKeyboardClick(event)) focusLater(`[id="remark-${id}"] textarea`);
      }}
      onKeyDown={onKeyDown}
      // Safari focuses pressed links only with a tabindex, and keys need the focus to move the pin.
      tabIndex={0}
      draggable={false}
      {...drag.handlers}
    >
      <PinSign severity={severity} number={number} />
    </a>
  );
  if (!area || !height) return pin;
  return (
    <span
      className={plateStyles.mark}
      data-severity={severity}
      data-lit={isSelected || undefined}
      style={toMarkStyle(area, height)}
    >
      <MarkBox area={area} number={number} />
      {pin}
    </span>
  );
}

/** The place of a remark on a whole page, once arrow keys move it. */
const middle: Area = { x: 0.5, y: 0.5, width: 0, height: 0 };

function toPinnedArea({ id, area }: Remark): PinnedArea[] {
  return area ? [{ id, area }] : [];
}

/** Checks whether a key caused a click. In Firefox, Enter on a link is a mouse click without a pointer. */
function isKeyboardClick({ detail, nativeEvent }: MouseEvent): boolean {
  return detail === 0 || (nativeEvent instanceof PointerEvent && nativeEvent.pointerType === "");
}

/** Focuses an element after the next rendering, which adds it. */
function focusLater(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}

function getSheetRect(pin: Element): Face {
  return pin.closest(`.${styles.sheet}`)!.querySelector(`.${styles.face}`)!.getBoundingClientRect();
}
