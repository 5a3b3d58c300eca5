import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { getRevenue } from "../../app/admin/revenue.server.ts";
import { createDiskStore } from "../../app/files/disk-store.server.ts";
import { buckets } from "../../app/files/rules.ts";
import { storedFiles } from "../../app/files/tables.server.ts";
import { mails } from "../../app/mail/tables.server.ts";
import { refunds } from "../../app/payments/refunds/tables.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { now } from "../../app/platform/clock.ts";
import { queueTask } from "../../app/platform/tasks.server.ts";
import { auditEvents } from "../../app/platform/tables.server.ts";
import { serviceReviews } from "../../app/reviews/tables.server.ts";
import type { World } from "./world.ts";

/** Lists the problems after a drill, as sentences. Call it when all work has finished. */
export async function complaints(world: World): Promise<string[]> {
  return [
    ...(await wrongMails(world)),
    ...(await wrongMoney(world)),
    ...(await wrongHistory(world)),
    ...(await wrongFiles(world)),
    ...world.web.bugs(),
    ...world.worker.bugs(),
  ];
}

/** Counts emails that arrived twice, because their sender died right after sending. Both have the same id. */
export function countRepeatedMails({ received }: World): number {
  const ids = received.map(messageIdOf);
  return ids.length - new Set(ids).size;
}

async function wrongMails(world: World): Promise<string[]> {
  const { db, received, config, before } = world;
  const listNew = async () => (await db.select().from(mails)).filter(({ id }) => !before.has(id));
  const countUnsent = async () => (await listNew()).filter(({ sentAt }) => !sentAt).length;
  await world.inTime(async () => (await countUnsent()) === 0).catch(() => {});
  const wrong: string[] = [];
  const unsent = await countUnsent();
  if (unsent > 0) wrong.push(`${unsent} emails were not sent.`);
  const arrived = new Set(received.map(messageIdOf));
  const sent = (await listNew()).filter(({ sentAt }) => sentAt);
  const host = new URL(config.origin).hostname;
  const lost = sent.filter(({ id }) => !arrived.has(`<${id}@${host}>`));
  if (lost.length > 0) wrong.push(`${lost.length} emails count as sent but never arrived.`);
  if (arrived.size !== sent.length)
    wrong.push(`${sent.length} emails arrived under ${arrived.size} ids.`);
  return wrong;
}

function messageIdOf(text: string): string | undefined {
  return /^Message-ID: (.*)$/im.exec(text)?.[1]?.trim();
}

async function wrongMoney(world: World): Promise<string[]> {
  const { db, admin, before } = world;
  const allPaid = await db.select().from(orders).where(eq(orders.status, "success"));
  const paid = allPaid.filter(({ orderId }) => !before.has(orderId));
  const reviews = await db.select({ orderId: serviceReviews.orderId }).from(serviceReviews);
  const bought = new Set(reviews.map(({ orderId }) => orderId));
  const wrong = paid
    .filter(({ orderId }) => !bought.has(orderId))
    .map(({ orderId }) => `Order ${orderId} is paid but has no review.`);
  const settled = await db.select().from(refunds).where(eq(refunds.state, "settled"));
  const refunded = new Set(settled.map(({ orderId }) => orderId));
  const notRefunded = paid.filter(({ orderId }) => !refunded.has(orderId));
  const sum = notRefunded.reduce((paise, order) => paise + (order.amountPaise ?? 0), 0);
  const { current, previous } = await getRevenue(db, admin.actor, now());
  const growth = current + previous - world.revenueBefore;
  if (growth !== sum) wrong.push(`The revenue grew by ${growth} paise, not ${sum}.`);
  return wrong;
}

/** Lists audit events that happened more than once. */
async function wrongHistory({ db, before }: World): Promise<string[]> {
  const times = new Map<string, number>();
  for (const { id, event, subjectId } of await db.select().from(auditEvents)) {
    if (before.has(id)) continue;
    const line = `${event} of ${subjectId}`;
    times.set(line, (times.get(line) ?? 0) + 1);
  }
  return [...times]
    .filter(([, count]) => count > 1)
    .map(([line, count]) => `The history has ${line} ${count} times.`);
}

/** Lists files that the sweep of the next day should have deleted, and files that are missing. */
async function wrongFiles(world: World): Promise<string[]> {
  const { db, dataDir } = world;
  for (const folder of ["files", "uploads"]) await age(join(dataDir, folder));
  for (const name of ["remove-stale-uploads", "sweep-files"]) await queueTask(db, { name }, {});
  await world.inTime(async () => {
    const { rows } = await db.execute(sql`select 1 from pgboss.job
      where name in ('remove-stale-uploads', 'sweep-files') and state < 'completed'`);
    return rows.length === 0;
  });
  const stored = new Set<string>();
  const store = createDiskStore(join(dataDir, "files"));
  for (const bucket of buckets)
    for await (const { path, size } of store.list(bucket)) stored.add(`${bucket}/${path} ${size}`);
  const recorded = (await db.select().from(storedFiles)).map(
    ({ bucket, path, size }) => `${bucket}/${path} ${size}`,
  );
  const unfinished = [
    ...(await filesIn(join(dataDir, "uploads"))),
    ...(await filesIn(join(dataDir, "files", ".unfinished"))),
  ];
  return [
    ...recorded
      .filter((file) => !stored.has(file))
      .map((file) => `${file} is recorded but missing.`),
    ...[...stored]
      .filter((file) => !recorded.includes(file))
      .map((file) => `${file} belongs to no row.`),
    ...unfinished.map((file) => `${file} is left over from an upload.`),
  ];
}

async function age(folder: string): Promise<void> {
  const longAgo = new Date(Date.now() - 2 * 86_400_000);
  for (const file of await filesIn(folder)) await utimes(file, longAgo, longAgo);
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
