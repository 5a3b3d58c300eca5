import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import * as styles from "./tooltip.module.css";

type Words = {
  words: ReactNode;
  /** The keyboard shortcut for the same action. */
  keys?: string;
};

/**
 * A short text about the element it wraps, shown after the pointer rests or immediately on keyboard focus. Escape, a
 * press and leaving close it. It stays while the pointer is on it. Touch users never see it, so it must not contain
 * anything essential.
 */
export function Tooltip({ children, ...words }: Words & { children: ReactNode }) {
  const { props, bubble } = useTooltip<HTMLSpanElement>(words, getFirstChild);
  return (
    <span className="contents" {...props}>
      {children}
      {bubble}
    </span>
  );
}

const getFirstChild = (wrapper: HTMLElement) => wrapper.firstElementChild!;
const getSelf = (element: HTMLElement): Element => element;

/**
 * A tooltip for an element that can't be wrapped.
 *
 * @param describes returns the described element, given the element with the handlers
 * @returns `props`, the props for that element, and `bubble`, to render last inside it
 */
export function useTooltip<Target extends HTMLElement>(
  { words, keys }: Words,
  describes: (element: Target) => Element = getSelf,
) {
  const id = useId();
  const ref = useRef<Target>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [open, setOpen] = useState(false);
  const close = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!open || !ref.current) return undefined;
    return showBubble(describes(ref.current), document.getElementById(id)!, () => setOpen(false));
  }, [open, id, describes]);

  const props = {
    ref,
    onPointerEnter({ pointerType }: { pointerType: string }) {
      if (pointerType === "touch" || open) return;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setOpen(true), tooltipWait.before());
    },
    onPointerLeave: close,
    onPointerDown: close,
    onClick: close,
    onFocus({ target }: { target: Element }) {
      if (target.matches(":focus-visible")) setOpen(true);
    },
    onBlur: close,
  } satisfies React.HTMLAttributes<Target> & { ref: RefObject<Target | null> };
  const bubble = open && (
    <span id={id} role="tooltip" popover="manual" className={styles.tooltip}>
      <span>
        {words}
        {keys && <kbd>{keys}</kbd>}
      </span>
    </span>
  );
  return { props, bubble };
}

/** Shows the bubble next to the described element. @returns a function that ends it */
function showBubble(described: Element, bubble: HTMLElement, close: () => void): () => void {
  described.setAttribute("aria-describedby", bubble.id);
  bubble.showPopover();
  placeBubble(bubble, described.getBoundingClientRect());
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    // Keeps a dialog around it open.
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  document.addEventListener("keydown", onKey, true);
  document.addEventListener("scroll", close, true);
  return () => {
    described.removeAttribute("aria-describedby");
    document.removeEventListener("keydown", onKey, true);
    document.removeEventListener("scroll", close, true);
    tooltipWait.closed();
  };
}

const edge = 4;

/** Places it below the element, or above if there is no room, within the window. */
function placeBubble(bubble: HTMLElement, beside: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = bubble;
  const isBelow = beside.bottom + height <= innerHeight;
  const middle = beside.left + (beside.width - width) / 2;
  bubble.style.top = `${isBelow ? beside.bottom : beside.top - height}px`;
  bubble.style.left = `${Math.max(edge, Math.min(middle, innerWidth - width - edge))}px`;
}

/** The pointer rests this long before a tooltip shows. */
const hoverDelayMs = 700;
/** Moving to another element within this time shows the next tooltip immediately. */
const skipDelayMs = 300;

/** Creates the waiting time shared by all tooltips of the page. `clock` returns milliseconds. */
export function createTooltipWait(clock: () => number) {
  let closedAt = -Infinity;
  return {
    /** Returns the pause in milliseconds before the next tooltip. */
    before: () => (clock() - closedAt <= skipDelayMs ? 0 : hoverDelayMs),
    closed: () => {
      closedAt = clock();
    },
  };
}

const tooltipWait = createTooltipWait(() => performance.now());
