import * as fc from "fast-check";
import { expect, test } from "vitest";
import { testPeople } from "../../../../tests/support/rows/test-people.ts";
import {
  disciplines,
  type JobDetails,
  noDetails,
  payPeriods,
  skills,
  testTasks,
  workModes,
} from "../../details.ts";
import { detailLimits } from "../../detail-limits.ts";
import { findPlaceBySlug, allPlaces } from "../../places/find-places.server.ts";
import { anywhere } from "../../places/rules.ts";
import { jobTypes } from "../../rules.ts";
import { createJob, toWrittenFields, updateJob } from "../job-commands.server.ts";
import { jobFields } from "../job-fields.server.ts";
import { findListing } from "../job-management.server.ts";
import { applyTypedValues, blankJob } from "../rules.ts";
import { detailsForm, toDetailValues } from "./parse-details.server.ts";
import { blankDetails, detailsMarker, getSkillName, skillGroups } from "./rules.ts";

const { db, ...who } = await testPeople();

const place = (slug: string) => findPlaceBySlug(slug)!.id;
const [pune, bengaluru, india] = ["pune", "bengaluru", "india"].map(place);

type Typed = Record<string, string>;

/** Parses a form with these details. */
function parse(typed: Typed, jobType = "Full-time") {
  return detailsForm.safeParse({ [detailsMarker]: "yes", jobType, ...typed });
}

function findErrors(typed: Typed, jobType?: string): Typed {
  const issues = parse(typed, jobType).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
}

test.each<[Typed, Partial<JobDetails>, string?]>([
  [{}, {}],
  [
    { discipline: "ux", workMode: "hybrid" },
    { discipline: "ux", workMode: "hybrid" },
  ],
  [{ places: "Pune, Bangalore" }, { placeIds: [pune!, bengaluru!] }],
  [{ places: "\u200bPune,\u00a0Maharashtra; Pune" }, { placeIds: [pune!] }],
  [
    { workMode: "remote", applicantPlaces: "India" },
    { workMode: "remote", applicantPlaceIds: [india!] },
  ],
  [
    { workMode: "remote", anywhere: "on" },
    { workMode: "remote", applicantPlaceIds: [anywhere] },
  ],
  // The fields for applicants are hidden for other modes.
  [{ workMode: "hybrid", anywhere: "on", applicantPlaces: "Atlantis" }, { workMode: "hybrid" }],
  [
    { experienceMin: "2", experienceMax: "4 years" },
    { experienceMin: 2, experienceMax: 4 },
  ],
  [
    { experienceMin: "०", experienceMax: "40" },
    { experienceMin: 0, experienceMax: 40 },
  ],
  [{ [getSkillName("figma")]: "on", [getSkillName("cad")]: "on" }, { skillIds: [1, 54] }],
  [
    { payMin: "12 lakh", payMax: "₹18,00,000", payPeriod: "year" },
    { payMin: 1_200_000, payMax: 1_800_000, payPeriod: "year" },
  ],
  [
    { payMin: "1,200,000", payVariable: "2L", payPeriod: "year" },
    { payMin: 1_200_000, payVariable: 200_000, payPeriod: "year" },
  ],
  [
    { payMax: "€60,000", payPeriod: "year", payCurrency: "EUR" },
    { payMax: 60_000, payPeriod: "year", payCurrency: "EUR" },
  ],
  [
    { payMin: "0", payMax: "0", payPeriod: "month" },
    { payMin: 0, payMax: 0, payPeriod: "month" },
    "Internship",
  ],
  [
    { payMax: "10 crore", payPeriod: "project" },
    { payMax: 100_000_000, payPeriod: "project" },
  ],
  [
    { rounds: "3 rounds", testTask: "paid", testTaskHours: "4 hrs", answerDays: "१४ days" },
    { rounds: 3, testTask: "paid", testTaskHours: 4, answerDays: 14 },
  ],
  [
    { rounds: "10", testTask: "unpaid", testTaskHours: "80", answerDays: "60" },
    { rounds: 10, testTask: "unpaid", testTaskHours: 80, answerDays: 60 },
  ],
  [{ testTask: "none" }, { testTask: "none" }],
  // A period and a currency say nothing without an amount.
  [{ payPeriod: "month", payCurrency: "EUR" }, {}],
])("%j gives %j", (typed, details, jobType) => {
  expect(parse(typed, jobType).data).toEqual({ ...noDetails, ...details });
});

const elevenSkills = Object.fromEntries(
  skills.slice(0, 11).map(({ value }) => [getSkillName(value), "on"]),
);

test.each<[Typed, Typed, string?]>([
  [{ discipline: "cooking" }, { discipline: "Choose a discipline from the list." }],
  [{ workMode: "anywhere" }, { workMode: "Choose a work mode from the list." }],
  [
    { places: "Pune, Chikkajala" },
    { places: "We don't know “Chikkajala”. Use the nearest city, or its state." },
  ],
  [
    { places: "Xa, Xb, Xc, Xd" },
    { places: "We don't know “Xa”, “Xb” or “Xc”. Use the nearest city, or its state." },
  ],
  [
    { places: "Pune, Mumbai, Delhi, Chennai, Kochi, Jaipur" },
    { places: "Enter at most 5 places. These are 6: Pune, Mumbai, Delhi, Chennai, Kochi, Jaipur" },
  ],
  [{ places: "Pune,".repeat(61) }, { places: "Please keep this within 300 characters" }],
  [
    { workMode: "remote" },
    { applicantPlaces: "Enter where applicants may live, or tick “Anywhere”." },
  ],
  [
    { workMode: "remote", applicantPlaces: "Atlantis" },
    { applicantPlaces: "We don't know “Atlantis”. Use the nearest city, or its state." },
  ],
  [
    { workMode: "remote", applicantPlaces: "India", anywhere: "on" },
    { applicantPlaces: "Remove the places or untick “Anywhere”." },
  ],
  [{ experienceMin: "2.5" }, { experienceMin: "Enter whole years, such as 2." }],
  [{ experienceMax: "41" }, { experienceMax: "Enter at most 40 years." }],
  [
    { experienceMin: "4", experienceMax: "2" },
    { experienceMax: "Enter at least as many years as in “Experience from”." },
  ],
  [elevenSkills, { skills: "Choose at most 10 skills. You chose 11." }],
  [
    { payMin: "12-18 lakh", payPeriod: "year" },
    { payMin: "Enter one amount, such as 12,00,000 or 12 lakh." },
  ],
  [
    { payMax: "1.200", payPeriod: "year", payCurrency: "EUR" },
    { payMax: "Enter one amount in whole numbers, such as 60,000." },
  ],
  [{ payMax: "10.1 crore", payPeriod: "year" }, { payMax: "Enter at most 10,00,00,000." }],
  [
    { payMin: "€60,000", payPeriod: "year" },
    { payMin: "This amount is in EUR, but the currency is INR." },
  ],
  [
    { payMin: "12", payMax: "18", payPeriod: "year" },
    {
      payMin: "Enter the full amount. If you mean 12 lakh, write “12 lakh”.",
      payMax: "Enter the full amount. If you mean 18 lakh, write “18 lakh”.",
    },
  ],
  [
    { payMin: "20 lakh", payMax: "12 lakh", payPeriod: "year" },
    { payMax: "Enter at least as much as in “Pay from”." },
  ],
  [{ payMin: "25,000" }, { payPeriod: "Choose a pay period." }],
  [{ payVariable: "25,000", payPeriod: "decade" }, { payPeriod: "Choose a pay period." }],
  [
    { payMin: "0", payMax: "0", payPeriod: "month" },
    {
      payMin: "Enter the pay. Only internships can be unpaid.",
      payMax: "Enter the pay. Only internships can be unpaid.",
    },
  ],
  ...["0", "11", "two", "2 days", "1.5"].map((rounds): [Typed, Typed] => [
    { rounds },
    { rounds: "Enter a whole number of rounds from 1 to 10, such as 3." },
  ]),
  [
    { testTask: "paid", testTaskHours: "81", answerDays: "2 weeks" },
    {
      testTaskHours: "Enter a whole number of hours from 1 to 80, such as 4.",
      answerDays: "Enter a whole number of days from 1 to 60, such as 14.",
    },
  ],
  ...["", "none"].map((testTask): [Typed, Typed] => [
    { testTask, testTaskHours: "4" },
    { testTaskHours: "Choose an unpaid or a paid test task, or remove the hours." },
  ]),
  [{ testTask: "free", testTaskHours: "4" }, { testTask: "Choose a test task from the list." }],
  [{ payCurrency: "RUPEES" }, { payCurrency: "Choose a currency from the list." }],
  [
    { workMode: "remote", places: "Atlantis", payMin: "much" },
    {
      places: "We don't know “Atlantis”. Use the nearest city, or its state.",
      applicantPlaces: "Enter where applicants may live, or tick “Anywhere”.",
      payMin: "Enter one amount, such as 12,00,000 or 12 lakh.",
      payPeriod: "Choose a pay period.",
    },
  ],
])("%j gets the errors %j", (typed, errors, jobType) => {
  expect(findErrors(typed, jobType)).toEqual(errors);
});

test("fields and details are checked together", () => {
  const parsed = jobFields.and(detailsForm).safeParse({
    [detailsMarker]: "yes",
    title: "UX",
    company: "Example Studio",
    location: "Pune",
    description: "Draw.",
    largeDescription: "Draw all day.",
    discipline: "cooking",
  });
  expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual(["title", "discipline"]);
});

test("a form without the fields for details sends none", () => {
  expect(detailsForm.parse({ jobType: "Full-time", discipline: "ux" })).toEqual({});
});

test("every skill is in one group of the form", () => {
  const grouped = skillGroups.flatMap(({ values }) => values).toSorted();
  expect(grouped).toEqual(skills.map(({ value }) => value).toSorted());
});

test("typed details replace saved ones, so that an unticked box stays unticked", () => {
  const saved = { ...blankJob, ...toDetailValues({ ...noDetails, skillIds: [1, 2] }) };
  const typed = { [detailsMarker]: "yes", title: "Typed", [getSkillName("figma")]: "on" };
  const values = applyTypedValues(saved, typed);
  expect([values[getSkillName("figma")], values[getSkillName("sketch")]]).toEqual(["on", ""]);
  // A form without details leaves the saved ones.
  expect(applyTypedValues(saved, { title: "Typed" })).toEqual({ ...saved, title: "Typed" });
});

const valueOf = <Value>(list: readonly { value: Value }[]) =>
  fc.option(fc.constantFrom(...list.map(({ value }) => value)));
const knownIds = fc.uniqueArray(fc.constantFrom(...allPlaces.map(({ id }) => id)), {
  maxLength: detailLimits.places,
});
const sortPair = <Value extends number | null>(one: Value, other: Value): [Value, Value] =>
  one !== null && other !== null && one > other ? [other, one] : [one, other];
const years = fc.option(fc.integer({ min: 0, max: detailLimits.experience }));
const amount = fc.option(fc.integer({ min: 1_000, max: detailLimits.pay }));
const countUpTo = (max: number) => fc.option(fc.integer({ min: 1, max }));

const stated = fc
  .record({
    discipline: valueOf(disciplines),
    workMode: valueOf(workModes),
    placeIds: knownIds,
    homes: knownIds,
    experience: fc.tuple(years, years),
    skillIds: fc.uniqueArray(fc.constantFrom(...skills.map(({ id }) => id)), {
      maxLength: detailLimits.skills,
    }),
    pay: fc.tuple(amount, amount),
    payVariable: amount,
    payPeriod: fc.constantFrom(...payPeriods),
    payCurrency: fc.constantFrom("INR", "INR", ...Intl.supportedValuesOf("currency")),
    rounds: countUpTo(detailLimits.rounds),
    testTask: valueOf(testTasks),
    testTaskHours: countUpTo(detailLimits.testTaskHours),
    answerDays: countUpTo(detailLimits.answerDays),
  })
  .map(({ homes, experience, pay, payVariable, testTaskHours, ...rest }): JobDetails => {
    const [experienceMin, experienceMax] = sortPair(...experience);
    const [payMin, payMax] = sortPair(...pay);
    const isPaid = payMin !== null || payMax !== null || payVariable !== null;
    return {
      ...rest,
      skillIds: rest.skillIds.toSorted((one, other) => one - other),
      applicantPlaceIds: rest.workMode === "remote" ? (homes.length > 0 ? homes : [anywhere]) : [],
      experienceMin,
      experienceMax,
      payMin,
      payMax,
      payVariable,
      payPeriod: isPaid ? rest.payPeriod : null,
      payCurrency: isPaid ? rest.payCurrency : "INR",
      testTaskHours: rest.testTask === null || rest.testTask === "none" ? null : testTaskHours,
    };
  });

test("any details stay the same in the form's fields", () => {
  fc.assert(
    fc.property(stated, (details) => {
      expect(parse(toDetailValues(details)).data).toEqual(details);
    }),
    { numRuns: 1_000 },
  );
});

test("any details stay the same from the form to the database and back to the form", async () => {
  const fields = jobFields.parse({
    title: "Map Maker",
    company: "Example Studio",
    location: "Pune",
    description: "Draw.",
    largeDescription: "Draw all day.",
  });
  await fc.assert(
    fc.asyncProperty(stated, fc.constantFrom(...jobTypes), async (details, jobType) => {
      const id = await createJob(db, who.devi, {
        ...fields,
        jobType,
        ...parse(toDetailValues(details)).data,
      });
      const saved = toWrittenFields((await findListing(db, who.devi, "own", id))!);
      expect(saved).toEqual({ ...fields, jobType, ...details, closesOn: null });
      // Sending the opened form with another title changes only the title.
      const again = parse(toDetailValues(saved), jobType).data;
      await updateJob(db, who.devi, id, { ...fields, jobType, title: "Map Keeper", ...again });
      const edited = toWrittenFields((await findListing(db, who.devi, "own", id))!);
      expect(edited).toEqual({ ...saved, title: "Map Keeper" });
    }),
    { numRuns: 60 },
  );
});

test("an edit of an old listing's title leaves its details unstated", async () => {
  const fields = jobFields.parse({
    title: "Map Maker",
    company: "Example Studio",
    location: "Koramangala, Bengaluru",
    description: "Draw.",
    largeDescription: "Draw all day.",
    compensation: "Negotiable",
  });
  const id = await createJob(db, who.devi, fields);
  const opened = toWrittenFields((await findListing(db, who.devi, "own", id))!);
  expect(toDetailValues(opened)).toEqual(blankDetails);
  const sent = parse(toDetailValues(opened)).data;
  await updateJob(db, who.devi, id, { ...fields, title: "Map Keeper", ...sent });
  expect(toWrittenFields((await findListing(db, who.devi, "own", id))!)).toEqual({
    ...opened,
    title: "Map Keeper",
  });
});
