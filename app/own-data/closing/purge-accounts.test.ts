import { randomUUID } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { runLater } from "../../../tests/support/product/stop-clock.ts";
import { startedOrder } from "../../../tests/support/payments/payments.ts";
import { company, member } from "../../../tests/support/rows/companies.ts";
import { handedBackDraft } from "../../../tests/support/rows/handed-back-drafts.ts";
import { insertJob } from "../../../tests/support/rows/jobs.ts";
import { givePassword, people, person } from "../../../tests/support/rows/people.ts";
import { pendingReview } from "../../../tests/support/rows/review-states.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { recordConsent } from "../../accounts/consents/consents.server.ts";
import { openSession } from "../../accounts/session.server.ts";
import {
  authenticators,
  chosenMails,
  passkeys,
  profiles,
  recoveryCodes,
  sealedAccounts,
  users,
} from "../../accounts/tables.server.ts";
import { reviewerPhrases, reviewRemarks, reviewScores } from "../../annotations/tables.server.ts";
import type { Bucket } from "../../files/rules.ts";
import { createDiskStore } from "../../files/disk-store.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { jobReports } from "../../checks/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { deleteOldPersonalDetails } from "../../payments/refunds/expired-orders.server.ts";
import { refunds } from "../../payments/refunds/tables.server.ts";
import { orderEvents, orders } from "../../payments/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { day, now } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { rateLimits } from "../../platform/tables.server.ts";
import {
  reviewAssignments,
  reviewBriefs,
  blackOuts,
  reviewDrafts,
  reviewerProfiles,
  reviewFiles,
  reviewImages,
  reviewOrders,
  reviewQuestions,
  reviewRatings,
  serviceReviews,
} from "../../reviews/tables.server.ts";
import { createOwnAlert } from "../../seekers/alerts/own-alerts.server.ts";
import { replyAnswers, trackedJobs } from "../../seekers/tracker/tables.server.ts";
import { supportAnswers, supportMessages } from "../../support/tables.server.ts";
import { closeOwnAccount } from "./close-account.server.tsx";
import { createPurgeAccountsTask, deleteClosedAccounts } from "./purge-accounts.server.ts";

const { db } = await testDatabase();
const config = testConfig();
const { meera } = await people(db);

/** Words that occur nowhere else, by what they are. */
function inventSecrets() {
  const word = (name: string) => `${name}${randomUUID().slice(0, 8)}`;
  return {
    name: word("Zarina"),
    phone: `98${Math.trunc(10_000_000 + 9_999_999 * 0.5)}`.slice(0, 10),
    portfolio: word("portfolio"),
    device: word("browser"),
    ip: "203.0.113.77",
    passkey: word("passkey"),
    appSecret: word("app-secret"),
    recovery: word("recovery"),
    draftBrief: word("draft-brief"),
    orderBrief: word("order-brief"),
    role: word("goal"),
    question: word("question"),
    answer: word("reply"),
    feedback: word("feedback"),
    remark: word("remark"),
    quote: word("quote"),
    caption: word("caption"),
    returned: word("returned"),
    fileName: word("my-resume"),
    fileText: word("inside-the-file"),
    handedBack: word("handed-back"),
    handBackNote: word("hand-back-note"),
    ratingWords: word("rating"),
    trackedNote: word("note"),
    motivation: word("motivation"),
    alertSearch: word("alert"),
    message: word("message"),
    followUp: word("follow-up"),
    report: word("report"),
    refundReason: word("refund"),
    mailText: word("mail"),
    workEmail: `${word("work")}@zarina.example`,
    intro: word("intro"),
    phrase: word("phrase"),
    complaint: word("complaint"),
  };
}

type Secrets = ReturnType<typeof inventSecrets>;

/** Gives a person rows in every table that can have theirs, and files in the store. */
async function plant(person: Actor, secret: Secrets, files: Store) {
  const at = now();
  const { id } = person;
  await givePassword(db, person, "hash");
  await db
    .update(profiles)
    .set({ phone: secret.phone, portfolioUrl: `https://${secret.portfolio}.example` })
    .where(eq(profiles.id, id));
  await openSession(db, id, { clientAddress: secret.ip, userAgent: secret.device });
  await db.insert(authenticators).values({
    userId: id,
    sealedSecret: Buffer.from(secret.appSecret),
    keyId: "1",
    createdAt: at,
    confirmedAt: at,
  });
  await db.insert(recoveryCodes).values({ codeHash: secret.recovery, userId: id, createdAt: at });
  await db.insert(passkeys).values({
    userId: id,
    credentialId: randomUUID(),
    publicKey: Buffer.from("key"),
    counter: 0,
    transports: [],
    name: secret.passkey,
    createdAt: at,
  });
  await db
    .insert(chosenMails)
    .values({ userId: id, kind: "review-ready", choice: "never", changedAt: at });
  await recordConsent(db, { userId: id }, { purpose: "sample", how: "profile" });
  await recordConsent(db, { email: person.email }, { purpose: "contact", how: "check" });
  await createOwnAlert(db, person, { query: `q=${secret.alertSearch}`, frequency: "daily" });

  const resume = await files.add(id, "resumes", `${id}/${secret.fileName}.pdf`, secret);
  const original = await files.add(id, "resumes", `${id}/${secret.fileName}-2.pdf`, secret);
  await db.insert(blackOuts).values({
    id: randomUUID(),
    copyFileId: resume.id,
    originalFileId: original.id,
    boxes: [],
    createdAt: at,
  });
  await db.insert(reviewDrafts).values({
    userId: id,
    serviceType: "resume_review",
    resumeFileId: resume.id,
    brief: { role: secret.draftBrief } as never,
    createdAt: at,
    updatedAt: at,
  });
  const { orderId } = await startedOrder(db, person);
  await db
    .update(orders)
    .set({ status: "success", settledAt: at, nextCheckAt: null, capturedPaise: 19_900 })
    .where(eq(orders.orderId, orderId));
  await db.insert(reviewOrders).values({
    orderId,
    draftId: randomUUID(),
    draftRevision: 1,
    serviceType: "resume_review",
    resumeFilePath: resume.path,
    brief: { role: secret.orderBrief } as never,
  });
  await db.insert(refunds).values({
    orderId,
    token: `R_${id.slice(0, 20)}`,
    paymentId: "403",
    amountPaise: 19_900,
    grounds: "delivered",
    state: "declined",
    reason: secret.refundReason,
    askedBy: id,
    createdAt: at,
    endedAt: at,
  });
  const detail = { refundId: "1", reason: secret.refundReason, by: person.fullName };
  await db
    .insert(orderEvents)
    .values({ orderId, at, source: "refund", said: "delivered", outcome: "asked", detail });

  const [review] = await db
    .insert(serviceReviews)
    .values({
      userId: id,
      orderId,
      serviceType: "resume_review",
      status: "completed",
      resumeFilePath: resume.path,
      portfolioUrl: `https://${secret.portfolio}.example`,
      reviewerFeedback: secret.feedback,
      createdAt: at,
      dueAt: at,
    })
    .returning();
  const reviewId = review!.id;
  await db
    .insert(reviewAssignments)
    .values({ reviewId, reviewerId: meera.id, assignedAt: at, completedAt: at });
  await db.insert(reviewBriefs).values({ reviewId, role: secret.role });
  await db
    .insert(reviewQuestions)
    .values({ reviewId, position: 1, question: secret.question, answer: secret.answer });
  await db
    .insert(reviewRatings)
    .values({ reviewId, rating: 4, words: secret.ratingWords, ratedAt: at });
  await db.insert(reviewScores).values({ reviewId, criterion: "clarity", score: 3, updatedAt: at });
  await db.insert(reviewRemarks).values({
    id: randomUUID(),
    reviewId,
    authorId: meera.id,
    severity: "must",
    text: secret.remark,
    quote: secret.quote,
    createdAt: at,
    updatedAt: at,
  });
  await handedBackDraft(db, reviewId, meera, { content: { feedback: secret.handedBack } });
  await handedBackDraft(db, await pendingReview(db, meera), person, { note: secret.handBackNote });
  const picture = await files.add(meera.id, "review-images", `reviews/${reviewId}/1.png`, secret);
  await db.insert(reviewImages).values({
    reviewId,
    imageUrl: `/storage/review-images/${picture.path}`,
    annotation: secret.caption,
    createdAt: at,
  });
  const returned = await files.add(meera.id, "review-files", `reviews/${reviewId}/2.pdf`, secret);
  await db.insert(reviewFiles).values({
    reviewId,
    fileUrl: `/storage/review-files/${returned.path}`,
    fileName: `${secret.returned}.pdf`,
    fileType: "application/pdf",
    createdAt: at,
  });
  await db.insert(reviewerProfiles).values({
    userId: id,
    firstName: person.fullName!,
    field: "UX",
    about: secret.intro,
    updatedAt: at,
  });
  await db.insert(reviewerPhrases).values({ userId: id, text: secret.phrase, createdAt: at });

  const [tracked] = await db
    .insert(trackedJobs)
    .values({
      userId: id,
      title: "Designer",
      company: "Chaupal",
      notes: secret.trackedNote,
      motivation: secret.motivation,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  await db.insert(replyAnswers).values({
    trackedJobId: tracked!.id,
    userId: id,
    companyKey: "chaupal",
    outcome: "within",
    at,
  });

  const send = async (fields: Partial<typeof supportMessages.$inferInsert>) => {
    const [sent] = await db
      .insert(supportMessages)
      .values({
        ticket: randomUUID(),
        name: person.fullName!,
        email: person.email,
        senderId: id,
        subject: "Hello",
        message: secret.message,
        createdAt: at,
        ...fields,
      })
      .returning();
    await db.insert(supportAnswers).values({
      messageId: sent!.id,
      at,
      authorName: person.fullName!,
      answer: fields.kind === "complaint" ? secret.complaint : secret.followUp,
      isFromWriter: true,
    });
  };
  await send({});
  await send({ senderId: null, state: "closed" });
  await send({ kind: "complaint", message: secret.complaint });
  const { id: jobId } = (await insertJob(db)) as { id: string };
  await db.insert(jobReports).values({
    jobId,
    reporterId: id,
    network: "n",
    reason: "fake",
    text: secret.report,
    createdAt: at,
    confirmedAt: at,
    state: "dismissed",
    decidedAt: at,
  });
  const own = await company(db);
  await member(db, own, person, { workEmail: secret.workEmail });
  await recordAuditEvents(db, [
    {
      actor: person,
      event: "company.invite",
      subject: { type: "company", id: own.id },
      after: { workEmail: secret.workEmail },
    },
  ]);
  await db.insert(mails).values({
    cause: `sample:${id}`,
    recipient: person.email,
    subject: `Hello ${person.fullName}`,
    html: secret.mailText,
    text: secret.mailText,
    createdAt: at,
    sentAt: at,
  });
  await db
    .insert(rateLimits)
    .values({ key: `mail-address:${person.email}`, windowStart: at, count: 1 });
  return { orderId, reviewId };
}

type Store = ReturnType<typeof createFiles>;

function createFiles(folder: string) {
  const store = createDiskStore(join(folder, "files"));
  return {
    store,
    async add(uploadedBy: string, bucket: Bucket, path: string, secret: Secrets) {
      await writeFile(join(folder, "upload"), `%PDF ${secret.fileText}`);
      await store.put(bucket, path, join(folder, "upload"));
      const [file] = await db
        .insert(storedFiles)
        .values({
          bucket,
          path,
          uploadedBy,
          originalName: `${secret.fileName}.pdf`,
          mimeType: "application/pdf",
          size: 20,
          createdAt: now(),
        })
        .returning();
      return file!;
    },
  };
}

/** Lists the columns of all tables that hold a text, as "table.column". */
async function findInRows(texts: string[]): Promise<string[]> {
  const { rows: columns } = await db.execute<{ table: string; column: string; type: string }>(sql`
    select table_name as table, column_name as column, data_type as type
    from information_schema.columns
    where table_schema = 'public'
      and data_type in ('text', 'character varying', 'jsonb', 'json', 'bytea', 'ARRAY')
      and table_name in (select table_name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE')`);
  const found: string[] = [];
  for (const { table, column, type } of columns) {
    const name = sql.identifier(column);
    const text = type === "bytea" ? sql`encode(${name}, 'escape')` : sql`lower(${name}::text)`;
    for (const secret of texts) {
      const { rows } = await db.execute(
        sql`select 1 from ${sql.identifier(table)} where strpos(${text}, ${type === "bytea" ? secret : secret.toLowerCase()}) > 0 limit 1`,
      );
      if (rows.length > 0) found.push(`${table}.${column}`);
    }
  }
  return [...new Set(found)].toSorted();
}

async function findInFiles(folder: string, texts: string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const content = path + (await readFile(path, "latin1"));
    if (texts.some((text) => content.includes(text))) found.push(path);
  }
  return found;
}

test("after the purge, only what the retention table names still has a trace of the person", async () => {
  const folder = ownFolder(onTestFinished);
  const files = createFiles(folder);
  const secret = inventSecrets();
  const zarina = await person(db, secret.name);
  const texts = [...Object.values(secret), zarina.email];
  const { orderId, reviewId } = await plant(zarina, secret, files);
  const planted = await findInRows(texts);
  expect(planted.length).toBeGreaterThan(40);
  expect(await findInFiles(join(folder, "files"), texts)).toHaveLength(4);

  await closeOwnAccount(db, zarina, config);
  expect(await deleteClosedAccounts(db, files.store)).toBe(0);
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => void lines.push(line) });
  await runLater(14 * day + 1, async () => {
    await createPurgeAccountsTask(files.store).run({}, { db, log });
    expect(await deleteClosedAccounts(db, files.store)).toBe(0);
  });
  expect(lines).toHaveLength(1);
  expect(texts.filter((text) => lines[0]!.includes(text))).toEqual([]);

  expect(await findInFiles(join(folder, "files"), texts)).toEqual([]);
  expect(await db.$count(storedFiles, eq(storedFiles.originalName, `${secret.fileName}.pdf`))).toBe(
    0,
  );
  // Details of the payment stay for 180 days, and an open complaint until it is settled.
  expect(await findInRows(texts)).toEqual([
    "contact_answers.answer",
    "contact_messages.email",
    "contact_messages.message",
    "contact_messages.search_text",
    "order_events.detail",
    "orders.checkout_fields",
  ]);
  const [review] = await db.select().from(serviceReviews).where(eq(serviceReviews.id, reviewId));
  expect(review).toMatchObject({ status: "completed", serviceType: "resume_review", orderId });
  expect(review!.dueAt).not.toBeNull();
  expect(await db.$count(reviewScores, eq(reviewScores.reviewId, reviewId))).toBe(1);
  const [rating] = await db
    .select()
    .from(reviewRatings)
    .where(eq(reviewRatings.reviewId, reviewId));
  expect(rating).toMatchObject({ rating: 4, words: null });
  const [shell] = await db.select().from(users).where(eq(users.id, zarina.id));
  expect(shell).toMatchObject({ name: "", email: `${zarina.id}@closed.invalid`, image: null });
  expect(await db.$count(sealedAccounts)).toBe(0);

  await db
    .update(supportMessages)
    .set({ state: "closed" })
    .where(eq(supportMessages.senderId, zarina.id));
  await deleteClosedAccounts(db, files.store);
  await runLater(181 * day, async () => void (await deleteOldPersonalDetails(db)));
  expect(await findInRows(texts)).toEqual([]);
});

test("a purge that is interrupted between rows and files continues", async () => {
  const folder = ownFolder(onTestFinished);
  const files = createFiles(folder);
  const secret = inventSecrets();
  const zarina = await person(db, secret.name);
  await plant(zarina, secret, files);
  await closeOwnAccount(db, zarina, config);
  const broken = {
    ...files.store,
    delete: () => Promise.reject(new Error("The store is gone.")),
  };
  await runLater(15 * day, async () => {
    await expect(deleteClosedAccounts(db, broken)).rejects.toThrow("The store is gone.");
    expect(await db.$count(sealedAccounts)).toBe(1);
    expect(await deleteClosedAccounts(db, files.store)).toBe(1);
  });
  expect(await db.$count(sealedAccounts)).toBe(0);
  // The row of the file that could not be deleted is gone. The nightly sweep deletes such objects.
  expect((await findInFiles(join(folder, "files"), Object.values(secret))).length).toBeLessThan(2);
});

test("two purges at once purge each account once", async () => {
  const files = createFiles(ownFolder(onTestFinished));
  for (let made = 0; made < 6; made++)
    await closeOwnAccount(db, await person(db, "Asha Verma"), config);
  await runLater(15 * day, async () => {
    const counts = await Promise.all([1, 2, 3].map(() => deleteClosedAccounts(db, files.store)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(6);
  });
});
