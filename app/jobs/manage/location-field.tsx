import { type ComponentProps, useCallback, useEffect, useId, useRef, useState } from "react";
import { Button } from "../../ui/form/button.tsx";
import { Field } from "../../ui/form/field.tsx";
import { useLatestAnswer } from "../../ui/form/latest-answer.ts";
import type { LocationHelp } from "./details/suggest-from-location.server.ts";
import * as fieldStyles from "../../ui/form/field.module.css";
import * as styles from "./manage.module.css";

type FieldProps = Omit<ComponentProps<typeof Field>, "label" | "list" | "onChange">;

type Typed = { values: Partial<Record<string, string>>; address: string };

const noHelp: LocationHelp = { completions: [], details: [], conflict: null };

/**
 * The location of a listing, as free text. With scripts, it proposes places while a person types, and offers the details
 * that the location states once they leave the field. A press adds them.
 */
export function LocationField(field: FieldProps) {
  const list = useId();
  const offer = useRef<HTMLOutputElement>(null);
  const { answer: help, address, load } = useLatestAnswer(noHelp);
  /** The values of the form and the address of their help. Null while the person types the location. */
  const [typed, setTyped] = useState<Typed | null>(null);
  const [isAdded, setAdded] = useState(false);

  const update = useCallback(
    (form: HTMLFormElement) => {
      const values = toTypedValues(form);
      const next = buildAddress(values);
      setTyped({ values, address: next });
      if (values.location) void load(next);
    },
    [load],
  );

  // Other fields can change what is missing.
  useEffect(() => {
    const form = offer.current!.closest("form")!;
    const onChange = () => update(form);
    onChange();
    form.addEventListener("change", onChange);
    return () => form.removeEventListener("change", onChange);
  }, [update]);

  const values = typed?.address === address ? typed?.values : null;
  const missing = values ? help.details.filter(({ name }) => !isStated(values, name)) : [];

  function add() {
    const form = offer.current!.closest("form")!;
    for (const { name, value } of missing) {
      const control = form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
      if ("checked" in control && control.type === "checkbox") control.checked = true;
      else control.value = value;
    }
    form.dispatchEvent(new Event("change"));
    setAdded(true);
    // The button disappears.
    (form.elements.namedItem("location") as HTMLInputElement).focus();
  }

  return (
    <div>
      <Field
        label="Location *"
        {...field}
        list={list}
        autoComplete="off"
        // A text that is the same as before doesn't count as changed.
        onBlur={({ currentTarget: { form } }) => form && update(form)}
        onChange={({ currentTarget: { form } }) => {
          setTyped(null);
          setAdded(false);
          if (form) void load(buildAddress(toTypedValues(form)));
        }}
      />
      <datalist id={list}>
        {help.completions.map((location) => (
          <option key={location}>{location}</option>
        ))}
      </datalist>
      <output ref={offer} className={styles.offer}>
        {missing.length > 0 && (
          <>
            <span className={fieldStyles.hint}>
              Filters don't know yet what this location says:{" "}
              {missing.map(({ text }) => text).join(", ")}.
            </span>
            <Button variant="secondary" size="sm" onClick={add}>
              Add to the details
            </Button>
          </>
        )}
        {values && help.conflict && (
          <span className={fieldStyles.hint}>
            “{help.conflict[0]}” and “{help.conflict[1]}” don't fit together.
          </span>
        )}
        {isAdded && <span className={fieldStyles.hint}>Added to the details below.</span>}
      </output>
    </div>
  );
}

function toTypedValues(form: HTMLFormElement): Typed["values"] {
  // The form has no files.
  return Object.fromEntries(new FormData(form)) as Typed["values"];
}

function buildAddress({ location = "", workMode = "" }: Typed["values"]): string {
  return `/places?${new URLSearchParams({ location, mode: workMode }).toString()}`;
}

/** Checks whether the form states a detail. Places and "Anywhere" say the same of applicants. */
function isStated(typed: Typed["values"], name: string): boolean {
  const isHome = name === "anywhere" || name === "applicantPlaces";
  return Boolean(isHome ? typed.anywhere || typed.applicantPlaces : typed[name]);
}
