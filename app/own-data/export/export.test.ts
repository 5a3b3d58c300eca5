import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq, getTableName, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { builtPrograms } from "../../../tests/support/documents/built-programs.ts";
import { unzip } from "../../../tests/support/documents/unzip.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { testServer } from "../../../tests/support/product/server.ts";
import { runLater } from "../../../tests/support/product/stop-clock.ts";
import { ticket } from "../../../tests/support/rows/admin-things.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { givePassword } from "../../../tests/support/rows/people.ts";
import { remarkOn, withPages } from "../../../tests/support/rows/marked-reviews.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { order } from "../../../tests/support/rows/refunds.ts";
import { completedReview, assignedReview } from "../../../tests/support/rows/review-states.ts";
import { shareOf, storedFile } from "../../../tests/support/rows/reviews.ts";
import { introduction } from "../../../tests/support/rows/things.ts";
import { trackedJob } from "../../../tests/support/rows/tracked-jobs.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { sessions, users } from "../../accounts/tables.server.ts";
import {
  createAnnotatedPdfs,
  createAnnotateProcess,
} from "../../annotations/annotated-pdf/annotated-pdfs.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import type { FileStore } from "../../files/store.server.ts";
import { day, hour, minute, now } from "../../platform/clock.ts";
import type { Leases } from "../../platform/leases.server.ts";
import { openLeases } from "../../platform/leases.server.ts";
import { createLog } from "../../platform/log.server.ts";
import { saveIntroduction } from "../../reviews/reviewer-profile/introductions.server.ts";
import { blackOuts, reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { supportAnswers, supportMessages } from "../../support/tables.server.ts";
import {
  deleteOldExports,
  getExportPath,
  listOwnExports,
  startOwnExport,
} from "./exports.server.ts";
import { createMakeExportsTask, sweepExports } from "./make-exports.server.tsx";
import { getSectionKey, sections } from "./sections.server.ts";
import { dataExports } from "./tables.server.ts";

const dataDir = ownFolder();
const database = await testDatabase();
const { db } = database;
const server = await testServer(
  database,
  { DATA_DIR: dataDir, SIGN_IN_AGAIN: "required" },
  builtPrograms,
);
const { store, config } = server;
const annotator = createAnnotateProcess({ program: builtPrograms.annotator });
const pdfs = createAnnotatedPdfs({ config, store, annotator });
const who = everybody(db);
let asha: Actor;
beforeEach(() => ({ asha } = who));

type Parts = { store?: FileStore; leases?: Leases };

/** Runs the task once. */
async function makeExports(parts: Parts = {}): Promise<void> {
  const task = createMakeExportsTask({ config, store, pdfs, leases: openLeases(db), ...parts });
  await task.run({}, { db, log: createLog("silent") });
}

async function latest(person = asha) {
  const [newest] = await listOwnExports(db, person);
  return newest!;
}

/** Starts and makes an export. @returns its id */
async function ready(person = asha): Promise<string> {
  await startOwnExport(db, person);
  await makeExports();
  return (await latest(person)).id;
}

async function download(person: Actor | null, id: string, headers: Record<string, string> = {}) {
  const cookie = person ? await server.cookieOf(person) : "";
  const address = `${server.origin}/profile/data/export/${id}.zip`;
  return fetch(address, { redirect: "manual", headers: { cookie, ...headers } });
}

async function filesOf(person: Actor) {
  const response = await download(person, await ready(person));
  expect(response.status).toBe(200);
  return unzip(new Uint8Array(await response.arrayBuffer()));
}

type Data = Record<string, Record<string, unknown>[]>;

const parse = (file: Buffer | undefined) => JSON.parse(file!.toString()) as Data;

const resume = "tests/fixtures/files/one-page.pdf";

/** Adds a resume with one page and a remark to a review. */
async function markResume(reviewId: string, reviewer: Actor) {
  const path = `${asha.id}/${reviewId}.pdf`;
  await store.put("resumes", path, resume);
  await db
    .update(serviceReviews)
    .set({ resumeFilePath: path })
    .where(eq(serviceReviews.id, reviewId));
  await withPages(db, reviewId, { pages: 1 });
  await remarkOn(db, reviewId, reviewer);
}

test("the file has what the person stored and got, and no other people's data and no secrets", async () => {
  const { meera, gita, ravi } = who;
  await givePassword(db, asha, "the hash of the password");
  await saveIntroduction(db, meera, { ...introduction, firstName: "Meera" });
  const completed = await completedReview(db, asha, meera);
  await markResume(completed, meera);
  await shareOf(db, completed);
  const open = await assignedReview(db, asha, meera);
  await db
    .update(serviceReviews)
    .set({ reviewerFeedback: "Not shown yet" })
    .where(eq(serviceReviews.id, open));
  await db
    .update(reviewAssignments)
    .set({ draftFeedback: "A private draft" })
    .where(eq(reviewAssignments.reviewId, open));
  const orderId = await order(db, asha, {
    checkoutFields: { firstname: "Asha", key: "merchant", hash: "the hash of the order" },
  });
  await trackedJob(db, asha, { notes: "Ask for the case study" });
  const number = await ticket(db, gita, { senderId: asha.id, email: asha.email, note: "Rude." });
  const [message] = await db
    .select()
    .from(supportMessages)
    .where(eq(supportMessages.ticket, number));
  await db.insert(supportAnswers).values({
    messageId: message!.id,
    at: now(),
    authorName: gita.fullName!,
    answer: "Tomorrow.",
  });
  await trackedJob(db, ravi, { notes: "Ravi's own notes" });

  const files = await filesOf(asha);
  const data = parse(files.get("data.json"));
  expect(Object.keys(data)).toEqual(["about", ...sections.map(getSectionKey)]);
  expect(data.users).toEqual([expect.objectContaining({ id: asha.id, email: asha.email })]);
  expect(data.orders).toEqual([
    expect.objectContaining({ orderId, checkoutFields: { firstname: "Asha" } }),
  ]);
  expect(data.trackedJobs).toEqual([expect.objectContaining({ notes: "Ask for the case study" })]);
  expect(data.contactMessages).toEqual([expect.objectContaining({ ticket: number })]);
  expect(data.contactAnswers).toEqual([expect.objectContaining({ answer: "Tomorrow." })]);
  expect(data.reviewRemarks).toHaveLength(1);
  expect(data.serviceReviews).toHaveLength(2);
  expect(data.serviceReviews).toContainEqual(
    expect.objectContaining({ id: completed, reviewer: "Meera", completedAt: expect.any(String) }),
  );
  expect(data.serviceReviews).toContainEqual(
    expect.objectContaining({ id: open, reviewerFeedback: null }),
  );

  const names = [...files.keys()];
  const folder = names.find((name) => name.endsWith("/review.json"))!.split("/")[1]!;
  const review = parse(files.get(`reviews/${folder}/review.json`));
  expect(review.serviceReviews).toEqual([expect.objectContaining({ id: completed })]);
  expect(review.about).toMatchObject({ annotatedPdf: "annotated.pdf", problem: null });
  expect(files.get(`reviews/${folder}/annotated.pdf`)!.subarray(0, 5).toString()).toBe("%PDF-");
  const [stored] = data.storedFiles!;
  expect(files.get(stored!.file as string)).toEqual(await readFile(resume));
  expect(names).toHaveLength(5);

  const text = [...files.values()].map((file) => file.toString("latin1")).join("\n");
  const secrets = await db.select().from(sessions).where(eq(sessions.userId, asha.id));
  for (const { tokenHash } of secrets) expect(text).not.toContain(tokenHash);
  const hidden = ["hash of", "merchant", "Rude.", "Not shown yet", "private draft", "Ravi's own"];
  for (const other of [meera, gita, ravi]) hidden.push(other.id, other.email, other.fullName!);
  for (const part of hidden) expect(text, part).not.toContain(part);
});

test("the ZIP file opens in other programs, and a name cannot leave its folder", async () => {
  const file = await storedFile(db, asha, "portfolios");
  await store.put("portfolios", file.path, resume);
  await db
    .update(storedFiles)
    .set({ originalName: "../../अनुभव 2026.pdf" })
    .where(eq(storedFiles.id, file.id));
  const names = [...(await filesOf(asha)).keys()];
  expect(names).toContainEqual(
    expect.stringMatching(/^files\/[\d-]{10}-[0-9a-f]{8}-अनुभव-2026\.pdf$/),
  );
});

test("a blacked-out copy is in the ZIP file with its original", async () => {
  const original = await storedFile(db, asha, "resumes");
  const copy = await storedFile(db, asha, "resumes");
  for (const { path } of [original, copy]) await store.put("resumes", path, resume);
  const id = crypto.randomUUID();
  const ids = { id, copyFileId: copy.id, originalFileId: original.id };
  await db.insert(blackOuts).values({ ...ids, boxes: [], createdAt: now() });
  const files = await filesOf(asha);
  const data = parse(files.get("data.json"));
  expect(data.blackOuts).toEqual([expect.objectContaining(ids)]);
  for (const fileId of [original.id, copy.id]) {
    const stored = data.storedFiles!.find((row) => row.id === fileId);
    expect(files.get(stored!.file as string)).toEqual(await readFile(resume));
  }
});

test("a file that the store has lost is named, and the rest is there", async () => {
  await storedFile(db, asha, "resumes");
  const files = await filesOf(asha);
  expect(files.get("missing.txt")!.toString()).toContain("-my-resumes.pdf");
  expect([...files.keys()]).toEqual(["README.txt", "data.json", "missing.txt"]);
});

test("a long list is complete and in the order of its ids", async () => {
  const moment = now();
  const ids = Array.from({ length: 450 }, () => crypto.randomUUID()).toSorted();
  await db.execute(sql`insert into tracked_jobs (id, user_id, title, company, created_at, updated_at)
    select id::uuid, ${asha.id}, 'A', 'B', ${moment}, ${moment} from unnest(${sql.param(ids)}::text[]) as id`);
  const { trackedJobs } = parse((await filesOf(asha)).get("data.json"));
  expect(trackedJobs!.map(({ id }) => id)).toEqual(ids);
});

test("two presses at once start one export, and another one can start after a day", async () => {
  const results = await overlap(
    db,
    (tx) => startOwnExport(tx, asha),
    (other) => startOwnExport(other, asha),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await listOwnExports(db, asha)).toHaveLength(1);
  await makeExports();
  const again = () => startOwnExport(db, asha);
  await expect(again()).rejects.toMatchObject({ name: "Conflict" });
  await runLater(day + minute, again);
  expect(await listOwnExports(db, asha)).toHaveLength(2);
});

test("an export needs a recent sign-in", async () => {
  await expect(startOwnExport(db, { ...asha, isProved: false })).rejects.toMatchObject({
    name: "NotProved",
  });
  await expect(startOwnExport(db, null)).rejects.toMatchObject({ name: "SignedOut" });
  expect(await listOwnExports(db, asha)).toEqual([]);
});

test("one email says that it is ready, and until when", async () => {
  await ready();
  await makeExports();
  const { until, size, state } = await latest();
  expect(state).toBe("ready");
  const mails = await mailsTo(db, asha.email);
  expect(mails).toHaveLength(1);
  expect(mails[0]!.subject).toBe("Your data at Naksha is ready");
  expect(mails[0]!.text).toContain(`You can download it until ${until}`);
  expect(mails[0]!.text).toContain(size);
  expect(mails[0]!.text).toContain(`${config.origin}/profile/data/export`);
});

test("an export that failed or was killed begins again, and gives up after an hour", async () => {
  await startOwnExport(db, asha);
  const full: FileStore = {
    ...store,
    put: () => Promise.reject(new Error("The disk is full.")),
  };
  await expect(makeExports({ store: full })).rejects.toThrow("The disk is full.");
  expect((await latest()).state).toBe("preparing");
  const { id } = await latest();
  // A killed process may have stored the file without saying so.
  await writeFile(join(dataDir, "part"), "a part of a ZIP file");
  await store.put("derived", getExportPath(id), join(dataDir, "part"));
  await makeExports();
  expect((await latest()).state).toBe("ready");
  expect((await unzip(new Uint8Array(await (await download(asha, id)).arrayBuffer()))).size).toBe(
    2,
  );

  await db
    .update(dataExports)
    .set({ state: "preparing", attempts: 12 })
    .where(eq(dataExports.id, id));
  await makeExports();
  expect((await latest()).state).toBe("failed");
  await startOwnExport(db, asha);
  expect((await latest()).state).toBe("preparing");
});

test("only one process makes an export", async () => {
  await startOwnExport(db, asha);
  const { id } = await latest();
  const lease = await openLeases(db).take(`export:${id}`, () => {});
  await makeExports();
  expect((await latest()).state).toBe("preparing");
  await lease!.giveBack();
  await makeExports();
  expect((await latest()).state).toBe("ready");
});

test("a process that loses its lease stops, and the next one makes the export", async () => {
  await startOwnExport(db, asha);
  const losing: Leases = {
    ...openLeases(db),
    take: async (_name, onWanted) => {
      onWanted();
      return { giveBack: async () => {} };
    },
  };
  await expect(makeExports({ leases: losing })).rejects.toThrow();
  expect((await latest()).state).toBe("preparing");
  await makeExports();
  expect((await latest()).state).toBe("ready");
});

test("an export waits for the pages of a review, and after a while says that it has no PDF", async () => {
  const completed = await completedReview(db, asha, who.meera);
  await markResume(completed, who.meera);
  await db.execute(sql`update rendered_files set state = 'rendering'`);
  await startOwnExport(db, asha);
  for (let attempt = 1; attempt <= 3; attempt++) {
    await makeExports();
    expect((await latest()).state).toBe("preparing");
  }
  await makeExports();
  const response = await download(asha, (await latest()).id);
  const files = await unzip(new Uint8Array(await response.arrayBuffer()));
  const name = [...files.keys()].find((one) => one.endsWith("/review.json"));
  expect(parse(files.get(name!)).about).toMatchObject({
    annotatedPdf: null,
    problem: "Its pages are still being prepared.",
  });
});

test("only the person can download it, after a recent sign-in", async () => {
  const id = await ready();
  const statuses = [];
  for (const person of [asha, who.ravi, who.meera, who.gita, null])
    statuses.push((await download(person, id)).status);
  expect(statuses).toEqual([200, 404, 404, 404, 404]);
  const other = await ready(who.ravi);
  expect((await download(asha, other)).status).toBe(404);
  expect((await download(asha, crypto.randomUUID())).status).toBe(404);

  const cookie = await server.cookieOf(asha);
  await db
    .update(sessions)
    .set({ provedAt: new Date(now().getTime() - 16 * minute) })
    .where(eq(sessions.userId, asha.id));
  const address = `${server.origin}/profile/data/export/${id}.zip`;
  const stale = await fetch(address, { redirect: "manual", headers: { cookie } });
  expect(stale.status).toBe(303);
  expect(stale.headers.get("location")).toBe("/sign-in-again?next=%2Fprofile%2Fdata%2Fexport");
});

test("an interrupted download resumes where it stopped", async () => {
  const id = await ready();
  const all = await download(asha, id);
  expect(all.headers.get("cache-control")).toBe("private, no-store");
  expect(all.headers.get("content-disposition")).toMatch(
    /^attachment; filename="Naksha data .*\.zip"/,
  );
  const tag = all.headers.get("etag")!;
  const bytes = Buffer.from(await all.arrayBuffer());
  const rest = await download(asha, id, { range: "bytes=100-", "if-range": tag });
  expect(rest.status).toBe(206);
  expect(rest.headers.get("content-range")).toBe(`bytes 100-${bytes.length - 1}/${bytes.length}`);
  expect(Buffer.from(await rest.arrayBuffer())).toEqual(bytes.subarray(100));
});

test("the file is deleted after a week, and its row a week later", async () => {
  const id = await ready();
  await sweepExports(db, store);
  expect((await latest()).state).toBe("ready");
  expect(await store.stat("derived", getExportPath(id))).not.toBeNull();
  await runLater(7 * day + hour, async () => {
    expect((await latest()).state).toBe("expired");
    expect((await download(asha, id)).status).toBe(404);
    expect(await sweepExports(db, store)).toBeGreaterThan(0);
    expect(await store.stat("derived", getExportPath(id))).toBeNull();
    await deleteOldExports(db);
    expect((await latest()).state).toBe("expired");
  });
  await runLater(14 * day + hour, async () => void (await deleteOldExports(db)));
  expect(await listOwnExports(db, asha)).toEqual([]);
});

test("the file of a deleted account is deleted", async () => {
  const id = await ready();
  await db.delete(users).where(eq(users.id, asha.id));
  expect(await sweepExports(db, store)).toBe(1);
  expect(await store.stat("derived", getExportPath(id))).toBeNull();
});

test("an account that is deleted meanwhile leaves no file and gets no email", async () => {
  await startOwnExport(db, asha);
  const { id } = await latest();
  const deleting: FileStore = {
    ...store,
    put: async (...file) => {
      await db.delete(users).where(eq(users.id, asha.id));
      return store.put(...file);
    },
  };
  await makeExports({ store: deleting });
  expect(await mailsTo(db, asha.email)).toEqual([]);
  await sweepExports(db, store);
  expect(await store.stat("derived", getExportPath(id))).toBeNull();
});

/** Tables that lead to a person and are not exported, with the reason. */
const tablesLeftOut: Record<string, string> = {
  one_time_links: "They are secrets, and work for a day at most.",
  sealed_accounts: "It is there only while the account is closed.",
  half_sign_ins: "They are secrets, and work for minutes.",
  company_logos: "A logo belongs to the company, whose page shows it.",
  job_sources: "They belong to the company's imported listings.",
  job_days: "They are numbers without people.",
  contact_mentions: "They name other people.",
  rendered_files: "They are made from files that are exported.",
  review_pages: "They are made from files that are exported.",
};

/** Columns that refer to another person in rows that are exported, or to this person in rows about others. */
const columnsLeftOut: Record<string, string> = {
  "companies.decided_by": "An admin.",
  "contact_messages.owner_id": "An admin.",
  "job_reports.decided_by": "An admin.",
  "job_submissions.decided_by": "An admin.",
  "payouts.recorded_by": "An admin.",
  "refunds.decided_by": "An admin.",
  "refunds.asked_by": "Refunds are found by their order, also if an admin asked.",
  "file_views.viewer_id": "A reviewer or an admin.",
  "follow_up_questions.reviewer_id": "The question belongs to the review's customer.",
  "follow_up_questions.answered_by": "The answer belongs to the review's customer.",
  "handed_back_drafts.settled_by": "The draft belongs to the former reviewer.",
  "review_remarks.author_id": "The remarks belong to the review's customer.",
};

type Reference = { table: string; column: string; to: string };

/** Lists the columns that refer to another table. */
async function listReferences(): Promise<Reference[]> {
  const { rows } = await db.execute<Reference>(sql`
    select relation.relname as table, attname as column, referred.relname as to
    from pg_constraint
    join pg_class as relation on relation.oid = conrelid
    join pg_class as referred on referred.oid = confrelid
    join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and connamespace = 'public'::regnamespace`);
  return rows;
}

test("every table that leads to a person is exported, or left out for a reason", async () => {
  const references = await listReferences();
  const leading = new Set(["users", "stored_files"]);
  for (const table of leading)
    for (const reference of references) if (reference.to === table) leading.add(reference.table);
  const exported = sections.map(({ table }) => getTableName(table));
  const leftOut = Object.keys(tablesLeftOut);
  const unknown = [...leading].filter((name) => ![...exported, ...leftOut].includes(name));
  expect(unknown, "Add them to sections.server.ts or to tablesLeftOut").toEqual([]);
  expect(leftOut.filter((name) => !leading.has(name) || exported.includes(name))).toEqual([]);

  const owners = sections.flatMap(({ table, owner }) =>
    owner ? [`${getTableName(table)}.${owner.name}`] : [],
  );
  const columns = references
    .filter(({ to, table }) => to === "users" && !leftOut.includes(table))
    .map(({ table, column }) => `${table}.${column}`);
  const known = [...owners, ...Object.keys(columnsLeftOut)];
  expect(columns.filter((column) => !known.includes(column))).toEqual([]);
});

test("no exported column is a secret", () => {
  const names = sections.flatMap(({ table, columns }) =>
    Object.keys(columns).map((name) => `${getSectionKey({ table })}.${name}`),
  );
  expect(names.filter((name) => /hash|token|secret|sealed|password|publicKey/i.test(name))).toEqual(
    [],
  );
});

test("docs/own-data.md lists the exported fields", async () => {
  const text = await readFile("docs/own-data.md", "utf8");
  const listed = [...text.matchAll(/^- \*\*`(\w+)`\*\*(.*(?:\n {2}.*)*)/gm)].map(
    ([, key, rest]) => `${key}: ${rest!.replaceAll(/\s+/g, " ").split(": ").at(-1)!}`,
  );
  const exported = sections.map((section) => {
    const fields = Object.keys(section.columns);
    if (section.table === storedFiles) fields.push("file");
    return `${getSectionKey(section)}: ${fields.join(", ")}`;
  });
  expect(listed).toEqual(exported);
});

test("the file is as large as the page says", async () => {
  const id = await ready();
  const path = join(dataDir, "files", "derived", getExportPath(id));
  const [row] = await db.select().from(dataExports).where(eq(dataExports.id, id));
  expect((await stat(path)).size).toBe(row!.size);
});
