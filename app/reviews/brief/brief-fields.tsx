import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useRevalidator, useSearchParams } from "react-router";
import type { OwnPath } from "../../platform/own-path.ts";
import { Autosave, type SaveState } from "../../ui/autosave.ts";
import { Button } from "../../ui/form/button.tsx";
import { Field, SelectField, TextAreaField } from "../../ui/form/field.tsx";
import { useLatestAnswer } from "../../ui/form/latest-answer.ts";
import { useHydrated } from "../../ui/hydrated.ts";
import { Link } from "../../ui/link.tsx";
import { sendChange } from "../../ui/send-change.ts";
import { useAutosave } from "../../ui/use-autosave.ts";
import {
  briefFields,
  briefLimits,
  encodeBrief,
  type OfferedBrief,
  questionFields,
  type TypedBrief,
} from "../brief.ts";
import * as styles from "./brief.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";

/**
 * Renders the optional brief in the payment step. It is sent with the payment, and saved while typing.
 * Without scripts, {@link SaveBrief} saves it.
 *
 * @param address the address of the payment step
 */
export function BriefFields({
  brief: { typed, kept, inShort, last, isOpen, jobs, wishes },
  saved: { isTyped: isTypedHere, status, problems, change, hasUnsaved, flush },
  address,
  errors,
  values,
}: {
  brief: OfferedBrief;
  saved: SavedBrief;
  address: `${OwnPath}?${string}`;
  errors: Record<string, string>;
  values: Record<string, string>;
}) {
  const frame = useRef<HTMLDetailsElement>(null);
  const messages = { ...problems, ...errors };
  const isRefused = briefFields.some((name) => messages[name]);
  const isTyped = briefFields.some((name) => values[name]);
  // It stays open or closed as the person left it, even after errors are fixed.
  const [isOpened, setIsOpened] = useState(false);
  useEffect(() => setIsOpened(frame.current?.open ?? false), []);
  useFieldEvents(frame, { onInput: change, onLeave: () => hasUnsaved() && void flush() });
  const valueOf = (name: keyof TypedBrief) => values[name] ?? typed[name];
  const reuses = useReuseCount();
  // The brief saved at first rendering, not a later save from another tab.
  const [keptAtFirst] = useState(values.keptBrief ?? kept);
  return (
    <details
      ref={frame}
      className={styles.brief}
      open={isOpened || isOpen || isRefused || isTyped}
      onToggle={(event) => setIsOpened(event.currentTarget.open)}
    >
      <summary>
        <strong>What should the reviewer look at? (optional)</strong>
        <span>
          {inShort || "The role you want, up to three questions, and a wish for your reviewer"}
        </span>
      </summary>
      {last && (
        <p className={styles.last}>
          Last time: {last}.{" "}
          <Link to={`${address}&brief=last`} preventScrollReset replace>
            Use this again
          </Link>
        </p>
      )}
      <div className={styles.aim}>
        <TargetField
          names={jobs}
          defaultValue={valueOf("targetRole")}
          error={messages.targetRole}
          key={`role ${reuses}`}
        />
        <Field
          label="Years of experience"
          name="years"
          inputMode="numeric"
          autoComplete="off"
          maxLength={10}
          defaultValue={valueOf("years")}
          key={`years ${reuses}`}
          error={messages.years}
          onKeyDown={preventSubmit}
        />
      </div>
      <fieldset>
        <legend>Questions to your reviewer</legend>
        <p className={fieldStyles.hint}>
          Up to three, of {briefLimits.question} characters each. They are answered one by one.
        </p>
        {questionFields.map((name, index) => (
          <TextAreaField
            key={`${name} ${reuses}`}
            label={`Question ${index + 1}`}
            name={name}
            rows={2}
            maxLength={briefLimits.question}
            defaultValue={valueOf(name)}
            error={messages[name]}
          />
        ))}
      </fieldset>
      <fieldset>
        <legend>A wish for your reviewer</legend>
        <p className={fieldStyles.hint}>
          We try to find a reviewer who matches, but we can&apos;t promise it. It changes neither
          the price nor the due time.
        </p>
        <SelectField
          label="A field that your reviewer knows"
          name="wishedField"
          options={[noWish, ...wishes.fields]}
          defaultValue={valueOf("wishedField")}
          error={messages.wishedField}
          key={`field ${reuses}`}
        />
        <SelectField
          label="A language that your reviewer speaks"
          name="wishedLanguage"
          options={[noWish, ...wishes.languages]}
          defaultValue={valueOf("wishedLanguage")}
          error={messages.wishedLanguage}
          key={`language ${reuses}`}
        />
      </fieldset>
      <output className={styles.state}>{status}</output>
      {/* After typing, the form's text counts even if it equals the first one. */}
      {!isTypedHere && <input type="hidden" name="keptBrief" value={keptAtFirst} />}
    </details>
  );
}

const noWish = { value: "", label: "No wish" };

/** Listens to all fields inside an element at once. */
function useFieldEvents(
  frame: RefObject<HTMLElement | null>,
  on: { onInput(fields: HTMLElement): void; onLeave(): void },
): void {
  const latest = useRef(on);
  useEffect(() => {
    latest.current = on;
  });
  useEffect(() => {
    const fields = frame.current!;
    const onInput = () => latest.current.onInput(fields);
    const onLeave = () => latest.current.onLeave();
    fields.addEventListener("input", onInput);
    fields.addEventListener("focusout", onLeave);
    return () => {
      fields.removeEventListener("input", onInput);
      fields.removeEventListener("focusout", onLeave);
    };
  }, [frame]);
}

/** Counts requests for the last brief. Only these replace typed text; other responses do not. */
function useReuseCount(): number {
  const isAsked = useSearchParams()[0].has("brief");
  const [previous, setPrevious] = useState({ isAsked, times: 0 });
  if (previous.isAsked !== isAsked)
    setPrevious({ isAsked, times: previous.times + (isAsked ? 1 : 0) });
  return previous.times;
}

/**
 * Renders the button that saves the brief without paying, for browsers without scripts. It is placed after
 * the pay button.
 */
export function SaveBrief() {
  const hydrated = useHydrated();
  if (hydrated) return null;
  return (
    <Button type="submit" name="intent" value="save-brief" variant="secondary" className="stand-in">
      Save without paying
    </Button>
  );
}

/** Renders the target field, which suggests matching jobs of our board while typing. */
function TargetField({
  names,
  ...rest
}: {
  names: string[];
  defaultValue: string;
  error: string | undefined;
}) {
  const { answer: suggestions, load } = useLatestAnswer(names);
  return (
    <>
      <Field
        label="Target role"
        name="targetRole"
        list="jobs-of-the-board"
        autoComplete="off"
        maxLength={briefLimits.role}
        hint="In your words, or a job of our board."
        onChange={({ target }) => void load(buildSearchAddress(target.value))}
        onKeyDown={preventSubmit}
        {...rest}
      />
      <datalist id="jobs-of-the-board">
        {suggestions.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  );
}

function buildSearchAddress(search: string): string {
  return `/services/target-jobs?${new URLSearchParams({ search }).toString()}`;
}

/** Prevents Enter from submitting the payment. */
function preventSubmit(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key === "Enter") event.preventDefault();
}

/**
 * Returns the brief in this tab, with autosave. Its fields are uncontrolled and read on each change.
 *
 * @param service a type of review, or the review that a second look is for
 */
export function useSavedBrief(service: string, typed: TypedBrief) {
  const [{ autosave, saver }] = useState(() => createBriefAutosave(service, typed));
  const entries = useSyncExternalStore(autosave.subscribe, autosave.snapshot, autosave.snapshot);
  const { state } = entries.get("brief")!;
  const [isTyped, setIsTyped] = useState(false);
  useAutosave(saver);
  const { revalidate } = useRevalidator();
  const isSignedOut = state.name === "failed" && state.code === "signed-out";
  useEffect(() => {
    if (!isSignedOut) return;
    // The server restores the brief after the login. Sending it from the login screen would replace it.
    autosave.setPaused(true);
    void revalidate();
  }, [isSignedOut, autosave, revalidate]);
  return {
    isTyped,
    problems: (state.name === "failed" && state.errors) || {},
    status: isTyped ? formatSaveStatus(state) : "",
    hasUnsaved: () => autosave.hasUnsaved,
    flush: () => autosave.flush(),
    /** Reads the fields inside an element and saves them. */
    change(fields: HTMLElement) {
      setIsTyped(true);
      autosave.setPaused(false);
      autosave.change("brief", readBriefFields(fields));
    },
  };
}

type SavedBrief = ReturnType<typeof useSavedBrief>;

function createBriefAutosave(service: string, typed: TypedBrief) {
  const autosave = new Autosave<"brief", TypedBrief>([["brief", typed, typed]], {
    async send(_, { value, leaving }) {
      const fields = { intent: "save-brief", service, ...value };
      const result = await sendChange<TypedBrief>("/profile/changes", fields, leaving);
      return result.ok ? { ok: true, saved: value } : result;
    },
    toValue: (saved) => saved,
    isSame: (one, other) => encodeBrief(one) === encodeBrief(other),
  });
  const saver = {
    flush: (options?: { leaving?: boolean }) => autosave.flush(options),
    get hasUnsaved() {
      return autosave.hasUnsaved;
    },
    // Leaving for the payment provider sends the brief with the payment.
    isLostOnClose: false,
  };
  return { autosave, saver };
}

function formatSaveStatus(state: SaveState<TypedBrief>): string {
  if (state.name === "saved") return "Saved";
  if (state.name !== "failed") return "Saving…";
  return state.errors?.[""] ? `Not saved yet. ${state.errors[""]}` : "Not saved yet.";
}

function readBriefFields(frame: HTMLElement): TypedBrief {
  const fields = frame.querySelectorAll<HTMLInputElement>("input, textarea, select");
  const texts = Object.fromEntries([...fields].map(({ name, value }) => [name, value]));
  return Object.fromEntries(briefFields.map((name) => [name, texts[name] ?? ""])) as TypedBrief;
}
