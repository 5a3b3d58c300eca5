import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";

type Words = {
  words: ReactNode;
  /** The shortcut that does the same. */
  keys?: string;
};

/**
 * A short word on the one element that it wraps, after a pause of the pointer or at once with the
 * keyboard's focus. Escape, a press and leaving close it; it stays while the pointer is on it. Nothing
 * that is needed may stand here alone: a finger never sees it.
 */
export function Tooltip({ children, ...words }: Words & { children: ReactNode }) {
  const { heard, bubble } = useTooltip<HTMLSpanElement>(words, getFirstChild);
  return (
    <span className="contents" {...heard}>
      {children}
      {bubble}
    </span>
  );
}

const getFirstChild = (wrapper: HTMLElement) => wrapper.firstElementChild!;
const getSelf = (element: HTMLElement): Element => element;

/**
 * The same for an element that cannot be wrapped.
 *
 * @param describes which element the words are about, of the one that is heard
 * @returns `heard`, for that element, and `bubble`, to be rendered last within it
 */
export function useTooltip<Heard extends HTMLElement>(
  { words, keys }: Words,
  describes: (heard: Heard) => Element = getSelf,
) {
  const id = useId();
  const ref = useRef<Heard>(null);
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

  const heard = {
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
  } satisfies React.HTMLAttributes<Heard> & { ref: RefObject<Heard | null> };
  const bubble = open && (
    <span id={id} role="tooltip" popover="manual" className="tooltip">
      <span>
        {words}
        {keys && <kbd>{keys}</kbd>}
      </span>
    </span>
  );
  return { heard, bubble };
}

/**
 * Puts the words beside what they describe.
 *
 * @returns what ends that
 */
function showBubble(described: Element, bubble: HTMLElement, close: () => void): () => void {
  described.setAttribute("aria-describedby", bubble.id);
  bubble.showPopover();
  placeBubble(bubble, described.getBoundingClientRect());
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    // A dialog around it stays.
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

/** Below, or above where there is no room; never beyond the window's edges. */
function placeBubble(bubble: HTMLElement, beside: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = bubble;
  const isBelow = beside.bottom + height <= innerHeight;
  const middle = beside.left + (beside.width - width) / 2;
  bubble.style.top = `${isBelow ? beside.bottom : beside.top - height}px`;
  bubble.style.left = `${Math.max(edge, Math.min(middle, innerWidth - width - edge))}px`;
}

/** Milliseconds that the pointer rests before a tooltip shows. */
const hoverDelayMs = 700;
/** Moving to another element this soon after one tooltip shows the next without a pause. */
const skipDelayMs = 300;

/** Creates the waiting time shared by all tooltips of the page. `clock` returns milliseconds. */
export function createTooltipWait(clock: () => number) {
  let closedAt = -Infinity;
  return {
    /** The pause, in milliseconds, before the tooltip that is pointed at now. */
    before: () => (clock() - closedAt <= skipDelayMs ? 0 : hoverDelayMs),
    closed: () => {
      closedAt = clock();
    },
  };
}

const tooltipWait = createTooltipWait(() => performance.now());
