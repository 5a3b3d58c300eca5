import { join } from "node:path";

/**
 * Documents and pictures of many producers, made by `tests/fixtures/files/pages/make.py` to test rendering. Each
 * page has a red rectangle at its top left and a blue one at its bottom right, each a tenth of the page wide and
 * high, and a name.
 */
export type RenderedFile = {
  /** The file's name in `folder`. */
  name: string;
  mimeType: "application/pdf" | "image/png" | "image/jpeg";
  /** The content of its pages, in their order. */
  pages: PageMarks[];
  /** Takes seconds to render, so only the drill uses it. */
  isSlow?: true;
};

export type PageMarks = {
  /** In points, after rotation and cropping. */
  width: number;
  height: number;
  /** Readable phrases, each alone on its line. */
  phrases: string[];
  /** Print colours are duller than screen colours. */
  colours: "screen" | "print" | "grey";
};

export const folder = "tests/fixtures/files/pages";

export function pathOf({ name }: RenderedFile): string {
  return join(folder, name);
}

const asha = "Asha Verma";
const threeScripts = [asha, "आशा वर्मा", "ஆஷா வர்மா"];
/** The name, and the text of a form field. */
const filledIn = [asha, "Pune"];
const a4 = [595, 842] as const;

type Sides = readonly [width: number, height: number];

function page([width, height]: Sides, phrases = [asha]): PageMarks {
  return { width, height, phrases, colours: "screen" };
}

function pdf(name: string, ...pages: PageMarks[]): RenderedFile {
  return { name, mimeType: "application/pdf", pages };
}

/** @param pixels width and height after rotation */
function image(
  name: string,
  pixels: Sides,
  colours: PageMarks["colours"] = "screen",
): RenderedFile {
  const [width, height] = pixels;
  // A CSS pixel is three quarters of a point.
  const shown = { width: width * 0.75, height: height * 0.75, phrases: [], colours };
  return { name, mimeType: name.endsWith(".jpg") ? "image/jpeg" : "image/png", pages: [shown] };
}

function slow(file: RenderedFile): RenderedFile {
  return { ...file, isSlow: true };
}

export const renderedFiles: RenderedFile[] = [
  pdf("chromium-resume.pdf", page(a4)),
  pdf("chromium-three-scripts.pdf", page(a4, threeScripts)),
  pdf("writer-resume.pdf", page(a4)),
  pdf("writer-three-scripts.pdf", page(a4, threeScripts)),
  pdf("writer-form.pdf", page(a4, filledIn)),
  pdf("reportlab-form.pdf", page(a4, filledIn)),
  pdf("pypdf-filled-form.pdf", page(a4, filledIn)),
  pdf("latex-object-streams.pdf", page(a4)),
  slow(
    pdf(
      "latex-sixty-pages.pdf",
      ...Array.from({ length: 60 }, (_, index) => page([960, 240], [`${asha} ${index + 1}`])),
    ),
  ),
  // The engine ignores UserUnit, but proportions and positions are right.
  pdf("latex-user-unit.pdf", page([400, 600])),
  pdf("groff.pdf", page([612, 792])),
  pdf("ghostscript-1.3.pdf", page(a4)),
  pdf("ghostscript-2.0.pdf", page(a4)),
  pdf("ghostscript-print-colours.pdf", { ...page(a4), colours: "print" }),
  pdf("qpdf-linearized.pdf", page(a4)),
  pdf("qpdf-rc4.pdf", page(a4)),
  pdf("qpdf-aes-256.pdf", page(a4)),
  pdf("turned.pdf", page(a4), page(a4), page(a4)),
  pdf("cropped.pdf", page([400, 300]), page([400, 300]), page([400, 300])),
  pdf(
    "cairo-mixed-sizes.pdf",
    page(a4),
    page([842, 595]),
    page([1920, 1080]),
    page([1080, 1080]),
    page([375, 812]),
  ),
  pdf("cairo-see-through.pdf", page(a4)),
  slow(pdf("cairo-long-frame.pdf", page([1440, 30_000], [asha, "The end of the frame"]))),
  pdf("scan.pdf", page(a4, [])),
  image("chromium-screenshot.png", [800, 600]),
  image("sixteen-bits.png", [800, 600]),
  image("interlaced-alpha.png", [800, 600]),
  image("palette.png", [800, 600]),
  slow(image("long-frame.png", [1440, 30_000])),
  image("camera-turned.jpg", [600, 800]),
  image("progressive.jpg", [800, 600]),
  image("greyscale.jpg", [800, 600], "grey"),
  image("print-colours.jpg", [800, 600], "print"),
];
