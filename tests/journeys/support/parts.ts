type Part = {
  /** For the title: "part 1 of 4". */
  name: string;
  /** Selects the cases of this part: neighbours, since screens of one person follow each other. */
  select: <Case>(cases: readonly Case[]) => Case[];
};

/**
 * Splits a test that goes over every screen into `count` tests of similar length, so that the workers share them
 * and none comes near the limit of a test.
 */
export function splitIn(count: number): Part[] {
  return Array.from({ length: count }, (_, part) => ({
    name: `part ${part + 1} of ${count}`,
    select: (cases) => {
      const startOf = (one: number) => Math.round((one * cases.length) / count);
      return cases.slice(startOf(part), startOf(part + 1));
    },
  }));
}
