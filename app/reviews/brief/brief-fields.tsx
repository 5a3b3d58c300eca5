import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useFetcher, useSearchParams } from "react-router";
import { backgroundForm } from "../../ui/background-form.ts";
import { Button } from "../../ui/form/button.tsx";
import { Field, TextAreaField } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { Link } from "../../ui/link.tsx";
import {
  briefFields,
  briefLimits,
  type OfferedBrief,
  questionFields,
  type TypedBrief,
} from "../brief.ts";

/**
 * The part of a payment where its buyer may say what they aim at. It is sent with the payment, and with
 * scripts saved while it is written; without, by {@link SaveBrief}.
 *
 * @param address of the step that it is a part of
 */
export function BriefFields({
  brief: { typed, kept, inShort, last, isOpen, jobs },
  address,
  errors,
  values,
}: {
  brief: OfferedBrief;
  address: string;
  errors: Record<string, string>;
  values: Record<string, string>;
}) {
  const frame = useRef<HTMLDetailsElement>(null);
  const { isTyped: isTypedHere, state, problems } = useSavedBrief(frame, `${address}&brief=open`);
  const shown = { ...problems, ...errors };
  const isRefused = briefFields.some((name) => shown[name]);
  const isTyped = briefFields.some((name) => values[name]);
  // It stays as it was opened or closed by hand, also when what was wrong is mended.
  const [isOpened, setIsOpened] = useState(false);
  useEffect(() => setIsOpened(frame.current?.open ?? false), []);
  const valueOf = (name: keyof TypedBrief) => values[name] ?? typed[name];
  const used = useTimesUsed();
  // Not what is kept later while the fields stay as they are.
  const [keptAtFirst] = useState(values.keptBrief ?? kept);
  return (
    <details
      ref={frame}
      className="brief"
      open={isOpened || isOpen || isRefused || isTyped}
      onToggle={(event) => setIsOpened(event.currentTarget.open)}
    >
      <summary>
        <strong>What should the reviewer look at? (optional)</strong>
        <span>{inShort || "The role you aim at, and up to three questions"}</span>
      </summary>
      {last && (
        <p className="brief-last">
          Last time: {last}.{" "}
          <Link to={`${address}&brief=last`} preventScrollReset replace>
            Use this again
          </Link>
        </p>
      )}
      <div className="brief-aim">
        <TargetField
          names={jobs}
          defaultValue={valueOf("targetRole")}
          error={shown.targetRole}
          key={`role ${used}`}
        />
        <Field
          label="Years of experience"
          name="years"
          inputMode="numeric"
          autoComplete="off"
          maxLength={10}
          defaultValue={valueOf("years")}
          key={`years ${used}`}
          error={shown.years}
          onKeyDown={staysHere}
        />
      </div>
      <fieldset>
        <legend>Questions to your reviewer</legend>
        <p className="field-hint">
          Up to three, of {briefLimits.question} characters each. They are answered one by one.
        </p>
        {questionFields.map((name, index) => (
          <TextAreaField
            key={`${name} ${used}`}
            label={`Question ${index + 1}`}
            name={name}
            rows={2}
            maxLength={briefLimits.question}
            defaultValue={valueOf(name)}
            error={shown[name]}
          />
        ))}
      </fieldset>
      <output className="brief-state">{state}</output>
      {/* What was typed here counts, also where it is as it was at first. */}
      {!isTypedHere && <input type="hidden" name="keptBrief" value={keptAtFirst} />}
    </details>
  );
}

/**
 * How often the address has begun to ask for the last brief: only then do its texts take the place of what is
 * typed, and not when an answer comes.
 */
function useTimesUsed(): number {
  const isAsked = useSearchParams()[0].has("brief");
  const [seen, setSeen] = useState({ isAsked, times: 0 });
  if (seen.isAsked !== isAsked) setSeen({ isAsked, times: seen.times + (isAsked ? 1 : 0) });
  return seen.times;
}

/** Saves the brief where no script does, without paying; it stands behind the button that pays. */
export function SaveBrief() {
  const hydrated = useHydrated();
  if (hydrated) return null;
  return (
    <Button type="submit" name="intent" value="save-brief" variant="secondary" className="stand-in">
      Save without paying
    </Button>
  );
}

/** The target in one's own words, or a job of our board: those that match are offered while one types. */
function TargetField({
  names,
  ...rest
}: {
  names: string[];
  defaultValue: string;
  error: string | undefined;
}) {
  const [found, setFound] = useState(names);
  const search = useRef<AbortController>(null);
  useEffect(() => () => search.current?.abort(), []);

  async function look(typed: string) {
    search.current?.abort();
    const own = new AbortController();
    search.current = own;
    try {
      const query = new URLSearchParams({ search: typed });
      const response = await fetch(`/services/target-jobs?${query.toString()}`, {
        signal: own.signal,
      });
      const isOurs = response.ok && !response.redirected;
      if (isOurs) setFound((await response.json()) as string[]);
    } catch {
      // What was found before is still offered, and any text can be written.
    }
  }

  return (
    <>
      <Field
        label="Target role"
        name="targetRole"
        list="jobs-of-the-board"
        autoComplete="off"
        maxLength={briefLimits.role}
        hint="In your words, or a job of our board."
        onChange={(event) => void look(event.target.value)}
        onKeyDown={staysHere}
        {...rest}
      />
      <datalist id="jobs-of-the-board">
        {found.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  );
}

/** Enter here is the end of a word, and not a wish to pay. */
function staysHere(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key === "Enter") event.preventDefault();
}

const pause = 700;

/**
 * Saves what is written after a short pause, when a field is left, and when the tab or the step is. What could not
 * be saved is sent again with the connection, or when it would be lost.
 */
function useSavedBrief(frame: RefObject<HTMLDetailsElement | null>, address: string) {
  const { submit, state, data } = useFetcher<{ saved?: true; errors?: Record<string, string> }>();
  const [isTyped, setIsTyped] = useState(false);
  const [isUnsaved, setIsUnsaved] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hasFailed = useRef(false);
  const sent = useRef(Promise.resolve());
  useEffect(() => {
    const details = frame.current;
    if (!details) return undefined;
    const save = (send: (fields: Record<string, string>) => unknown) => {
      if (timer.current === undefined && !hasFailed.current) return;
      clearTimeout(timer.current);
      timer.current = undefined;
      hasFailed.current = false;
      send({ intent: "save-brief", quietly: "yes", ...fieldsIn(details) });
    };
    const saveNow = () =>
      save((fields) => {
        sent.current = submit(fields, {
          method: "post",
          action: address,
          preventScrollReset: true,
        });
      });
    const saveTyped = () => timer.current !== undefined && saveNow();
    const saveSoon = () => {
      setIsTyped(true);
      setIsUnsaved(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(saveNow, pause);
    };
    // A request of the page would end with the page.
    const sendLeaving = (fields: Record<string, string>) =>
      void fetch(address, backgroundForm(fields, true)).catch(() => {});
    const saveLeavingPage = () => save(sendLeaving);
    // A page that stays can wait for what it has sent before.
    const saveLeavingStep = () =>
      save((fields) => void sent.current.then(() => sendLeaving(fields)));
    details.addEventListener("input", saveSoon);
    details.addEventListener("focusout", saveTyped);
    window.addEventListener("online", saveNow);
    window.addEventListener("pagehide", saveLeavingPage);
    return () => {
      saveLeavingStep();
      details.removeEventListener("input", saveSoon);
      details.removeEventListener("focusout", saveTyped);
      window.removeEventListener("online", saveNow);
      window.removeEventListener("pagehide", saveLeavingPage);
    };
  }, [frame, address, submit]);
  useEffect(() => {
    // More may have been typed before the answer came.
    if (state !== "idle" || !data || timer.current !== undefined) return;
    hasFailed.current = !data.saved;
    setIsUnsaved(false);
  }, [state, data]);

  const problems = data?.errors ?? {};
  const settled = data?.saved ? "Saved" : `Not saved yet. ${problems[""] ?? ""}`;
  return { isTyped, problems, state: isTyped ? (isUnsaved ? "Saving…" : settled) : "" };
}

function fieldsIn(details: HTMLElement): Record<string, string> {
  const fields = details.querySelectorAll<HTMLInputElement>("input, textarea");
  return Object.fromEntries([...fields].map(({ name, value }) => [name, value]));
}
