import {
  type DragEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { Toast } from "../../platform/app-context.server.ts";
import { Icon, type IconName } from "../brand/icon.tsx";
import { Button } from "../form/button.tsx";
import { useHydrated } from "../hydrated.ts";

const displayMilliseconds = 5000;
const swipePixels = 50;

/** One of the browser's own may offer to do something, and stands until that is done. */
type ShownToast = Toast & {
  action?: { label: string; run(): void };
  /** Shown in place of the description, where it has something to press. */
  details?: ReactNode;
};

type Raised = { key: string; toast: ShownToast };

/**
 * The toasts in the corner of this page. Kept outside of React, since an error screen renders the corner again.
 */
let raised: readonly Raised[] = [];
let count = 0;
const watchers = new Set<() => void>();
/** The answers of the server whose messages were raised, so that none comes back. */
const seenAnswers = new WeakSet<readonly Toast[]>();
/** The messages that came with more than one answer are known by their ids. */
const seenIds = new Set<string>();

/**
 * Tells the person something from the browser; what a server raises comes through `initial`.
 *
 * @returns the key that `hideToast` takes it away by
 */
export function showToast(toast: ShownToast): string {
  count += 1;
  const key = String(count);
  setToasts([...raised, { key, toast }]);
  return key;
}

/**
 * The corner where messages appear: the newest in front, older ones stacked behind it until the
 * pointer, the focus or F8 spreads them out.
 */
export function Toasts({ initial }: { initial: readonly Toast[] }) {
  const shown = useToasts(initial);
  const hydrated = useHydrated();
  const home = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<HTMLElement>(null);
  const [held, setHeld] = useState(false);
  useInsideDialog(region, home, shown.at(-1)?.key);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "F8" || region.current?.contains(document.activeElement)) return;
      cameFrom.current = document.activeElement as HTMLElement | null;
      region.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  /** The focus must not vanish with a message: it goes to the others, or back to where it came from. */
  const close = (key: string) => {
    if (region.current?.contains(document.activeElement)) {
      const back = cameFrom.current?.isConnected
        ? cameFrom.current
        : (region.current?.closest("dialog") ?? document.querySelector("main"));
      (shown.length > 1 ? region.current : back)?.focus({ preventScroll: true });
    }
    hideToast(key);
  };

  return (
    <div ref={home} className="contents">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- they only hold the time */}
      <section
        ref={region}
        popover={hydrated ? "manual" : undefined}
        className="toasts"
        aria-label="Notifications (F8)"
        tabIndex={-1}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {shown.map(({ key, toast }, index) => (
          <ToastSheet
            key={key}
            toast={toast}
            depth={shown.length - 1 - index}
            paused={held && hydrated}
            onDismiss={() => close(key)}
          />
        ))}
      </section>
    </div>
  );
}

/** The messages on screen: those of each new answer of the server, and those raised here. */
function useToasts(initial: readonly Toast[]): readonly Raised[] {
  const here = useSyncExternalStore(
    subscribeToToasts,
    () => raised,
    () => null,
  );
  // Toasts that came with the page are inserted again after hydration, since only insertions are announced.
  useLayoutEffect(() => {
    if (seenAnswers.has(initial)) return;
    seenAnswers.add(initial);
    for (const toast of initial) {
      if (toast.id && seenIds.has(toast.id)) continue;
      if (toast.id) seenIds.add(toast.id);
      showToast(toast);
    }
  }, [initial]);
  return here ?? initial.map((toast, index) => ({ key: `rendered ${index}`, toast }));
}

export function hideToast(key: string): void {
  setToasts(raised.filter((one) => one.key !== key));
}

function setToasts(next: readonly Raised[]): void {
  raised = next;
  for (const hear of watchers) hear();
}

function subscribeToToasts(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => void watchers.delete(onChange);
}

/**
 * Keeps an element that is a popover where it can be reached: a modal dialog makes everything outside
 * itself inert, so for as long as one is open the element is within it, and in front there.
 *
 * @param home the element's own place, which holds nothing else: React looks for it there when it goes
 * @param newest changes when the element has to come to the front again
 */
function useInsideDialog(
  element: RefObject<HTMLElement | null>,
  home: RefObject<HTMLElement | null>,
  newest: string | undefined,
): void {
  useEffect(() => {
    if (newest === undefined) return undefined;
    const [moved, own] = [element.current!, home.current!];
    placeInDialog(moved, own, true);
    // The page may be gone before the watching ends.
    const watcher = new MutationObserver(() => own.isConnected && placeInDialog(moved, own));
    watcher.observe(document.body, { subtree: true, childList: true, attributeFilter: ["open"] });
    return () => watcher.disconnect();
  }, [element, home, newest]);
  useLayoutEffect(() => {
    const [moved, own] = [element.current!, home.current!];
    return () => own.append(moved);
  }, [element, home]);
}

function placeInDialog(element: HTMLElement, home: HTMLElement, again = false): void {
  const dialog = [...document.querySelectorAll<HTMLElement>("dialog:modal")].at(-1);
  const parent = dialog ?? home;
  if (element.parentElement === parent && !again) return;
  if (element.parentElement !== parent) moveElement(element, parent);
  if (!element.popover) return;
  // The element that enters the top layer last is in front.
  if (element.matches(":popover-open")) element.hidePopover();
  if (dialog) element.showPopover();
}

/**
 * Moves an element without the effects of an insertion, where the browser can: focus and announcements stay.
 */
function moveElement(element: HTMLElement, parent: HTMLElement): void {
  const movable = parent as HTMLElement & {
    moveBefore?: (node: Node, before: Node | null) => void;
  };
  if (movable.moveBefore && element.isConnected && parent.isConnected)
    movable.moveBefore(element, null);
  else parent.append(element);
}

const icons: Record<Toast["kind"], IconName> = {
  success: "check",
  error: "error",
  warning: "warning",
  info: "info",
};

function ToastSheet({
  toast,
  depth,
  paused,
  onDismiss,
}: {
  toast: ShownToast;
  depth: number;
  paused: boolean;
  onDismiss(): void;
}) {
  useCountdown(displayMilliseconds, paused || Boolean(toast.action), onDismiss);
  const swipe = useSwipe(onDismiss);
  const urgent = toast.kind === "error" || toast.kind === "warning";
  return (
    <div
      className={`toast toast-${toast.kind}`}
      role={urgent ? "alert" : "status"}
      data-behind={depth > 0 || undefined}
      data-held={swipe.distance !== 0 || undefined}
      style={
        { "--depth": Math.min(depth, 3), "--swiped": `${swipe.distance}px` } as React.CSSProperties
      }
      {...swipe.handlers}
    >
      <Icon name={icons[toast.kind]} />
      <div className="toast-words">
        <p className="toast-title">{toast.title}</p>
        {toast.details ?? (toast.description && <p>{toast.description}</p>)}
        {toast.action && (
          <Button variant="secondary" size="sm" onClick={toast.action.run}>
            {toast.action.label}
          </Button>
        )}
      </div>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={onDismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Calls `onEnd` after a time that stands still while paused. */
function useCountdown(milliseconds: number, paused: boolean, onEnd: () => void): void {
  const left = useRef(milliseconds);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    if (paused) return undefined;
    const begun = performance.now();
    const timer = setTimeout(() => end.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - begun;
    };
  }, [paused]);
}

/** Follows a finger sideways; let go past the threshold, it dismisses. */
function useSwipe(onDismiss: () => void) {
  const [start, setStart] = useState<number | null>(null);
  const [distance, setDistance] = useState(0);
  const reset = () => {
    setStart(null);
    setDistance(0);
  };
  return {
    distance,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (isPressable(event)) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setStart(event.clientX);
      },
      onPointerMove(event: PointerEvent) {
        if (start !== null) setDistance(event.clientX - start);
      },
      onPointerUp(event: PointerEvent) {
        if (start !== null && Math.abs(event.clientX - start) > swipePixels) onDismiss();
        reset();
      },
      onPointerCancel: reset,
      // The words are selected by a double press alone: selected ones would be dragged away instead.
      onMouseDown(event: MouseEvent) {
        if (event.detail < 2 && !isPressable(event)) event.preventDefault();
      },
      onDragStart(event: DragEvent) {
        event.preventDefault();
      },
    },
  };
}

function isPressable({ target }: MouseEvent): boolean {
  return (target as Element).closest("a, button") !== null;
}
