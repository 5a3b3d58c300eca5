import { copyFile, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import {
  type ReadAnnotation,
  readAnnotations,
} from "../../../tests/support/documents/annotations.ts";
import { overlays, pageKinds, pageOfKind } from "../../../tests/support/documents/page-kinds.ts";
import { joinPdf, makePdf, streamObject } from "../../../tests/support/documents/pdf.ts";
import {
  displayP3,
  makeIccProfile,
  makePng,
  makePngChunk,
  makeProfileChunk,
} from "../../../tests/support/documents/png.ts";
import { renderedFiles } from "../../../tests/support/documents/rendered-files.ts";
import { openPdfium, type PdfDocument } from "../../files/inspect/pdfium.server.ts";
import type { Area } from "../rules.ts";
import type { NumberedRemark } from "../marked.ts";
import type { Part } from "../../reviews/rubric.ts";
import {
  type AnnotatedSecondLook,
  type AnnotatedSheet,
  type AnnotateJob,
  annotatedFile,
} from "./annotate-job.ts";
import { writeAnnotatedPdf } from "./make-annotated.server.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { sample } from "../../../tests/support/inventory/selection.ts";

const fixtures = join(import.meta.dirname, "../../../tests/fixtures/files");
const above = ownFolder();

let count = 0;

function remark(area: Area | null, fields: Partial<NumberedRemark> = {}): NumberedRemark {
  count++;
  return {
    id: `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`,
    number: 1,
    target: null,
    area,
    severity: "must",
    criterion: "impact",
    text: "Say what came of it.",
    quote: null,
    suggestion: null,
    rank: null,
    version: 1,
    ...fields,
  };
}

const aPoint = { x: 0.25, y: 0.5, width: 0, height: 0 };
const anArea = { x: 0.4, y: 0.2, width: 0.5, height: 0.3 };

/** Builds a page of a part as shown, with these remarks. */
function sheet(
  part: Part,
  number: number,
  [width, height]: [number, number],
  remarks: NumberedRemark[] = [],
): AnnotatedSheet {
  const page = { part, number };
  const id = `${part}-${number}`;
  return { id, title: id, caption: null, width, height, remarks, page, pictures: [] };
}

async function make(
  files: Partial<Record<Part, string | Buffer>>,
  sheets: AnnotatedSheet[],
  change: Partial<AnnotateJob> = {},
  picture?: Buffer,
) {
  const folder = await mkdtemp(join(above, "job-"));
  const originals = [];
  for (const [part, content] of Object.entries(files) as [Part, string | Buffer][]) {
    const file = `${part}.pdf`;
    if (typeof content === "string") await copyFile(join(fixtures, content), join(folder, file));
    else await writeFile(join(folder, file), content);
    originals.push({ part, file });
  }
  for (const [index, one] of sheets.entries())
    for (const { file } of one.pictures)
      await writeFile(join(folder, file), picture ?? (await half(index % 2 ? "webp" : "png")));
  for (const { before, after } of change.secondLook?.pairs ?? [])
    for (const { file } of [...before.pictures, ...after.pictures])
      if (file !== "missing.webp") await writeFile(join(folder, file), await half("webp"));
  const answer = await writeAnnotatedPdf({
    folder,
    title: "Resume Review",
    productName: "Naksha",
    customer: "Asha Rao",
    signature: "reviewed by Meera · Nov 4, 2026",
    feedback: "Good bones.",
    scores: { impact: 4 },
    answers: [],
    unpinned: [],
    secondLook: null,
    sheets,
    originals,
    ...change,
  });
  const bytes = "bytes" in answer ? await readFile(join(folder, annotatedFile)) : null;
  return { answer, bytes, pages: bytes ? await readAnnotations(bytes) : [] };
}

/** Creates a picture with a blue lower half. */
function half(type: "png" | "webp"): Promise<Buffer> {
  const blue = { create: { width: 300, height: 200, channels: 3, background: "blue" } } as const;
  return sharp({ create: { width: 300, height: 400, channels: 3, background: "white" } })
    .composite([{ input: blue, left: 0, top: 200 }])
    .toFormat(type)
    .toBuffer();
}

const pinsOf = (annotations: ReadAnnotation[]) =>
  annotations.filter(({ kind }) => kind === "square" || kind === "stamp");
const linksOf = (annotations: ReadAnnotation[]) =>
  annotations.filter(({ kind }) => kind === "link");

/** Returns the colours of a page at places given as fractions of its sides. */
async function coloursOf(bytes: Buffer, index: number, places: [number, number][]) {
  const document = (await openPdfium()).open(bytes) as PdfDocument;
  const page = document.openPage(index)!;
  const width = 1000;
  const height = Math.round((width * page.height) / page.width);
  const pixels = page.picture({ width, height }, { top: 0, height });
  return places.map(([x, y]) => {
    const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
    return `#${pixels.subarray(at, at + 3).toString("hex")}`;
  });
}

/** The rotations, crops and scales of pages, and their sides as shown. */
const frames: [string, string, [number, number]][] = [
  ["upright", "/MediaBox [0 0 400 300]", [400, 300]],
  ["turned by 90 degrees", "/MediaBox [0 0 400 300] /Rotate 90", [300, 400]],
  ["turned by 180 degrees", "/MediaBox [0 0 400 300] /Rotate 180", [400, 300]],
  ["turned by 270 degrees", "/MediaBox [0 0 400 300] /Rotate 270", [300, 400]],
  ["turned back by 90 degrees", "/MediaBox [0 0 400 300] /Rotate -90", [300, 400]],
  ["cropped", "/MediaBox [0 0 900 900] /CropBox [100 200 500 500]", [400, 300]],
  [
    "cropped and turned",
    "/MediaBox [0 0 900 900] /CropBox [100 200 500 500] /Rotate 90",
    [300, 400],
  ],
  ["cropped beyond its paper", "/MediaBox [0 0 400 300] /CropBox [-50 -50 900 900]", [400, 300]],
  ["away from the origin", "/MediaBox [-200 1000 200 1300]", [400, 300]],
  ["named from its other corners", "/MediaBox [400 300 0 0]", [400, 300]],
  ["in units of half an inch", "/MediaBox [0 0 40 30] /UserUnit 36", [40, 30]],
];

/** Returns the words of a page, without those of pins. */
function wordsOf(bytes: Buffer, index: number): Promise<string[]> {
  return openPdfium().then((pdfium) => {
    const document = pdfium.open(bytes) as PdfDocument;
    const page = document.openPage(index)!;
    const words = page
      .text()
      .text.split(/\s+/)
      .filter((word) => !/^\d*$/.test(word));
    document.close();
    return words.toSorted();
  });
}

test.each(sample(pageKinds, { every: 4 }))(
  "a page with $name keeps its text and its comments",
  async (kind) => {
    for (const overlay of overlays.filter(({ name }) => /Square|field|uses the page/.test(name))) {
      const original = pageOfKind(kind, overlay);
      const document = (await openPdfium()).open(original) as PdfDocument;
      const { width, height } = document.openPage(0)!;
      const sides: [number, number] = [width, height];
      const { answer, bytes } = await make({ resume: original, portfolio: original }, [
        sheet("resume", 1, sides, [remark(anArea)]),
        sheet("portfolio", 1, sides, [remark(aPoint)]),
      ]);
      expect(answer, overlay.name).toMatchObject({ pages: 6 });
      for (const index of [1, 3])
        expect(await wordsOf(bytes!, index), overlay.name).toEqual(await wordsOf(original, 0));
    }
  },
);

test.each(sample(frames, { every: 4 }))(
  "a pin is at its place on a page that is %s",
  async (_name, entries, sides) => {
    const document = joinPdf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      `<< /Type /Page /Parent 2 0 R ${entries} >>`,
    ]);
    const remarks = [remark(aPoint), remark(anArea, { number: 2, severity: "should" })];
    const { pages, bytes } = await make({ resume: document }, [sheet("resume", 1, sides, remarks)]);
    const [point, area] = pinsOf(pages[1]!.annotations);
    const middle = (from: number, to: number) => (from + to) / 2;
    expect(point!.kind).toBe("stamp");
    expect(middle(point!.place[0], point!.place[2])).toBeCloseTo(aPoint.x, 2);
    expect(middle(point!.place[1], point!.place[3])).toBeCloseTo(aPoint.y, 2);
    // It starts at its sign, at the upper left, and ends at the line of its frame.
    expect(area!.kind).toBe("square");
    expect(area!.place[2]).toBeCloseTo(0.9, 1);
    expect(area!.place[3]).toBeCloseTo(0.5, 1);
    const sign = linksOf(pages[1]!.annotations)[1]!.place;
    expect(sign[0]).toBeCloseTo(area!.place[0], 2);
    expect(sign[1]).toBeCloseTo(area!.place[1], 2);
    const [inPoint, inSign, onLine, inArea] = await coloursOf(bytes!, 1, [
      [aPoint.x - (point!.place[2] - point!.place[0]) * 0.3, aPoint.y],
      [sign[0] + (sign[2] - sign[0]) * 0.25, sign[1] + (sign[3] - sign[1]) * 0.25],
      [0.65, 0.5],
      [0.65, 0.35],
    ]);
    expect([inPoint, inSign, onLine, inArea]).toEqual(["#bf3413", "#17211f", "#17211f", "#ffffff"]);
  },
);

test("pins contain their remark's text, and link to it and back", async () => {
  const content = {
    text: "Say what came of it.",
    quote: "Responsible for sales",
    suggestion: "Sold 40% more in a year",
  };
  const remarks = [
    remark(null, { number: 1, severity: "keep" }),
    remark(anArea, { number: 2, ...content }),
  ];
  const { pages } = await make({ resume: "one-page.pdf" }, [
    sheet("resume", 1, await sidesOf("one-page.pdf"), remarks),
  ]);
  const [summary, page, full] = pages;
  const [whole, area] = pinsOf(page!.annotations);
  expect(area).toMatchObject({ author: "Naksha", hasAppearance: true });
  expect(area!.contents).toBe(
    "Must fix · Evidence of impact\n\nSay what came of it.\n\nBefore: Responsible for sales\n\nAfter: Sold 40% more in a year",
  );
  // A pin for the whole page is at its upper right corner.
  expect(whole!.place[0]).toBeGreaterThan(0.9);
  expect(whole!.place[1]).toBeLessThan(0.1);
  expect(linksOf(page!.annotations).map(({ leadsTo }) => leadsTo)).toEqual([2, 2]);
  expect(new Set(linksOf(full!.annotations).map(({ leadsTo }) => leadsTo))).toEqual(new Set([1]));
  // The summary links to the first thing to do twice: by its sign and by its text.
  expect(linksOf(summary!.annotations).map(({ leadsTo }) => leadsTo)).toEqual([2, 2]);
  expect(full!.text).toContain("Sold 40% more in a year");
});

test("the summary has feedback, scores with levels, and the first things to do", async () => {
  const remarks = [remark(aPoint, { text: "Begin with the result. Then the rest." })];
  const sheets = [sheet("resume", 1, await sidesOf("one-page.pdf"), remarks)];
  const answers = [{ question: "Too long?", answer: "No." }];
  const { pages } = await make({ resume: "one-page.pdf" }, sheets, { answers });
  const text = pages[0]!.text.replaceAll(/\s+/g, " ");
  for (const part of [
    "Resume Review By Naksha for Asha Rao · reviewed by Meera · Nov 4, 2026 1 remark: ",
    "Good bones.",
    "One thing first",
    "Begin with the result. Read remark 1",
    "Evidence of impact 4 of 5 Strong. Most points have a result",
    "Your questions Too long? No.",
    "1 of 3",
  ])
    expect(text.replaceAll("4 of 5 Evidence of impact", "Evidence of impact 4 of 5")).toContain(
      part,
    );
});

test("Hindi, Tamil and the rupee sign are shaped correctly; unsupported characters show their code", async () => {
  const text = "नमस्ते, हिंदी में कार्यक्षेत्र. வணக்கம், தமிழ் மொழி. ₹199 → Łódź 😀";
  const sheets = [sheet("resume", 1, await sidesOf("one-page.pdf"), [remark(aPoint, { text })])];
  const { pages } = await make({ resume: "one-page.pdf" }, sheets);
  const written = pages[2]!.text.replaceAll(/\s+/g, " ");
  expect(written).toContain("नमस्ते, हिंदी में कार्यक्षेत्र. வணக்கம், தமிழ் மொழி. ₹199 → Łódź [U+1F600]");
  expect(written).not.toContain("?");
  expect(pinsOf(pages[1]!.annotations)[0]!.contents).toContain(text);
});

test.each([
  ...renderedFiles
    .filter(({ mimeType, isSlow }) => mimeType === "application/pdf" && !isSlow)
    .map(({ name }) => `pages/${name}`),
  "cross-reference-stream.pdf",
  "restricted.pdf",
  "resume.pdf",
])("%s is annotated itself and keeps its text", async (name) => {
  const before = await readAnnotations(await readFile(join(fixtures, name)));
  const sheets = [sheet("resume", 1, await sidesOf(name), [remark(aPoint)])];
  const { pages } = await make({ resume: name }, sheets);
  expect(pages.slice(1, 1 + before.length).map(({ text }) => text)).toEqual(
    before.map(({ text }) => text),
  );
  expect(pinsOf(pages[1]!.annotations)).toHaveLength(1);
});

test("a file with a broken object table still opens", async () => {
  const whole = makePdf().toString("latin1");
  const broken = Buffer.from(whole.replace(/startxref\n\d+/, "startxref\n7"), "latin1");
  const sheets = [sheet("resume", 1, [595, 842], [remark(aPoint)])];
  const { pages } = await make({ resume: broken }, sheets);
  expect(pages[1]!.text).toContain("Asha Verma");
});

test("a form keeps its fields beside the pins", async () => {
  const form = makePdf({
    catalog: "/AcroForm << /Fields [6 0 R] >>",
    page: "/Annots [6 0 R]",
    objects: [
      "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Asha) /Rect [10 10 200 40] /DA (/Helv 12 Tf) >>",
    ],
  });
  const { pages } = await make({ resume: form }, [
    sheet("resume", 1, [595, 842], [remark(aPoint)]),
  ]);
  expect(pages[1]!.annotations.map(({ kind }) => kind)).toEqual(["widget", "stamp", "link"]);
});

test("two files become one, and the links of each lead to its own pages", async () => {
  const portfolio = joinPdf([
    "<< /Type /Catalog /Pages 2 0 R /Dests << /End [4 0 R /Fit] >> >>",
    "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 540] /Annots [5 0 R 6 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 5400] >>",
    "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Dest [4 0 R /Fit] >>",
    "<< /Type /Annot /Subtype /Link /Rect [9 0 18 9] /A << /S /GoTo /D /End >> >>",
  ]);
  const sheets = [
    sheet("resume", 1, await sidesOf("one-page.pdf"), [remark(aPoint)]),
    sheet("portfolio", 1, [960, 540]),
    sheet("portfolio", 2, [960, 5400], [remark(anArea, { number: 2 })]),
  ];
  const { pages } = await make({ resume: "one-page.pdf", portfolio }, sheets);
  expect(pages).toHaveLength(5);
  expect(linksOf(pages[2]!.annotations).map(({ leadsTo }) => leadsTo)).toEqual([3, 3]);
  expect(pinsOf(pages[1]!.annotations)).toHaveLength(1);
  expect(pinsOf(pages[3]!.annotations)).toHaveLength(1);
});

test("pictures replace a missing PDF: a resume's before the portfolio, screenshots after it", async () => {
  const pictured = (one: AnnotatedSheet): AnnotatedSheet => ({
    ...one,
    pictures: [
      { file: `${one.id}-0`, height: 0.5 },
      { file: `${one.id}-1`, height: 0.5 },
    ],
  });
  const screenshot: AnnotatedSheet = {
    ...sheet("resume", 9, [0, 0], [remark(aPoint, { number: 2 })]),
    id: "screenshot-1",
    page: null,
    pictures: [{ file: "screenshot-1", height: 1 }],
  };
  const sheets = [
    pictured(sheet("resume", 1, [300, 800], [remark(aPoint)])),
    sheet("portfolio", 1, await sidesOf("one-page.pdf")),
    screenshot,
  ];
  const { pages, bytes } = await make({ portfolio: "one-page.pdf" }, sheets);
  expect(pages.map(({ annotations }) => pinsOf(annotations).length)).toEqual([0, 1, 0, 1, 0]);
  // Both pictures are blue in their lower half.
  const found = await coloursOf(bytes!, 1, [
    [0.9, 0.2],
    [0.9, 0.4],
    [0.9, 0.7],
    [0.9, 0.9],
  ]);
  expect(found.map((colour) => colour.startsWith("#00"))).toEqual([false, true, false, true]);
});

test("a screenshot of 16 bits has the colors that a browser shows", async () => {
  const screenshot: AnnotatedSheet = {
    ...sheet("resume", 9, [0, 0], [remark(aPoint)]),
    page: null,
    pictures: [{ file: "screenshot-1", height: 1 }],
  };
  const deep = [208, 32, 32].map((value) => value * 257);
  const wide = makeProfileChunk(makeIccProfile(2.2, displayP3));
  const gamma = makePngChunk("gAMA", Buffer.from([0, 1, 0x86, 0xa0]));
  for (const [chunks, expected] of [
    [[], [208, 32, 32]],
    [[wide], [229, 0, 0]],
    [[gamma], [233, 99, 99]],
  ] as const) {
    const { bytes } = await make({}, [screenshot], {}, makePng("rgb", 16, deep, [...chunks]));
    const [found] = await coloursOf(bytes!, 1, [[0.9, 0.9]]);
    const parts = [1, 3, 5].map((at) => Number.parseInt(found!.slice(at, at + 2), 16));
    for (const [at, part] of parts.entries())
      expect(Math.abs(part - expected[at]!), found).toBeLessThanOrEqual(3);
  }
});

const aLook: AnnotatedSecondLook = {
  earlierOn: "Nov 4, 2026",
  scores: [{ criterion: "impact", before: 2, after: 4 }],
  remarks: [
    {
      remark: remark(null, { number: 9 }),
      from: "first review",
      kind: "Must fix",
      outcome: "open",
      note: "Still there.",
    },
    {
      remark: remark(anArea, { number: 3, quote: "Sales", suggestion: "Sold 40% more" }),
      from: null,
      kind: "Must fix",
      outcome: "solved",
      note: "",
    },
  ],
  pairs: [],
};

/** The pair of an A4 page and a wide page, with the mark of the second remark. */
function pairOf(files: [string, string]): AnnotatedSecondLook["pairs"][number] {
  const { id, number, severity } = aLook.remarks[1]!.remark;
  const [before, after] = files.map((file, index) => ({
    title: index === 0 ? "Resume, page 1 of 2" : "Portfolio, page 3",
    width: index === 0 ? 595 : 960,
    height: index === 0 ? 842 : 540,
    pictures: [{ file, height: 1 }],
    marks: [{ id, number, severity, area: index === 0 ? anArea : null }],
  }));
  return { before: before!, after: after! };
}

test("a second look shows page pairs of different sizes, then the outcomes, the open ones first", async () => {
  const sheets = [sheet("resume", 1, await sidesOf("one-page.pdf"), [remark(aPoint)])];
  const secondLook = { ...aLook, pairs: [pairOf(["earlier.webp", "new.webp"])] };
  const { pages, bytes } = await make({ resume: "one-page.pdf" }, sheets, { secondLook });
  const [summary, pair, outcomes, own] = pages;
  expect(pages).toHaveLength(5);
  expect(summary!.text).toContain("Good bones.");
  expect(pair!.text.replaceAll(/\s+/g, " ")).toBe(
    "Before: Resume, page 1 of 2 3 After: Portfolio, page 3 3",
  );
  expect(linksOf(pair!.annotations).map(({ leadsTo }) => leadsTo)).toEqual([2, 2]);
  const text = outcomes!.text.replaceAll(/\s+/g, " ");
  expect(text).toContain("1 of 2 solved Compared with the review of Nov 4, 2026");
  expect(text.indexOf("Still open")).toBeLessThan(text.indexOf("Still there."));
  expect(text.indexOf("Still there.")).toBeLessThan(text.indexOf("Solved"));
  expect(text).toContain("From the first review");
  expect(text).toContain("Sold 40% more");
  expect(text).toContain("Evidence of impact: 2, now 4 of 5");
  // The sign and the words of the solved remark lead to its pair; the open one has none.
  expect(linksOf(outcomes!.annotations).map(({ leadsTo }) => leadsTo)).toEqual([1, 1]);
  expect(pinsOf(own!.annotations)).toHaveLength(1);
  // Both pictures are blue in their lower half and keep the ratio of their page.
  const [left, top, width, height] = [40, 66, 368.9, 489.3];
  const tall = Math.min(width / 595, height / 842);
  const wide = width / 960;
  const at = (x: number, y: number): [number, number] => [x / 841.89, y / 595.28];
  const found = await coloursOf(bytes!, 1, [
    at(left + 595 * tall * 0.9, top + 842 * tall * 0.97),
    at(left + 595 * tall + 10, top + 842 * tall * 0.97),
    at(left + width + 24 + 960 * wide * 0.5, top + 540 * wide * 0.97),
    at(left + width + 24 + 960 * wide * 0.5, top + 540 * wide + 10),
  ]);
  expect(found.map((colour) => colour.startsWith("#00"))).toEqual([true, false, true, false]);
});

test("without the pictures of a page its pair is left out, and the outcomes stay", async () => {
  const sheets = [sheet("resume", 1, await sidesOf("one-page.pdf"), [remark(aPoint)])];
  const secondLook = { ...aLook, pairs: [pairOf(["missing.webp", "new.webp"])] };
  const { pages } = await make({ resume: "one-page.pdf" }, sheets, { secondLook });
  expect(pages).toHaveLength(4);
  expect(pages[1]!.text).toContain("1 of 2 solved");
  expect(linksOf(pages[1]!.annotations)).toEqual([]);
});

test("a file that cannot be annotated, or shows other pages than on screen, is reported", async () => {
  const sheets = [sheet("resume", 1, [595, 842], [remark(aPoint)])];
  expect((await make({ resume: Buffer.from("%PDF-1.7 nothing") }, sheets)).answer).toEqual({
    unusable: ["resume"],
  });
  expect((await make({ resume: "password.pdf" }, sheets)).answer).toEqual({ unusable: ["resume"] });
  const other = [sheet("resume", 1, [100, 842], [remark(aPoint)])];
  expect((await make({ resume: "one-page.pdf" }, other)).answer).toEqual({ unusable: ["resume"] });
});

test("sixty pages with two hundred remarks make one document with every pin linked", async () => {
  const kids = Array.from({ length: 60 }, (_, page) => `${page + 4} 0 R`).join(" ");
  const document = joinPdf([
    "<< /Type /Catalog /Pages 2 0 R /OpenAction [4 0 R /Fit] /PageLabels << /Nums [0 << /S /r >>] >> >>",
    `<< /Type /Pages /Kids [${kids}] /Count 60 /MediaBox [0 0 595 842] >>`,
    streamObject(Buffer.from("0 0 1 rg 0 0 9 9 re f")),
    ...Array.from({ length: 60 }, () => "<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>"),
  ]);
  const remarks = Array.from({ length: 200 }, (_, index) =>
    remark(index % 3 ? aPoint : anArea, {
      number: index + 1,
      text: "Say what came of it. ".repeat(20),
    }),
  );
  const sheets = Array.from({ length: 60 }, (_, page) =>
    sheet(
      "resume",
      page + 1,
      [595, 842],
      remarks.filter((_one, index) => index % 60 === page),
    ),
  );
  const { pages, answer } = await make({ resume: document }, sheets);
  expect(answer).toMatchObject({ pages: pages.length });
  const own = pages.slice(1, 61).flatMap(({ annotations }) => annotations);
  expect(pinsOf(own)).toHaveLength(200);
  expect(linksOf(own).every(({ leadsTo }) => leadsTo! > 60)).toBe(true);
  expect(pages.at(-1)!.text).toContain(`${pages.length} of ${pages.length}`);
});

async function sidesOf(name: string): Promise<[number, number]> {
  const document = (await openPdfium()).open(await readFile(join(fixtures, name))) as PdfDocument;
  const page = document.openPage(0)!;
  return [page.width, page.height];
}
