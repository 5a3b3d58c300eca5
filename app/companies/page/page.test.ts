import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { setBan, tomorrow } from "../../../tests/support/rows/admin-things.ts";
import { company, member, pageChange, storedLogo } from "../../../tests/support/rows/companies.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { insertJob } from "../../../tests/support/rows/jobs.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { Invalid } from "../../platform/errors.ts";
import type { Database } from "../../platform/database.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { setCompanyState } from "../decide/decide-companies.server.tsx";
import { approvePageChange, returnPageChange } from "../decide/decide-page-changes.server.tsx";
import { countPageChanges, listPageChanges } from "../decide/list-page-changes.server.ts";
import { revokeOwnMembership } from "../team/change-team.server.tsx";
import { companies, companyChanges, companyLogos } from "../tables.server.ts";
import {
  companyPageForm,
  getNewestPage,
  getOwnPage,
  sendPageChange,
  withdrawPageChange,
} from "./change-page.server.ts";
import { getPageVersion } from "./company-page.server.ts";

const { db, asha, ravi, gita } = await testPeople();
const config = testConfig();
const typed = { name: "Sample Signs", about: "We draw signs.", removesLogo: false, picture: null };
let own: Awaited<ReturnType<typeof company>>;

beforeEach(async () => {
  await db.execute(
    sql`delete from companies; delete from jobs; delete from mails; delete from audit_events;
      update users set banned_until = null`,
  );
  own = await company(db, { about: "Signs." });
  await member(db, own, asha);
  await member(db, own, ravi, { role: "member" });
});

type Typed = Partial<Parameters<typeof sendPageChange>[2]>;

/** Sends a change of the page as a member who has just opened the form. */
async function send(fields: Typed = {}, tx: Database = db, actor: Actor = asha) {
  const { version } = getNewestPage(await getOwnPage(db, actor, own.id));
  const { website, id: companyId } = own;
  await sendPageChange(tx, actor, { companyId, website, version, ...typed, ...fields });
}

const changeOf = async () => (await db.select().from(companyChanges))[0];
const pageOf = async () => (await db.select().from(companies))[0]!;
const logosOf = async () => (await db.select().from(companyLogos)).map(({ hash }) => hash);

/** The change as an admin reads it now. */
async function read() {
  const [row] = (await listPageChanges(db, gita, { after: null })).rows;
  const { id: companyId, version, page } = row!;
  return { companyId, version, pageVersion: getPageVersion(page) };
}

test("a change waits beside the published page until an admin publishes it", async () => {
  const before = await pageOf();
  await send();
  expect(await pageOf()).toEqual(before);
  expect(await countPageChanges(db, gita)).toMatchObject({ counted: 1 });
  await approvePageChange(db, gita, await read(), config);
  expect(await pageOf()).toEqual({ ...before, name: "Sample Signs", about: "We draw signs." });
  expect(await changeOf()).toBeUndefined();
  expect(await countPageChanges(db, gita)).toMatchObject({ counted: 0 });
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.subject).toBe("The page of Sample Signs is changed");
  const events = await db.select().from(auditEvents);
  expect(events.map(({ event, actorId, after }) => [event, actorId, after])).toEqual([
    ["company.send-change", asha.id, { changed: "Company name, About the company" }],
    [
      "company.publish-change",
      gita.id,
      { name: "Sample Signs", website: own.website, changed: "Company name, About the company" },
    ],
  ]);
});

test("a new name changes no listing, and no address", async () => {
  const job = await insertJob(db, { companyId: own.id, company: own.name });
  await send();
  await approvePageChange(db, gita, await read(), config);
  expect((await pageOf()).slug).toBe(own.slug);
  const [listed] = await db.select().from(jobs);
  expect(listed).toMatchObject({ id: job.id, company: own.name });
});

test("a returned change says why, and can be sent again or withdrawn", async () => {
  await send();
  await returnPageChange(db, gita, { ...(await read()), reason: "Say where you are." }, config);
  expect(await getOwnPage(db, ravi, own.id)).toMatchObject({
    change: { state: "returned", reason: "Say where you are.", name: "Sample Signs" },
  });
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.text).toContain("Say where you are.");
  expect(mail!.text).toContain("The published page stays as it is.");
  await send({ about: "We draw signs in Pune." }, db, ravi);
  expect(await changeOf()).toMatchObject({
    state: "waiting",
    reason: null,
    about: "We draw signs in Pune.",
    submittedBy: ravi.id,
  });
  const { version } = (await changeOf())!;
  await withdrawPageChange(db, asha, { companyId: own.id, version });
  expect(await changeOf()).toBeUndefined();
  expect(await pageOf()).toMatchObject({ name: own.name, about: "Signs." });
});

test("the website stays at the domain of the company's work emails", async () => {
  await send({ website: `https://careers.${own.domain}/` });
  expect(await changeOf()).toMatchObject({ website: `https://careers.${own.domain}/` });
  const elsewhere = send({ website: "https://elsewhere.example" });
  await expect(elsewhere).rejects.toBeInstanceOf(Invalid);
  await expect(elsewhere).rejects.toMatchObject({
    fields: { website: expect.stringContaining(own.domain) },
  });
});

test("a change that changes nothing isn't sent", async () => {
  const same = { name: own.name, about: own.about };
  await expect(send(same)).rejects.toThrow("Nothing differs");
});

test("the form takes the same texts as the one that adds a company", () => {
  const parse = (fields: object) =>
    companyPageForm.safeParse({ ...typed, website: "sample.example", version: "", ...fields });
  expect(parse({}).data).toMatchObject({ website: "https://sample.example", removesLogo: false });
  expect(parse({ removesLogo: "yes" }).data).toMatchObject({ removesLogo: true });
  for (const fields of [
    { name: "x" },
    { name: "x".repeat(121) },
    { website: "none" },
    { about: "x".repeat(2_001) },
  ])
    expect(parse(fields).success, JSON.stringify(fields).slice(0, 40)).toBe(false);
});

test("a form that was opened before another member's change doesn't replace it", async () => {
  const { version } = getNewestPage(await getOwnPage(db, ravi, own.id));
  await send();
  await expect(send({ version, about: "Mine." }, db, ravi)).rejects.toThrow("Someone else changed");
  // Nor does one opened before a change that was published since.
  await approvePageChange(db, gita, await read(), config);
  await expect(send({ version, about: "Mine." }, db, ravi)).rejects.toThrow("Someone else changed");
});

test("of two members who send at once, the second reads the first's change first", async () => {
  const { version } = getNewestPage(await getOwnPage(db, asha, own.id));
  const results = await overlap(
    db,
    (tx) => send({ version, about: "First." }, tx),
    (other) => send({ version, about: "Second." }, other, ravi),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await changeOf()).toMatchObject({ about: "First." });
});

test("a change that is withdrawn or replaced while an admin reads it isn't published", async () => {
  await send();
  const seen = await read();
  const withdrawn = { companyId: own.id, version: seen.version };
  const results = await overlap(
    db,
    (tx) => withdrawPageChange(tx, asha, withdrawn),
    (other) => approvePageChange(other, gita, seen, config),
  );
  expect(results[1]).toMatchObject({
    status: "rejected",
    reason: { message: "This change was withdrawn or decided meanwhile." },
  });
  expect(await pageOf()).toMatchObject({ name: own.name });
  await send({ about: "Again." });
  await expect(approvePageChange(db, gita, seen, config)).rejects.toThrow("has changed since");
  const returned = returnPageChange(db, gita, { ...seen, reason: "No." }, config);
  await expect(returned).rejects.toThrow("has changed since");
  expect(await changeOf()).toMatchObject({ about: "Again.", state: "waiting" });
});

test("a change that is published while a member withdraws it stays published", async () => {
  await send();
  const seen = await read();
  const [, withdrawn] = await overlap(
    db,
    (tx) => approvePageChange(tx, gita, seen, config),
    (other) => withdrawPageChange(other, asha, seen),
  );
  expect(withdrawn).toMatchObject({ status: "rejected" });
  expect(await pageOf()).toMatchObject({ name: "Sample Signs" });
});

test("a change is published once", async () => {
  await send();
  const seen = await read();
  const results = await overlap(
    db,
    (tx) => approvePageChange(tx, gita, seen, config),
    (other) => approvePageChange(other, gita, seen, config),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await mailsTo(db, asha.email)).toHaveLength(1);
});

test("if the page changed meanwhile, an admin publishes over what they saw", async () => {
  await send();
  const seen = await read();
  await db.update(companies).set({ about: "Signs and maps." });
  await expect(approvePageChange(db, gita, seen, config)).rejects.toThrow("no longer as you saw");
  const [row] = (await listPageChanges(db, gita, { after: null })).rows;
  expect(row!.baseVersion).not.toBe(getPageVersion(row!.page));
  await approvePageChange(db, gita, await read(), config);
  expect(await pageOf()).toMatchObject({ about: "We draw signs." });
});

test("a new company's page can be changed, and stays new", async () => {
  await db.update(companies).set({ state: "new", decidedAt: null });
  await send();
  await approvePageChange(db, gita, await read(), config);
  expect(await pageOf()).toMatchObject({ name: "Sample Signs", state: "new" });
});

test("a hidden company's page isn't changed, and its change waits", async () => {
  await send();
  const seen = await read();
  await setCompanyState(db, gita, { companyId: own.id, state: "hidden" });
  await expect(approvePageChange(db, gita, seen, config)).rejects.toThrow("hidden");
  await expect(getOwnPage(db, asha, own.id)).rejects.toThrow("not found");
  await setCompanyState(db, gita, { companyId: own.id, state: "approved" });
  await approvePageChange(db, gita, seen, config);
});

test("the change stays with the company after its sender leaves or is banned", async () => {
  await send({}, db, ravi);
  await revokeOwnMembership(db, ravi, own.id);
  await expect(getOwnPage(db, ravi, own.id)).rejects.toThrow("not found");
  expect(await getOwnPage(db, asha, own.id)).toMatchObject({ change: { name: "Sample Signs" } });
  await setBan(db, ravi.id, tomorrow());
  await approvePageChange(db, gita, await read(), config);
  expect(await pageOf()).toMatchObject({ name: "Sample Signs" });
  expect(await mailsTo(db, ravi.email)).toEqual([]);
});

test("a logo waits with the change, and no other logo is kept", async () => {
  const published = await storedLogo(db, own, "published");
  await db.update(companies).set({ logoHash: published });
  own = await pageOf();
  await send({ picture: Buffer.from("first") });
  expect((await pageOf()).logoHash).toBe(published);
  await send({ picture: Buffer.from("second") });
  const { logoHash } = (await changeOf())!;
  expect((await logosOf()).toSorted()).toEqual([published, logoHash!].toSorted());
  // Text alone keeps the logo.
  await send({ about: "More." });
  expect((await changeOf())!.logoHash).toBe(logoHash);
  await approvePageChange(db, gita, await read(), config);
  expect((await pageOf()).logoHash).toBe(logoHash);
  expect(await logosOf()).toEqual([logoHash]);
});

test("a logo can be removed, and a withdrawn one is deleted", async () => {
  await db.update(companies).set({ logoHash: await storedLogo(db, own, "published") });
  own = await pageOf();
  await send({ removesLogo: true });
  expect(await logosOf()).toEqual([own.logoHash]);
  await approvePageChange(db, gita, await read(), config);
  expect((await pageOf()).logoHash).toBeNull();
  expect(await logosOf()).toEqual([]);
  await send({ picture: Buffer.from("new"), about: "New." });
  const { version } = (await changeOf())!;
  await withdrawPageChange(db, asha, { companyId: own.id, version });
  expect(await logosOf()).toEqual([]);
});

test("an admin's list has the oldest change first, without returned ones", async () => {
  const others = [await company(db), await company(db)];
  await pageChange(db, others[0]!, asha, { sentAt: new Date(2_000) });
  await pageChange(db, others[1]!, asha, { sentAt: new Date(1_000) });
  await pageChange(db, own, asha, { reason: "Say where." });
  const { rows } = await listPageChanges(db, gita, { after: null });
  expect(rows.map(({ id }) => id)).toEqual([others[1]!.id, others[0]!.id]);
});
