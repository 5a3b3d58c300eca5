import { expect, test } from "vitest";
import { listPageNotices } from "./page-notices.server.ts";

const resume = { part: "resume", isComing: true, notice: "Preparing pages…" } as const;
const portfolio = { part: "portfolio", isComing: true, notice: "Preparing page 2 of 3…" } as const;

test("pages of two files that are being prepared are announced once", () => {
  expect(listPageNotices([resume, portfolio])).toEqual(["Preparing pages…"]);
});

test("a file whose pages cannot be shown is named beside another that is being prepared", () => {
  const failed = { part: "resume", isComing: false, notice: "This file is damaged." } as const;
  expect(listPageNotices([failed, portfolio])).toEqual([
    "Preparing pages…",
    "Resume: This file is damaged.",
  ]);
});

test("nothing is announced when every page is ready", () => {
  expect(listPageNotices([{ part: "resume", isComing: false, notice: null }])).toEqual([]);
});
