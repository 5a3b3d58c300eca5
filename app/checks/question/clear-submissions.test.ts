import { expect, test } from "vitest";
import {
  changeOfListing,
  company,
  listingFields,
  member,
  submission,
} from "../../../tests/support/rows/companies.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { now } from "../../platform/clock.ts";
import { jobSources, jobSubmissions } from "../../posting/tables.server.ts";
import { clearSubmissions } from "./clear-submissions.server.ts";

const { db, asha } = await testPeople();

test("a removed contact leaves every listing and change that isn't published, and one that waits is returned", async () => {
  const own = await company(db);
  await member(db, own, asha);
  const email = "lalita@example.com";
  const fields = {
    ...listingFields,
    pocContact: `${email} / 98765 43210`,
    largeDescription: `Questions?\n${email} or +91 98765 43210. Lalita Rao answers.`,
    directApplicationLink: `mailto:${email}`,
  };
  const states = ["draft", "waiting", "returned"] as const;
  for (const state of states) {
    await submission(db, own, asha, state, { fields });
    await changeOfListing(db, own, asha, state, fields);
  }
  const untouched = await submission(db, own, asha, "waiting", {
    fields: { ...listingFields, pocContact: "ravi@example.com" },
  });
  await db.transaction((tx) =>
    clearSubmissions(tx, { email, names: ["Lalita Rao"], phones: ["+91 98765 43210"] }, [
      email,
      "9876543210",
    ]),
  );
  const rows = await db.select().from(jobSubmissions);
  const cleared = rows.filter(({ id, state }) => id !== untouched && state !== "live");
  expect(cleared).toHaveLength(2 * states.length);
  for (const isChange of [false, true]) {
    const alike = cleared.filter(({ baseVersion }) => (baseVersion !== null) === isChange);
    expect(alike.map(({ state }) => state).toSorted()).toEqual(["draft", "returned", "returned"]);
    expect(alike.map(({ version }) => version)).toEqual([2, 2, 2]);
  }
  for (const row of cleared) {
    expect(JSON.stringify(row.fields)).not.toMatch(/lalita@|98765/);
    expect(row.fields.pocName).toBe("(removed)");
    expect(row.fields.largeDescription).toContain("Lalita Rao answers.");
  }
  const kept = rows.find(({ id }) => id === untouched)!;
  expect([kept.state, kept.version]).toEqual(["waiting", 1]);
});

test("the source of an imported listing forgets an address with a removed contact", async () => {
  const own = await company(db);
  const email = "leela@example.com";
  const source = (url: string) => ({
    companyId: own.id,
    provider: "json" as const,
    board: own.id,
    externalId: url,
    url,
    hash: "",
    seenAt: now(),
  });
  await db
    .insert(jobSources)
    .values([source(`https://example.in/apply?to=${email}`), source("https://example.in/apply")]);
  await db.transaction((tx) => clearSubmissions(tx, { email, names: [], phones: [] }, [email]));
  const rows = await db.select({ url: jobSources.url }).from(jobSources).orderBy(jobSources.url);
  expect(rows).toEqual([{ url: "https://example.in/apply" }, { url: null }]);
});
