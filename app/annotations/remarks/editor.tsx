import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import type { PageText } from "../../files/inspect/page-text.ts";
import type { Criterion, Scores } from "../../reviews/rubric.ts";
import {
  type Area,
  type PageView,
  type Remark,
  remarkMessages,
  type Target,
  formatTargetKey,
} from "../rules.ts";
import { usePageTexts, useScores, useStore } from "./editor-data.ts";
import { type Entry, isBlankEntry, type RemarkStore } from "./remark-store.ts";
import { PageZoom } from "./zoom.ts";

/** The effect of a press on a page: none, select text, or add a remark. A new remark can also quote selected words. */
export type Mode = "read" | "text" | "add";

/** A screenshot that remarks can be pinned to. */
export type PinnedImage = {
  id: string;
  href: string;
  label: string;
  /** Width divided by height; undefined until its sides are known. */
  ratio: number | undefined;
  /** Its width in pixels; undefined until it is known. */
  pixels: number | undefined;
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
  zoom: PageZoom;
  selected: string | null;
  /** A new object each time a remark is opened, by a pin or a key for example; null without an open one. */
  opened: object | null;
  select(id: string | null): void;
  /** Closes a remark, unless another one has been opened since. */
  close(id: string): void;
  /** Adopts the text and open state of a remark from before hydration. */
  adopt(id: string, written: Partial<Remark>, isOpen: boolean): void;
  /** The new remark that is being written: Enter saves it, Escape drops it. */
  fresh: string | null;
  /** Adds a remark and opens its form. */
  add(target: Target, area: Area | null, quote?: string): void;
  /** The name of the part that waits for a place on a page; null if the next one adds a remark. */
  placing: string | null;
  /** Gives the next place that is marked to a part of the screen, instead of adding a remark there. */
  startPlacing(name: string, take: (target: Target, area: Area | null) => void): void;
  /** Saves and closes the open remark immediately, or drops it without text. */
  keep(): void;
  /** Deletes a remark and moves the focus to its page. */
  drop(id: string): void;
  scores: Scores;
  /** Saves a score. @returns the problem; null when it is saved */
  score(criterion: Criterion, score: number | null): Promise<string | null>;
  /** Loads the words of a page with their boxes; null if that fails. */
  readText(target: Target): Promise<PageText | null>;
  /** Waits for all saves. @returns false if one failed */
  settle(): Promise<boolean>;
  /** Announces an event to screen readers. */
  say(message: string): void;
};

const EditorContext = createContext<Editor | null>(null);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error("Outside of a RemarkEditor");
  return editor;
}

/**
 * Provides the remarks of one review to its pages and its list.
 *
 * @param address the endpoint that saves remarks and returns the words of pages
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
  children: ReactNode;
}) {
  const [announcement, say] = useState("");
  const [mode, setMode] = useState<Mode>("add");
  const [placing, setPlacing] = useState<Placing | null>(null);
  const [zoom] = useState(() => new PageZoom());
  const [opened, setOpen] = useState<Open>(nothingOpen);
  const { selected, fresh, isInPlace } = opened;
  const { scores, score, receiveScores, flushScores } = useScores(address, savedScores);
  const store = useStore(address, { remarks, images, onScores: receiveScores });
  const readText = usePageTexts(address);
  const { entries, deleted } = useSyncExternalStore(
    store.subscribe,
    store.snapshot,
    store.snapshot,
  );
  useScrollToRemark(isInPlace ? null : selected);

  function select(id: string | null) {
    if (fresh && fresh !== id) store.dropBlank(fresh);
    setOpen({ selected: id, fresh: null });
  }

  function close(id: string) {
    if (fresh === id) store.dropBlank(id);
    setOpen((open) => (open.selected === id ? nothingOpen : open));
  }

  function drop(id: string) {
    const target = entries.find(({ remark }) => remark.id === id)?.remark.target;
    store.delete(id);
    setOpen(nothingOpen);
    say("Remark deleted. It can be brought back from the list.");
    if (target) focusFirst(`[id="${formatTargetKey(target)}"] button`);
  }

  const editor: Editor = {
    store,
    entries,
    deleted,
    pages,
    images,
    mode,
    setMode(next) {
      setPlacing(null);
      setMode(next);
    },
    zoom,
    selected,
    opened: selected === null || isInPlace ? null : opened,
    select,
    close,
    adopt(id, written, isOpen) {
      if (isOpen) setOpen({ selected: id, fresh: null, isInPlace: true });
      if (Object.keys(written).length > 0) store.change(id, written);
    },
    fresh,
    placing: placing?.name ?? null,
    startPlacing(name, take) {
      setPlacing({ name, take });
      setMode("add");
      say("Mark the place on the page.");
    },
    add(target, area, quote) {
      if (placing) {
        setPlacing(null);
        return placing.take(target, area);
      }
      if (fresh) store.dropBlank(fresh);
      const remark = createRemark(target, area, quote);
      store.add(remark);
      setOpen({ selected: remark.id, fresh: remark.id });
    },
    keep() {
      if (!selected) return;
      const entry = entries.find(({ remark }) => remark.id === selected);
      if (!entry) return setOpen(nothingOpen);
      if (entry.remark.text.trim() === "") {
        if (isBlankEntry(entry)) return drop(selected);
        say(remarkMessages.textMissing);
        return focusFirst(`[id="remark-${selected}"] textarea`);
      }
      void store.flush();
      setOpen(nothingOpen);
      say("Remark saved.");
      focusFirst(`[id="pin-${selected}"], [id="remark-${selected}"] summary`);
    },
    drop,
    scores,
    score,
    readText,
    async settle() {
      const areSaved = await Promise.all([store.flush(), flushScores()]);
      return areSaved.every(Boolean);
    },
    say,
  };
  return (
    <EditorContext value={editor}>
      {children}
      <output className="sr-only">{announcement}</output>
    </EditorContext>
  );
}

type Open = Pick<Editor, "selected" | "fresh"> & {
  /** True when a person opened it directly, so that it is not scrolled into view. */
  isInPlace?: boolean;
};

type Placing = { name: string; take(target: Target, area: Area | null): void };

const nothingOpen: Open = { selected: null, fresh: null };

/** Focuses the first match of a selector, without scrolling. */
function focusFirst(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
}

/**
 * Scrolls the open remark and its pin into view. On phones the remark is a sheet over the page, so only its
 * pin.
 */
function useScrollToRemark(selected: string | null): void {
  useEffect(() => {
    if (!selected) return;
    const pin = document.getElementById(`pin-${selected}`);
    pin?.scrollIntoView({ block: "nearest" });
    if (pin && matchMedia("(width < 48rem)").matches) return;
    document.getElementById(`remark-${selected}`)?.scrollIntoView({ block: "nearest" });
  }, [selected]);
}

function createRemark(target: Target, area: Area | null, quote: string | null = null): Remark {
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
