/** Prints a drill's measurements in one line. */
export function say(drill: string, figures: string[]): void {
  console.log(`${drill}: ${figures.join("; ")}`);
}

/** Prints the progress of a long drill, with the problems found. */
export function report(part: string, wrong: string[]): void {
  console.log([`  ${part}: ${wrong.length === 0 ? "ok" : ""}`, ...wrong].join("\n    "));
}

/** The seed of random choices: DRILL_SEED, which `--seed` sets to repeat a drill, or a random one. */
export const seed = Number(process.env.DRILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
