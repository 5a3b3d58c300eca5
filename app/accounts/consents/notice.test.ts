import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hindiNoticeRows, hindiNoticeVersion } from "./notice-hindi.ts";
import { noticeRows, noticeVersion } from "./notice.ts";
import { formatNoticeVersion } from "./rules.ts";

/** The hash of the rows of each version. Never change an entry: people accepted exactly that text. */
const hashes: Record<string, string> = {
  "2026-11-26": "c595c693f1edaf034bc3ce819a648a8d77f8c22898f5b20022b6fc44f6acc600",
  "2026-11-27": "bcdede81c619d05efdc74ef158270f39fd1c8b9cf17fc7e2c95e6a9a8cf1fb7f",
  "2026-11-28": "75fe21154617d989ebbe8e2107cb788f44dd10c6e83864e9f3433840145f515f",
  "2026-11-28-2": "533df93e6fc81e5f87f076c1c43d98b2c5de860683f5ec1a2e8c7be750cbaee6",
  "2026-11-28-3": "f0dee97dc755fb4a13388d32471a28488b067a5d2a0f7beba1ed5c80ebc0152f",
};

const hash = (rows: typeof noticeRows) =>
  createHash("sha256").update(JSON.stringify(rows)).digest("hex");

test("a changed text of the privacy notice has a new version", () => {
  expect(
    hashes[noticeVersion],
    `The rows of notice.ts differ from those of ${noticeVersion}. Give them the date of today as their version, and add it here.`,
  ).toBe(hash(noticeRows));
});

/** The hash of the rows in Hindi, by the version that they translate. */
const hindiHashes: Record<string, string> = {
  "2026-11-28-2": "a17f5f57695c4241d69fb9a5e0c650e86db2cb61f5cac585b4b23b626fc41761",
  "2026-11-28-3": "c063f63308f6dd9254da08459ecf84e627e4a524b0bbb85c0b50b31322bfa9f5",
};

test("the notice in Hindi has the same version and rows, and a changed text has a new version", () => {
  expect(hindiNoticeVersion).toBe(noticeVersion);
  expect(hindiNoticeRows).toHaveLength(noticeRows.length);
  expect(hindiHashes[hindiNoticeVersion], "Translate the changed rows.").toBe(
    hash(hindiNoticeRows),
  );
  for (const row of hindiNoticeRows)
    for (const text of Object.values(row)) expect(text).toMatch(/\p{Script=Devanagari}/u);
});

test("the notice is not dated after the newest entry of the changelog", () => {
  const [newest] = /(?<=^### )\d{4}-\d\d-\d\d$/m.exec(readFileSync("CHANGELOG.md", "utf8"))!;
  expect(noticeVersion.slice(0, newest.length) <= newest).toBe(true);
});

test("versions are dates, and later texts have later ones", () => {
  const versions = Object.keys(hashes);
  expect(versions).toEqual(versions.toSorted());
  expect(versions.at(-1)).toBe(noticeVersion);
  for (const version of versions) expect(version).toMatch(/^\d{4}-\d\d-\d\d(-[2-9])?$/);
});

test("a version is shown as a date", () => {
  expect(formatNoticeVersion("2026-11-26")).toBe("November 26, 2026");
  expect(formatNoticeVersion("2025-05-01")).toBe("May 1, 2025");
  expect(formatNoticeVersion("2026-11-26-2")).toBe("November 26, 2026");
  expect(formatNoticeVersion("none")).toBe("none");
});

test("each row says everything, in short sentences", () => {
  for (const row of noticeRows) {
    for (const [field, text] of Object.entries(row)) {
      expect(text.trim(), `${row.kind}: ${field}`).not.toBe("");
      for (const sentence of text.split(/[.:] /))
        expect(sentence.split(" ").length, sentence).toBeLessThanOrEqual(20);
    }
  }
});
