import { and, desc, eq, gt, inArray, lt, or } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { lockPerson } from "../../accounts/session.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { day, formatShortDate, now } from "../../platform/clock.ts";
import { type Database, deleteRowsInSteps, isUuid } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import { queueTask } from "../../platform/tasks.server.ts";
import { formatBytes } from "../../files/rules.ts";
import type { ServedFile } from "../../files/serve-file.server.ts";
import { type ExportState, oneADay } from "./rules.ts";
import { dataExports } from "./tables.server.ts";

export const makeExportsTask = { name: "make-exports" };

/** An export on the person's page. */
export type ExportView = {
  id: string;
  state: ExportState;
  requested: string;
  /** The last day of the file. */
  until: string | null;
  /** "2.4 MB" */
  size: string | null;
};

/** Lists the actor's own exports of the last two weeks, newest first. */
export async function listOwnExports(db: Database, actor: { id: string }): Promise<ExportView[]> {
  const rows = await db
    .select()
    .from(dataExports)
    .where(eq(dataExports.userId, actor.id))
    .orderBy(desc(dataExports.requestedAt), desc(dataExports.id));
  return rows.map(({ id, state, requestedAt, expiresAt, size }) => ({
    id,
    state: state === "ready" && expiresAt! <= now() ? "expired" : state,
    requested: formatShortDate(requestedAt),
    until: expiresAt && formatShortDate(expiresAt),
    size: size === null ? null : formatBytes(size),
  }));
}

/** Finds the file of the actor's own export, as long as it is kept. */
export async function findOwnExport(
  db: Database,
  actor: { id: string },
  id: string,
  productName: string,
): Promise<ServedFile | null> {
  if (!isUuid(id)) return null;
  const [row] = await db
    .select({ size: dataExports.size, requestedAt: dataExports.requestedAt })
    .from(dataExports)
    .where(
      and(
        eq(dataExports.id, id),
        eq(dataExports.userId, actor.id),
        eq(dataExports.state, "ready"),
        gt(dataExports.expiresAt, now()),
      ),
    );
  return (
    (row && {
      bucket: "derived",
      path: getExportPath(id),
      mimeType: "application/zip",
      originalName: `${productName} data ${formatShortDate(row.requestedAt)}.zip`,
      size: row.size!,
      showable: false,
    }) ??
    null
  );
}

/** The folder of exports in the store's area "derived". */
export const exportFolder = "exports";

/** Returns the path of an export in the store's area "derived". */
export function getExportPath(id: string): string {
  return `${exportFolder}/${id}.zip`;
}

/**
 * Starts an export of the actor's own data. While one is being prepared, it starts no other.
 *
 * @throws {Conflict} within a day of the last one.
 */
export async function startOwnExport(db: Database, actor: Actor | null): Promise<void> {
  authorize(actor, "data.export");
  await db.transaction(async (tx) => {
    const created = await createExport(tx, actor.id, "person");
    if (created === "recent") throw new Conflict(oneADay);
    if (created === "preparing") return;
    await recordAuditEvents(tx, [
      { actor, event: "data.export", subject: { type: "user", id: actor.id } },
    ]);
  });
}

/**
 * Creates a row and queues the task. A person's starts wait for each other.
 *
 * @returns the row, or why there is none: one is being prepared, or the last one is less than a day old
 */
export async function createExport(
  tx: Database,
  userId: string,
  startedBy: typeof dataExports.$inferInsert.startedBy,
): Promise<{ id: string } | "preparing" | "recent"> {
  await lockPerson(tx, userId);
  const moment = now();
  const [latest] = await tx
    .select({ state: dataExports.state })
    .from(dataExports)
    .where(
      and(
        eq(dataExports.userId, userId),
        or(
          eq(dataExports.state, "preparing"),
          and(
            eq(dataExports.state, "ready"),
            gt(dataExports.requestedAt, new Date(moment.getTime() - day)),
          ),
        ),
      ),
    )
    .orderBy(desc(eq(dataExports.state, "preparing")))
    .limit(1);
  if (latest) return latest.state === "preparing" ? "preparing" : "recent";
  const [created] = await tx
    .insert(dataExports)
    .values({ userId, startedBy, requestedAt: moment })
    .returning({ id: dataExports.id });
  await queueTask(tx, makeExportsTask, {});
  return created!;
}

/** For how long a row says that the file is gone. */
const rowsKept = 14 * day;

/** Deletes the rows of old exports, whose files are deleted by then. @returns their number */
export function deleteOldExports(db: Database): Promise<number> {
  return deleteRowsInSteps(
    db,
    dataExports,
    dataExports.id,
    and(
      inArray(dataExports.state, ["expired", "failed"]),
      lt(dataExports.requestedAt, new Date(now().getTime() - rowsKept)),
    ),
  );
}
