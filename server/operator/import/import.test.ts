import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hash } from "@node-rs/bcrypt";
import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { signIn } from "../../../app/accounts/sign-in/sign-in.server.ts";
import { accounts, profiles, users } from "../../../app/accounts/tables.server.ts";
import { createDiskStore } from "../../../app/files/disk-store.server.ts";
import { storedFiles } from "../../../app/files/tables.server.ts";
import { hashContactAddress } from "../../../app/jobs/contact/contact-address.server.ts";
import { jobs, stoppedContacts } from "../../../app/jobs/tables.server.ts";
import { orders } from "../../../app/payments/tables.server.ts";
import { now } from "../../../app/platform/clock.ts";
import { auditEvents } from "../../../app/platform/tables.server.ts";
import {
  reviewAssignments,
  reviewFiles,
  reviewImages,
  serviceReviews,
} from "../../../app/reviews/tables.server.ts";
import { supportMessages } from "../../../app/support/tables.server.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { answerTo } from "../../../tests/support/product/operator.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { reviewRow } from "../../../tests/support/rows/review-states.ts";
import type { ImportReport } from "./import-data.ts";
import { readRows } from "./read-rows.ts";
import { createStagingTables, insertStagedRows } from "./stage-rows.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

const { db } = await testDatabase();
const site = { db, config: testConfig() };
const password = "Sailing by the stars";
const encrypted = await hash(password, 10);
const at = "2025-03-01 09:30:00.123456+00";
const exportedJob = {
  title: "Designer",
  company: "Letterform",
  location: "Pune",
  job_type: "Internship",
  description: "Draws letters",
  posted_at: at,
};

/** Creates a folder that is deleted after the test. */
const folder = () => ownFolder(onTestFinished);

/** Formats rows like the former system's export. */
function csv(rows: Record<string, string | number | null | undefined>[]): string {
  const quoted = (value: string | number | null = null) =>
    value === null ? "" : `"${String(value).replaceAll('"', '""')}"`;
  const lines = rows.map((row) => Object.values(row).map(quoted).join(","));
  return [Object.keys(rows[0]!).join(","), ...lines, ""].join("\r\n");
}

/** Writes the data of a small former system: two people, two reviews, a job, orders and a message. */
async function formerSystem() {
  const root = folder();
  const data = join(root, "data");
  await mkdir(data);
  const [customer, reviewer, job, review, open] = Array.from({ length: 5 }, () => randomUUID());
  const [customerMail, reviewerMail] = [`${customer}@example.com`, `${reviewer}@example.in`];
  const user = (id: string, email: string, more = {}) => ({
    id,
    email,
    encrypted_password: encrypted,
    email_confirmed_at: at,
    created_at: at,
    banned_until: null,
    deleted_at: null,
    raw_user_meta_data: JSON.stringify({ full_name: "Named at the sign-up" }),
    phone: null,
    ...more,
  });
  const assigned = { reviewer_id: reviewer, assigned_at: at };
  const given = { review_id: review, created_at: at };
  const stored = "https://former.example.com/storage/v1/object/public/review-images/reviews";
  const image = `${stored}/${review}/${randomUUID()}-first%20page.jpg`;
  const tables = {
    "users.csv": csv([
      user(customer!, customerMail.toUpperCase()),
      user(reviewer!, reviewerMail),
      user(randomUUID(), `${randomUUID()}@example.com`, { email_confirmed_at: null }),
      user(randomUUID(), `${randomUUID()}@example.com`, { deleted_at: at }),
    ]),
    "profiles.csv": csv([
      {
        id: customer,
        full_name: 'Lata, "the line"\nRao',
        created_at: at,
        is_subscribed: "t",
        subscription_ends_at: "2030-01-01 00:00:00+05:30",
        subscription_id: "sub_1",
        is_recurring: "f",
      },
    ]),
    "reviewers.json": JSON.stringify([
      { id: reviewer, full_name: "Arun Das", role: "reviewer" },
      { id: customer, full_name: null, role: "user" },
    ]),
    "jobs_rows.csv": csv([
      {
        id: job,
        ...exportedJob,
        title: "Type designer",
        compensation: null,
        large_description: "Draws letters\n\nand spaces them",
        created_by: randomUUID(),
        is_archived: "true",
      },
    ]),
    "service_reviews.jsonl": [
      {
        id: review,
        user_id: customer,
        service_type: "combined_review",
        status: "completed",
        resume_file_path: `${customer}/1740821400000.pdf`,
        portfolio_url: null,
        portfolio_file_path: `${customer}/my work (final).png`,
        reviewer_feedback: "Lead with the work.",
        priority: 2,
        created_at: "2025-03-01T09:30:00.123456+00:00",
      },
      {
        id: open,
        user_id: customer,
        service_type: "resume_review",
        status: "under_review",
        resume_file_path: `${customer}/lost.pdf`,
        created_at: "2025-03-02T09:30:00Z",
      },
    ]
      .map((row) => JSON.stringify(row))
      .join("\n"),
    "review_assignments.csv": csv([
      { ...assigned, id: randomUUID(), review_id: review, completed_at: at },
      { ...assigned, id: randomUUID(), review_id: open, completed_at: null },
    ]),
    "review_images.json": JSON.stringify([
      { ...given, id: randomUUID(), image_url: image, annotation: "Here" },
      { ...given, id: randomUUID(), image_url: "https://pictures.example.com/one.png" },
    ]),
    "review_files.csv": csv([
      {
        ...given,
        id: randomUUID(),
        file_url: `review-files/reviews/${review}/files/notes.pdf`,
        file_name: "Notes.pdf",
        file_type: "application/pdf",
        description: null,
      },
    ]),
    "orders.csv": csv([
      { order_id: `TXN_${review}`, amount: "299", status: "success", created_at: at },
      { order_id: `TXN_${open}`, amount: "199", status: "pending", created_at: at },
    ]),
    "contact_messages.csv": csv([
      {
        id: randomUUID(),
        name: "Ravi",
        email: "Ravi@example.com",
        subject: "A word",
        message: "Hello there",
        created_at: at,
      },
    ]),
  };
  for (const [name, text] of Object.entries(tables)) await writeFile(join(data, name), text);
  await put(root, "resume.pdf", `resumes/${customer}/1740821400000.pdf`);
  await put(root, "poster.png", `portfolios/${customer}/my work (final).png`);
  await put(root, "poster.jpg", decodeURIComponent(image.split("/public/")[1]!));
  await put(root, "program.pdf", `review-files/reviews/${review}/files/notes.pdf`);
  await put(root, "resume.pdf", `resumes/${customer}/of-no-review.pdf`);
  const store = createDiskStore(join(root, "store"));
  return { root, data, store, customer, reviewer, customerMail, job, review, open } as Record<
    "root" | "data" | "customer" | "reviewer" | "customerMail" | "job" | "review" | "open",
    string
  > & { store: typeof store };
}

async function put(root: string, fixture: string, path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await cp(join("tests/fixtures/files", fixture), join(root, path));
}

type Former = Awaited<ReturnType<typeof formerSystem>>;

async function imported(
  { root, data, store }: Pick<Former, "root" | "data" | "store">,
  ...options: string[]
) {
  const answer = await answerTo(db, ["import", data, "--files", root, ...options], { store });
  return { ...answer, report: answer.data as ImportReport };
}

/** Counts all rows of all kinds. */
async function everything(): Promise<string> {
  const tables = [users, accounts, profiles, jobs, serviceReviews, reviewAssignments, reviewImages];
  const all = [...tables, reviewFiles, orders, supportMessages, storedFiles, auditEvents];
  return (await Promise.all(all.map((table) => db.$count(table)))).join();
}

async function filesIn({ store }: Former): Promise<number> {
  let files = 0;
  for (const bucket of ["resumes", "portfolios", "review-images", "review-files"] as const)
    for await (const _ of store.list(bucket)) files += 1;
  return files;
}

/** Imports the former system once for the tests below. */
async function importOnce() {
  await db.delete(auditEvents);
  const former = await formerSystem();
  const done = await imported(former);
  const isImport = eq(auditEvents.event, "data.import");
  return { former, ...done, events: await db.select().from(auditEvents).where(isImport) };
}
let once: ReturnType<typeof importOnce> | undefined;
const firstImport = () => (once ??= importOnce());

test("an import says what it left out, and is in the audit trail", async () => {
  const { failed, report, text, events } = await firstImport();
  expect(report.problems).toEqual([]);
  expect(failed).toBe(false);
  expect(text).toContain("Imported.");
  expect(text).toContain("users.csv: 5 not imported: was deleted.");
  expect(text).toContain("users.csv: 4 not imported: never confirmed the email address.");
  expect(text).toContain("users.csv: ignored columns: phone.");
  expect(events).toMatchObject([
    { actorName: "Operator", after: { users: 2, service_reviews: 2, files: 4 } },
  ]);
});

test("people are imported with their ids, roles, subscriptions and dates", async () => {
  const { former } = await firstImport();
  const [user] = await db.select().from(users).where(eq(users.id, former.customer));
  expect(user).toMatchObject({ email: former.customerMail, emailVerified: true });
  expect(user!.createdAt.toISOString()).toBe("2025-03-01T09:30:00.123Z");
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, former.customer));
  expect(profile).toMatchObject({
    fullName: 'Lata, "the line"\nRao',
    isSubscribed: true,
    isRecurring: false,
    subscriptionId: "sub_1",
    subscriptionEndsAt: new Date("2029-12-31T18:30:00Z"),
  });
  const [staff] = await db.select().from(users).where(eq(users.id, former.reviewer));
  expect(staff).toMatchObject({ highestRole: "reviewer", name: "Named at the sign-up" });
});

test("jobs are imported with their states, and can be searched", async () => {
  const { former } = await firstImport();
  const [job] = await db.select().from(jobs).where(eq(jobs.id, former.job));
  expect(job).toMatchObject({ isArchived: true, createdBy: null, compensation: null });
  expect(job!.searchText).toBe("type designer\nletterform\ndraws letters");
});

test("reviews are imported with their states, files and reviewers", async () => {
  const { former } = await firstImport();
  expect((await reviewRow(db, former.review)).review).toMatchObject({
    status: "completed",
    orderId: null,
    priority: 2,
    portfolioFilePath: `${former.customer}/my-work-final.png`,
    reviewerFeedback: "Lead with the work.",
  });
  expect((await reviewRow(db, former.open)).assignment).toMatchObject({
    reviewStatus: "under_review",
    reviewerName: "Named at the sign-up",
    completedAt: null,
  });
  const images = await db
    .select({ url: reviewImages.imageUrl })
    .from(reviewImages)
    .where(eq(reviewImages.reviewId, former.review));
  expect(images.map(({ url }) => url).toSorted()).toEqual([
    "https://pictures.example.com/one.png",
    expect.stringMatching(`^review-images/reviews/${former.review}/.*-first-page.jpg$`),
  ]);
});

test("orders are imported with their states and amounts", async () => {
  await firstImport();
  const bought = await db
    .select()
    .from(orders)
    .where(sql`order_id like ${"TXN_%"}`);
  expect(bought.map(({ status, amountPaise }) => [status, amountPaise])).toEqual(
    expect.arrayContaining([
      ["success", 29_900],
      ["failed", 19_900],
    ]),
  );
  // The former system didn't store the seller or the tax.
  for (const { productName, sellerName, sellerGstin, taxRate } of bought)
    expect([productName, sellerName, sellerGstin, taxRate]).toEqual([null, null, null, null]);
});

test("files are inspected like uploads, and missing, refused and unreferenced ones are reported", async () => {
  const former = await formerSystem();
  await put(former.root, "password.pdf", `resumes/${former.customer}/lost.pdf`);
  const { report, text } = await imported(former);
  expect(report.files).toMatchObject({ taken: 4, there: 0, missing: [], unnamed: 1 });
  expect(report.files!.refused).toEqual([
    {
      bucket: "resumes",
      path: `${former.customer}/lost.pdf`,
      why: expect.stringContaining("password-protected"),
    },
  ]);
  expect(text).toContain(`resumes/${former.customer}/lost.pdf is refused:`);
  const [resume] = await db
    .select()
    .from(storedFiles)
    .where(eq(storedFiles.path, `${former.customer}/1740821400000.pdf`));
  expect(resume).toMatchObject({
    uploadedBy: former.customer,
    mimeType: "application/pdf",
    showable: true,
  });
  expect(
    await former.store.stat("portfolios", `${former.customer}/my-work-final.png`),
  ).not.toBeNull();
});

test("a second run imports only the files that were missing", async () => {
  const former = await formerSystem();
  const first = await imported(former);
  expect(first.report.files!.missing).toEqual([
    { bucket: "resumes", path: `${former.customer}/lost.pdf` },
  ]);
  await put(former.root, "resume.pdf", `resumes/${former.customer}/lost.pdf`);
  const [before] = await db.select().from(users).where(eq(users.id, former.customer));
  const { report } = await imported(former);
  expect(report.problems).toEqual([]);
  expect(report.tables.map(({ taken }) => taken)).toEqual(report.tables.map(() => 0));
  expect(report.tables[0]!.skipped).toContainEqual({ reason: "already exists", lines: [2, 3] });
  expect(report.files).toMatchObject({ taken: 1, there: 4, missing: [] });
  expect((await db.select().from(users).where(eq(users.id, former.customer)))[0]).toEqual(before);
});

test("a job with a contact who was removed here is named and skipped, and the others are imported", async () => {
  const root = folder();
  const email = "withdrawn@acme.example";
  const contactHash = hashContactAddress(site.config, email);
  await db.insert(stoppedContacts).values({ contactHash, reason: "withdrawn", at: now() });
  const job = (more: object) => ({ id: randomUUID(), ...exportedJob, ...more });
  const [named, other, mentioned] = [
    job({ poc_contact: `Leela <${email.toUpperCase()}>` }),
    job({ poc_contact: "someone@acme.example" }),
    job({ description: `Write to ${email.replace("@", "%40")}` }),
  ];
  await writeFile(
    join(root, "jobs.jsonl"),
    [named, other, mentioned].map((row) => JSON.stringify(row)).join("\n"),
  );
  const { report } = await imported({ root, data: root, store: createDiskStore(folder()) });
  expect(report).toMatchObject({ isDone: true, problems: [] });
  expect(report.tables).toMatchObject([
    {
      taken: 1,
      skipped: [{ reason: "names a contact who had their name removed", lines: [1, 3] }],
    },
  ]);
  expect(await db.$count(jobs, eq(jobs.id, other.id))).toBe(1);
});

test("--dry-run checks everything and changes nothing", async () => {
  const former = await formerSystem();
  const before = await everything();
  const { report, text } = await imported(former, "--dry-run");
  expect(text).toContain("Nothing was changed.");
  expect(report).toMatchObject({ isDone: false, files: { taken: 4 } });
  expect(await everything()).toBe(before);
  expect(await filesIn(former)).toBe(0);
});

test("every problem is reported with its file and line, and nothing is imported", async () => {
  const former = await formerSystem();
  const existing = await person(db, "Taken Address");
  const [id, other] = [randomUUID(), randomUUID()];
  const times = { email_confirmed_at: at, created_at: at };
  const user = { id, email: existing.email, encrypted_password: encrypted, ...times };
  await writeFile(
    join(former.data, "users.csv"),
    csv([
      user,
      { ...user, id: "7", email: "nobody" },
      { ...user, id: other, email: "same@example.com", encrypted_password: "argon2" },
      { ...user, id: other, email: "same@example.com", encrypted_password: null },
      { ...user, id: other, email: "else@example.com" },
      { ...user, id: randomUUID(), email: "SAME@example.com" },
    ]),
  );
  await writeFile(join(former.data, "jobs_rows.csv"), "id,title\n1,2\n");
  const before = await everything();
  const { failed, report, text } = await imported(former);
  expect(failed).toBe(true);
  expect(text).toContain("Nothing was changed.");
  const problems = report.problems.map(({ file, line, problem }) => `${file}:${line}: ${problem}`);
  expect(problems).toEqual(
    expect.arrayContaining([
      `users.csv:2: has the email of an existing account: ${existing.email}.`,
      expect.stringMatching(/^users\.csv:3: id must be an id like/),
      "users.csv:3: email must be an email address.",
      "users.csv:4: encrypted_password must be a bcrypt hash, or empty.",
      "users.csv:6: has the same key as line 5.",
      "users.csv:7: has the same email as line 5: same@example.com.",
      "jobs_rows.csv:1: has no column company.",
      `profiles.csv:2: belongs to an account that does not exist: ${former.customer}.`,
      `service_reviews.jsonl:1: belongs to an account that does not exist: ${former.customer}.`,
    ]),
  );
  expect(await everything()).toBe(before);
  expect(await filesIn(former)).toBe(0);
});

test("--skip-bad skips invalid rows and everything that belongs to them", async () => {
  const former = await formerSystem();
  const row = { user_id: former.customer, service_type: "resume_review", created_at: at };
  const rows = csv([
    { ...row, id: former.review, status: "done" },
    { ...row, id: former.open, status: "pending" },
  ]);
  await rm(join(former.data, "service_reviews.jsonl"));
  await writeFile(join(former.data, "service_reviews.csv"), rows);
  const { failed, report } = await imported(former, "--skip-bad");
  expect(failed).toBe(false);
  expect(report.isDone).toBe(true);
  const importedRows = Object.fromEntries(report.tables.map(({ table, taken }) => [table, taken]));
  expect(importedRows).toMatchObject({
    service_reviews: 1,
    review_assignments: 1,
    review_images: 0,
  });
});

test("saved files are deleted again if the rows fail", async () => {
  const former = await formerSystem();
  const failing = {
    ...former.store,
    async put(...args: Parameters<typeof former.store.put>) {
      // Another account takes the address after the checks.
      const taken = { email: former.customerMail, name: "", createdAt: now(), updatedAt: now() };
      await db.insert(users).values(taken).onConflictDoNothing();
      return former.store.put(...args);
    },
  };
  const before = await db.$count(serviceReviews);
  await expect(imported({ ...former, store: failing })).rejects.toThrow(
    "changed during the import",
  );
  expect(await db.$count(serviceReviews)).toBe(before);
  expect(await filesIn(former)).toBe(0);
});

test("imported people log in with their former password, which is hashed again", async () => {
  const former = await formerSystem();
  await imported(former);
  const email = former.customerMail;
  await expect(signIn(site, { email, password: "Sailing by the sun" })).rejects.toThrow(
    "Invalid email or password",
  );
  expect(await hashOf(former.customer)).toBe(encrypted);
  await Promise.all([signIn(site, { email, password }), signIn(site, { email, password })]);
  expect(await hashOf(former.customer)).toMatch(/^\$argon2id\$/);
  await signIn(site, { email, password });
  await expect(signIn(site, { email, password: "Sailing by the sun" })).rejects.toThrow();
});

async function hashOf(userId: string): Promise<string | null> {
  const [account] = await db.select().from(accounts).where(eq(accounts.userId, userId));
  return account!.password;
}

const manyIds = Array.from({ length: 3000 }, () => randomUUID());
const manyObjects = manyIds.map((id) => JSON.stringify({ id, ...exportedJob }));

test.each([
  [
    "csv",
    [
      `id,${Object.keys(exportedJob).join(",")}`,
      ...manyIds.map((id) => `${id},${Object.values(exportedJob).join(",")}`),
    ],
  ],
  ["json", ["[", ...manyObjects.map((row, index) => (index === 0 ? row : `,${row}`)), "]"]],
  ["jsonl", manyObjects],
])(
  "rows of a .%s file are stored before the file ends, so that none needs much memory",
  async (kind, lines) => {
    const path = join(folder(), `jobs.${kind}`);
    execFileSync("mkfifo", [path]);
    const file = createWriteStream(path);
    await db.transaction(async (tx) => {
      await createStagingTables(tx);
      const stored = vi.spyOn(tx, "execute");
      const staging = insertStagedRows(tx, { table: "jobs", file: `jobs.${kind}`, path }, []);
      file.write(`${lines.slice(0, 2000).join("\n")}\n`);
      await expect.poll(() => stored.mock.calls.length).toBeGreaterThan(0);
      file.end(lines.slice(2000).join("\n"));
      expect(await staging).toMatchObject({ rows: manyIds.length });
    });
  },
);

test.each([
  ["rows.csv", 'a,b\n1,"two\nlines"\n\n3\n', [2, 5]],
  ["rows.json", '[\n  {"a": "]}"},\n\n  {"b":\n 1}]', [2, 4]],
  ["rows.jsonl", '{"a":1}\n\nnot json\n', [1, 3]],
])("a row of %s is reported by its first line", async (name, text, lines) => {
  const path = join(folder(), name);
  await writeFile(path, text);
  const found: number[] = [];
  for await (const { line } of readRows(path)) found.push(line);
  expect(found).toEqual(lines);
});
