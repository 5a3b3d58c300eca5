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

/** Shapes of severities, as paths around the origin. They differ, so that color is not the only cue. */
export const pinShapes: Record<Severity, string> = {
  must: "M0-16 16 0 0 16-16 0z",
  should: "M-12-12h24v24h-24z",
  idea: "M0-13a13 13 0 0 1 0 26 13 13 0 0 1 0-26z",
  keep: "M-5.5-13.5h11l8 8v11l-8 8h-11l-8-8v-11z",
};
