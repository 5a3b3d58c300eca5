/** One line of what a drill has measured. */
export function say(drill: string, figures: string[]): void {
  console.log(`${drill}: ${figures.join("; ")}`);
}

/** Prints the progress of a long drill, and its findings so far. */
export function report(part: string, wrong: string[]): void {
  console.log([`  ${part}: ${wrong.length === 0 ? "well" : ""}`, ...wrong].join("\n    "));
}

/** The seed of random choices: DRILL_SEED, which `--seed` sets to repeat a drill, else random. */
export const seed = Number(process.env.DRILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
