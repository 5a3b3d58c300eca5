import { expect, test } from "vitest";
import { type JobLine, jobLines } from "../../../tests/fixtures/job-lines.ts";
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

test("at least 98% of the proposals for the labelled lines are right", () => {
  const [proposed, right, missed] = [[] as string[], [] as string[], [] as string[]];
  const wrong: string[] = [];
  for (const line of jobLines) {
    const found = suggestFor(line).map(describe);
    proposed.push(...found);
    right.push(...found.filter((detail) => line.details.includes(detail)));
    wrong.push(
      ...found.filter((detail) => !line.details.includes(detail)).map((d) => `${line.text}: ${d}`),
    );
    missed.push(
      ...line.details.filter((detail) => !found.includes(detail)).map((d) => `${line.text}: ${d}`),
    );
  }
  const precision = right.length / proposed.length;
  const recall = right.length / (right.length + missed.length);
  const format = (share: number) => `${(share * 100).toFixed(1)}%`;
  console.log(
    `${jobLines.length} lines: precision ${format(precision)}, recall ${format(recall)}\n` +
      [...wrong.map((line) => `wrong: ${line}`), ...missed.map((line) => `missed: ${line}`)].join(
        "\n",
      ),
  );
  expect(jobLines.length).toBeGreaterThanOrEqual(200);
  expect(wrong.length / proposed.length, wrong.join("\n")).toBeLessThanOrEqual(0.02);
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
