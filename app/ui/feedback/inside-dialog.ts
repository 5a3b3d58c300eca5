import { type RefObject, useEffect, useLayoutEffect } from "react";

/**
 * Keeps an element that is a popover where it can be reached: a modal dialog makes everything outside
 * itself inert, so for as long as one is open the element is within it, and in front there.
 *
 * @param home the element's own place, which holds nothing else: React looks for it there when it goes
 * @param newest changes when the element has to come to the front again
 */
export function useInsideDialog(
  element: RefObject<HTMLElement | null>,
  home: RefObject<HTMLElement | null>,
  newest: string | undefined,
): void {
  useEffect(() => {
    if (newest === undefined) return undefined;
    const [moved, own] = [element.current!, home.current!];
    place(moved, own, true);
    // The page may be gone before the watching ends.
    const watcher = new MutationObserver(() => own.isConnected && place(moved, own));
    watcher.observe(document.body, { subtree: true, childList: true, attributeFilter: ["open"] });
    return () => watcher.disconnect();
  }, [element, home, newest]);
  useLayoutEffect(() => {
    const [moved, own] = [element.current!, home.current!];
    return () => own.append(moved);
  }, [element, home]);
}

function place(element: HTMLElement, home: HTMLElement, again = false): void {
  const dialog = [...document.querySelectorAll<HTMLElement>("dialog:modal")].at(-1);
  const parent = dialog ?? home;
  if (element.parentElement === parent && !again) return;
  if (element.parentElement !== parent) move(element, parent);
  if (!element.popover) return;
  // What enters the top layer last is in front there.
  if (element.matches(":popover-open")) element.hidePopover();
  if (dialog) element.showPopover();
}

/** Without what an insertion brings about, where the browser can: focus and announcements stay. */
function move(element: HTMLElement, parent: HTMLElement): void {
  const movable = parent as HTMLElement & {
    moveBefore?: (node: Node, before: Node | null) => void;
  };
  if (movable.moveBefore && element.isConnected && parent.isConnected)
    movable.moveBefore(element, null);
  else parent.append(element);
}
