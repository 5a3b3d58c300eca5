import { and, desc, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { setBan, tomorrow } from "../../tests/support/rows/admin-things.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { mailsTo } from "../../tests/support/rows/mailbox.ts";
import { person } from "../../tests/support/rows/people.ts";
import { auditEvents } from "../platform/tables.server.ts";
import type { Actor } from "./actor.server.ts";
import {
  banAccount,
  banUser,
  changeRole,
  changeUserRole,
  unbanUser,
} from "./bans-and-roles.server.ts";
import { findActor, openSession } from "./session.server.ts";
import { staffRoles, users } from "./tables.server.ts";

const config = testConfig();
const { db } = await testDatabase();
let [gita, hema, ravi]: Actor[] = [];

beforeEach(async () => {
  await db.delete(users);
  gita = await person(db, "Gita Menon", { roles: ["god_admin"] });
  hema = await person(db, "Hema Rao", { roles: ["god_admin"] });
  ravi = await person(db, "Ravi Nair");
});

const ban = (by: Actor, whom: Actor) =>
  banUser(db, by, { userId: whom.id, until: tomorrow(), reason: "Sends spam." }, config);
const demote = (by: Actor, whom: Actor) =>
  changeUserRole(db, by, { userId: whom.id, role: "god_admin", change: "revoke" });

test("a ban ends all sessions, emails the reason and is recorded in the audit log", async () => {
  const { token } = await openSession(db, ravi!.id);
  await ban(gita!, ravi!);
  expect(await findActor(db, token)).toBeNull();
  const [mail] = await mailsTo(db, ravi!.email);
  expect(mail).toMatchObject({ subject: "Your account at Naksha is suspended" });
  expect(mail?.text).toContain("Sends spam.");
  const [event] = await eventsAbout(ravi!);
  expect(event).toMatchObject({ actorName: "Gita Menon", event: "user.ban" });
  expect(event?.after).toMatchObject({ reason: "Sends spam." });
  await expect(ban(hema!, ravi!)).rejects.toThrow("already banned");

  await unbanUser(db, hema!, ravi!.id, config);
  await expect(openSession(db, ravi!.id)).resolves.toBeTruthy();
  expect((await mailsTo(db, ravi!.email))[0]?.subject).toContain("active again");
  await expect(unbanUser(db, hema!, ravi!.id, config)).rejects.toThrow("isn't banned");
});

test("a god admin can't ban their own account", async () => {
  await expect(ban(gita!, gita!)).rejects.toThrow("can't ban your own account");
  expect(await isGodAdmin(gita!)).toBe(true);
});

test("the last god admin can't be demoted or banned", async () => {
  await demote(gita!, hema!);
  await expect(demote(gita!, gita!)).rejects.toThrow("last god admin");
  await expect(changeRole(db, gita!.email, "god_admin", "revoke")).rejects.toThrow(
    "last god admin",
  );
  const forADay = { until: tomorrow(), reason: null };
  await expect(banAccount(db, gita!.email, forADay, config)).rejects.toThrow("last god admin");
  expect(await isGodAdmin(gita!)).toBe(true);
});

test("a banned god admin doesn't count as another god admin", async () => {
  await setBan(db, hema!.id, tomorrow());
  await expect(demote(gita!, gita!)).rejects.toThrow("last god admin");
});

test.each([
  ["demote", "demote"],
  ["ban", "ban"],
  ["demote", "ban"],
] as const)(
  "one god admin remains when two %s and %s each other at the same time",
  async (one, other) => {
    const actions = { demote, ban };
    for (let turn = 0; turn < 5; turn += 1) {
      const [first, second] = [
        await person(db, "First", { roles: ["god_admin"] }),
        await person(db, "Second", { roles: ["god_admin"] }),
      ];
      await db.delete(staffRoles).where(eq(staffRoles.userId, gita!.id));
      await db.delete(staffRoles).where(eq(staffRoles.userId, hema!.id));
      const answers = await Promise.allSettled([
        actions[one](first, second),
        actions[other](second, first),
      ]);
      expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const left = await Promise.all([isGodAdmin(first), isGodAdmin(second)]);
      expect(left.filter(Boolean)).toHaveLength(1);
      await db.delete(users).where(eq(users.id, first.id));
      await db.delete(users).where(eq(users.id, second.id));
    }
  },
);

test("one god admin remains when all of them step down at the same time", async () => {
  const more = await Promise.all(
    ["A", "B", "C", "D"].map((name) => person(db, name, { roles: ["god_admin"] })),
  );
  const all = [gita!, hema!, ...more];
  const answers = await Promise.allSettled(all.map((admin) => demote(admin, admin)));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(all.length - 1);
  expect(await db.$count(staffRoles, eq(staffRoles.role, "god_admin"))).toBe(1);
});

test("granting or revoking a role twice is refused", async () => {
  const change = (how: "grant" | "revoke") =>
    changeUserRole(db, gita!, { userId: ravi!.id, role: "reviewer", change: how });
  await change("grant");
  await expect(change("grant")).rejects.toThrow("already");
  await change("revoke");
  await expect(change("revoke")).rejects.toThrow("doesn't have this role");
  expect((await eventsAbout(ravi!)).map(({ event }) => event)).toEqual([
    "role.revoke",
    "role.grant",
  ]);
});

test("a person with an unconfirmed address can't be banned", async () => {
  await db.update(users).set({ emailVerified: false }).where(eq(users.id, ravi!.id));
  await expect(ban(gita!, ravi!)).rejects.toThrow("hasn't confirmed");
});

async function isGodAdmin({ id }: Actor): Promise<boolean> {
  const isRole = and(eq(staffRoles.userId, id), eq(staffRoles.role, "god_admin"));
  const [user] = await db.select().from(users).where(eq(users.id, id));
  return (await db.$count(staffRoles, isRole)) === 1 && user?.bannedUntil === null;
}

function eventsAbout({ id }: Actor) {
  return db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.subjectId, id))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id));
}
