import { execFileSync, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { packed } from "../../../tests/support/documents/hostile-files.ts";
import { withMemory } from "../../../tests/support/product/memory.ts";
import { joinPdf, makePdf, streamObject } from "../../../tests/support/documents/pdf.ts";
import { hour } from "../../platform/clock.ts";
import { type DocumentProcess, createDocumentProcess } from "./document-process.server.ts";
import { fileProblems } from "../finding.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { slowCases } from "../../../tests/support/inventory/selection.ts";

const fixtures = join(import.meta.dirname, "../../../tests/fixtures/files");
const resume = join(fixtures, "resume.pdf");
const folder = ownFolder();

function start(options?: Parameters<typeof createDocumentProcess>[0]): DocumentProcess {
  const started = createDocumentProcess(options);
  onTestFinished(() => started.close());
  return started;
}

async function saveFile(name: string, content: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const pdfJob = (path: string) => ({ kind: "pdf" as const, path, originalName: "resume.pdf" });
const plain = { kind: "pdf", active: false };

/** Lists child processes that run a program. */
function running(program: string, parent = process.pid): { pid: number }[] {
  const listed = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return listed
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? [])
    .filter(([, , of, args]) => Number(of) === parent && args?.includes(program))
    .map(([, pid]) => ({ pid: Number(pid) }));
}

test("each document is inspected in its own process", async () => {
  const documents = start();
  expect(await documents.inspect(pdfJob(resume), "asha")).toEqual(plain);
  for (const kind of ["doc", "docx"] as const) {
    const job = { kind, path: join(fixtures, `resume.${kind}`), originalName: `cv.${kind}` };
    expect(await documents.inspect(job, "asha")).toEqual({ kind });
  }
  expect(running("document-child")).toEqual([]);
});

/** Writes a program to run instead of the inspection. */
function program(name: string, lines: string): Promise<string> {
  return saveFile(name, `process.on("disconnect", () => process.exit());\n${lines}`);
}

test("documents are inspected one at a time, and uploaders take turns", async () => {
  const documents = start({
    program: await program(
      "slow.mjs",
      `process.on("message", () => setTimeout(() => process.send({ finding: null }), 50));`,
    ),
  });
  const done: string[] = [];
  const ask = async (who: string) => {
    await documents.inspect(pdfJob(resume), who);
    expect(running("slow.mjs").length).toBeLessThanOrEqual(1);
    done.push(who);
  };
  const many = Array.from({ length: 6 }, () => ask("ravi"));
  await Promise.all([...many, ask("asha"), ask("sonia")]);
  expect(done).toEqual(["ravi", "ravi", "asha", "sonia", "ravi", "ravi", "ravi", "ravi"]);
});

test("a killed process fails only its own document", async () => {
  const documents = start({
    program: await program(
      "once.mjs",
      `process.on("message", ({ path }) => path === "stay" || process.send({ finding: null }));
       setInterval(() => {}, 1000);`,
    ),
  });
  const killed = documents.inspect(pdfJob("stay"), "asha");
  const next = documents.inspect(pdfJob(resume), "ravi");
  await expect.poll(() => running("once.mjs").length).toBe(1);
  process.kill(running("once.mjs")[0]!.pid, "SIGKILL");
  await expect(killed).rejects.toThrow("SIGKILL");
  expect(await next).toBeNull();
});

test("a process that hangs is killed at the deadline", async () => {
  const documents = start({
    deadline: 300,
    program: await program("hangs.mjs", `process.on("message", () => { for (;;); });`),
  });
  expect(await documents.inspect(pdfJob(resume), "asha")).toEqual({
    kind: "pdf",
    problem: fileProblems.slow,
  });
  expect(running("hangs.mjs")).toEqual([]);
});

test("closing ends the current job and refuses waiting ones", async () => {
  const documents = start({ program: await program("waits.mjs", "setInterval(() => {}, 1000);") });
  const both = ["asha", "ravi"].map((who) => documents.inspect(pdfJob(resume), who));
  const rejections = Promise.all(both.map((one) => expect(one).rejects.toThrow()));
  await documents.close();
  await rejections;
  expect(running("waits.mjs")).toEqual([]);
  await expect(documents.inspect(pdfJob(resume), "asha")).rejects.toThrow("shutting down");
});

test("a document that crashes the engine is rewritten once", async () => {
  const documents = start({
    program: await program(
      "crashes.mjs",
      `process.on("message", ({ path, rewrite }) => {
         const isOpened = rewrite && path !== "never";
         process.send({
           finding: isOpened
             ? { kind: "pdf", active: false }
             : { kind: "pdf", problem: "crashed", crashed: true },
         });
       });`,
    ),
  });
  expect(await documents.inspect(pdfJob("once"), "asha")).toEqual(plain);
  expect(await documents.inspect(pdfJob("never"), "asha")).toMatchObject({ problem: "crashed" });
});

/** Creates a file whose bytes never arrive. */
async function silentFile(name: string): Promise<string> {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  return path;
}

test("the product itself never reads a document, and an inspection that hangs is killed", async () => {
  const documents = start({ deadline: 1000 });
  const job = pdfJob(await silentFile("silent.pdf"));
  expect(await documents.inspect(job, "asha")).toEqual({ kind: "pdf", problem: fileProblems.slow });
  expect(running("document-child")).toEqual([]);
});

test("the child process ends with its parent, even a killed one", async () => {
  const job = JSON.stringify(pdfJob(await silentFile("endless.pdf")));
  const product = spawn(process.execPath, [
    "--input-type=module",
    "--eval",
    `import { createDocumentProcess } from "./app/files/inspect/document-process.server.ts";
     await createDocumentProcess().inspect(${job}, "asha");`,
  ]);
  const child = () => running("document-child", product.pid);
  await expect.poll(() => child().length).toBe(1);
  const [{ pid } = { pid: 0 }] = child();
  product.kill("SIGKILL");
  await expect.poll(() => isRunning(pid)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const megabyte = 1_048_576;

/** Creates a document of one page with this content. Further objects start at 5, and `/X` draws the first. */
function pageOf(content: Buffer, more: Buffer[] = []): Buffer {
  const page = "/Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R";
  return joinPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< ${page} /Resources << /XObject << /X 5 0 R >> >> >>`,
    content,
    ...more,
  ]);
}

/** Creates form objects that each draw the next ten times. */
function formsInForms(depth: number): Buffer[] {
  return Array.from({ length: depth }, (_, index) =>
    streamObject(
      Buffer.from("/X Do ".repeat(10)),
      `/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${index + 6} 0 R >> >>`,
    ),
  );
}

/** Creates a page tree in which each node is the only child of the one before. */
function deepTree(depth: number): Buffer {
  const nodes = Array.from(
    { length: depth },
    (_, index) => `<< /Type /Pages /Kids [${index + 3} 0 R] /Count 1 /Parent ${index + 1} 0 R >>`,
  );
  const page = `<< /Type /Page /Parent ${depth + 1} 0 R /MediaBox [0 0 9 9] >>`;
  return joinPdf(["<< /Type /Catalog /Pages 2 0 R >>", ...nodes, page]);
}

/** Creates a page tree in which each node is ten times the child of the one before. */
function repeatedTree(depth: number): Buffer {
  const nodes = Array.from({ length: depth }, (_, index) => {
    const kids = `${index + 3} 0 R `.repeat(10);
    return `<< /Type /Pages /Kids [${kids}] /Count ${10 ** (depth - index)} >>`;
  });
  const page = `<< /Type /Page /Parent ${depth + 1} 0 R /MediaBox [0 0 9 9] >>`;
  return joinPdf(["<< /Type /Catalog /Pages 2 0 R >>", ...nodes, page]);
}

const gigabyte = (text: string) => packed([Buffer.alloc(megabyte, text), 1000]);
const objects = (count: number) =>
  Array.from({ length: count }, (_, index) => `<< /A ${index + 7} 0 R >>`);

const oversized = { kind: "pdf", problem: fileProblems.oversized };
const incomplete = { kind: "pdf", problem: fileProblems.incomplete };

test.each<[string, () => Buffer, object]>([
  [
    "a page of a gigabyte of lines",
    () => pageOf(streamObject(gigabyte("0 0 m 1 1 l S\n"), "/Filter /FlateDecode")),
    oversized,
  ],
  [
    "a page that unpacks twice",
    () => pageOf(streamObject(deflateSync(gigabyte("\0")), "/Filter [/FlateDecode /FlateDecode]")),
    oversized,
  ],
  // Covered by "a page that unpacks twice".
  ...slowCases<[string, () => Buffer, object]>([
    [
      "pictures in pictures, ten times each",
      () => pageOf(streamObject(Buffer.from("/X Do")), formsInForms(12)),
      oversized,
    ],
    [
      "a million objects",
      () => makePdf({ catalog: "/A 6 0 R", objects: objects(1_000_000) }),
      oversized,
    ],
  ]),
  ["pages a hundred thousand levels down", () => deepTree(100_000), incomplete],
  ["the same page a thousand million times", () => repeatedTree(9), incomplete],
  [
    "lists in lists, a million deep",
    () => makePdf({ catalog: `/A ${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}` }),
    plain,
  ],
])("%s stay within the memory and time limits", async (name, make, found) => {
  const documents = start({ deadline: hour });
  const path = await saveFile(`${name}.pdf`, make());
  const [inspected, most] = await withMemory(() => documents.inspect(pdfJob(path), "asha"));
  expect(inspected).toEqual(found);
  expect(most, "MB").toBeGreaterThan(0);
  expect(most, "MB").toBeLessThan(900);
});

test("a document of 50 MB is inspected", async () => {
  const documents = start();
  const streams = Array.from({ length: 25 }, () => streamObject(Buffer.alloc(2 * megabyte, "ab")));
  const references = streams.map((_, index) => `${index + 6} 0 R`).join(" ");
  const bytes = makePdf({ catalog: `/A [${references}]`, objects: streams });
  expect(bytes.length).toBeGreaterThan(50 * megabyte);
  const path = await saveFile("large.pdf", bytes);
  expect(await documents.inspect(pdfJob(path), "asha")).toEqual(plain);
});
