/** A drill that needs a program which this machine does not have. */
export function missing(what: string, ...packages: string[]): Error {
  return new Error(`This drill needs ${what}. On Debian: apt-get install ${packages.join(" ")}`);
}
