import { expect, test } from "vitest";
import {
  country,
  googlePosting,
  job,
  place,
  url,
} from "../../../tests/support/requests/google-posting.ts";
import { noDetails } from "../details.ts";
import { buildJobPosting } from "./job-posting.server.ts";

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

test("the closing date ends at midnight in India, and nothing is stated without one", () => {
  const posting = buildJobPosting({ ...job, closesOn: "2026-12-12" }, noDetails, url);
  expect(posting).toMatchObject({ validThrough: "2026-12-12T18:30:00.000Z" });
  expect(googlePosting.safeParse(posting).error?.issues).toBeUndefined();
  expect(buildJobPosting(job, noDetails, url)).not.toHaveProperty("validThrough");
});
