import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { makeZip, type ZipPart } from "../../../tests/support/documents/zip.ts";
import { fileProblems } from "../finding.ts";
import { inspectDocx } from "./word.server.ts";

const folder = ownFolder();

async function inspect(bytes: Buffer) {
  const path = join(folder, "resume.docx");
  await writeFile(path, bytes);
  return inspectDocx(path);
}

const transitional = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const strict = "http://purl.oclc.org/ooxml/officeDocument/relationships";
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const wordText =
  '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body/></w:document>';

function part(name: string, content: string | Buffer = declaration + wordText): ZipPart {
  return { name, content };
}

/** Creates the relationships of a package. A string is the target of the main part. */
function rels(...targets: (string | [type: string, target: string, more?: string])[]): ZipPart {
  const relationships = targets.map((one, index) => {
    const [type, target, more = ""] =
      typeof one === "string" ? ([`${transitional}/officeDocument`, one] as const) : one;
    return `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}" ${more}/>`;
  });
  const namespace = "http://schemas.openxmlformats.org/package/2006/relationships";
  const content = `${declaration}<Relationships xmlns="${namespace}">${relationships.join("")}</Relationships>`;
  return part("_rels/.rels", content);
}

const documentType =
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

function types(name: string, type = documentType): ZipPart {
  return part(
    "[Content_Types].xml",
    `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="${name}" ContentType="${type}"/></Types>`,
  );
}

const core: [string, string] = [
  "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
  "docProps/core.xml",
];
const strictText = wordText.replace(
  "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
  "http://purl.oclc.org/ooxml/wordprocessingml/main",
);

test.each<[string, Buffer]>([
  [
    "Word on the web",
    makeZip([
      types("/word/document2.xml"),
      rels([`${transitional}/officeDocument`, "/word/document2.xml"], core),
      part("word/document2.xml"),
    ]),
  ],
  [
    "SharePoint",
    makeZip(
      [
        types("/word/document22.xml"),
        rels(
          [`${transitional}/custom-properties`, "/docProps/custom.xml"],
          [`${transitional}/officeDocument`, "/word/document22.xml"],
        ),
        part("customXml/item1.xml", "<p:properties/>"),
        part("[trash]/0000.dat", Buffer.alloc(10)),
        part("word/document22.xml"),
      ],
      { zip64: true },
    ),
  ],
  [
    "Google Docs",
    makeZip(
      [
        part("word/document.xml", declaration.replace("\n", "") + wordText),
        rels("word/document.xml"),
        types("/word/document.xml"),
      ],
      { descriptors: true },
    ),
  ],
  [
    "LibreOffice",
    makeZip([
      rels(core, "word/document.xml"),
      part("word/document.xml"),
      types("/word/document.xml"),
    ]),
  ],
  [
    "an odt converter",
    makeZip([
      part("mimetype", documentType),
      part("word/document.xml"),
      rels("word/document.xml"),
      types("/word/document.xml"),
    ]),
  ],
  [
    "WPS",
    makeZip([
      part("customXml/item1.xml", "<s:customData/>"),
      types("/word/document.xml"),
      rels("word/document.xml"),
      part("word/document.xml", `\uFEFF${declaration}<!-- WPS -->\n${wordText}`),
    ]),
  ],
  [
    "Pages",
    makeZip([rels("./word/document.xml"), part("word/document.xml", wordText)], {
      descriptors: true,
    }),
  ],
  [
    "OnlyOffice",
    makeZip([types("/word/document.xml"), part("word/document.xml"), rels("word/document.xml")]),
  ],
  [
    "Word in its strict form",
    makeZip([
      rels([`${strict}/officeDocument`, "word/document.xml"]),
      part("word/document.xml", strictText),
    ]),
  ],
  [
    "a program with names of its own",
    makeZip([rels("/Content/Haupt%20teil.xml"), part("content/haupt teil.XML")]),
  ],
  [
    "a program that writes UTF-8 names",
    makeZip([rels("word/अनुभव.xml"), { ...part("word/अनुभव.xml"), flags: 1 << 11 }]),
  ],
  [
    "a program for Windows",
    makeZip([{ ...rels("word\\document.xml"), name: "_rels\\.rels" }, part("word\\document.xml")]),
  ],
  [
    "a program that writes UTF-16",
    makeZip([
      {
        ...rels("doc.xml"),
        content: Buffer.from(`\uFEFF${String(rels("doc.xml").content)}`, "utf16le"),
      },
      part("doc.xml", Buffer.from(`\uFEFF${wordText}`, "utf16le")),
    ]),
  ],
  [
    "a program that quotes otherwise",
    makeZip([
      part(
        "_RELS/.RELS",
        `<!-- <Relationship Type='${transitional}/officeDocument' Target='old.xml'/> --><r:Relationships xmlns:r='x'><r:Relationship Target='word/&#100;oc&amp;1.xml' Type='${transitional}/officeDocument'></r:Relationship></r:Relationships>`,
      ),
      part("word/doc&1.xml"),
    ]),
  ],
  ["a program without relationships", makeZip([part("word/document.xml")])],
  [
    "a template",
    makeZip([
      types("/word/document.xml", documentType.replace("document.main", "template.main")),
      rels("word/document.xml"),
      part("word/document.xml"),
    ]),
  ],
])("a document from %s is a Word document", async (_program, bytes) => {
  expect(await inspect(bytes)).toEqual({ kind: "docx" });
});

const incomplete = { kind: "docx", problem: fileProblems.incomplete };

test.each<[string, ZipPart[], object | null]>([
  ["names a part that is not there", [rels("word/document2.xml")], incomplete],
  [
    "names another part than the usual one, which is not there",
    [rels("word/document2.xml"), part("word/document.xml")],
    incomplete,
  ],
  ["names a part outside of itself", [rels("../document.xml"), part("document.xml")], incomplete],
  [
    "names a part on another computer",
    [
      rels([
        `${transitional}/officeDocument`,
        "https://example.com/a.xml",
        'TargetMode="External"',
      ]),
    ],
    incomplete,
  ],
  ["names a file", [rels("file:///etc/passwd"), part("etc/passwd")], incomplete],
  ["names a share", [rels("//server/share/a.xml"), part("server/share/a.xml")], incomplete],
  ["has a main part that is no XML", [rels("a.xml"), part("a.xml", "MZ\x90")], incomplete],
  ["is a workbook", [rels("xl/workbook.xml"), part("xl/workbook.xml", "<workbook />")], null],
  [
    "is a presentation",
    [rels("ppt/presentation.xml"), part("ppt/presentation.xml", "<p:presentation/>")],
    null,
  ],
  ["has no main part", [rels(core), part("docProps/core.xml", "<a/>")], null],
  [
    "has macros",
    [
      types("/word/document2.xml", "application/vnd.ms-word.document.macroEnabled.main+xml"),
      rels("word/document2.xml"),
      part("word/document2.xml"),
    ],
    { kind: "docx", problem: fileProblems.macros },
  ],
  [
    "loads a template",
    [
      rels("word/document2.xml"),
      part("word/document2.xml"),
      {
        ...rels([
          `${transitional}/attachedTemplate`,
          "https://example.com/a.dotm",
          'TargetMode="External"',
        ]),
        name: "word/_rels/settings2.xml.rels",
      },
    ],
    { kind: "docx", problem: fileProblems.remote },
  ],
  [
    "locks how its parts belong together",
    [{ ...rels("a.xml"), flags: 1 }, part("a.xml")],
    { kind: "docx", problem: fileProblems.password },
  ],
  [
    "grows when it is opened",
    [rels("a.xml"), part("a.xml"), part("b.bin", Buffer.alloc(20_000_000))],
    { kind: "docx", problem: fileProblems.oversized },
  ],
])("an archive that %s is classified correctly", async (_what, parts, found) => {
  expect(await inspect(makeZip(parts))).toEqual(found);
});

test("relationships and parts that attack the check are handled quickly", async () => {
  const comments = part("_rels/.rels", "<!--".repeat(250_000));
  const spaces = part("word/document.xml", " ".repeat(1_000_000));
  for (const parts of [[comments, part("word/document.xml")], [spaces]]) {
    await inspect(makeZip(parts));
  }
});
