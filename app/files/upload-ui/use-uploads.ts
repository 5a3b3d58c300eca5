import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useRevalidator, useRouteLoaderData } from "react-router";
import { sendFile, type Sending, type SendingState } from "./send-file.ts";
import { findChosenFileProblem, getUploadSuccessTitle } from "../upload-messages.ts";
import type { UploadProblem, UploadPurpose } from "../rules.ts";
import type { Toast } from "../../platform/app-context.server.ts";
import { reloadPage } from "../../ui/expected-user.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { createTransferMeter, type TransferRate } from "./upload-progress.ts";

/** A file in the field: "staged" until the person sends it, "queued" while another one uploads. */
export type UploadItem = {
  key: number;
  file: File;
  note: string;
  state: "staged" | "queued" | SendingState;
  /** In bytes. */
  loaded: number;
  rate: TransferRate;
};

const unknownRate: TransferRate = { bytesPerSecond: null, secondsLeft: null };
const reportEvery = 200;

/** Uploads the files of one field one after another, until each is done, refused or cancelled. */
export function useUploads({
  purpose,
  target,
  staged,
  multiple,
  onDone,
}: {
  purpose: UploadPurpose;
  target: string;
  /** True if a chosen file waits for `sendAll`. */
  staged: boolean;
  multiple: boolean;
  onDone?: () => void;
}) {
  const [items, setItems] = useState<UploadItem[]>([]);
  const [problem, setProblem] = useState(useProblemToast(purpose));
  const [announcement, setAnnouncement] = useState("");
  const sendings = useRef(new Map<number, Sending>());
  const lastKey = useRef(0);
  const { revalidate } = useRevalidator();

  const change = (key: number, changed: Partial<UploadItem>) =>
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...changed } : item)));
  const remove = (key: number) => {
    sendings.current.delete(key);
    setItems((all) => all.filter((item) => item.key !== key));
  };
  /** Keeps the file's note, since the sender may have to try again, for example after signing in. */
  const putBack = (key: number) => {
    sendings.current.delete(key);
    change(key, { state: "staged", loaded: 0, rate: unknownRate });
  };
  const refuse = (refusal: UploadProblem, isOtherPersons = false) => {
    setProblem(refusal);
    showToast(
      isOtherPersons
        ? { kind: "warning", ...refusal, action: { label: "Reload", run: reloadPage } }
        : { kind: "error", ...refusal },
    );
  };

  function choose(files: File[]) {
    setProblem(null);
    const acceptable: UploadItem[] = [];
    for (const file of multiple ? files : files.slice(0, 1)) {
      const refusal = findChosenFileProblem(purpose, file);
      if (refusal) refuse(refusal);
      else acceptable.push(createUploadItem(file, ++lastKey.current, staged));
    }
    if (acceptable.length > 0) setItems((all) => (multiple ? [...all, ...acceptable] : acceptable));
  }

  function start({ key, file, note }: UploadItem) {
    const meter = createTransferMeter(file.size);
    let renderedAt = 0;
    let quarter = 0;
    setAnnouncement(`Uploading ${file.name}`);
    const sending = sendFile(
      file,
      { purpose, target, note },
      {
        onState(state) {
          change(key, { state });
          if (state === "waiting for the connection")
            setAnnouncement("Waiting for the connection…");
        },
        onProgress(loaded) {
          const at = performance.now();
          const rate = meter(loaded, at);
          if (at - renderedAt < reportEvery && loaded < file.size) return;
          renderedAt = at;
          change(key, { loaded, rate });
          const reached = Math.floor((loaded / file.size) * 4);
          if (reached > quarter && reached < 4)
            setAnnouncement(`${file.name}: ${reached * 25} percent`);
          quarter = Math.max(quarter, reached);
        },
        onDone() {
          remove(key);
          setAnnouncement(`${file.name} uploaded`);
          showToast({ kind: "success", title: getUploadSuccessTitle(purpose) });
          void revalidate();
          onDone?.();
        },
        onRefused(refusal, isOtherPersons) {
          if (staged) putBack(key);
          else remove(key);
          setAnnouncement("");
          refuse(refusal, isOtherPersons);
        },
      },
    );
    sendings.current.set(key, sending);
    change(key, { state: "sending" });
  }

  useEffect(() => {
    const queued = items.find((item) => item.state === "queued");
    if (queued && !items.some(isUnderWay) && !sendings.current.has(queued.key)) start(queued);
  });
  useEffect(() => {
    const open = sendings.current;
    return () => {
      for (const sending of open.values()) sending.pause();
    };
  }, []);
  const stagedCount = items.filter(({ state }) => state === "staged").length;
  useFieldOfPage(stagedCount, items.length - stagedCount);

  return {
    items,
    stagedCount,
    problem,
    announcement,
    choose,
    sendAll: () =>
      setItems((all) =>
        all.map((item) => (item.state === "staged" ? { ...item, state: "queued" } : item)),
      ),
    changeNote: (key: number, note: string) => change(key, { note }),
    cancel({ key, file }: UploadItem) {
      sendings.current.get(key)?.cancel();
      remove(key);
      setAnnouncement(`${file.name}: cancelled`);
    },
  };
}

function isUnderWay({ state }: UploadItem): boolean {
  return state !== "staged" && state !== "queued";
}

function createUploadItem(file: File, key: number, staged: boolean): UploadItem {
  return { key, file, note: "", state: staged ? "staged" : "queued", loaded: 0, rate: unknownRate };
}

/** The numbers of files on a page that wait for `sendAll` and that are uploading. */
export type OutstandingFiles = { staged: number; sending: number };

const noFiles: OutstandingFiles = { staged: 0, sending: 0 };
/** Keyed by the fields of this page. */
const outstanding = new Map<object, OutstandingFiles>();
const listeners = new Set<() => void>();
let total = noFiles;

function useFieldOfPage(staged: number, sending: number) {
  useEffect(() => {
    if (staged + sending === 0) return undefined;
    const field = {};
    outstanding.set(field, { staged, sending });
    notifyListeners();
    return () => {
      outstanding.delete(field);
      notifyListeners();
    };
  }, [staged, sending]);
}

function notifyListeners() {
  total = noFiles;
  for (const { staged, sending } of outstanding.values())
    total = { staged: total.staged + staged, sending: total.sending + sending };
  for (const listen of listeners) listen();
}

/** Returns the files of all fields on this page that aren't uploaded yet. */
export function useOutstandingFiles(): OutstandingFiles {
  return useSyncExternalStore(
    subscribe,
    () => total,
    () => noFiles,
  );
}

/** Returns true while any field on this page is uploading. */
export function useIsUploading(): boolean {
  return useOutstandingFiles().sending > 0;
}

function subscribe(listen: () => void): () => void {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

/** Returns the refusal of a file sent by a plain form, so that its field can show it too. */
export function useProblemToast(purpose: UploadPurpose): UploadProblem | null {
  const root = useRouteLoaderData<{ toasts: Toast[] }>("root");
  const toast = root?.toasts.find(({ about }) => about === purpose);
  return toast ? { title: toast.title, description: toast.description ?? "" } : null;
}
