import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { annotatedFile } from "../../app/annotations/annotated-pdf/annotate-job.ts";
import { writeAnnotatedPdf } from "../../app/annotations/annotated-pdf/make-annotated.server.ts";
import type { NumberedRemark } from "../../app/annotations/marked.ts";
import { joinPdf, makePdf } from "../support/documents/pdf.ts";
import { say } from "./figures.ts";

/** Checks documents with independent programs: qpdf for their structure, poppler for their look. */
const folders = mkdtempSync(join(tmpdir(), "naksha-annotated-drill-"));
afterAll(() => rmSync(folders, { recursive: true }));

const plain = "/MediaBox [0 0 400 300]";
const buildPage = (entries: string) =>
  joinPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R ${entries} >>`,
  ]);
const form = makePdf({
  catalog: "/AcroForm << /Fields [6 0 R] >>",
  page: "/Annots [6 0 R]",
  objects: ["<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Asha) /Rect [10 10 90 40] >>"],
});

/** The documents, with width and height of their first page as displayed. */
const documents: [string, () => Buffer, [number, number]][] = [
  ["plain", () => buildPage(plain), [400, 300]],
  ...[90, 180, 270, -90].map((turn): [string, () => Buffer, [number, number]] => [
    `rotated by ${turn}`,
    () => buildPage(`${plain} /Rotate ${turn}`),
    turn % 180 === 0 ? [400, 300] : [300, 400],
  ]),
  [
    "cropped and rotated",
    () => buildPage("/MediaBox [0 0 900 900] /CropBox [100 200 500 500] /Rotate 90"),
    [300, 400],
  ],
  ["away from the origin", () => buildPage("/MediaBox [-200 1000 200 1300]"), [400, 300]],
  ["in large units", () => buildPage("/MediaBox [0 0 200 150] /UserUnit 2"), [200, 150]],
  ["encrypted", () => byQpdf(makePdf(), ["--encrypt", "", "owner", "256", "--"]), [595, 842]],
  ["object streams", () => byQpdf(makePdf(), ["--object-streams=generate"]), [595, 842]],
  ["linearised", () => byQpdf(makePdf(), ["--linearize"]), [595, 842]],
  ["a form", () => form, [595, 842]],
  [
    "a wrong cross-reference table",
    () =>
      Buffer.from(
        makePdf()
          .toString("latin1")
          .replace(/startxref\n\d+/, "startxref\n7"),
        "latin1",
      ),
    [595, 842],
  ],
];

const sampleText = "नमस्ते, कार्यक्षेत्र। வணக்கம், தமிழ் மொழி. ₹199";
const area = { x: 0.4, y: 0.3, width: 0.4, height: 0.3 };
const remark = (number: number, fields: Partial<NumberedRemark>): NumberedRemark => ({
  id: `remark-${number}`,
  number,
  target: null,
  area,
  severity: "must",
  criterion: null,
  text: sampleText,
  quote: null,
  suggestion: null,
  rank: null,
  version: 1,
  ...fields,
});

const figures: string[] = [];
afterAll(() => say("annotated", figures));

test.each(documents)(
  "%s: qpdf finds no errors, and poppler shows the pins in place",
  async (name, original, [width, height]) => {
    const folder = mkdtempSync(join(folders, "job-"));
    writeFileSync(join(folder, "resume.pdf"), original());
    const point = { x: 0.2, y: 0.7, width: 0, height: 0 };
    const remarks = [remark(1, { area: point }), remark(2, { severity: "should" })];
    const page = { part: "resume", number: 1 } as const;
    const sheet = {
      id: "resume-1",
      title: "Resume",
      caption: null,
      width,
      height,
      remarks,
      page,
      pictures: [],
    };
    const answer = await writeAnnotatedPdf({
      folder,
      title: "Resume Review",
      productName: "Naksha",
      customer: "Asha Rao",
      signature: "reviewed by Meera · Nov 4, 2026",
      feedback: sampleText,
      scores: {},
      answers: [],
      sheets: [sheet],
      unpinned: [],
      secondLook: null,
      originals: [{ part: "resume", file: "resume.pdf" }],
    });
    expect(answer).toMatchObject({ pages: 3 });
    const output = join(folder, annotatedFile);
    execFileSync("qpdf", ["--check", output], { stdio: "pipe" });
    const pins = pinsByQpdf(output);
    expect(pins.map(({ subtype }) => subtype)).toEqual(["/Stamp", "/Square"]);
    expect(pins.every(({ contents }) => contents.endsWith(sampleText))).toBe(true);

    execFileSync("pdftoppm", [
      "-png",
      "-r",
      "144",
      "-cropbox",
      "-f",
      "2",
      "-l",
      "2",
      output,
      join(folder, "page"),
    ]);
    const picture = sharp(join(folder, "page-2.png")).removeAlpha().raw();
    const { data, info } = await picture.toBuffer({ resolveWithObject: true });
    expect(info.width / info.height).toBeCloseTo(width / height, 1);
    const colour = (x: number, y: number) => {
      const offset = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
      return `#${data.subarray(offset, offset + 3).toString("hex")}`;
    };
    expect(colour(point.x - 5 / info.width, point.y)).toBe("#bf3413");
    expect(colour(0.6, area.y)).toBe("#17211f");
    expect(colour(area.x + area.width, 0.45)).toBe("#17211f");
    expect(colour(0.6, 0.45)).toBe("#ffffff");

    const text = execFileSync("pdftotext", [output, "-"], { encoding: "utf8" }).replaceAll(
      /\s+/g,
      " ",
    );
    expect(text.split(sampleText).length - 1).toBeGreaterThanOrEqual(3);
    figures.push(name);
  },
);

/** Rewrites a document with qpdf. */
function byQpdf(bytes: Buffer, options: string[]): Buffer {
  const [from, to] = [join(folders, "from.pdf"), join(folders, "to.pdf")];
  writeFileSync(from, bytes);
  execFileSync("qpdf", [...options, from, to]);
  return readFileSync(to);
}

type QpdfObject = { value?: Record<string, unknown>; stream?: unknown };

function pinsByQpdf(path: string): { subtype: string; contents: string }[] {
  const json = execFileSync("qpdf", ["--json", path], { encoding: "utf8", maxBuffer: 2 ** 28 });
  const { qpdf, pages } = JSON.parse(json) as {
    qpdf: [unknown, Record<string, QpdfObject>];
    pages: { object: string }[];
  };
  const objects = qpdf[1];
  const valueOf = (reference: unknown) =>
    typeof reference === "string" ? objects[`obj:${reference}`]?.value : undefined;
  const annotations = valueOf(pages[1]!.object)?.["/Annots"] as unknown[];
  return annotations
    .map((reference) => valueOf(reference)!)
    .filter((annotation) => ["/Stamp", "/Square"].includes(String(annotation["/Subtype"])))
    .map((annotation) => ({
      subtype: String(annotation["/Subtype"]),
      // qpdf prefixes texts with a letter for their encoding.
      contents: String(annotation["/Contents"]).replace(/^u:/, ""),
    }));
}
