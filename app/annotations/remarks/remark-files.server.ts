import { formatCsv } from "../../platform/csv.server.ts";
import { criteria, partNames } from "../../reviews/rubric.ts";
import type { NumberedRemark } from "../marked.ts";
import { severities } from "../severities.ts";
import type { Area, Target } from "../rules.ts";

/** The addresses of a review's files and screenshots, which remarks are about. */
type Sources = {
  resume: string | null;
  portfolio: string | null;
  images: { id: string; href: string | null }[];
};

/** Formats remarks as a file for spreadsheets, one in each row. */
export function formatRemarksCsv(remarks: readonly NumberedRemark[], { images }: Sources): string {
  return formatCsv([
    ["Number", "Importance", "Criterion", "Place", "Remark", "Quote", "Suggestion"],
    ...remarks.map(({ number, severity, criterion, target, text, quote, suggestion }) => [
      String(number),
      severities[severity].label,
      criterion && criteria[criterion].label,
      target && formatTarget(target, images),
      text,
      quote,
      suggestion,
    ]),
  ]);
}

function formatTarget(target: Target, images: Sources["images"]): string {
  if (target.kind === "page") return `${partNames[target.part]}, page ${target.page}`;
  return `Screenshot ${images.findIndex(({ id }) => id === target.imageId) + 1}`;
}

/**
 * Formats remarks as annotations in JSON.
 *
 * @see https://www.w3.org/TR/annotation-model/
 */
export function formatRemarksJson(remarks: readonly NumberedRemark[], sources: Sources): string {
  const page = {
    "@context": "http://www.w3.org/ns/anno.jsonld",
    type: "AnnotationPage",
    items: remarks.map((remark) => toAnnotation(remark, sources)),
  };
  return `${JSON.stringify(page, null, 2)}\n`;
}

function toAnnotation(
  { id, severity, criterion, text, suggestion, quote, target, area }: NumberedRemark,
  sources: Sources,
) {
  const body = (purpose: string, value: string) => ({
    type: "TextualBody",
    value,
    format: "text/plain",
    purpose,
  });
  return {
    id: `urn:uuid:${id}`,
    type: "Annotation",
    motivation: "assessing",
    body: [
      body("assessing", text),
      ...(suggestion ? [body("editing", suggestion)] : []),
      body("tagging", severities[severity].label),
      ...(criterion ? [body("tagging", criteria[criterion].label)] : []),
    ],
    target: target
      ? { source: findSource(target, sources), selector: listSelectors(target, area, quote) }
      : { source: null },
  };
}

function findSource(target: Target, { images, ...files }: Sources): string | null {
  if (target.kind === "page") return files[target.part];
  return images.find(({ id }) => id === target.imageId)?.href ?? null;
}

/** A page, within it an area, and the quoted words. */
function listSelectors(target: Target, area: Area | null, quote: string | null) {
  const region = area && {
    type: "FragmentSelector",
    conformsTo: "http://www.w3.org/TR/media-frags/",
    value: `xywh=percent:${[area.x, area.y, area.width, area.height].map(toHundredths).join(",")}`,
  };
  const page = target.kind === "page" && {
    type: "FragmentSelector",
    conformsTo: "http://tools.ietf.org/rfc/rfc3778",
    value: `page=${target.page}`,
    ...(region && { refinedBy: region }),
  };
  return [page || region, quote !== null && { type: "TextQuoteSelector", exact: quote }].filter(
    Boolean,
  );
}

function toHundredths(fraction: number): number {
  return Math.round(fraction * 10_000) / 100;
}
