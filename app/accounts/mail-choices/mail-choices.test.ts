import { expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { Invalid } from "../../platform/errors.ts";
import {
  listInstantMailAddresses,
  saveMailChoices,
  listOwnMailChoices,
  listStaffByMailChoice,
} from "./mail-choices.server.ts";
import { choosableMails, listChoosableMails } from "../mail-choices.ts";

const { db } = await testDatabase();
/** The choices of a person without a role. */
const choices = {
  "review-assigned": "at once",
  "review-ready": "at once",
  "saved-job-closes": "never",
};

test("each role can choose among the emails it gets", async () => {
  const asha = await person(db, "Asha Verma");
  const meera = await person(db, "Meera Iyer", { roles: ["reviewer"] });
  const gita = await person(db, "Gita Menon", { roles: ["god_admin"] });
  expect(listChoosableMails(asha)).toEqual(["review-assigned", "review-ready", "saved-job-closes"]);
  expect(listChoosableMails(meera)).toEqual([
    "review-assigned",
    "review-ready",
    "saved-job-closes",
    "work-changed",
    "work-due",
  ]);
  expect(listChoosableMails(gita)).toEqual([
    "review-assigned",
    "review-ready",
    "saved-job-closes",
    "new-order",
    "review-late",
    "job-reported",
  ]);
});

test("people get the emails about their reviews immediately by default", async () => {
  const asha = await person(db, "Asha Verma");
  const chosen = await listOwnMailChoices(db, asha);
  expect(chosen.map(({ choice }) => choice)).toEqual(["at once", "at once", "never"]);
  expect(await listInstantMailAddresses(db, "review-ready", [asha.id])).toEqual(
    new Map([[asha.id, asha.email]]),
  );
});

test("a choice applies to one email and one person, and can be changed", async () => {
  const asha = await person(db, "Asha Verma");
  const ravi = await person(db, "Ravi Nair");
  const both = [asha.id, ravi.id];
  await saveMailChoices(db, asha, { ...choices, "review-ready": "never" });
  expect([...(await listInstantMailAddresses(db, "review-ready", both)).keys()]).toEqual([ravi.id]);
  expect((await listInstantMailAddresses(db, "review-assigned", both)).size).toBe(2);
  await saveMailChoices(db, asha, choices);
  expect((await listInstantMailAddresses(db, "review-ready", both)).size).toBe(2);
});

test("a choice that an email doesn't offer is refused, and nothing is saved", async () => {
  const asha = await person(db, "Asha Verma");
  const sent = { ...choices, "review-assigned": "never", "review-ready": "every morning" };
  await expect(saveMailChoices(db, asha, sent)).rejects.toThrow(Invalid);
  expect((await listOwnMailChoices(db, asha)).map(({ choice }) => choice)).toEqual([
    "at once",
    "at once",
    "never",
  ]);
});

test("choices for emails of other roles are ignored", async () => {
  const asha = await person(db, "Asha Verma");
  await saveMailChoices(db, asha, { ...choices, "new-order": "every morning" });
  const admins = await listStaffByMailChoice(db, "god_admin", "new-order", "every morning");
  expect(admins.map(({ id }) => id)).not.toContain(asha.id);
});

test("each email is immediate by default, except one that people ask for", () => {
  for (const [kind, { choices }] of Object.entries(choosableMails))
    expect(choices[0]).toBe(kind === "saved-job-closes" ? "never" : "at once");
});
