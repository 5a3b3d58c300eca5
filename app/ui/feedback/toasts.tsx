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
import { Form } from "react-router";
import type { Toast } from "../../platform/app-context.server.ts";
import { Icon } from "../brand/icon.tsx";
import { Button } from "../form/button.tsx";
import { useHydrated } from "../hydrated.ts";
import * as styles from "./toasts.module.css";
import * as buttonStyles from "../form/button.module.css";

const displayMilliseconds = 5000;
const swipePixels = 50;

/** A toast created in the browser may have an action. It stays until the action is done. */
const kinds = {
  success: styles.success,
  error: styles.error,
  warning: styles.warning,
  info: "",
};

type ShownToast = Toast & {
  action?: { label: string; run(): void };
  /** Replaces the description, for content with links or buttons. */
  details?: ReactNode;
};

type Raised = { key: string; toast: ShownToast };

/**
 * The toasts of this page, outside of React since an error screen mounts the corner again.
 */
let raised: readonly Raised[] = [];
let count = 0;
const watchers = new Set<() => void>();
/** The server answers whose toasts were shown, so that each is shown once. */
const seenAnswers = new WeakSet<readonly Toast[]>();
/** The ids of toasts that may arrive with more than one answer. */
const seenIds = new Set<string>();

/**
 * Shows a toast from the browser. Toasts from the server come through `initial`.
 *
 * @returns the key for `hideToast`
 */
export function showToast(toast: ShownToast): string {
  count += 1;
  const key = String(count);
  setToasts([...raised, { key, toast }]);
  return key;
}

/**
 * The corner where toasts appear, the newest in front. Older ones are stacked behind it until the pointer, the focus
 * or F8 spreads them out.
 */
export function Toasts({ initial }: { initial: readonly Toast[] }) {
  const toasts = useToasts(initial);
  const hydrated = useHydrated();
  const home = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLElement>(null);
  const focusBefore = useRef<HTMLElement>(null);
  const [isHeld, setIsHeld] = useState(false);
  useInsideDialog(region, home, toasts.at(-1)?.key);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "F8" || region.current?.contains(document.activeElement)) return;
      focusBefore.current = document.activeElement as HTMLElement | null;
      region.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  /** Moves the focus from a closed toast to the others, or to the element that had it before. */
  const close = (key: string) => {
    if (region.current?.contains(document.activeElement)) {
      const back = focusBefore.current?.isConnected
        ? focusBefore.current
        : (region.current?.closest("dialog") ?? document.querySelector("main"));
      (toasts.length > 1 ? region.current : back)?.focus({ preventScroll: true });
    }
    hideToast(key);
  };

  return (
    <div ref={home} className="contents">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- they only hold the time */}
      <section
        ref={region}
        popover={hydrated ? "manual" : undefined}
        className={styles.toasts}
        aria-label="Notifications (F8)"
        tabIndex={-1}
        onPointerEnter={() => setIsHeld(true)}
        onPointerLeave={({ currentTarget }) => setIsHeld(currentTarget.matches(":focus-within"))}
        onFocus={() => setIsHeld(true)}
        onBlur={({ currentTarget }) => setIsHeld(currentTarget.matches(":hover"))}
      >
        {toasts.map(({ key, toast }, index) => (
          <ToastCard
            key={key}
            toast={toast}
            depth={toasts.length - 1 - index}
            paused={isHeld && hydrated}
            onDismiss={() => close(key)}
          />
        ))}
      </section>
    </div>
  );
}

/** Returns the toasts on screen, from server answers and from the browser. */
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
  for (const onChange of watchers) onChange();
}

function subscribeToToasts(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => void watchers.delete(onChange);
}

/**
 * Keeps a popover usable while a modal dialog is open. A dialog makes everything outside it inert, so the popover
 * moves into the dialog.
 *
 * @param home the element's only parent otherwise, where React expects it on removal
 * @param newest a change brings the element to the front again
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
    // The page may be removed before the observer disconnects.
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
  // The last element to enter the top layer is in front.
  if (element.matches(":popover-open")) element.hidePopover();
  if (dialog) element.showPopover();
}

/**
 * Moves an element without inserting it again where the browser can, so that focus and announcements are not lost.
 */
function moveElement(element: HTMLElement, parent: HTMLElement): void {
  const movable = parent as HTMLElement & {
    moveBefore?: (node: Node, before: Node | null) => void;
  };
  if (movable.moveBefore && element.isConnected && parent.isConnected)
    movable.moveBefore(element, null);
  else parent.append(element);
}

function ToastCard({
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
  const milliseconds = displayMilliseconds * (toast.undo ? 2 : 1);
  useCountdown(milliseconds, paused || Boolean(toast.action), onDismiss);
  const swipe = useSwipe(onDismiss);
  const urgent = toast.kind === "error" || toast.kind === "warning";
  return (
    <div
      className={`${styles.toast} ${kinds[toast.kind]}`}
      role={urgent ? "alert" : "status"}
      data-behind={depth > 0 || undefined}
      data-held={swipe.distance !== 0 || undefined}
      style={
        { "--depth": Math.min(depth, 3), "--swiped": `${swipe.distance}px` } as React.CSSProperties
      }
      {...swipe.handlers}
    >
      <Icon name={toast.kind === "success" ? "check" : toast.kind} />
      <div className={styles.words}>
        <p className={styles.title}>{toast.title}</p>
        {toast.details ?? (toast.description && <p>{toast.description}</p>)}
        {/* With scripts the screen stays, and the answer is another toast. */}
        {toast.undo && (
          <Form method="post" action={toast.undo.action} navigate={false} onSubmit={onDismiss}>
            {Object.entries(toast.undo.fields).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <Button type="submit" variant="secondary" size="sm">
              Undo
            </Button>
          </Form>
        )}
        {toast.action && (
          <Button variant="secondary" size="sm" onClick={toast.action.run}>
            {toast.action.label}
          </Button>
        )}
      </div>
      <button
        type="button"
        className={buttonStyles.iconButton}
        aria-label="Dismiss"
        onClick={onDismiss}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Calls `onEnd` after a time that doesn't count while paused. */
function useCountdown(milliseconds: number, paused: boolean, onEnd: () => void): void {
  const left = useRef(milliseconds);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    if (paused) return undefined;
    const startedAt = performance.now();
    const timer = setTimeout(() => end.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - startedAt;
    };
  }, [paused]);
}

/** Follows a horizontal swipe, which dismisses past a threshold. */
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
      // Only a double press selects text, since selected text would be dragged instead of the toast.
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
