import { desc, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { jobFields, jobRow } from "../../../tests/support/rows/jobs.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { noDetails } from "../details.ts";
import { archiveJob, createJob, updateJob } from "../manage/job-commands.server.ts";
import { jobs } from "../tables.server.ts";
import {
  acceptDetails,
  findProposedDetails,
  listJobsWithoutDetails,
  messages,
} from "./accept-details.server.ts";
import { withoutDetails } from "./without-details.ts";

const { db, gita, devi } = await testPeople();

const written = {
  ...jobFields,
  title: "UX Designer (2-4 yrs)",
  location: "Hybrid, Pune",
  compensation: "₹12–18 LPA",
  description: "You know Figma.",
};

beforeEach(async () => {
  await db.delete(jobs);
  await db.delete(auditEvents);
});

async function readDetails(id: string) {
  const job = await jobRow(db, id);
  const names = Object.keys(noDetails) as (keyof typeof noDetails)[];
  return Object.fromEntries(names.map((name) => [name, job[name]]));
}

async function open(id: string) {
  const found = await findProposedDetails(db, gita, id);
  return { id, seen: found!.version, keys: found!.proposals.map(({ key }) => key) };
}

test("accepting saves the chosen details only, and records the quotes", async () => {
  const id = await createJob(db, devi, written);
  const chosen = await open(id);
  expect(chosen.keys).toHaveLength(6);
  await acceptDetails(db, gita, { ...chosen, keys: ["pay", "mode", "skill-1", "made-up"] });
  const pay = { payMin: 1_200_000, payMax: 1_800_000, payPeriod: "year" };
  const details = { workMode: "hybrid", ...pay, skillIds: [1] };
  expect(await readDetails(id)).toEqual({ ...noDetails, ...details });
  const [event] = await db.select().from(auditEvents).orderBy(desc(auditEvents.at)).limit(1);
  expect(event).toMatchObject({
    actorId: gita.id,
    event: "job.accept-details",
    subjectId: id,
    after: { ...details, quotes: "“Hybrid”, “₹12–18 LPA”, “Figma”" },
  });
});

test("of two admins who accept together, one is refused", async () => {
  const chosen = await open(await createJob(db, devi, written));
  const both = await Promise.allSettled([
    acceptDetails(db, gita, chosen),
    acceptDetails(db, gita, { ...chosen, keys: ["pay"] }),
  ]);
  const refused = both.filter((one) => one.status === "rejected");
  expect(refused.map(({ reason }) => String(reason))).toEqual([`Conflict: ${messages.hasDetails}`]);
  expect(await db.$count(auditEvents, eq(auditEvents.event, "job.accept-details"))).toBe(1);
});

test("a listing that changed meanwhile keeps its details unset", async () => {
  const id = await createJob(db, devi, written);
  const chosen = await open(id);
  // The proposals stay the same, but their surroundings don't.
  await updateJob(db, devi, id, { ...written, description: "You don't need it. You know Figma." });
  await expect(acceptDetails(db, gita, chosen)).rejects.toThrow(messages.changed);
  expect(await readDetails(id)).toEqual(noDetails);
  await acceptDetails(db, gita, await open(id));
  expect(await readDetails(id)).not.toEqual(noDetails);
});

test("an archived or deleted listing is refused", async () => {
  const id = await createJob(db, devi, written);
  const chosen = await open(id);
  await archiveJob(db, devi, id);
  expect(await findProposedDetails(db, gita, id)).toBeNull();
  await expect(acceptDetails(db, gita, chosen)).rejects.toThrow(messages.notFound);
  await db.delete(jobs);
  await expect(acceptDetails(db, gita, chosen)).rejects.toThrow(messages.notFound);
});

test("nothing is saved without a choice", async () => {
  const chosen = await open(await createJob(db, devi, written));
  for (const keys of [[], ["made-up"]])
    await expect(acceptDetails(db, gita, { ...chosen, keys })).rejects.toThrow(
      messages.nothingChosen,
    );
  expect(await readDetails(chosen.id)).toEqual(noDetails);
});

test("places of applicants are saved with remote work only", async () => {
  const id = await createJob(db, devi, { ...written, location: "Remote, India" });
  const chosen = await open(id);
  const keys = chosen.keys.filter((key) => key !== "mode");
  await expect(acceptDetails(db, gita, { ...chosen, keys })).rejects.toThrow(messages.notRemote);
  await acceptDetails(db, gita, chosen);
  expect(await readDetails(id)).toMatchObject({ workMode: "remote", applicantPlaceIds: [356] });
});

test.each([
  { discipline: "ux" as const },
  { workMode: "remote" as const },
  { placeIds: [1] },
  { applicantPlaceIds: [0] },
  { experienceMin: 1 },
  { experienceMax: 1 },
  { skillIds: [1] },
  { payMin: 1, payPeriod: "year" as const },
  { isArchived: true },
])("a listing with %j is not in the list", async (values) => {
  const id = await createJob(db, devi, written);
  expect((await listJobsWithoutDetails(db, gita, null)).rows).toHaveLength(1);
  await db.update(jobs).set(values).where(eq(jobs.id, id));
  expect((await listJobsWithoutDetails(db, gita, null)).rows).toEqual([]);
  expect(await findProposedDetails(db, gita, id)).toBeNull();
});

test("the list and its count come from the index of listings without details", async () => {
  const found = await db.transaction(async (tx) => {
    // A small table would be read in full.
    await tx.execute(sql`set local enable_seqscan = off`);
    await tx.execute(sql`set local enable_sort = off`);
    const { rows } = await tx.execute<{ "QUERY PLAN": string }>(sql`
      explain select id from jobs where not is_archived and ${sql.raw(withoutDetails)}
      order by posted_at desc, id desc limit 21`);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(found).toMatch(/Index (?:Only )?Scan Backward using jobs_without_details/);
});
