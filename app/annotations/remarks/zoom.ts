/** The zoom of the pages. A page keeps the point under the pointer in place. */
import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import * as styles from "./sheets.module.css";
import * as sheetStyles from "./sheet.module.css";
import * as scrollAreaStyles from "../../ui/layout/scroll-area.module.css";

/** The pages fit their column, or have this share of their size on paper. */
export type Zoom = "fit" | number;

/** The zoom that a page has now, and its largest: beyond that, it would be larger but not sharper. */
export type ShownZoom = { zoom: number; max: number };

export const minZoom = 0.15;

/** The factor of the zoom buttons and keys. */
const zoomStep = 1.25;

/** A point of the window, in pixels. */
type Point = { x: number; y: number };

export class PageZoom {
  #zoom: Zoom = "fit";
  readonly #listeners = new Set<() => void>();

  /** Subscribes a listener, for `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  snapshot = (): Zoom => this.#zoom;

  /** Zooms in (1) or out (-1) by one step. */
  step(direction: 1 | -1): void {
    this.set(findShownZoom().zoom * zoomStep ** direction);
  }

  /**
   * Sets the zoom.
   *
   * @param around the point that stays in place; the middle of the pages if absent
   */
  set(zoom: Zoom, around?: Point): void {
    const list = findSheetList();
    if (!list) return;
    const point = around ?? findMiddle(list);
    const face = findFace(list, point);
    const next = zoom === "fit" ? zoom : clampZoom(zoom, face);
    if (next === this.#zoom) return;
    const before = face.getBoundingClientRect();
    const share = {
      x: (point.x - before.left) / before.width,
      y: (point.y - before.top) / before.height,
    };
    this.#zoom = next;
    flushSync(() => this.#listeners.forEach((listener) => listener()));
    const after = face.getBoundingClientRect();
    movePages(list, {
      x: after.left + share.x * after.width - point.x,
      y: after.top + share.y * after.height - point.y,
    });
  }
}

export function usePageZoom(zoom: PageZoom): Zoom {
  return useSyncExternalStore(zoom.subscribe, zoom.snapshot, zoom.snapshot);
}

/** Returns the zoom that the page in the middle has now, also while pages fit their column. */
export function findShownZoom(): ShownZoom {
  const list = findSheetList();
  if (!list) return { zoom: 1, max: 1 };
  const face = findFace(list, findMiddle(list));
  const { full, sharpest } = getFaceWidths(face);
  return { zoom: face.clientWidth / full, max: sharpest / full };
}

/**
 * Zooms by Ctrl and the wheel, by a trackpad, and by two fingers.
 *
 * @returns a function that ends it
 */
export function listenToPinches(list: HTMLElement, zoom: PageZoom): () => void {
  let start: { distance: number; zoom: number } | null = null;

  /** Trackpads send pinches as wheel events with Ctrl. A wheel's steps are larger than theirs. */
  function onWheel(event: WheelEvent) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const by = Math.max(-25, Math.min(25, event.deltaY));
    zoom.set(findShownZoom().zoom * Math.exp(-by / 100), { x: event.clientX, y: event.clientY });
  }

  function onTouchMove(event: TouchEvent) {
    if (event.touches.length !== 2) return;
    // Otherwise the browser would zoom the window.
    event.preventDefault();
    const [one, other] = [event.touches[0]!, event.touches[1]!];
    const distance = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    start ??= { distance, zoom: findShownZoom().zoom };
    zoom.set((start.zoom * distance) / start.distance, {
      x: (one.clientX + other.clientX) / 2,
      y: (one.clientY + other.clientY) / 2,
    });
  }

  function onTouchEnd() {
    start = null;
  }

  /** Safari on a Mac sends its own events. Its touch screens send both, and these are ignored. */
  function onGesture(event: Event) {
    event.preventDefault();
    const { scale, clientX, clientY } = event as Event & { scale: number } & MouseEvent;
    if (navigator.maxTouchPoints > 0) return;
    if (event.type === "gesturestart") start = { distance: 1, zoom: findShownZoom().zoom };
    else if (start) zoom.set(start.zoom * scale, { x: clientX, y: clientY });
  }

  const ended = new AbortController();
  const options = { passive: false, signal: ended.signal };
  list.addEventListener("wheel", onWheel, options);
  list.addEventListener("touchmove", onTouchMove, options);
  list.addEventListener("touchend", onTouchEnd, options);
  list.addEventListener("touchcancel", onTouchEnd, options);
  list.addEventListener("gesturestart", onGesture, options);
  list.addEventListener("gesturechange", onGesture, options);
  return () => ended.abort();
}

function clampZoom(zoom: number, face: HTMLElement): number {
  const { full, sharpest } = getFaceWidths(face);
  return Math.max(minZoom, Math.min(sharpest / full, zoom));
}

/** Returns the widths that a page has at 100 % and at its largest zoom, in pixels. See `Sheet`. */
function getFaceWidths(face: HTMLElement) {
  const style = getComputedStyle(face);
  const width = (name: string) => Number.parseFloat(style.getPropertyValue(name));
  return { full: width("--full"), sharpest: width("--sharpest") };
}

function findSheetList(): HTMLElement | null {
  return document.querySelector(`.${styles.list}`);
}

/** Returns the middle of the part of the pages that is in the window. */
function findMiddle(list: HTMLElement): Point {
  const { left, right, top, bottom } = list.getBoundingClientRect();
  return {
    x: (Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
    y: (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
  };
}

/** Returns the page at a point, or else the nearest one. */
function findFace(list: HTMLElement, { y }: Point): HTMLElement {
  const faces = [...list.querySelectorAll<HTMLElement>(`.${sheetStyles.face}`)];
  const distance = (face: HTMLElement) => {
    const { top, bottom } = face.getBoundingClientRect();
    return Math.max(top - y, y - bottom, 0);
  };
  return faces.reduce((best, face) => (distance(face) < distance(best) ? face : best));
}

/** Scrolls the pages, and then what contains them, as far as each can. */
function movePages(list: HTMLElement, { x, y }: Point): void {
  let rest = y;
  list.scrollLeft += x;
  for (const area of [
    list,
    list.closest(`.${scrollAreaStyles.scrollArea}`),
    document.scrollingElement,
  ]) {
    if (!area || Math.abs(rest) < 1) continue;
    const before = area.scrollTop;
    area.scrollTop += rest;
    rest -= area.scrollTop - before;
  }
}
