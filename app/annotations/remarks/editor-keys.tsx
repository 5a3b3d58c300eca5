import { flushSync } from "react-dom";
import { findAdjacentRemark } from "../marked.ts";
import { editorShortcuts, type MarkedScreen } from "../shortcuts/editor-shortcuts.ts";
import { KeyboardShortcuts } from "../shortcuts/keyboard-shortcuts.tsx";
import { useEditor } from "./editor.tsx";
import { findShownTarget, showAdjacentSheet } from "./sheets.tsx";

/** Handles the keys that work anywhere in an editor, and renders the button that lists them. */
export function EditorKeys({
  screen,
  className,
}: {
  screen: Exclude<MarkedScreen, "result">;
  /** The class of the button. */
  className?: string;
}) {
  const { entries, pages, selected, select, setMode, add, zoom } = useEditor();

  /** Opens the remark after or before the focused one, or else after or before the open one. */
  function step(by: 1 | -1) {
    const ids = entries.map(({ remark }) => remark.id);
    const id = findAdjacentRemark(ids, findFocusedRemark() ?? selected, by);
    if (!id) return;
    // At once, since its tab may have to open first.
    flushSync(() => select(id));
    document
      .querySelector<HTMLElement>(`[id="remark-${id}"] summary`)
      ?.focus({ preventScroll: true });
  }

  function addToPage() {
    const target = findShownTarget();
    if (target) add(target, null);
  }

  return (
    <KeyboardShortcuts
      screen={screen}
      className={className}
      shortcuts={editorShortcuts}
      actions={{
        nextRemark: () => step(1),
        previousRemark: () => step(-1),
        nextPage: () => showAdjacentSheet(1, true),
        previousPage: () => showAdjacentSheet(-1, true),
        read: () => setMode("read"),
        selectText: () => pages.length > 0 && setMode("text"),
        addMarks: () => setMode("add"),
        wholePage: addToPage,
        zoomIn: () => zoom.step(1),
        zoomOut: () => zoom.step(-1),
        fitPages: () => zoom.set("fit"),
        fullZoom: () => zoom.set(1),
        stopAdding: () => setMode("read"),
      }}
    />
  );
}

function findFocusedRemark(): string | null {
  const part = document.activeElement?.closest("[id^='remark-'], [id^='pin-']");
  return part?.id.replace(/^(?:remark|pin)-/, "") ?? null;
}
