import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { Button } from "../../ui/form/button.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { partNames } from "../rubric.ts";
import { useEditor } from "./editor.tsx";
import type { Entry } from "./remark-store.ts";
import {
  type Area,
  cleanArea,
  type PageView,
  severities,
  type Target,
  targetKey,
} from "./rules.ts";

/** "Portfolio, page 3"; of a part with one page only its name. */
export function pageLabel(
  { part, number }: Pick<PageView, "part" | "number">,
  pages: number,
): string {
  return pages > 1 ? `${partNames[part]}, page ${number}` : partNames[part];
}

/** Every page and screenshot with its pins, and the place where new ones are made. */
export function Sheets() {
  const { pages, images, setMode } = useEditor();
  const sheets = useRef<HTMLDivElement>(null);
  const countOf = (part: PageView["part"]) => pages.filter((page) => page.part === part).length;
  if (pages.length + images.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys for what is read inside
    <div
      className="sheets"
      ref={sheets}
      onKeyDown={(event) => {
        if (event.key === "Escape") setMode("read");
        if (isTyping(event) || (event.key !== "[" && event.key !== "]")) return;
        event.preventDefault();
        turnPage(sheets.current!, event.key === "]" ? 1 : -1);
      }}
    >
      <Modes />
      {pages.map((page) => (
        <Sheet
          key={`${page.part}-${page.number}`}
          target={{ kind: "page", part: page.part, page: page.number }}
          label={pageLabel(page, countOf(page.part))}
          ratio={page.width / page.height}
        >
          {page.bands.map((band) => (
            <img
              key={band.top}
              src={band.small}
              srcSet={`${band.small} 800w, ${band.large} 1600w`}
              sizes="(width >= 64rem) 55vw, 100vw"
              alt=""
              width={1600}
              height={Math.round((1600 * page.height * band.height) / page.width)}
              loading="lazy"
              draggable={false}
            />
          ))}
        </Sheet>
      ))}
      {images.map(({ id, href, label }) => (
        <Sheet key={id} target={{ kind: "image", imageId: id }} label={label}>
          <img src={href} alt="" loading="lazy" draggable={false} />
        </Sheet>
      ))}
    </div>
  );
}

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

/** Goes to the page behind or before the one that is in sight. */
function turnPage(sheets: HTMLElement, step: 1 | -1): void {
  const all = [...sheets.querySelectorAll<HTMLElement>(".sheet")];
  const top = sheets.closest(".materials")?.getBoundingClientRect().top ?? 0;
  const current = all.findLastIndex((sheet) => sheet.getBoundingClientRect().top <= top + 80);
  const next = all[Math.max(0, Math.min(all.length - 1, current + step))];
  next?.scrollIntoView({ block: "start" });
  next?.querySelector("button")?.focus({ preventScroll: true });
}

function Modes() {
  const { mode, setMode } = useEditor();
  const hydrated = useHydrated();
  if (!hydrated) return null;
  return (
    <fieldset className="sheet-modes">
      <legend className="sr-only">What a press on a page does</legend>
      {(["read", "add"] as const).map((one) => (
        <label key={one}>
          <input
            type="radio"
            name="mode"
            checked={mode === one}
            onChange={() => setMode(one)}
            className="sr-only"
          />
          {one === "read" ? "Read" : "Add a remark"}
        </label>
      ))}
      <p>
        {mode === "read"
          ? "[ and ] turn the pages."
          : "Press a point, or draw a box with the mouse."}
      </p>
    </fieldset>
  );
}

/** So small a box was meant as a point. */
const smallestBox = 0.008;

function Sheet({
  target,
  label,
  ratio,
  children,
}: {
  target: Target;
  label: string;
  /** Width by height; a screenshot brings its own. */
  ratio?: number;
  children: ReactNode;
}) {
  const { entries, mode, add } = useEditor();
  const hydrated = useHydrated();
  const face = useRef<HTMLDivElement>(null);
  const start = useRef<{ x: number; y: number } | null>(null);
  const [drawn, setDrawn] = useState<Area | null>(null);
  const key = targetKey(target);
  const numbered = entries
    .map((entry, index) => ({ entry, number: index + 1 }))
    .filter(({ entry }) => entry.remark.target && targetKey(entry.remark.target) === key);

  function at({ clientX, clientY }: PointerEvent): { x: number; y: number } {
    const { left, top, width, height } = face.current!.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  }

  function finish(event: PointerEvent) {
    if (!start.current) return;
    const area = between(start.current, at(event));
    start.current = null;
    setDrawn(null);
    const isPoint = area.width < smallestBox || area.height < smallestBox;
    add(target, cleanArea(isPoint ? { ...area, width: 0, height: 0 } : area));
  }

  return (
    <figure className="sheet" id={key}>
      <figcaption>
        {label}
        {hydrated && (
          <span>
            <Button
              size="sm"
              variant="ghost"
              aria-description={`In the middle of ${label}; arrow keys move it`}
              onClick={() => add(target, { x: 0.5, y: 0.5, width: 0, height: 0 })}
            >
              Pin a point
            </Button>
            <Button
              size="sm"
              variant="ghost"
              aria-description={label}
              onClick={() => add(target, null)}
            >
              Remark on all of it
            </Button>
          </span>
        )}
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- buttons above do the same */}
      <div
        ref={face}
        className="sheet-face"
        data-mode={mode}
        style={ratio ? { aspectRatio: ratio } : undefined}
        onPointerDown={(event) => {
          if (mode !== "add" || event.button !== 0 || isPin(event.target)) return;
          start.current = at(event);
          if (event.pointerType === "mouse") face.current!.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (start.current && event.pointerType === "mouse")
            setDrawn(between(start.current, at(event)));
        }}
        onPointerUp={finish}
        onPointerCancel={() => {
          start.current = null;
          setDrawn(null);
        }}
      >
        {children}
        {numbered.map(({ entry, number }) => (
          <Pin key={entry.remark.id} entry={entry} number={number} />
        ))}
        {drawn && <span className="pin-area pin-drawn" style={placed(drawn)} />}
      </div>
    </figure>
  );
}

function isPin(target: EventTarget): boolean {
  return target instanceof Element && target.closest(".pin") !== null;
}

function between(one: { x: number; y: number }, other: { x: number; y: number }): Area {
  return {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  };
}

function placed({ x, y, width, height }: Area) {
  return {
    left: `${x * 100}%`,
    top: `${y * 100}%`,
    width: `${width * 100}%`,
    height: `${height * 100}%`,
  };
}

const step = 0.01;
const moves: Record<string, [number, number]> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
};

/** A number at its place. Arrows move it; with Shift they change its size. */
function Pin({ entry: { remark }, number }: { entry: Entry; number: number }) {
  const { store, selected, select, say } = useEditor();
  const { id, area, severity, text } = remark;
  const isSelected = selected === id;

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") return select(null);
    if (event.key === "Delete") {
      store.delete(id);
      return say(`Remark ${number} deleted. It can be brought back from the list.`);
    }
    const move = moves[event.key];
    if (!move || !area) return;
    event.preventDefault();
    const [right, down] = move;
    const moved = event.shiftKey
      ? { ...area, width: Math.max(0, area.width + right), height: Math.max(0, area.height + down) }
      : {
          ...area,
          x: Math.min(Math.max(0, area.x + right), 1 - area.width),
          y: Math.min(Math.max(0, area.y + down), 1 - area.height),
        };
    store.change(id, { area: moved });
    const percent = (side: number) => `${Math.round(side * 100)} %`;
    say(
      event.shiftKey
        ? `${percent(moved.width)} wide, ${percent(moved.height)} high`
        : `${percent(moved.x)} from the left, ${percent(moved.y)} from the top`,
    );
  }

  return (
    <>
      {area && (area.width > 0 || area.height > 0) && (
        <span
          className="pin-area"
          data-severity={severity}
          data-selected={isSelected || undefined}
          style={placed(area)}
        />
      )}
      <a
        href={`#remark-${id}`}
        className="pin"
        data-severity={severity}
        data-whole={area ? undefined : true}
        data-selected={isSelected || undefined}
        style={area ? { left: `${area.x * 100}%`, top: `${area.y * 100}%` } : undefined}
        aria-label={`Remark ${number}, ${severities[severity].label}: ${text || "not written yet"}`}
        onClick={() => select(id)}
        onKeyDown={onKeyDown}
        draggable={false}
      >
        {number}
      </a>
    </>
  );
}
