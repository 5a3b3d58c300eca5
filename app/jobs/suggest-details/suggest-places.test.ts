import { expect, test } from "vitest";
import { noDetails } from "../details.ts";
import { buildJobPosting } from "../listing/job-posting.server.ts";
import { getPlace } from "../places/find-places.server.ts";
import { findPlaceConflict, isAbroad, suggestPlaces } from "./suggest-places.server.ts";

const slugsFor = (location: string, mode: "remote" | null = null) =>
  suggestPlaces(location, mode)
    .flatMap(({ values }) => [...(values.placeIds ?? []), ...(values.applicantPlaceIds ?? [])])
    .map((id) => getPlace(id).slug)
    .join(" ");

/** The structured data for search engines: "Pune, MH, IN" for each place. Null without any. */
function postedAt(location: string): string[] | null {
  const job = {
    id: "1",
    title: "Designer",
    company: "Example Studio",
    location,
    jobType: "Full-time" as const,
    compensation: null,
    description: "Draw.",
    largeDescription: null,
    postedAt: new Date("2026-03-01T12:00:00Z"),
  };
  const posting = buildJobPosting(job, noDetails, "https://example.com/jobs/1");
  if (!posting) return null;
  const places = [("jobLocation" in posting && posting.jobLocation) || []].flat();
  return places.map(({ address }) => Object.values(address).slice(1).join(", "));
}

const isConflict = "don't fit";

test.each([
  // A region beside its own city adds nothing.
  ["Gurugram, Delhi NCR", "gurugram"],
  ["Gurgaon (Delhi NCR)", "gurugram"],
  ["Gurugram - NCR", "gurugram"],
  ["Noida, NCR", "noida"],
  ["Noida, Delhi NCR, India", "noida"],
  ["Delhi NCR, Gurugram", "gurugram"],
  ["Delhi NCR (Noida)", "noida"],
  ["NCR - Faridabad", "faridabad"],
  ["Noida, Gurugram, Delhi NCR", "noida gurugram"],
  ["Delhi NCR (Noida, Gurugram)", "noida gurugram"],
  ["Gurugram / Delhi NCR", "gurugram"],
  ["Delhi, NCR", "delhi"],
  ["New Delhi, Delhi", "new-delhi"],
  ["Gurugram, Haryana, Delhi NCR", "gurugram"],
  ["Haryana, Gurugram", "gurugram"],
  ["Delhi NCR, Haryana", "haryana"],
  ["Delhi NCR, India", "delhi"],
  ["Thane, Mumbai", "thane"],
  ["Navi Mumbai, Mumbai", "navi-mumbai"],
  ["Vashi, Navi Mumbai, Mumbai, Maharashtra", "navi-mumbai"],
  ["Pimpri-Chinchwad, Pune", "pimpri-chinchwad"],
  ["Mohali, Chandigarh", "mohali"],
  ["Chandigarh, Punjab", "chandigarh"],
  ["Chandigarh, Haryana, India", "chandigarh"],
  ["Pune, Maharashtra, India", "pune"],
  ["India, Pune", "pune"],
  ["Maharashtra (Nagpur)", "nagpur"],
  ["Hinjewadi, Pune, Maharashtra", "pune"],
  ["Bengaluru, Mumbai, Karnataka", "bengaluru mumbai"],
  ["Mumbai, Pune, Maharashtra", "mumbai pune"],
  ["Pune, Asia", "pune"],
  ["Bengaluru, APAC", "bengaluru"],
  ["London, England, UK", "london"],
  ["San Francisco, California", "san-francisco"],
  ["Dubai, Mumbai, UAE", "dubai mumbai"],
  // The state or country chooses among cities of the same name.
  ["Aurangabad, Bihar", "aurangabad-bihar"],
  ["Aurangabad, Maharashtra", "chhatrapati-sambhajinagar"],
  ["Aurangabad", "chhatrapati-sambhajinagar"],
  ["Hyderabad, Pakistan", "hyderabad-pakistan"],
  ["Hyderabad, Telangana", "hyderabad"],
  ["Bilaspur, Chhattisgarh", "bilaspur"],
  // Lists.
  ["Noida, Gurugram", "noida gurugram"],
  ["Mumbai, Delhi NCR", "mumbai delhi"],
  ["Bengaluru, Hyderabad, Delhi NCR", "bengaluru hyderabad delhi"],
  ["Mumbai, Singapore", "mumbai singapore"],
  ["Singapore, Malaysia", "singapore malaysia"],
  ["Maharashtra, Karnataka", "maharashtra karnataka"],
  ["India, Sri Lanka", "india sri-lanka"],
  ["Pune / Karnataka", "pune karnataka"],
  ["Mumbai or Germany", "mumbai germany"],
  ["Mumbai, Thane", "mumbai thane"],
  // Names that don't fit together.
  ["Pune, Karnataka", isConflict],
  ["Pune, Karnataka, India", isConflict],
  ["Pune (Karnataka)", isConflict],
  ["Hyderabad, Bihar", isConflict],
  ["Bilaspur, Himachal Pradesh", isConflict],
  ["Salem, Kerala", isConflict],
  ["Udaipur, Tripura", isConflict],
  ["Noida, Haryana", isConflict],
  ["Gurugram, Uttar Pradesh", isConflict],
  ["Karnataka, Pune", isConflict],
  ["Kerala, Chennai", isConflict],
  ["Delhi NCR, Kerala", isConflict],
  ["Mumbai, Maharashtra, Karnataka", isConflict],
  ["Whitefield, Bengaluru, Tamil Nadu", isConflict],
  ["Mumbai, Germany", isConflict],
  ["Mumbai, India, Germany", isConflict],
  ["Bengaluru, United States", isConflict],
  ["Kerala, Germany", isConflict],
  ["Germany, Kerala", isConflict],
  ["India, Dubai", isConflict],
  ["Pune, Europe", isConflict],
  ["Kochi, EMEA", isConflict],
])("the location %j gives %s", (location, expected) => {
  const conflict = findPlaceConflict(location);
  expect(conflict ? isConflict : slugsFor(location)).toBe(expected);
  if (!conflict) return;
  expect(slugsFor(location)).toBe("");
  expect(slugsFor(`Remote, ${location}`, "remote")).toBe("");
  for (const name of conflict) expect(location.toLowerCase()).toContain(name.toLowerCase());
  // Search engines get at most the country that both have.
  expect([null, ["IN"]]).toContainEqual(postedAt(location));
  expect(postedAt(`Remote, ${location}`)).not.toEqual([expect.stringContaining(",")]);
});

test("one choice that doesn't fit leaves the other choices", () => {
  expect(slugsFor("Pune, Karnataka / Mumbai")).toBe("mumbai");
  expect(findPlaceConflict("Pune, Karnataka / Mumbai")).toEqual(["Pune", "Karnataka"]);
});

test.each([
  ["Gurugram, Delhi NCR", ["Gurugram, IN"]],
  ["Gurugram / Delhi NCR", ["Gurugram, IN"]],
  ["Pune, Karnataka", ["IN"]],
  ["Mumbai, Germany", null],
  ["Pune, Europe", null],
])("before anyone accepts a place, search engines read %j as %j", (location, expected) => {
  expect(postedAt(location)).toEqual(expected);
});

test("amounts beside a place in an unclear country aren't taken for rupees", () => {
  expect(isAbroad("Mumbai, Germany")).toBe(true);
  expect(isAbroad("Pune, Karnataka")).toBe(false);
});
