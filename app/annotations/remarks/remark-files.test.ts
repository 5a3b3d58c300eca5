import { expect, test } from "vitest";
import { formatRemarksCsv, formatRemarksJson } from "./remark-files.server.ts";

const sources = {
  resume: "https://naksha.example.in/files/resumes/a.pdf",
  portfolio: null,
  images: [{ id: "picture", href: null }],
};

const remark = {
  id: "11111111-1111-4111-8111-111111111111",
  number: 4,
  target: { kind: "page", part: "resume", page: 2 },
  area: { x: 0.1, y: 0.2, width: 0.5, height: 0.0512 },
  severity: "must",
  criterion: "impact",
  text: "=Say what\ncame of it.",
  quote: "Responsible for",
  suggestion: "Led",
  rank: 1,
  version: 3,
} as const;

test("a remark is a W3C annotation of an area on a page, with its quote", () => {
  expect(JSON.parse(formatRemarksJson([remark], sources))).toEqual({
    "@context": "http://www.w3.org/ns/anno.jsonld",
    type: "AnnotationPage",
    items: [
      {
        id: "urn:uuid:11111111-1111-4111-8111-111111111111",
        type: "Annotation",
        motivation: "assessing",
        body: [
          {
            type: "TextualBody",
            value: "=Say what\ncame of it.",
            format: "text/plain",
            purpose: "assessing",
          },
          { type: "TextualBody", value: "Led", format: "text/plain", purpose: "editing" },
          { type: "TextualBody", value: "Must fix", format: "text/plain", purpose: "tagging" },
          {
            type: "TextualBody",
            value: expect.stringMatching(/\w/),
            format: "text/plain",
            purpose: "tagging",
          },
        ],
        target: {
          source: sources.resume,
          selector: [
            {
              type: "FragmentSelector",
              conformsTo: "http://tools.ietf.org/rfc/rfc3778",
              value: "page=2",
              refinedBy: {
                type: "FragmentSelector",
                conformsTo: "http://www.w3.org/TR/media-frags/",
                value: "xywh=percent:10,20,50,5.12",
              },
            },
            { type: "TextQuoteSelector", exact: "Responsible for" },
          ],
        },
      },
    ],
  });
});

test("a remark that lost its screenshot keeps its words", () => {
  const lost = { ...remark, target: null, area: null, quote: null };
  const { items } = JSON.parse(formatRemarksJson([lost], sources)) as { items: object[] };
  expect(items[0]).toMatchObject({ target: { source: null } });
  expect(formatRemarksCsv([lost], sources)).toContain('"4","Must fix"');
});

test("the table has a row for each remark, and no cell is a formula", () => {
  const onPicture = {
    ...remark,
    number: 5,
    target: { kind: "image", imageId: "picture" },
  } as const;
  const rows = formatRemarksCsv([remark, onPicture], sources).split("\r\n");
  expect(rows).toHaveLength(4);
  expect(rows[1]).toContain(`"Resume, page 2","'=Say what\ncame of it.","Responsible for","Led"`);
  expect(rows[2]).toContain('"Screenshot 1"');
});
