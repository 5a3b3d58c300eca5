import { expect, test } from "vitest";
import { atlasSize, type City, drawCities } from "./draw-stations.ts";

const city = (name: string, north: number, east: number, jobs = 1): City => ({
  slug: name.toLowerCase(),
  name,
  jobs,
  north,
  east,
});
const delhi = city("Delhi", 28.65, 77.23, 40);
const chennai = city("Chennai", 13.09, 80.28, 10);

test("a city in the north is above one in the south, and more jobs make a larger circle", () => {
  const [first, second] = drawCities([chennai, delhi]);
  expect(first).toMatchObject({ name: "Delhi", radius: 20 });
  expect(second!.y).toBeGreaterThan(first!.y);
  expect(second!.x).toBeGreaterThan(first!.x);
  expect(second!.radius).toBeLessThan(first!.radius);
  expect(drawCities([city("Pune", 18.52, 73.86)])[0]!.radius).toBe(5);
});

test("names are beside their circles, inside the drawing, and never cover each other", () => {
  const near = Array.from({ length: 40 }, (_, index) =>
    city(`Town ${index}`, 28.4 + (index % 7) * 0.3, 77 + index * 0.15, 1 + (index % 5)),
  );
  const edge = city("Dibrugarh", 210.58, 94.91);
  const drawn = drawCities([delhi, chennai, edge, ...near]);
  expect(drawn.find(({ name }) => name === "Delhi")!.label).not.toBeNull();
  expect(drawn.some(({ label }) => label === null)).toBe(true);
  const boxes = drawn.flatMap(({ label, name, jobs }) => {
    if (!label) return [];
    const width = `${name} ${jobs}`.length * 10.5;
    const left = { start: label.x, end: label.x - width, middle: label.x - width / 2 }[
      label.anchor
    ];
    return [{ left, right: left + width, y: label.y }];
  });
  for (const [index, one] of boxes.entries()) {
    expect(one.left).toBeGreaterThanOrEqual(-0.1);
    expect(one.right).toBeLessThanOrEqual(atlasSize.width + 0.1);
    for (const other of boxes.slice(index + 1)) {
      const isApart =
        one.right <= other.left + 0.2 ||
        other.right <= one.left + 0.2 ||
        Math.abs(one.y - other.y) >= 23.8;
      expect(isApart).toBe(true);
    }
  }
});

test("a board without jobs draws nothing", () => {
  expect(drawCities([])).toEqual([]);
});
