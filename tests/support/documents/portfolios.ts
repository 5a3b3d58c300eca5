import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { renderProcess } from "../../../app/files/render/render-process.server.ts";
import { storedFiles } from "../../../app/files/tables.server.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import { rateLimits } from "../../../app/platform/tables.server.ts";
import {
  ensurePages,
  listPages,
  listPageTexts,
} from "../../../app/annotations/document-pages/pages.server.ts";
import { createRenderPagesTask } from "../../../app/annotations/document-pages/render-pages.server.ts";
import { testDatabase } from "../product/database.ts";
import { builtPrograms } from "./built-programs.ts";
import { wrongMarks } from "./page-marks.ts";
import { person } from "../rows/people.ts";
import type { RenderedFile } from "./rendered-files.ts";
import { testServer } from "../product/server.ts";
import { toastsOf, visitor } from "../requests/visitor.ts";
import { whenFileEnds } from "../product/when-file-ends.ts";
import { ownFolder } from "../product/own-folder.ts";

/** Starts a server that accepts and checks portfolios and renders their pages. */
export async function portfolioServer() {
  const dataDir = ownFolder();
  const database = await testDatabase();
  const { db } = database;
  const server = await testServer(database, { DATA_DIR: dataDir }, builtPrograms);
  const { store } = server;
  const renderer = renderProcess({ program: builtPrograms.renderer });
  whenFileEnds(() => renderer.close());

  /** Uploads a file as a portfolio. @returns the messages and the rendered pages */
  async function upload(name: string, bytes: Uint8Array) {
    await db.delete(rateLimits);
    const owner = await person(db, "Asha Verma");
    const cookie = await server.cookieOf(owner);
    const browser = visitor(server.origin, cookie);
    const answer = await browser.sendFile("portfolio", "portfolio_review", name, bytes);
    const [toast] = toastsOf(answer);
    const [file] = await db.select().from(storedFiles).where(eq(storedFiles.uploadedBy, owner.id));
    if (!file) return { refusal: toast?.description ?? "", pages: [] };
    const bought = { resumeFilePath: null, portfolioFilePath: file.path };
    await ensurePages(db, bought);
    const task = createRenderPagesTask({ config: { dataDir }, store, renderer });
    await task.run({ fileId: file.id }, { db, log: createLog("silent") });
    expect(await readdir(join(dataDir, "rendering")), "left behind").toEqual([]);
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
    return { file, notice: part!.notice, pageCount: part!.pageCount, pages };
  }

  return {
    upload,
    /** Fails unless the file is accepted and every page shows its marks. */
    async expectMarks(file: RenderedFile, bytes: Uint8Array): Promise<void> {
      const { pages, ...found } = await upload(file.name, bytes);
      expect(found).toMatchObject({
        file: { mimeType: file.mimeType, showable: true },
        notice: null,
        pageCount: file.pages.length,
      });
      expect(pages.map(({ number }) => number)).toEqual(file.pages.map((_, index) => index + 1));
      for (const [index, marks] of file.pages.entries())
        expect(await wrongMarks(marks, pages[index]!), `page ${index + 1}`).toEqual([]);
    },
  };
}
