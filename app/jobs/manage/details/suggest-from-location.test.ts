import { expect, test } from "vitest";
import type { WorkMode } from "../../details.ts";
import { listLocations } from "../../places/complete-location.server.ts";
import { maxLengths } from "../rules.ts";
import { detailsForm } from "./parse-details.server.ts";
import { detailsMarker } from "./rules.ts";
import { suggestFromLocation } from "./suggest-from-location.server.ts";

const suggest = (location: string, mode: WorkMode | null = null) =>
  Object.fromEntries(
    suggestFromLocation(location, mode).details.map(({ name, value }) => [name, value]),
  );

test.each<[string, WorkMode | null, object]>([
  ["Koramangala, Bangalore", null, { places: "Bengaluru" }],
  ["Pune / Mumbai", null, { places: "Pune, Mumbai" }],
  ["Hybrid, Gurgaon", null, { workMode: "hybrid", places: "Gurugram" }],
  ["Hybrid, Gurgaon", "on-site", { places: "Gurugram" }],
  ["Remote, India", null, { workMode: "remote", applicantPlaces: "India" }],
  ["India", "remote", { applicantPlaces: "India" }],
  ["Remote (worldwide)", null, { workMode: "remote", anywhere: "on" }],
  ["Pune", "remote", {}],
  ["See the website", null, {}],
  ["Pune, Karnataka", null, {}],
  ["", null, {}],
])("the location %j with the work mode %j states %j", (location, mode, values) => {
  expect(suggest(location, mode)).toEqual(values);
});

test("the details are said in the words of the form", () => {
  expect(suggestFromLocation("Remote, India", null).details.map(({ text }) => text)).toEqual([
    "work mode (Remote)",
    "where applicants may live (India)",
  ]);
  expect(suggestFromLocation("Anywhere, remote", null).details.map(({ text }) => text)).toEqual([
    "work mode (Remote)",
    "where applicants may live (anywhere)",
  ]);
});

test("names that don't fit together are said", () => {
  expect(suggestFromLocation("Pune, Karnataka", null).conflict).toEqual(["Pune", "Karnataka"]);
  expect(suggestFromLocation("Pune, Maharashtra", null).conflict).toBeNull();
});

test("the form accepts what a location proposes", () => {
  for (const location of ["Remote, India", "Salem; Chennai, Hybrid", "Hyderabad, Pakistan"]) {
    const details = detailsForm.parse({ [detailsMarker]: "yes", ...suggest(location) });
    expect((details.placeIds ?? []).length + details.applicantPlaceIds!.length).toBeGreaterThan(0);
  }
});

test.each([
  ["ben", "Bengaluru, Karnataka"],
  ["BANGA", "Bengaluru, Karnataka"],
  ["Pune, ben", "Pune, Bengaluru, Karnataka"],
  ["Pune or ben", "Pune or Bengaluru, Karnataka"],
  ["Pune and ben", "Pune and Bengaluru, Karnataka"],
  ["Pune/ben", "Pune/Bengaluru, Karnataka"],
  ["Navi mum", "Navi Mumbai, Maharashtra"],
  ["Andaman and nic", "Andaman and Nicobar Islands"],
])("%j is completed to %j", (typed, location) => {
  expect(listLocations(typed)).toContain(location);
});

test.each(["", "b", "Pune, ", "Pune, b", "%", "zzzz", ", ".repeat(maxLengths.location / 2)])(
  "%j is not completed",
  (typed) => {
    expect(listLocations(typed)).toEqual([]);
  },
);
