import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/form/button.tsx";
import { editorShortcuts } from "../shortcuts/editor-shortcuts.ts";
import { useSingleKeys } from "../shortcuts/single-keys.ts";
import { useEditor } from "./editor.tsx";
import {
  findShownZoom,
  listenToPinches,
  minZoom,
  type ShownZoom,
  usePageZoom,
  type Zoom,
} from "./zoom.ts";
import * as styles from "./sheets.module.css";

/** Renders the column of pages at the current zoom. */
export function ZoomedList({ children }: { children: ReactNode }) {
  const { zoom } = useEditor();
  const pageZoom = usePageZoom(zoom);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => listenToPinches(list.current!, zoom), [zoom]);
  return (
    <div
      ref={list}
      className={styles.list}
      data-zoomed={pageZoom !== "fit" || undefined}
      style={pageZoom === "fit" ? undefined : ({ "--zoom": pageZoom } as CSSProperties)}
    >
      {children}
    </div>
  );
}

/** Renders the buttons that zoom the pages, and the zoom in percent. */
export function ZoomControls() {
  const { zoom, pages, images } = useEditor();
  const pageZoom = usePageZoom(zoom);
  const areSingleKeysOn = useSingleKeys();
  const measured = useMeasuredZoom(pageZoom, pages.length + images.length);
  const keyOf = (action: "zoomIn" | "zoomOut" | "fitPages" | "fullZoom") =>
    areSingleKeysOn ? editorShortcuts[action].keys[0] : undefined;
  return (
    <div className={`${styles.zoom} needs-scripts`} role="group" aria-label="Zoom">
      <Button
        variant="ghost"
        size="sm"
        aria-label={editorShortcuts.zoomOut.label}
        aria-keyshortcuts={keyOf("zoomOut")}
        disabled={measured !== null && measured.zoom <= minZoom}
        onClick={() => zoom.step(-1)}
      >
        −
      </Button>
      <output>{measured && `${Math.round(measured.zoom * 100)} %`}</output>
      <Button
        variant="ghost"
        size="sm"
        aria-label={editorShortcuts.zoomIn.label}
        aria-keyshortcuts={keyOf("zoomIn")}
        disabled={measured !== null && measured.zoom >= measured.max - roundingError}
        onClick={() => zoom.step(1)}
      >
        +
      </Button>
      <Button
        variant="ghost"
        size="sm"
        aria-pressed={pageZoom === "fit"}
        aria-keyshortcuts={keyOf("fitPages")}
        onClick={() => zoom.set("fit")}
      >
        Fit
      </Button>
      <Button
        variant="ghost"
        size="sm"
        aria-pressed={pageZoom === 1}
        aria-keyshortcuts={keyOf("fullZoom")}
        onClick={() => zoom.set(1)}
      >
        100 %
      </Button>
    </div>
  );
}

/** Pages have widths of whole pixels, so they miss the largest zoom by a little. */
const roundingError = 0.005;

/** Measures the zoom of the page in the middle; null until then. The thumbnails of a second page make the first smaller. */
function useMeasuredZoom(zoom: Zoom, sheets: number): ShownZoom | null {
  const [measured, setMeasured] = useState<ShownZoom | null>(null);
  useEffect(() => {
    const measure = () => setMeasured(findShownZoom());
    measure();
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- measured again after each change
  }, [zoom, sheets]);
  return measured;
}
