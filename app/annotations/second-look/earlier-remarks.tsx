import { useEffect, useId, useMemo, useRef, useSyncExternalStore } from "react";
import { Form } from "react-router";
import { criteria } from "../../reviews/rubric.ts";
import { Autosave, type AutosaveEntry } from "../../ui/autosave.ts";
import { Button } from "../../ui/form/button.tsx";
import { FormAlert, TextAreaField } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { saveLabels } from "../../ui/save-labels.ts";
import { sendChange } from "../../ui/send-change.ts";
import { useAutosave } from "../../ui/use-autosave.ts";
import { PinSign } from "../pin-sign.tsx";
import { useEditor } from "../remarks/editor.tsx";
import { formatArea, formatTargetKey } from "../rules.ts";
import { severities } from "../severities.ts";
import { CropFigure } from "./crop.tsx";
import type { EarlierRemark, EarlierReview } from "./find-second-look.server.ts";
import {
  buildPlaceCrop,
  isOutcomeComplete,
  maxNoteLength,
  type Outcome,
  outcomes,
  type Place,
  type SavedOutcome,
} from "./outcomes.ts";
import { RemarkWords } from "./remark-words.tsx";
import * as styles from "./earlier-remarks.module.css";
import * as otherTextStyles from "../../ui/form/other-text.module.css";

type Value = Omit<SavedOutcome, "version">;

/** An earlier remark with its outcome in this tab. */
type Entry = EarlierRemark & AutosaveEntry<Value, SavedOutcome>;

type Outcomes = {
  autosave: Autosave<string, Value, SavedOutcome>;
  entries: readonly Entry[];
};

/**
 * Returns the outcomes of a second look with their autosave; empty for a first review.
 *
 * @param address the endpoint that saves them
 */
export function useOutcomes(address: string, earlier: EarlierReview | null): Outcomes {
  const { autosave, remarks } = useMemo(
    () => ({
      autosave: createOutcomeAutosave(address, earlier?.remarks ?? []),
      remarks: earlier?.remarks ?? [],
    }),
    // oxlint-disable-next-line react/exhaustive-deps -- the tab's own outcomes replace later server data
    [address],
  );
  const saves = useSyncExternalStore(autosave.subscribe, autosave.snapshot, autosave.snapshot);
  useAutosave(autosave);
  return {
    autosave,
    entries: remarks.map((earlierRemark) => ({
      ...earlierRemark,
      ...saves.get(earlierRemark.remark.id)!,
    })),
  };
}

function createOutcomeAutosave(address: string, remarks: readonly EarlierRemark[]) {
  const saved = remarks.map(
    ({ remark, saved: onServer }) => [remark.id, onServer, toValue(onServer)] as const,
  );
  return new Autosave<string, Value, SavedOutcome>(saved, {
    async send(remarkId, { value, saved: onServer, leaving }) {
      const fields = {
        intent: "save-outcome",
        remarkId,
        outcome: value.outcome ?? "",
        note: value.note,
        target: value.place ? formatTargetKey(value.place.target) : "",
        area: formatArea(value.place?.area ?? null),
        base: String(onServer.version),
      };
      const result = await sendChange<SavedOutcome>(address, fields, leaving);
      return result.ok ? { ok: true, saved: result.result as SavedOutcome } : result;
    },
    toValue,
    isSame: (one, other) => formatOutcomeValue(one) === formatOutcomeValue(other),
  });
}

function toValue({ version: _version, ...value }: SavedOutcome): Value {
  return value;
}

function formatOutcomeValue({ outcome, note, place }: Value): string {
  return JSON.stringify([outcome, note.trim(), formatPlace(place)]);
}

/** Formats a place for a form field: "resume-1 0.1,0.2,0.5,0.05"; "" for none. */
function formatPlace(place: Place | null): string {
  return place ? `${formatTargetKey(place.target)} ${formatArea(place.area)}` : "";
}

/** Counts the outcomes that are finished. */
export function countComplete({ entries }: Outcomes): number {
  return entries.filter(({ value }) => isOutcomeComplete(value)).length;
}

type Refused = { errors: Record<string, string>; values: Record<string, string> } | undefined;

/** Renders the remarks of the earlier review, each with the form of its outcome. */
export function EarlierOutcomes({
  outcomes: all,
  refused,
}: {
  outcomes: Outcomes;
  refused: Refused;
}) {
  return (
    <section id="earlier" className={styles.earlier} aria-labelledby="earlier-title">
      <h2 id="earlier-title">Earlier remarks</h2>
      {all.entries.length === 0 ? (
        <p>The earlier review has no remarks that ask for a change.</p>
      ) : (
        <ol>
          {all.entries.map((entry) => {
            const isRefused = refused?.values.remarkId === entry.remark.id;
            return (
              <EarlierItem
                key={`${entry.remark.id} ${entry.replaced}`}
                entry={entry}
                autosave={all.autosave}
                refused={isRefused ? refused : undefined}
              />
            );
          })}
        </ol>
      )}
    </section>
  );
}

function EarlierItem({
  entry: { remark, from, before, proposal, value, saved, state },
  autosave,
  refused,
}: {
  entry: Entry;
  autosave: Outcomes["autosave"];
  refused: Refused;
}) {
  const hydrated = useHydrated();
  const { pages } = useEditor();
  const form = useRef<HTMLFormElement>(null);
  const { id, number, severity, criterion } = remark;
  // The pins on the earlier pages lead to their remarks by number.
  const titleId = `remark-${from ? id : number}`;
  const change = (changed: Partial<Value>) =>
    autosave.change(id, { ...autosave.get(id)!.value, ...changed });

  useEffect(() => {
    // Takes what was chosen and typed before hydration.
    const chosen = form.current!.querySelector<HTMLInputElement>("[name=outcome]:checked");
    const place = form.current!.querySelector<HTMLInputElement>("[name=place]:checked")!.value;
    const { value: note } = form.current!.querySelector("textarea")!;
    const { value: current } = autosave.get(id)!;
    const outcome = (chosen?.value as Outcome | undefined) ?? current.outcome;
    const options = [current.place, proposal];
    autosave.change(id, {
      outcome,
      note,
      place: options.find((option) => option && formatPlace(option) === place) ?? null,
    });
  }, [autosave, id, proposal]);

  const errors = refused?.errors ?? {};
  return (
    <li data-severity={severity} data-complete={isOutcomeComplete(value) || undefined}>
      <p className={styles.head} id={titleId}>
        <PinSign severity={severity} number={number} />
        <span className="sr-only">{`Earlier remark ${number}: `}</span>
        {from && <span>From the {from}</span>}
        <strong>{severities[severity].label}</strong>
        {criterion && <span>{criteria[criterion].label}</span>}
      </p>
      <RemarkWords remark={remark} />
      {before && <CropFigure crop={before} caption="Before" />}
      <Form method="post" ref={form} aria-labelledby={titleId}>
        <FormAlert>{errors[""]}</FormAlert>
        <input type="hidden" name="intent" value="save-outcome" />
        <input type="hidden" name="remarkId" value={id} />
        <input type="hidden" name="base" value={refused?.values.base ?? saved.version} />
        <Places
          place={value.place}
          proposal={proposal}
          pages={pages}
          onChange={(place) => change({ place })}
        />
        <fieldset className={styles.outcomes}>
          <legend className="sr-only">
            Outcome of earlier remark {number}
            {from && ` from the ${from}`}
          </legend>
          {(Object.keys(outcomes) as Outcome[]).map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="outcome"
                value={one}
                className="sr-only"
                checked={hydrated ? value.outcome === one : undefined}
                defaultChecked={hydrated ? undefined : isChosen(one, value, refused)}
                onChange={() => change({ outcome: one })}
              />
              {outcomes[one].label}
            </label>
          ))}
        </fieldset>
        <TextAreaField
          label="A sentence for the customer"
          name="note"
          rows={2}
          maxLength={maxNoteLength}
          defaultValue={refused?.values.note ?? value.note}
          onChange={(event) => change({ note: event.target.value })}
          onBlur={() => void autosave.flush()}
          error={hydrated ? undefined : (errors.note ?? errors.outcome)}
          hint={<OutcomeStatus value={value} state={state} />}
        />
        {state.name === "conflict" && (
          <div className={otherTextStyles.otherText} role="alert">
            <p>
              This outcome was changed in another tab or window. Nothing more is saved here until
              you choose. The other one: {formatOutcome(state.current)}
            </p>
            <Button variant="secondary" size="sm" onClick={() => autosave.takeTheirs(id)}>
              Use the other one
            </Button>
            <Button variant="ghost" size="sm" onClick={() => autosave.keepMine(id)}>
              Keep this one
            </Button>
          </div>
        )}
        {!hydrated && (
          <Button type="submit" variant="secondary" size="sm" className="stand-in">
            Save outcome
          </Button>
        )}
      </Form>
    </li>
  );
}

function isChosen(one: Outcome, value: Value, refused: Refused): boolean {
  return (refused?.values.outcome ?? value.outcome) === one;
}

function formatOutcome({ outcome, note }: SavedOutcome): string {
  return [outcome ? outcomes[outcome].label : "No outcome", note].filter(Boolean).join(". ");
}

/** Renders the places to choose from. A proposal counts only once the reviewer has chosen it. */
function Places({
  place,
  proposal,
  pages,
  onChange,
}: {
  place: Place | null;
  proposal: EarlierRemark["proposal"];
  pages: ReturnType<typeof useEditor>["pages"];
  onChange: (place: Place | null) => void;
}) {
  const name = useId();
  const { startPlacing, placing } = useEditor();
  const isProposed = formatPlace(place) === formatPlace(proposal);
  const option = place ?? proposal;
  const crop = option && buildPlaceCrop(pages, option);
  const options = [
    ...(proposal
      ? [
          {
            place: proposal as Place,
            label: proposal.hasSameWords
              ? "Here: the same words are there"
              : "Here: the same part of the page",
          },
        ]
      : []),
    ...(place && !isProposed ? [{ place, label: "The place that you marked" }] : []),
    { place: null, label: "No place on the new pages" },
  ];
  return (
    <div className={styles.places}>
      {crop && <CropFigure crop={crop} caption={place ? "After" : "Proposed, not confirmed"} />}
      <fieldset>
        <legend className="sr-only">Its place on the new pages</legend>
        {options.map((one) => {
          const key = formatPlace(one.place);
          const isCurrent = key === formatPlace(place);
          return (
            <label key={key || name}>
              <input
                type="radio"
                name="place"
                value={key}
                defaultChecked={isCurrent}
                onChange={() => onChange(one.place)}
              />
              {one.label}
            </label>
          );
        })}
        <Button
          variant="ghost"
          size="sm"
          className="needs-scripts"
          aria-pressed={placing === name}
          onClick={() =>
            startPlacing(name, (target, area) => {
              if (target.kind === "page") onChange({ target, area });
            })
          }
        >
          Mark it on the page
        </Button>
      </fieldset>
    </div>
  );
}

function OutcomeStatus({ value, state }: { value: Value; state: Entry["state"] }) {
  const isHalf = value.outcome !== null && !isOutcomeComplete(value);
  const labels = {
    ...saveLabels,
    saved: isHalf ? "Saved. Say what is left to do." : saveLabels.saved,
  };
  return (
    <output>
      {value.outcome === null && state.name === "saved" ? "No outcome yet" : labels[state.name]}
      {state.name === "failed" && `. ${state.message}`}
    </output>
  );
}
