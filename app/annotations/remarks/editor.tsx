import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { PageText } from "../../files/inspect/page-text.ts";
import { backgroundForm, isRefusal } from "../../ui/background-form.ts";
import { useHydrated } from "../../ui/hydrated.ts";
import { Turns } from "../../ui/turns.ts";
import type { Criterion, Scores } from "../../reviews/rubric.ts";
import { type Answer, type Entry, isBlank, RemarkStore } from "./remark-store.ts";
import {
  type Area,
  type PageView,
  type Remark,
  remarkMessages,
  type Target,
  targetKey,
} from "../rules.ts";

/** What a press on a page does: nothing, so that it scrolls; select its words; or make a remark. */
export type Mode = "read" | "text" | "add";

/** A screenshot that can be pinned. */
export type PinnedImage = {
  id: string;
  href: string;
  label: string;
  /** Width by height; undefined until its sides are read. */
  ratio: number | undefined;
};

type Editor = {
  store: RemarkStore;
  entries: readonly Entry[];
  /** The remark that was deleted last. */
  deleted: Remark | null;
  pages: readonly PageView[];
  images: readonly PinnedImage[];
  mode: Mode;
  setMode(mode: Mode): void;
  /** The remark that is open. */
  selected: string | null;
  select(id: string | null): void;
  /** Closes a remark, unless another one has been opened since. */
  close(id: string): void;
  /** Takes over what was written in a remark before the scripts came, and that it stands open. */
  adopt(id: string, written: Partial<Remark>, isOpen: boolean): void;
  /** The one that is written for the first time: Enter keeps it, Escape drops it. */
  fresh: string | null;
  /** Adds a remark and opens it to be written. */
  add(target: Target, area: Area | null, quote?: string): void;
  /** Saves the open remark at once and closes it; one without words is dropped. */
  keep(): void;
  /** Deletes a remark and goes back to its page. */
  drop(id: string): void;
  scores: Scores;
  /** @returns what went wrong; null when it is saved. */
  score(criterion: Criterion, score: number | null): Promise<string | null>;
  /** The words of a page with their boxes; null when they cannot be read now. */
  readText(target: Target): Promise<PageText | null>;
  /** Waits for all that is being saved. @returns false when something cannot be. */
  settle(): Promise<boolean>;
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
 * @param address where the forms of remarks are sent by scripts, and the words of pages read
 */
export function RemarkEditor({
  address,
  remarks,
  scores: savedScores,
  pages,
  images,
  children,
}: {
  address: string;
  remarks: readonly Remark[];
  scores: Scores;
  pages: readonly PageView[];
  images: readonly PinnedImage[];
  children(editor: Editor): ReactNode;
}) {
  const [said, say] = useState("");
  const [mode, setMode] = useState<Mode>("read");
  const [{ selected, fresh, isInPlace }, setOpen] = useState<Open>(nothingOpen);
  const scoring = useScores(address, savedScores);
  const store = useStore(address, { remarks, images, onScores: scoring.meet });
  const readText = usePageTexts(address);
  const { entries, deleted } = useSyncExternalStore(
    store.subscribe,
    store.snapshot,
    store.snapshot,
  );
  useShown(isInPlace ? null : selected);

  function select(id: string | null) {
    if (fresh && fresh !== id) store.forgetBlank(fresh);
    setOpen({ selected: id, fresh: null });
  }

  function close(id: string) {
    if (fresh === id) store.forgetBlank(id);
    setOpen((open) => (open.selected === id ? nothingOpen : open));
  }

  function drop(id: string) {
    const target = entries.find(({ remark }) => remark.id === id)?.remark.target;
    store.delete(id);
    setOpen(nothingOpen);
    say("Remark deleted. It can be brought back from the list.");
    if (target) focusOn(`[id="${targetKey(target)}"] button`);
  }

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
    close,
    adopt(id, written, isOpen) {
      if (isOpen) setOpen({ selected: id, fresh: null, isInPlace: true });
      if (Object.keys(written).length > 0) store.change(id, written);
    },
    fresh,
    add(target, area, quote) {
      if (fresh) store.forgetBlank(fresh);
      const remark = newRemark(target, area, quote);
      store.add(remark);
      setOpen({ selected: remark.id, fresh: remark.id });
    },
    keep() {
      if (!selected) return;
      const entry = entries.find(({ remark }) => remark.id === selected);
      if (!entry) return setOpen(nothingOpen);
      if (entry.remark.text.trim() === "") {
        if (isBlank(entry)) return drop(selected);
        say(remarkMessages.textMissing);
        return focusOn(`[id="remark-${selected}"] textarea`);
      }
      void store.flush();
      setOpen(nothingOpen);
      say("Remark kept.");
      focusOn(`[id="pin-${selected}"], [id="remark-${selected}"] summary`);
    },
    drop,
    ...scoring,
    readText,
    async settle() {
      const areSaved = await Promise.all([store.flush(), scoring.settled()]);
      return areSaved.every(Boolean);
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

type Open = Pick<Editor, "selected" | "fresh"> & {
  /** It stands open where somebody put it, and is not to be brought into view. */
  isInPlace?: boolean;
};

const nothingOpen: Open = { selected: null, fresh: null };

/** The first of what a selector finds; where it is seen is not changed. */
function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
}

/** Brings the open remark and its pin into view; on a phone the remark lies over the page anyhow. */
function useShown(selected: string | null): void {
  useEffect(() => {
    if (!selected) return;
    const pin = document.getElementById(`pin-${selected}`);
    pin?.scrollIntoView({ block: "nearest" });
    if (pin && matchMedia("(width < 48rem)").matches) return;
    document.getElementById(`remark-${selected}`)?.scrollIntoView({ block: "nearest" });
  }, [selected]);
}

/** The scores as they stand in this tab; what the server says later counts unless one is being saved. */
function useScores(address: string, saved: Scores) {
  const [scores, setScores] = useState(saved);
  const [underWay] = useState(() => new Turns<Criterion, Answer>());
  return {
    scores,
    meet(latest: Scores) {
      if (!underWay.has()) setScores(latest);
    },
    async score(criterion: Criterion, score: number | null): Promise<string | null> {
      const before = scores[criterion];
      const put = (value?: number) => setScores((now) => ({ ...now, [criterion]: value }));
      put(score ?? undefined);
      const sent = { intent: "score", criterion, score: String(score ?? "") };
      // Pressed and gone: nobody is asked to wait for that.
      const answer = await underWay.take(criterion, () => sendRemarkForm(address, sent, true));
      const isLast = !underWay.has(criterion);
      if (answer.ok) announceSave(address);
      else if (isLast) put(before);
      return answer.ok || !isLast ? null : answer.message;
    },
    /** Waits for those that are being saved. @returns false when one could not be. */
    async settled(): Promise<boolean> {
      const answers = await underWay.settled();
      return answers.every(({ ok }) => ok);
    },
  };
}

/** Each page is asked for once; one that could not be read is asked for again. */
function usePageTexts(address: string): Editor["readText"] {
  const texts = useRef(new Map<string, Promise<PageText | null>>());
  return (target) => {
    const key = targetKey(target);
    const known = texts.current.get(key);
    if (known) return known;
    const reading = readJson<PageText>(`${address}?text=${key}`).then((text) => {
      if (!text) texts.current.delete(key);
      return text;
    });
    texts.current.set(key, reading);
    return reading;
  };
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
  {
    remarks,
    images,
    onScores,
  }: {
    remarks: readonly Remark[];
    images: readonly PinnedImage[];
    onScores(scores: Scores): void;
  },
): RemarkStore {
  const hydrated = useHydrated();
  const imageIds = images.map(({ id }) => id).join(" ");
  const { store, first } = useMemo(() => {
    const options = {
      send: sendTo(address),
      imageIds: imageIds.split(" "),
      onSaved: () => announceSave(address),
    };
    return { store: new RemarkStore(remarks, options), first: remarks };
    // oxlint-disable-next-line react/exhaustive-deps -- what the server has later is met below
  }, [address]);
  const asking = useRef<AbortController>(null);
  /** Of two lists that are on their way, only the one that was asked for last tells what there is now. */
  const read = useEffectEvent(async () => {
    asking.current?.abort();
    const { signal } = (asking.current = new AbortController());
    const before = saves;
    const latest = await readJson<{ remarks: Remark[]; scores: Scores }>(address, signal);
    // What was saved meanwhile it may lack; it is read again when this tab hears what it has told.
    if (!latest || signal.aborted || saves !== before) return;
    store.meet(latest.remarks);
    onScores(latest.scores);
  });
  useEffect(() => {
    store.arrange(imageIds.split(" "));
    // A screen is read on its own way, perhaps before what was saved since: it tells only that there may be news.
    if (remarks !== first) void read();
  }, [store, first, remarks, imageIds]);
  useEffect(() => {
    if (!hydrated) return undefined;
    const channel = new BroadcastChannel(address);
    const onNews = () => void read();
    const onReturn = () => {
      void store.flush();
      void read();
    };
    const onHide = () => {
      if (document.visibilityState === "hidden" && store.isUnsaved)
        void store.flush({ leaving: true });
    };
    const onLeave = (event: BeforeUnloadEvent) => {
      if (store.isUnsaved) event.preventDefault();
    };
    channel.addEventListener("message", onNews);
    window.addEventListener("focus", onReturn);
    window.addEventListener("online", onReturn);
    document.addEventListener("visibilitychange", onHide);
    window.addEventListener("beforeunload", onLeave);
    return () => {
      channel.close();
      window.removeEventListener("focus", onReturn);
      window.removeEventListener("online", onReturn);
      document.removeEventListener("visibilitychange", onHide);
      window.removeEventListener("beforeunload", onLeave);
      if (store.isUnsaved) void store.flush({ leaving: true });
    };
  }, [address, hydrated, store]);
  return store;
}

/** How often this tab has saved something. */
let saves = 0;

function announceSave(address: string): void {
  saves += 1;
  const channel = new BroadcastChannel(address);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel.postMessage("saved");
  channel.close();
}

/** What the server has at an address; null when it cannot be asked. */
async function readJson<Read>(address: string, signal?: AbortSignal): Promise<Read | null> {
  try {
    const response = await fetch(address, { headers: { accept: "application/json" }, signal });
    if (!response.ok || response.redirected) return null;
    return (await response.json()) as Read;
  } catch {
    return null;
  }
}

const signedOut = "You are signed out, or this review is not yours any more.";

function sendTo<Current = Remark | null>(address: string) {
  return async (fields: Record<string, string>, leaving = false): Promise<Answer<Current>> => {
    try {
      const response = await fetch(address, backgroundForm(fields, leaving));
      if (response.type === "opaqueredirect") return { ok: false, message: signedOut };
      const answer = (await response.json()) as {
        result?: unknown;
        message?: string;
        current?: Current;
      };
      if (response.ok) return { ok: true, result: answer.result };
      const { message = "Please try again in a moment.", current } = answer;
      return { ok: false, message, current, isRefused: isRefusal(response) };
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
