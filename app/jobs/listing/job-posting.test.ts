import { expect, test } from "vitest";
import { jobPosting } from "./job-posting.ts";

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

test("a posting says what is known and nothing else", () => {
  expect(jobPosting(job, url)).toEqual({
    "@context": "https://schema.org/",
    "@type": "JobPosting",
    title: "Type Designer",
    description: "<p>Draw &lt;b&gt;letters&lt;/b&gt;.</p><p>Every day &amp; night.</p>",
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
  expect(jobPosting({ ...job, jobType }, url)).toMatchObject({ employmentType });
});

test.each(["Remote", "Remote, India", "Remote (anywhere in India)", "Fully remote", "100% remote"])(
  "%s is work from anywhere in India",
  (location) => {
    const posting = jobPosting({ ...job, location }, url);
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
  const posting = jobPosting({ ...job, location }, url);
  expect(posting).toMatchObject({
    jobLocation: { address: { addressLocality, addressCountry: "IN" } },
  });
  expect((posting as { jobLocationType?: string }).jobLocationType).toBe(jobLocationType);
});

test("of a place that is not known, no country is claimed", () => {
  expect(jobPosting({ ...job, location: "Lisbon" }, url).jobLocation).toEqual({
    "@type": "Place",
    address: { "@type": "PostalAddress", addressLocality: "Lisbon" },
  });
});
