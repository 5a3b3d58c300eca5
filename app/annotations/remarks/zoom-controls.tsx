import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/form/button.tsx";
import { editorShortcuts } from "../shortcuts/editor-shortcuts.ts";
import { useSingleKeys } from "../shortcuts/single-keys.ts";
import { useEditor } from "./editor.tsx";
import { findShownZoom, listenToPinches, usePageZoom, zoomLimits } from "./zoom.ts";

/** Renders the column of pages at the current zoom. */
export function ZoomedList({ children }: { children: ReactNode }) {
  const { zoom } = useEditor();
  const shown = usePageZoom(zoom);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => listenToPinches(list.current!, zoom), [zoom]);
  return (
    <div
      ref={list}
      className="sheet-list"
      data-zoomed={shown !== "fit" || undefined}
      style={shown === "fit" ? undefined : ({ "--zoom": shown } as CSSProperties)}
    >
      {children}
    </div>
  );
}

/** Renders the buttons that zoom the pages, and the zoom in percent. */
export function ZoomControls() {
  const { zoom } = useEditor();
  const shown = usePageZoom(zoom);
  const areSingleKeysOn = useSingleKeys();
  const fitting = useFittingZoom(shown === "fit");
  const percent = Math.round((shown === "fit" ? fitting : shown) * 100);
  const keyOf = (action: "zoomIn" | "zoomOut" | "fitPages" | "fullZoom") =>
    areSingleKeysOn ? editorShortcuts[action].keys[0] : undefined;
  return (
    <div className="sheet-zoom needs-scripts" role="group" aria-label="Zoom">
      <Button
        variant="ghost"
        size="sm"
        aria-label={editorShortcuts.zoomOut.label}
        aria-keyshortcuts={keyOf("zoomOut")}
        disabled={shown !== "fit" && shown <= zoomLimits.min}
        onClick={() => zoom.step(-1)}
      >
        −
      </Button>
      <output>{percent > 0 && `${percent} %`}</output>
      <Button
        variant="ghost"
        size="sm"
        aria-label={editorShortcuts.zoomIn.label}
        aria-keyshortcuts={keyOf("zoomIn")}
        disabled={shown !== "fit" && shown >= zoomLimits.max}
        onClick={() => zoom.step(1)}
      >
        +
      </Button>
      <Button
        variant="ghost"
        size="sm"
        aria-pressed={shown === "fit"}
        aria-keyshortcuts={keyOf("fitPages")}
        onClick={() => zoom.set("fit")}
      >
        Fit
      </Button>
      <Button
        variant="ghost"
        size="sm"
        aria-pressed={shown === 1}
        aria-keyshortcuts={keyOf("fullZoom")}
        onClick={() => zoom.set(1)}
      >
        100 %
      </Button>
    </div>
  );
}

/** Measures the zoom at which pages fit; 0 until then. */
function useFittingZoom(doFit: boolean): number {
  const [fitting, setFitting] = useState(0);
  useEffect(() => {
    if (!doFit) return undefined;
    const measure = () => setFitting(findShownZoom());
    measure();
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, [doFit]);
  return fitting;
}
