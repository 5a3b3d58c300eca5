import { expect, test } from "vitest";
import { jobFields } from "./actions.server.ts";
import { longest } from "./rules.ts";

const filled = {
  title: "Map Maker",
  company: "Example Studio",
  location: "Pune",
  jobType: "Part-time",
  compensation: "",
  description: "Draw.",
  largeDescription: "Draw all day.",
  pocName: "",
  pocContact: "",
  portalApplicationLink: "",
  directApplicationLink: "",
};

test("optional fields that are empty are null", () => {
  expect(jobFields.parse({ ...filled, compensation: "  " })).toEqual({
    ...filled,
    compensation: null,
    pocName: null,
    pocContact: null,
    portalApplicationLink: null,
    directApplicationLink: null,
  });
});

test.each([
  ["title", "UX", "Job title must be at least 3 characters"],
  ["title", "  a  ", "Job title must be at least 3 characters"],
  ["company", "X", "Company name is required"],
  ["location", " ", "Location is required"],
  ["jobType", "Freelance", "Please select a valid job type"],
  ["jobType", "", "Please select a valid job type"],
  ["description", " \r\n ", "Please summarise the job"],
  ["largeDescription", "\u0000\t", "Please describe the job in detail"],
  ["portalApplicationLink", "example.com", "Must be a valid URL"],
  ["portalApplicationLink", "javascript:alert(1)", "Must be a valid URL"],
  ["directApplicationLink", "https://", "Must be a valid URL"],
  ["directApplicationLink", "mailto:a@example.com", "Must be a valid URL"],
  ["title", "x".repeat(151), "Please keep this within 150 characters"],
  ["largeDescription", "x".repeat(15_001), "Please keep this within 15,000 characters"],
])("the %s %j is refused", (field, value, message) => {
  expect(problems({ ...filled, [field]: value })).toEqual({ [field]: message });
});

test("a form that names nothing is told everything that is missing", () => {
  expect(Object.keys(problems({})).toSorted()).toEqual(
    ["company", "description", "largeDescription", "location", "title"].toSorted(),
  );
});

test("the shortest and the longest that are allowed are allowed", () => {
  expect(problems({ ...filled, title: "UXR", company: "LG", location: "Go" })).toEqual({});
  const full = Object.entries(longest).map(([name, most]) => [name, "x".repeat(most)]);
  const link = `https://example.com/${"x".repeat(1_980)}`;
  const links = { portalApplicationLink: link, directApplicationLink: link };
  expect(problems({ ...filled, ...Object.fromEntries(full), ...links })).toEqual({});
});

test("a line stays one line, and a text keeps its lines", () => {
  const parsed = jobFields.parse({
    ...filled,
    title: " Map\u0000\r\nMaker\u2028II ",
    largeDescription: "One\r\n\r\nTwo\u0007\tthree\u0000",
    portalApplicationLink: " https://example.com/apply?a=1#b ",
  });
  expect(parsed.title).toBe("Map Maker II");
  expect(parsed.largeDescription).toBe("One\n\nTwo\tthree");
  expect(parsed.portalApplicationLink).toBe("https://example.com/apply?a=1#b");
});

test("owner, date and state are nothing that a form can say", () => {
  const sent = { ...filled, createdBy: "me", postedAt: "1970", isArchived: "true" };
  expect(Object.keys(jobFields.parse(sent)).toSorted()).toEqual(Object.keys(filled).toSorted());
});

function problems(form: Record<string, string>): Record<string, string> {
  const parsed = jobFields.safeParse(form);
  const issues = parsed.error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
}
