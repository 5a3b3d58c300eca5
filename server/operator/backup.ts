import { join, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { renderProcess } from "../../app/files/render/render-process.server.ts";
import type { FileStore } from "../../app/files/store.server.ts";
import { formatBytes } from "../../app/files/rules.ts";
import {
  createAnnotatedPdfs,
  createAnnotateProcess,
} from "../../app/annotations/annotated-pdf/annotated-pdfs.server.ts";
import { createMailTransport } from "../../app/mail/transport.server.ts";
import { isDiskFull } from "../../app/platform/errors.ts";
import type { Config } from "../../app/platform/config.server.ts";
import { recordAuditEvents } from "../../app/platform/audit.server.ts";
import {
  type Database,
  waitForDatabase,
  openDatabase,
  taskLimits,
} from "../../app/platform/database.server.ts";
import { openLeases } from "../../app/platform/leases.server.ts";
import { createLog } from "../../app/platform/log.server.ts";
import { startTasks } from "../../app/platform/tasks.server.ts";
import { countNoun } from "../../app/platform/count-noun.ts";
import { openPartials, openStore } from "../process/open-files.ts";
import { createPayments } from "../services/services.ts";
import { createTasks } from "../services/tasks.ts";
import { parseWholeNumber } from "./arguments.ts";
import { addRemovals, applyRemovalsAgain } from "./backup/removals.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { verifyBackup } from "./backup/verify-backup.ts";
import { type BackupOptions, writeBackup } from "./backup/write-backup.ts";
import type { Answer, Bare, Choose } from "./command.ts";
import { formatReason } from "./doctor/finding.ts";

export function addBackupCommands(program: Command, choose: Choose): void {
  program
    .command("backup")
    .description("write all rows and files to a folder, while the product runs")
    .argument("<folder>", "can contain earlier backups; their files are not copied again")
    .option("--keep <n>", "keep only the newest n backups", parseWholeNumber)
    .option(
      "--without-sessions",
      "leave out sessions; everyone logs in again after a restore",
      false,
    )
    .action((folder, options) => choose.bare((bare) => runBackup(bare, resolve(folder), options)));
  program
    .command("removals")
    .description("add closed accounts and removed contacts to the list beside the backups")
    .argument("<folder>", "the folder given to backup")
    .action((folder) => choose(({ app }) => writeRemovals(app.db, resolve(folder))));
  program
    .command("restore")
    .description("fill an empty database and an empty store from a backup")
    .argument("<folder>", "the folder given to backup")
    .option("--at <name>", "a backup in the folder other than the newest")
    .option("--dry-run", "check that it can be restored, without changing anything", false)
    .action((folder, options) => choose.bare((bare) => restore(bare, resolve(folder), options)));
}

async function writeRemovals(db: Database, folder: string): Promise<Answer> {
  const added = await addRemovals(db, folder);
  return { text: `Added ${countNoun(added, "line")}.`, data: { added } };
}

async function runBackup(bare: Bare, folder: string, options: BackupOptions): Promise<Answer> {
  const { tables, files, copied, lost, deleted, ...summary } = await withPlace(
    bare,
    async (place) => {
      const backup = await writeBackup(
        { ...place, logProgress: bare.logProgress },
        folder,
        options,
      ).catch((error: unknown) => {
        throw isDiskFull(error) ? new Error(formatDiskFull(folder), { cause: error }) : error;
      });
      await recordBackup(place, backup.name, bare.logProgress);
      await withDatabase(place, (db) => addRemovals(db, folder));
      return backup;
    },
  );
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const { name, missing } = summary;
  const sentences = [
    `${join(folder, name)} has ${countNoun(rows, "row")} of ${tables.length} tables and ${countNoun(files.count, "file")} (${formatBytes(files.bytes)}), ${copied.reused} of them from earlier backups.`,
    ...deleted.map((old) => `Deleted the old backup ${old}.`),
    ...missing.map(({ bucket, path }) =>
      lost.some((file) => file.bucket === bucket && file.path === path)
        ? `${bucket}/${path} is lost: a row refers to it, but the store doesn't have it.`
        : `${bucket}/${path} was deleted during the backup.`,
    ),
  ];
  return {
    text: sentences.join("\n"),
    data: {
      folder,
      ...summary,
      forgotten: deleted,
      tables,
      files: { ...files, reused: copied.reused },
      lost,
    },
    failed: lost.length > 0,
  };
}

/** Records the backup in the history. The backup is valid even if this fails, as it can on older tables. */
async function recordBackup(
  { databaseUrl }: Place,
  name: string,
  logProgress: (line: string) => void,
): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, { max: 1, limits: taskLimits });
  const subject = { type: "product", id: name };
  await recordAuditEvents(db, [{ actor: "operator", event: "backup.write", subject }])
    .catch((error: unknown) =>
      logProgress(`Could not record it in the history: ${formatReason(error)}`),
    )
    .finally(close);
}

const formatDiskFull = (folder: string) =>
  `The disk of ${folder} is full. Nothing was backed up, and earlier backups are unchanged.`;

async function restore(
  bare: Bare,
  folder: string,
  { at, dryRun }: { at?: string | undefined; dryRun: boolean },
): Promise<Answer> {
  const verified = await verifyBackup(folder, at ?? null, bare.logProgress);
  await withPlace(bare, ({ config, databaseUrl, store }) => {
    const prepareTasks = () => createQueues(config, databaseUrl);
    return restoreBackup(
      { databaseUrl, store, prepareTasks, logProgress: bare.logProgress },
      verified,
      { dryRun },
    );
  });
  const repeated = dryRun
    ? 0
    : await withPlace(bare, (place) =>
        withDatabase(place, (db) => applyRemovalsAgain(db, place.config, folder)),
      );
  const { at: backedUpAt, files, tables, missing } = verified.manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const contents = `${countNoun(rows, "row")} and ${countNoun(files.count, "file")} from ${backedUpAt}`;
  const text = dryRun
    ? `The backup is intact: ${contents} can be restored. Nothing was changed.`
    : [
        `Restored: ${contents}.`,
        ...formatRepeated(repeated),
        ...missing.map(formatMissingFile),
        ...nextSteps,
      ].join("\n");
  return { text, data: { backup: verified.backup, at: backedUpAt, rows, files, missing, dryRun } };
}

const formatRepeated = (repeated: number) =>
  repeated > 0
    ? [`Closed again: ${countNoun(repeated, "account")}, closed since that backup.`]
    : [];

const formatMissingFile = ({ bucket, path }: { bucket: string; path: string }) =>
  `Not in the backup: ${bucket}/${path}. A row may refer to it.`;

const nextSteps = [
  "Now run doctor, then reconcile, which finds payments that were settled after the backup.",
  "Check mail queue: email that was queued then is sent when the product starts, perhaps again.",
  "Then start the product: npm start",
];

async function withDatabase<T>(
  { databaseUrl }: Place,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const { db, close } = openDatabase(databaseUrl, { max: 2, limits: taskLimits });
  return work(db).finally(close);
}

type Place = { config: Config; databaseUrl: string; store: FileStore };

/** Opens the database and the store without migrating or creating anything. */
async function withPlace<T>(bare: Bare, work: (place: Place) => Promise<T>): Promise<T> {
  const config = bare.readConfig();
  const store = await openStore(config);
  const postgres = await bare.openPostgres(config);
  try {
    await waitForDatabase(postgres.url, bare.logProgress);
    return await work({ config, databaseUrl: postgres.url, store });
  } finally {
    await postgres.stop();
  }
}

/** Creates the task queues that the product creates when it starts. */
async function createQueues(config: Config, databaseUrl: string): Promise<void> {
  const database = openDatabase(databaseUrl, { max: 2, limits: taskLimits });
  const store = await openStore(config);
  const tasks = createTasks({
    config,
    transport: createMailTransport(config),
    payments: createPayments(config, config.payu),
    store,
    partials: await openPartials(config),
    renderer: renderProcess(),
    leases: openLeases(database.db),
    pdfs: createAnnotatedPdfs({ config, store, annotator: createAnnotateProcess() }),
  });
  try {
    const stop = await startTasks(database, tasks, createLog("silent"), { work: false });
    await stop();
  } finally {
    await database.close();
  }
}
