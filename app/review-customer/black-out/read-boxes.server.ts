import { normalizeArea } from "../../annotations/rules.ts";
import { Invalid } from "../../platform/errors.ts";
import type { PageBox } from "../../reviews/black-out.ts";
import {
  blackOutMessages as messages,
  getPageFieldName,
  isBoxEmpty,
  maxBoxes,
  readTypedBox,
  toWholePageBox,
} from "./boxes.ts";

/**
 * Reads the boxes from the fields of a form. A box whose size is empty was removed, and so was one without any number.
 *
 * @param pages the numbers of the file's pages
 * @throws {Invalid} for too many boxes, or one that is not on a page.
 */
export function readBoxes(values: Record<string, string>, pages: readonly number[]): PageBox[] {
  const whole = pages
    .filter((page) => values[getPageFieldName(page)] === "yes")
    .map((page) => toWholePageBox(page));
  const rows = Object.keys(values)
    .map((name) => /^page-(\d{1,5})$/.exec(name)?.[1])
    .filter((index) => index !== undefined)
    .map(Number)
    .filter((index) => !isBoxEmpty(values, index))
    .toSorted((one, other) => one - other);
  if (whole.length + rows.length > maxBoxes) throw new Invalid({ boxes: messages.tooMany });
  return [...whole, ...rows.map((index) => readBoxRow(values, index, pages))];
}

function readBoxRow(
  values: Record<string, string>,
  index: number,
  pages: readonly number[],
): PageBox {
  const invalid = () => new Invalid({ boxes: messages.invalid(index + 1) });
  const typed = readTypedBox(values, index);
  const area = normalizeArea(typed);
  if (!pages.includes(typed.page) || !area || area.width <= 0 || area.height <= 0) throw invalid();
  return { page: typed.page, ...area };
}
