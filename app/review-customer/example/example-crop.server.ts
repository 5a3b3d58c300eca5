import { severities } from "../../annotations/severities.ts";
import { criteria } from "../../reviews/rubric.ts";
import { buildExampleReview } from "./example-review.server.ts";
import narrow from "./pictures/crop-narrow.avif?no-inline";
import wide from "./pictures/crop-wide.avif?no-inline";
import wideWithoutAvif from "./pictures/crop-wide.webp?no-inline";
import measured from "./areas.json" with { type: "json" };
import { changedId, chosenId } from "./remarks.ts";

export type ExampleCrop = ReturnType<typeof buildExampleCrop>;

/** Builds the crop of the example: half a page with its pins as a picture, and one of its remarks as text. */
export function buildExampleCrop() {
  const { marked, signature } = buildExampleReview();
  const { number, severity, criterion, text, quote, suggestion } = findExampleRemark(chosenId);
  const { crop } = measured;
  return {
    src: wideWithoutAvif,
    wide: { srcSet: wide, ...crop.wide },
    narrow: { srcSet: narrow, ...crop.narrow },
    alt: `Half a page of a resume, with ${crop.numbers.length} remarks pinned to it`,
    legend: `Sheet 1 of ${marked.sheets.length} · ${signature}`,
    remark: {
      number,
      label: severities[severity].label,
      about: criteria[criterion!].label,
      text,
      quote,
      suggestion,
    },
  };
}

/** Builds a short remark of the example with its text before and after. */
export function buildExampleChange() {
  const { number, severity, quote, suggestion } = findExampleRemark(changedId);
  return { number, label: severities[severity].label, quote, suggestion };
}

function findExampleRemark(remarkId: string) {
  return buildExampleReview().marked.remarks.find(({ id }) => id === remarkId)!;
}
