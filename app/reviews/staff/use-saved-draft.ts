import { useEffect, useRef, useState } from "react";
import { forgetUnsaved, keepUnsaved, readUnsaved } from "./unsaved-text.ts";

export type DraftState =
  | { name: "saved" | "unsaved" | "saving" }
  | { name: "failed"; message: string };

const pauseBeforeSaving = 1_000;
const pauseBeforeTryingAgain = 8_000;

/**
 * Saves a text as it is typed: after a short pause to the server, and at once to the tab's own
 * storage. A plain fetch, since a fetcher that finds no network would replace the screen by an error.
 *
 * @param saved what the server has
 * @param text what stands in the field
 */
export function useSavedDraft(
  { reviewId, assignmentId, saved }: { reviewId: string; assignmentId: string; saved: string },
  text: string,
): DraftState {
  const [server, setServer] = useState(saved);
  const [state, setState] = useState<DraftState>({ name: "saved" });
  const [tries, setTries] = useState(0);
  const isUnsaved = text !== server;

  useEffect(() => {
    if (!isUnsaved) return undefined;
    keepUnsaved(assignmentId, { text, base: server });
    const pause = tries === 0 ? pauseBeforeSaving : pauseBeforeTryingAgain;
    const timer = setTimeout(async () => {
      setState({ name: "saving" });
      const problem = await send(reviewId, text);
      if (problem === null) {
        setServer(text);
        setTries(0);
        setState({ name: "saved" });
        if (readUnsaved(assignmentId)?.text === text) forgetUnsaved(assignmentId);
      } else {
        setState({ name: "failed", message: problem });
        setTries((count) => count + 1);
      }
    }, pause);
    return () => clearTimeout(timer);
  }, [assignmentId, reviewId, text, server, isUnsaved, tries]);

  useSavingOnLeaving(reviewId, isUnsaved ? text : null);
  if (isUnsaved && state.name === "saved") return { name: "unsaved" };
  return state;
}

/** A phone may never come back to a tab that is put away, so what is unsaved is sent right then. */
function useSavingOnLeaving(reviewId: string, unsaved: string | null): void {
  const waiting = useRef(unsaved);
  useEffect(() => {
    waiting.current = unsaved;
  });
  useEffect(() => {
    const onHide = () => {
      if (document.visibilityState === "hidden" && waiting.current !== null) {
        void send(reviewId, waiting.current, true);
      }
    };
    document.addEventListener("visibilitychange", onHide);
    return () => document.removeEventListener("visibilitychange", onHide);
  }, [reviewId]);
}

/** @returns null when it was saved, or why not */
async function send(reviewId: string, feedback: string, leaving = false): Promise<string | null> {
  try {
    const response = await fetch(`/reviewer/submission/${reviewId}/draft`, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams({ feedback }),
      // The way to the sign-in must not be taken for an answer.
      redirect: "manual",
      keepalive: leaving,
    });
    if (response.ok) return null;
    if (response.type === "opaqueredirect")
      return "You are signed out, or no reviewer any more. Log in in another tab to go on.";
    const { message } = (await response.json()) as { message?: string };
    return message ?? "Please try again in a moment.";
  } catch {
    return "You seem to be offline.";
  }
}
