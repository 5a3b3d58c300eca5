import { useEffect, useRef, useState } from "react";
import type { PageText } from "../../files/inspect/pdfium-page.server.ts";
import { Button } from "../../ui/form/button.tsx";
import { useEditor } from "./editor.tsx";
import { type Area, limits, type Target } from "./rules.ts";

/**
 * The words of a page, unseen over its picture, so that they can be selected as text; what is selected
 * becomes the quote of a new remark. They are read when the page comes near the window.
 *
 * @param ratio width by height of the page
 */
export function TextLayer({ target, ratio }: { target: Target; ratio: number }) {
  const { add, readText } = useEditor();
  const layer = useRef<HTMLDivElement>(null);
  const isNear = useNear(layer);
  const [text, setText] = useState<PageText | "missing" | null>(null);
  const picked = usePicked(layer, text === "missing" ? null : text);

  useEffect(() => {
    if (isNear) void readText(target).then((read) => setText(read ?? "missing"));
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it comes near
  }, [isNear]);

  return (
    <div className="text-layer" ref={layer}>
      {text === "missing" && <p>The words of this page cannot be read now.</p>}
      {text !== null && text !== "missing" && text.words.length === 0 && (
        <p>No text is found on this page.</p>
      )}
      {text !== null && text !== "missing" && <Words text={text} ratio={ratio} />}
      {picked && (
        <Button
          size="sm"
          className="text-picked"
          style={{
            left: `${Math.min(picked.area.x, 0.55) * 100}%`,
            top: `${Math.min(picked.area.y + picked.area.height, 0.96) * 100}%`,
          }}
          // A press would end the selection before it is read.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => {
            add(target, picked.area, picked.quote);
            getSelection()?.removeAllRanges();
          }}
        >
          Remark on these words
        </Button>
      )}
    </div>
  );
}

/** Each word is set as high as its box, and stretched to its width. */
function Words({ text: { text, words }, ratio }: { text: PageText; ratio: number }) {
  return words.map(([start, length, x, y, width, height]) => {
    const word = text.slice(start, start + length);
    const stretch = (width * ratio) / (height * ownWidth(word));
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

/** How wide a word is in the face of the layer, by its height. */
function ownWidth(word: string): number {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return word.length * 0.55;
  ruler.font = "100px sans-serif";
  return Math.max(0.1, ruler.measureText(word).width / 100);
}

function useNear(layer: { current: Element | null }): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && setIsNear(true),
      { rootMargin: "50%" },
    );
    observer.observe(layer.current!);
    return () => observer.disconnect();
  }, [layer]);
  return isNear;
}

type Picked = { quote: string; area: Area };

/** What of a page's words is selected; whole words, however little of them is. */
function usePicked(layer: { current: Element | null }, text: PageText | null): Picked | null {
  const [picked, setPicked] = useState<Picked | null>(null);
  useEffect(() => {
    if (!text) return undefined;
    const read = () => setPicked(pickedIn(layer.current!, text));
    document.addEventListener("selectionchange", read);
    return () => document.removeEventListener("selectionchange", read);
  }, [layer, text]);
  return picked;
}

function pickedIn(layer: Element, { text, words }: PageText): Picked | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(layer)) return null;
  const chosen = words.filter((_, index) => touches(range, layer.querySelectorAll("span")[index]));
  const [first, last] = [chosen[0], chosen.at(-1)];
  if (!first || !last) return null;
  const left = Math.min(...chosen.map(([, , x]) => x));
  const top = Math.min(...chosen.map(([, , , y]) => y));
  const right = Math.max(...chosen.map(([, , x, , width]) => x + width));
  const bottom = Math.max(...chosen.map(([, , , y, , height]) => y + height));
  return {
    quote: shortened(text.slice(first[0], last[0] + last[1]).replaceAll(/\s+/g, " ")),
    area: { x: left, y: top, width: right - left, height: bottom - top },
  };
}

/** Whether something of a word is selected: a range that only ends at its edge has nothing of it. */
function touches(range: Range, word: Element | undefined): boolean {
  const letters = word?.firstChild;
  if (!letters || !range.intersectsNode(letters)) return false;
  const length = letters.textContent!.length - 1;
  if (range.startContainer === letters && range.startOffset >= length) return false;
  return !(range.endContainer === letters && range.endOffset === 0);
}

function shortened(quote: string): string {
  if (quote.length <= limits.quote) return quote;
  return `${quote.slice(0, limits.quote - 1).replace(/\s\S*$/, "")}…`;
}
