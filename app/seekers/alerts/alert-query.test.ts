import { expect, test } from "vitest";
import { findNamedAlert } from "./alert-query.server.ts";

test.each([
  ["search=Bangalore", "jobs in Bengaluru", "/jobs/alerts?place=bengaluru"],
  [
    "search=figma&type=Internship&mode=remote",
    "jobs with Figma",
    "/jobs/alerts?type=Internship&mode=remote&skill=figma",
  ],
])("an alert on %s is offered on the filter that it names", (query, label, to) => {
  expect(findNamedAlert(query)).toEqual({ label, to });
});

test.each(["", "place=pune", "search=Chaupal+Health"])("an alert on %j stays as it is", (query) => {
  expect(findNamedAlert(query)).toBeNull();
});
