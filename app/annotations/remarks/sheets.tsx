import {
  createContext,
  type CSSProperties,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Icon } from "../../ui/brand/icon.tsx";
import { Button } from "../../ui/form/button.tsx";
import { partNames } from "../../reviews/rubric.ts";
import { editorShortcuts } from "../shortcuts/editor-shortcuts.ts";
import { useSingleKeys } from "../shortcuts/single-keys.ts";
import { pictureWidths, pointsOfPixel } from "../../files/render/rendering.ts";
import { type Mode, type PinnedImage, useEditor } from "./editor.tsx";
import { type PageView, type Target, formatTargetKey, parseTarget } from "../rules.ts";
import { PagePicture } from "./page-picture.tsx";
import { Sheet } from "./sheet.tsx";
import { usePageZoom } from "./zoom.ts";
import { ZoomControls, ZoomedList } from "./zoom-controls.tsx";
import * as styles from "./sheets.module.css";
import * as sheetStyles from "./sheet.module.css";

/** Formats a page's label: "Portfolio, page 3", or only the part's name if it has one page. */
function formatPageLabel({ part, number }: Pick<PageView, "part" | "number">, pages: number) {
  return pages > 1 ? `${partNames[part]}, page ${number}` : partNames[part];
}

/** Formats a place: "Portfolio, page 3" or "Screenshot 2"; a removed place says that it was removed. */
export function formatTargetLabel(
  target: Target | null,
  { pages, images }: { pages: readonly PageView[]; images: readonly PinnedImage[] },
): string {
  if (target?.kind === "page") {
    const count = pages.filter(({ part }) => part === target.part).length;
    return formatPageLabel({ part: target.part, number: target.page }, count);
  }
  const image = target && images.find(({ id }) => id === target.imageId);
  return image?.label ?? "Its screenshot was removed";
}

/** A page or a screenshot in the list. */
type ListedSheet = {
  key: string;
  target: Target;
  label: string;
  /** Width divided by height; undefined for a screenshot of unknown size. */
  ratio: number | undefined;
  /** Its width at a zoom of 100 %, in pixels. */
  full: number;
  /** The width of its picture, in pixels. */
  sharpest: number;
  /** The address of a thumbnail of it, or of its upper part. */
  thumb: string;
  page?: PageView;
  image?: PinnedImage;
};

function listSheets(pages: readonly PageView[], images: readonly PinnedImage[]): ListedSheet[] {
  const places = { pages, images };
  const all = [
    ...pages.map((page) => ({
      target: { kind: "page" as const, part: page.part, page: page.number },
      ratio: page.width / page.height,
      sharpest: page.pixels ?? pictureWidths.large,
      thumb: page.bands[0]?.small ?? "",
      page,
    })),
    ...images.map((image) => ({
      target: { kind: "image" as const, imageId: image.id },
      ratio: image.ratio,
      sharpest: image.pixels ?? pictureWidths.large,
      thumb: image.href,
      image,
      page: undefined,
    })),
  ];
  return all.map((one) => ({
    ...one,
    // Its size on paper, but large slides have fewer pixels than that.
    full: Math.min(one.page ? one.page.width / pointsOfPixel : Infinity, one.sharpest),
    key: formatTargetKey(one.target),
    label: formatTargetLabel(one.target, places),
  }));
}

/**
 * Renders all pages and screenshots with their pins, thumbnails, and a bar with the choice of mode.
 *
 * @param views links to other views of the same files, for the bar
 * @param otherView shown instead of the pages
 * @param earlier earlier pages by the keys of the pages beside which they are shown
 */
export function Sheets({
  views,
  otherView,
  earlier,
  inColumn,
}: {
  views?: ReactNode;
  otherView?: ReactNode;
  earlier?: ReadonlyMap<string, ReactNode>;
  /** True if the pages scroll in a column of their own. */
  inColumn?: boolean;
}) {
  const { pages, images } = useEditor();
  const sheets = listSheets(pages, images);
  const keys = otherView ? "" : sheets.map(({ key }) => key).join(" ");
  if (sheets.length === 0 && !otherView) return null;

  return (
    <CurrentSheet keys={keys}>
      <div
        className={styles.sheets}
        data-in-column={inColumn || undefined}
        data-single={sheets.length <= 1 || otherView ? true : undefined}
      >
        <div className={styles.bar}>
          {views}
          {!otherView && <SheetTools sheets={sheets} />}
          {earlier && !otherView && (
            <label className={styles.swap}>
              <input type="checkbox" />
              Earlier pages
            </label>
          )}
        </div>
        {otherView || (
          <>
            <ZoomControls />
            {sheets.length > 1 && <Thumbs sheets={sheets} />}
            <ZoomedList>
              {sheets.map(({ key, page, image, thumb: _thumb, ...sheet }, index) => (
                <Beside key={key} earlier={earlier?.get(key)} isPaired={earlier !== undefined}>
                  <Sheet {...sheet}>
                    {page && <PagePictures page={page} isFirst={index === 0} />}
                    {image && (
                      <PagePicture
                        src={image.href}
                        alt={sheet.label}
                        loading="lazy"
                        draggable={false}
                      />
                    )}
                  </Sheet>
                </Beside>
              ))}
              {[...(earlier ?? [])]
                .filter(([key]) => !sheets.some((sheet) => sheet.key === key))
                .map(([key, page]) => (
                  <Beside key={key} earlier={page} isPaired />
                ))}
            </ZoomedList>
          </>
        )}
      </div>
    </CurrentSheet>
  );
}

/** Renders a page beside the earlier one. On phones, a switch in the bar shows one or the other. */
function Beside({
  earlier,
  isPaired,
  children,
}: {
  earlier?: ReactNode;
  isPaired: boolean;
  children?: ReactNode;
}) {
  if (!isPaired) return children;
  return (
    <div className={styles.pair}>
      <div className={styles.earlier}>{earlier}</div>
      {children}
    </div>
  );
}

/** Renders the bands of a page. The first page loads eagerly. */
function PagePictures({ page, isFirst }: { page: PageView; isFirst: boolean }) {
  const isZoomed = usePageZoom(useEditor().zoom) !== "fit";
  return page.bands.map((band, index) => (
    <PagePicture
      key={band.top}
      src={band.small}
      srcSet={`${band.small} 800w, ${band.large} 1600w`}
      sizes={isZoomed ? "1600px" : "(width >= 64rem) 50vw, 100vw"}
      alt=""
      width={1600}
      height={Math.round((1600 * page.height * band.height) / page.width)}
      loading={isFirst && index === 0 ? "eager" : "lazy"}
      fetchPriority={isFirst && index === 0 ? "high" : undefined}
      draggable={false}
    />
  ));
}

/**
 * Scrolls to the page or screenshot after (1) or before (-1) the current one, if there is one.
 *
 * @param takeFocus whether to move the focus
 */
export function showAdjacentSheet(step: 1 | -1, takeFocus: boolean): void {
  // Read from the page, since a key event can arrive before the previous key's scroll event.
  const sheets = [
    ...document.querySelectorAll<HTMLElement>(`.${styles.list} .${sheetStyles.sheet}`),
  ];
  const at = sheets.findIndex(({ id }) => id === findCurrentSheet(sheets));
  const next = sheets[Math.max(0, Math.min(sheets.length - 1, at + step))];
  if (next) showSheet(next.id, takeFocus);
}

/** Finds the page that is being read. */
export function findShownTarget(): Target | null {
  const sheets = [
    ...document.querySelectorAll<HTMLElement>(`.${styles.list} .${sheetStyles.sheet}`),
  ];
  return parseTarget(findCurrentSheet(sheets) ?? "");
}

function showSheet(key: string, takeFocus: boolean): void {
  const sheet = document.getElementById(key);
  sheet?.scrollIntoView({ block: "start" });
  if (takeFocus) sheet?.querySelector<HTMLElement>("button, a")?.focus({ preventScroll: true });
}

type ReadSheet = {
  /** The key of the sheet at a line in the upper part of the window. */
  current: string | null;
  /** True after the first scroll. */
  isRead: boolean;
};

const CurrentSheetContext = createContext<ReadSheet>({ current: null, isRead: false });

/**
 * Provides the sheet that is being read. Scrolling renders again only the parts that show it: React would set the radio
 * buttons of the bar each time, and the browser then restyles all that depends on their state.
 */
function CurrentSheet({ keys, children }: { keys: string; children: ReactNode }) {
  const [current, setCurrent] = useState<string | null>(keys.split(" ")[0] ?? null);
  const [isRead, setIsRead] = useState(false);
  useEffect(() => {
    const sheets = listSheetElements(keys);
    const update = () => setCurrent(findCurrentSheet(sheets));
    const onScroll = () => {
      setIsRead(true);
      update();
    };
    // The window or a container scrolls, and a container's scroll events reach only capturing listeners.
    document.addEventListener("scroll", onScroll, { capture: true, passive: true });
    update();
    return () => document.removeEventListener("scroll", onScroll, { capture: true });
  }, [keys]);
  const read = useMemo(() => ({ current, isRead }), [current, isRead]);
  return <CurrentSheetContext value={read}>{children}</CurrentSheetContext>;
}

function listSheetElements(keys: string): HTMLElement[] {
  return keys.split(" ").flatMap((key) => document.getElementById(key) ?? []);
}

function findCurrentSheet(sheets: HTMLElement[]): string | null {
  const line = window.innerHeight * 0.35;
  const passed = sheets.findLast((sheet) => sheet.getBoundingClientRect().top <= line);
  return (passed ?? sheets[0])?.id ?? null;
}

const modes: Record<Mode, { label: string; hint: string; key: keyof typeof editorShortcuts }> = {
  read: { label: "Read", hint: "Choose Add to mark a place.", key: "read" },
  text: {
    label: "Select text",
    hint: "Select words to quote them in a remark. On the page, arrows go by word, Shift selects more, Enter quotes.",
    key: "selectText",
  },
  add: { label: "Add", hint: "Drag a box, click a point, or select words.", key: "addMarks" },
};

/** The single keys of a mode, after its hint. */
const modeKeys = {
  read: " P marks the whole page, [ and ] turn pages.",
  add: " P marks the whole page.",
};

function SheetTools({ sheets }: { sheets: readonly ListedSheet[] }) {
  const { entries, pages } = useEditor();
  return (
    <>
      <ModeSwitch offered={pages.length > 0 ? ["read", "text", "add"] : ["read", "add"]} />
      {sheets.length > 1 && <SheetTurner sheets={sheets} />}
      <a className={styles.toRemarks} href="#remarks">
        Remarks <b>{entries.length}</b>
      </a>
    </>
  );
}

function SheetTurner({ sheets }: { sheets: readonly ListedSheet[] }) {
  const { current } = useContext(CurrentSheetContext);
  const at = Math.max(
    0,
    sheets.findIndex(({ key }) => key === current),
  );
  return (
    <div className={`${styles.turner} needs-scripts`}>
      <Button
        variant="ghost"
        size="sm"
        aria-label="Page before"
        onClick={() => showAdjacentSheet(-1, false)}
      >
        <Icon name="arrow-left" />
      </Button>
      <span aria-label={`${sheets[at]!.label}, ${at + 1} of ${sheets.length}`} role="img">
        {at + 1}&thinsp;/&thinsp;{sheets.length}
      </span>
      <Button
        variant="ghost"
        size="sm"
        aria-label="Page after"
        onClick={() => showAdjacentSheet(1, false)}
      >
        <Icon name="arrow-right" />
      </Button>
    </div>
  );
}

function ModeSwitch({ offered }: { offered: readonly Mode[] }) {
  const { mode, setMode } = useEditor();
  const areSingleKeysOn = useSingleKeys();
  const fieldset = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    // Takes the choice from before hydration.
    const chosen = fieldset.current?.querySelector<HTMLInputElement>(":checked")?.value;
    if (chosen && chosen in modes) setMode(chosen as Mode);
    // oxlint-disable-next-line react/exhaustive-deps -- runs once, on hydration
  }, []);
  return (
    <fieldset className={styles.modes} ref={fieldset}>
      <legend className="sr-only">What a press on a page does</legend>
      {offered.map((one) => (
        <label key={one} title={modes[one].hint}>
          <input
            type="radio"
            name="mode"
            value={one}
            checked={mode === one}
            aria-keyshortcuts={
              areSingleKeysOn ? editorShortcuts[modes[one].key].keys[0] : undefined
            }
            onChange={() => setMode(one)}
            className="sr-only"
          />
          {modes[one].label}
        </label>
      ))}
      <p aria-live="polite" data-mode={mode}>
        {modes[mode].hint}
        {mode !== "text" && areSingleKeysOn && modeKeys[mode]}
      </p>
    </fieldset>
  );
}

/** Renders a thumbnail of each page, with its number of pins. The strip follows the page that is being read. */
function Thumbs({ sheets }: { sheets: readonly ListedSheet[] }) {
  const { entries } = useEditor();
  const { current, isRead } = useContext(CurrentSheetContext);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // Scrolls only the strip, never its containers.
    const strip = list.current;
    const thumb = strip?.querySelector<HTMLElement>(`[href="#${current}"]`);
    if (!isRead || !strip || !thumb) return;
    const { offsetTop, offsetHeight, offsetLeft, offsetWidth } = thumb;
    strip.scrollTo({
      top: offsetTop + offsetHeight / 2 - strip.clientHeight / 2,
      left: offsetLeft + offsetWidth / 2 - strip.clientWidth / 2,
    });
  }, [current, isRead]);
  return (
    <nav className={styles.thumbs} aria-label="Pages" ref={list}>
      <ol>
        {sheets.map(({ key, label, thumb, ratio }, index) => {
          const pins = entries.filter(
            ({ remark }) => remark.target && formatTargetKey(remark.target) === key,
          ).length;
          return (
            <li key={key}>
              <a
                href={`#${key}`}
                aria-current={key === current ? "true" : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  showSheet(key, false);
                }}
              >
                <img
                  src={thumb}
                  alt=""
                  loading="lazy"
                  draggable={false}
                  // A tall page shows its upper part.
                  style={{ "--ratio": Math.max(ratio ?? 4 / 3, 0.7) } as CSSProperties}
                />
                <span aria-hidden="true">{index + 1}</span>
                <span className="sr-only">{label}</span>
                {pins > 0 && (
                  <b>
                    {pins}
                    <span className="sr-only">{pins === 1 ? " remark" : " remarks"}</span>
                  </b>
                )}
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
