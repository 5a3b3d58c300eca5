/**
 * The cases that `npm test` runs of tests with many combinations (every screen × width × theme, every address ×
 * answer). `npm run test:exhaustive` runs every case, with `--left-out` those that `npm test` leaves out.
 * docs/testing.md explains how to choose a sample.
 */

/** The part of the cases to run: `fast` under `npm test`. A runner started by hand runs every case. */
export type Tier = "fast" | "left-out" | "exhaustive";

const tiers: readonly Tier[] = ["fast", "left-out"];
export const tier: Tier = tiers.find((one) => one === process.env.TEST_TIER) ?? "exhaustive";

/** Returns the cases of this run, of which `npm test` runs those that `isFast` matches. */
function select<Case>(
  cases: readonly Case[],
  isFast: (one: Case, index: number) => boolean,
): Case[] {
  if (tier === "exhaustive") return [...cases];
  return cases.filter((one, index) => isFast(one, index) === (tier === "fast"));
}

/**
 * Returns the cases of a test to run: in `npm test`, one in `every`.
 *
 * @param always matches cases whose code differs from the others, so that `npm test` runs them too
 */
export function sample<Case>(
  cases: readonly Case[],
  { every, always }: { every: number; always?: (one: Case) => boolean },
): Case[] {
  if (always && !cases.some(always)) throw new Error(`No case is ${String(always)}.`);
  return select(cases, (one, index) => index % every === 0 || always?.(one) === true);
}

/**
 * Matches the titles of tests that `npm test` leaves to the exhaustive run. A comment above each names the test that
 * finds the same faults, by the start of its title (`"path: title"` in another file).
 */
export const slowTitle = /@slow$/;

/** Returns cases that only the exhaustive run includes, with such a comment; none in `npm test`. */
export function slowCases<Case>(cases: readonly Case[]): readonly Case[] {
  return tier === "fast" ? [] : cases;
}

/**
 * Selects `take` cases, different ones at each position, so that all positions together cover every case. For
 * combinations whose first dimension `npm test` covers completely.
 */
export function rotate<Case>(
  cases: readonly Case[],
  { take, position }: { take: number; position: number },
): Case[] {
  const count = Math.min(take, cases.length);
  const taken = Array.from(
    { length: count },
    (_, step) => (position * count + step) % cases.length,
  );
  return select(cases, (_, index) => taken.includes(index));
}

/** The numbers of random histories in `tests/money.test.ts` and `tests/invoices.test.ts`. */
export const historyCounts =
  tier === "fast" ? { payments: 60, invoices: 60 } : { payments: 200, invoices: 300 };

export type Theme = "light" | "dark";

type Views = {
  /** The themes in which a screen is checked on a desktop (1280 px) and on a phone (360 px). */
  themes: { desk: Theme[]; phone: Theme[] };
  /**
   * Other widths, in pixels, at which nothing may stick out. Customers zoom: a window of 1280 pixels has 640 at
   * 200% and 320 at 400%. Staff use tablets.
   */
  widths: { customers: number[]; staff: number[] };
};

const everyView: Views = {
  themes: { desk: ["light", "dark"], phone: ["light", "dark"] },
  widths: { customers: [640, 320], staff: [1024, 768] },
};

/** Device × theme: four consecutive screens have every pair, and each other width twice. */
const pairs: Views[] = [
  view("desk", "light", { customers: [640], staff: [1024] }),
  view("phone", "dark", { customers: [320], staff: [768] }),
  view("desk", "dark", { customers: [320], staff: [768] }),
  view("phone", "light", { customers: [640], staff: [1024] }),
];

function view(device: "desk" | "phone", theme: Theme, widths: Views["widths"]): Views {
  return { themes: { desk: [], phone: [], [device]: [theme] }, widths };
}

/** Returns the views of a screen: all of them, or in `npm test` the one for its position in the list. */
export function viewsOf(position: number): Views {
  const { themes, widths } = pairs[position % pairs.length]!;
  return {
    themes: {
      desk: select(everyView.themes.desk, (theme) => themes.desk.includes(theme)),
      phone: select(everyView.themes.phone, (theme) => themes.phone.includes(theme)),
    },
    widths: {
      customers: select(everyView.widths.customers, (width) => widths.customers.includes(width)),
      staff: select(everyView.widths.staff, (width) => widths.staff.includes(width)),
    },
  };
}
