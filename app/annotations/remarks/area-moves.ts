/** Moves and resizes areas on a page by arrow keys and by pointer. */
import { type PointerEvent, useRef } from "react";
import type { Area } from "../rules.ts";

/** A move right and down, as shares of the page's width. */
type Move = [right: number, down: number];

/** The step of an arrow key, as a share of the page's width. */
export const step = 0.01;
export const arrowMoves: Record<string, Move> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
};

/** The sides of a page as it is shown, in pixels. */
export type Face = { width: number; height: number };

/**
 * Moves an area within its page. Steps are shares of the width, so they have equal length in both directions.
 */
export function moveArea<Item extends Area>(
  area: Item,
  [right, down]: Move,
  { width, height }: Face,
): Item {
  return {
    ...area,
    x: clamp(area.x + right, 0, 1 - area.width),
    y: clamp(area.y + (down * width) / height, 0, 1 - area.height),
  };
}

/** Resizes an area within its page. @param min the minimum of each side, as a share of the page */
export function resizeArea<Item extends Area>(
  area: Item,
  [right, down]: Move,
  { width, height }: Face,
  min = 0,
): Item {
  return {
    ...area,
    width: clamp(area.width + right, min, 1 - area.x),
    height: clamp(area.height + (down * width) / height, min, 1 - area.y),
  };
}

function clamp(side: number, min: number, max: number): number {
  return Math.max(min, Math.min(side, max));
}

/** Returns the CSS of an area's place on its page. */
export function getAreaStyle({ x, y, width, height }: Area) {
  const percent = (side: number) => `${side * 100}%`;
  return { left: percent(x), top: percent(y), width: percent(width), height: percent(height) };
}

const formatRoundedPercent = (side: number) => `${Math.round(side * 100)} %`;

export function formatAreaPosition({ x, y }: Area): string {
  return `${formatRoundedPercent(x)} from the left, ${formatRoundedPercent(y)} from the top`;
}

export function formatAreaSize({ width, height }: Area): string {
  return `${formatRoundedPercent(width)} wide, ${formatRoundedPercent(height)} high`;
}

/** The place of a pointer in the window, in pixels. */
export type PointerPlace = { clientX: number; clientY: number };

/** The least movement in pixels that draws a box or selects words; less sets a point. */
const minDrawn = 6;

/** Checks whether the pointer moved far enough between two places to draw or to select. */
export function isDrawn(from: PointerPlace, to: PointerPlace): boolean {
  return Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY) >= minDrawn;
}

/** The least movement of a drag in pixels; less is a press. */
const minDrag = 4;

/**
 * Changes an area by dragging its element.
 *
 * @param faceOf returns the sides of an element's page
 * @param change applies a move to the area
 * @param isByFinger whether touch can drag; otherwise it scrolls or presses
 */
export function useAreaDrag<Item extends Area>(
  area: Item | null,
  {
    faceOf,
    change,
    isByFinger = false,
    onChange,
  }: {
    faceOf(element: Element): Face;
    change(area: Item, move: Move, face: Face): Item;
    isByFinger?: boolean;
    onChange(area: Item): void;
  },
) {
  const from = useRef<{ x: number; y: number; area: Item } | null>(null);
  const moved = useRef(false);
  const end = () => {
    from.current = null;
  };
  return {
    /** Returns whether the press that just ended was a drag. */
    hasMoved: () => moved.current,
    handlers: {
      onPointerDown(event: PointerEvent) {
        moved.current = false;
        const isToScroll = event.pointerType === "touch" && !isByFinger;
        if (!area || event.button !== 0 || isToScroll) return;
        from.current = { x: event.clientX, y: event.clientY, area };
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove({ clientX, clientY, currentTarget }: PointerEvent) {
        if (!from.current) return;
        const { x, y, area: before } = from.current;
        if (!moved.current && Math.hypot(clientX - x, clientY - y) < minDrag) return;
        moved.current = true;
        const face = faceOf(currentTarget);
        const move: Move = [(clientX - x) / face.width, (clientY - y) / face.width];
        onChange(change(before, move, face));
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}
