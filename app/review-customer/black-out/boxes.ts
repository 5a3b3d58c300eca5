/** The boxes of the black-out form: their fields, limits and messages; for the browser and the server. */
import type { Area } from "../../annotations/rules.ts";
import type { PageBox } from "../../reviews/black-out.ts";

/** The limit of boxes in one file. */
export const maxBoxes = 200;

/** The fields of a box, in the order of the form. All but the page are in percent of the page's sides. */
export const boxFields = ["page", "left", "top", "width", "height"] as const;
export type BoxField = (typeof boxFields)[number];

const sides = { left: "x", top: "y", width: "width", height: "height" } as const;

/** Returns the name of a field: "left-0" is of the first box. */
export function getBoxFieldName(field: BoxField, index: number): string {
  return `${field}-${index}`;
}

/** Returns the name of the field that blacks out a whole page. */
export function getPageFieldName(page: number): string {
  return `whole-${page}`;
}

/** Formats a number of a box for its field: 0.12345 becomes "12.345". */
export function formatBoxField(box: PageBox, field: BoxField): string {
  if (field === "page") return String(box.page);
  return String(Math.round(box[sides[field]] * 100_000) / 1000);
}

/** Returns a box with a number from its field. Text that isn't a number becomes NaN. */
export function withBoxField<Box extends Area & { page: number }>(
  box: Box,
  field: BoxField,
  typed: string,
): Box {
  const value = typed.trim() === "" ? Number.NaN : Number(typed);
  return field === "page" ? { ...box, page: value } : { ...box, [sides[field]]: value / 100 };
}

/** Returns the box of a whole page. */
export function toWholePageBox(page: number): PageBox {
  return { page, x: 0, y: 0, width: 1, height: 1 };
}

export const blackOutMessages = {
  none: "Draw at least one box first.",
  tooMany: `You can black out up to ${maxBoxes} boxes. Black out the whole page instead.`,
  /** @param number of the box in the form */
  invalid: (number: number) =>
    `Box ${number} isn't on a page of your file. Check its five numbers.`,
  changed:
    "The file or its boxes changed in another tab or window. Reload this page and check them again.",
  notReady: "You can black out parts once we can show every page of this file.",
  failed: "We couldn't make your copy. Please try again.",
  tooLarge: "The copy is larger than the files that we accept. Try it with a file of fewer pages.",
  noFile: "This file was removed in another tab or window.",
} as const;

/**
 * Lists the boxes of a refused form, in the order of its fields, up to the last that isn't empty. Text that isn't a
 * number becomes NaN.
 */
export function listTypedBoxes(values: Record<string, string>): PageBox[] {
  const boxes: PageBox[] = [];
  let count = 0;
  for (let index = 0; getBoxFieldName("page", index) in values; index++) {
    boxes.push(readTypedBox(values, index));
    if (!isBoxEmpty(values, index)) count = boxes.length;
  }
  return boxes.slice(0, count);
}

/** Checks whether the fields of a box have no size, which removes it. */
export function isBoxEmpty(values: Record<string, string>, index: number): boolean {
  const isEmpty = (field: BoxField) => (values[getBoxFieldName(field, index)] ?? "").trim() === "";
  return isEmpty("width") && isEmpty("height");
}

/** Reads the numbers of a box from its fields. Text that isn't a number becomes NaN. */
export function readTypedBox(values: Record<string, string>, index: number): PageBox {
  return boxFields.reduce(
    (box, field) => withBoxField(box, field, values[getBoxFieldName(field, index)] ?? ""),
    toWholePageBox(0),
  );
}
