import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { Icon } from "../ui/brand/icon.tsx";

/** Folds the header away on phones. It opens without scripts, and closes on navigation. */
export function Menu({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  const details = useRef<HTMLDetailsElement>(null);
  useClosing(details);
  return (
    <details key={key} ref={details} className="menu">
      <summary>
        <Icon name="menu" />
        <Icon name="close" />
        Menu
      </summary>
      <div className="menu-panel">{children}</div>
    </details>
  );
}

/** Also closes on Escape and on a press outside; the focus goes back unless the press has taken it. */
function useClosing(details: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const close = () => {
      const menu = details.current;
      if (!menu?.open) return;
      const { activeElement } = document;
      const isElsewhere = activeElement?.matches(":is(a, button, input, select, textarea)");
      const staysThere = isElsewhere && !menu.contains(activeElement);
      menu.open = false;
      if (!staysThere) menu.querySelector("summary")?.focus();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") close();
    };
    const onPress = (event: MouseEvent) => {
      if (!details.current?.contains(event.target as Node)) close();
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("click", onPress);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("click", onPress);
    };
  }, [details]);
}
