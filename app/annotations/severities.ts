/** The importance of a remark; safe for the browser. */
export const severities = {
  must: { label: "Must fix", plural: "must-fixes" },
  should: { label: "Should fix", plural: "should-fixes" },
  idea: { label: "Idea", plural: "ideas" },
  keep: { label: "Keep: this is strong", plural: "strengths" },
} as const;

export type Severity = keyof typeof severities;

export function isSeverity(text: unknown): text is Severity {
  return typeof text === "string" && Object.hasOwn(severities, text);
}
