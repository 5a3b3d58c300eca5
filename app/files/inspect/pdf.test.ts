import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePdf, streamObject } from "../../../tests/support/documents/pdf.ts";
import { fileProblems } from "../finding.ts";
import { inspectPdf } from "./pdf.server.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

const fixtures = join(import.meta.dirname, "../../../tests/fixtures/files");
const folder = ownFolder();

async function inspect(bytes: Uint8Array | string) {
  const path = join(folder, "file.pdf");
  await writeFile(path, bytes);
  return inspectPdf(path);
}

const plain = { kind: "pdf", active: false };
const active = { kind: "pdf", active: true };
const incomplete = { kind: "pdf", problem: fileProblems.incomplete };

test.each([
  ["text after the signature", "%PDF-1.4\nDear reviewer, this is no resume.\n"],
  ["HTML after the signature", "%PDF-1.4\n<html><script>alert(1)</script></html>\n%%EOF\n"],
  ["only a trailer", "%PDF-1.4\ntrailer << /Root 1 0 R >>\nstartxref\n9\n%%EOF\n"],
  ["a document without pages", makePdf().toString("latin1").replace("[3 0 R] /Count 1", "[]")],
  ["a page that is not there", makePdf().toString("latin1").replace("[3 0 R]", "[9 0 R]")],
])("%s is not a document", async (_what, text) => {
  expect(await inspect(Buffer.from(text, "latin1"))).toEqual(incomplete);
});

test("a document cut off before its cross-reference is incomplete", async () => {
  const names = ["resume.pdf", "linearized.pdf", "cross-reference-stream.pdf"];
  for (const name of names) {
    const bytes = await readFile(join(fixtures, name));
    expect(await inspect(bytes), name).toEqual(plain);
    const table = bytes.lastIndexOf(bytes.includes("\nxref") ? "\nxref" : "/XRef");
    const cuts = [600, 3000, ...[0.3, 0.6, 0.9].map((share) => Math.floor(share * table))];
    for (const cut of [...cuts, table - 20]) {
      expect(await inspect(bytes.subarray(0, cut)), `${name} to ${cut}`).toEqual(incomplete);
    }
  }
});

test("a document with a cut-off second version is incomplete", async () => {
  const bytes = await readFile(join(fixtures, "one-page.pdf"));
  const partial = Buffer.from("6 0 obj\n<< /Length 5000 >>\nstream\nhalf of it");
  expect(await inspect(Buffer.concat([bytes, partial]))).toEqual(incomplete);
});

test("a document can be inspected after a rewrite by the engine", async () => {
  for (const name of ["resume.pdf", "restricted.pdf"])
    expect(await inspectPdf(join(fixtures, name), { rewrite: true }), name).toEqual(plain);
  const launching = makePdf({ catalog: "/OpenAction << /S /Launch /F (calc.exe) >>" });
  await writeFile(join(folder, "file.pdf"), launching);
  expect(await inspectPdf(join(folder, "file.pdf"), { rewrite: true })).toEqual(active);
});

test("repairable damage is accepted", async () => {
  const text = (await readFile(join(fixtures, "one-page.pdf"))).toString("latin1");
  for (const damaged of [
    text.replace(/startxref\s+\d+/, "startxref\n7"),
    text.replace(/(?<=xref\n)0 6/, "0 5"),
    text.slice(0, text.indexOf("startxref")),
    `${text}${"\n".repeat(5000)}<!-- sent by a mail program -->`,
  ]) {
    expect(await inspect(Buffer.from(damaged, "latin1"))).toEqual(plain);
  }
});

const script = "<< /Type /Action /S /JavaScript /JS (app.alert\\(1\\)) >>";
const launch = "<< /Type /Action /S /Launch /F (calc.exe) >>";
const annotation = (entries: string) =>
  `<< /Type /Annot /Rect [0 0 99 99] /P 3 0 R ${entries} /A 7 0 R >>`;

test.each<[string, Parameters<typeof makePdf>[0]]>([
  ["a script when it is opened", { catalog: "/OpenAction 6 0 R", objects: [script] }],
  ["a script written in place", { catalog: `/OpenAction ${script}` }],
  [
    "a script under an escaped name",
    { catalog: "/OpenAction << /S /J#61vaScript /J#53 (app.alert\\(1\\)) >>" },
  ],
  [
    "a script by name",
    { catalog: "/Names << /JavaScript << /Names [(a) 6 0 R] >> >>", objects: [script] },
  ],
  ["a script as it closes", { catalog: "/AA << /WC 6 0 R >>", objects: [script] }],
  ["a script of a page", { page: "/AA << /O 6 0 R >>", objects: [script] }],
  [
    "a script after another action",
    { catalog: "/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next [6 0 R] >>", objects: [script] },
  ],
  [
    "a script of a field",
    {
      catalog: "/AcroForm << /Fields [6 0 R] >>",
      page: "/Annots [6 0 R]",
      objects: [
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [0 0 9 9] /AA << /K 7 0 R >> >>",
        script,
      ],
    },
  ],
  [
    "a script as a stream",
    {
      catalog: "/OpenAction << /S /JavaScript /JS 6 0 R >>",
      objects: [streamObject(Buffer.from("app.alert(1)"))],
    },
  ],
  [
    "a link that launches",
    { page: "/Annots [6 0 R]", objects: [annotation("/Subtype /Link"), launch] },
  ],
  [
    "a bookmark that launches",
    {
      catalog: "/Outlines 6 0 R",
      objects: [
        "<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>",
        "<< /Title (Work) /Parent 6 0 R /A 8 0 R >>",
        launch,
      ],
    },
  ],
  [
    "an embedded file",
    {
      catalog: "/Names << /EmbeddedFiles << /Names [(a) 6 0 R] >> >>",
      objects: [
        "<< /Type /Filespec /F (a.exe) /EF << /F 7 0 R >> >>",
        streamObject(Buffer.from("MZ"), "/Type /EmbeddedFile"),
      ],
    },
  ],
  [
    "a file pinned to the page",
    {
      page: "/Annots [6 0 R]",
      objects: [annotation("/Subtype /FileAttachment /FS 7 0 R"), "<< /EF << /F 4 0 R >> >>"],
    },
  ],
  [
    "a form of scripts",
    {
      catalog: "/AcroForm << /Fields [] /XFA 6 0 R >>",
      objects: [streamObject(Buffer.from("<xdp:xdp/>"))],
    },
  ],
])("%s makes a document active", async (_what, parts) => {
  expect(await inspect(makePdf(parts))).toEqual(active);
});

test("active content is found in object streams, even encrypted ones", async () => {
  const names = await readdir(join(fixtures, "active"));
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    const bytes = await readFile(join(fixtures, "active", name));
    expect(bytes.includes("/JavaScript"), name).toBe(false);
    expect(await inspect(bytes), name).toEqual(active);
  }
});

test("a document that only mentions scripts is not active", async () => {
  const words = "(HTML \\\\\\(/JavaScript\\) /JS /Launch /EF)";
  const document = makePdf({
    content: `BT /F1 12 Tf 72 720 Td ${words} Tj ET`,
    catalog: `/Lang ${words} /OpenAction [3 0 R /Fit]`,
    page: "/Annots [6 0 R]",
    objects: [
      annotation(`/Subtype /Link /Contents ${words}`),
      "<< /S /URI /URI (https://example.com/JavaScript/JS) >>",
    ],
    trailer: `/Info << /Title ${words} >>`,
  });
  expect(await inspect(document)).toEqual(plain);
});
