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

/** Lists the problems after a drill, once nothing is under way: in sentences. */
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

/** A mail that arrived twice is one that was taken just before its sender died; both have the same id. */
export function repeatedMails({ received }: World): number {
  const ids = received.map(messageIdOf);
  return ids.length - new Set(ids).size;
}

async function wrongMails(world: World): Promise<string[]> {
  const { db, received, config, before } = world;
  const own = async () => (await db.select().from(mails)).filter(({ id }) => !before.has(id));
  const unsent = async () => (await own()).filter(({ sentAt }) => !sentAt).length;
  await world.inTime(async () => (await unsent()) === 0).catch(() => {});
  const wrong: string[] = [];
  if ((await unsent()) > 0) wrong.push(`${await unsent()} mails do not leave.`);
  const arrived = new Set(received.map(messageIdOf));
  const sent = (await own()).filter(({ sentAt }) => sentAt);
  const host = new URL(config.origin).hostname;
  const lost = sent.filter(({ id }) => !arrived.has(`<${id}@${host}>`));
  if (lost.length > 0) wrong.push(`${lost.length} mails count as sent, and never arrived.`);
  if (arrived.size !== sent.length)
    wrong.push(`${sent.length} mails arrived under ${arrived.size} ids.`);
  return wrong;
}

function messageIdOf(text: string): string | undefined {
  return /^Message-ID: (.*)$/im.exec(text)?.[1]?.trim();
}

async function wrongMoney(world: World): Promise<string[]> {
  const { db, admin, before } = world;
  const ever = await db.select().from(orders).where(eq(orders.status, "success"));
  const paid = ever.filter(({ orderId }) => !before.has(orderId));
  const reviews = await db.select({ orderId: serviceReviews.orderId }).from(serviceReviews);
  const bought = new Set(reviews.map(({ orderId }) => orderId));
  const wrong = paid
    .filter(({ orderId }) => !bought.has(orderId))
    .map(({ orderId }) => `Order ${orderId} is paid, and has no review.`);
  const given = await db.select().from(refunds).where(eq(refunds.state, "settled"));
  const back = new Set(given.map(({ orderId }) => orderId));
  const kept = paid.filter(({ orderId }) => !back.has(orderId));
  const sum = kept.reduce((paise, order) => paise + (order.amountPaise ?? 0), 0);
  const { current, previous } = await getRevenue(db, admin.actor, now());
  const more = current + previous - world.revenueBefore;
  if (more !== sum) wrong.push(`The revenue has grown by ${more} paise, not ${sum}.`);
  return wrong;
}

/** Lists things that happened more than once. */
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

/** A day later nothing is left that belongs to nothing, and all is there that a row names. */
async function wrongFiles(world: World): Promise<string[]> {
  const { db, dataDir } = world;
  for (const folder of ["files", "uploads"]) await age(join(dataDir, folder));
  for (const name of ["remove-stale-uploads", "sweep-files"]) await queueTask(db, { name }, {});
  await world.inTime(async () => {
    const { rows } = await db.execute(sql`select 1 from pgboss.job
      where name in ('remove-stale-uploads', 'sweep-files') and state < 'completed'`);
    return rows.length === 0;
  });
  const kept = new Set<string>();
  const store = createDiskStore(join(dataDir, "files"));
  for (const bucket of buckets)
    for await (const { path, size } of store.list(bucket)) kept.add(`${bucket}/${path} ${size}`);
  const recorded = (await db.select().from(storedFiles)).map(
    ({ bucket, path, size }) => `${bucket}/${path} ${size}`,
  );
  const unfinished = [
    ...(await filesIn(join(dataDir, "uploads"))),
    ...(await filesIn(join(dataDir, "files", ".unfinished"))),
  ];
  return [
    ...recorded.filter((file) => !kept.has(file)).map((file) => `${file} is recorded, and gone.`),
    ...[...kept]
      .filter((file) => !recorded.includes(file))
      .map((file) => `${file} is kept for nothing.`),
    ...unfinished.map((file) => `${file} is left of an upload.`),
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
