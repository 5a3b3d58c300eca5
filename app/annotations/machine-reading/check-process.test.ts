import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { builtPrograms } from "../../../tests/support/documents/built-programs.ts";
import {
  circularPages,
  largeObjectStream,
  manyPages,
  packed,
} from "../../../tests/support/documents/hostile-files.ts";
import { makePdf, streamObject } from "../../../tests/support/documents/pdf.ts";
import { withMemory } from "../../../tests/support/product/memory.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { hour } from "../../platform/clock.ts";
import { createFileChecks } from "./check-process.server.ts";

const folder = ownFolder();

function start(options?: Parameters<typeof createFileChecks>[0]) {
  const checks = createFileChecks({ program: builtPrograms.fileChecks, ...options });
  onTestFinished(() => checks.close());
  return (bytes: Buffer) => checks.check(async () => ({ name: "resume.pdf", bytes }));
}

const fixture = (name: string) => readFile(join("tests/fixtures/files", name));

async function writeProgram(name: string, lines: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `process.on("disconnect", () => process.exit());\n${lines}`);
  return path;
}

/** Lists this process's children that run a program. */
function listRunning(program: string): number[] {
  const listed = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return listed
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? [])
    .filter(([, , parent, args]) => Number(parent) === process.pid && args?.includes(program))
    .map(([, pid]) => Number(pid));
}

test("a resume is read as software reads it", async () => {
  const bytes = await fixture("resume.pdf");
  const checked = await start()(bytes);
  expect(checked).toMatchObject({
    name: "resume.pdf",
    reading: { size: bytes.length, pageCount: 2, isCut: false },
  });
  const texts = checked!.reading.findings.map(({ text }) => text);
  expect(texts).toContain("All text can be selected.");
  expect(checked!.reading.pages[0]!.text).toContain("Meera");
  expect(listRunning("check-child")).toEqual([]);
});

/** A gigabyte of lines, compressed. */
const bomb = packed([Buffer.alloc(1_048_576, "0 0 m 1 1 l S\n"), 1000]);

test.each<[string, () => Buffer | Promise<Buffer>, string]>([
  ["with a password", () => fixture("password.pdf"), "This file is password-protected."],
  ["cut in its middle", async () => (await fixture("resume.pdf")).subarray(0, 25_000), "damaged"],
  ["without pages", () => manyPages(0), "This file is incomplete or damaged."],
  ["whose pages go in a circle", circularPages, "This file is incomplete or damaged."],
  ["that is a Word document", () => fixture("resume.docx"), "Save your resume as a PDF"],
  ["that is a picture", () => fixture("poster.png"), "This file is not a PDF."],
  ["that only starts like a PDF", () => Buffer.from("%PDF-1.7 hello"), "damaged"],
  ["that is a web page", () => Buffer.from("<html>%PDF-1.7"), "This file is not a PDF."],
  [
    "of 2,000 pages",
    () => manyPages(2000),
    "This file has 2000 pages. We check files of up to 60.",
  ],
  ["whose objects become a gigabyte", () => largeObjectStream(1_000_000_000), "too large"],
  [
    "with a page of a gigabyte of lines",
    () =>
      makePdf({ page: "/Contents 6 0 R", objects: [streamObject(bomb, "/Filter /FlateDecode")] }),
    "too large",
  ],
])("a file %s gets a clear message", async (_what, make, message) => {
  const check = start({ deadline: hour });
  const bytes = await make();
  const [error, most] = await withMemory(() => check(bytes).catch((reason: unknown) => reason));
  expect(error).toMatchObject({
    name: "Invalid",
    fields: { file: expect.stringContaining(message) },
  });
  expect(most, "MB").toBeLessThan(900);
  expect(listRunning("check-child")).toEqual([]);
});

test("a second file is refused while the first is received or checked", async () => {
  const checks = createFileChecks({ program: builtPrograms.fileChecks });
  onTestFinished(() => checks.close());
  const bytes = await fixture("resume.pdf");
  const received = Promise.withResolvers<{ name: string; bytes: Buffer }>();
  const first = checks.check(() => received.promise);
  const receive = async () => ({ name: "b.pdf", bytes });
  expect(await checks.check(receive)).toBeNull();
  received.resolve({ name: "a.pdf", bytes });
  expect(await checks.check(receive)).toBeNull();
  expect(await first).toMatchObject({ name: "a.pdf" });
  expect(await checks.check(receive)).toMatchObject({ name: "b.pdf" });
});

test("a file that could not be received frees the place for the next", async () => {
  const checks = createFileChecks({ program: builtPrograms.fileChecks });
  onTestFinished(() => checks.close());
  await expect(checks.check(() => Promise.reject(new Error("cut")))).rejects.toThrow("cut");
  const bytes = await fixture("resume.pdf");
  expect(await checks.check(async () => ({ name: "b.pdf", bytes }))).not.toBeNull();
});

test("a process that hangs is killed at the deadline", async () => {
  const program = await writeProgram("hangs.mjs", `process.on("message", () => { for (;;); });`);
  const check = start({ deadline: 300, program });
  await expect(check(makePdf())).rejects.toMatchObject({
    fields: { file: expect.stringContaining("This file takes too long to open.") },
  });
  expect(listRunning("hangs.mjs")).toEqual([]);
});

test("a process killed in the middle fails only its own check", async () => {
  const program = await writeProgram(
    "once.mjs",
    `process.on("message", ({ bytes }) => bytes.length > 1 && process.send({ problem: "Read." }));
     setInterval(() => {}, 1000);`,
  );
  const check = start({ program });
  const killed = check(Buffer.from("x"));
  await expect.poll(() => listRunning("once.mjs").length).toBe(1);
  process.kill(listRunning("once.mjs")[0]!, "SIGKILL");
  await expect(killed).rejects.toThrow("SIGKILL");
  await expect(check(Buffer.from("xy"))).rejects.toMatchObject({ fields: { file: "Read." } });
});

test("a file that crashes the engine is rewritten once", async () => {
  const program = await writeProgram(
    "crashes.mjs",
    `process.on("message", ({ rewrite }) =>
       process.send(rewrite ? { problem: "Twice." } : { problem: "Once.", crashed: true }));`,
  );
  await expect(start({ program })(makePdf())).rejects.toMatchObject({ fields: { file: "Twice." } });
});
