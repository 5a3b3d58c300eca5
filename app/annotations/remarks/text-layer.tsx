import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import type { PageText, WordBox } from "../../files/inspect/page-text.ts";
import { Button } from "../../ui/form/button.tsx";
import { wordShortcuts } from "../shortcuts/editor-shortcuts.ts";
import { findShortcut, type KeyPress } from "../shortcuts/shortcuts.ts";
import { isDrawn, type PointerPlace } from "./area-moves.ts";
import { useEditor } from "./editor.tsx";
import { type Area, limits, type Target } from "../rules.ts";
import * as styles from "./sheet.module.css";

/**
 * Renders the words of a page invisibly over its picture, so that they can be selected. A selection becomes the quote
 * of a new remark. "Select text" mode also takes keys, and asks before it adds the remark. The words are loaded when
 * the page is near the viewport.
 *
 * @param label the page's name
 * @param ratio the page's width divided by its height
 * @param onPoint receives a press on a word
 */
export function TextLayer({
  target,
  label,
  ratio,
  onPoint,
}: {
  target: Target;
  label: string;
  ratio: number;
  onPoint(place: PointerPlace): void;
}) {
  const { add, mode, readText, say } = useEditor();
  const layer = useRef<HTMLDivElement>(null);
  const isNear = useNearViewport(layer);
  const [text, setText] = useState<PageText | "missing" | null>(null);
  const selected = useSelectedText(layer, text === "missing" ? null : text);

  useEffect(() => {
    if (isNear) void readText(target).then((read) => setText(read ?? "missing"));
    // oxlint-disable-next-line react/exhaustive-deps -- runs once, when the page comes near
  }, [isNear]);

  function quote({ area, quote: words }: SelectedText) {
    add(target, area, words);
    getSelection()?.removeAllRanges();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!text || text === "missing" || event.target !== event.currentTarget) return;
    // Read from the page, since a key event can arrive before the previous key's selection event.
    const selected = findSelectedText(layer.current!, text);
    const action = findShortcut(wordShortcuts, omitCtrl(event));
    if (!action) return;
    if (action === "quoteWords" && selected) quote(selected);
    else if (action === "clearWords" && selected) getSelection()!.removeAllRanges();
    else if (!selectByKey(event, layer.current!, text)) return;
    else say(findSelectedText(layer.current!, text)!.quote);
    event.preventDefault();
    event.stopPropagation();
  }

  const isTool = mode === "text";
  const pressing = usePressedWords(layer, text === "missing" ? null : text, {
    onPoint,
    onQuote: quote,
  });
  const hasWords = isTool && text !== null && text !== "missing" && text.words.length > 0;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it takes keys as a text field does
    <div
      className={styles.textLayer}
      ref={layer}
      data-tool={isTool || undefined}
      {...(isTool ? { onKeyDown } : pressing.handlers)}
      {...(hasWords && {
        role: "application",
        tabIndex: 0,
        "aria-label": `Words of ${label}`,
        "aria-description":
          "Arrow keys go from word to word, with Shift they select more, Enter quotes what is selected in a remark.",
      })}
    >
      {isTool && text === "missing" && <p>The words of this page cannot be read now.</p>}
      {isTool && text !== null && text !== "missing" && text.words.length === 0 && (
        <p>No text is found on this page.</p>
      )}
      {text !== null && text !== "missing" && <Words text={text} ratio={ratio} />}
      {selected && !pressing.isPressed && (
        <Button
          size="sm"
          className={styles.textPicked}
          style={{
            left: `${Math.min(selected.area.x, 0.55) * 100}%`,
            top: `${Math.min(selected.area.y + selected.area.height, 0.96) * 100}%`,
          }}
          // A press would clear the selection before it is read.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => quote(selected)}
        >
          Remark on these words
        </Button>
      )}
    </div>
  );
}

/** Ignores Ctrl, which moves by word in texts: here all keys do. */
function omitCtrl(event: KeyboardEvent): KeyPress {
  const { key, shiftKey, metaKey, altKey } = event;
  const getModifierState = event.getModifierState.bind(event);
  return { key, shiftKey, ctrlKey: false, metaKey, altKey, getModifierState };
}

/** Renders each word with the height of its box, stretched to its width. */
function Words({ text: { text, words }, ratio }: { text: PageText; ratio: number }) {
  return words.map(([start, length, x, y, width, height]) => {
    const word = text.slice(start, start + length);
    const stretch = (width * ratio) / (height * measureWord(word));
    return (
      <span
        key={start}
        data-start={start}
        style={{
          left: `${x * 100}%`,
          top: `${y * 100}%`,
          fontSize: `${height * 100}cqh`,
          scale: `${stretch} 1`,
        }}
      >
        {`${word} `}
      </span>
    );
  });
}

let ruler: CanvasRenderingContext2D | null = null;

/** Measures the width of a word in the layer's font, relative to its height. */
function measureWord(word: string): number {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return word.length * 0.55;
  ruler.font = "100px sans-serif";
  return Math.max(0.1, ruler.measureText(word).width / 100);
}

function useNearViewport(layer: { current: Element | null }): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsNear(true),
      { rootMargin: "50%" },
    );
    observer.observe(layer.current!);
    return () => observer.disconnect();
  }, [layer]);
  return isNear;
}

/**
 * Selects the word that a key leads to. Shift extends the selection.
 *
 * @returns false for a key without an action
 */
function selectByKey({ key, shiftKey }: KeyboardEvent, layer: Element, { words }: PageText) {
  const spans = [...layer.querySelectorAll("span")];
  const { anchorNode, focusNode, isCollapsed } = getSelection()!;
  const indexOf = (node: Node | null) => {
    const index = isCollapsed ? -1 : spans.findIndex((span) => span.contains(node));
    return index < 0 ? null : index;
  };
  const to = findWordByKey(words, indexOf(focusNode), key);
  if (to === null) return false;
  const from = (shiftKey ? indexOf(anchorNode) : null) ?? to;
  selectWords(spans, from, to);
  spans[to]!.scrollIntoView({ block: "nearest" });
  return true;
}

/** Selects the words from one to another, in either direction. */
function selectWords(spans: readonly Element[], from: number, to: number): void {
  const letters = (index: number) => spans[index]!.firstChild!;
  // The space after the word is not selected.
  const end = (index: number) => letters(index).textContent!.length - 1;
  const [anchorAt, focusAt] = from <= to ? [0, end(to)] : [end(from), 0];
  getSelection()!.setBaseAndExtent(letters(from), anchorAt, letters(to), focusAt);
}

type PressedWord = PointerPlace & { word: number };

/**
 * Handles a mouse or a pen on the words of a page in "Add" mode: a drag or a double click quotes words, and a press
 * sets a point. Browsers would select by the nearest element, which can be on another page.
 */
function usePressedWords(
  layer: { current: HTMLElement | null },
  text: PageText | null,
  {
    onPoint,
    onQuote,
  }: { onPoint(place: PointerPlace): void; onQuote(selected: SelectedText): void },
) {
  const [start, setStart] = useState<PressedWord | null>(null);

  function findWord({ clientX, clientY }: PointerPlace) {
    const { left, top, width, height } = layer.current!.getBoundingClientRect();
    return findWordAt(text!.words, [(clientX - left) / width, (clientY - top) / height]);
  }

  function select(from: number, to: number): SelectedText | null {
    selectWords([...layer.current!.querySelectorAll("span")], from, to);
    return findSelectedText(layer.current!, text!);
  }

  const handlers = {
    onPointerDown(event: PointerEvent) {
      const nearest =
        text && event.button === 0 && event.pointerType !== "touch" && findWord(event);
      if (!nearest || !nearest.isInside) return;
      // Otherwise the page would draw a box.
      event.stopPropagation();
      layer.current!.setPointerCapture(event.pointerId);
      setStart({ clientX: event.clientX, clientY: event.clientY, word: nearest.word });
    },
    onMouseDown(event: MouseEvent) {
      if (start) event.preventDefault();
    },
    onPointerMove(event: PointerEvent) {
      if (start && isDrawn(start, event)) select(start.word, findWord(event)!.word);
    },
    onPointerUp(event: PointerEvent) {
      if (!start) return;
      setStart(null);
      if (!isDrawn(start, event)) return onPoint(event);
      const words = select(start.word, findWord(event)!.word);
      if (words) onQuote(words);
    },
    onPointerCancel: () => setStart(null),
    onDoubleClick(event: MouseEvent) {
      const nearest = text && findWord(event);
      const words = nearest && nearest.isInside && select(nearest.word, nearest.word);
      if (words) onQuote(words);
    },
  };
  return { isPressed: start !== null, handlers };
}

type SelectedText = { quote: string; area: Area };

/** Returns the selected words of a page; partly selected words count. */
function useSelectedText(layer: { current: Element | null }, text: PageText | null) {
  const [selected, setSelected] = useState<SelectedText | null>(null);
  useEffect(() => {
    if (!text) return undefined;
    const read = () => setSelected(findSelectedText(layer.current!, text));
    document.addEventListener("selectionchange", read);
    return () => document.removeEventListener("selectionchange", read);
  }, [layer, text]);
  return selected;
}

function findSelectedText(layer: Element, { text, words }: PageText): SelectedText | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(layer)) return null;
  const chosen = words.filter((_, index) =>
    isWordSelected(range, layer.querySelectorAll("span")[index]),
  );
  const [first, last] = [chosen[0], chosen.at(-1)];
  if (!first || !last) return null;
  const left = Math.min(...chosen.map(([, , x]) => x));
  const top = Math.min(...chosen.map(([, , , y]) => y));
  const right = Math.max(...chosen.map(([, , x, , width]) => x + width));
  const bottom = Math.max(...chosen.map(([, , , y, , height]) => y + height));
  return {
    quote: truncateQuote(text.slice(first[0], last[0] + last[1]).replaceAll(/\s+/g, " ")),
    area: { x: left, y: top, width: right - left, height: bottom - top },
  };
}

/** Checks whether part of a word is selected. A range that ends at its edge does not count. */
function isWordSelected(range: Range, word: Element | undefined): boolean {
  const letters = word?.firstChild;
  if (!letters || !range.intersectsNode(letters)) return false;
  const length = letters.textContent!.length - 1;
  if (range.startContainer === letters && range.startOffset >= length) return false;
  return !(range.endContainer === letters && range.endOffset === 0);
}

function truncateQuote(quote: string): string {
  if (quote.length <= limits.quote) return quote;
  // Cuts after the last complete word; without one, never inside a surrogate pair.
  const beginning = quote.slice(0, limits.quote - 1).replace(/\s\S*$|[\ud800-\udbff]$/, "");
  return `${beginning}…`;
}

/**
 * Finds the word that a key leads to.
 *
 * @param words the words of a page, in reading order
 * @param from the index of the current word; with null, all keys except End lead to the first
 * @returns its index, unchanged at the end; null for a key without an action
 */
export function findWordByKey(
  words: readonly WordBox[],
  from: number | null,
  key: string,
): number | null {
  const last = words.length - 1;
  const start = from ?? 0;
  const targets: Record<string, () => number> = {
    ArrowRight: () => Math.min(start + 1, last),
    ArrowLeft: () => Math.max(start - 1, 0),
    ArrowDown: () => findNearestWord(words, start, 1),
    ArrowUp: () => findNearestWord(words, start, -1),
    Home: () => 0,
    End: () => last,
  };
  const go = Object.hasOwn(targets, key) ? targets[key] : undefined;
  if (!go) return null;
  return from === null && go !== targets.End ? 0 : go();
}

/** The weight of vertical distance: another line is farther than the end of this one. */
const acrossLines = 5;

/**
 * Finds the word nearest to a point.
 *
 * @param point shares of the page's width and height
 * @returns its index, and whether the point is in its box; null for a page without words
 */
export function findWordAt(
  words: readonly WordBox[],
  [x, y]: readonly [x: number, y: number],
): { word: number; isInside: boolean } | null {
  let nearest = null;
  let minDistance = Infinity;
  for (const [word, [, , left, top, width, height]] of words.entries()) {
    const across = Math.max(left - x, x - left - width, 0);
    const down = Math.max(top - y, y - top - height, 0);
    const distance = across + acrossLines * down;
    if (distance >= minDistance) continue;
    nearest = { word, isInside: distance === 0 };
    minDistance = distance;
  }
  return nearest;
}

/** The weight of horizontal distance: leaving the column counts more than skipping a line. */
const sideways = 3;

/** Finds the word below (1) or above (-1) another one. */
function findNearestWord(words: readonly WordBox[], from: number, direction: 1 | -1): number {
  const own = words[from]!;
  const [, , left, , width, height] = own;
  let nearest = from;
  let minDistance = Infinity;
  for (const [index, word] of words.entries()) {
    const down = (getMiddleY(word) - getMiddleY(own)) * direction;
    if (down <= height / 2) continue;
    const gap = Math.max(0, word[2] - left - width, left - word[2] - word[4]);
    const distance = down + sideways * gap;
    if (distance >= minDistance) continue;
    [nearest, minDistance] = [index, distance];
  }
  return nearest;
}

function getMiddleY([, , , top, , height]: WordBox): number {
  return top + height / 2;
}
