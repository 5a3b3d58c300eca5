import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Button } from "../../ui/form/button.tsx";
import { Field } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { ProgressBar } from "../../ui/feedback/progress.tsx";
import { formatBytes, formatAlternatives, type UploadPurpose, uploadRules } from "../rules.ts";
import { formatFieldProblem } from "../upload-messages.ts";
import { formatTimeLeft } from "./upload-progress.ts";
import { type UploadItem, useUploads } from "./use-uploads.ts";

type NoteField = { label: string; maxLength?: number };

/**
 * A field to drop, choose or paste a file, which is then sent with a progress bar. Without scripts it is a
 * plain form. With a `note`, chosen files wait with a text field until they are sent. Its screen needs an
 * `UploadGuard`.
 *
 * @param next own path to come back to without scripts
 * @param error what the screen has to say about it
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
}: {
  purpose: UploadPurpose;
  target: string;
  label: string;
  next: string;
  note?: NoteField;
  error?: string;
  onDone?: () => void;
  multiple?: boolean;
  allowPaste?: boolean;
  /** Counts removals whose button had the focus, which then moves to the field. */
  removals?: number;
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
  const said = problem || error ? `${id}-problem` : "";
  return (
    <div className="upload" data-live={hydrated || undefined}>
      <form method="post" encType="multipart/form-data" action={action} onSubmit={send}>
        {note && !hydrated && (
          <Field label={note.label} name="note" maxLength={note.maxLength} className="stand-in" />
        )}
        <DropZone hidden={!isFree}>
          <Icon name="upload" />
          <label htmlFor={id}>{label}</label>
          <Invitation multiple={multiple} allowPaste={allowPaste} />
          <p className="field-hint" id={`${id}-hint`}>
            {formatUploadLimits(purpose)}
          </p>
          <input
            ref={input}
            id={id}
            type="file"
            name="file"
            accept={uploadRules[purpose].accept}
            multiple={hydrated && multiple}
            aria-invalid={said ? true : undefined}
            aria-describedby={`${id}-hint ${said}`.trim()}
            onChange={(event) => {
              uploads.choose([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
        </DropZone>
        {(problem || error) && (
          <Problem id={said}>{problem ? formatFieldProblem(purpose, problem) : error}</Problem>
        )}
        {items.length > 0 && (
          <ul className="upload-rows">
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

/** Counts how often `count` has become less since the screen was opened, for `UploadField`. */
export function useRemovals(count: number): number {
  const [seen, setSeen] = useState({ count, removals: 0 });
  const isLess = count < seen.count;
  if (seen.count !== count) setSeen({ count, removals: seen.removals + (isLess ? 1 : 0) });
  return seen.removals;
}

/** The input lies over the whole of it, so that a click, a key and a dropped file all reach it. */
function DropZone({ hidden, children }: { hidden: boolean; children: React.ReactNode }) {
  const [isOver, setIsOver] = useState(false);
  useNoFilesBeside();
  return (
    <div
      className="upload-zone"
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
    <p className="upload-invitation noscript:hidden" aria-hidden="true">
      <span className="upload-choose">{`Choose ${multiple ? "files" : "a file"}`}</span>
      <span className="upload-drop">or drop {multiple ? "them" : "it"} here</span>
      {allowPaste && <span className="upload-drop">or paste a picture</span>}
    </p>
  );
}

function Problem({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className="field-error" id={id} role="alert">
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
  const { file, state, sent } = item;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (takesFocus) row.current?.focus();
  }, [takesFocus]);
  return (
    <li className="upload-row" data-state={state} ref={row} tabIndex={-1} aria-label={file.name}>
      {file.type.startsWith("image/") && <Preview file={file} />}
      <div className="upload-facts">
        {state === "staged" ? (
          <p className="upload-name">
            {file.name} <span className="upload-size">{formatBytes(file.size)}</span>
          </p>
        ) : (
          <ProgressBar
            label={file.name}
            value={sent}
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
      {/* What is being checked may be kept already. */}
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
  return <img className="upload-preview" ref={picture} alt="" width={56} height={56} />;
}

/** "3.2 MB of 8 MB · 40% · 400 KB/s · 12 s left", which breaks between its parts only. */
function formatProgress({ file, state, sent, rate }: UploadItem): string {
  const done = [
    `${formatBytes(sent)} of ${formatBytes(file.size)}`,
    `${Math.floor((sent / file.size) * 100)}%`,
  ];
  return phrases()
    .map((phrase) => phrase.replaceAll(" ", "\u00a0"))
    .join(" · ");

  function phrases(): string[] {
    if (state === "queued") return [formatBytes(file.size), "waits for its turn"];
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

/** The file input; what was chosen in it before the scripts ran is taken then. */
function useFileInput(choose: (files: File[]) => void): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  const hasLooked = useRef(false);
  useEffect(() => {
    if (hasLooked.current || !input.current) return;
    hasLooked.current = true;
    const files = [...(input.current.files ?? [])];
    input.current.value = "";
    if (files.length > 0) choose(files);
  });
  return input;
}

/**
 * Takes pictures that are pasted anywhere on the page, under names that tell them apart. Words that bring a picture of
 * themselves along, as those of a spreadsheet do, stay words where one writes.
 */
function usePastedImages(active: boolean, choose: (files: File[]) => void) {
  useEffect(() => {
    if (!active) return;
    const onPaste = (event: ClipboardEvent) => {
      const images = [...(event.clipboardData?.files ?? [])].filter(({ type }) =>
        type.startsWith("image/"),
      );
      const isWriting = event.target instanceof Element && event.target.matches("input, textarea");
      const hasWords = event.clipboardData?.types.includes("text/plain");
      if (images.length === 0 || (isWriting && hasWords)) return;
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

/** A file let go beside the zone would replace the page, and all that is typed in it. */
function useNoFilesBeside() {
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

/** Moves the focus to the input when the last row, which had it, is removed. */
function useFocusOnReturn(input: RefObject<HTMLInputElement | null>, rows: number) {
  const before = useRef(rows);
  useEffect(() => {
    if (before.current > 0 && rows === 0 && document.activeElement === document.body)
      input.current?.focus();
    before.current = rows;
  }, [rows, input]);
}
