import { expect, test } from "vitest";
import { type JobLine, jobLines } from "../../../tests/fixtures/job-lines.ts";
import { limitLines } from "../../../tests/fixtures/limit-lines.ts";
import { type JobDetails, skills } from "../details.ts";
import { getPlace } from "../places/find-places.server.ts";
import { anywhere } from "../places/rules.ts";
import { getQuotedText, type Proposal, type ProposalSource } from "./proposals.ts";
import { getProposalsVersion, joinProposals, suggestDetails } from "./suggest-details.server.ts";

const blank: ProposalSource = {
  title: "Designer",
  location: "Studio",
  compensation: null,
  jobType: "Full-time",
  description: "",
  largeDescription: null,
};

const suggestFor = ({ field, text, jobType }: JobLine) =>
  suggestDetails({ ...blank, jobType, [field]: text });

/** Writes a proposal as the lines do: "pay INR year 1200000-1800000". */
function describe({ values }: Proposal): string {
  const { discipline, workMode, placeIds, applicantPlaceIds, skillIds } = values;
  if (discipline) return `discipline ${discipline}`;
  if (workMode) return `mode ${workMode}`;
  if (placeIds) return `place ${placeIds.map((id) => getPlace(id).slug).join()}`;
  if (applicantPlaceIds) return `applicants ${applicantPlaceIds.map(getSlug).join()}`;
  if (skillIds) return `skill ${skillIds.map(getSkill).join()}`;
  return values.payPeriod ? describePay(values) : describeExperience(values);
}

const getSlug = (id: number) => (id === anywhere ? "anywhere" : getPlace(id).slug);
const getSkill = (id: number) => skills.find((skill) => skill.id === id)!.value;

function describePay({ payMin, payMax, payVariable, payPeriod, payCurrency }: Partial<JobDetails>) {
  const variable = payVariable ? `+${payVariable}` : "";
  return `pay ${payCurrency} ${payPeriod} ${payMin ?? ""}-${payMax ?? ""}${variable}`;
}

function describeExperience({ experienceMin, experienceMax }: Partial<JobDetails>) {
  return `experience ${experienceMin ?? ""}-${experienceMax ?? ""}`;
}

test.each([
  ["all kinds of lines", jobLines, 575, 0.98, 0.95],
  ["lines with limits and lines like them", limitLines, 350, 0.99, 0.95],
])(
  "the proposals for %s are right, and few are missing",
  (_what, lines, least, precision, recall) => {
    const [right, wrong, missed] = [[] as string[], [] as string[], [] as string[]];
    for (const line of lines) {
      const found = suggestFor(line).map(describe);
      for (const detail of found)
        (line.details.includes(detail) ? right : wrong).push(`${line.text}: ${detail}`);
      missed.push(
        ...line.details
          .filter((detail) => !found.includes(detail))
          .map((d) => `${line.text}: ${d}`),
      );
    }
    expect(lines.length).toBeGreaterThanOrEqual(least);
    expect(right.length / (right.length + wrong.length), wrong.join("\n")).toBeGreaterThanOrEqual(
      precision,
    );
    expect(right.length / (right.length + missed.length), missed.join("\n")).toBeGreaterThanOrEqual(
      recall,
    );
  },
);

test.each([
  ["Max CTC: 10 LPA", "Max CTC: 10 LPA"],
  ["We pay no more than ₹12 LPA.", "no more than ₹12 LPA"],
  ["₹7 LPA (max)", "₹7 LPA (max"],
  ["₹10 LPA onwards", "₹10 LPA onwards"],
])("the proposal for %j quotes the limit", (compensation, quote) => {
  const job = { ...blank, compensation };
  expect(suggestDetails(job).map((one) => getQuotedText(job, one.quote))).toEqual([quote]);
});

const studio: ProposalSource = {
  title: "UX Designer (2-4 yrs)",
  location: "Hybrid, Pune and Mumbai",
  compensation: "₹12–18 LPA",
  jobType: "Full-time",
  description: "You know Figma.",
  largeDescription: "Perk: work from anywhere for up to a month. Figma, and WCAG on every screen.",
};

test("each proposal quotes the words that state it", () => {
  const quotes = suggestDetails(studio).map(({ key, quote }) => [
    key,
    getQuotedText(studio, quote),
  ]);
  expect(quotes).toEqual([
    ["discipline", "UX Designer"],
    ["mode", "Hybrid"],
    [expect.stringMatching(/^place-\d+$/), "Pune"],
    [expect.stringMatching(/^place-\d+$/), "Mumbai"],
    ["experience", "2-4 yrs"],
    ["pay", "₹12–18 LPA"],
    ["skill-1", "Figma"],
    ["skill-36", "WCAG"],
  ]);
});

test("a perk in the description never makes a job remote", () => {
  const perk = "Perk: work from home or remote for a month. 4-6 years. ₹30 LPA. Bengaluru.";
  expect(suggestDetails({ ...blank, description: perk, largeDescription: perk })).toEqual([]);
});

test("a title and a location with different modes propose none", () => {
  const proposals = suggestDetails({
    ...blank,
    title: "Designer (Remote)",
    location: "Hybrid, Pune",
  });
  expect(proposals.map(describe)).toEqual(["place pune"]);
});

test("an amount without a currency is not taken for rupees abroad", () => {
  const monthly = { ...blank, compensation: "4k per month" };
  expect(suggestDetails({ ...monthly, location: "Pune" }).map(describe)).toContain(
    "pay INR month 4000-4000",
  );
  expect(suggestDetails({ ...monthly, location: "Berlin" }).map(describe)).toEqual([
    "place berlin",
  ]);
});

test("at most five places and ten skills are proposed", () => {
  const proposals = suggestDetails({
    ...blank,
    location: "Pune, Mumbai, Chennai, Kolkata, Jaipur, Surat, Indore",
    description: skills.map(({ label }) => label).join(", "),
  });
  const details = joinProposals(proposals);
  expect(details.placeIds).toHaveLength(5);
  expect(details.skillIds).toHaveLength(10);
});

test("the version changes with each text, and not without a change", () => {
  const getVersion = (job: ProposalSource) => getProposalsVersion(job, suggestDetails(job));
  const version = getVersion(studio);
  expect(getVersion({ ...studio })).toBe(version);
  for (const field of ["title", "location", "compensation", "description", "largeDescription"])
    expect(getVersion({ ...studio, [field]: "Else" }), field).not.toBe(version);
  expect(getVersion({ ...studio, jobType: "Internship" })).not.toBe(version);
});

test("odd texts are read in one pass, however long, and give valid details", () => {
  const odd = [
    "9".repeat(1_000_000),
    "₹".repeat(1_000_000),
    "1-".repeat(500_000),
    "1,".repeat(500_000),
    "up to ".repeat(200_000),
    "UX / ".repeat(200_000),
    "(remote ".repeat(100_000),
    "Figma, Sketch and ".repeat(50_000),
    "Pune, ".repeat(200_000),
    " ".repeat(1_000_000),
    "👩🏽‍🎨\u200b\u0000\ud83d",
  ];
  // A second pass for each letter would take longer than a test may.
  for (const text of odd)
    for (const field of ["title", "location", "compensation", "description"])
      for (const { quote } of suggestDetails({ ...studio, [field]: text }))
        expect(getQuotedText({ ...studio, [field]: text }, quote)).not.toBe("");
});
