import {
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { Icon } from "../../ui/brand/icon.tsx";
import { Plate } from "../plate/plate.tsx";
import { severities, type Severity } from "../severities.ts";
import { KeyboardShortcuts, useShortcutHint } from "../shortcuts/keyboard-shortcuts.tsx";
import { readingShortcuts } from "../shortcuts/shortcuts.ts";
import {
  countBySeverity,
  isActionable,
  type Marked,
  type NumberedRemark,
  type Sheet,
  findAdjacentRemark,
  selectFirstThings,
} from "../marked.ts";
import { PinSign } from "../pin-sign.tsx";
import { Bands } from "./bands.tsx";
import { Opening } from "./opening.tsx";
import { RemarkItem } from "./remark-item.tsx";
import { ReviewSummary, type Summary } from "./summary.tsx";
import * as styles from "./marked-sheet.module.css";
import * as markedStyles from "./marked.module.css";
import * as openingStyles from "./opening.module.css";
import * as buttonStyles from "../../ui/form/button.module.css";
import * as pinSignStyles from "../pin-sign.module.css";
import * as remarkItemStyles from "./remark-item.module.css";
import * as plateStyles from "../plate/plate.module.css";

/**
 * Renders a review for its customer: the first page beside the first things to do, the summary, then all pages with
 * pins and remarks. Without scripts, pins and remarks link to each other, and severities can be filtered. With scripts, a
 * pin and its remark light up together, also while the page is scrolled, and keys step between remarks.
 *
 * @param isComing whether pages are still being prepared
 * @param signature the reviewer and the date, at the foot of each page
 * @param aside the part beside the feedback
 * @param done the ids of remarks that are ticked off
 * @param renderTick renders the control that ticks off a remark; without it the number left is not shown
 * @param renderAsk renders the link that asks a question about a remark
 * @param notices why pages are not shown, in full sentences
 */
export function MarkedResult({
  summary,
  marked: { sheets, unpinned, remarks },
  done,
  renderTick,
  renderAsk,
  notices = [],
  isComing = false,
  signature,
  aside,
}: {
  summary: Summary;
  marked: Marked;
  done: readonly string[];
  renderTick?: (remark: NumberedRemark, isDone: boolean) => ReactNode;
  renderAsk?: (remark: NumberedRemark) => ReactNode;
  notices?: readonly string[];
  isComing?: boolean;
  signature?: string | null;
  aside?: ReactNode;
}) {
  const { root, isLit, current, section, step, handlers } = useRemarkNavigation(sheets.length);
  const list = (listed: NumberedRemark[]) => (
    <ol className={markedStyles.remarks}>
      {listed.map((remark) => (
        <RemarkItem
          key={remark.id}
          remark={remark}
          isLit={isLit(remark.id)}
          isDone={done.includes(remark.id)}
          tick={renderTick?.(remark, done.includes(remark.id))}
          ask={renderAsk?.(remark)}
        />
      ))}
    </ol>
  );
  const formatLegend = (sheet: Sheet) =>
    [`Sheet ${sheets.indexOf(sheet) + 1} of ${sheets.length}`, signature]
      .filter(Boolean)
      .join(" · ");
  const marked = sheets.filter((sheet) => sheet.remarks.length > 0);
  const [first] = marked;
  return (
    <div className={markedStyles.result} ref={root} {...handlers}>
      <Opening
        sheet={first}
        isComing={isComing}
        firstThings={selectFirstThings(remarks)}
        done={done}
        isLit={isLit}
        legend={first ? formatLegend(first) : ""}
      />
      <SectionLinks summary={summary} remarks={remarks.length} current={section} />
      <ReviewSummary summary={summary} aside={aside} />
      {remarks.length > 0 && (
        <section aria-labelledby="remarks-title">
          <h2 id="remarks-title">Remarks {remarks.length}</h2>
          <RemarksBar remarks={remarks} done={renderTick ? done : null} onStep={step} />
          {notices.map((notice) => (
            <p key={notice} className={markedStyles.notice}>
              {notice}
            </p>
          ))}
          {marked.map((sheet) => (
            <MarkedSheet
              key={sheet.id}
              sheet={sheet}
              isLit={isLit}
              current={current}
              legend={formatLegend(sheet)}
            >
              {list(sheet.remarks)}
            </MarkedSheet>
          ))}
          {unpinned.length > 0 && (
            <section className={styles.placeless} aria-labelledby="placeless-title">
              <h3 id="placeless-title">Without a picture</h3>
              <p className={styles.caption}>
                Their pages are no longer shown here. They still apply.
              </p>
              {list(unpinned)}
            </section>
          )}
        </section>
      )}
    </div>
  );
}

/** Links to the sections of a review, at the lower edge of the window. */
function SectionLinks({
  summary,
  remarks,
  current,
}: {
  summary: Summary;
  remarks: number;
  /** The id of the section that is being read. */
  current: string;
}) {
  const sections = [
    { id: "remarks-title", label: "Remarks", count: remarks, isShown: remarks > 0 },
    { id: "feedback", label: "Feedback", isShown: summary.feedback !== undefined },
    { id: "scores", label: "Scores", isShown: Object.keys(summary.scores).length > 0 },
    { id: "your-questions", label: "Your questions", isShown: summary.answers.length > 0 },
  ].filter(({ isShown }) => isShown);
  if (sections.length < 2) return null;
  return (
    <nav className={openingStyles.links} aria-label="Parts of the review">
      {sections.map(({ id, label, count }) => (
        <a key={id} href={`#${id}`} aria-current={id === current || undefined}>
          {label} {count && <strong>{count}</strong>}
        </a>
      ))}
    </nav>
  );
}

/** Renders the filter, the number of remarks left, and the buttons that step between remarks. */
function RemarksBar({
  remarks,
  done,
  onStep,
}: {
  remarks: NumberedRemark[];
  /** The ids of remarks that are ticked off; null where ticking is not possible. */
  done: readonly string[] | null;
  onStep: (step: 1 | -1) => void;
}) {
  const counts = countBySeverity(remarks);
  const toDo = remarks.filter(isActionable);
  const left = toDo.filter(({ id }) => !done?.includes(id)).length;
  const kinds = (Object.keys(severities) as Severity[]).filter((one) => counts[one] > 0);
  return (
    <div className={markedStyles.bar}>
      <fieldset className={openingStyles.filter}>
        <legend className="sr-only">Which remarks to show</legend>
        <label>
          <input type="radio" name="severity" value="all" defaultChecked />
          <span>
            All <strong>{remarks.length}</strong>
          </span>
        </label>
        {kinds.map((severity) => (
          <label key={severity}>
            <input type="radio" id={`show-${severity}`} name="severity" value={severity} />
            <span>
              <SeverityCount severity={severity} count={counts[severity]} />
            </span>
          </label>
        ))}
      </fieldset>
      <div className={markedStyles.way}>
        {done && toDo.length > 0 && (
          <p role="status">{left > 0 ? `${left} of ${toDo.length} left to do` : "All done"}</p>
        )}
        <button
          type="button"
          className={`${buttonStyles.iconButton} needs-scripts`}
          {...useShortcutHint("previousRemark")}
          onClick={() => onStep(-1)}
        >
          <Icon name="arrow-left" />
        </button>
        <button
          type="button"
          className={`${buttonStyles.iconButton} needs-scripts`}
          {...useShortcutHint("nextRemark")}
          onClick={() => onStep(1)}
        >
          <Icon name="arrow-right" />
        </button>
        <KeyboardShortcuts
          screen="result"
          className={markedStyles.shortcutsButton}
          shortcuts={readingShortcuts}
          actions={{ nextRemark: () => onStep(1), previousRemark: () => onStep(-1) }}
        />
      </div>
    </div>
  );
}

/** Renders the sign of a severity, its short label and a number: "Keep: this is strong" becomes "Keep". */
export function SeverityCount({ severity, count }: { severity: Severity; count: number }) {
  return (
    <>
      <PinSign severity={severity} />
      {`${severities[severity].label.split(":")[0]} `}
      <strong>{count}</strong>
    </>
  );
}

/** The parts that can be read at the upper third of the window. */
const observed = `section:has(> h2), .${remarkItemStyles.remarkItem}, .${styles.markedSheet} .${plateStyles.pins} a`;

/**
 * Tracks the hovered remark, the section, and the current remark: the last one that had the focus or was scrolled to the
 * upper third of the window. Steps between remarks. The page itself knows which remarks are visible.
 *
 * @param sheets the number of sheets; some may be added later
 */
function useRemarkNavigation(sheets: number) {
  const root = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const [section, setSection] = useState("");
  const focusedAt = useRef(0);

  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target, time } of entries) {
          if (!isIntersecting) continue;
          const remark = findRemarkId(target);
          if (!remark) setSection(target.querySelector("h2")!.id);
          // An entry can be older than the focus that scrolled the page.
          else if (time > focusedAt.current && isMoving(target)) setCurrent(remark);
        }
      },
      { rootMargin: "-33% 0px -66%" },
    );
    for (const part of root.current!.querySelectorAll(observed)) observer.observe(part);
    return () => observer.disconnect();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- sheets that come later are observed too
  }, [sheets]);

  const step = (by: 1 | -1) => {
    const items = [
      ...root.current!.querySelectorAll<HTMLElement>(`.${remarkItemStyles.remarkItem}`),
    ];
    const visible = items.filter((item) => item.checkVisibility()).map(({ id }) => id);
    const from = items.find(({ dataset }) => dataset.remark === current)?.id ?? null;
    const to = findAdjacentRemark(visible, from, by);
    setHovered(null);
    if (to) focusRemarkOrPin(to);
  };
  const handlers = {
    // An element that moves under a resting pointer is not hovered.
    onMouseMove: ({ target }: SyntheticEvent) => setHovered(findRemarkId(target)),
    onMouseLeave: () => setHovered(null),
    onWheel: () => setHovered(null),
    /** When a button of the bar takes the focus, stepping continues from the current remark. */
    onFocus({ target, timeStamp }: SyntheticEvent) {
      const id = findRemarkId(target);
      if (!id) return;
      focusedAt.current = timeStamp;
      setCurrent(id);
    },
    onClick: moveToRemark,
  };
  const isLit = (id: string) => id === (hovered ?? current);
  return { root, isLit, current, section, step, handlers };
}

/** Follows a link between pin and remark: scrolls as little as possible, and moves the focus. */
export function moveToRemark(event: MouseEvent): void {
  const link = (event.target as Element).closest("a[href^='#remark-'], a[href^='#pin-']");
  if (!link) return;
  event.preventDefault();
  moveSign(link, link.getAttribute("href")!.slice(1));
}

function findRemarkId(target: EventTarget): string | null {
  const element = (target as Element).closest<HTMLElement>("[data-remark]");
  return element?.dataset.remark ?? null;
}

/** Focuses a remark or a pin. Where the browser can, the sign of the pressed link moves there. */
function moveSign(link: Element, id: string): void {
  const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const from = link.querySelector<SVGElement>(`.${pinSignStyles.pinSign}`);
  const to = document.getElementById(id)?.querySelector<SVGElement>(`.${pinSignStyles.pinSign}`);
  if (!("startViewTransition" in document) || isStill || !from || !to) {
    focusRemarkOrPin(id);
    return;
  }
  from.style.viewTransitionName = "pin-sign";
  const { finished } = document.startViewTransition(() => {
    from.style.viewTransitionName = "";
    to.style.viewTransitionName = "pin-sign";
    focusRemarkOrPin(id);
  });
  const reset = () => to.style.removeProperty("view-transition-name");
  finished.then(reset, reset);
}

/**
 * Focuses a remark or a pin and scrolls it into view. On wide screens the shorter of page and list is sticky,
 * so the longer one is scrolled.
 */
function focusRemarkOrPin(id: string): void {
  const element = document.getElementById(id);
  if (!element) return;
  // The filter may hide its severity.
  if (!element.checkVisibility())
    document.querySelector<HTMLInputElement>(`.${openingStyles.filter} [value=all]`)?.click();
  const item = document.getElementById(id.replace("pin-", "remark-"))!;
  item.querySelector("details")?.setAttribute("open", "");
  element.focus({ preventScroll: true });
  const pin = document.getElementById(id.replace("remark-", "pin-"));
  const moving = [element, item, pin].find((one) => one && isMoving(one));
  (moving ?? element).scrollIntoView();
  if (moving === pin && element === item) item.scrollIntoView({ block: "nearest" });
}

/** Checks whether scrolling moves a pin or a remark. On wide screens the shorter of page and list is sticky. */
function isMoving(element: Element): boolean {
  const sides = element.closest(`.${styles.sides}`);
  if (!sides || !window.matchMedia("(width >= 64rem)").matches) return true;
  const [paper, list] = [plateStyles.paper, markedStyles.remarks].map(
    (part) => sides.querySelector(`.${part}`)!.clientHeight,
  );
  return element.matches(`.${plateStyles.pins} a`) === list! < paper!;
}

/** Renders a page with its pins, and its remarks beside it, or below it on phones. */
function MarkedSheet({
  sheet,
  isLit,
  current,
  legend,
  children,
}: {
  sheet: Sheet;
  /** Checks whether a remark is hovered or current. */
  isLit: (id: string) => boolean;
  /** The current remark: a tall page shows the part around it. */
  current: string | null;
  legend: string;
  /** The list of its remarks. */
  children: ReactNode;
}) {
  const { id, title, caption, width, height, remarks } = sheet;
  const ratio = width > 0 ? height / width : undefined;
  const inSight = remarks.find((remark) => remark.id === current);
  return (
    <section className={styles.markedSheet} id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      {caption && <p className={styles.caption}>{caption}</p>}
      <div
        className={styles.sides}
        style={{ "--ratio": ratio, "--focused": inSight && (inSight.area?.y ?? 0) } as object}
      >
        <div className={styles.page}>
          <Plate sheet={sheet} isLit={isLit} hasTargets legend={legend}>
            <Bands sheet={sheet} />
          </Plate>
        </div>
        {children}
      </div>
    </section>
  );
}
