import fc from "fast-check";
import { expect, test } from "vitest";
import { allPlaces, formatPlaceName } from "./find-places.server.ts";
import {
  findCoordinates,
  findFirstCity,
  listPlacesIn,
  parsePlaceList,
} from "./parse-places.server.ts";

const ncr = "delhi gurugram noida ghaziabad faridabad";

test.each([
  ["Pune", "pune"],
  ["  pune ", "pune"],
  ["PUNE", "pune"],
  ["Bangalore", "bengaluru"],
  ["Calicut", "kozhikode"],
  ["Gurgaon", "gurugram"],
  ["Bombay", "mumbai"],
  ["Trivandrum", "thiruvananthapuram"],
  ["Mysore", "mysuru"],
  ["Vizag", "visakhapatnam"],
  ["Pondicherry", "puducherry"],
  ["Orissa", "odisha"],
  ["J&K", "jammu-and-kashmir"],
  ["J & K", "jammu-and-kashmir"],
  ["UAE", "united-arab-emirates"],
  ["U.A.E.", "united-arab-emirates"],
  ["USA", "united-states"],
  ["u.s.", "united-states"],
  ["UK", "united-kingdom"],
  ["Türkiye", "turkiye"],
  ["Turkey", "turkiye"],
  ["Zürich", "zurich"],
  ["Sao Paulo", "sao-paulo"],
  ["Pan India", "india"],
  ["Delhi NCR", ncr],
  ["NCR", ncr],
  ["Delhi NCR, India", ncr],
  ["Delhi NCR, Haryana", "gurugram faridabad"],
  ["Gurugram, Delhi NCR", "gurugram"],
  ["Delhi NCR (Noida)", "noida"],
  ["Noida, Gurugram, NCR", "noida gurugram"],
  ["Mumbai, Delhi NCR", `mumbai ${ncr}`],
  ["Haryana, Delhi NCR", "gurugram faridabad"],
  ["Gurugram; Delhi NCR", "gurugram delhi noida ghaziabad faridabad"],
  ["Bengaluru, Mumbai, Karnataka", "bengaluru mumbai"],
  ["Chandigarh, Punjab", "chandigarh"],
  ["Maharashtra, Karnataka", "maharashtra karnataka"],
  ["Singapore, Mumbai", "singapore mumbai"],
  ["Thane, Mumbai", "thane mumbai"],
  ["Pan India, Pune", "india pune"],
  ["India, Pune", "pune"],
  ["Delhi/NCR", ncr],
  ["Pune, Maharashtra", "pune"],
  ["Pune, Maharashtra, India", "pune"],
  ["Maharashtra, Pune", "pune"],
  ["Pune (Maharashtra)", "pune"],
  ["Pune 411001, Maharashtra", "pune"],
  ["Hyderabad", "hyderabad"],
  ["Hyderabad, Pakistan", "hyderabad-pakistan"],
  ["Hyderabad, Telangana, India", "hyderabad"],
  ["Bangaon, Bihar", "bangaon-bihar"],
  ["Aurangabad", "chhatrapati-sambhajinagar"],
  ["Aurangabad, Bihar", "aurangabad-bihar"],
  ["Mumbai, Singapore", "mumbai singapore"],
  ["Noida, Gurugram", "noida gurugram"],
  ["Mumbai, Pune, Maharashtra", "mumbai pune"],
  ["Mumbai, Maharashtra, Pune, Maharashtra", "mumbai pune"],
  ["Pune; Karnataka", "pune karnataka"],
  ["Pune; Mumbai", "pune mumbai"],
  ["Pune / Mumbai", "pune mumbai"],
  ["Pune | Mumbai", "pune mumbai"],
  ["Pune\nMumbai\r\nChennai", "pune mumbai chennai"],
  ["Pune or Mumbai and Chennai", "pune mumbai chennai"],
  ["Pune & Mumbai", "pune mumbai"],
  ["Pune, Bangalore / Delhi NCR", `pune bengaluru ${ncr}`],
  ["Jammu and Kashmir and Goa", "jammu-and-kashmir goa"],
  ["Andaman and Nicobar Islands or Kerala", "andaman-and-nicobar-islands kerala"],
  ["Trinidad and Tobago", "trinidad-and-tobago"],
  [
    "Goa and Dadra and Nagar Haveli and Daman and Diu and Kerala",
    "goa dadra-and-nagar-haveli-and-daman-and-diu kerala",
  ],
  ["Puducherry", "puducherry"],
  ["Puducherry, India", "puducherry"],
  ["Puducherry, Puducherry", "puducherry"],
  ["Karaikal, Puducherry", "karaikal"],
  ["New Delhi, Delhi", "new-delhi"],
  ["Puducherry UT", "puducherry-ut"],
  ["Washington, D.C.", "washington-dc"],
  ["San Francisco, California, USA", "san-francisco"],
  ["Pune; India", "pune india"],
  ["Pune, pune, Poona", "pune"],
  ["Goa", "goa"],
  ["Ｐｕｎｅ", "pune"],
  ["Pu\u200bne", "pune"],
  ["", ""],
  [" , ;/ ", ""],
])("%j lists %s", (text, slugs) => {
  const { places, unknown, conflicts } = parsePlaceList(text);
  expect(places.map(({ slug }) => slug).join(" ")).toBe(slugs);
  expect({ unknown, conflicts }).toEqual({ unknown: [], conflicts: [] });
});

test.each([
  ["Pune, Karnataka", "Pune", "Karnataka"],
  ["Pune, Karnataka, India", "Pune", "Karnataka"],
  ["Bilaspur, Himachal Pradesh", "Bilaspur", "Himachal Pradesh"],
  ["Mumbai, Germany", "Mumbai", "Germany"],
  ["Kerala, Germany", "Kerala", "Germany"],
  ["Germany, Kerala", "Germany", "Kerala"],
  ["Kerala, Pune", "Kerala", "Pune"],
  ["Delhi NCR, Kerala", "Delhi NCR", "Kerala"],
])("%j has parts that don't fit together", (text, one, other) => {
  expect(parsePlaceList(text)).toEqual({ places: [], unknown: [], conflicts: [[one, other]] });
  expect(parsePlaceList(`${text}; Chennai`).places.map(({ slug }) => slug)).toEqual(["chennai"]);
});

test.each([
  ["Atlantis", "", ["Atlantis"]],
  ["Koramangala, Bengaluru", "bengaluru", ["Koramangala"]],
  ["Pune, Atlantis; Atlantis", "pune", ["Atlantis"]],
  ["London, Canada", "", ["London, Canada"]],
  ["Salem, USA", "", ["Salem, USA"]],
  ["Pune, Europe", "pune", ["Europe"]],
  ["Salt and Pepper", "", ["Salt", "Pepper"]],
  ["constructor, __proto__, toString", "", ["constructor", "__proto__", "toString"]],
])("%j has names that are not known", (text, slugs, expected) => {
  const { places, unknown } = parsePlaceList(text);
  expect(places.map(({ slug }) => slug).join(" ")).toBe(slugs);
  expect(unknown).toEqual(expected);
});

test("formatted places, joined by any separator, are found again in their order", () => {
  const separators = fc.constantFrom("; ", " / ", "\n", " | ", " or ", " and ");
  const some = fc.uniqueArray(fc.constantFrom(...allPlaces), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(some, separators, (places, separator) => {
      const text = places.map(({ id }) => formatPlaceName(id)).join(separator);
      expect(parsePlaceList(text), text).toEqual({ places, unknown: [], conflicts: [] });
    }),
  );
});

test("any text can be parsed, and each part of it is known or reported", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      const { places, unknown } = parsePlaceList(text);
      const hasWords = /[\p{L}\p{N}]/u.test(text.normalize("NFKC"));
      if (!hasWords) expect(places).toEqual([]);
      expect(unknown.every((part) => part.trim().length > 0)).toBe(true);
      listPlacesIn(text);
    }),
  );
});

test("a very long text is parsed before the test's time is over", () => {
  for (const part of ["Pune and ", "Pune, ", "Atlantis or ", "and "]) {
    parsePlaceList(part.repeat(5_000));
    listPlacesIn(part.repeat(5_000));
  }
  expect(parsePlaceList("Pune and ".repeat(5_000)).places).toHaveLength(1);
});

test.each([
  ["Koramangala office, Bengaluru", "bengaluru"],
  ["Whitefield Bangalore", "bengaluru"],
  ["Hybrid, Pune", "pune"],
  ["Bengaluru / London", "bengaluru london"],
  ["Hyderabad, Pakistan", "hyderabad-pakistan"],
  ["Delhi NCR (hybrid)", ncr],
  ["Pali Hill, Mumbai", "mumbai"],
  ["Jordan Road, Mumbai", "mumbai"],
  ["Sagar Complex, Pune", "pune"],
  ["Pali", "pali"],
  ["OYO HQ, Gurugram", "gurugram"],
  ["Karaikal, Puducherry", "karaikal"],
  ["New Delhi, Delhi, India", "new-delhi"],
  ["Chikkajala, Karnataka", "karnataka"],
  ["Chikkajala", ""],
  ["Anywhere in Karnataka", "karnataka"],
  ["Remote, India", "india"],
  ["Remote, Europe", ""],
  ["U.S.A.", "united-states"],
  ["Work from home", ""],
])("the free text %j names %s", (location, slugs) => {
  expect(
    listPlacesIn(location)
      .map(({ slug }) => slug)
      .join(" "),
  ).toBe(slugs);
});

test("the first city gives the coordinates, also after a place without them", () => {
  expect(findFirstCity("Pune, hybrid")).toEqual({ north: 18.52, east: 73.86 });
  expect(findCoordinates("Kerala / Kochi")).toEqual(["9.94° N", "76.26° E"]);
  expect(findCoordinates("Goa")).toEqual(["15.49° N", "73.83° E"]);
  expect(findCoordinates("Singapore")).toEqual(["1.29° N", "103.85° E"]);
  expect(findCoordinates("Kerala")).toBeNull();
  expect(findCoordinates("Remote")).toBeNull();
});
