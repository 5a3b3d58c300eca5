import { join } from "node:path";
import { rm } from "node:fs/promises";
import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import { users } from "../../accounts/tables.server.ts";
import type { AnnotatedPdfs } from "../../annotations/annotated-pdf/annotated-pdfs.server.ts";
import { createWorkFolder } from "../../annotations/document-pages/render-pages.server.ts";
import { formatBytes } from "../../files/rules.ts";
import type { FileStore } from "../../files/store.server.ts";
import { sweepStore } from "../../files/sweep-store.server.ts";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { day, formatShortDate, hour, now, second } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import type { Leases } from "../../platform/leases.server.ts";
import type { Log } from "../../platform/log.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { listExportedReviews, writeArchive } from "./archive.server.ts";
import { ExportReadyMail } from "./emails.tsx";
import { exportFolder, getExportPath, makeExportsTask } from "./exports.server.ts";
import { daysKept } from "./rules.ts";
import { dataExports } from "./tables.server.ts";

/** The services that making exports needs. */
type ExportParts = {
  config: Pick<Config, "dataDir" | "origin" | "product">;
  store: FileStore;
  pdfs: Pick<AnnotatedPdfs, "make">;
  leases: Leases;
};

/** After so many attempts, an hour's worth, the person has to start again. */
const maxAttempts = 12;
/** For so many attempts an export waits for pages. After that it says which review has no PDF. */
const maxAttemptsForPages = 3;

/**
 * Makes each export that is being prepared, one after the other. A lease keeps other processes away from it. After a
 * failure or a crash, the next run begins it again.
 */
export function createMakeExportsTask(parts: ExportParts): Task<object> {
  return {
    ...makeExportsTask,
    schedule: "*/5 * * * *",
    // The next scheduled run tries again.
    retries: 0,
    lostAfter: (2 * hour) / second,
    async run(_data, { db, log }) {
      let failure: unknown;
      for (const id of await listPreparing(db)) {
        const lost = new AbortController();
        const lease = await parts.leases.take(`export:${id}`, () => lost.abort());
        if (!lease) continue;
        try {
          await writeExport(parts, { db, log }, id, lost.signal);
        } catch (error) {
          failure = error;
        } finally {
          await lease.giveBack();
        }
      }
      if (failure) throw failure;
    },
  };
}

async function listPreparing(db: Database): Promise<string[]> {
  const rows = await db
    .select({ id: dataExports.id })
    .from(dataExports)
    .where(eq(dataExports.state, "preparing"))
    .orderBy(asc(dataExports.requestedAt));
  return rows.map(({ id }) => id);
}

const isPreparing = (id: string) => and(eq(dataExports.id, id), eq(dataExports.state, "preparing"));

/** Makes one export: its annotated PDFs, its file, then the row and the email that say so. */
async function writeExport(
  { config, store, pdfs }: ExportParts,
  { db, log }: { db: Database; log: Log },
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const attempt = await countAttempt(db, id);
  if (!attempt) return;
  const { userId, email, attempts } = attempt;
  if (attempts > maxAttempts) {
    await db.update(dataExports).set({ state: "failed" }).where(isPreparing(id));
    return;
  }
  const person = { id: userId, email };
  const { name } = config.product;
  const archiveParts = { db, store, pdfs, product: { name, origin: config.origin } };
  const { reviews, isComing } = await listExportedReviews(archiveParts, person);
  if (isComing && attempts <= maxAttemptsForPages) return;
  const folder = await createWorkFolder(config.dataDir);
  try {
    const target = join(folder, "export.zip");
    const { size, missing } = await writeArchive(archiveParts, { person, reviews, target, signal });
    if (missing > 0) log.warn({ export: id, missing }, "files of an export are missing");
    const path = getExportPath(id);
    // An attempt that crashed before it could say so.
    await store.delete("derived", path);
    await store.put("derived", path, target);
    await finishExport(config, db, { id, email, size });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function countAttempt(db: Database, id: string) {
  const [attempt] = await db
    .update(dataExports)
    .set({ attempts: sql`${dataExports.attempts} + 1` })
    .from(users)
    .where(and(isPreparing(id), eq(users.id, dataExports.userId)))
    .returning({
      userId: dataExports.userId,
      attempts: dataExports.attempts,
      email: users.email,
    });
  return attempt;
}

async function finishExport(
  { product, origin }: ExportParts["config"],
  db: Database,
  { id, email, size }: { id: string; email: string; size: number },
): Promise<void> {
  const readyAt = now();
  const expiresAt = new Date(readyAt.getTime() + daysKept * day);
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(dataExports)
      .set({ state: "ready", size, readyAt, expiresAt })
      .where(isPreparing(id));
    if (rowCount === 0) return;
    const until = formatShortDate(expiresAt);
    await queueMail(tx, {
      cause: `export-ready:${id}`,
      to: email,
      replyTo: product.supportEmail,
      subject: `Your data at ${product.name} is ready`,
      body: (
        <ExportReadyMail product={product} origin={origin} size={formatBytes(size)} until={until} />
      ),
    });
  });
}

/** Deletes the files of exports that have expired, or whose person is gone. @returns their number */
export async function sweepExports(db: Database, store: FileStore): Promise<number> {
  await db
    .update(dataExports)
    .set({ state: "expired" })
    .where(and(eq(dataExports.state, "ready"), lte(dataExports.expiresAt, now())));
  return sweepStore(store, {
    area: "derived",
    folder: exportFolder,
    decide: ({ path }) => ({ key: path.slice(exportFolder.length + 1, -".zip".length) }),
    async listKnown(ids) {
      const rows = await db
        .select({ id: dataExports.id })
        .from(dataExports)
        .where(
          and(
            inArray(dataExports.id, ids.filter(isUuid)),
            inArray(dataExports.state, ["preparing", "ready"]),
          ),
        );
      return new Set(rows.map(({ id }) => id));
    },
  });
}
