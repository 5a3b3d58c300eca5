import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Button } from "../../ui/form/button.tsx";
import { SelectField } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { listReviewParts } from "../../reviews/rubric.ts";
import { PinSign } from "../pin-sign.tsx";
import { EditorKeys } from "./editor-keys.tsx";
import { useEditor } from "./editor.tsx";
import { OwnPhrases } from "./phrases.tsx";
import { RemarkFields, RemarkForm, type Writing } from "./remark-form.tsx";
import { type Entry, isBlankEntry } from "./remark-store.ts";
import { getNumbers } from "../reading-order.ts";
import { type Remark, type Target, formatTargetKey } from "../rules.ts";
import { severities } from "../severities.ts";
import { formatTargetLabel } from "./sheets.tsx";
import * as styles from "./remarks.module.css";
import * as drawingsStyles from "../../ui/brand/drawings.module.css";
import * as remarkFormStyles from "./remark-form.module.css";

/** Lists all remarks in reading order, each with its form. */
export function RemarkList({
  earlier = 0,
  areComing,
  blank,
  ...writing
}: Writing & {
  /** The number of remarks by a former reviewer of this review. */
  earlier?: number;
  /** True while pages are being rendered. */
  areComing: boolean;
  /** The id of a remark that is added without scripts. */
  blank: string;
}) {
  const { entries, pages, images } = useEditor();
  const noPlace = areComing ? "soon" : "nowhere";
  const hydrated = useHydrated();
  const [plain, setPlain] = useState<string | null>(null);
  const numbers = getNumbers(entries.map(({ remark }) => remark));
  const isPlainToStay = plain !== null && entries.every(({ remark }) => remark.id !== plain);
  return (
    <section className={styles.remarks} id="remarks" aria-labelledby="remarks-title">
      <header className={styles.remarksHead}>
        <h2 id="remarks-title">
          Remarks <span className={styles.count}>{entries.length}</span>
        </h2>
        {/* The workspace has them beside its tabs. */}
        {!writing.phrases && <EditorKeys screen="editor" />}
      </header>
      {earlier > 0 && <EarlierRemarks count={earlier} />}
      {entries.length === 0 && (
        <EmptyState title="No remarks yet" drawing={pinnedSheet} level={3}>
          {nothingYet[pages.length + images.length > 0 ? "onPages" : noPlace]}
        </EmptyState>
      )}
      <ol>
        {entries.map((entry, index) => (
          <EditableRemark
            key={entry.remark.id}
            entry={entry}
            number={numbers[index]!}
            {...writing}
          />
        ))}
      </ol>
      <UndoDeletion />
      {(!hydrated || isPlainToStay) && (
        <PlainAddition id={plain ?? blank} onShown={setPlain} {...writing} />
      )}
      {writing.phrases && <OwnPhrases {...writing.phrases} />}
    </section>
  );
}

/** Offers to undo the last deletion. The button takes the focus if the deleted remark had it. */
function UndoDeletion() {
  const { store, deleted, select, say } = useEditor();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (deleted && document.activeElement === document.body) button.current?.focus();
  }, [deleted]);
  if (!deleted) return null;
  return (
    <p className={styles.undo}>
      Remark deleted.
      <Button
        ref={button}
        size="sm"
        variant="secondary"
        onClick={() => {
          select(store.undo());
          say("The remark is back.");
        }}
      >
        Undo
      </Button>
    </p>
  );
}

const nothingYet = {
  onPages: "Drag a box, click a point, or select words on a page. Press P for the whole page.",
  soon: "Once the pages are here, you can add remarks to them.",
  nowhere: "There are no pages to mark, so add screenshots and mark them.",
};

/** A sheet with a box that is tied to its pin. */
const pinnedSheet = (
  <>
    <path className={drawingsStyles.fill} d="M52 6h64v92H52z" />
    <path className={drawingsStyles.faint} d="M62 20h30M62 28h22M62 66h42M62 74h42M62 82h28" />
    <path d="M52 6h64v92H52z" />
    <path className={drawingsStyles.route} d="M68 40h38v16H68zM44 40h24" />
    <circle className={drawingsStyles.mark} cx="36" cy="40" r="11" />
    <path className={styles.dNumber} d="m33.5 37.5 3-2.5v10" />
  </>
);

function EarlierRemarks({ count }: { count: number }) {
  return (
    <Form method="post" className={styles.earlier}>
      <input type="hidden" name="intent" value="settle-earlier" />
      <p>
        {count === 1 ? "One remark was" : `${count} remarks were`} written by a reviewer who had
        this review before.
      </p>
      <Button type="submit" name="keep" value="yes" size="sm" variant="secondary">
        Keep them
      </Button>
      <Button type="submit" name="keep" value="no" size="sm" variant="ghost">
        Discard them
      </Button>
    </Form>
  );
}

function EditableRemark({ entry, number, ...writing }: Writing & { entry: Entry; number: number }) {
  const { selected, select, close, pages, images } = useEditor();
  const { id, severity, text, target, area, rank } = entry.remark;
  const isSelected = selected === id;
  const place = formatTargetLabel(target, { pages, images });
  const facts = [target && !area ? `all of ${place}` : place, rank && `do first: ${rank}`];
  return (
    <li id={`remark-${id}`} data-severity={severity} className={styles.remark}>
      <details
        name="remark"
        open={isSelected}
        onToggle={({ currentTarget: { open } }) => {
          if (open && !isSelected) select(id);
          if (!open && isSelected) close(id);
        }}
      >
        <summary>
          <PinSign severity={severity} number={number} />
          <span className={styles.head}>
            <span className={styles.facts}>
              <span className="sr-only">Remark {number}: </span>
              <strong>{severities[severity].label}</strong> {facts.filter(Boolean).join(" · ")}
            </span>
            <span className={styles.text}>{text || "Not written yet"}</span>
          </span>
          <RemarkState entry={entry} />
        </summary>
        <RemarkForm entry={entry} number={number} {...writing} />
      </details>
    </li>
  );
}

const stateWords = { unsaved: "Not saved yet", saving: "Saving…" } as const;

function RemarkState({ entry }: { entry: Entry }) {
  const { state } = entry;
  if (state.name === "saved" || isBlankEntry(entry)) return null;
  if (state.name === "conflict") return <span className={styles.state}>Changed elsewhere</span>;
  if (state.name === "failed") return <span className={styles.state}>Not saved</span>;
  return <span className={styles.state}>{stateWords[state.name]}</span>;
}

/** Renders the form that adds a remark without scripts, about a complete page or screenshot. */
function PlainAddition({
  id,
  serviceType,
  phrases,
  onShown,
}: Writing & {
  id: string;
  /**
   * Called if the form was visible before hydration. It may contain typed text, so it stays until that is
   * saved.
   */
  onShown(id: string): void;
}) {
  const { pages, images } = useEditor();
  const details = useRef<HTMLDetailsElement>(null);
  // A layout effect runs before hydration can hide the form.
  useLayoutEffect(() => {
    if (details.current?.checkVisibility({ visibilityProperty: true })) onShown(id);
    // oxlint-disable-next-line react/exhaustive-deps -- runs once, on hydration
  }, []);
  const targets: Target[] = [
    ...pages.map(({ part, number }) => ({ kind: "page" as const, part, page: number })),
    ...images.map((image) => ({ kind: "image" as const, imageId: image.id })),
  ];
  const places = targets.map((target) => ({
    value: formatTargetKey(target),
    label: formatTargetLabel(target, { pages, images }),
  }));
  if (places.length === 0) return null;
  const blank: Remark = {
    id,
    target:
      listReviewParts(serviceType).length > 1
        ? null
        : { kind: "page", part: listReviewParts(serviceType)[0]!, page: 1 },
    area: null,
    severity: "should",
    criterion: null,
    text: "",
    quote: null,
    suggestion: null,
    rank: null,
    version: 0,
  };
  return (
    <details className={`${styles.remark} stand-in`} ref={details}>
      <summary>Add a remark</summary>
      <Form method="post" className={remarkFormStyles.remarkForm}>
        <input type="hidden" name="id" value={id} />
        <SelectField label="Place" name="target" options={places} />
        <RemarkFields
          remark={blank}
          serviceType={serviceType}
          phrases={phrases}
          onPhrase={() => undefined}
        />
        <div className={remarkFormStyles.buttons}>
          <Button type="submit" name="intent" value="save-remark" size="sm">
            Save remark
          </Button>
        </div>
      </Form>
    </details>
  );
}
