/** Creates the error for a program that is not installed. */
export function missing(what: string, ...packages: string[]): Error {
  return new Error(`This drill needs ${what}. On Debian: apt-get install ${packages.join(" ")}`);
}
