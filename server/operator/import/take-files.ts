import { randomUUID } from "node:crypto";
import { copyFile, mkdtemp, opendir, rm, stat } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { checkContent } from "../../../app/files/inspect/check-content.server.ts";
import { createDocumentProcess } from "../../../app/files/inspect/document-process.server.ts";
import { removeLocationData } from "../../../app/files/inspect/location-data.server.ts";
import {
  type Bucket,
  buckets,
  downloadName,
  findSizeProblem,
  type UploadPurpose,
  uploadPurposes,
  uploadRules,
} from "../../../app/files/rules.ts";
import type { FileStore } from "../../../app/files/store.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { runForEach, sumOf, sumOfStream } from "../backup/backup-folder.ts";
import { alreadyImported } from "./check-rows.ts";
import { toStorePath } from "./tables.ts";

export type FilePlace = { bucket: Bucket; path: string };

/** The result for the files that rows refer to; `unnamed` counts files in the folder without a row. */
export type TakenFiles = {
  taken: number;
  there: number;
  missing: FilePlace[];
  refused: (FilePlace & { why: string })[];
  unnamed: number;
};

type NamedFile = FilePlace & {
  number: number;
  /** Its path in the import folder; null if it is missing. */
  source: string | null;
  /** Its original name; null if only the path is known. */
  name: string | null;
};

export type FileParts = { store: FileStore; logProgress: (line: string) => void };

/**
 * Checks every file that a row refers to like an upload, and saves accepted files to the store.
 *
 * @param onSaved gets each saved file, so that the caller can delete it if the import fails; null only checks
 */
export async function importFiles(
  tx: Database,
  { store, logProgress }: FileParts,
  folder: string,
  onSaved: ((place: FilePlace) => void) | null,
): Promise<TakenFiles> {
  await findFiles(tx, folder);
  await insertNamedFiles(tx);
  const result = await countFiles(tx);
  const work = await mkdtemp(join(tmpdir(), "naksha-import-"));
  const documents = Array.from({ length: availableParallelism() }, () => createDocumentProcess());
  try {
    for (let after = 0; ;) {
      const batch = await listNamed(tx, after);
      if (batch.length === 0) return result;
      const accepted: Accepted[] = [];
      await runForEach(
        batch,
        async (file) => {
          if (file.source === null) return void result.missing.push(placeOf(file));
          const copy = join(work, randomUUID());
          try {
            const inspected = await inspectCopy(
              file,
              copy,
              documents[file.number % documents.length]!,
            );
            if ("why" in inspected)
              return void result.refused.push({ ...placeOf(file), ...inspected });
            if (onSaved && !(await saveOnce(store, file, copy, onSaved)))
              return void result.refused.push({
                ...placeOf(file),
                why: "A different file has this path.",
              });
            accepted.push(inspected);
          } finally {
            await rm(copy, { force: true });
          }
        },
        documents.length,
      );
      await recordFiles(tx, accepted);
      result.taken += accepted.length;
      after = batch.at(-1)!.number;
      logProgress(`${after} files`);
    }
  } finally {
    await Promise.all(documents.map((one) => one.close()));
    await rm(work, { recursive: true, force: true });
  }
}

/** Lists the files of the folder in a temporary table, by their path in the store. */
async function findFiles(tx: Database, folder: string): Promise<void> {
  await tx.execute(sql`create temporary table import_found_files
    (bucket text, path text, source text) on commit drop`);
  for (const bucket of buckets) {
    let batch: object[] = [];
    const writeBatch = async () => {
      await tx.execute(sql`insert into import_found_files
        select * from json_populate_recordset(null::import_found_files, ${JSON.stringify(batch)}::json)`);
      batch = [];
    };
    for await (const path of listSourceFiles(join(folder, bucket), "")) {
      batch.push({ bucket, path: toStorePath(path), source: join(folder, bucket, path) });
      if (batch.length === 1000) await writeBatch();
    }
    await writeBatch();
  }
}

async function* listSourceFiles(folder: string, prefix: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for await (const entry of entries) {
    const path = prefix + entry.name;
    if (entry.isDirectory()) yield* listSourceFiles(join(folder, entry.name), `${path}/`);
    if (entry.isFile()) yield path;
  }
}

/** Includes files of rows from earlier runs, since files that were missing then may be there now. */
async function insertNamedFiles(tx: Database): Promise<void> {
  const isImported = sql`(reason is null or reason = ${alreadyImported})`;
  await tx.execute(sql`create index on import_found_files (bucket, path)`);
  await tx.execute(sql`create temporary table import_named_files on commit drop as
    select row_number() over (order by bucket, path)::integer as number, one.*,
      exists (select from stored_files where stored_files.bucket = one.bucket and stored_files.path = one.path) as there,
      (select min(source) from import_found_files as found where found.bucket = one.bucket and found.path = one.path) as source
    from (
      select distinct on (bucket, path) * from (
        select 'resumes' as bucket, resume_file_path as path, null as name, user_id as uploader, created_at
        from import_service_reviews where resume_file_path is not null and ${isImported}
        union all select 'portfolios', portfolio_file_path, null, user_id, created_at
        from import_service_reviews where portfolio_file_path is not null and ${isImported}
        union all select split_part(image_url, '/', 1), substr(image_url, strpos(image_url, '/') + 1), null, null, created_at
        from import_review_images where image_url ~ '^review-images/' and ${isImported}
        union all select split_part(file_url, '/', 1), substr(file_url, strpos(file_url, '/') + 1), file_name, null, created_at
        from import_review_files where file_url ~ '^review-files/' and ${isImported}
      ) as named order by bucket, path, created_at
    ) as one`);
  await tx.execute(sql`create index on import_named_files (number)`);
  await tx.execute(sql`create temporary table import_files on commit drop as
    select number, ''::text as mime_type, 0::bigint as size, ''::text as original_name, false as showable
    from import_named_files with no data`);
}

async function countFiles(tx: Database): Promise<TakenFiles> {
  const { rows } = await tx.execute<{ there: number; unnamed: number }>(sql`select
    (select count(*)::integer from import_named_files where there) as there,
    (select count(*)::integer from import_found_files as found where not exists
      (select from import_named_files as named where (named.bucket, named.path) = (found.bucket, found.path))) as unnamed`);
  return { taken: 0, missing: [], refused: [], ...rows[0]! };
}

async function listNamed(tx: Database, after: number): Promise<NamedFile[]> {
  const { rows } = await tx.execute<NamedFile>(sql`
    select number, bucket, path, source, name from import_named_files
    where not there and number > ${after} order by number limit 200`);
  return rows;
}

type Accepted = {
  number: number;
  mime_type: string;
  size: number;
  original_name: string;
  showable: boolean;
};

/** Inspects a copy and removes location data from it. The import folder itself is never changed. */
async function inspectCopy(
  { bucket, path, name, source, number }: NamedFile,
  copy: string,
  documents: ReturnType<typeof createDocumentProcess>,
): Promise<Accepted | { why: string }> {
  const purpose = getPurpose(bucket);
  const originalName = name ?? path.split("/").at(-1)!.replace(idPrefix, "");
  const { size } = await stat(source!);
  const tooLarge = findSizeProblem(purpose, size);
  if (tooLarge) return { why: tooLarge.description };
  await copyFile(source!, copy);
  const content = await checkContent(purpose, copy, originalName, (job) =>
    documents.inspect(job, "import"),
  );
  if (!content.ok) return { why: content.description };
  await removeLocationData(copy, content.extension, content.end);
  return {
    number,
    mime_type: content.mimeType,
    size,
    original_name: downloadName(purpose, originalName, content.extension),
    showable: content.showable,
  };
}

/** Files from staff have a random id before their name. */
const idPrefix = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}-(?=.)/i;

function getPurpose(bucket: Bucket): UploadPurpose {
  return uploadPurposes.find((purpose) => uploadRules[purpose].bucket === bucket)!;
}

/** Saves a file, or accepts an identical one from an interrupted run. */
async function saveOnce(
  store: FileStore,
  { bucket, path }: FilePlace,
  copy: string,
  onSaved: (place: FilePlace) => void,
): Promise<boolean> {
  if (await store.put(bucket, path, copy)) {
    onSaved({ bucket, path });
    return true;
  }
  const file = await store.open(bucket, path);
  return file !== null && (await sumOfStream(file.stream)) === (await sumOf(copy));
}

async function recordFiles(tx: Database, accepted: Accepted[]): Promise<void> {
  await tx.execute(sql`insert into import_files
    select * from json_populate_recordset(null::import_files, ${JSON.stringify(accepted)}::json)`);
}

/** Records the saved files, in the transaction that imports the rows. */
export async function recordTakenFiles(tx: Database): Promise<void> {
  await tx.execute(sql`
    insert into stored_files (bucket, path, uploaded_by, original_name, mime_type, size, showable, created_at)
    select bucket, path, uploader, original_name, mime_type, size, showable, created_at
    from import_files join import_named_files using (number)`);
}

function placeOf({ bucket, path }: FilePlace): FilePlace {
  return { bucket, path };
}
