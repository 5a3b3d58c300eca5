import { expect, test } from "vitest";
import { jobFields } from "../../../tests/support/rows/jobs.ts";
import { noDetails } from "../../jobs/details.ts";
import { listDifferences } from "./list-differences.server.ts";

const published = { ...jobFields, ...noDetails, closesOn: null };

test("only changed fields are listed as changed, with the labels of the form", () => {
  const { changed, unchanged } = listDifferences(published, {
    ...published,
    location: `${jobFields.location} or Kochi`,
    skillIds: [1],
    closesOn: "2026-12-31",
  });
  expect(changed).toEqual([
    {
      label: "Location",
      parts: [
        { kind: "removed", text: jobFields.location },
        { kind: "added", text: `${jobFields.location} or Kochi` },
      ],
    },
    { label: "Skills", parts: [{ kind: "added", text: "Figma" }] },
    { label: "Closing date", parts: [{ kind: "added", text: "Dec 31, 2026" }] },
  ]);
  expect(unchanged).toContainEqual({ label: "Job title", text: jobFields.title });
  expect(unchanged.map(({ label }) => label)).not.toContain("Location");
});
