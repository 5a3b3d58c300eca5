import { randomUUID } from "node:crypto";
import { createElement } from "react";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { consumeCode } from "../../../app/accounts/second-factor/authenticator.server.ts";
import { openHalfSignIn } from "../../../app/accounts/second-factor/second-step.server.ts";
import { halfSignIns, passkeys, sessions, users } from "../../../app/accounts/tables.server.ts";
import { openSession } from "../../../app/accounts/session.server.ts";
import { createDiskStore } from "../../../app/files/disk-store.server.ts";
import { getPicturePath } from "../../../app/files/render/pictures.server.ts";
import { rendererVersion } from "../../../app/files/render/rendering.ts";
import type { FileStore } from "../../../app/files/store.server.ts";
import { storedFiles } from "../../../app/files/tables.server.ts";
import { queueMail } from "../../../app/mail/deliver-mail.server.ts";
import { mails } from "../../../app/mail/tables.server.ts";
import { recordAuditEvents } from "../../../app/platform/audit.server.ts";
import { now } from "../../../app/platform/clock.ts";
import { places } from "../../../app/jobs/places/tables.server.ts";
import {
  applyMigrations,
  type Database,
  openDatabase,
} from "../../../app/platform/database.server.ts";
import { readJournal } from "../../../app/platform/product-state.server.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import { startTasks } from "../../../app/platform/tasks.server.ts";
import { creditNotes } from "../../../app/payments/refunds/tables.server.ts";
import { invoices } from "../../../app/payments/tables.server.ts";
import { renderedFiles } from "../../../app/annotations/tables.server.ts";
import { reviewDrafts } from "../../../app/reviews/tables.server.ts";
import { loadDemo } from "../../../db/demo/load.server.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { emptyDatabase, testDatabase } from "../../../tests/support/product/database.ts";
import { orderRow } from "../../../tests/support/payments/payments.ts";
import { invoicedOrder, settledRefund } from "../../../tests/support/rows/invoices.ts";
import { type App, hasApp, sparePasskey } from "../../../tests/support/rows/factors.ts";
import { testTasks } from "../../../tests/support/product/tasks.ts";
import { runForEach, filesFile, listFiles, unfinished } from "./backup-folder.ts";
import { listKnownMigrations, applyMigrationsUpTo } from "./migrations.ts";
import { setUpDatabase } from "../../process/set-up-database.ts";
import { restoreBackup } from "./restore-backup.ts";
import { verifyBackup } from "./verify-backup.ts";
import { writeBackup } from "./write-backup.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

// A demo with every kind of data: people, reviews, emails, drafts, uploads, queued tasks.
const { db, url } = await testDatabase();
/** Excludes the queue's own scheduling tasks, which every process creates again. */
const openTasks =
  "(select * from pgboss.job where state < 'completed' and name not like '\\_\\_pgboss%')";
const logProgress = () => {};
const config = testConfig();
let app: App;
const root = ownFolder();
const store = createDiskStore(join(root, "files"));

beforeAll(async () => {
  await loadDemo(db, store, config);
  const [asha] = await db.select().from(users).where(eq(users.email, "asha@example.com"));
  await openSession(db, asha!.id);
  await openHalfSignIn(db, asha!.id);
  app = await hasApp({ db, config }, asha!);
  await sparePasskey(db, asha!);
  const refunded = await invoicedOrder(db, asha!);
  await settledRefund(db, await orderRow(db, refunded));
  await queueTestMail(db, "odd: \t tab \\ backslash, \n line, ₹ and नक्शा");
  await queueTurnOfMinute();
  const createdAt = now();
  const fileId = await upload(`${asha!.id}/1.pdf`, "what was uploaded");
  await db.insert(reviewDrafts).values({
    userId: asha!.id,
    serviceType: "resume_review",
    resumeFileId: fileId,
    createdAt,
    updatedAt: createdAt,
  });
});

async function queueTestMail(tx: Database, subject: string): Promise<void> {
  const body = createElement("p", null, subject);
  await queueMail(tx, { cause: `test:${subject}`, to: "asha@example.com", subject, body });
}

/** Queues the task that the queue schedules for itself every minute. */
async function queueTurnOfMinute(): Promise<void> {
  const clock = "__pgboss__send-it";
  await db.execute(sql`insert into pgboss.queue
    select (jsonb_populate_record(queue, ${JSON.stringify({ name: clock })}::jsonb)).*
    from pgboss.queue where name = 'deliver-mail' on conflict do nothing`);
  await db.execute(sql`insert into pgboss.job (name) values (${clock})`);
}

async function upload(path: string, content: string): Promise<string> {
  const source = join(root, randomUUID());
  await writeFile(source, content);
  await store.put("resumes", path, source);
  const facts = { originalName: "resume.pdf", mimeType: "application/pdf", size: content.length };
  const place = { bucket: "resumes", path, createdAt: now() } as const;
  const [row] = await db
    .insert(storedFiles)
    .values({ ...facts, ...place })
    .returning();
  return row!.id;
}

/** Returns every row of every table as text. */
async function rowsOf(database: Database): Promise<Record<string, string[]>> {
  const { rows: tables } = await database.execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'drizzle') order by 1`);
  const all: Record<string, string[]> = {};
  for (const name of [...tables.map((table) => table.name), openTasks]) {
    const { rows } = await database.execute<{ text: string }>(
      sql.raw(`select to_jsonb(one)::text as text from ${name} as one order by 1`),
    );
    // The restored queue has its own ids.
    all[name] = rows.map(({ text }) => text.replace(/^\{"id": \d+, "hash"/, '{"hash"'));
  }
  return all;
}

function missingFrom(all: string[] = [], rows: string[]): string[] {
  const existing = new Set(all);
  return rows.filter((row) => !existing.has(row));
}

/** Creates a new database and a new store. */
async function emptyPlace() {
  const databaseUrl = await emptyDatabase();
  const database = openDatabase(databaseUrl, { max: 3 });
  const stops: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const stop of stops) await stop();
    await database.close();
  });
  return {
    db: database.db,
    databaseUrl,
    store: createDiskStore(join(root, randomUUID())),
    logProgress,
    async prepareTasks() {
      stops.push(await startTasks(database, testTasks(), createLog("error"), { work: false }));
    },
  };
}

/** Reopens the queue, because a process has only one and an earlier restore opened its own. */
async function queueHere(): Promise<void> {
  const database = openDatabase(url, { max: 2 });
  const stop = await startTasks(database, [], createLog("error"), { work: false });
  onTestFinished(() => stop().then(database.close));
}

const forReal = { dryRun: false };

async function backupFolder(): Promise<string> {
  return mkdtemp(join(root, "backups-"));
}

type Options = Partial<Parameters<typeof writeBackup>[2]> & {
  from?: FileStore;
  progress?: () => void;
};

/** Adds a backup of the demo to a folder. */
const backUp = (
  folder: string,
  { from = store, progress = logProgress, ...options }: Options = {},
) =>
  writeBackup({ databaseUrl: url, store: from, logProgress: progress }, folder, {
    withoutSessions: false,
    ...options,
  });

const verify = (folder: string, name: string | null = null) =>
  verifyBackup(folder, name, logProgress);

/** Restores the newest backup of a folder into an empty place. */
async function restoredPlace(folder: string) {
  const place = await emptyPlace();
  await restoreBackup(place, await verify(folder), forReal);
  return place;
}

/** Creates a verified backup and an empty place for it. */
async function readyToRestore() {
  const folder = await backupFolder();
  await backUp(folder);
  return { verified: await verify(folder), place: await emptyPlace() };
}

test("a restored demo has every row and every byte", async () => {
  const folder = await backupFolder();
  const written = await backUp(folder);
  expect(written.missing).toEqual([]);
  execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], {
    cwd: join(folder, written.name),
  });

  const place = await restoredPlace(folder);
  const [before, after] = [await rowsOf(db), await rowsOf(place.db)];
  expect(Object.keys(after)).toEqual(Object.keys(before));
  for (const [table, rows] of Object.entries(before)) expect(after[table], table).toEqual(rows);
  expect(before[openTasks]).not.toEqual([]);
  let compared = 0;
  for await (const { bucket, path } of listFiles(join(folder, written.name))) {
    const [mine, theirs] = [await store.open(bucket, path), await place.store.open(bucket, path)];
    expect((await buffer(mine!.stream)).equals(await buffer(theirs!.stream)), path).toBe(true);
    compared += 1;
  }
  expect(compared).toBe(await db.$count(storedFiles));
});

test("after a restore, the serials of invoices and credit notes continue", async () => {
  const folder = await backupFolder();
  await backUp(folder);
  const place = await restoredPlace(folder);
  const next = await invoicedOrder(place.db, null);
  await settledRefund(place.db, await orderRow(place.db, next));
  for (const table of [invoices, creditNotes]) {
    const rows = await place.db.select().from(table).orderBy(table.number);
    expect(rows.map(({ number }) => number)).toEqual([1, 2]);
  }
});

test("rendered pages are not backed up, and existing ones don't prevent a restore", async () => {
  const folder = await backupFolder();
  const fileId = await upload("asha/pages.pdf", "with pages");
  const picture = join(root, "picture");
  await writeFile(picture, "a picture");
  const path = getPicturePath({ fileId, page: 1, band: 0, width: "large" });
  await store.put("derived", path, picture);
  await db
    .insert(renderedFiles)
    .values({ fileId, renderer: rendererVersion, state: "done", touchedAt: now() });
  onTestFinished(() => db.delete(renderedFiles).then(() => {}));
  const written = await backUp(folder);
  expect(written.tables.map(({ name }) => name)).not.toContain("rendered_files");
  const place = await emptyPlace();
  await place.store.put("derived", path, picture);
  await restoreBackup(place, await verify(folder), forReal);
  expect(await place.db.$count(renderedFiles)).toBe(0);
  expect(await place.db.$count(storedFiles, eq(storedFiles.id, fileId))).toBe(1);
});

// Covered by "a restored demo has every row".
test("triggers work after a restore @slow", async () => {
  const folder = await backupFolder();
  await backUp(folder);
  const place = await restoredPlace(folder);
  await place.db.execute(sql`delete from staff_roles where role = 'god_admin'`);
  const admins = await place.db.$count(users, eq(users.highestRole, "god_admin"));
  expect(admins).toBe(0);
});

// Covered by "a restored demo has every row".
test("a transaction during the backup is included completely or not at all @slow", async () => {
  const folder = await backupFolder();
  await queueHere();
  const before = await rowsOf(db);
  const writer = { isOn: true, turns: 0 };
  const writing = (async () => {
    while (writer.isOn) {
      const id = `meanwhile ${++writer.turns}`;
      await db.transaction(async (tx) => {
        await queueTestMail(tx, id);
        const subject = { type: "mail", id };
        await recordAuditEvents(tx, [{ actor: "operator", event: "mail.retry", subject }]);
      });
      await upload(`meanwhile/${writer.turns}.pdf`, id);
    }
    return await rowsOf(db);
  })();
  await expect.poll(() => writer.turns).toBeGreaterThan(3);
  await backUp(folder);
  writer.isOn = false;
  const after = await writing;

  const place = await restoredPlace(folder);
  const restored = await rowsOf(place.db);
  for (const [table, rows] of Object.entries(before))
    expect(missingFrom(restored[table], rows), table).toEqual([]);
  for (const [table, rows] of Object.entries(restored))
    expect(missingFrom(after[table], rows), table).toEqual([]);
  const count = (text: string, table: string) =>
    restored[table]!.filter((row) => row.includes(text)).length;
  const pairs = count('"test:meanwhile', "public.mails");
  expect(pairs).toBeGreaterThanOrEqual(3);
  expect(writer.turns).toBeGreaterThan(pairs);
  expect(count('"meanwhile', "public.audit_events")).toBe(pairs);
  expect(count("deliver-mail", openTasks)).toBe(pairs + 1);
});

// Covered by "--keep deletes older backups".
test("a second backup copies only new files @slow", async () => {
  const folder = await backupFolder();
  const first = await backUp(folder);
  await upload("later/1.pdf", "uploaded later");
  const second = await backUp(folder);
  expect(second.files.count).toBe(first.files.count + 1);
  expect(second.copied.reused).toBe(first.files.count);
  await verify(folder, first.name);
});

test("--keep deletes older backups and the files that only they list", async () => {
  const folder = await backupFolder();
  const alone = await upload("alone/1.pdf", "in the first backup alone");
  const first = await backUp(folder);
  await db.delete(storedFiles).where(eq(storedFiles.id, alone));
  const second = await backUp(folder);
  const third = await backUp(folder, { keep: 2 });
  expect(third.deleted).toEqual([first.name]);
  const files = await readdir(join(folder, "files"), { recursive: true });
  const sums = new Set<string>();
  for await (const { sha256 } of listFiles(join(folder, third.name))) sums.add(sha256);
  expect(new Set(files.filter((name) => name.length > 2).map((name) => name.slice(3)))).toEqual(
    sums,
  );
  await verify(folder, second.name);
  await verify(folder);
});

// Covered by "a restored demo has every row".
test("sessions can be left out of a backup @slow", async () => {
  const folder = await backupFolder();
  await backUp(folder, { withoutSessions: true });
  const place = await restoredPlace(folder);
  expect(await place.db.$count(sessions)).toBe(0);
  expect(await place.db.$count(halfSignIns)).toBe(0);
  expect(await place.db.$count(users)).toBe(await db.$count(users));
});

// Covered by "a restored demo has every row".
test("authenticator apps and passkeys work after a restore @slow", async () => {
  const folder = await backupFolder();
  await backUp(folder);
  const place = await restoredPlace(folder);
  const [asha] = await place.db.select().from(users).where(eq(users.email, "asha@example.com"));
  const method = await consumeCode(place.db, config.secondFactorKeys, asha!.id, app.code());
  expect(method).toBe("app");
  expect(await place.db.$count(passkeys)).toBe(1);
});

test("files that were deleted during the backup, and lost ones, are reported", async () => {
  const folder = await backupFolder();
  const [deleted, lost] = [
    await upload("gone/1.pdf", "deleted"),
    await upload("gone/2.pdf", "lost"),
  ];
  await store.delete("resumes", "gone/2.pdf");
  const deleting: FileStore = {
    ...store,
    async open(bucket, path) {
      if (path === "gone/1.pdf") {
        await db.delete(storedFiles).where(eq(storedFiles.id, deleted));
        await store.delete(bucket, path);
      }
      return store.open(bucket, path);
    },
  };
  const written = await backUp(folder, { from: deleting });
  expect(written.missing.map(({ path }) => path).toSorted()).toEqual(["gone/1.pdf", "gone/2.pdf"]);
  expect(written.lost).toEqual([{ bucket: "resumes", path: "gone/2.pdf" }]);
  await db.delete(storedFiles).where(eq(storedFiles.id, lost));
  await verify(folder);
});

test("a flipped byte or a missing file is detected before anything changes", async () => {
  const folder = await backupFolder();
  const { name } = await backUp(folder);
  const [sub] = (await readdir(join(folder, "files"))).toSorted();
  const [blob] = await readdir(join(folder, "files", sub!));
  const parts = ["manifest.json", "files.jsonl.gz", "rows/public.users.copy.gz", "SHA256SUMS"];
  for (const part of [...parts, `../files/${sub}/${blob}`]) {
    const path = join(folder, name, part);
    const bytes = await readFile(path);
    const middle = Math.floor(bytes.length / 2);
    const flipped = Buffer.from(bytes);
    flipped[middle] = flipped[middle]! ^ 1;
    await writeFile(path, flipped);
    await expect(verify(folder), part).rejects.toThrow("is damaged");
    await unlink(path);
    await expect(verify(folder), part).rejects.toThrow(part.replace("../", ""));
    await writeFile(path, bytes);
    await verify(folder);
  }
});

// Covered by "a flipped byte or a missing file".
test("the next backup copies a damaged file again @slow", async () => {
  const folder = await backupFolder();
  const first = await backUp(folder);
  for await (const { sha256 } of listFiles(join(folder, first.name))) {
    await writeFile(join(folder, "files", sha256.slice(0, 2), sha256), "torn");
    break;
  }
  await expect(verify(folder)).rejects.toThrow("is damaged");
  await backUp(folder);
  await verify(folder);
});

test("an earlier backup without its list doesn't prevent the next one", async () => {
  const folder = await backupFolder();
  const first = await backUp(folder);
  await rm(join(folder, first.name, filesFile));
  const second = await backUp(folder);
  expect(second.copied).toEqual({ ...first.copied, reused: 0 });
  await verify(folder);
});

test("an interrupted backup is not listed, and the next one removes it", async () => {
  const folder = await backupFolder();
  let opened = 0;
  const failing: FileStore = {
    ...store,
    open: (bucket, path) => {
      if (++opened > 2) throw new Error("The power failed.");
      return store.open(bucket, path);
    },
  };
  await expect(backUp(folder, { from: failing })).rejects.toThrow("The power failed.");
  expect((await readdir(folder)).filter((name) => name.endsWith(".part"))).toHaveLength(1);
  await expect(verify(folder)).rejects.toThrow("There is no complete backup");
  await backUp(folder);
  expect((await readdir(folder)).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test.runIf(existsSync("/dev/full"))(
  "a full disk during the file listing fails the backup but not the process",
  async () => {
    const folder = await backupFolder();
    const fill = async () => {
      const [part] = (await readdir(folder)).filter((name) => name.endsWith(unfinished));
      await symlink("/dev/full", join(folder, part!, `needed${unfinished}`)).catch(() => {});
    };
    let filled = Promise.resolve();
    await expect(backUp(folder, { progress: () => (filled = fill()) })).rejects.toThrow("ENOSPC");
    await filled;
  },
);

test("an item that fails while the next one is awaited rejects the run", async () => {
  const work = async () => {
    throw new Error("The disk is full.");
  };
  await expect(runForEach(slowly(), work)).rejects.toThrow("The disk is full.");
  async function* slowly() {
    yield 1;
    await setImmediate();
    yield 2;
  }
});

// Covered by "an interrupted backup is not listed".
test("an interrupted restore changes no row and can be run again @slow", async () => {
  const { verified, place } = await readyToRestore();
  let putCount = 0;
  const failing: FileStore = {
    ...place.store,
    put: (...file) => {
      if (++putCount > 2) throw new Error("The power failed.");
      return place.store.put(...file);
    },
  };
  await expect(restoreBackup({ ...place, store: failing }, verified, forReal)).rejects.toThrow(
    "The power failed.",
  );
  expect(await place.db.$count(users)).toBe(0);
  await restoreBackup(place, verified, forReal);
  expect(await place.db.$count(mails)).toBe(await db.$count(mails));
});

test("a restore applies only the migrations of its backup before it fills the tables", async () => {
  const place = await emptyPlace();
  const folder = join(root, "migrations");
  await cp("db/migrations", folder, { recursive: true });
  const journal = await readJournal(folder);
  const later = { ...journal.entries.at(-1)!, when: now().getTime(), tag: "9999_later" };
  await writeFile(
    join(folder, "meta/_journal.json"),
    JSON.stringify({ ...journal, entries: [...journal.entries, later] }),
  );
  await writeFile(join(folder, "9999_later.sql"), "create table later (id int);");
  const isMade = async () =>
    (await place.db.execute(sql`select to_regclass('later') is not null as made`)).rows;
  await applyMigrationsUpTo(place.databaseUrl, await listKnownMigrations(), folder);
  expect(await isMade()).toEqual([{ made: false }]);
  await applyMigrations(place.databaseUrl, folder);
  expect(await isMade()).toEqual([{ made: true }]);
});

// Covered by "a restore refuses a database or store".
test("a restore refuses a database in use @slow", async () => {
  const { verified, place } = await readyToRestore();
  await applyMigrationsUpTo(place.databaseUrl, verified.manifest.migrations);
  await place.db.transaction(async (tx) => {
    await tx.execute(sql`lock table users in row exclusive mode`);
    await expect(restoreBackup(place, verified, forReal)).rejects.toThrow("Stop the product");
  });
  expect(await place.db.$count(users)).toBe(0);
});

test("a backup can be restored into the database of a product that has only started", async () => {
  const { verified, place } = await readyToRestore();
  await setUpDatabase(place.databaseUrl, () => {});
  // A place of the backup replaces the one of the start.
  await place.db.update(places).set({ name: "Another name" }).where(eq(places.slug, "pune"));
  await restoreBackup(place, verified, forReal);
  const listAll = (database: Database) => database.select().from(places).orderBy(places.id);
  expect(await listAll(place.db)).toEqual(await listAll(db));
});

test("a restore refuses a database or store that is not empty, and a backup of another version", async () => {
  const { verified, place } = await readyToRestore();
  await expect(restoreBackup({ ...place, databaseUrl: url }, verified, forReal)).rejects.toThrow(
    "The database is not empty",
  );
  await writeFile(join(root, "stranger"), "another file");
  await place.store.put("resumes", "stranger/1.pdf", join(root, "stranger"));
  await expect(restoreBackup(place, verified, forReal)).rejects.toThrow(
    "The store is not empty: it has resumes/stranger/1.pdf",
  );
  await place.store.delete("resumes", "stranger/1.pdf");
  const of = (migrations: number[]) => ({
    ...verified,
    manifest: { ...verified.manifest, migrations },
  });
  const newer = of([...verified.manifest.migrations, 1]);
  await expect(restoreBackup(place, newer, forReal)).rejects.toThrow("newer version");
  await expect(restoreBackup(place, of([1]), forReal)).rejects.toThrow("earlier commit");
  await restoreBackup(place, verified, { dryRun: true });
  const { rows } = await place.db.execute(sql`select to_regclass('users') as made`);
  expect(rows).toEqual([{ made: null }]);
});
