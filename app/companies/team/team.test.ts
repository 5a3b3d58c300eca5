import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { setBan } from "../../../tests/support/rows/admin-things.ts";
import {
  claim,
  company,
  invitation,
  member,
  submission,
} from "../../../tests/support/rows/companies.ts";
import { mailsTo, tokenMailedTo } from "../../../tests/support/rows/mailbox.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { runLater } from "../../../tests/support/product/stop-clock.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { day, hour, now } from "../../platform/clock.ts";
import { createDraft, saveDraft } from "../../posting/own/change-submission.server.ts";
import { approveClaim } from "../decide/decide-companies.server.tsx";
import { deleteUnconfirmedCompanies } from "../expired-companies.server.ts";
import { listOwnCompanies } from "../own-companies.server.ts";
import { joinWithin, maxMembers } from "../rules.ts";
import { companies, companyInvitations, companyMembers } from "../tables.server.ts";
import {
  buildJoinPath,
  removeMember,
  revokeOwnMembership,
  sendInvitation,
  assignOwner,
  withdrawInvitation,
} from "./change-team.server.tsx";
import { findInvitation, joinCompany } from "./join-company.server.ts";
import { listTeams } from "./list-teams.server.ts";

const { db, asha, ravi, kabir, sonia, gita } = await testPeople();
const config = testConfig();
let own: Awaited<ReturnType<typeof company>>;
let ashaId: string;

beforeEach(async () => {
  await db.execute(sql`delete from companies; delete from mails; delete from audit_events;
    update users set banned_until = null`);
  own = await company(db, { domain: "sample.example", state: "new", decidedAt: null });
  ashaId = (await member(db, own, asha, { approvedAt: ago(9 * day) })).id;
});

const ago = (time: number) => new Date(now().getTime() - time);
const invite = (workEmail: string, actor = asha) =>
  sendInvitation(db, actor, config, { companyId: own.id, workEmail });
const addMember = async (
  who: Pick<Actor, "id">,
  age: number,
  role: "owner" | "member" = "member",
) =>
  (
    await member(db, own, who, {
      role,
      workEmail: `${who.id}@sample.example`,
      approvedAt: ago(age),
    })
  ).id;

async function rolesOf(): Promise<Record<string, string>> {
  const rows = await db.select().from(companyMembers).where(eq(companyMembers.companyId, own.id));
  return Object.fromEntries(
    rows.filter(({ approvedAt }) => approvedAt).map(({ userId, role }) => [userId, role]),
  );
}

test("an invited person joins with the mailed link, without an admin", async () => {
  await invite("new@sample.example");
  const token = await tokenMailedTo(db, "new@sample.example", "/post/join/");
  expect(await findInvitation(db, ravi, config, token)).toEqual({
    domain: "sample.example",
    workEmail: "new@sample.example",
    isJoined: false,
  });
  expect(await listOwnCompanies(db, ravi)).toEqual([]);
  await joinCompany(db, ravi, config, token);
  expect(await listOwnCompanies(db, ravi)).toMatchObject([{ id: own.id, role: "member" }]);
  expect(await db.select().from(companyInvitations)).toEqual([]);
  // Their page says so, and the link is worth nothing to others.
  expect(await findInvitation(db, ravi, config, token)).toMatchObject({ isJoined: true });
  expect(await findInvitation(db, sonia, config, token)).toBeNull();
  await expect(joinCompany(db, sonia, config, token)).rejects.toThrow("withdrawn");
});

test("the email has no text that a person typed, and is the same with and without an account", async () => {
  const known = await person(db, "Known Rao");
  await db.update(users).set({ email: "known@sample.example" }).where(eq(users.id, known.id));
  for (const address of ["known@sample.example", "unknown@sample.example"]) await invite(address);
  const [one] = await mailsTo(db, "known@sample.example");
  const [other] = await mailsTo(db, "unknown@sample.example");
  const plain = (text: string) => text.replace(/\/post\/join\/\S+/, "");
  expect(plain(one!.text)).toBe(plain(other!.text));
  expect(one!.subject).toBe(other!.subject);
  for (const typed of [own.name, asha.fullName!]) {
    expect(one!.text).not.toContain(typed);
    expect(one!.subject).not.toContain(typed);
  }
  await db.update(users).set({ email: known.email }).where(eq(users.id, known.id));
});

test("inviting again sends the email again after an hour, and shares its limit with work emails", async () => {
  await invite("new@sample.example");
  await invite("new@sample.example");
  expect(await mailsTo(db, "new@sample.example")).toHaveLength(1);
  await runLater(hour, () => invite("new@sample.example"));
  expect(await mailsTo(db, "new@sample.example")).toHaveLength(2);
  expect(await db.$count(companyInvitations)).toBe(1);
  // Another company invites the same address within the hour.
  await db.delete(mails);
  await db.delete(companies);
  const other = await company(db, { domain: "sample.example" });
  await member(db, other, asha);
  const form = { companyId: other.id, workEmail: "both@sample.example" };
  await sendInvitation(db, asha, config, form);
  await withdrawInvitation(db, asha, {
    companyId: other.id,
    id: (await db.select().from(companyInvitations))[0]!.id,
  });
  await sendInvitation(db, asha, config, form);
  expect(await mailsTo(db, "both@sample.example")).toHaveLength(1);
});

test.each([
  ["of another domain", "new@other.example", "Use an address at sample.example"],
  ["of a mail provider", "new@gmail.com", "not one of a mail provider"],
  ["of a member", "work@sample.example", "uses this address already"],
])("an address %s can't be invited", async (_what, address, reason) => {
  await expect(invite(address)).rejects.toThrow(reason);
  expect(await db.$count(mails)).toBe(0);
});

test("a team has ten members and invitations, also for people who join and for claims", async () => {
  for (let number = 1; number < maxMembers; number++)
    await invitation(db, own, asha, { workEmail: `p${number}@sample.example` });
  await expect(invite("new@sample.example")).rejects.toThrow("10 members and invitations");
  // The same address again takes no second place.
  await invite("p1@sample.example");
  const { id } = await member(db, own, ravi, { role: "member", approvedAt: null });
  await expect(approveClaim(db, gita, id, config)).rejects.toThrow("10 members and invitations");
  const old = ago(joinWithin);
  const isOne = eq(companyInvitations.workEmail, "p2@sample.example");
  await db.update(companyInvitations).set({ invitedAt: old }).where(isOne);
  await invite("new@sample.example");
  await expect(invite("p2@sample.example")).rejects.toThrow("10 members and invitations");
});

test("of two invitations at once for the last place, one is sent", async () => {
  for (let number = 2; number < maxMembers; number++)
    await invitation(db, own, asha, { workEmail: `p${number}@sample.example` });
  const form = (workEmail: string) => ({ companyId: own.id, workEmail });
  const results = await overlap(
    db,
    (tx) => sendInvitation(tx, asha, config, form("one@sample.example")),
    (other) => sendInvitation(other, asha, config, form("two@sample.example")),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await db.$count(companyInvitations)).toBe(maxMembers - 1);
});

test("a claim that waits becomes a membership by an invitation", async () => {
  await member(db, own, ravi, { role: "member", approvedAt: null, workEmail: "r@sample.example" });
  const id = await invitation(db, own, asha);
  await joinCompany(db, ravi, config, buildJoinPath(config, id).split("/").at(-1)!);
  expect(await rolesOf()).toEqual({ [asha.id]: "owner", [ravi.id]: "member" });
});

test("an owner who opens the link themselves changes nothing", async () => {
  const id = await invitation(db, own, asha);
  const token = buildJoinPath(config, id).split("/").at(-1)!;
  await expect(joinCompany(db, asha, config, token)).rejects.toThrow("already");
  expect(await db.$count(companyInvitations)).toBe(1);
});

test("a link expires after a week, and the invitation is deleted", async () => {
  const id = await invitation(db, own, asha, { invitedAt: ago(joinWithin) });
  const token = buildJoinPath(config, id).split("/").at(-1)!;
  await expect(joinCompany(db, ravi, config, token)).rejects.toThrow("7 days");
  expect((await listTeams(db, asha))[0]!.invitations).toEqual([]);
  await invitation(db, own, asha, { workEmail: "fresh@sample.example" });
  expect(await deleteUnconfirmedCompanies(db)).toBe(1);
  expect(await db.$count(companyInvitations)).toBe(1);
});

test("a link to a hidden company, a changed one and one of another kind open nothing", async () => {
  const id = await invitation(db, own, asha);
  const token = buildJoinPath(config, id).split("/").at(-1)!;
  const other = buildJoinPath(testConfig({ SECRET: "x".repeat(32) }), id)
    .split("/")
    .at(-1)!;
  expect(await findInvitation(db, ravi, config, other)).toBeNull();
  const at = { decidedAt: now() };
  await db
    .update(companies)
    .set({ state: "hidden", ...at })
    .where(eq(companies.id, own.id));
  expect(await findInvitation(db, ravi, config, token)).toBeNull();
  await expect(joinCompany(db, ravi, config, token)).rejects.toThrow("withdrawn");
});

const ends: [string, (who: Actor) => Promise<unknown>][] = [
  ["leaves", (who) => revokeOwnMembership(db, who, own.id)],
  ["is banned", (who) => setBan(db, who.id, new Date(now().getTime() + day))],
  ["has no account any more", (who) => db.delete(users).where(eq(users.id, who.id))],
];

test.each(ends)(
  "when the last owner %s, the longest-standing member owns the company",
  async (_how, end) => {
    const last = await person(db, "Last Owner");
    await db.delete(companyMembers).where(eq(companyMembers.id, ashaId));
    await addMember(last, 8 * day, "owner");
    await addMember(kabir, 3 * day);
    await addMember(ravi, 5 * day);
    await member(db, own, sonia, {
      role: "member",
      workEmail: "s@sample.example",
      approvedAt: null,
    });
    await invitation(db, own, last);
    await end(last);
    expect(await rolesOf()).toEqual({ [ravi.id]: "owner", [kabir.id]: "member" });
    expect(await db.$count(companyInvitations)).toBe(0);
  },
);

test("when one of two owners leaves, the members stay members", async () => {
  await addMember(ravi, 5 * day);
  await addMember(kabir, day, "owner");
  await invitation(db, own, kabir);
  await revokeOwnMembership(db, asha, own.id);
  expect(await rolesOf()).toEqual({ [ravi.id]: "member", [kabir.id]: "owner" });
  expect(await db.$count(companyInvitations)).toBe(1);
});

test("of two owners who remove each other at once, one is removed", async () => {
  const raviId = await addMember(ravi, day, "owner");
  const results = await overlap(
    db,
    (tx) => removeMember(tx, asha, { companyId: own.id, id: raviId }),
    (other) => removeMember(other, ravi, { companyId: own.id, id: ashaId }),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await rolesOf()).toEqual({ [asha.id]: "owner" });
});

test("two owners who leave at once leave one new owner", async () => {
  await addMember(ravi, 2 * day, "owner");
  await addMember(kabir, day);
  const results = await overlap(
    db,
    (tx) => revokeOwnMembership(tx, asha, own.id),
    (other) => revokeOwnMembership(other, ravi, own.id),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await rolesOf()).toEqual({ [kabir.id]: "owner" });
});

test("an owner who is banned while the other one leaves is replaced too", async () => {
  await addMember(ravi, 2 * day, "owner");
  await addMember(kabir, day);
  const results = await overlap(
    db,
    (tx) => revokeOwnMembership(tx, asha, own.id),
    (other) => setBan(other, ravi.id, new Date(now().getTime() + day)),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await rolesOf()).toEqual({ [kabir.id]: "owner" });
});

test("a new owner has an owner's rights", async () => {
  const kabirId = await addMember(kabir, day);
  await expect(invite("new@sample.example", kabir)).rejects.toThrow("Only an owner");
  await assignOwner(db, asha, { companyId: own.id, id: kabirId });
  await removeMember(db, kabir, { companyId: own.id, id: ashaId });
  await invite("new@sample.example", kabir);
  expect(await rolesOf()).toEqual({ [kabir.id]: "owner" });
});

test("a former member has no rights on drafts, which stay with the company", async () => {
  await addMember(kabir, day);
  const id = await submission(db, own, kabir, "draft");
  await revokeOwnMembership(db, kabir, own.id);
  const change = { id, version: 1, fields: { title: "Letter Carver" } };
  await expect(saveDraft(db, kabir, change)).rejects.toThrow("Listing not found");
  await saveDraft(db, asha, change);
});

test("a member who is removed while they start a listing starts none", async () => {
  const kabirId = await addMember(kabir, day);
  const [, started] = await overlap(
    db,
    (tx) => removeMember(tx, asha, { companyId: own.id, id: kabirId }),
    (other) => createDraft(other, kabir, { id: crypto.randomUUID(), companyId: own.id }),
  );
  expect(started!.status).toBe("rejected");
});

test("the first approved claim on a company without members owns it", async () => {
  await revokeOwnMembership(db, asha, own.id);
  const id = await claim(db, ravi);
  await db.update(companyMembers).set({ companyId: own.id }).where(eq(companyMembers.id, id));
  await approveClaim(db, gita, id, config);
  expect(await rolesOf()).toEqual({ [ravi.id]: "owner" });
});

test("a team shows to its members only, without claims", async () => {
  await addMember(kabir, day);
  await member(db, own, ravi, { role: "member", workEmail: "r@sample.example", approvedAt: null });
  await invitation(db, own, asha);
  const [team, ...more] = await listTeams(db, kabir);
  expect(more).toEqual([]);
  expect(team).toMatchObject({
    domain: "sample.example",
    role: "member",
    members: [
      { name: "Asha Verma", role: "owner", isSelf: false },
      { name: "Kabir Shah", role: "member", isSelf: true },
    ],
    invitations: [{ workEmail: "invited@sample.example" }],
  });
  expect(await listTeams(db, ravi)).toEqual([]);
});

test("a membership of one company gives no rights in another", async () => {
  const elsewhere = await company(db);
  await member(db, elsewhere, kabir);
  const inOwn = () => createDraft(db, kabir, { id: crypto.randomUUID(), companyId: own.id });
  await member(db, own, kabir, { role: "member", approvedAt: null });
  await expect(inOwn()).rejects.toThrow("Company not found");
  await db.update(companyMembers).set({ approvedAt: now() });
  await inOwn();
  await db
    .update(companies)
    .set({ state: "hidden", decidedAt: now() })
    .where(eq(companies.id, own.id));
  await expect(inOwn()).rejects.toThrow("Company not found");
});
