import { type ChangeEvent, type KeyboardEvent, useEffect, useId, useRef } from "react";
import { Form } from "react-router";
import { Icon } from "../../ui/brand/icon.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/form/button.tsx";
import { Field, SelectField, TextAreaField } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { criteria, type Criterion, listReviewCriteria, isCriterion } from "../../reviews/rubric.ts";
import type { ServiceType } from "../../reviews/rules.ts";
import { PinSign } from "../pin-sign.tsx";
import { remarkShortcuts } from "../shortcuts/editor-shortcuts.ts";
import { findShortcut } from "../shortcuts/shortcuts.ts";
import { useEditor } from "./editor.tsx";
import { type PhrasesToUse, usePhraseSearch, WithPhrases } from "./phrases.tsx";
import { type Entry, toRemarkFields } from "./remark-store.ts";
import { limits, type Remark, type Target } from "../rules.ts";
import { isSeverity, severities, type Severity } from "../severities.ts";
import { formatTargetLabel } from "./sheets.tsx";
import * as styles from "./remark-form.module.css";
import * as buttonStyles from "../../ui/form/button.module.css";
import * as phrasesStyles from "./phrases.module.css";
import * as otherTextStyles from "../../ui/form/other-text.module.css";

/** The options of remark forms; phrases are a reviewer's own. */
export type Writing = { serviceType: ServiceType; phrases: PhrasesToUse | null };

/** Renders the form of one remark. It saves automatically, or by its button without scripts. */
export function RemarkForm({
  entry,
  number,
  serviceType,
  phrases,
}: Writing & { entry: Entry; number: number }) {
  const { store, select, adopt, fresh, keep, drop } = useEditor();
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const { remark, state, replaced } = entry;
  const { id } = remark;
  const isFresh = fresh === id;

  useEffect(() => {
    // It may have been opened or changed before hydration.
    if (isFresh) return;
    const controls = form.current!.querySelectorAll<Control>("input, textarea, select");
    const changes = [...controls].filter(isFieldChanged).map(toRemarkChange);
    adopt(id, Object.assign({}, ...changes), form.current!.closest("details")!.open);
    // oxlint-disable-next-line react/exhaustive-deps -- runs once, on hydration
  }, []);

  function take({ target }: ChangeEvent<HTMLFormElement>) {
    store.change(id, toRemarkChange(target as unknown as Control));
  }

  /** In a saved remark, Enter starts a new line, as in any text. */
  function onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    const action = findShortcut(remarkShortcuts, event);
    if (action === "leave") {
      event.stopPropagation();
      return isFresh ? drop(id) : keep();
    }
    const isText = event.target instanceof HTMLTextAreaElement;
    if (!isText || !(action === "keep" || (isFresh && action === "keepNew"))) return;
    event.preventDefault();
    keep();
  }

  return (
    <Form
      method="post"
      className={styles.remarkForm}
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
        <p className={styles.problem} role="alert">
          Not saved. {state.message}
        </p>
      )}
      {/* The key resets the fields when another tab's text replaces this one. */}
      <RemarkFields
        key={replaced}
        remark={remark}
        serviceType={serviceType}
        phrases={phrases}
        isFresh={isFresh}
        onPhrase={(text) => store.change(id, { text })}
      />
      <div className={styles.buttons}>
        <Button type="submit" name="intent" value="save-remark" size="sm">
          {isFresh ? (
            "Save remark"
          ) : (
            <>
              <span className="scripts-only">Done</span>
              <span className="no-scripts-only">Save remark</span>
            </>
          )}
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

/** Checks whether a field differs from how it was rendered. */
function isFieldChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some(
      ({ selected, defaultSelected }) => selected !== defaultSelected,
    );
  if (control instanceof HTMLInputElement && control.type === "radio")
    return control.checked && !control.defaultChecked;
  return control.value !== control.defaultValue;
}

/** Converts a field to a change of its remark. */
function toRemarkChange({ name, value }: Control): Partial<Remark> {
  if (name === "severity" && isSeverity(value)) return { severity: value };
  if (name === "criterion") return { criterion: isCriterion(value) ? value : null };
  if (name === "text") return { text: value };
  if (name === "quote" || name === "suggestion") return { [name]: value || null };
  return {};
}

/** Renders the form's header on phones, where the form covers the page. */
function SheetHead({ entry: { remark }, number }: { entry: Entry; number: number }) {
  const { pages, images, keep } = useEditor();
  return (
    <p className={styles.sheetHead}>
      <PinSign severity={remark.severity} number={number} />
      <span>{formatTargetLabel(remark.target, { pages, images })}</span>
      <button type="button" className={`${buttonStyles.iconButton} needs-scripts`} onClick={keep}>
        <Icon name="close" />
        <span className="sr-only">Close remark {number}</span>
      </button>
    </p>
  );
}

/** Marks a remark as one of the three to do first. */
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

/** Renders the hidden fields for browsers without scripts. */
function PlainFields({ entry: { remark, saved } }: { entry: Entry }) {
  const { id, target, area } = toRemarkFields(remark);
  const hidden = { id, target, area, base: saved ? String(saved.version) : "" };
  return Object.entries(hidden).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} readOnly />
  ));
}

/** Renders the fields of a remark. */
export function RemarkFields({
  remark,
  serviceType,
  phrases,
  isFresh = false,
  onPhrase,
}: {
  remark: Remark;
  serviceType: ServiceType;
  phrases: PhrasesToUse | null;
  /** True for a new remark, which takes the focus. */
  isFresh?: boolean;
  /** Receives the text after a phrase was inserted. */
  onPhrase(text: string): void;
}) {
  const hydrated = useHydrated();
  const hint = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const search = usePhraseSearch(area, phrases?.own ?? null, onPhrase);
  useEffect(() => {
    if (isFresh) area.current?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/exhaustive-deps -- runs once, when the form opens
  }, []);
  return (
    <>
      <WithPhrases search={search} text={remark.text} phrases={phrases}>
        <TextAreaField
          label="Remark"
          name="text"
          ref={area}
          rows={3}
          maxLength={limits.text}
          defaultValue={remark.text}
          required
          aria-describedby={hint}
          {...search.onField}
        />
        {hydrated && isFresh && (
          <p className={phrasesStyles.remarkKeys} id={hint}>
            Enter saves it, Shift+Enter starts a line, Escape discards it.
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
          ...listAvailableCriteria(serviceType, remark.target).map((value) => ({
            value,
            label: criteria[value].label,
          })),
        ]}
      />
      <details className={styles.wording} open={remark.quote !== null || undefined}>
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

/** Lists the criteria of the page's part; all of them for a screenshot. */
function listAvailableCriteria(serviceType: ServiceType, target: Target | null): Criterion[] {
  const part = target?.kind === "page" ? target.part : null;
  return listReviewCriteria(serviceType).filter(
    (key) => part === null || criteria[key].part === part,
  );
}

function Severities({ severity }: { severity: Severity }) {
  return (
    <fieldset className={styles.severities}>
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
    <div className={otherTextStyles.otherText} role="alert">
      <p>
        {current
          ? "This remark was changed in another tab or window. The other text:"
          : "This remark was deleted in another tab or window."}
      </p>
      {current && <blockquote>{current.text}</blockquote>}
      <Button size="sm" variant="secondary" onClick={() => store.takeTheirs(id)}>
        {current ? "Use the other text" : "Delete it here too"}
      </Button>
      <Button size="sm" variant="ghost" onClick={() => store.keepMine(id)}>
        {current ? "Keep this text" : "Keep it"}
      </Button>
    </div>
  );
}
