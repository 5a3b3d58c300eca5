import { type MouseEvent, type ReactNode, type SyntheticEvent, useRef, useState } from "react";
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

/**
 * Renders a review for its customer: the first page beside the first things to do, the summary, then all pages with
 * pins and remarks. Without scripts, pins and remarks link to each other, and severities can be filtered. With scripts, a
 * pin and its remark light up together, and keys step between remarks.
 *
 * @param isComing whether pages are still being prepared
 * @param signature the reviewer and the date, at the foot of each page
 * @param aside the part beside the feedback
 * @param done the ids of remarks that are ticked off
 * @param renderTick renders the control that ticks off a remark; without it the number left is not shown
 * @param notices why pages are not shown, in full sentences
 */
export function MarkedResult({
  summary,
  marked: { sheets, placeless, remarks },
  done,
  renderTick,
  notices = [],
  isComing = false,
  signature,
  aside,
}: {
  summary: Summary;
  marked: Marked;
  done: readonly string[];
  renderTick?: (remark: NumberedRemark, isDone: boolean) => ReactNode;
  notices?: readonly string[];
  isComing?: boolean;
  signature?: string | null;
  aside?: ReactNode;
}) {
  const { root, isLit, focused, step, handlers } = useRemarkNavigation();
  const list = (listed: NumberedRemark[]) => (
    <ol className="marked-remarks">
      {listed.map((remark) => (
        <RemarkItem
          key={remark.id}
          remark={remark}
          isLit={isLit(remark.id)}
          isDone={done.includes(remark.id)}
          tick={renderTick?.(remark, done.includes(remark.id))}
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
    <div className="marked-result" ref={root} {...handlers}>
      <Opening
        sheet={first}
        isComing={isComing}
        firstThings={selectFirstThings(remarks)}
        isLit={isLit}
        legend={first ? formatLegend(first) : ""}
      />
      <SectionLinks summary={summary} remarks={remarks.length} />
      <ReviewSummary summary={summary} aside={aside} />
      {remarks.length > 0 && (
        <section aria-labelledby="remarks-title">
          <h2 id="remarks-title">Remarks on the pages</h2>
          <RemarksBar remarks={remarks} done={renderTick ? done : null} onStep={step} />
          {notices.map((notice) => (
            <p key={notice} className="marked-notice">
              {notice}
            </p>
          ))}
          {marked.map((sheet) => (
            <MarkedSheet
              key={sheet.id}
              sheet={sheet}
              isLit={isLit}
              focused={focused}
              legend={formatLegend(sheet)}
            >
              {list(sheet.remarks)}
            </MarkedSheet>
          ))}
          {placeless.length > 0 && (
            <section className="placeless" aria-labelledby="placeless-title">
              <h3 id="placeless-title">Without a picture</h3>
              <p className="marked-sheet-caption">
                What these are about is not shown here. What they say still holds.
              </p>
              {list(placeless)}
            </section>
          )}
        </section>
      )}
    </div>
  );
}

/** Links to the sections of a review. The bar stays at the top until the remarks bar covers it. */
function SectionLinks({ summary, remarks }: { summary: Summary; remarks: number }) {
  const sections = [
    { id: "remarks-title", label: `Pages ${remarks}`, isShown: remarks > 0 },
    { id: "feedback", label: "Feedback", isShown: summary.feedback !== undefined },
    { id: "scores", label: "Scores", isShown: Object.keys(summary.scores).length > 0 },
    { id: "your-questions", label: "Your questions", isShown: summary.answers.length > 0 },
  ].filter(({ isShown }) => isShown);
  if (sections.length < 2) return null;
  return (
    <nav className="section-links" aria-label="Parts of the review">
      {sections.map(({ id, label }) => (
        <a key={id} href={`#${id}`}>
          {label}
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
  const given = (Object.keys(severities) as Severity[]).filter((one) => counts[one] > 0);
  return (
    <div className="remarks-bar">
      <fieldset className="shown-severities">
        <legend className="sr-only">Which remarks to show</legend>
        <label>
          <input type="radio" name="severity" value="all" defaultChecked />
          <span>All {remarks.length}</span>
        </label>
        {given.map((severity) => (
          <label key={severity}>
            <input type="radio" name="severity" value={severity} />
            <span>
              <PinSign severity={severity} />
              {getSeverityShortLabel(severity)} {counts[severity]}
            </span>
          </label>
        ))}
      </fieldset>
      <div className="remarks-way">
        {done && toDo.length > 0 && (
          <p role="status">{left > 0 ? `${left} of ${toDo.length} left to do` : "All done"}</p>
        )}
        <button
          type="button"
          className="icon-button needs-scripts"
          {...useShortcutHint("previousRemark")}
          onClick={() => onStep(-1)}
        >
          <Icon name="arrow-left" />
        </button>
        <button
          type="button"
          className="icon-button needs-scripts"
          {...useShortcutHint("nextRemark")}
          onClick={() => onStep(1)}
        >
          <Icon name="arrow-right" />
        </button>
        <KeyboardShortcuts
          screen="result"
          shortcuts={readingShortcuts}
          actions={{ nextRemark: () => onStep(1), previousRemark: () => onStep(-1) }}
        />
      </div>
    </div>
  );
}

/** Returns a severity's short label: "Keep: this is strong" → "Keep". */
function getSeverityShortLabel(severity: Severity): string {
  return severities[severity].label.split(":")[0]!;
}

/**
 * Tracks the hovered and focused remark, and steps between remarks. The page itself knows which remarks are
 * visible.
 */
function useRemarkNavigation() {
  const root = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);

  const step = (by: 1 | -1) => {
    const items = [...root.current!.querySelectorAll<HTMLElement>(".marked-remark")];
    const visible = items.filter((item) => item.checkVisibility()).map(({ id }) => id);
    const from = items.find(({ dataset }) => dataset.remark === focused)?.id ?? null;
    const to = findAdjacentRemark(visible, from, by);
    setHovered(null);
    if (to) focusRemarkOrPin(to);
  };
  const handlers = {
    // An element that moves under a resting pointer is not hovered.
    onMouseMove: ({ target }: SyntheticEvent) => setHovered(findRemarkId(target)),
    onMouseLeave: () => setHovered(null),
    /** When a button of the bar takes the focus, stepping continues from the last focused remark. */
    onFocus({ target }: SyntheticEvent) {
      const id = findRemarkId(target);
      if (id) setFocused(id);
    },
    /** A link between pin and remark scrolls as little as possible, and moves the focus. */
    onClick(event: MouseEvent) {
      const link = (event.target as Element).closest("a[href^='#remark-'], a[href^='#pin-']");
      if (!link) return;
      event.preventDefault();
      moveSign(link, link.getAttribute("href")!.slice(1));
    },
  };
  const isLit = (id: string) => id === hovered || id === focused;
  return { root, isLit, focused, step, handlers };
}

function findRemarkId(target: EventTarget): string | null {
  const element = (target as Element).closest<HTMLElement>("[data-remark]");
  return element?.dataset.remark ?? null;
}

/** Focuses a remark or a pin. Where the browser can, the sign of the pressed link moves there. */
function moveSign(link: Element, id: string): void {
  const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const from = link.querySelector<SVGElement>(".pin-sign");
  const to = document.getElementById(id)?.querySelector<SVGElement>(".pin-sign");
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
    document.querySelector<HTMLInputElement>(".shown-severities [value=all]")?.click();
  element.focus({ preventScroll: true });
  const isBeside = window.matchMedia("(width >= 64rem)").matches;
  const pin = document.getElementById(id.replace("remark-", "pin-"));
  const list = element.closest(".marked-remarks");
  const paper = pin?.closest(".sheet-paper");
  const isListShorter = list && paper && list.clientHeight < paper.clientHeight;
  if (isBeside && pin && isListShorter) pin.scrollIntoView({ block: "center" });
  const within = isListShorter ? "nearest" : "center";
  element.scrollIntoView({ block: isBeside ? within : "start" });
}

/** Renders a page with its pins, and its remarks beside it, or below it on phones. */
function MarkedSheet({
  sheet,
  isLit,
  focused,
  legend,
  children,
}: {
  sheet: Sheet;
  /** Checks whether a remark is hovered or focused. */
  isLit: (id: string) => boolean;
  /** The focused remark: a tall page shows the part around it. */
  focused: string | null;
  legend: string;
  /** The list of its remarks. */
  children: ReactNode;
}) {
  const { id, title, caption, width, height, remarks } = sheet;
  const ratio = width > 0 ? height / width : undefined;
  const inSight = remarks.find((remark) => remark.id === focused)?.area?.y;
  return (
    <section className="marked-sheet" id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      {caption && <p className="marked-sheet-caption">{caption}</p>}
      <div
        className="marked-sheet-sides"
        style={{ "--ratio": ratio, "--focused": inSight } as object}
      >
        <div className="marked-sheet-page">
          <Plate sheet={sheet} isLit={isLit} hasTargets legend={legend}>
            <Bands sheet={sheet} />
          </Plate>
        </div>
        {children}
      </div>
    </section>
  );
}
