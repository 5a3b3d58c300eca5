import { expect, test } from "vitest";
import { findExcludingChoices } from "./excluding-choices.server.ts";
import { parseJobFilter } from "./job-filter.server.ts";

const check = (query: string) => findExcludingChoices(parseJobFilter(new URLSearchParams(query)));

test.each([
  ["type=Internship&experience=10", ["Internship", "10 years of experience"]],
  ["type=Internship&experience=5", ["Internship", "5 years of experience"]],
  ["type=Internship&pay=50", ["Internship", "₹50 LPA or more"]],
  ["search=internship&type=Full-time", ["internship", "Full-time"]],
  ["search=wfh&mode=on-site", ["wfh", "On-site"]],
  ["search=figma+remote&mode=hybrid&mode=on-site", ["figma remote", "Hybrid or On-site"]],
  ["search=work+from+office&mode=remote", ["work from office", "Remote"]],
  ["search=Pune&place=nepal", ["Pune", "Nepal"]],
  ["search=Germany&place=ncr&place=pune", ["Germany", "NCR or Pune"]],
])("the filter %s has the choices %j that exclude each other", (query, choices) => {
  expect(check(query)).toEqual(choices);
});

test.each([
  "",
  "type=Internship&experience=4",
  "type=Internship&experience=unstated",
  "type=Internship&pay=unstated",
  "type=Internship&pay=other",
  "type=Internship&pay=20",
  "type=Full-time&experience=10&pay=50",
  "search=zzzzzz&mode=remote&place=nepal",
  "search=internal+tools&type=Full-time",
  "search=remote&mode=remote&mode=on-site",
  "search=remote&mode=unstated",
  "search=remote&type=Internship&place=nepal",
  "search=Pune&place=unstated",
  "search=Pune&place=mumbai",
  "search=Pune&place=india",
  "search=India&place=pune&place=nepal",
  "search=figma&skill=sketch",
  "search=ux+designer&discipline=ui",
  "mode=remote&mode=on-site&place=pune&place=nepal",
])("the filter %j has no choices that exclude each other", (query) => {
  expect(check(query)).toBeNull();
});
