/** The sizes, limits and messages of rendered pages. Safe for the browser. */

/**
 * Increase this when the renderer's pictures or texts change. Every file is then rendered again when someone opens it.
 */
export const rendererVersion = 4;

/** The widths of the pictures in pixels. Narrower images aren't enlarged. */
export const pictureWidths = { large: 1600, small: 800 } as const;
export type PictureWidth = keyof typeof pictureWidths;

/** Browsers show a pixel as 0.75 points. */
export const pointsOfPixel = 0.75;

/** In pixels. Pictures are cut into bands of this height, since WebP is limited to 16,383. */
export const bandHeight = 4000;

/** Further pages aren't rendered. */
export const maxPages = 60;

/** One band of a page in one width. Pages count from 1, bands from 0. */
export type Picture = { fileId: string; page: number; band: number; width: PictureWidth };

/** "3-1-large.webp" is the second band of the third page. */
export function getPictureName({ page, band, width }: Omit<Picture, "fileId">): string {
  return `${page}-${band}-${width}.webp`;
}

/** Returns the address of a picture, whose content never changes. */
export function getPictureAddress(picture: Picture): string {
  return `/pictures/${picture.fileId}/${rendererVersion}/${getPictureName(picture)}`;
}

/** An "original" may be animated, so it is shown unchanged and only its size is read. */
export type RenderableKind = "pdf" | "image" | "original";

const kinds: Readonly<Record<string, RenderableKind>> = {
  "application/pdf": "pdf",
  "image/png": "image",
  "image/jpeg": "image",
  "image/webp": "original",
  "image/gif": "original",
};

/** Returns how a file of this type is rendered, or null if it isn't. */
export function findRenderableKind(mimeType: string): RenderableKind | null {
  return kinds[mimeType] ?? null;
}

/** The messages for missing pages, each a complete sentence. */
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
