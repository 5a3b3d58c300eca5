/** The remarks, scores and page texts of an editor, kept in step with the server. */
import { useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { PageText } from "../../files/inspect/page-text.ts";
import { criteria, type Criterion, type Scores } from "../../reviews/rubric.ts";
import { Autosave } from "../../ui/autosave.ts";
import { announceSave, useSaves } from "../../ui/other-tabs.ts";
import { sendChange } from "../../ui/send-change.ts";
import { useAutosave } from "../../ui/use-autosave.ts";
import { formatTargetKey, type Remark, type Target } from "../rules.ts";
import { RemarkStore } from "./remark-store.ts";

/** Returns the scores in this tab. */
export function useScores(address: string, saved: Scores) {
  const [autosave] = useState(() => createScoreAutosave(address, saved));
  const entries = useSyncExternalStore(autosave.subscribe, autosave.snapshot, autosave.snapshot);
  const scores: Scores = {};
  for (const [criterion, { value }] of entries) if (value !== null) scores[criterion] = value;
  return {
    scores,
    score: (criterion: Criterion, score: number | null) => autosave.press(criterion, score),
    receiveScores(latest: Scores) {
      for (const key of allCriteria) autosave.receive(key, latest[key] ?? null);
    },
    flushScores: () => autosave.flush(),
  };
}

const allCriteria = Object.keys(criteria) as Criterion[];

/** Creates the autosave of scores. The last press wins, so there are no conflicts. */
function createScoreAutosave(address: string, saved: Scores) {
  const scores = allCriteria.map((key) => [key, saved[key] ?? null, saved[key] ?? null] as const);
  return new Autosave<Criterion, number | null>(scores, {
    async send(criterion, { value }) {
      const fields = { intent: "score", criterion, score: String(value ?? "") };
      const result = await sendChange<number | null>(address, fields, true);
      return result.ok ? { ok: true, saved: value } : result;
    },
    toValue: (score) => score,
    onSaved: () => announceChange(address),
  });
}

/** Requests each page's text once, and again after a failure. */
export function usePageTexts(address: string): (target: Target) => Promise<PageText | null> {
  const texts = useRef(new Map<string, Promise<PageText | null>>());
  return (target) => {
    const key = formatTargetKey(target);
    const cached = texts.current.get(key);
    if (cached) return cached;
    const reading = getJson<PageText>(`${address}?text=${key}`).then((text) => {
      if (!text) texts.current.delete(key);
      return text;
    });
    texts.current.set(key, reading);
    return reading;
  };
}

export function useStore(
  address: string,
  {
    remarks,
    images,
    onScores,
  }: {
    remarks: readonly Remark[];
    images: readonly { id: string }[];
    onScores(scores: Scores): void;
  },
): RemarkStore {
  const imageIds = images.map(({ id }) => id).join(" ");
  const { store, first } = useMemo(() => {
    const options = {
      send: (fields: Record<string, string>, leaving: boolean) =>
        sendChange<Remark | null>(address, fields, leaving),
      imageIds: imageIds.split(" "),
      onSaved: () => announceChange(address),
    };
    return { store: new RemarkStore(remarks, options), first: remarks };
    // oxlint-disable-next-line react/exhaustive-deps -- the next effect receives later server data
  }, [address]);
  const reading = useRef<AbortController>(null);
  /** Reads the list. A later request aborts an earlier one, since only the later is current. */
  const read = useEffectEvent(async () => {
    reading.current?.abort();
    const { signal } = (reading.current = new AbortController());
    const before = saves;
    const latest = await getJson<{ remarks: Remark[]; scores: Scores }>(address, signal);
    // The list can miss a concurrent save. That save's announcement reads it again.
    if (!latest || signal.aborted || saves !== before) return;
    store.receive(latest.remarks);
    onScores(latest.scores);
  });
  useEffect(() => {
    store.setImageOrder(imageIds.split(" "));
    // The screen's own data can be older than a save, so it only triggers a read.
    if (remarks !== first) void read();
  }, [store, first, remarks, imageIds]);
  useAutosave(store, () => {
    void store.flush();
    void read();
  });
  useSaves(address, () => void read());
  return store;
}

/** The number of saves in this tab. */
let saves = 0;

function announceChange(address: string): void {
  saves += 1;
  announceSave(address);
}

/** Fetches JSON; null if that fails. */
async function getJson<Read>(address: string, signal?: AbortSignal): Promise<Read | null> {
  try {
    const response = await fetch(address, { headers: { accept: "application/json" }, signal });
    if (!response.ok || response.redirected) return null;
    return (await response.json()) as Read;
  } catch {
    return null;
  }
}
