/**
 * The cases that `npm test` runs of tests with many combinations (every screen × width × theme, every address ×
 * answer). `npm run test:exhaustive` runs every case. docs/testing.md explains how to choose a sample.
 */

/** `fast` under `npm test`. A runner started by hand runs every case. */
export const tier = process.env.TEST_TIER === "fast" ? "fast" : "exhaustive";

/** The cases that `npm test` runs of one test: one in `every`, and those named in `always`. */
type Sample = { every: number; always?: readonly string[] };

export const samples = {
  "screens without scripts": { every: 4 },
  "screens with long words": { every: 6 },
  "screens as scripts take over": { every: 6 },
  "screens with all sheets": { every: 3 },
  "loaders × foreign answers": { every: 4 },
  "actions × foreign answers": { every: 4 },
  "nasty texts × forms": { every: 6, always: ["/login", "/contact"] },
  "odd fields × forms": { every: 6, always: ["/signup"] },
  "nasty texts × addresses": { every: 6, always: ["/jobs?search="] },
  "pasted texts × forms": { every: 8 },
  "failures × forms": { every: 8 },
  bounds: { every: 7, always: ["trying passwords"] },
  "real files": { every: 8 },
  "annotated page kinds": { every: 4 },
  "annotated frames": { every: 4 },
  "failing queries × screens": { every: 8 },
  "failing queries × forms": { every: 4 },
  "failing queries × forms of the signed-in": { every: 10 },
  "addresses of a frozen database": { every: 5 },
} satisfies Record<string, Sample>;

/**
 * Returns the cases of a test to run.
 *
 * @param name the test's row in `samples`
 * @param nameOf names a case as `always` does
 */
export function sample<Case>(
  name: keyof typeof samples,
  cases: readonly Case[],
  nameOf: (one: Case) => string = String,
): Case[] {
  if (tier === "exhaustive") return [...cases];
  const { every, always = [] }: Sample = samples[name];
  const missing = always.filter((wanted) => !cases.some((one) => nameOf(one) === wanted));
  if (missing.length > 0) throw new Error(`${name} has no case ${missing.join(", ")}.`);
  return cases.filter((one, index) => index % every === 0 || always.includes(nameOf(one)));
}

/**
 * Selects `take` cases, different ones at each position, so that all positions together cover every case. For
 * combinations whose first dimension `npm test` covers completely.
 */
export function rotate<Case>(
  name: keyof typeof rotations,
  cases: readonly Case[],
  position: number,
): Case[] {
  if (tier === "exhaustive") return [...cases];
  const count = Math.min(rotations[name].take, cases.length);
  return Array.from(
    { length: count },
    (_, step) => cases[(position * count + step) % cases.length]!,
  );
}

export const rotations = {
  "senders who may not send a form": { take: 2 },
  "senders who may send a form": { take: 1 },
} satisfies Record<string, { take: number }>;

/** The number of random payment histories in `tests/money.test.ts`. */
export const paymentHistories = tier === "fast" ? 60 : 200;

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
  return tier === "exhaustive" ? everyView : pairs[position % pairs.length]!;
}
