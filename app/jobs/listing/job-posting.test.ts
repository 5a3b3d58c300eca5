import { expect, test } from "vitest";
import { z } from "zod";
import { demoJobs } from "../../../db/demo/jobs.ts";
import { type JobDetails, noDetails, payPeriods, workModes } from "../details.ts";
import { findPlaceBySlug } from "../places/find-places.server.ts";
import { anywhere } from "../places/rules.ts";
import { jobTypes } from "../rules.ts";
import { buildJobPosting } from "./job-posting.server.ts";

const job = {
  id: "7e284635-b05a-41f8-ba15-cd003d25c6c0",
  title: "Type Designer",
  company: "Akshara & Co",
  location: "Pune",
  jobType: "Full-time" as const,
  description: "Short.",
  largeDescription: "Draw <b>letters</b>.\n\nEvery day & night.",
  postedAt: new Date("2026-03-01T12:00:00Z"),
};
const url = "https://example.com/jobs/7e284635-b05a-41f8-ba15-cd003d25c6c0";

test("a posting has only the known fields", () => {
  expect(buildJobPosting(job, noDetails, url)).toEqual({
    "@context": "https://schema.org/",
    "@type": "JobPosting",
    title: "Type Designer",
    description:
      "<p>Short.</p><p>Draw &lt;b&gt;letters&lt;/b&gt;.</p><p>Every day &amp; night.</p>",
    identifier: { "@type": "PropertyValue", name: "Akshara & Co", value: job.id },
    datePosted: "2026-03-01T12:00:00.000Z",
    employmentType: "FULL_TIME",
    hiringOrganization: { "@type": "Organization", name: "Akshara & Co" },
    jobLocation: {
      "@type": "Place",
      address: { "@type": "PostalAddress", addressLocality: "Pune", addressCountry: "IN" },
    },
    url,
  });
});

test.each([
  ["Full-time", "FULL_TIME"],
  ["Part-time", "PART_TIME"],
  ["Internship", "INTERN"],
] as const)("%s is %s", (jobType, employmentType) => {
  expect(buildJobPosting({ ...job, jobType }, noDetails, url)).toMatchObject({ employmentType });
});

test.each(["Remote", "Remote, India", "Remote (anywhere in India)", "Fully remote", "100% remote"])(
  "%s is work from anywhere in India",
  (location) => {
    const posting = buildJobPosting({ ...job, location }, noDetails, url);
    expect(posting).toMatchObject({
      jobLocationType: "TELECOMMUTE",
      applicantLocationRequirements: { "@type": "Country", name: "India" },
    });
    expect(posting).not.toHaveProperty("jobLocation");
  },
);

test.each([
  ["Bengaluru or remote", "Bengaluru", "TELECOMMUTE"],
  ["Pune, hybrid", "Pune", undefined],
  ["Remote / Mumbai (hybrid)", "Mumbai", undefined],
  ["NEW DELHI", "New Delhi", undefined],
])("%s has a place", (location, addressLocality, jobLocationType) => {
  const posting = buildJobPosting({ ...job, location }, noDetails, url);
  expect(posting).toMatchObject({
    jobLocation: { address: { addressLocality, addressCountry: "IN" } },
  });
  expect((posting as { jobLocationType?: string }).jobLocationType).toBe(jobLocationType);
});

test("an unknown place counts as a city in India", () => {
  expect(buildJobPosting({ ...job, location: "Chikkajala" }, noDetails, url)?.jobLocation).toEqual(
    place("Chikkajala"),
  );
});

test("a region of several countries has no posting, since a country is required", () => {
  expect(buildJobPosting({ ...job, location: "Hybrid, Europe" }, noDetails, url)).toBeNull();
});

test("a summary that the detailed description repeats appears once", () => {
  const largeDescription = "Short.\n\nAnd the rest.";
  expect(buildJobPosting({ ...job, largeDescription }, noDetails, url)?.description).toBe(
    "<p>Short.</p><p>And the rest.</p>",
  );
  expect(buildJobPosting({ ...job, largeDescription: null }, noDetails, url)?.description).toBe(
    "<p>Short.</p>",
  );
});

const place = (addressLocality?: string, addressCountry = "IN", addressRegion?: string) => ({
  "@type": "Place",
  address: {
    "@type": "PostalAddress",
    ...(addressLocality && { addressLocality }),
    ...(addressRegion && { addressRegion }),
    addressCountry,
  },
});
const country = (name: string) => ({ "@type": "Country", name });

test.each([
  ["Bangalore", place("Bengaluru")],
  ["bombay", place("Mumbai")],
  ["Gurgaon", place("Gurugram")],
  ["Calcutta", place("Kolkata")],
  ["Madras", place("Chennai")],
  ["Trivandrum", place("Thiruvananthapuram")],
  ["Navi Mumbai", place("Navi Mumbai")],
  ["Delhi NCR", place("Delhi")],
  ["Koramangala, Bengaluru", place("Bengaluru")],
  ["Koramangala office, Bengaluru", place("Bengaluru")],
  ["Bengaluru, Koramangala", place("Bengaluru")],
  ["Pune, Maharashtra, India", place("Pune", "IN", "Maharashtra")],
  ["Maharashtra, Pune", place("Pune", "IN", "Maharashtra")],
  ["Pune 411001", place("Pune")],
  ["Jordan Road, Mumbai", place("Mumbai")],
  ["Chikkajala, Karnataka", place("Chikkajala", "IN", "Karnataka")],
  ["Kerala", place(undefined, "IN", "Kerala")],
  ["Jammu and Kashmir", place(undefined, "IN", "Jammu and Kashmir")],
  ["India", place()],
  ["Pan India", place()],
  ["Hybrid", place()],
  ["Hybrid, Pune", place("Pune")],
  ["Pune (WFH 2 days)", place("Pune")],
  ["On-site, not remote, Pune", place("Pune")],
  ["Mumbai or Delhi", [place("Mumbai"), place("Delhi")]],
  ["Noida, Gurugram", [place("Noida"), place("Gurugram")]],
  ["Bengaluru / London", [place("Bengaluru"), place("London", "GB")]],
  ["Mumbai, Singapore", [place("Mumbai"), place("Singapore", "SG")]],
  ["Dubai, UAE", place("Dubai", "AE")],
  ["UAE", place(undefined, "AE")],
  ["Singapore", place("Singapore", "SG")],
  ["London", place("London", "GB")],
  ["Lisbon", place("Lisbon", "PT")],
  ["San Francisco, California, USA", place("San Francisco", "US", "California")],
  ["Hyderabad, Pakistan", place("Hyderabad", "PK")],
  ["Hyderabad", place("Hyderabad")],
  ["Salem, USA", place("Salem", "US")],
  ["London, Canada", place("London", "CA")],
  ["Puducherry union territory", place(undefined, "IN", "Puducherry")],
  ["Karaikal, Puducherry", place("Karaikal")],
  ["New Delhi, Delhi", place("New Delhi")],
  ["Pali Hill, Mumbai", place("Mumbai")],
  ["Whitefield Bangalore", place("Bengaluru")],
  ["OYO HQ, Gurugram", place("Gurugram")],
  ["Kleinstadt, Germany", place("Kleinstadt", "DE")],
  ["The Hague", place("The Hague", "NL")],
  ["पुणे", place("पुणे")],
])("%s is office work at that place", (location, jobLocation) => {
  const posting = buildJobPosting({ ...job, location }, noDetails, url);
  expect(posting).toMatchObject({ jobLocation });
  expect(posting).not.toHaveProperty("jobLocationType");
  expect(posting).not.toHaveProperty("applicantLocationRequirements");
});

test.each([
  ["Work from home", country("India")],
  ["Work-From-Home", country("India")],
  ["WFH", country("India")],
  ["Anywhere", country("India")],
  ["Worldwide", country("India")],
  ["Remote\u200b", country("India")],
  ["Remote (India)", country("India")],
  ["Remote, IST hours", country("India")],
  ["Remote, US hours", country("India")],
  ["Remote (5 days a week)", country("India")],
  ["Remote, immediate joiners", country("India")],
  ["Remote, Europe", { "@type": "AdministrativeArea", name: "Europe" }],
  ["Remote (EU only)", { "@type": "AdministrativeArea", name: "EU" }],
  ["Remote - APAC", { "@type": "AdministrativeArea", name: "APAC" }],
  ["Remote, Germany", country("Germany")],
  ["WFH (Sri Lanka or India)", [country("Sri Lanka"), country("India")]],
  ["Remote, US only", country("United States")],
  ["Anywhere in Karnataka", { "@type": "State", name: "Karnataka, India" }],
])("%s is remote work", (location, applicantLocationRequirements) => {
  const posting = buildJobPosting({ ...job, location }, noDetails, url);
  expect(posting).toMatchObject({ jobLocationType: "TELECOMMUTE", applicantLocationRequirements });
  expect(posting).not.toHaveProperty("jobLocation");
});

test.each([
  ["Bengaluru / Remote", place("Bengaluru"), country("India")],
  ["London or remote", place("London", "GB"), country("United Kingdom")],
  [
    "Remote, Pune or Berlin",
    [place("Pune"), place("Berlin", "DE")],
    [country("India"), country("Germany")],
  ],
])("%s is office or remote work", (location, jobLocation, applicantLocationRequirements) => {
  expect(buildJobPosting({ ...job, location }, noDetails, url)).toMatchObject({
    jobLocation,
    jobLocationType: "TELECOMMUTE",
    applicantLocationRequirements,
  });
});

/** Places of every kind, for every phrase below. */
const named = [
  "Pune",
  "Bangalore",
  "Kerala",
  "Chikkajala",
  "Dubai, UAE",
  "Europe",
  "Japan",
  "New York",
  "India",
  "",
];
const phrases = [
  (name: string) => name,
  (name: string) => `Remote, ${name}`,
  (name: string) => `${name} / Remote`,
  (name: string) => `Hybrid (${name})`,
  (name: string) => `${name} or Chennai`,
  (name: string) => `Work from home – ${name}`,
  (name: string) => `${name}; ${name} | 2nd floor, & `,
];

test("every posting has Google's required fields, and its recommended fields are valid", () => {
  for (const location of named.flatMap((name) => phrases.map((write) => write(name)))) {
    const posting = buildJobPosting({ ...job, location }, noDetails, url);
    if (posting) expect(googlePosting.safeParse(posting).error?.issues, location).toBeUndefined();
    else expect(location).toContain("Europe");
  }
});

test("remote work in Europe never says India", () => {
  expect(
    JSON.stringify(buildJobPosting({ ...job, location: "Remote, Europe" }, noDetails, url)),
  ).not.toMatch(/"IN"|India/);
});

test("a place abroad never counts as India", () => {
  for (const name of ["Europe", "Japan", "Dubai, UAE", "New York", "EMEA"])
    for (const write of phrases.filter((_, index) => index !== 4))
      expect(
        JSON.stringify(buildJobPosting({ ...job, location: write(name) }, noDetails, url)),
        write(name),
      ).not.toMatch(/"IN"|India/);
});

const idsOf = (...slugs: string[]) => slugs.map((slug) => findPlaceBySlug(slug)!.id);
const withDetails = (details: Partial<JobDetails>, location = "Chikkajala") =>
  buildJobPosting({ ...job, location }, { ...noDetails, ...details }, url);

test.each<[string[], unknown]>([
  [["pune"], place("Pune", "IN", "Maharashtra")],
  [["kerala"], place(undefined, "IN", "Kerala")],
  [["india"], place()],
  [["london"], place("London", "GB")],
  [
    ["bengaluru", "singapore"],
    [place("Bengaluru", "IN", "Karnataka"), place(undefined, "SG")],
  ],
])("the places of work %j count more than the location", (slugs, jobLocation) => {
  expect(withDetails({ placeIds: idsOf(...slugs) })).toMatchObject({ jobLocation });
});

test.each<[number[], unknown]>([
  [idsOf("india"), country("India")],
  [[anywhere], country("India")],
  [idsOf("karnataka"), { "@type": "State", name: "Karnataka, India" }],
  [idsOf("pune"), { "@type": "City", name: "Pune, Maharashtra, India" }],
  [idsOf("india", "nepal"), [country("India"), country("Nepal")]],
  // People in India may apply if the details don't say.
  [[], country("India")],
])("remote work for applicants in %j", (applicantPlaceIds, applicantLocationRequirements) => {
  const posting = withDetails({ workMode: "remote", applicantPlaceIds });
  expect(posting).toMatchObject({ jobLocationType: "TELECOMMUTE", applicantLocationRequirements });
  expect(posting).not.toHaveProperty("jobLocation");
});

test("the work mode counts more than the location", () => {
  for (const workMode of ["hybrid", "on-site"] as const) {
    const posting = withDetails({ workMode }, "Remote");
    expect(posting).toMatchObject({ jobLocation: place() });
    expect(posting).not.toHaveProperty("jobLocationType");
  }
  const remote = withDetails({ workMode: "remote", placeIds: idsOf("pune") }, "Hybrid, Pune");
  expect(remote).toMatchObject({
    jobLocation: place("Pune", "IN", "Maharashtra"),
    jobLocationType: "TELECOMMUTE",
    applicantLocationRequirements: country("India"),
  });
  expect(withDetails({ workMode: "remote" }, "Remote, Germany")).toMatchObject({
    applicantLocationRequirements: country("Germany"),
  });
});

const salary = (unitText: string, amount: object) => ({
  "@type": "MonetaryAmount",
  currency: "INR",
  value: { "@type": "QuantitativeValue", ...amount, unitText },
});

test.each<[Partial<JobDetails>, unknown]>([
  [
    { payMin: 1_200_000, payMax: 1_800_000, payPeriod: "year" },
    salary("YEAR", { minValue: 1_200_000, maxValue: 1_800_000 }),
  ],
  [{ payMin: 25_000, payMax: 25_000, payPeriod: "month" }, salary("MONTH", { value: 25_000 })],
  [{ payMin: 9_000, payPeriod: "week" }, salary("WEEK", { minValue: 9_000 })],
  [{ payMax: 3_000, payPeriod: "day" }, salary("DAY", { maxValue: 3_000 })],
  [{ payMin: 0, payMax: 500, payPeriod: "hour" }, salary("HOUR", { maxValue: 500 })],
  [{ payMin: 1, payMax: 2, payPeriod: "project" }, undefined],
  [{ payMin: 0, payMax: 0, payPeriod: "month" }, undefined],
  [{ payMax: 60_000, payPeriod: "year", payCurrency: "EUR" }, undefined],
  [{ payVariable: 100_000, payPeriod: "year" }, undefined],
  [{}, undefined],
])("the pay %j is the base salary %j", (details, baseSalary) => {
  const posting = withDetails(details);
  expect(posting?.baseSalary).toEqual(baseSalary);
  expect("baseSalary" in posting!).toBe(baseSalary !== undefined);
});

test("experience and skills are named only if they are stated", () => {
  expect(withDetails({ experienceMin: 2, experienceMax: 4, skillIds: [28, 1] })).toMatchObject({
    experienceRequirements: {
      "@type": "OccupationalExperienceRequirements",
      monthsOfExperience: 24,
    },
    skills: "Figma, Usability testing",
  });
  expect(withDetails({ experienceMin: 0 })?.experienceRequirements).toBe("no requirements");
  const unstated = withDetails({ experienceMax: 2 });
  expect(unstated).not.toHaveProperty("experienceRequirements");
  expect(unstated).not.toHaveProperty("skills");
});

test("the postings of all demo listings are valid", () => {
  const listings = demoJobs(new Date("2026-03-01T12:00:00Z"), "adder", "admin");
  expect(listings.length).toBeGreaterThan(60);
  let salaries = 0;
  for (const listing of listings) {
    const row = { ...noDetails, largeDescription: null, ...listing, id: job.id };
    const posting = buildJobPosting(row, row, url);
    expect(googlePosting.safeParse(posting).error?.issues, listing.title).toBeUndefined();
    if (posting?.baseSalary) salaries += 1;
  }
  expect(salaries).toBeGreaterThan(40);
});

test("the postings of all combinations of details are valid", () => {
  const locations = ["Pune", "Remote", "Bengaluru / Remote", "Remote, Europe", "Chikkajala"];
  const modes = [null, ...workModes.map(({ value }) => value)];
  const workPlaces = [[], idsOf("pune"), idsOf("india", "london")];
  const homes = [[], [anywhere], idsOf("kerala", "nepal"), idsOf("pune")];
  const amounts = [null, 0, 50_000];
  const pays = payPeriods.flatMap((payPeriod) =>
    amounts.flatMap((payMin) => amounts.map((payMax) => ({ payPeriod, payMin, payMax }))),
  );
  const years = [null, 0, 3];
  for (const jobType of jobTypes)
    for (const location of locations)
      for (const workMode of modes)
        for (const placeIds of workPlaces)
          for (const [index, applicantPlaceIds] of homes.entries())
            for (const pay of pays.slice(index, index + 20)) {
              const details: JobDetails = {
                ...noDetails,
                workMode,
                placeIds,
                applicantPlaceIds,
                ...pay,
                experienceMin: years[index % 3]!,
                skillIds: [1, 2].slice(index % 3),
              };
              const posting = buildJobPosting({ ...job, location, jobType }, details, url);
              const issues = googlePosting.safeParse(posting).error?.issues;
              expect(issues, JSON.stringify([location, details])).toBeUndefined();
            }
});

const workPlace = z.strictObject({
  "@type": z.literal("Place"),
  address: z.strictObject({
    "@type": z.literal("PostalAddress"),
    addressLocality: z.string().min(2).optional(),
    addressRegion: z.string().min(2).optional(),
    addressCountry: z.string().regex(/^[A-Z]{2}$/),
  }),
});
const area = z.strictObject({
  "@type": z.enum(["Country", "State", "City", "AdministrativeArea"]),
  name: z.string().min(2),
});
const payAmount = z.int().positive();
const salaryValue = z
  .strictObject({
    "@type": z.literal("QuantitativeValue"),
    value: payAmount.optional(),
    minValue: payAmount.optional(),
    maxValue: payAmount.optional(),
    unitText: z.enum(["HOUR", "DAY", "WEEK", "MONTH", "YEAR"]),
  })
  .refine(
    ({ value, minValue, maxValue }) =>
      value === undefined
        ? (minValue ?? maxValue) && (minValue ?? 0) <= (maxValue ?? Infinity)
        : minValue === undefined && maxValue === undefined,
    "neither one amount nor a range",
  );
const oneOrAll = <Item extends z.ZodType>(item: Item) => z.union([item, z.array(item).min(2)]);

/** The rules are from developers.google.com/search/docs/appearance/structured-data/job-posting. */
const googlePosting = z
  .strictObject({
    "@context": z.string().regex(/^https:\/\/schema\.org\/?$/),
    "@type": z.literal("JobPosting"),
    // Required.
    title: z.string().trim().min(1),
    description: z.string().regex(/^(<p>[^<]+<\/p>)+$/),
    datePosted: z.iso.datetime(),
    hiringOrganization: z.strictObject({
      "@type": z.literal("Organization"),
      name: z.string().min(1),
    }),
    // Required, except for remote work with an area where people may live.
    jobLocation: oneOrAll(workPlace).optional(),
    jobLocationType: z.literal("TELECOMMUTE").optional(),
    applicantLocationRequirements: oneOrAll(area).optional(),
    // Recommended.
    identifier: z.strictObject({
      "@type": z.literal("PropertyValue"),
      name: z.string().min(1),
      value: z.string().min(1),
    }),
    employmentType: z.enum([
      "FULL_TIME",
      "PART_TIME",
      "CONTRACTOR",
      "TEMPORARY",
      "INTERN",
      "OTHER",
    ]),
    baseSalary: z
      .strictObject({
        "@type": z.literal("MonetaryAmount"),
        currency: z.literal("INR"),
        value: salaryValue,
      })
      .optional(),
    // Google's beta.
    experienceRequirements: z
      .union([
        z.literal("no requirements"),
        z.strictObject({
          "@type": z.literal("OccupationalExperienceRequirements"),
          monthsOfExperience: z.int().positive(),
        }),
      ])
      .optional(),
    skills: z.string().min(2).optional(),
    url: z.url(),
  })
  .refine(
    ({ jobLocationType, applicantLocationRequirements, jobLocation }) =>
      jobLocationType
        ? applicantLocationRequirements
        : jobLocation && !applicantLocationRequirements,
    "neither a place nor an area for remote work, or both without TELECOMMUTE",
  );
