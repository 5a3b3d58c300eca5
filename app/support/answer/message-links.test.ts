import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { orderToResolve, ticket } from "../../../tests/support/rows/admin-things.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { completedReview } from "../../../tests/support/rows/review-states.ts";
import { insertManyJobs } from "../../../db/demo/many-jobs.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { now } from "../../platform/clock.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { addMessageLink, listMessageLinks, removeMessageLink } from "./message-links.server.ts";
import { getMessage } from "./read-message.server.ts";
import { deleteTemplate, listTemplates, maxTemplates, saveTemplate } from "./templates.server.ts";

const { origin } = testConfig();
const { db, asha, meera, gita } = await testPeople();
await insertManyJobs(db, 1, now());
const [job] = await db.select().from(jobs);
const reviewId = await completedReview(db, asha, meera);
const orderId = await orderToResolve(db, gita, { asha });

const linksOf = async (number: string) => {
  const links = await listMessageLinks(db, await getMessage(db, gita, number));
  return links.map(({ to }) => to);
};

test("a message is linked by an id or an address", async () => {
  const number = await ticket(db, gita);
  for (const target of [orderId, `${origin}/admin/reviews/${reviewId}/remarks`, `/jobs/${job!.id}`])
    await addMessageLink(db, gita, { ticket: number, target });
  const all = [
    `/admin/orders/${orderId}`,
    `/admin/reviews/${reviewId}/remarks`,
    `/jobs/${job!.id}`,
  ];
  expect(await linksOf(number)).toEqual(all);
  for (const kind of ["order", "order"] as const)
    await removeMessageLink(db, gita, { ticket: number, kind });
  expect(await linksOf(number)).toEqual(all.slice(1));
});

test.each(["none", "TXN_NONE", "00000000-0000-4000-8000-000000000000", "/", "?", "'; drop table"])(
  "%j is no order, review or job",
  async (target) => {
    const number = await ticket(db, gita);
    await expect(addMessageLink(db, gita, { ticket: number, target })).rejects.toThrow();
    expect(await linksOf(number)).toEqual([]);
  },
);

test("a deleted review leaves the message without the link", async () => {
  const other = await completedReview(db, asha, meera);
  const number = await ticket(db, gita);
  await addMessageLink(db, gita, { ticket: number, target: other });
  await db.delete(serviceReviews).where(eq(serviceReviews.id, other));
  expect(await linksOf(number)).toEqual([]);
});

test("a saved reply with the same title is replaced, and deleting it twice is fine", async () => {
  for (const text of ["It is on its way.", "It takes five days."])
    await saveTemplate(db, gita, { title: "Refund", text });
  const [saved, ...more] = await listTemplates(db, gita);
  expect([saved?.text, more]).toEqual(["It takes five days.", []]);
  for (let turn = 0; turn < 2; turn++) await deleteTemplate(db, gita, saved!);
  await deleteTemplate(db, gita, { id: "none" });
  expect(await listTemplates(db, gita)).toEqual([]);
});

test("concurrent saves never pass the limit", async () => {
  const save = (number: number) =>
    saveTemplate(db, gita, { title: `Reply ${number}`, text: "Yes." });
  const saves = Array.from({ length: maxTemplates + 5 }, (_, number) => save(number));
  const done = await Promise.allSettled(saves);
  expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(maxTemplates);
  expect(await listTemplates(db, gita)).toHaveLength(maxTemplates);
});
