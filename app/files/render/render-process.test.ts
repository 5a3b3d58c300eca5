import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makePdf, streamObject } from "../../../tests/support/documents/pdf.ts";
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

/** A program for the process that does something else than to render. */
async function program(name: string, lines: string): Promise<string> {
  const path = join(above, name);
  await writeFile(path, `process.on("disconnect", () => process.exit());\n${lines}`);
  return path;
}

test("a document and an image are rendered in a process of their own", async () => {
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

test("an image of another kind is not even read", async () => {
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const image = await job("image", drawing);
  expect(await start().render(image, "asha", () => {})).toBe(missingPages.damaged);
  const webp = await job("image", "poster.webp");
  expect(await start().render(webp, "asha", () => {})).toBe(missingPages.damaged);
});

test("the process writes into its folder and nowhere else", async () => {
  const elsewhere = join(above, "elsewhere");
  const renderer = start({
    program: await program(
      "writes.mjs",
      `import { writeFileSync } from "node:fs";
       process.on("message", ({ folder }) => {
         writeFileSync(folder + "/made", "");
         try { writeFileSync(${JSON.stringify(elsewhere)}, ""); } catch ({ code }) { process.send({ flaw: code }); }
       });`,
    ),
  });
  const given = await job("pdf", "resume.pdf");
  expect(await renderer.render(given, "asha", () => {})).toBe("ERR_ACCESS_DENIED");
  expect(await readdir(given.folder)).toEqual(["made"]);
});

test("pages that are finished are kept when the process is killed at its deadline", async () => {
  const renderer = start({
    deadline: 3000,
    program: await program(
      "hangs.mjs",
      `process.on("message", () => { process.send({ page: { number: 1 } }); setInterval(() => {}, 1000); });`,
    ),
  });
  const numbers: number[] = [];
  const given = await job("pdf", "resume.pdf");
  expect(await renderer.render(given, "asha", ({ number }) => numbers.push(number))).toBe(
    missingPages.slow,
  );
  expect(numbers).toEqual([1]);
});

/** Makes the first page, then crashes; of a file that is written again it makes the others. */
const crashesOnce = `process.on("message", ({ after, rewrite }) => {
  process.send({ page: { number: after + 1 } });
  process.send(rewrite ? { pageCount: 2 } : { flaw: "crashed", crashed: true });
});`;

test("after a crash of the engine the other pages are rendered of a file written again", async () => {
  const renderer = start({ program: await program("crashes-once.mjs", crashesOnce) });
  const numbers: number[] = [];
  const given = await job("pdf", "resume.pdf");
  expect(await renderer.render(given, "asha", ({ number }) => numbers.push(number))).toBeNull();
  expect(numbers).toEqual([1, 2]);
});

test("a file that is written again is tried once", async () => {
  const renderer = start({
    program: await program(
      "crashes.mjs",
      `process.on("message", ({ after }) => {
         process.send({ page: { number: after + 1 } });
         process.send({ flaw: "crashed", crashed: true });
       });`,
    ),
  });
  const numbers: number[] = [];
  const given = await job("pdf", "resume.pdf");
  expect(await renderer.render(given, "asha", ({ number }) => numbers.push(number))).toBe(
    "crashed",
  );
  expect(numbers).toEqual([1, 2]);
});

test("a file whose picture makes the engine crash ends with pages, or the sentence for that", async () => {
  const given = await job("pdf", "crashing-picture.pdf");
  const end = await start().render(given, "asha", () => {});
  // The engine reads memory that it has not written, so only chance says whether the second try succeeds.
  expect([null, missingPages.crashed]).toContain(end);
});

test("a process that ends by itself is a fault, and the next file is rendered", async () => {
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

test("a process that cannot be started is a fault, and the next file is rendered", async () => {
  const renderer = start();
  const resume = await job("pdf", "resume.pdf");
  // No argument of a process may hold this character.
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

test("a page that would be drawn for ever ends at the deadline", async () => {
  // Each draws the next ten times.
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
  const given = await job("pdf", drawn);
  const end = await start({ deadline: 5000 }).render(given, "asha", () => {});
  expect([missingPages.slow, missingPages.oversized]).toContain(end);
});
