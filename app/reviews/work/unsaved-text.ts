/** Text that the server does not have yet, kept in the tab so that it survives a crash or a reload. */

type Unsaved = {
  text: string;
  /** The draft that the server had when it was typed. */
  base: string;
};

const keyOf = (assignmentId: string) => `unsaved-feedback:${assignmentId}`;

export function keepUnsaved(assignmentId: string, unsaved: Unsaved): void {
  try {
    sessionStorage.setItem(keyOf(assignmentId), JSON.stringify(unsaved));
  } catch {
    // A browser may forbid or have filled its storage; the server's draft is what counts.
  }
}

export function readUnsaved(assignmentId: string): Unsaved | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(assignmentId)) ?? "null");
    const { text, base } = (kept ?? {}) as Partial<Unsaved>;
    return typeof text === "string" && typeof base === "string" ? { text, base } : null;
  } catch {
    return null;
  }
}

export function forgetUnsaved(assignmentId: string): void {
  try {
    sessionStorage.removeItem(keyOf(assignmentId));
  } catch {
    // See above.
  }
}
