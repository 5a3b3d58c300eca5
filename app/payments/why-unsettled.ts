/** Why an order is neither paid nor failed, in words; `reason` is that of the last decision on it. */
export function whyUnsettled(reason: string | null): string {
  return (reason && reasons[reason]) || "It could not be settled; the log says why.";
}

const reasons: Record<string, string> = {
  "wrong amount": "Another amount was paid than was asked for.",
  disagreement: "The payer came back as having paid, but the provider does not confirm it.",
  undecided: "The provider has not decided.",
  unreachable: "The provider could not be asked.",
};
