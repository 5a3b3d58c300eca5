import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { inArray } from "drizzle-orm";
import { createWorkFolder } from "../../app/annotations/document-pages/render-pages.server.ts";
import { renderedFiles, reviewPages } from "../../app/annotations/tables.server.ts";
import { getPicturePath } from "../../app/files/render/pictures.server.ts";
import type { RenderedPage } from "../../app/files/render/render-file.server.ts";
import { renderProcess } from "../../app/files/render/render-process.server.ts";
import {
  getPictureName,
  type PictureWidth,
  pictureWidths,
  rendererVersion,
} from "../../app/files/render/rendering.ts";
import type { FileStore } from "../../app/files/store.server.ts";
import { storedFiles } from "../../app/files/tables.server.ts";
import type { Database } from "../../app/platform/database.server.ts";

/** The sample files that the product shows as pages. */
const samples = [
  { name: "resume.pdf", kind: "pdf" },
  { name: "portfolio.pdf", kind: "pdf" },
  { name: "marked.png", kind: "image" },
] as const;

/**
 * Stores the pages of all files of the demo. Each sample is rendered once and its pictures are copied, since rendering
 * every file would take most of a minute. Files of a sample that can't be rendered are rendered when someone opens
 * them.
 *
 * @param dataDir the folder for the pictures while they are rendered
 * @param folder the folder of the sample files
 */
export async function loadDemoPages(
  tx: Database,
  store: FileStore,
  { dataDir, folder, moment }: { dataDir: string; folder: string; moment: Date },
): Promise<void> {
  const workFolder = await createWorkFolder(dataDir);
  try {
    const rendered = await Promise.all(
      samples.map((sample) => renderSample(sample, folder, workFolder)),
    );
    const pagesOf = new Map(
      rendered.flatMap((sample) => (sample ? [[sample.name, sample] as const] : [])),
    );
    const files = await tx
      .select({ id: storedFiles.id, name: storedFiles.originalName })
      .from(storedFiles)
      .where(inArray(storedFiles.originalName, [...pagesOf.keys()]));
    if (files.length === 0) return;
    const copies = files.map(({ id, name }) => ({ fileId: id, ...pagesOf.get(name)! }));
    await Promise.all(copies.flatMap((copy) => storePictures(store, copy)));
    await tx.insert(renderedFiles).values(
      copies.map(({ fileId, pages }) => ({
        fileId,
        renderer: rendererVersion,
        state: "done" as const,
        pageCount: pages.length,
        touchedAt: moment,
      })),
    );
    await tx
      .insert(reviewPages)
      .values(
        copies.flatMap(({ fileId, pages }) =>
          pages.map((page) => ({ fileId, renderer: rendererVersion, ...page })),
        ),
      );
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

type RenderedSample = { name: string; pictures: string; pages: RenderedPage[] };

async function renderSample(
  { name, kind }: (typeof samples)[number],
  folder: string,
  workFolder: string,
): Promise<RenderedSample | null> {
  const pictures = join(workFolder, name);
  await mkdir(pictures);
  const pages: RenderedPage[] = [];
  // One process for each sample, so that they are rendered at the same time.
  const renderer = renderProcess();
  const job = { kind, path: join(folder, name), folder: pictures, after: 0 };
  const problem = await renderer
    .render(job, name, (page) => void pages.push(page))
    // The demo also starts where the process can't run, such as with little memory.
    .catch(({ message }: Error) => message);
  return problem ? null : { name, pictures, pages };
}

function storePictures(
  store: FileStore,
  { fileId, pictures, pages }: { fileId: string } & RenderedSample,
): Promise<boolean>[] {
  const widths = Object.keys(pictureWidths) as PictureWidth[];
  const places = pages.flatMap(({ number, bands }) =>
    bands.flatMap((_, band) => widths.map((width) => ({ page: number, band, width }))),
  );
  return places.map((place) =>
    store.put(
      "derived",
      getPicturePath({ fileId, ...place }),
      join(pictures, getPictureName(place)),
    ),
  );
}
