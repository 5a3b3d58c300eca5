import { Form, useSubmit } from "react-router";
import { Button } from "../form/button.tsx";
import { type Option, SelectField } from "../form/field.tsx";
import { byFilters, useFilterFormKey } from "./filtering.ts";

export type Filter = {
  name: string;
  label: string;
  value: string;
  options: readonly Option[];
  /** Only shown where rows are cards, whose columns have no headers to press. */
  onPhonesOnly?: boolean;
};

/** A form for the query: filters apply at once, and the button reloads the list. */
export function ListFilters({ filters }: { filters: readonly Filter[] }) {
  const submit = useSubmit();
  const way = { replace: true, preventScrollReset: true, state: byFilters };
  return (
    <Form
      key={useFilterFormKey()}
      className="list-filters"
      onChange={(event) => void submit(event.currentTarget, way)}
      {...way}
    >
      {filters.map(({ name, label, value, options, onPhonesOnly }) => (
        <SelectField
          key={name}
          label={<span className="sr-only">{label}</span>}
          name={name}
          options={options}
          defaultValue={value}
          className={onPhonesOnly ? "md:hidden" : undefined}
        />
      ))}
      <Button type="submit" variant="secondary">
        {filters.length === 0 ? (
          "Refresh"
        ) : (
          <>
            <span className="noscript:hidden">Refresh</span>
            <span className="hidden noscript:inline">Filter and refresh</span>
          </>
        )}
      </Button>
    </Form>
  );
}
