import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { stopClock } from "../../tests/support/product/stop-clock.ts";
import { mailsTo } from "../../tests/support/rows/mailbox.ts";
import { person } from "../../tests/support/rows/people.ts";
import { changeRole } from "../accounts/bans-and-roles.server.ts";
import { oneTimeLinks, profiles, users } from "../accounts/tables.server.ts";
import { day, now } from "../platform/clock.ts";
import { NotFound, TooMany } from "../platform/errors.ts";
import { auditEvents, rateLimits } from "../platform/tables.server.ts";
import { listUsers, usersPerPage } from "./list-users.server.ts";
import { sendPasswordReset } from "../accounts/password-reset/reset-password.server.tsx";
import { parseUsersQuery, userSorts } from "./users-query.ts";
import { everybody } from "../../tests/support/rows/everybody.ts";
import { setBan, tomorrow } from "../../tests/support/rows/admin-things.ts";

const config = testConfig({ RATE_LIMITS: "on" });
const { db } = await testDatabase();

beforeEach(async () => {
  for (const table of [users, auditEvents, rateLimits]) await db.delete(table);
});
const who = everybody(db);

const list = (address = "") =>
  listUsers(db, who.gita, parseUsersQuery(new URLSearchParams(address)));
const emails = async (address = "") => (await list(address)).rows.map(({ email }) => email);

async function allPages(address: string) {
  const rows = [];
  let after: string | null = "";
  while (after !== null) {
    const page = await list(`${address}&after=${after}`);
    rows.push(...page.rows);
    after = page.next;
  }
  return rows;
}

test("users are listed by email address, with their name, highest role and state", async () => {
  const nisha = await person(db, "Aa Nisha", { roles: ["reviewer", "god_admin"] });
  await db.update(profiles).set({ fullName: null }).where(eq(profiles.id, who.devi.id));
  await setBan(db, who.ravi.id, tomorrow());
  await setBan(db, who.asha.id, new Date(now().getTime() - day));
  const { rows, total, next } = await list();
  expect(rows.map(({ email }) => email)).toEqual(rows.map(({ email }) => email).toSorted());
  expect([total, next]).toEqual([{ counted: 9, isMore: false }, null]);
  const of = (id: string) => rows.find((row) => row.id === id);
  expect(of(nisha.id)).toMatchObject({ name: "Aa Nisha", role: "god_admin", isBanned: false });
  expect(of(who.ravi.id)).toMatchObject({ role: "user", isBanned: true });
  expect(of(who.asha.id)).toMatchObject({ role: "user", isBanned: false });
  expect(of(who.devi.id)).toMatchObject({ name: null, role: "job_board_adder" });
  expect(of(who.meera.id)?.role).toBe("reviewer");
});

test("the highest role is correct after two concurrent role changes", async () => {
  const { id, email } = await person(db, "Farah Admin");
  const roleNow = async () =>
    (await db.select({ role: users.highestRole }).from(users).where(eq(users.id, id)))[0]!.role;
  await Promise.all([
    changeRole(db, email, "god_admin", "grant"),
    changeRole(db, email, "reviewer", "grant"),
  ]);
  expect(await roleNow()).toBe("god_admin");
  await changeRole(db, email, "god_admin", "revoke");
  expect(await roleNow()).toBe("reviewer");
  await changeRole(db, email, "reviewer", "revoke");
  expect(await roleNow()).toBe("user");
});

test("a two-letter search matches anywhere, in the order of the list", async () => {
  await db.execute(sql`
    insert into users (name, email, created_at, updated_at)
    select 'x', 'person' || n || '@example.org', now(), now() from generate_series(1, 2100) n`);
  await person(db, "Zq Last");
  await person(db, "Azq First");
  const matches = await emails("search=ZQ");
  expect(matches.map((email) => email.split(".")[0])).toEqual(["azq", "zq"]);
  expect(await emails("search=zq&sort=email.desc")).toEqual(matches.toReversed());
  expect(await emails("search=_q")).toEqual([]);
  expect(await emails("search=@e")).toHaveLength(usersPerPage);
});

test("a search matches part of an address or role, ignoring case", async () => {
  expect(await emails("search=ASHA.ver")).toEqual([who.asha.email]);
  expect(await emails(`search=${who.asha.email.slice(2).toUpperCase()}`)).toEqual([who.asha.email]);
  expect(await emails(`search=${who.asha.email}.in`)).toEqual([]);
  expect((await emails("search=Review")).toSorted()).toEqual(
    [who.meera.email, who.kabir.email].toSorted(),
  );
  expect((await emails("search=USER")).toSorted()).toEqual(
    [who.asha.email, who.ravi.email, who.sonia.email].toSorted(),
  );
  expect(await emails("search=nobody@nowhere")).toEqual([]);
  expect(await emails("search=%25")).toEqual([]);
  expect(await emails("search=__asha")).toEqual([]);
});

test("every sort order pages through all users without gaps", async () => {
  await db.execute(sql`
    insert into users (name, email, created_at, updated_at)
    select 'x', 'person' || n || '@example.org', now() - (n / 7) * interval '1 hour', now()
    from generate_series(1, 130) n`);
  for (const by of userSorts) {
    for (const direction of ["asc", "desc"]) {
      const rows = await allPages(`sort=${by}.${direction}`);
      expect(new Set(rows.map(({ id }) => id)).size, `${by} ${direction}`).toBe(138);
      const keys = rows.map((row) =>
        by === "registered" ? row.registeredAt.getTime() : by === "role" ? row.role : row.email,
      );
      const sorted = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      expect(keys).toEqual(direction === "asc" ? sorted : sorted.toReversed());
    }
  }
});

test("an invalid cursor, or one of another sort order, shows the first page", async () => {
  await db.execute(sql`
    insert into users (name, email, created_at, updated_at)
    select 'x', 'person' || n || '@example.org', now(), now() from generate_series(1, 60) n`);
  const { rows, next } = await list();
  expect(rows).toHaveLength(usersPerPage);
  expect(await emails(`sort=role.asc&after=${next}`)).toEqual(await emails("sort=role.asc"));
  expect(await emails("after=nonsense")).toEqual(await emails());
});

test("an admin sends a password reset link, which is recorded", async () => {
  await sendPasswordReset(db, who.gita, who.asha.id, config);
  const [mail, ...more] = await mailsTo(db, who.asha.email);
  expect(mail!.text).toContain("/reset-password?token_hash=");
  expect(more).toEqual([]);
  expect(await db.select().from(auditEvents)).toMatchObject([
    {
      event: "user.reset-password",
      actorId: who.gita.id,
      subjectType: "user",
      subjectId: who.asha.id,
    },
  ]);
});

test("a second link replaces the first, and too many are refused without an email", async () => {
  stopClock();
  for (let turn = 0; turn < 5; turn++) {
    await sendPasswordReset(db, who.gita, who.asha.id, config);
  }
  expect(await db.select().from(oneTimeLinks)).toHaveLength(1);
  await expect(sendPasswordReset(db, who.gita, who.asha.id, config)).rejects.toThrow(TooMany);
  expect(await mailsTo(db, who.asha.email)).toHaveLength(5);
  expect(await db.$count(auditEvents)).toBe(5);
});

test("when two admins send a reset link together, only the last one works", async () => {
  const farah = await person(db, "Farah Admin", { roles: ["god_admin"] });
  await Promise.all([
    sendPasswordReset(db, who.gita, who.asha.id, config),
    sendPasswordReset(db, farah, who.asha.id, config),
  ]);
  expect(await db.select().from(oneTimeLinks)).toHaveLength(1);
  expect(await db.$count(auditEvents)).toBe(2);
});

test("a reset link for an unknown user is refused", async () => {
  for (const id of [crypto.randomUUID(), "no id", ""]) {
    await expect(sendPasswordReset(db, who.gita, id, config)).rejects.toThrow(NotFound);
  }
});
