import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { useHydrated } from "../../ui/hydrated.ts";
import { type Answer, type Entry, RemarkStore } from "./remark-store.ts";
import type { Area, PageView, Remark, Target } from "./rules.ts";

/** Turns over what a press on a page does: nothing, so that it scrolls, or a new remark. */
export type Mode = "read" | "add";

/** A screenshot that can be pinned, at its own size. */
export type PinnedImage = { id: string; href: string; label: string };

type Editor = {
  store: RemarkStore;
  entries: readonly Entry[];
  /** The remark that was deleted last. */
  deleted: Remark | null;
  pages: readonly PageView[];
  images: readonly PinnedImage[];
  mode: Mode;
  setMode(mode: Mode): void;
  selected: string | null;
  select(id: string | null): void;
  /** Adds a remark and opens it to be written. */
  add(target: Target, area: Area | null, quote?: string): void;
  /** What has happened, for those who do not see it. */
  say(words: string): void;
};

const EditorContext = createContext<Editor | null>(null);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error("Outside of a RemarkEditor");
  return editor;
}

/**
 * Holds the remarks that are being written on one review, for the pages and for the list beside them.
 *
 * @param address where the forms of remarks are sent by scripts
 */
export function RemarkEditor({
  address,
  remarks,
  pages,
  images,
  children,
}: {
  address: string;
  remarks: readonly Remark[];
  pages: readonly PageView[];
  images: readonly PinnedImage[];
  children(editor: Editor): ReactNode;
}) {
  const [said, say] = useState("");
  const [mode, setMode] = useState<Mode>("read");
  const [selected, select] = useState<string | null>(null);
  const store = useStore(address, remarks, images);
  const { entries, deleted } = useSyncExternalStore(
    store.subscribe,
    store.snapshot,
    store.snapshot,
  );
  const editor: Editor = {
    store,
    entries,
    deleted,
    pages,
    images,
    mode,
    setMode,
    selected,
    select,
    add(target, area, quote) {
      const remark = newRemark(target, area, quote);
      store.add(remark);
      select(remark.id);
      setMode("read");
    },
    say,
  };
  return (
    <EditorContext value={editor}>
      {children(editor)}
      <output className="sr-only">{said}</output>
    </EditorContext>
  );
}

function newRemark(target: Target, area: Area | null, quote: string | null = null): Remark {
  return {
    id: crypto.randomUUID(),
    target,
    area,
    severity: "should",
    criterion: null,
    text: "",
    quote,
    suggestion: null,
    rank: null,
    version: 0,
  };
}

function useStore(
  address: string,
  remarks: readonly Remark[],
  images: readonly PinnedImage[],
): RemarkStore {
  const hydrated = useHydrated();
  const imageIds = images.map(({ id }) => id).join(" ");
  const store = useMemo(
    () =>
      new RemarkStore(remarks, {
        send: sendTo(address),
        imageIds: imageIds.split(" "),
        onSaved: () => tellOthers(address),
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- what the server has later is met below
    [address, imageIds],
  );
  useEffect(() => store.meet(remarks), [store, remarks]);
  useEffect(() => {
    if (!hydrated) return undefined;
    const channel = new BroadcastChannel(address);
    const read = () => void readAnew(address).then((latest) => latest && store.meet(latest));
    const onHide = () => {
      if (document.visibilityState === "hidden" && store.isUnsaved)
        void store.flush({ leaving: true });
    };
    const onLeave = (event: BeforeUnloadEvent) => {
      if (store.isUnsaved) event.preventDefault();
    };
    channel.addEventListener("message", read);
    window.addEventListener("focus", read);
    document.addEventListener("visibilitychange", onHide);
    window.addEventListener("beforeunload", onLeave);
    return () => {
      channel.close();
      window.removeEventListener("focus", read);
      document.removeEventListener("visibilitychange", onHide);
      window.removeEventListener("beforeunload", onLeave);
    };
  }, [address, hydrated, store]);
  return store;
}

function tellOthers(address: string): void {
  const channel = new BroadcastChannel(address);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel.postMessage("saved");
  channel.close();
}

/** The remarks as the server has them; null when it cannot be asked. */
async function readAnew(address: string): Promise<Remark[] | null> {
  try {
    const response = await fetch(address, { headers: { accept: "application/json" } });
    if (!response.ok || response.redirected) return null;
    return ((await response.json()) as { remarks: Remark[] }).remarks;
  } catch {
    return null;
  }
}

const signedOut = "You are signed out, or this review is not yours any more.";

function sendTo<Current = Remark | null>(address: string) {
  return async (fields: Record<string, string>, leaving = false): Promise<Answer<Current>> => {
    try {
      const response = await fetch(address, {
        method: "POST",
        headers: { accept: "application/json" },
        body: new URLSearchParams(fields),
        // The way to the sign-in must not be taken for an answer.
        redirect: "manual",
        keepalive: leaving,
      });
      if (response.type === "opaqueredirect") return { ok: false, message: signedOut };
      const answer = (await response.json()) as {
        result?: unknown;
        message?: string;
        current?: Current;
      };
      if (response.ok) return { ok: true, result: answer.result };
      const { message = "Please try again in a moment.", current } = answer;
      return { ok: false, message, current };
    } catch {
      return { ok: false, message: "You seem to be offline." };
    }
  };
}

/** Sends one of the other forms of remarks from a screen that stays. */
export function sendRemarkForm<Current = Remark | null>(
  address: string,
  fields: Record<string, string>,
  leaving = false,
): Promise<Answer<Current>> {
  return sendTo<Current>(address)(fields, leaving);
}
