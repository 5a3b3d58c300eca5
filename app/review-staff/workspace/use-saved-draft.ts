import { useCallback, useEffect, useRef, useState } from "react";
import { useBeforeUnload } from "react-router";
import { backgroundForm, canOutlive, isRefusal } from "../../ui/background-form.ts";
import { useComingBack } from "../../ui/coming-back.ts";
import type { SavedDraft } from "./find.server.ts";

export type DraftState =
  | { name: "saved" | "unsaved" | "saving" | "conflict" }
  | { name: "failed"; message: string };

const pauseBeforeSaving = 1_000;
const pauseBeforeTryingAgain = 8_000;

/**
 * Saves a text as it is typed: after a short pause to the server, and at once to the tab's own
 * storage. A plain fetch, since a fetcher that finds no network would replace the screen by an error.
 *
 * What another tab has saved is never overwritten unseen: it is taken over where nothing was typed
 * here, and is the `other` text otherwise, until `keep` is called to save the text of this tab. What the
 * server refuses is not sent again before it is changed or somebody comes back to the tab.
 *
 * @param saved what the server has
 * @param text what stands in the field
 * @param isHeld while the text is being submitted, after which nothing is left to save
 * @param on.takeOver puts another text into the field
 * @param on.refuse hears why nothing is saved here any more, where all that was typed is
 */
export function useSavedDraft(
  { reviewId, assignmentId, saved }: { reviewId: string; assignmentId: string; saved: SavedDraft },
  { text, isHeld }: { text: string; isHeld: boolean },
  on: { takeOver(text: string): void; refuse(why: string): void },
) {
  const [server, setServer] = useState(saved);
  const [other, setOther] = useState<SavedDraft | null>(null);
  const [state, setState] = useState<DraftState>({ name: "saved" });
  const [tries, setTries] = useState(0);
  const [refused, setRefused] = useState<string | null>(null);
  const isUnsaved = text !== server.feedback;
  const latest = useRef({ text, server, other, isUnsaved, isHeld, tries });
  useEffect(() => {
    latest.current = { text, server, other, isUnsaved, isHeld, tries };
  });
  const underWay = useRef<Promise<unknown>>(Promise.resolve());
  /** What was sent from here and may have arrived, although no answer came. */
  const unanswered = useRef(new Set<string>());
  const announceSave = useOtherTabs(assignmentId, save);

  function save(leaving = false): void {
    if (latest.current.isHeld) return;
    underWay.current = Promise.all([underWay.current, sendAndTake(leaving)]);
  }

  async function sendAndTake(leaving: boolean): Promise<void> {
    const { text: sent, server: base } = latest.current;
    unanswered.current.add(sent);
    const answer = await send(reviewId, { feedback: sent, version: base.version }, leaving);
    if ("version" in answer) {
      accept({ feedback: sent, version: answer.version });
      if (sent !== base.feedback) announceSave();
    } else if ("current" in answer) {
      meet(answer.current);
    } else {
      const { problem, isRefused } = answer;
      setState({ name: "failed", message: problem });
      setTries((count) => count + 1);
      setRefused(isRefused ? sent : null);
      if (!isRefused) return;
      if (!latest.current.isUnsaved) on.refuse(problem);
    }
    unanswered.current.delete(sent);
  }

  function accept(draft: SavedDraft) {
    latest.current.server = draft;
    latest.current.other = null;
    setServer(draft);
    setOther(null);
    setTries(0);
    setRefused(null);
    setState({ name: "saved" });
    if (readUnsaved(assignmentId)?.text === draft.feedback) forgetUnsaved(assignmentId);
  }

  /** The draft is not what this tab took it for. */
  function meet(current: SavedDraft) {
    const isOwn = unanswered.current.has(current.feedback);
    if (isOwn || current.feedback === latest.current.text) return accept(current);
    if (latest.current.isUnsaved) {
      latest.current.other = current;
      setOther(current);
      return setState({ name: "conflict" });
    }
    accept(current);
    on.takeOver(current.feedback);
  }

  useEffect(() => {
    if (!isUnsaved) return undefined;
    keepUnsaved(assignmentId, { text, base: server.feedback });
    if (other || isHeld || text === refused) return undefined;
    const pause = tries === 0 ? pauseBeforeSaving : pauseBeforeTryingAgain;
    const timer = setTimeout(() => {
      setState({ name: "saving" });
      save();
    }, pause);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- it reads what is latest when the time has come
  }, [assignmentId, reviewId, text, server, other, isUnsaved, isHeld, tries, refused]);

  useBeforeUnload(
    useCallback((event) => {
      const here = latest.current;
      const arrives =
        here.tries === 0 && !here.other && canOutlive({ ...here.server, feedback: here.text });
      if (here.isUnsaved && !arrives) event.preventDefault();
    }, []),
  );
  useSavingOnLeaving(() => latest.current.isUnsaved && !latest.current.other, save);

  return {
    state: isUnsaved && state.name === "saved" ? ({ name: "unsaved" } as const) : state,
    version: server.version,
    other: other?.feedback ?? null,
    /** Whether the server does not want what stands here. */
    isRefused: isUnsaved && refused !== null,
    /** Saves the text of this tab, or what has been put in its place, over the other. */
    keep: () => other && accept(other),
    /** Asks the server whether the draft is still what this tab takes it for. */
    check: save,
    /** Waits for the saves under way; then the version to submit with, or null if there is a choice to make. */
    async settled(): Promise<string | null> {
      await underWay.current;
      return latest.current.other ? null : latest.current.server.version;
    },
  };
}

/** Hears of what other tabs of this browser save, and of the return to this one. */
function useOtherTabs(assignmentId: string, onChange: () => void): () => void {
  const channel = useRef<BroadcastChannel>(null);
  const heard = useRef(onChange);
  useEffect(() => {
    heard.current = onChange;
  });
  useEffect(() => {
    const opened = new BroadcastChannel(`draft:${assignmentId}`);
    channel.current = opened;
    opened.addEventListener("message", () => heard.current());
    return () => {
      // A save may be answered after that.
      channel.current = null;
      opened.close();
    };
  }, [assignmentId]);
  // Another device cannot be heard.
  useComingBack(useCallback(() => heard.current(), []));
  return () => channel.current?.postMessage("saved");
}

/** A phone may never come back to a tab that is put away, so what is unsaved is sent right then; so it is on the way to another screen. */
function useSavingOnLeaving(isNeeded: () => boolean, save: (leaving: boolean) => void): void {
  const latest = useRef({ isNeeded, save });
  useEffect(() => {
    latest.current = { isNeeded, save };
  });
  useEffect(() => {
    const onHide = () => {
      if (document.visibilityState === "hidden" && latest.current.isNeeded()) {
        latest.current.save(true);
      }
    };
    document.addEventListener("visibilitychange", onHide);
    return () => {
      document.removeEventListener("visibilitychange", onHide);
      if (latest.current.isNeeded()) latest.current.save(true);
    };
  }, []);
}

type Answer =
  | { version: string }
  | { current: SavedDraft }
  | { problem: string; isRefused?: boolean };

async function send(reviewId: string, draft: SavedDraft, leaving: boolean): Promise<Answer> {
  try {
    const response = await fetch(
      `/reviewer/submission/${reviewId}/draft`,
      backgroundForm(draft, leaving),
    );
    if (response.type === "opaqueredirect") {
      const problem =
        "You are signed out, or no reviewer any more. Log in in another tab to go on.";
      return { problem };
    }
    const answer = (await response.json()) as Partial<{
      version: string;
      current: SavedDraft;
      message: string;
    }>;
    if (answer.version) return { version: answer.version };
    if (answer.current) return { current: answer.current };
    const { message = "Please try again in a moment." } = answer;
    return { problem: message, isRefused: isRefusal(response) };
  } catch {
    return { problem: "You seem to be offline." };
  }
}

/** Text that the server does not have yet, kept in the tab so that it survives a crash or a reload. */
type Unsaved = {
  text: string;
  /** The draft that the server had when it was typed. */
  base: string;
};

const keyOf = (assignmentId: string) => `unsaved-feedback:${assignmentId}`;

function keepUnsaved(assignmentId: string, unsaved: Unsaved): void {
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
