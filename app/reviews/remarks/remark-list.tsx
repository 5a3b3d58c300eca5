import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { Icon } from "../../ui/brand/icon.tsx";
import { Button } from "../../ui/form/button.tsx";
import { Field, SelectField, TextAreaField } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { criteria, type Criterion, criteriaOf, isCriterion, partsOf } from "../rubric.ts";
import type { ServiceType } from "../rules.ts";
import { sendRemarkForm, useEditor } from "./editor.tsx";
import { type Entry, fieldsOf } from "./remark-store.ts";
import {
  isSeverity,
  limits,
  type Remark,
  severities,
  type Severity,
  type Target,
} from "./rules.ts";
import type { Phrase } from "./scores.server.ts";
import { pageLabel } from "./sheets.tsx";

type Writing = { serviceType: ServiceType; address: string; phrases: readonly Phrase[] };

/** Every remark in reading order; each opens to be written. */
export function RemarkList({
  earlier,
  blank,
  ...writing
}: Writing & {
  /** How many were written by a reviewer who had the review before. */
  earlier: number;
  /** An id for the remark that is added without scripts. */
  blank: string;
}) {
  const { store, entries, deleted, say, select } = useEditor();
  const hydrated = useHydrated();
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
      {deleted && (
        <p className="remark-undo" role="status">
          Remark deleted.
          <Button
            size="sm"
            variant="secondary"
            onClick={() => {
              const id = store.undo();
              if (id) select(id);
              say("The remark is back.");
            }}
          >
            Undo
          </Button>
        </p>
      )}
      {!hydrated && <PlainAddition id={blank} {...writing} />}
      {writing.phrases.length > 0 && <OwnPhrases phrases={writing.phrases} />}
    </section>
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
  const { selected, select } = useEditor();
  const { id, severity, text } = entry.remark;
  const isSelected = selected === id;
  return (
    <li id={`remark-${id}`} data-severity={severity} className="remark">
      <details
        open={isSelected}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open !== isSelected) select(currentTarget.open ? id : null);
        }}
      >
        <summary>
          <span className="remark-number">{number}</span>
          <span className="remark-head">
            <span className="remark-severity">{severities[severity].label}</span>
            <span className="remark-text">{text || "Not written yet"}</span>
          </span>
          <RemarkState entry={entry} />
        </summary>
        <RemarkForm entry={entry} {...writing} />
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

function RemarkForm({ entry, serviceType, address, phrases }: Writing & { entry: Entry }) {
  const { store, select, selected, say } = useEditor();
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const { remark, saved, state } = entry;
  const { id } = remark;
  const isNew = !saved && remark.text === "";

  useEffect(() => {
    if (selected !== id || !isNew) return;
    form.current?.querySelector("textarea")?.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it was added
  }, []);

  function take({ target }: ChangeEvent<HTMLFormElement>) {
    const { name, value } = target as unknown as HTMLInputElement;
    if (name === "severity" && isSeverity(value)) store.change(id, { severity: value });
    if (name === "criterion") store.change(id, { criterion: isCriterion(value) ? value : null });
    if (name === "text") store.change(id, { text: value });
    if (name === "quote") store.change(id, { quote: value || null });
    if (name === "suggestion") store.change(id, { suggestion: value || null });
  }

  return (
    <Form
      method="post"
      className="remark-form"
      ref={form}
      onChange={take}
      onSubmit={(event) => {
        if (!hydrated) return;
        event.preventDefault();
        void store.flush();
      }}
    >
      <PlainFields entry={entry} />
      {state.name === "conflict" && <OtherVersion id={id} current={state.current} />}
      {state.name === "failed" && (
        <p className="remark-problem" role="alert">
          Not saved. {state.message}
        </p>
      )}
      {/* What another tab has saved takes the place of what stands here. */}
      <Fields key={saved?.version ?? 0} remark={remark} serviceType={serviceType} />
      {hydrated && (
        <Phrases
          text={remark.text}
          phrases={phrases}
          address={address}
          onTake={(text) => {
            store.change(id, { text });
            const area = form.current?.querySelector("textarea");
            if (area) {
              area.value = text;
              area.focus();
            }
          }}
        />
      )}
      <div className="remark-buttons">
        {!hydrated && (
          <Button type="submit" name="intent" value="save-remark" size="sm" className="stand-in">
            Save remark
          </Button>
        )}
        {hydrated && (
          <Button
            size="sm"
            variant="secondary"
            aria-pressed={remark.rank !== null}
            onClick={() => void store.toggleRank(id, limits.ranks)}
          >
            <Icon name="flag" />
            {remark.rank === null ? "Do first" : `Do first: ${remark.rank}`}
          </Button>
        )}
        <Button
          type={hydrated ? "button" : "submit"}
          name="intent"
          value="delete-remark"
          size="sm"
          variant="ghost"
          onClick={() => {
            if (!hydrated) return;
            store.delete(id);
            select(null);
            say("Remark deleted.");
          }}
        >
          <Icon name="trash" />
          Delete
        </Button>
      </div>
    </Form>
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

function Fields({ remark, serviceType }: { remark: Remark; serviceType: ServiceType }) {
  return (
    <>
      <Severities id={remark.id} severity={remark.severity} />
      <TextAreaField
        label="Remark"
        name="text"
        rows={3}
        maxLength={limits.text}
        defaultValue={remark.text}
        required
      />
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

function Severities({ id, severity }: { id: string; severity: Severity }) {
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
            aria-describedby={`remark-${id}`}
          />
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

/** At the end of a text, "/" and a few letters of what is meant. */
const asked = /(^|\s)\/([\p{L}\d]*)$/u;

const phraseKept = "Kept. Type / and a few of its letters to use it again.";

function Phrases({
  text,
  phrases,
  address,
  onTake,
}: {
  text: string;
  phrases: readonly Phrase[];
  address: string;
  onTake(text: string): void;
}) {
  const [said, setSaid] = useState<string | null>(null);
  const letters = asked.exec(text)?.[2]?.toLowerCase();
  if (letters === undefined) {
    const canKeep = text.trim() !== "" && !phrases.some((phrase) => phrase.text === text.trim());
    if (!canKeep) return null;
    return (
      <p className="phrase-keep">
        {said === null ? (
          <Button
            size="sm"
            variant="ghost"
            onClick={() =>
              void sendRemarkForm(address, { intent: "save-phrase", text }).then((answer) =>
                setSaid(answer.ok ? phraseKept : answer.message),
              )
            }
          >
            Keep as a phrase
          </Button>
        ) : (
          <span role="status">{said}</span>
        )}
      </p>
    );
  }
  const found = phrases.filter((phrase) => phrase.text.toLowerCase().includes(letters)).slice(0, 6);
  return (
    <div className="phrases" role="group" aria-label="Saved phrases">
      {found.length === 0 && <p>No saved phrase has these letters.</p>}
      {found.map((phrase) => (
        <button
          key={phrase.id}
          type="button"
          onClick={() => onTake(text.replace(asked, `$1${phrase.text.replaceAll("$", "$$$$")}`))}
        >
          {phrase.text}
        </button>
      ))}
    </div>
  );
}

/** Where a phrase is deleted again. */
function OwnPhrases({ phrases }: { phrases: readonly Phrase[] }) {
  return (
    <details className="own-phrases">
      <summary>Your saved phrases ({phrases.length})</summary>
      <ul>
        {phrases.map(({ id, text }) => (
          <li key={id}>
            <span>{text}</span>
            <Form method="post">
              <input type="hidden" name="id" value={id} />
              <Button
                type="submit"
                name="intent"
                value="delete-phrase"
                size="sm"
                variant="ghost"
                aria-description={text}
              >
                Delete
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Without scripts a remark is about a whole page or screenshot. */
function PlainAddition({ id, serviceType }: Writing & { id: string }) {
  const { pages, images } = useEditor();
  const countOf = (part: string) => pages.filter((page) => page.part === part).length;
  const places = [
    ...pages.map((page) => ({
      value: `${page.part}-${page.number}`,
      label: pageLabel(page, countOf(page.part)),
    })),
    ...images.map((image) => ({ value: `image-${image.id}`, label: image.label })),
  ];
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
    <details className="remark stand-in">
      <summary>Add a remark</summary>
      <Form method="post" className="remark-form">
        <input type="hidden" name="id" value={id} />
        <SelectField label="Place" name="target" options={places} />
        <Fields remark={blank} serviceType={serviceType} />
        <div className="remark-buttons">
          <Button type="submit" name="intent" value="save-remark" size="sm">
            Save remark
          </Button>
        </div>
      </Form>
    </details>
  );
}
