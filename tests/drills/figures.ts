/** One line of what a drill has measured. */
export function say(drill: string, figures: string[]): void {
  console.log(`${drill}: ${figures.join("; ")}`);
}

/** How far a long drill has come, and what it has found until now. */
export function report(part: string, wrong: string[]): void {
  console.log([`  ${part}: ${wrong.length === 0 ? "well" : ""}`, ...wrong].join("\n    "));
}

/** What chance decides by: DRILL_SEED, which `--seed` sets to repeat a drill, else any. */
export const seed = Number(process.env.DRILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
