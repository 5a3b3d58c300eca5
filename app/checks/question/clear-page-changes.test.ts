import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { company, member, pageChange } from "../../../tests/support/rows/companies.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { approvePageChange } from "../../companies/decide/decide-page-changes.server.tsx";
import { getPageVersion } from "../../companies/page/company-page.server.ts";
import { companies, companyChanges } from "../../companies/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import { clearContact } from "./remove-contact.server.ts";
import { contactMentions } from "./tables.server.ts";

const { db, asha, gita } = await testPeople();
const config = testConfig();
const email = "leela.menon@acme.example";
const about = `Questions? Leela Menon answers at ${email}.`;
const cleared = "Questions? Leela Menon answers at (removed).";

beforeEach(async () => {
  await db.delete(companies);
  await db.delete(contactMentions);
});

/** Creates a company with a change of its page. @param reason why an admin returned it; null if it waits */
async function changedCompany(reason: string | null, fields: { about: string; website?: string }) {
  const own = await company(db);
  await member(db, own, asha);
  const version = await pageChange(db, own, asha, { reason, ...fields });
  return { own, version };
}

const remove = (on: Database) => on.transaction((tx) => clearContact(tx, config, email));

test("a removed contact leaves the changes of companies' pages, and one that waits is returned", async () => {
  const waiting = await changedCompany(null, { about });
  const returned = await changedCompany(`Who is ${email}?`, { about: "Signs." });
  const linked = await changedCompany(null, {
    about: "Signs.",
    website: `https://acme.example/team?to=${email}`,
  });
  const other = await changedCompany(null, { about: "Ask Leela Menon." });
  await remove(db);
  const rows = await db.select().from(companyChanges);
  const changeOf = ({ own }: typeof waiting) => rows.find(({ companyId }) => companyId === own.id)!;
  expect(changeOf(waiting)).toMatchObject({ about: cleared, state: "returned" });
  expect(changeOf(waiting).reason).toContain("read your change again");
  expect(changeOf(waiting).version).not.toBe(waiting.version);
  expect(changeOf(returned)).toMatchObject({ state: "returned", reason: "Who is (removed)?" });
  expect(changeOf(linked)).toMatchObject({ state: "returned", website: "https://acme.example" });
  // A name alone may be another person's.
  expect(changeOf(other)).toMatchObject({ state: "waiting", version: other.version });
});

test("a change that is published during a removal is returned, or its text waits for an admin", async () => {
  const publish =
    ({ own, version }: Awaited<ReturnType<typeof changedCompany>>) =>
    (tx: Database) =>
      approvePageChange(
        tx,
        gita,
        { companyId: own.id, version, pageVersion: getPageVersion(own) },
        config,
      );

  const first = await changedCompany(null, { about });
  const [removed, refused] = await overlap(db, remove, publish(first));
  expect(removed).toMatchObject({ status: "fulfilled" });
  expect(refused).toMatchObject({ status: "rejected", reason: expect.any(Conflict) });
  expect(await db.$count(contactMentions)).toBe(0);

  const second = await changedCompany(null, { about });
  await overlap(db, publish(second), remove);
  const [mention] = await db.select().from(contactMentions);
  expect(mention).toMatchObject({ kind: "company", subjectId: second.own.id, field: "about" });
});
