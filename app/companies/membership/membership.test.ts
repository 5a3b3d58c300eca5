import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { company, member } from "../../../tests/support/rows/companies.ts";
import { mailsTo, tokenMailedTo } from "../../../tests/support/rows/mailbox.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { setBan } from "../../../tests/support/rows/admin-things.ts";
import { users } from "../../accounts/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { day, hour, now } from "../../platform/clock.ts";
import { approveClaim, declineClaim } from "../decide/decide-companies.server.tsx";
import { deleteUnconfirmedCompanies } from "../expired-companies.server.ts";
import { listOwnClaims, listOwnCompanies } from "../own-companies.server.ts";
import { maxMembers } from "../rules.ts";
import { companies, companyMembers } from "../tables.server.ts";
import { confirmWorkEmail, findMailedRequest } from "./confirm-work-email.server.tsx";
import { buildSlug, companyForm, requestMembership } from "./request-membership.server.tsx";

const { db, asha, ravi, kabir, gita } = await testPeople();
const config = testConfig();

beforeEach(async () => {
  await db.execute(sql`delete from companies; delete from mails; delete from audit_events`);
});

const typed = {
  name: "Sample Studio",
  website: "www.sample.example",
  workEmail: "Asha@Sample.example",
  about: "",
};

async function request(person: Actor, fields: Partial<typeof typed> = {}): Promise<string> {
  const form = companyForm.parse({ ...typed, ...fields });
  await requestMembership(db, person, config, form);
  return tokenMailedTo(db, form.workEmail, "/post/confirm/");
}

const allCompanies = () => db.select().from(companies).orderBy(companies.createdAt);
const allMembers = () => db.select().from(companyMembers).orderBy(companyMembers.askedAt);

test("the first person with a confirmed address owns a new company", async () => {
  const token = await request(asha);
  expect(await listOwnCompanies(db, asha)).toEqual([]);
  expect(await confirmWorkEmail(db, asha, config, token)).toBe(true);
  const [own] = await listOwnCompanies(db, asha);
  expect(own).toMatchObject({ name: "Sample Studio", slug: "sample-studio", role: "owner" });
  const [row] = await allCompanies();
  expect(row).toMatchObject({
    website: "https://www.sample.example",
    domain: "sample.example",
    state: "new",
  });
});

test("confirming again changes nothing, and another account's link opens nothing", async () => {
  const token = await request(asha);
  await expect(confirmWorkEmail(db, ravi, config, token)).rejects.toThrow("another account");
  expect(await findMailedRequest(db, ravi, config, token)).toBeNull();
  await confirmWorkEmail(db, asha, config, token);
  const before = [await allCompanies(), await allMembers()];
  expect(await confirmWorkEmail(db, asha, config, token)).toBe(true);
  expect([await allCompanies(), await allMembers()]).toEqual(before);
});

test("a claim leaves the company's text as it is, and waits for an admin", async () => {
  const own = await company(db, { domain: "sample.example", about: "Type since 1990." });
  await member(db, own, asha);
  const token = await request(ravi, {
    name: "Evil Studio",
    about: "Pay first.",
    workEmail: "ravi@sample.example",
  });
  expect(await confirmWorkEmail(db, ravi, config, token)).toBe(false);
  expect(await listOwnCompanies(db, ravi)).toEqual([]);
  expect(await listOwnClaims(db, ravi)).toHaveLength(1);
  expect(await allCompanies()).toEqual([own]);
  const [toOwner] = await mailsTo(db, asha.email);
  expect(toOwner!.text).toContain("ravi@sample.example");
  const { id } = (await listOwnClaims(db, ravi))[0]!;
  await approveClaim(db, gita, id, config);
  expect(await listOwnCompanies(db, ravi)).toMatchObject([{ id: own.id, role: "member" }]);
  const [toClaimant] = await mailsTo(db, ravi.email);
  expect(toClaimant!.subject).toBe("You can post jobs for Sample Studio");
});

test("a declined claim is deleted, with the reason mailed, and can be made again", async () => {
  await company(db, { domain: "sample.example" });
  const token = await request(ravi);
  await confirmWorkEmail(db, ravi, config, token);
  const { id } = (await listOwnClaims(db, ravi))[0]!;
  await declineClaim(db, gita, { memberId: id, reason: "They don't know you." }, config);
  expect(await allMembers()).toEqual([]);
  const [mail] = await mailsTo(db, ravi.email);
  expect(mail!.text).toContain("They don't know you.");
  await db.delete(mails);
  expect(await confirmWorkEmail(db, ravi, config, await request(ravi))).toBe(false);
});

test("known and unknown companies get the same email, and an address at most one an hour", async () => {
  await request(asha);
  const [unknown] = await mailsTo(db, "asha@sample.example");
  await db.execute(sql`delete from companies; delete from mails`);
  await company(db, { domain: "sample.example" });
  await request(asha);
  await requestMembership(db, kabir, config, companyForm.parse(typed));
  const [known, ...more] = await mailsTo(db, "asha@sample.example");
  expect(more).toEqual([]);
  expect(known!.subject).toBe(unknown!.subject);
  const withoutLink = (text: string) => text.replace(/\/post\/confirm\/\S+/, "");
  expect(withoutLink(known!.text)).toBe(withoutLink(unknown!.text));
});

test("of two people who add the same company at once, one owns it and the other claims it", async () => {
  const [one, other] = [
    await request(asha),
    await request(ravi, { name: "Another Name", workEmail: "ravi@sample.example" }),
  ];
  expect(await allCompanies()).toHaveLength(2);
  await overlap(
    db,
    async (tx) => void (await confirmWorkEmail(tx, asha, config, one)),
    async (tx) => void (await confirmWorkEmail(tx, ravi, config, other)),
  );
  const [left, ...more] = await allCompanies();
  expect(more).toEqual([]);
  expect(left!.name).toBe("Sample Studio");
  expect(
    (await allMembers()).map(({ userId, approvedAt }) => [userId, approvedAt !== null]),
  ).toEqual(
    expect.arrayContaining([
      [asha.id, true],
      [ravi.id, false],
    ]),
  );
});

test("a company has at most ten members", async () => {
  const own = await company(db);
  const rows = Array.from({ length: maxMembers }, (_, index) => ({
    name: `Member ${index}`,
    email: `member${index}.${own.slug}@example.com`,
    createdAt: now(),
    updatedAt: now(),
  }));
  for (const { id } of await db.insert(users).values(rows).returning({ id: users.id }))
    await member(db, own, { id });
  const { id } = await member(db, own, ravi, { approvedAt: null });
  await expect(approveClaim(db, gita, id, config)).rejects.toThrow("10 members");
  expect(await listOwnCompanies(db, ravi)).toEqual([]);
});

test("a ban ends every membership, also for the time after it", async () => {
  await member(db, await company(db), ravi);
  await setBan(db, ravi.id, new Date(now().getTime() + day));
  await setBan(db, ravi.id, null);
  expect(await listOwnCompanies(db, ravi)).toEqual([]);
});

test("a request that nobody confirms is deleted with its company, and its link expires", async () => {
  const token = await request(asha);
  const confirmed = await company(db);
  const claim = await member(db, confirmed, ravi, { confirmedAt: null, approvedAt: null });
  expect(await deleteUnconfirmedCompanies(db)).toBe(0);
  const old = new Date(now().getTime() - 49 * hour);
  await db.update(companyMembers).set({ askedAt: old }).where(eq(companyMembers.userId, asha.id));
  await db.update(companies).set({ createdAt: old });
  await expect(confirmWorkEmail(db, asha, config, token)).rejects.toThrow("48 hours");
  expect(await deleteUnconfirmedCompanies(db)).toBe(2);
  expect((await allCompanies()).map(({ id }) => id)).toEqual([confirmed.id]);
  expect((await allMembers()).map(({ id }) => id)).toEqual([claim.id]);
});

test.each([
  ["Chaupal Health & Co.", "chaupal-health-co"],
  ["Café São", "cafe-sao"],
  ["चौपाल", "company"],
  ["  --  ", "company"],
  ["A".repeat(200), "a".repeat(60)],
])("the page of %s is at %s", (name, slug) => {
  expect(buildSlug(name)).toBe(slug);
});

test("companies of the same name have different pages", async () => {
  await request(asha);
  await request(asha, { website: "https://other.example", workEmail: "a@other.example" });
  await request(asha, { website: "https://third.example", workEmail: "a@third.example" });
  expect((await allCompanies()).map(({ slug }) => slug).toSorted()).toEqual([
    "sample-studio",
    "sample-studio-2",
    "sample-studio-3",
  ]);
});
