import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Autosave, type SaveState } from "../../ui/autosave.ts";
import { canOutlive, sendChange } from "../../ui/send-change.ts";
import { announceSave, useSaves } from "../../ui/other-tabs.ts";
import { useAutosave } from "../../ui/use-autosave.ts";

/** A draft on the server; `version` names this state of it. */
export type SavedDraft = { feedback: string; version: string };

export type DraftState = SaveState<SavedDraft>;

type Options = {
  /** Autosave pauses while the review is being submitted. */
  isSubmitting: boolean;
  /** Called when another text has replaced the one in the field. */
  onReplaced(text: string): void;
  /** Called when the server rejects drafts of this review and nothing here is unsaved. */
  onClosed(reason: { message: string; code?: string }): void;
};

/**
 * Saves a reviewer's feedback as it is typed: to the server, and immediately to the tab's own storage, which survives a
 * crash. A text saved by another tab replaces an unchanged one; a changed one becomes a conflict.
 *
 * @param draft as the server had it when the screen was read
 * @param first the text in the field
 */
export function useDraft(
  { reviewId, assignmentId, draft }: { reviewId: string; assignmentId: string; draft: SavedDraft },
  first: string,
  { isSubmitting, onReplaced, onClosed }: Options,
) {
  const channel = getDraftChannel(assignmentId);
  const [autosave] = useState(() => createDraftAutosave(reviewId, channel, draft, first));
  const entries = useSyncExternalStore(autosave.subscribe, autosave.snapshot, autosave.snapshot);
  const { value: text, saved, state, replaced } = entries.get("feedback")!;
  const isUnsaved = text !== saved.feedback;
  const [saver] = useState(() => createSaver(autosave));
  useAutosave(saver, () => void autosave.check("feedback"));
  useSaves(channel, (isOwn) => !isOwn && void autosave.check("feedback"));

  useEffect(() => autosave.setPaused(isSubmitting), [autosave, isSubmitting]);
  useEffect(() => {
    if (isUnsaved) saveUnsaved(assignmentId, { text, base: saved.feedback });
    else if (readUnsaved(assignmentId)?.text === saved.feedback) deleteUnsaved(assignmentId);
  }, [assignmentId, isUnsaved, text, saved.feedback]);

  const listeners = useRef({ onReplaced, onClosed });
  useEffect(() => {
    listeners.current = { onReplaced, onClosed };
  });
  useEffect(() => {
    if (replaced > 0) listeners.current.onReplaced(autosave.get("feedback")!.value);
  }, [autosave, replaced]);
  useEffect(() => {
    if (state.name === "failed" && state.isRefused && !isUnsaved) listeners.current.onClosed(state);
  }, [state, isUnsaved]);

  return {
    text,
    state,
    version: saved.version,
    /** The text from another tab, during a conflict. */
    other: state.name === "conflict" ? state.current.feedback : null,
    /** True when the server rejects the text in the field. */
    isRefused: state.name === "failed" && state.isRefused === true && isUnsaved,
    change: (typed: string) => autosave.change("feedback", typed),
    keepMine: () => autosave.keepMine("feedback"),
    takeTheirs: () => autosave.takeTheirs("feedback"),
    /** Checks whether the server still has the draft that this tab knows. */
    check: () => void autosave.check("feedback"),
    flush: () => autosave.flush(),
    /** Waits for saves under way. @returns the version to submit with; null in a conflict */
    async settle(): Promise<string | null> {
      await autosave.settled();
      const entry = autosave.get("feedback")!;
      return entry.state.name === "conflict" ? null : entry.saved.version;
    },
  };
}

/** Returns the name under which the saves of a draft are announced to other tabs. */
export function getDraftChannel(assignmentId: string): string {
  return `draft:${assignmentId}`;
}

function createDraftAutosave(reviewId: string, channel: string, draft: SavedDraft, first: string) {
  const autosave = new Autosave<"feedback", string, SavedDraft>([["feedback", draft, first]], {
    async send(_, { value, saved, leaving }) {
      const fields = toDraftFields(value, saved);
      const result = await sendChange<SavedDraft>(
        `/reviewer/submission/${reviewId}/remarks`,
        fields,
        leaving,
      );
      if (!result.ok) return result;
      if (value !== saved.feedback) announceSave(channel);
      return { ok: true, saved: { feedback: value, version: result.result as string } };
    },
    toValue: ({ feedback }) => feedback,
    pauseMs: 1_000,
  });
  if (first !== draft.feedback) autosave.change("feedback", first);
  return autosave;
}

/** Creates the saver. A text that is small enough to be sent while the tab closes is not lost. */
function createSaver(autosave: Autosave<"feedback", string, SavedDraft>) {
  return {
    flush: (options?: { leaving?: boolean }) => autosave.flush(options),
    get hasUnsaved() {
      return autosave.hasUnsaved;
    },
    get isLostOnClose() {
      const { value, saved, state } = autosave.get("feedback")!;
      const isStuck = state.name === "failed" || state.name === "conflict";
      return autosave.hasUnsaved && (isStuck || !canOutlive(toDraftFields(value, saved)));
    },
  };
}

function toDraftFields(feedback: string, { version }: SavedDraft) {
  return { intent: "save-draft", feedback, version };
}

/** Text that the server does not have, in the tab's storage. */
type Unsaved = {
  text: string;
  /** The draft that it was typed over. */
  base: string;
};

const getStorageKey = (assignmentId: string) => `unsaved-feedback:${assignmentId}`;

function saveUnsaved(assignmentId: string, unsaved: Unsaved): void {
  try {
    sessionStorage.setItem(getStorageKey(assignmentId), JSON.stringify(unsaved));
  } catch {
    // A browser may forbid its storage, or it may be full. The draft on the server is what counts.
  }
}

export function readUnsaved(assignmentId: string): Unsaved | null {
  try {
    const stored: unknown = JSON.parse(
      sessionStorage.getItem(getStorageKey(assignmentId)) ?? "null",
    );
    const { text, base } = (stored ?? {}) as Partial<Unsaved>;
    return typeof text === "string" && typeof base === "string" ? { text, base } : null;
  } catch {
    return null;
  }
}

export function deleteUnsaved(assignmentId: string): void {
  try {
    sessionStorage.removeItem(getStorageKey(assignmentId));
  } catch {
    // See saveUnsaved.
  }
}
