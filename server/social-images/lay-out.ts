import type { SocialCard } from "../../app/ui/meta.ts";
import { chart } from "./chart.ts";

type Style = Record<string, string | number>;
type Node = { type: string; props: Record<string, unknown> };

const display = "Chart Display, Chart Devanagari, Chart Extended";
const text = "Chart Text, Chart Devanagari, Chart Extended";

/** The plate's place beside the text, in pixels. */
const plateBox = { width: 486, height: 330, top: 128, right: 52 };
/** The share of a card's width that text has beside the plate. */
const textShare = 0.52;

/**
 * Lays out a card: eyebrow, headline, facts, and a footer with the name and the coordinates.
 *
 * @param plate the data URL of the picture for a card with a plate
 */
export function buildCardLayout(
  card: SocialCard,
  productName: string,
  plate: string | null = null,
): Node {
  return buildBox(
    {
      width: "100%",
      height: "100%",
      boxSizing: "border-box",
      padding: "84px 72px 52px",
      flexDirection: "column",
      justifyContent: "space-between",
    },
    ...(plate ? [buildPlate(plate)] : []),
    buildBox(
      { flexDirection: "column", width: plate ? `${textShare * 100}%` : "100%" },
      buildEyebrow(removeUndrawable(card.eyebrow)),
      buildHeadline(removeUndrawable(card.headline) || "Design job", plate ? textShare : 1),
      buildFactLines(card.facts.map(removeUndrawable).filter(Boolean)),
    ),
    buildFooter(productName, card.coordinates),
  );
}

function buildPlate(src: string): Node {
  const { width, height, top, right } = plateBox;
  const style = {
    position: "absolute",
    top,
    right,
    width,
    height,
    border: `2px solid ${chart.ink}`,
    backgroundColor: chart.sheet,
  };
  return { type: "img", props: { src, width, height, style } };
}

function buildEyebrow(words: string): Node {
  return buildBox(
    { alignItems: "center", fontFamily: text, fontSize: 32, lineHeight: 1.3, color: chart.inkSoft },
    buildBox({
      width: 44,
      height: 6,
      marginRight: 20,
      backgroundColor: chart.accent,
      flexShrink: 0,
    }),
    buildLine(words, 1),
  );
}

/** Headlines shrink with their length and are truncated after three lines. */
function buildHeadline(words: string, share: number): Node {
  const fontSize = getHeadlineSize(words, share);
  return buildBox(
    { marginTop: 26, fontFamily: display, fontSize, lineHeight: 1.14, color: chart.ink },
    buildLine(words, 3),
  );
}

function getHeadlineSize(words: string, share: number): number {
  const maxWordLength = Math.max(...words.split(/\s+/).map(({ length }) => length));
  const fitting = [
    { size: 104, maxArea: 2900 },
    { size: 88, maxArea: 4000 },
    { size: 76, maxArea: 4100 },
    { size: 64, maxArea: 4100 },
    { size: 54, maxArea: 4100 },
  ].find(
    ({ size, maxArea }) =>
      words.length * size < maxArea * share && maxWordLength * size < 1550 * share,
  );
  return fitting?.size ?? 46;
}

function buildFactLines(words: string[]): Node {
  return buildBox(
    {
      flexWrap: "wrap",
      alignItems: "center",
      marginTop: 30,
      fontFamily: text,
      fontSize: 30,
      lineHeight: 1.3,
      color: chart.ink,
    },
    ...words.map((fact) =>
      buildBox(
        {
          maxWidth: "100%",
          margin: "0 14px 14px 0",
          height: 58,
          alignItems: "center",
          padding: "0 20px 2px",
          border: `2px solid ${chart.ink}`,
          borderRadius: 3,
          backgroundColor: chart.sheet,
        },
        buildLine(fact, 1),
      ),
    ),
  );
}

function buildFooter(name: string, place: SocialCard["coordinates"]): Node {
  return buildBox(
    { alignItems: "flex-end", justifyContent: "space-between", color: chart.ink },
    buildBox(
      { alignItems: "center", fontFamily: display, fontSize: 42 },
      mark,
      buildLine(removeUndrawable(name), 1),
    ),
    buildBox(
      { flexDirection: "column", fontFamily: text, fontSize: 24, color: chart.inkSoft },
      ...(place ?? []).map((words) => buildLine(words, 1)),
    ),
  );
}

/** The logo mark. */
const mark: Node = {
  type: "svg",
  props: {
    viewBox: "0 0 32 32",
    width: 54,
    height: 54,
    style: { marginRight: 16 },
    children: [
      {
        type: "path",
        props: { d: "M16 3 30 28H2z", fill: "none", stroke: chart.ink, "stroke-width": 3.5 },
      },
      { type: "circle", props: { cx: 16, cy: 20, r: 3.75, fill: chart.accent } },
    ],
  },
};

function buildLine(words: string, lineClamp: number): Node {
  const style = { display: "block", lineClamp, wordBreak: "break-word", minWidth: 0 };
  return { type: "div", props: { style, children: words } };
}

function buildBox(style: Style, ...children: Node[]): Node {
  return { type: "div", props: { style: { display: "flex", ...style }, children } };
}

/**
 * The characters in the images' fonts: Latin, Devanagari, digits and common symbols. The two joiners are separate
 * alternatives, because in a character class they would combine with other characters.
 */
const drawable =
  /[\u0900-\u097f\u0020-\u007e\u00a0-\u017f\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2212\u2032\u2033\u2039\u203a\u20b9]|\u200c|\u200d/u;

/** Removes characters that would be drawn as boxes, such as emoji and other scripts. */
export function removeUndrawable(text: string): string {
  const letters = Array.from(text.normalize("NFC"), (letter) =>
    drawable.test(letter) ? letter : " ",
  );
  return letters.join("").replace(/\s+/g, " ").trim();
}
