import { createHash } from "node:crypto";
import { cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RenderedPage } from "../../../app/files/render/render-file.server.ts";
import type { RenderProcess } from "../../../app/files/render/render-process.server.ts";

type Rendered = { folder: string; pages: RenderedPage[]; missing: string | null };

/**
 * Renders each file once and copies its pages for later requests, which saves a second for each test.
 *
 * @param above the folder for the rendered pages
 */
export function renderingOnce(renderer: RenderProcess, above: string): RenderProcess {
  const known = new Map<string, Promise<Rendered>>();
  return {
    async render(job, whose, hear) {
      const bytes = createHash("sha256").update(await readFile(job.path));
      const key = `${bytes.digest("hex")}-${job.kind}-${job.after}`;
      const rendering = known.get(key) ?? renderInto(join(above, key));
      known.set(key, rendering);
      const { folder, pages, missing } = await rendering;
      await cp(folder, job.folder, { recursive: true });
      for (const page of pages) hear(page);
      return missing;

      async function renderInto(folder: string): Promise<Rendered> {
        await mkdir(folder, { recursive: true });
        const pages: RenderedPage[] = [];
        const missing = await renderer.render({ ...job, folder }, whose, (page) => {
          pages.push(page);
        });
        return { folder, pages, missing };
      }
    },
    close: () => renderer.close(),
  };
}
