import { execFileSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { sql } from "drizzle-orm";
import { getPostgresHome } from "../../server/embedded-postgres/account.ts";
import { noRoom } from "../../app/files/upload-messages.ts";
import { testDatabase } from "../support/product/database.ts";
import { freePorts } from "../support/product/free-ports.ts";
import { actAs, end, runToEnd, start } from "../support/product/own-product.ts";
import { type S3Service, s3Service } from "../support/servers/s3.ts";
import { megabyte, pdfOf } from "../support/requests/uploads.ts";
import { toastsOf, visitor } from "../support/requests/visitor.ts";
import { say } from "./figures.ts";
import { soon } from "./soon.ts";
import { world as startWorld } from "./world.ts";

/** Mounts of temporary disks that are small enough to fill. */
const mounts: string[] = [];
afterAll(() => {
  for (const path of mounts) execFileSync("umount", ["--lazy", path]);
});

const resume = { purpose: "resume", target: "resume_review", name: "asha.pdf" };
const figures: string[] = [];

const stores = [
  ["a folder", await startStore(null)],
  ["a bucket, through the spool", await startStore(await s3Service())],
] as const;

async function startStore(s3: S3Service | null) {
  const disk = await smallDisk(24 * megabyte);
  const world = await startWorld(await testDatabase(), { ...s3?.env, DATA_DIR: disk });
  afterAll(() => s3?.close());
  return { disk, world };
}

test.each(stores)(
  "an upload to a full disk gets an error message and continues when there is space: %s",
  async (store, { disk, world }) => {
    const { browser, actor } = await world.createPerson("Asha Verma");
    const bytes = pdfOf(3 * megabyte);
    const upload = await browser.tus.begin(resume, bytes.length);
    await browser.tus.send(upload, 0, bytes.subarray(0, megabyte / 2));
    const free = await fill(disk, 100_000);

    const sent = await browser.sendFile("resume", "resume_review", "asha.pdf", bytes);
    expect(sent.status).toBe(303);
    expect(toastsOf(sent)).toMatchObject([{ kind: "error", description: noRoom }]);
    const offset = Number((await browser.tus.head(upload)).headers.get("Upload-Offset"));
    const refused = await browser.tus.send(upload, offset, bytes.subarray(offset));
    expect(refused.status).toBe(507);
    expect(await refused.json()).toMatchObject({ description: noRoom });
    for (const path of ["/", "/profile", "/services/resume-review", "/jobs"])
      expect((await browser.get(path)).status).toBe(200);
    const recorded = await world.db.execute(
      sql`select 1 from stored_files where uploaded_by = ${actor.id}`,
    );
    expect(recorded.rows).toEqual([]);
    expect((await filesIn(disk)).filter((file) => file.includes("unfinished"))).toEqual([]);

    await free();
    const arrived = Number((await browser.tus.head(upload)).headers.get("Upload-Offset"));
    const rest = await browser.tus.send(upload, arrived, bytes.subarray(arrived));
    expect(rest.status).toBe(200);
    const again = await browser.sendFile("resume", "resume_review", "asha.pdf", bytes);
    expect(toastsOf(again)).toMatchObject([{ kind: "success" }]);
    const file = await world.db.execute<{ path: string }>(
      sql`select path from stored_files where uploaded_by = ${actor.id}
        order by created_at desc limit 1`,
    );
    const read = await browser.get(`/storage/resumes/${file.rows[0]!.path}`);
    expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
    const bugs = [...world.web.bugs(), ...world.worker.bugs()];
    expect(bugs.filter((line) => !line.includes("ENOSPC"))).toEqual([]);
    figures.push(`uploads to ${store} refused, then completed`);
  },
);

test("pages say that the embedded database's disk is full, and recover when there is space", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "naksha-full-"));
  const { folder } = await getPostgresHome(dataDir);
  await smallDisk(300 * megabyte, folder);
  const port = await freePorts(4);
  const { child, printed } = await start({
    PORT: String(port),
    DATA_DIR: dataDir,
    RATE_LIMITS: "off",
  });
  onTestFinished(async () => {
    await end(child, "SIGTERM");
    await rm(dataDir, { recursive: true });
  });
  const origin = `http://localhost:${port}`;
  const asha = visitor(origin, await actAs(origin, "asha@example.com"));
  const write = (turn: number) => {
    const message = "Does anyone read this? ".repeat(190);
    const person = { name: "Asha", email: `asha.${turn}@example.com`, subject: "Hello" };
    return asha.post("/contact", { ...person, message });
  };
  const free = await fill(folder, 0);
  let refused = 0;
  const wrong: string[] = [];
  for (let turn = 0; turn < 400 && refused < 20; turn += 1) {
    const answer = await write(turn);
    const text = await answer.text();
    if (answer.status === 503) refused += 1;
    if (answer.status === 503 && !text.includes("Does anyone read this?"))
      wrong.push("The typed text is lost.");
    if (answer.status >= 500 && answer.status !== 503) wrong.push(`It answers ${answer.status}.`);
  }
  expect(refused).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
  expect((await asha.get("/livez")).status).toBe(200);
  await free();
  const started = performance.now();
  await soon(async () => (await write(1_000)).status < 400);
  expect((await asha.get("/profile")).status).toBe(200);
  figures.push(
    `the database recovered ${((performance.now() - started) / 1000).toFixed(1)} s after there was space`,
  );
  expect(child.exitCode).toBeNull();
  expect(
    printed()
      .split("\n")
      .filter((line) => line.includes('"level":50')),
  ).toEqual([]);
});

const backedUp = await testDatabase();

test("a backup to a full disk fails with a message, leaves no file, and succeeds when there is space", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "naksha-full-"));
  const env = { DATABASE_URL: backedUp.url, DATA_DIR: dataDir, PORT: String(await freePorts(4)) };
  await runToEnd(env, "demo-data");
  const disk = await smallDisk(8 * megabyte);
  const free = await fill(disk, 16_384);
  const failed = await runToEnd(env, "admin", "backup", disk);
  expect(failed.code).toBe(1);
  expect(failed.printed).toContain("Nothing was backed up");
  expect(failed.printed).not.toContain("    at ");
  const backups = async () => (await readdir(disk)).filter((name) => /^\d{4}-.*Z$/.test(name));
  expect(await backups()).toEqual([]);
  await free();
  const made = await runToEnd(env, "admin", "backup", disk);
  expect(made).toMatchObject({ code: 0 });
  expect(await backups()).toHaveLength(1);
  expect((await filesIn(disk)).filter((file) => file.includes("unfinished"))).toEqual([]);
  await rm(dataDir, { recursive: true });
  figures.push("a backup refused, then completed");
});

test("prints its figures", () => say("disk", figures));

/** Mounts a small disk. @returns its path */
async function smallDisk(bytes: number, at?: string): Promise<string> {
  const path = at ?? (await mkdtemp(join(tmpdir(), "naksha-disk-")));
  await mkdir(path, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=755`, "tmpfs", path]);
  } catch (cause) {
    throw new Error("This drill mounts small disks, so it needs root on Linux.", { cause });
  }
  mounts.push(path);
  return path;
}

/** Fills a disk. @param left the free bytes @returns a function that frees the space */
async function fill(disk: string, left: number): Promise<() => Promise<void>> {
  const filler = join(disk, "filler");
  const { bavail, bsize } = await statfs(disk);
  await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)));
  if (left === 0) await appendFile(filler, Buffer.alloc(bsize)).catch(() => {});
  return () => rm(filler);
}

async function filesIn(disk: string): Promise<string[]> {
  const entries = await readdir(disk, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
