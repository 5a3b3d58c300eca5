/** Places the cities of a map of India and their labels. */

export type City = { slug: string; name: string; jobs: number; north: number; east: number };

/** A city on the drawing, in the units of its view box. */
export type DrawnCity = Omit<City, "north" | "east"> & {
  x: number;
  y: number;
  radius: number;
  /** Null if the name would cover another one. The table beside the drawing has every name. */
  label: { x: number; y: number; anchor: "start" | "end" | "middle" } | null;
};

/** The edges of the drawing in degrees. */
const [west, north, east, south] = [67, 37.5, 98, 6];
/** Units of the drawing per degree of latitude. */
const scale = 20;
/** A degree of longitude is shorter; this is right in the middle of India, at 22° N. */
const shorter = Math.cos((22 * Math.PI) / 180);

export const atlasSize = {
  width: Math.round((east - west) * shorter * scale),
  height: (north - south) * scale,
};

/** The grid lines of the drawing, each five degrees. */
export const grid = {
  meridians: [70, 75, 80, 85, 90, 95].map((degrees) => ({ degrees, x: toX(degrees) })),
  parallels: [10, 15, 20, 25, 30, 35].map((degrees) => ({ degrees, y: toY(degrees) })),
};

function toX(degrees: number): number {
  return toTenth((degrees - west) * shorter * scale);
}

function toY(degrees: number): number {
  return toTenth((north - degrees) * scale);
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The radius of the cities with the fewest and the most jobs. */
const [minRadius, maxRadius] = [5, 20];

/** The size of names on phones, where the drawing is smaller. On wider screens they take less room. */
const letterWidth = 10.5;
const lineHeight = 24;
const gap = 4;

type Box = { left: number; top: number; right: number; bottom: number };

/**
 * Places cities on the drawing, the largest first. A larger circle has more jobs.
 *
 * @param cities with at least one job each
 */
export function drawCities(cities: readonly City[]): DrawnCity[] {
  const sorted = cities.toSorted((one, other) => other.jobs - one.jobs);
  const numbers = cities.map(({ jobs }) => jobs);
  const [minJobs, maxJobs] = [Math.min(...numbers), Math.max(...numbers)];
  const circles = sorted.map(({ north: latitude, east: longitude, ...city }) => ({
    ...city,
    x: toX(longitude),
    y: toY(latitude),
    radius: toTenth(
      minRadius +
        (maxRadius - minRadius) * Math.sqrt((city.jobs - minJobs) / Math.max(1, maxJobs - minJobs)),
    ),
  }));
  const occupied: Box[] = circles.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }));
  return circles.map((city) => {
    const label = listLabels(city).find(
      ({ box }) => isInside(box) && !occupied.some((other) => isCovering(box, other)),
    );
    if (label) occupied.push(label.box);
    return { ...city, label: label ? label.label : null };
  });
}

type Label = NonNullable<DrawnCity["label"]>;

/** Lists the places of a name around its circle, the best first. */
function listLabels({ x, y, radius, name, jobs }: Omit<DrawnCity, "label">) {
  const width = `${name} ${jobs}`.length * letterWidth;
  const half = lineHeight / 2;
  const build = (label: Label, left: number, middle: number) => ({
    label: { x: toTenth(label.x), y: toTenth(label.y), anchor: label.anchor },
    box: { left, right: left + width, top: middle - half, bottom: middle + half },
  });
  const [right, left] = [x + radius + gap, x - radius - gap];
  const [above, below] = [y - radius - half, y + radius + half];
  const baseline = 6;
  return [
    build({ x: right, y: y + baseline, anchor: "start" }, right, y),
    build({ x: left, y: y + baseline, anchor: "end" }, left - width, y),
    build({ x, y: above + baseline, anchor: "middle" }, x - width / 2, above),
    build({ x, y: below + baseline, anchor: "middle" }, x - width / 2, below),
  ];
}

function isInside({ left, top, right, bottom }: Box): boolean {
  return left >= 0 && top >= 0 && right <= atlasSize.width && bottom <= atlasSize.height;
}

function isCovering(one: Box, other: Box): boolean {
  return (
    one.left < other.right &&
    one.right > other.left &&
    one.top < other.bottom &&
    one.bottom > other.top
  );
}
