import {
  type ChangeEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Form } from "react-router";
import { Icon } from "../../ui/brand/icon.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/form/button.tsx";
import { Field, SelectField, TextAreaField } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { PinSign } from "../result/remark-item.tsx";
import { criteria, type Criterion, criteriaOf, isCriterion, partsOf } from "../rubric.ts";
import type { ServiceType } from "../rules.ts";
import { useEditor } from "./editor.tsx";
import { OwnPhrases, type PhrasesToUse, useAskedPhrases, WithPhrases } from "./phrases.tsx";
import { type Entry, fieldsOf } from "./remark-store.ts";
import {
  isSeverity,
  limits,
  type Remark,
  severities,
  type Severity,
  type Target,
  targetKey,
} from "./rules.ts";
import { placeLabel } from "./sheets.tsx";

type Writing = { serviceType: ServiceType; phrases: PhrasesToUse | null };

/** Every remark in reading order; each opens to be written. */
export function RemarkList({
  earlier = 0,
  blank,
  ...writing
}: Writing & {
  /** How many were written by a reviewer who had the review before. */
  earlier?: number;
  /** An id for the remark that is added without scripts. */
  blank: string;
}) {
  const { entries } = useEditor();
  const hydrated = useHydrated();
  const [plain, setPlain] = useState<string | null>(null);
  const isPlainToStay = plain !== null && entries.every(({ remark }) => remark.id !== plain);
  return (
    <section className="remarks" id="remarks" aria-labelledby="remarks-title">
      <h2 id="remarks-title">
        Remarks <span className="remarks-count">{entries.length}</span>
      </h2>
      {earlier > 0 && <Earlier count={earlier} />}
      {entries.length === 0 && <p className="text-ink-soft">{nothingYet}</p>}
      <ol>
        {entries.map((entry, index) => (
          <RemarkItem key={entry.remark.id} entry={entry} number={index + 1} {...writing} />
        ))}
      </ol>
      <Undo />
      {(!hydrated || isPlainToStay) && (
        <PlainAddition id={plain ?? blank} onShown={setPlain} {...writing} />
      )}
      {writing.phrases && <OwnPhrases {...writing.phrases} />}
    </section>
  );
}

/** Brings back what was deleted last; it has the focus where its remark had it. */
function Undo() {
  const { store, deleted, select, say } = useEditor();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (deleted && document.activeElement === document.body) button.current?.focus();
  }, [deleted]);
  if (!deleted) return null;
  return (
    <p className="remark-undo">
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

const nothingYet =
  "Point at what you mean: add remarks to the pages, and they stand here in the order of reading.";

function Earlier({ count }: { count: number }) {
  return (
    <Form method="post" className="remarks-earlier">
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

function RemarkItem({ entry, number, ...writing }: Writing & { entry: Entry; number: number }) {
  const { selected, select, close, pages, images } = useEditor();
  const { id, severity, text, target, area, rank } = entry.remark;
  const isSelected = selected === id;
  const place = placeLabel(target, { pages, images });
  const facts = [target && !area ? `all of ${place}` : place, rank && `do first: ${rank}`];
  return (
    <li id={`remark-${id}`} data-severity={severity} className="remark">
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
          <span className="remark-head">
            <span className="remark-facts">
              <span className="sr-only">Remark {number}: </span>
              <strong>{severities[severity].label}</strong> {facts.filter(Boolean).join(" · ")}
            </span>
            <span className="remark-text">{text || "Not written yet"}</span>
          </span>
          <RemarkState entry={entry} />
        </summary>
        <RemarkForm entry={entry} number={number} {...writing} />
      </details>
    </li>
  );
}

const stateWords = { unsaved: "Not saved yet", saving: "Saving…" } as const;

function RemarkState({ entry: { state, remark } }: { entry: Entry }) {
  if (state.name === "saved" || remark.text.trim() === "") return null;
  if (state.name === "conflict") return <span className="remark-state">Changed elsewhere</span>;
  if (state.name === "failed") return <span className="remark-state">Not saved</span>;
  return <span className="remark-state">{stateWords[state.name]}</span>;
}

function RemarkForm({
  entry,
  number,
  serviceType,
  phrases,
}: Writing & { entry: Entry; number: number }) {
  const { store, select, adopt, fresh, keep, drop } = useEditor();
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const { remark, state, taken } = entry;
  const { id } = remark;
  const isFresh = fresh === id;

  useEffect(() => {
    // Opened, and perhaps changed, before the scripts came.
    if (isFresh) return;
    const controls = form.current!.querySelectorAll<Control>("input, textarea, select");
    const changes = [...controls].filter(isChanged).map(changeOf);
    adopt(id, Object.assign({}, ...changes), form.current!.closest("details")!.open);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the scripts come
  }, []);

  function take({ target }: ChangeEvent<HTMLFormElement>) {
    store.change(id, changeOf(target as unknown as Control));
  }

  /** Enter in a remark that was kept begins a line, as in any text. */
  function onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      return isFresh ? drop(id) : keep();
    }
    const isText = event.target instanceof HTMLTextAreaElement;
    const keeps = event.ctrlKey || event.metaKey || (isFresh && !event.shiftKey);
    if (event.key !== "Enter" || !isText || !keeps) return;
    event.preventDefault();
    keep();
  }

  return (
    <Form
      method="post"
      className="remark-form"
      ref={form}
      onChange={take}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        if (!hydrated) return;
        event.preventDefault();
        keep();
      }}
    >
      <SheetHead entry={entry} number={number} />
      <PlainFields entry={entry} />
      {state.name === "conflict" && <OtherVersion id={id} current={state.current} />}
      {state.name === "failed" && (
        <p className="remark-problem" role="alert">
          Not saved. {state.message}
        </p>
      )}
      {/* What another tab has saved takes the place of what stands here. */}
      <Fields
        key={taken}
        remark={remark}
        serviceType={serviceType}
        phrases={phrases}
        isFresh={isFresh}
        onPhrase={(text) => store.change(id, { text })}
      />
      <div className="remark-buttons">
        <Button type="submit" name="intent" value="save-remark" size="sm">
          <span className="noscript:hidden">{isFresh ? "Keep" : "Done"}</span>
          <span className="hidden noscript:inline">Save remark</span>
        </Button>
        <FirstButton remark={remark} />
        <Button
          type={hydrated ? "button" : "submit"}
          name="intent"
          value="delete-remark"
          size="sm"
          variant="ghost"
          onClick={() => {
            if (!hydrated) return;
            select(null);
            drop(id);
          }}
        >
          <Icon name="trash" />
          Delete
        </Button>
      </div>
    </Form>
  );
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Whether a field is not as it was rendered. */
function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some(
      ({ selected, defaultSelected }) => selected !== defaultSelected,
    );
  if (control instanceof HTMLInputElement && control.type === "radio")
    return control.checked && !control.defaultChecked;
  return control.value !== control.defaultValue;
}

/** What a field says of its remark. */
function changeOf({ name, value }: Control): Partial<Remark> {
  if (name === "severity" && isSeverity(value)) return { severity: value };
  if (name === "criterion") return { criterion: isCriterion(value) ? value : null };
  if (name === "text") return { text: value };
  if (name === "quote" || name === "suggestion") return { [name]: value || null };
  return {};
}

/** What a phone shows above the form, which lies over the page there. */
function SheetHead({ entry: { remark }, number }: { entry: Entry; number: number }) {
  const { pages, images, keep } = useEditor();
  return (
    <p className="remark-sheet-head">
      <PinSign severity={remark.severity} number={number} />
      <span>{placeLabel(remark.target, { pages, images })}</span>
      <button type="button" className="icon-button needs-scripts" onClick={keep}>
        <Icon name="close" />
        <span className="sr-only">Close remark {number}</span>
      </button>
    </p>
  );
}

/** Says that a remark is one of the three to do first. */
function FirstButton({ remark: { id, rank } }: { remark: Remark }) {
  const { store } = useEditor();
  async function toggle() {
    const problem = await store.toggleRank(id, limits.ranks);
    if (problem)
      showToast({
        kind: "error",
        title: "Failed to save what comes first",
        description: problem,
      });
  }
  return (
    <Button
      size="sm"
      variant="secondary"
      className="needs-scripts"
      aria-pressed={rank !== null}
      onClick={() => void toggle()}
    >
      <Icon name="flag" />
      {rank === null ? "Do first" : `Do first: ${rank}`}
    </Button>
  );
}

/** What a browser without scripts sends besides what is typed. */
function PlainFields({ entry: { remark, saved } }: { entry: Entry }) {
  const { id, target, x, y, width, height } = fieldsOf(remark);
  const hidden = { id, target, x, y, width, height, base: saved ? String(saved.version) : "" };
  return Object.entries(hidden).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} readOnly />
  ));
}

function Fields({
  remark,
  serviceType,
  phrases,
  isFresh = false,
  onPhrase,
}: {
  remark: Remark;
  serviceType: ServiceType;
  phrases: PhrasesToUse | null;
  /** It is written for the first time, and takes the focus. */
  isFresh?: boolean;
  /** Takes the text with a phrase put in. */
  onPhrase(text: string): void;
}) {
  const hydrated = useHydrated();
  const hint = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const asked = useAskedPhrases(area, phrases?.own ?? null, onPhrase);
  useEffect(() => {
    if (isFresh) area.current?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it was added
  }, []);
  return (
    <>
      <WithPhrases asked={asked} text={remark.text} phrases={phrases}>
        <TextAreaField
          label="Remark"
          name="text"
          ref={area}
          rows={3}
          maxLength={limits.text}
          defaultValue={remark.text}
          required
          aria-describedby={hint}
          {...asked.onField}
        />
        {hydrated && isFresh && (
          <p className="remark-keys" id={hint}>
            Enter keeps it, Shift and Enter begin a line, Escape drops it.
            {phrases && " / finds your phrases."}
          </p>
        )}
      </WithPhrases>
      <Severities severity={remark.severity} />
      <SelectField
        label="Criterion"
        name="criterion"
        defaultValue={remark.criterion ?? ""}
        options={[
          { value: "", label: "None" },
          ...choosable(serviceType, remark.target).map((value) => ({
            value,
            label: criteria[value].label,
          })),
        ]}
      />
      <details className="remark-wording" open={remark.quote !== null || undefined}>
        <summary>Suggest a wording</summary>
        <Field
          label="Words on the page"
          name="quote"
          maxLength={limits.quote}
          defaultValue={remark.quote ?? ""}
        />
        <Field
          label="Write instead"
          name="suggestion"
          maxLength={limits.suggestion}
          defaultValue={remark.suggestion ?? ""}
        />
      </details>
    </>
  );
}

/** Those of the part that the page belongs to; of a screenshot all. */
function choosable(serviceType: ServiceType, target: Target | null): Criterion[] {
  const part = target?.kind === "page" ? target.part : null;
  return criteriaOf(serviceType).filter((key) => part === null || criteria[key].part === part);
}

function Severities({ severity }: { severity: Severity }) {
  return (
    <fieldset className="remark-severities">
      <legend>How much it matters</legend>
      {(Object.keys(severities) as Severity[]).map((value) => (
        <label key={value} data-severity={value}>
          <input
            type="radio"
            name="severity"
            value={value}
            defaultChecked={value === severity}
            className="sr-only"
          />
          <PinSign severity={value} />
          {severities[value].label}
        </label>
      ))}
    </fieldset>
  );
}

function OtherVersion({ id, current }: { id: string; current: Remark | null }) {
  const { store } = useEditor();
  return (
    <div className="other-text" role="alert">
      <p>
        {current
          ? "This remark was changed in another tab or window. The other text:"
          : "This remark was deleted in another tab or window."}
      </p>
      {current && <blockquote>{current.text}</blockquote>}
      <Button size="sm" variant="secondary" onClick={() => store.takeOther(id)}>
        {current ? "Use the other text" : "Delete it here too"}
      </Button>
      <Button size="sm" variant="ghost" onClick={() => store.keepOwn(id)}>
        {current ? "Keep this text" : "Keep it"}
      </Button>
    </div>
  );
}

/** Without scripts a remark is about a whole page or screenshot. */
function PlainAddition({
  id,
  serviceType,
  phrases,
  onShown,
}: Writing & {
  id: string;
  /** It stood there before the scripts came, perhaps with something typed in it: it stays until that is saved. */
  onShown(id: string): void;
}) {
  const { pages, images } = useEditor();
  const details = useRef<HTMLDetailsElement>(null);
  // Before anything of the takeover takes it away.
  useLayoutEffect(() => {
    if (details.current?.checkVisibility({ visibilityProperty: true })) onShown(id);
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the scripts come
  }, []);
  const targets: Target[] = [
    ...pages.map(({ part, number }) => ({ kind: "page" as const, part, page: number })),
    ...images.map((image) => ({ kind: "image" as const, imageId: image.id })),
  ];
  const places = targets.map((target) => ({
    value: targetKey(target),
    label: placeLabel(target, { pages, images }),
  }));
  if (places.length === 0) return null;
  const blank: Remark = {
    id,
    target:
      partsOf(serviceType).length > 1
        ? null
        : { kind: "page", part: partsOf(serviceType)[0]!, page: 1 },
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
    <details className="remark stand-in" ref={details}>
      <summary>Add a remark</summary>
      <Form method="post" className="remark-form">
        <input type="hidden" name="id" value={id} />
        <SelectField label="Place" name="target" options={places} />
        <Fields
          remark={blank}
          serviceType={serviceType}
          phrases={phrases}
          onPhrase={() => undefined}
        />
        <div className="remark-buttons">
          <Button type="submit" name="intent" value="save-remark" size="sm">
            Save remark
          </Button>
        </div>
      </Form>
    </details>
  );
}
