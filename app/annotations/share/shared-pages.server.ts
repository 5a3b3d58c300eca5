import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, asc, eq, isNull } from "drizzle-orm";
import { type Context, Hono } from "hono";
import { getPicturePath } from "../../files/render/pictures.server.ts";
import { type PictureWidth, pictureWidths, rendererVersion } from "../../files/render/rendering.ts";
import type { FileStore } from "../../files/store.server.ts";
import { listKnownIds, sweepStore } from "../../files/sweep-store.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { secretLinkHeaders } from "../../platform/signed-ids.server.ts";
import { findPartFile } from "../document-pages/pages.server.ts";
import { reviewPages } from "../tables.server.ts";
import type { Area } from "../rules.ts";
import type { Part } from "../../reviews/rubric.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { findShareId } from "./find-shares.server.ts";
import { closeHairlineGaps, type HiddenArea } from "../hiding/hidden-areas.ts";
import { redactAreas } from "../hiding/redact-areas.server.ts";
import { type SharedPage, getSharedPictureName } from "./rules.ts";
import { type CopyPagesData, copyPagesTask } from "./shares.server.ts";
import { reviewShares } from "./tables.server.ts";

const top = "shares";

/** Returns the path of a shared picture in the store's area "derived". */
export function getSharedPicturePath(shareId: string, name: string): string {
  return `${top}/${shareId}/${name}`;
}

/** Copies the pages of a review for a link, without the areas that its owner hid. It is idempotent. */
export function createCopyPagesTask(store: FileStore): Task<CopyPagesData> {
  return {
    ...copyPagesTask,
    async run({ shareId }, { db }) {
      const [share] = await db
        .select({ hidden: reviewShares.hidden, review: serviceReviews })
        .from(reviewShares)
        .innerJoin(serviceReviews, eq(serviceReviews.id, reviewShares.reviewId))
        .where(and(eq(reviewShares.id, shareId), isNull(reviewShares.endedAt)));
      if (!share) return;
      const folder = await mkdtemp(join(tmpdir(), "naksha-share-"));
      try {
        const pages = await listOriginalPages(db, share.review);
        for (const [index, page] of pages.entries())
          await copyPage(store, { shareId, index, folder }, page, share.hidden);
        const shared = pages.map(({ fileId: _fileId, ...page }): SharedPage => page);
        await db.update(reviewShares).set({ pages: shared }).where(eq(reviewShares.id, shareId));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

type Original = SharedPage & { fileId: string };

async function listOriginalPages(db: Database, review: typeof serviceReviews.$inferSelect) {
  const parts: Part[] = ["resume", "portfolio"];
  const pages = await Promise.all(
    parts.map(async (part): Promise<Original[]> => {
      const location = findPartFile(review, part);
      if (!location) return [];
      const rows = await db
        .select({
          fileId: reviewPages.fileId,
          number: reviewPages.number,
          width: reviewPages.width,
          height: reviewPages.height,
          bands: reviewPages.bands,
        })
        .from(reviewPages)
        .innerJoin(storedFiles, eq(storedFiles.id, reviewPages.fileId))
        .where(
          and(
            eq(storedFiles.bucket, location.bucket),
            eq(storedFiles.path, location.path),
            eq(reviewPages.renderer, rendererVersion),
          ),
        )
        .orderBy(asc(reviewPages.number));
      return rows.map((row) => ({ part, ...row }));
    }),
  );
  return pages.flat();
}

async function copyPage(
  store: FileStore,
  { shareId, index, folder }: { shareId: string; index: number; folder: string },
  { fileId, part, number, width: pageWidth, height: pageHeight, bands }: Original,
  hidden: HiddenArea[],
): Promise<void> {
  const areas = closeHairlineGaps(
    hidden.filter((area) => area.part === part && area.page === number),
    pageWidth / pageHeight,
  );
  for (const [band, position] of bands.entries()) {
    for (const width of Object.keys(pictureWidths) as PictureWidth[]) {
      const original = await store.open(
        "derived",
        getPicturePath({ fileId, page: number, band, width }),
      );
      if (!original) throw new Error(`Page ${number} of file ${fileId} has no picture.`);
      const bytes = Buffer.from(await new Response(original.stream).arrayBuffer());
      const name = getSharedPictureName(index, band, width);
      const file = join(folder, name);
      await writeFile(file, await hideAreas(bytes, areas, position));
      await store.put("derived", getSharedPicturePath(shareId, name), file);
      await rm(file);
    }
  }
}

/** Blacks out areas in a band of a page. Without areas the picture is unchanged. */
async function hideAreas(bytes: Buffer, areas: Area[], band: { top: number; height: number }) {
  if (areas.length === 0) return bytes;
  const picture = await redactAreas(bytes, areas, band);
  return picture.webp({ quality: 80, effort: 2 }).toBuffer();
}

/** Deletes the copies of closed links. @returns their number */
export function sweepShares(db: Database, store: FileStore, before: Date): Promise<number> {
  return sweepStore(store, {
    area: "derived",
    folder: top,
    listKnown: (ids) => listKnownIds(db, reviewShares.id, ids),
    decide({ path, modifiedAt }) {
      const [, id = ""] = path.split("/");
      return modifiedAt >= before ? "keep" : { key: id };
    },
  });
}

/**
 * Serves `/shared/<token>/<page>-<band>-<width>.webp` while the link is open. Nothing is cached, so that a
 * closed link shows nothing.
 */
export function createSharedPictureRoutes(
  { config, db }: { config: Pick<Config, "secrets">; db: Database },
  store: FileStore,
): Hono {
  const routes = new Hono();
  routes.on(["GET", "HEAD"], "/:token/:name", async (context: Context, next) => {
    const { token, name } = context.req.param() as { token: string; name: string };
    if (!/^\d{1,3}-\d{1,2}-(?:large|small)\.webp$/.test(name)) return next();
    const shareId = await findShareId(db, config, token);
    const picture = shareId && (await store.open("derived", getSharedPicturePath(shareId, name)));
    if (!picture) return next();
    const { stream, size } = picture;
    const headers = {
      ...secretLinkHeaders,
      "Referrer-Policy": "no-referrer",
      "Content-Type": "image/webp",
      "Content-Length": String(size),
    };
    if (context.req.method !== "HEAD") return context.body(stream, 200, headers);
    await stream.cancel();
    return context.body(null, 200, headers);
  });
  return routes;
}
