import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makePdf, streamObject } from "../../../tests/support/documents/pdf.ts";
import { hour } from "../../platform/clock.ts";
import { type RenderProcess, renderProcess } from "./render-process.server.ts";
import { missingPages, type RenderableKind } from "./rendering.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

const fixtures = join(import.meta.dirname, "../../../tests/fixtures/files");
const above = ownFolder();

function start(options?: Parameters<typeof renderProcess>[0]): RenderProcess {
  const started = renderProcess(options);
  onTestFinished(() => started.close());
  return started;
}

async function job(kind: RenderableKind, content: string | Buffer) {
  const folder = await mkdtemp(join(above, "job-"));
  const path = typeof content === "string" ? join(fixtures, content) : join(folder, "file");
  if (typeof content !== "string") await writeFile(path, content);
  return { kind, path, folder, after: 0 };
}

/** Writes a program to run instead of the renderer. */
async function program(name: string, lines: string): Promise<string> {
  const path = join(above, name);
  await writeFile(path, `process.on("disconnect", () => process.exit());\n${lines}`);
  return path;
}

test("a document and an image are rendered in a separate process", async () => {
  const renderer = start();
  const numbers: number[] = [];
  const resume = await job("pdf", "resume.pdf");
  expect(await renderer.render(resume, "asha", ({ number }) => numbers.push(number))).toBeNull();
  expect(numbers).toEqual([1, 2]);
  expect((await readdir(resume.folder)).toSorted()).toEqual([
    "1-0-large.webp",
    "1-0-small.webp",
    "2-0-large.webp",
    "2-0-small.webp",
  ]);
  const poster = await job("image", "progressive.jpg");
  expect(await renderer.render(poster, "asha", () => {})).toBeNull();
});

test("an image of another type is not read", async () => {
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const image = await job("image", drawing);
  expect(await start().render(image, "asha", () => {})).toBe(missingPages.damaged);
  const webp = await job("image", "poster.webp");
  expect(await start().render(webp, "asha", () => {})).toBe(missingPages.damaged);
});

test("the process can write only to its folder", async () => {
  const elsewhere = join(above, "elsewhere");
  const renderer = start({
    program: await program(
      "writes.mjs",
      `import { writeFileSync } from "node:fs";
       process.on("message", ({ folder }) => {
         writeFileSync(folder + "/made", "");
         try { writeFileSync(${JSON.stringify(elsewhere)}, ""); } catch ({ code }) { process.send({ problem: code }); }
       });`,
    ),
  });
  const renderJob = await job("pdf", "resume.pdf");
  expect(await renderer.render(renderJob, "asha", () => {})).toBe("ERR_ACCESS_DENIED");
  expect(await readdir(renderJob.folder)).toEqual(["made"]);
});

test("finished pages are kept when the process is killed at its deadline", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const renderer = start({
    deadline: hour,
    program: await program(
      "hangs.mjs",
      `process.on("message", () => { process.send({ page: { number: 1 } }); setInterval(() => {}, 1000); });`,
    ),
  });
  const numbers: number[] = [];
  const renderJob = await job("pdf", "resume.pdf");
  const end = renderer.render(renderJob, "asha", ({ number }) => {
    numbers.push(number);
    vi.advanceTimersByTime(hour);
  });
  expect(await end).toBe(missingPages.slow);
  expect(numbers).toEqual([1]);
});

/** Renders the first page and crashes, then renders the others of a rewritten file. */
const crashesOnce = `process.on("message", ({ after, rewrite }) => {
  process.send({ page: { number: after + 1 } });
  process.send(rewrite ? { pageCount: 2 } : { problem: "crashed", crashed: true });
});`;

test("after an engine crash, the other pages are rendered from a rewritten file", async () => {
  const renderer = start({ program: await program("crashes-once.mjs", crashesOnce) });
  const numbers: number[] = [];
  const renderJob = await job("pdf", "resume.pdf");
  expect(await renderer.render(renderJob, "asha", ({ number }) => numbers.push(number))).toBeNull();
  expect(numbers).toEqual([1, 2]);
});

test("a rewritten file is tried once", async () => {
  const renderer = start({
    program: await program(
      "crashes.mjs",
      `process.on("message", ({ after }) => {
         process.send({ page: { number: after + 1 } });
         process.send({ problem: "crashed", crashed: true });
       });`,
    ),
  });
  const numbers: number[] = [];
  const renderJob = await job("pdf", "resume.pdf");
  expect(await renderer.render(renderJob, "asha", ({ number }) => numbers.push(number))).toBe(
    "crashed",
  );
  expect(numbers).toEqual([1, 2]);
});

// Covered by "after an engine crash, the other pages".
test("a picture that crashes the engine ends with pages or a message @slow", async () => {
  const renderJob = await job("pdf", "crashing-picture.pdf");
  const end = await start().render(renderJob, "asha", () => {});
  // The engine reads uninitialized memory, so the second try may succeed or fail.
  expect([null, missingPages.crashed]).toContain(end);
});

test("a process that ends by itself is an error, and the next file is rendered", async () => {
  const renderer = start({
    program: await program(
      "once.mjs",
      `process.on("message", ({ kind }) => kind === "pdf" ? process.exit(3) : process.send({ pageCount: 1 }));`,
    ),
  });
  const lost = renderer.render(await job("pdf", "resume.pdf"), "asha", () => {});
  const next = renderer.render(await job("image", "poster.png"), "ravi", () => {});
  await expect(lost).rejects.toThrow("its process ended (code 3)");
  expect(await next).toBeNull();
});

// Covered by "a process that ends by itself".
test("a process that can't start is an error, and the next file is rendered @slow", async () => {
  const renderer = start();
  const resume = await job("pdf", "resume.pdf");
  // A process argument can't contain this character.
  const unstartable = { ...resume, folder: "\u0000" };
  const first = renderer.render(resume, "asha", () => {});
  const lost = renderer.render(unstartable, "ravi", () => {});
  const next = renderer.render(await job("image", "poster.png"), "meera", () => {});
  await expect(lost).rejects.toThrow("Couldn't render a file");
  expect([await first, await next]).toEqual([null, null]);
  await expect(renderer.render(unstartable, "ravi", () => {})).rejects.toThrow(
    "Couldn't render a file",
  );
});

// Covered by "finished pages are kept".
test("an endless page ends at the deadline @slow", async () => {
  // Each form draws the next ten times.
  const forms = Array.from({ length: 12 }, (_, index) =>
    streamObject(
      Buffer.from("/X Do ".repeat(10)),
      `/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${index + 7} 0 R >> >>`,
    ),
  );
  const drawn = makePdf({
    page: "/Resources << /XObject << /X 6 0 R >> >>",
    content: "/X Do",
    objects: forms,
  });
  const renderJob = await job("pdf", drawn);
  const end = await start({ deadline: 5000 }).render(renderJob, "asha", () => {});
  expect([missingPages.slow, missingPages.oversized]).toContain(end);
});
