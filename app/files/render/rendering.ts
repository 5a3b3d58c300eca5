/** Pages of stored files as pictures: sizes, limits and what is said; safe for the browser. */

/**
 * Increase this when the same file gets other pictures or another text. Every file is then rendered again when
 * someone next looks at it.
 */
export const rendererVersion = 3;

/** The widths of the pictures, in pixels. An image that is narrower is not made wider. */
export const pictureWidths = { large: 1600, small: 800 } as const;
export type PictureWidth = keyof typeof pictureWidths;

/** In pixels: a picture is cut into bands of this height, since its format ends at 16,383. */
export const bandHeight = 4000;

/** Pages beyond these are not rendered. */
export const mostPages = 60;

/** One picture of a page: a band of it, of a width. Pages count from 1, bands from 0. */
export type Picture = { fileId: string; page: number; band: number; width: PictureWidth };

/** "3-1-large.webp": the second band of the third page. */
export function getPictureName({ page, band, width }: Omit<Picture, "fileId">): string {
  return `${page}-${band}-${width}.webp`;
}

/** Returns the address of a picture for a browser that may see the file. Its content never changes. */
export function getPictureAddress(picture: Picture): string {
  return `/pictures/${picture.fileId}/${rendererVersion}/${getPictureName(picture)}`;
}

/** An "original" is shown as it is, since it may move; only its sides are read. */
export type RenderableKind = "pdf" | "image" | "original";

const kinds: Readonly<Record<string, RenderableKind>> = {
  "application/pdf": "pdf",
  "image/png": "image",
  "image/jpeg": "image",
  "image/webp": "original",
  "image/gif": "original",
};

/** Finds how a file of this type becomes pages; null when it does not. */
export function findRenderableKind(mimeType: string): RenderableKind | null {
  return kinds[mimeType] ?? null;
}

/** The messages for missing pages; each is a complete sentence. */
export const missingPages = {
  notRenderable: "We can't show this type of file as pages.",
  damaged: "This file is damaged, so we can't show its pages.",
  password: "This file is password-protected, so we can't show its pages.",
  oversized: "This file becomes too large when it's opened, so we can't show all of it.",
  crashed:
    "We couldn't open all of this file, so some pages are missing. Open the file itself to see them, or export it as a PDF again from the app it was made in.",
  slow: "This file takes too long to open, so we can't show all of it.",
  failed: "We couldn't prepare the pages of this file.",
} as const;
