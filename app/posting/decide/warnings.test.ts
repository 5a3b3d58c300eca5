import { expect, test } from "vitest";
import { jobFields } from "../../../tests/support/rows/jobs.ts";
import { getWarningFacts, listWarnings } from "./warnings.ts";

const warn = (fields: Partial<typeof jobFields>) =>
  listWarnings({ ...jobFields, ...fields }, { isNewCompany: false });

test("an ordinary listing has no warning", () => {
  expect(warn({})).toEqual([]);
});

test.each([
  "Pay a registration fee of ₹500 to start.",
  "There is a refundable security deposit.",
  "You deposit of ₹2,000 before the training.",
  "Applicants pay ₹999 for the kit.",
  "Training charges apply.",
])("“%s” may ask for money", (sentence) => {
  const [warning] = warn({ largeDescription: `We draw letters. ${sentence} Write to us.` });
  expect(warning).toBe(`It may ask applicants for money: “${sentence}”`);
});

test.each([
  "There is no registration fee.",
  "We never ask for a security deposit.",
  "We work without any joining fee.",
  "You design how people pay their bills.",
  "Good pay and a calm team.",
])("“%s” doesn't ask for money", (sentence) => {
  expect(warn({ description: sentence })).toEqual([]);
});

test.each([
  ["WhatsApp +91 98765 43210", true],
  ["https://wa.me/919876543210", true],
  ["Telegram: @letters", true],
  ["asha@example.in, or WhatsApp +91 98765 43210", false],
  ["+91 98765 43210", false],
])("the contact %s is only on a messenger: %s", (pocContact, isMessenger) => {
  expect(warn({ pocContact })).toEqual(isMessenger ? ["The contact is only on a messenger."] : []);
});

test("an imported listing may name no contact and no job type, which its warnings say", () => {
  const fields = { pocName: null, pocContact: null };
  expect(warn(fields)).toEqual([expect.stringContaining("Nobody to ask")]);
  const imported = { company: { state: "approved" }, source: "import" as const, fields: {} };
  expect(getWarningFacts(imported)).toEqual({ isNewCompany: false, hasType: false });
  expect(getWarningFacts({ ...imported, source: "form" }).hasType).toBe(true);
  expect(listWarnings({ ...jobFields }, getWarningFacts(imported))).toEqual([
    "Its source says nothing about the job type, so it is shown as Full-time.",
  ]);
});
