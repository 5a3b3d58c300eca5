import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { wrongMarks } from "../../../tests/support/page-marks.ts";
import { person } from "../../../tests/support/people.ts";
import { folder, pathOf, renderedFiles } from "../../../tests/support/rendered-files.ts";
import { testServer } from "../../../tests/support/server.ts";
import { toastsOf, visitor } from "../../../tests/support/visitor.ts";
import { renderProcess } from "../../files/render/render-process.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { minute } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { rateLimits } from "../../platform/tables.server.ts";
import { ensurePages } from "./ensure-pages.server.ts";
import { listPages, listPageTexts } from "./list-pages.server.ts";
import { renderPages } from "./render-pages.server.ts";

const dataDir = await mkdtemp(join(tmpdir(), "naksha-real-files-"));
const database = await testDatabase();
const { db } = database;
const server = await testServer(database, { DATA_DIR: dataDir });
const renderer = renderProcess();
afterAll(async () => {
  await renderer.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  await db.delete(rateLimits);
  await db.execute(sql`delete from pgboss.job where name = 'render-pages'`);
});

/** A file that somebody uploads as a portfolio, and looks at once its pages are made. */
async function uploaded(name: string, bytes: Uint8Array) {
  const owner = await person(db, "Asha Verma");
  const cookie = await server.cookieOf(owner);
  const browser = visitor(server.origin, cookie);
  const answer = await browser.sendFile("portfolio", "portfolio_review", name, bytes);
  expect(toastsOf(answer)).toMatchObject([{ kind: "success" }]);
  const [stored] = await db.select().from(storedFiles).where(eq(storedFiles.uploadedBy, owner.id));
  const bought = { resumeFilePath: null, portfolioFilePath: stored!.path };
  await ensurePages(db, bought);
  const task = renderPages({ config: { dataDir }, store: server.store, renderer });
  await task.run({ fileId: stored!.id }, { db, log: createLog("silent") });
  const [part] = await listPages(db, bought);
  const texts = await listPageTexts(db, bought, "portfolio");
  const pages = part!.pages.map((page, index) => ({
    ...page,
    text: texts[index]!,
    bands: page.bands.map((band) => ({
      ...band,
      async picture() {
        const picture = await fetch(server.origin + band.large, { headers: { cookie } });
        expect(picture.status).toBe(200);
        return Buffer.from(await picture.arrayBuffer());
      },
    })),
  }));
  return { stored: stored!, notice: part!.notice, pageCount: part!.pageCount, pages };
}

test.each(renderedFiles)(
  "$name is taken, and comes out as it looks with its words where they stand",
  { timeout: 2 * minute },
  async (file) => {
    const { stored, notice, pageCount, pages } = await uploaded(
      file.name,
      await readFile(pathOf(file)),
    );
    expect(stored).toMatchObject({ mimeType: file.mimeType, showable: true });
    expect({ notice, pageCount }).toEqual({ notice: null, pageCount: file.pages.length });
    expect(pages.map(({ number }) => number)).toEqual(file.pages.map((_, index) => index + 1));
    for (const [index, marks] of file.pages.entries())
      expect(await wrongMarks(marks, pages[index]!), `page ${index + 1}`).toEqual([]);
    expect(await readdir(join(dataDir, "rendering"))).toEqual([]);
  },
);

test("every file of the folder is tried", async () => {
  const there = (await readdir(folder)).filter((name) => name !== "make.py");
  expect(renderedFiles.map(({ name }) => name).toSorted()).toEqual(there.toSorted());
});
