import { statfs } from "node:fs/promises";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { countUnsentMails } from "../../mail/deliver-mail.server.ts";
import { now, second } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { listFailingUses } from "../../platform/metrics.server.ts";
import { getDatabaseState, getProductVersion } from "../../platform/product-state.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { listLastRuns, queueDepths } from "../../platform/tasks.server.ts";

/** The state of the running product: versions, services and queued work. */
export type ProductFacts = Awaited<ReturnType<typeof getProductFacts>>;

/** Reads the state of the product, so that operators need no shell for it. Contains no secrets. */
export async function getProductFacts(
  db: Database,
  actor: Actor | null,
  { dataDir }: Pick<Config, "dataDir">,
) {
  authorize(actor, "product.oversee");
  const [version, database, files, free, queues, mails, runs, lastBackup] = await Promise.all([
    getProductVersion(),
    getDatabaseState(db),
    sumStoredFiles(db),
    measureFreeSpace(dataDir),
    queueDepths(db),
    countUnsentMails(db),
    listLastRuns(db),
    findLastBackup(db),
  ]);
  return {
    version,
    /** When the process that serves this request started. */
    startedAt: new Date(now().getTime() - process.uptime() * second),
    database,
    /** Sizes in bytes; free is null if unknown. */
    store: { ...files, free },
    // Queues whose names start with __ are internal to pg-boss.
    queues: queues.filter(({ queue }) => !queue.startsWith("__")),
    mails,
    runs,
    failing: listFailingUses(),
    lastBackup,
  };
}

async function sumStoredFiles(db: Database): Promise<{ files: number; bytes: number }> {
  const [row] = await db
    .select({
      files: sql`count(*)`.mapWith(Number),
      bytes: sql`coalesce(sum(${storedFiles.size}), 0)`.mapWith(Number),
    })
    .from(storedFiles);
  return row!;
}

async function measureFreeSpace(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

async function findLastBackup(db: Database): Promise<{ at: Date; name: string } | null> {
  const [event] = await db
    .select({ at: auditEvents.at, name: auditEvents.subjectId })
    .from(auditEvents)
    .where(and(eq(auditEvents.subjectType, "product"), eq(auditEvents.event, "backup.write")))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(1);
  return event ?? null;
}
