import { join, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { renderProcess } from "../../app/files/render/render-process.server.ts";
import type { FileStore } from "../../app/files/store.server.ts";
import { formatBytes } from "../../app/files/rules.ts";
import { createMailTransport } from "../../app/mail/transport.server.ts";
import { isDiskFull } from "../../app/platform/errors.ts";
import type { Config } from "../../app/platform/config.server.ts";
import { recordAuditEvents } from "../../app/platform/audit.server.ts";
import { waitForDatabase, openDatabase, taskLimits } from "../../app/platform/database.server.ts";
import { createLog } from "../../app/platform/log.server.ts";
import { startTasks } from "../../app/platform/tasks.server.ts";
import { openPartials, openStore } from "../process/open-files.ts";
import { createPayments } from "../services/services.ts";
import { createTasks } from "../services/tasks.ts";
import { parseWholeNumber } from "./arguments.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { verifyBackup } from "./backup/verify-backup.ts";
import { type BackupOptions, writeBackup } from "./backup/write-backup.ts";
import type { Answer, Bare, Choose } from "./command.ts";
import { formatReason } from "./doctor/finding.ts";

/** Everything that the product holds, in a folder and back. */
export function addBackupCommands(program: Command, choose: Choose): void {
  program
    .command("backup")
    .description("write all rows and files into a folder, while the product runs")
    .argument("<folder>", "may hold earlier backups, whose files are not copied again")
    .option("--keep <n>", "delete older ones, but for the newest n", parseWholeNumber)
    .option("--without-sessions", "nobody is signed in after a restore", false)
    .action((folder, options) => choose.bare((bare) => write(bare, resolve(folder), options)));
  program
    .command("restore")
    .description("fill an empty database and an empty store from a backup")
    .argument("<folder>", "the one that was given to backup")
    .option("--at <name>", "another backup in the folder than the newest")
    .option("--dry-run", "look whether it could be restored, and change nothing", false)
    .action((folder, options) => choose.bare((bare) => restore(bare, resolve(folder), options)));
}

async function write(bare: Bare, folder: string, options: BackupOptions): Promise<Answer> {
  const { tables, files, copied, lost, ...written } = await withPlace(bare, async (place) => {
    const made = await writeBackup({ ...place, say: bare.say }, folder, options).catch(
      (error: unknown) => {
        throw isDiskFull(error) ? new Error(formatNoRoom(folder), { cause: error }) : error;
      },
    );
    await recordInHistory(place, made.name, bare.say);
    return made;
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const { name, missing, forgotten } = written;
  const sentences = [
    `${join(folder, name)} has ${rows} rows of ${tables.length} tables and ${files.count} files (${formatBytes(files.bytes)}), ${copied.reused} of them from earlier backups.`,
    ...forgotten.map((old) => `${old} was deleted.`),
    ...missing.map(({ bucket, path }) =>
      lost.some((file) => file.bucket === bucket && file.path === path)
        ? `${bucket}/${path} is lost: a row names it, and the store has no such file.`
        : `${bucket}/${path} was deleted meanwhile.`,
    ),
  ];
  return {
    text: sentences.join("\n"),
    data: { folder, ...written, tables, files: { ...files, reused: copied.reused }, lost },
    failed: lost.length > 0,
  };
}

/** A backup is one whether or not the history can say so: tables may be of an earlier version. */
async function recordInHistory(
  { databaseUrl }: Place,
  name: string,
  say: (line: string) => void,
): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, { max: 1, limits: taskLimits });
  const subject = { type: "product", id: name };
  await recordAuditEvents(db, [{ actor: "operator", event: "backup.write", subject }])
    .catch((error: unknown) => say(`The history does not tell of it: ${formatReason(error)}`))
    .finally(close);
}

const formatNoRoom = (folder: string) =>
  `There is no room left in ${folder}: nothing was backed up. Earlier backups are as they were.`;

async function restore(
  bare: Bare,
  folder: string,
  { at, dryRun }: { at?: string | undefined; dryRun: boolean },
): Promise<Answer> {
  const sound = await verifyBackup(folder, at ?? null, bare.say);
  await withPlace(bare, ({ config, databaseUrl, store }) => {
    const prepareTasks = () => createQueues(config, databaseUrl);
    return restoreBackup({ databaseUrl, store, prepareTasks, say: bare.say }, sound, { dryRun });
  });
  const { at: moment, files, tables, missing } = sound.manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const what = `${rows} rows and ${files.count} files of ${moment}`;
  const text = dryRun
    ? `The backup is sound: ${what} could be restored. Nothing was changed.`
    : [`Restored: ${what}.`, ...missing.map(formatMissingFile), ...nextSteps].join("\n");
  return { text, data: { backup: sound.backup, at: moment, rows, files, missing, dryRun } };
}

const formatMissingFile = ({ bucket, path }: { bucket: string; path: string }) =>
  `Not in the backup: ${bucket}/${path}, which a row may name.`;

const nextSteps = [
  "Now run doctor, then reconcile: it asks about payments that were settled after the backup.",
  "Look at mail queue: what waited then goes out, perhaps for a second time, once the product starts.",
  "Then start the product: npm start",
];

type Place = { config: Config; databaseUrl: string; store: FileStore };

/** Opens the database and the store as they are, without migrating or creating anything. */
async function withPlace<T>(bare: Bare, work: (place: Place) => Promise<T>): Promise<T> {
  const config = bare.readConfig();
  const store = await openStore(config);
  const postgres = await bare.openPostgres(config);
  try {
    await waitForDatabase(postgres.url, bare.say);
    return await work({ config, databaseUrl: postgres.url, store });
  } finally {
    await postgres.stop();
  }
}

/** The queues of every task, as the product makes them when it starts. */
async function createQueues(config: Config, databaseUrl: string): Promise<void> {
  const database = openDatabase(databaseUrl, { max: 2, limits: taskLimits });
  const tasks = createTasks({
    config,
    transport: createMailTransport(config),
    payments: createPayments(config, config.payu),
    store: await openStore(config),
    partials: await openPartials(config),
    renderer: renderProcess(),
  });
  try {
    const stop = await startTasks(database, tasks, createLog("silent"), { work: false });
    await stop();
  } finally {
    await database.close();
  }
}
