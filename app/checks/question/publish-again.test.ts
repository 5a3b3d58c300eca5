import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { sentBy } from "../../../tests/support/requests/asked.ts";
import { askedListing } from "../../../tests/support/rows/contact-questions.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { insertJob, jobFields, jobRow, typedJob } from "../../../tests/support/rows/jobs.ts";
import { hashContactAddress } from "../../jobs/contact/contact-address.server.ts";
import {
  archiveJob,
  createJob,
  defaultPublishing,
  type PublishSettings,
  unarchiveJob,
  updateJob,
} from "../../jobs/manage/job-commands.server.ts";
import { manageJobsAction } from "../../jobs/manage/job-management.server.ts";
import { restoreListing } from "../../jobs/manage/restore-listing.server.ts";
import type { JobInput } from "../../jobs/manage/rules.ts";
import { contactsByPerson } from "../../jobs/contact/stopped-contacts.server.ts";
import { jobs, stoppedContacts } from "../../jobs/tables.server.ts";
import { now } from "../../platform/clock.ts";
import { removeContact } from "./remove-contact.server.ts";

const { db, devi, gita, sonia, omar } = await testPeople();
const config = testConfig();
const settings: PublishSettings = { ...defaultPublishing, secrets: config.secrets };
const refused = "This contact can't be published. Use another.";

const form: JobInput = { ...jobFields, pocName: null, pocContact: null };
const create = (fields: Partial<JobInput>, by: PublishSettings = settings) =>
  createJob(db, devi, { ...form, ...fields }, undefined, by);

/** Has a contact removed who had an address of this local part, and a number. */
async function withdraw(local: string, phone = "98450 12345"): Promise<string> {
  const email = `${local}.${randomUUID().slice(-12)}@acme.example`;
  const { token } = await askedListing(db, { pocContact: `${email} / +91 ${phone}` });
  await removeContact(db, config, token);
  return email;
}

test.each([
  [
    "the contact",
    (email: string) => ({ pocName: "Leela", pocContact: `<${email.toUpperCase()}>` }),
  ],
  ["the name of the contact", (email: string) => ({ pocName: email })],
  ["a link", (email: string) => ({ portalApplicationLink: `https://acme.example/?to=${email}` })],
  [
    "an encoded link",
    (email: string) => ({
      directApplicationLink: `https://acme.example/?to=${email.replace("@", "%40").replace("l", "%6c")}`,
    }),
  ],
  ["the summary", (email: string) => ({ description: `Write to ${email}.` })],
  ["the title", (email: string) => ({ title: `Designer, ${email}` })],
  [
    "the full text, encoded",
    (email: string) => ({ largeDescription: `Draws.\n${email.replace("@", "&#64;")}` }),
  ],
  [
    "the full text, in wide letters",
    (email: string) => ({ largeDescription: email.replace("@", "＠") }),
  ],
])("an address that was removed is refused in %s", async (_what, build) => {
  const email = await withdraw("leela");
  await expect(create(build(email))).rejects.toThrow(refused);
  const id = await create({});
  await expect(
    updateJob(db, devi, id, { ...form, ...build(email) }, undefined, settings),
  ).rejects.toThrow(refused);
  expect(await db.$count(jobs, eq(jobs.id, id))).toBe(1);
  await create(build("someone.else@acme.example"));
});

test.each([
  ["the contact", { pocContact: "Leela, 098450-54321" }],
  ["the full text", { largeDescription: "Call +91 98450 54321 now." }],
  ["a link", { directApplicationLink: "https://wa.me/919845054321" }],
])("the phone number of a removed contact is refused in %s", async (_what, fields) => {
  await withdraw("leela", "98450 54321");
  await expect(create(fields)).rejects.toThrow(refused);
});

test("a removed contact isn't published again by unarchiving or by an undo", async () => {
  const email = await withdraw("mona");
  const listing = { ...form, pocContact: email, createdBy: devi.id, isArchived: true };
  const { id } = await insertJob(db, listing);
  await expect(unarchiveJob(db, devi, id, settings)).rejects.toThrow(refused);
  await db.update(jobs).set({ isArchived: false }).where(eq(jobs.id, id));
  const at = await archiveJob(db, devi, id);
  await expect(restoreListing(db, devi, { id, at: at! }, settings)).rejects.toThrow(refused);
  expect(await jobRow(db, id)).toMatchObject({ isArchived: true });
});

test("an undo that archives a listing again needs no publishable contact", async () => {
  const id = await create({ pocContact: "ok@acme.example" });
  await archiveJob(db, devi, id);
  const at = await unarchiveJob(db, devi, id, settings);
  const email = await withdraw("tara");
  await db.update(jobs).set({ pocContact: email }).where(eq(jobs.id, id));
  expect(await restoreListing(db, devi, { id, at: at! }, settings)).toBe(true);
});

test("a listing that already has a contact can be edited otherwise", async () => {
  const email = await withdraw("nila");
  const named = { ...form, description: `Ask ${email}.` };
  const { id } = await insertJob(db, { ...named, createdBy: devi.id });
  await updateJob(db, devi, id, { ...named, location: "Kochi" }, undefined, settings);
  expect(await jobRow(db, id)).toMatchObject({ location: "Kochi" });
});

test("a removed contact is recognized after a change of the secret", async () => {
  const email = await withdraw("old");
  const changed = { ...settings, secrets: ["a newer secret of ours", ...settings.secrets] };
  await expect(create({ pocContact: email }, changed)).rejects.toThrow(refused);
  await expect(create({ pocContact: "98450 12345" }, changed)).rejects.toThrow(refused);
});

test("a listing can't outrun a removal at the same time", async () => {
  for (const local of ["first", "second"]) {
    const email = `${local}.race@acme.example`;
    const { token } = await askedListing(db, { pocContact: email });
    let id = "";
    const publish = async (tx: typeof db) => {
      id = await createJob(tx, devi, { ...form, pocContact: email }, undefined, settings);
    };
    const remove = (tx: typeof db) => removeContact(tx, config, token);
    const [one, other] =
      local === "first"
        ? await overlap(db, publish, remove)
        : (await overlap(db, remove, publish)).toReversed();
    expect(other!.status).toBe("fulfilled");
    expect(one!.status).toBe(local === "first" ? "fulfilled" : "rejected");
    const left = id ? await db.select().from(jobs).where(eq(jobs.id, id)) : [];
    expect(left.map(({ pocContact }) => pocContact)).toEqual(local === "first" ? [null] : []);
  }
});

test("an edit can't outrun a removal at the same time", async () => {
  const email = "edit.race@acme.example";
  const { token } = await askedListing(db, { pocContact: email });
  const id = await create({});
  const [, edited] = await overlap(
    db,
    (tx) => removeContact(tx, config, token),
    (other) => updateJob(other, devi, id, { ...form, pocContact: email }, undefined, settings),
  );
  expect(edited).toMatchObject({ status: "rejected", reason: { message: refused } });
});

test("attempts to add a contact are counted for each account, refused ones too", async () => {
  stopClock();
  const email = await withdraw("oracle");
  const limited: PublishSettings = { ...settings, rateLimits: "on" };
  const attempt = (actor: typeof sonia, fields: Partial<JobInput>) =>
    createJob(db, actor, { ...form, ...fields }, undefined, limited);
  for (let number = 0; number < contactsByPerson.max; number++)
    await expect(attempt(sonia, { pocContact: email })).rejects.toThrow(refused);
  for (const pocContact of [email, "someone@acme.example"])
    await expect(attempt(sonia, { pocContact })).rejects.toThrow("Too many attempts");
  await attempt(sonia, {});
  await attempt(omar, { pocContact: "someone@acme.example" });
});

async function send(fields: Record<string, string>) {
  const { toasts, ...sent } = sentBy(db, gita, fields, { path: "/admin/jobs" });
  await manageJobsAction(sent);
  return toasts;
}

test("the forms show the reason under their own titles", async () => {
  const email = await withdraw("form");
  expect(await send({ ...typedJob, intent: "create-job", pocContact: email })).toMatchObject([
    { kind: "error", title: refused },
  ]);
  const { id } = await insertJob(db, { ...form, pocContact: email, isArchived: true });
  expect(await send({ intent: "unarchive-job", id })).toMatchObject([
    { kind: "error", title: "Failed to unarchive job listing", description: refused },
  ]);
});

test("an address that rejected our email is saved with a warning", async () => {
  const email = "bounced@acme.example";
  const contactHash = hashContactAddress(config, email);
  await db.insert(stoppedContacts).values({ contactHash, reason: "bounced", at: now() });
  const [toast] = await send({ ...typedJob, intent: "create-job", pocContact: email });
  expect(toast).toMatchObject({
    kind: "warning",
    title: "Job listing created successfully",
    description: `Email to ${email} bounced. Please check the address.`,
  });
  expect(await db.$count(jobs, eq(jobs.pocContact, email))).toBe(1);
});
