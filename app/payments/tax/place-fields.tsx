import { Field, SelectField } from "../../ui/form/field.tsx";
import { useTypedInTab } from "../../ui/form/typed-in-tab.ts";
import type { OfferedPlace } from "./buyer-place.ts";

/** Asks for the buyer's State and their company's GSTIN, which decide the tax on the invoice. */
export function PlaceFields({
  offered,
  values,
  errors,
}: {
  offered: OfferedPlace;
  values: Record<string, string>;
  errors: Record<string, string>;
}) {
  const options = [
    { value: "", label: "Choose your State" },
    ...offered.states.map((state) => ({ value: state, label: state })),
  ];
  return (
    <>
      <SelectField
        label="State"
        name="state"
        required
        autoComplete="address-level1"
        hint="Prices include GST. Your State decides which GST is on the invoice."
        options={options}
        defaultValue={values.state ?? offered.state}
        error={errors.state}
        {...useTypedInTab<HTMLSelectElement>(`state over ${offered.state}`)}
      />
      <Field
        label="GSTIN of your company (optional)"
        name="gstin"
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        maxLength={30}
        hint="Only if your company pays. It goes on the invoice."
        defaultValue={values.gstin ?? offered.gstin}
        error={errors.gstin}
        {...useTypedInTab(`gstin over ${offered.gstin}`)}
      />
    </>
  );
}
