import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { tabShortcuts } from "../../annotations/shortcuts/editor-shortcuts.ts";
import { findShortcut } from "../../annotations/shortcuts/shortcuts.ts";
import { useHydrated } from "../../ui/hydrated.ts";
import * as styles from "./work-desk.module.css";
import * as tabsStyles from "../../ui/layout/tabs.module.css";

const tabs = [
  { id: "earlier", label: "Earlier" },
  { id: "remarks", label: "Remarks" },
  { id: "scores", label: "Scores" },
  { id: "summary", label: "Summary" },
] as const;

export type TabId = (typeof tabs)[number]["id"];

export type WorkTabs = ReturnType<typeof useWorkTabs>;

/**
 * Returns the open tab of the workspace. It is in the address, so a reload keeps it, and links to anything in a tab
 * open it.
 *
 * @param first the tab that is open at first
 * @param causes open their tab whenever they change to another object
 */
export function useWorkTabs(first: TabId, causes: Partial<Record<TabId, object | null>>) {
  const scrolled = useRef<Partial<Record<TabId, number>>>({});
  const [previous, setPrevious] = useState(causes);
  const [selected, setSelected] = useState<TabId>(findChanged(causes, {}) ?? first);
  const changed = findChanged(causes, previous);
  // While rendering, so that the tab is open when effects focus something in it.
  if (changed) {
    setPrevious(causes);
    setSelected(changed);
  }

  useLayoutEffect(() => {
    const openLinked = () => {
      const part = document.getElementById(location.hash.slice(1))?.closest(`.${styles.panel}`);
      const tab = tabs.find(({ id }) => part?.id === `panel-${id}`);
      if (tab) setSelected(tab.id);
    };
    openLinked();
    window.addEventListener("hashchange", openLinked);
    return () => window.removeEventListener("hashchange", openLinked);
  }, []);
  useEffect(() => {
    const isLinked = tabs.some(({ id }) => location.hash === `#${id}`);
    // The router's state stays, and the history gets no entry.
    if (isLinked && location.hash !== `#${selected}`)
      history.replaceState(history.state, "", `#${selected}`);
  }, [selected]);

  return {
    selected,
    /** Opens a tab at once, so that the caller can focus something in it. It is scrolled as when it was left. */
    open(id: TabId) {
      const row = document.getElementById("work-tabs")!;
      const rail = row.closest(`.${styles.rail}`)!;
      scrolled.current[selected] = rail.scrollTop;
      flushSync(() => setSelected(id));
      history.replaceState(history.state, "", `#${id}`);
      rail.scrollTop = scrolled.current[id] ?? 0;
      const isBelow = row.getBoundingClientRect().top > innerHeight / 2;
      if (isBelow && matchMedia("(width < 64rem)").matches) row.scrollIntoView();
    },
  };
}

function findChanged(causes: Partial<Record<TabId, object | null>>, previous: typeof causes) {
  return tabs.find(({ id }) => causes[id] && causes[id] !== previous[id])?.id;
}

/**
 * Renders the tabs. Until scripts run they are links, and `work-desk.css` shows the linked part; without scripts it shows
 * all parts.
 *
 * @param counts what each tab shows beside its name; a tab without one isn't shown
 * @param beside shown after the tabs
 */
export function WorkTabRow({
  state: { selected, open },
  counts,
  beside,
}: {
  state: WorkTabs;
  counts: Partial<Record<TabId, ReactNode>>;
  beside: ReactNode;
}) {
  const hydrated = useHydrated();
  const listed = tabs.filter(({ id }) => counts[id] !== undefined);

  function onKeyDown(event: KeyboardEvent) {
    const action = findShortcut(tabShortcuts, event);
    if (!action) return;
    const at = listed.findIndex(({ id }) => id === selected);
    const next = { nextTab: at + 1, previousTab: at - 1, firstTab: 0, lastTab: -1 }[action];
    event.preventDefault();
    const { id } = listed.at(next % listed.length)!;
    open(id);
    document.getElementById(`tab-${id}`)?.focus();
  }

  return (
    <div className={styles.tabsRow}>
      <div
        className={`${tabsStyles.look} ${styles.tabs}`}
        id="work-tabs"
        role={hydrated ? "tablist" : "navigation"}
        aria-label="Your review"
      >
        {listed.map(({ id, label }) => {
          const isSelected = id === selected;
          return (
            <a
              key={id}
              id={`tab-${id}`}
              href={`#${id}`}
              data-selected={isSelected || undefined}
              onClick={(event) => {
                event.preventDefault();
                open(id);
              }}
              {...(hydrated && {
                role: "tab",
                "aria-selected": isSelected,
                "aria-controls": `panel-${id}`,
                tabIndex: isSelected ? 0 : -1,
                onKeyDown,
              })}
            >
              {label} <span className={styles.tabCount}>{counts[id]}</span>
            </a>
          );
        })}
      </div>
      {beside}
    </div>
  );
}

/** Renders the content of a tab. It stays in the page while another one is open, so that it keeps saving. */
export function WorkPanel({
  id,
  state: { selected },
  children,
}: {
  id: TabId;
  state: WorkTabs;
  children: ReactNode;
}) {
  const hydrated = useHydrated();
  const isSelected = id === selected;
  return (
    <div
      className={styles.panel}
      id={`panel-${id}`}
      data-selected={isSelected || undefined}
      {...(hydrated && {
        role: "tabpanel",
        "aria-labelledby": `tab-${id}`,
        hidden: !isSelected,
      })}
    >
      {children}
    </div>
  );
}
