import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { OwnPath } from "../../platform/own-path.ts";
import { Button } from "../../ui/form/button.tsx";
import { Field } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { ProgressBar } from "../../ui/feedback/progress.tsx";
import { formatBytes, formatAlternatives, type UploadPurpose, uploadRules } from "../rules.ts";
import { formatFieldProblem } from "../upload-messages.ts";
import { formatTimeLeft } from "./upload-progress.ts";
import { type UploadItem, useUploads } from "./use-uploads.ts";
import * as styles from "./upload-field.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";

type NoteField = { label: string; maxLength?: number };

/**
 * A field to drop, choose or paste files, which are uploaded with a progress bar. Without scripts it is a plain
 * form. With a `note`, chosen files wait for their notes until they are sent. Its screen needs an `UploadGuard`.
 *
 * @param next the path to return to without scripts
 * @param error a message from the screen about this field
 */
export function UploadField({
  purpose,
  target,
  label,
  next,
  note,
  error,
  onDone,
  multiple = false,
  allowPaste = false,
  removals = 0,
  isSlim = false,
}: {
  purpose: UploadPurpose;
  target: string;
  label: string;
  next: OwnPath;
  note?: NoteField;
  error?: string;
  onDone?: () => void;
  multiple?: boolean;
  allowPaste?: boolean;
  /** Counts removed files. The focus moves from a removed button to the field. */
  removals?: number;
  /** Takes one line until files are dragged over it. */
  isSlim?: boolean;
}) {
  const hydrated = useHydrated();
  const id = useId();
  const uploads = useUploads({ purpose, target, staged: Boolean(note), multiple, onDone });
  const { items, problem, stagedCount } = uploads;
  const input = useFileInput(uploads.choose);
  const isFree = multiple || items.length === 0;

  usePastedImages(allowPaste && isFree, uploads.choose);
  useFocusOnReturn(input, items.length);
  useEffect(() => {
    if (removals > 0 && document.activeElement === document.body) input.current?.focus();
  }, [removals, input]);

  function send(event: FormEvent) {
    if (!hydrated) return;
    event.preventDefault();
    uploads.sendAll();
  }

  const query = new URLSearchParams({ purpose, target, next });
  const action = `/uploads/form?${query}`;
  const problemId = problem || error ? `${id}-problem` : "";
  return (
    <div
      className={styles.upload}
      data-live={hydrated || undefined}
      data-slim={isSlim || undefined}
    >
      <form method="post" encType="multipart/form-data" action={action} onSubmit={send}>
        {note && !hydrated && (
          <Field label={note.label} name="note" maxLength={note.maxLength} className="stand-in" />
        )}
        <DropZone hidden={!isFree}>
          <Icon name="upload" />
          <div className={styles.words}>
            <label htmlFor={id}>{label}</label>
            <Invitation multiple={multiple} allowPaste={allowPaste} />
            <p className={fieldStyles.hint} id={`${id}-hint`}>
              {formatUploadLimits(purpose)}
            </p>
          </div>
          <input
            ref={input}
            id={id}
            type="file"
            name="file"
            accept={uploadRules[purpose].accept}
            multiple={hydrated && multiple}
            aria-invalid={problemId ? true : undefined}
            aria-describedby={`${id}-hint ${problemId}`.trim()}
            onChange={(event) => {
              uploads.choose([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
        </DropZone>
        {(problem || error) && (
          <Problem id={problemId}>{problem ? formatFieldProblem(purpose, problem) : error}</Problem>
        )}
        {items.length > 0 && (
          <ul className={styles.rows}>
            {items.map((item) => (
              <UploadRow
                key={item.key}
                item={item}
                note={note}
                takesFocus={!multiple}
                onNote={(text) => uploads.changeNote(item.key, text)}
                onCancel={() => uploads.cancel(item)}
              />
            ))}
          </ul>
        )}
        {(!hydrated || stagedCount > 0) && (
          <Button type="submit" variant="secondary" className={hydrated ? undefined : "stand-in"}>
            {stagedCount > 1 ? `Upload ${stagedCount} files` : "Upload"}
          </Button>
        )}
      </form>
      <p className="sr-only" aria-live="polite">
        {uploads.announcement}
      </p>
    </div>
  );
}

/** Counts how often `count` went down since the screen opened, for `UploadField`. */
export function useRemovals(count: number): number {
  const [previous, setPrevious] = useState({ count, removals: 0 });
  const isLess = count < previous.count;
  if (previous.count !== count)
    setPrevious({ count, removals: previous.removals + (isLess ? 1 : 0) });
  return previous.removals;
}

/** The input covers the entire zone, so that clicks, keys and dropped files all reach it. */
function DropZone({ hidden, children }: { hidden: boolean; children: React.ReactNode }) {
  const [isOver, setIsOver] = useState(false);
  usePreventStrayDrops();
  return (
    <div
      className={styles.zone}
      hidden={hidden}
      data-over={isOver || undefined}
      onDragEnter={() => setIsOver(true)}
      onDragOver={() => setIsOver(true)}
      onDragLeave={() => setIsOver(false)}
      onDrop={() => setIsOver(false)}
    >
      {children}
    </div>
  );
}

function Invitation({ multiple, allowPaste }: { multiple: boolean; allowPaste: boolean }) {
  return (
    <p className={`${styles.invitation} scripts-only`} aria-hidden="true">
      <span className={styles.choose}>{`Choose ${multiple ? "files" : "a file"}`}</span>
      <span className={styles.drop}>or drop {multiple ? "them" : "it"} here</span>
      {allowPaste && <span className={styles.drop}>or paste an image</span>}
    </p>
  );
}

function Problem({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className={fieldStyles.error} id={id} role="alert">
      <Icon name="error" />
      <span>{children}</span>
    </p>
  );
}

function UploadRow({
  item,
  note,
  takesFocus,
  onNote,
  onCancel,
}: {
  item: UploadItem;
  note?: NoteField;
  takesFocus: boolean;
  onNote: (text: string) => void;
  onCancel: () => void;
}) {
  const { file, state, loaded } = item;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (takesFocus) row.current?.focus();
  }, [takesFocus]);
  return (
    <li className={styles.row} data-state={state} ref={row} tabIndex={-1} aria-label={file.name}>
      {file.type.startsWith("image/") && <Preview file={file} />}
      <div className={styles.facts}>
        {state === "staged" ? (
          <p className={styles.name}>
            {file.name} <span className={styles.size}>{formatBytes(file.size)}</span>
          </p>
        ) : (
          <ProgressBar
            label={file.name}
            value={loaded}
            max={file.size}
            detail={formatProgress(item)}
          />
        )}
        {note && state === "staged" && (
          <Field
            label={note.label}
            maxLength={note.maxLength}
            name=""
            value={item.note}
            onChange={(event) => onNote(event.target.value)}
          />
        )}
      </div>
      {/* A file that is being checked may be stored already. */}
      {state !== "checking" && (
        <Button variant="ghost" size="sm" onClick={onCancel} aria-label={`Cancel ${file.name}`}>
          Cancel
        </Button>
      )}
    </li>
  );
}

function Preview({ file }: { file: File }) {
  const picture = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const address = URL.createObjectURL(file);
    picture.current?.setAttribute("src", address);
    return () => URL.revokeObjectURL(address);
  }, [file]);
  return <img className={styles.preview} ref={picture} alt="" width={56} height={56} />;
}

/** "3.2 MB of 8 MB · 40% · 400 KB/s · 12 s left". Lines break only between the parts. */
function formatProgress({ file, state, loaded, rate }: UploadItem): string {
  const done = [
    `${formatBytes(loaded)} of ${formatBytes(file.size)}`,
    `${Math.floor((loaded / file.size) * 100)}%`,
  ];
  return phrases()
    .map((phrase) => phrase.replaceAll(" ", "\u00a0"))
    .join(" · ");

  function phrases(): string[] {
    if (state === "queued") return [formatBytes(file.size), "Queued"];
    if (state === "checking") return ["Checking the file…"];
    if (state === "waiting for the connection") return [...done, "Waiting for the connection…"];
    if (rate.bytesPerSecond === null || rate.secondsLeft === null) return done;
    return [
      ...done,
      `${formatBytes(Math.round(rate.bytesPerSecond))}/s`,
      formatTimeLeft(rate.secondsLeft),
    ];
  }
}

/** "PDF, DOC or DOCX, up to 10 MB" */
function formatUploadLimits(purpose: UploadPurpose): string {
  const { kinds, maxBytes } = uploadRules[purpose];
  const names = kinds?.map((kind) =>
    kind === "jpg" ? "JPEG" : kind === "webp" ? "WebP" : kind.toUpperCase(),
  );
  const types = names ? formatAlternatives(names) : "Any type";
  return `${types}, up to ${formatBytes(maxBytes)}`;
}

/** Returns the file input, and takes files chosen before the scripts ran. */
function useFileInput(choose: (files: File[]) => void): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  const isChecked = useRef(false);
  useEffect(() => {
    if (isChecked.current || !input.current) return;
    isChecked.current = true;
    const files = [...(input.current.files ?? [])];
    input.current.value = "";
    if (files.length > 0) choose(files);
  });
  return input;
}

/**
 * Takes images pasted anywhere on the page and gives them distinct names. Spreadsheets copy text together with an
 * image of it: in a text field, that text is pasted as text.
 */
function usePastedImages(active: boolean, choose: (files: File[]) => void) {
  useEffect(() => {
    if (!active) return;
    const onPaste = (event: ClipboardEvent) => {
      const images = [...(event.clipboardData?.files ?? [])].filter(({ type }) =>
        type.startsWith("image/"),
      );
      const isWriting = event.target instanceof Element && event.target.matches("input, textarea");
      const hasText = event.clipboardData?.types.includes("text/plain");
      if (images.length === 0 || (isWriting && hasText)) return;
      event.preventDefault();
      const time = new Date().toTimeString().slice(0, 8).replaceAll(":", ".");
      choose(
        images.map(
          (image) => new File([image], `pasted-${time}-${image.name}`, { type: image.type }),
        ),
      );
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  });
}

/** A file dropped outside the zone would replace the page and discard typed text. */
function usePreventStrayDrops() {
  useEffect(() => {
    const keepPage = (event: DragEvent) => {
      if (event.target instanceof HTMLInputElement && event.target.type === "file") return;
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    };
    window.addEventListener("dragover", keepPage);
    window.addEventListener("drop", keepPage);
    return () => {
      window.removeEventListener("dragover", keepPage);
      window.removeEventListener("drop", keepPage);
    };
  }, []);
}

/** Moves the focus to the input when the focused last row is removed. */
function useFocusOnReturn(input: RefObject<HTMLInputElement | null>, rows: number) {
  const before = useRef(rows);
  useEffect(() => {
    if (before.current > 0 && rows === 0 && document.activeElement === document.body)
      input.current?.focus();
    before.current = rows;
  }, [rows, input]);
}
