import { expect, test } from "vitest";
import { describeReach } from "./filter-reach.tsx";
import { blankDetails } from "./rules.ts";

const reach = (values: object) => describeReach({ ...blankDetails, ...values });

test("without details, no filter finds the job", () => {
  expect(reach({})).toBe(
    "Filters won't find this job by discipline, work mode, place, skill, experience, pay or test task. Add what you know below.",
  );
});

test("stated details are named, and so are missing ones", () => {
  const stated = {
    discipline: "product",
    places: "Mumbai",
    "skill-figma": "on",
    "skill-react": "on",
  };
  expect(reach(stated)).toBe(
    "Filters will find this job by discipline (Product design), place (Mumbai), skill (Figma, React). They won't " +
      "find it by work mode, experience, pay or test task: add that below.",
  );
});

test("places where applicants may live count for remote work only", () => {
  const homes = { applicantPlaces: "India" };
  expect(reach({ ...homes, workMode: "hybrid" })).toContain("find it by discipline, place,");
  expect(reach({ ...homes, workMode: "remote" })).toContain("place (India)");
  expect(reach({ anywhere: "on", workMode: "remote" })).toContain("place (anywhere)");
});

test("with every detail, nothing is missing", () => {
  const all = {
    discipline: "ux",
    workMode: "hybrid",
    places: "Pune",
    "skill-figma": "on",
    experienceMin: "2",
    experienceMax: "4",
    payMax: "12,00,000",
    testTask: "none",
  };
  expect(reach(all)).toBe(
    "Filters will find this job by discipline (UX design), work mode (Hybrid), place (Pune), skill (Figma), " +
      "experience (2–4 years), pay (up to 12,00,000), test task (none).",
  );
});

test("the filter for test tasks finds no unpaid one, and names it neither as stated nor as missing", () => {
  expect(reach({ testTask: "paid" })).toContain("by test task (paid).");
  expect(reach({ testTask: "unpaid" })).not.toContain("test task");
});
