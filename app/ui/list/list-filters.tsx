import { Form, useSubmit } from "react-router";
import { Button } from "../form/button.tsx";
import { type Option, SelectField } from "../form/field.tsx";
import { byFilters, useFilterFormKey } from "./filtering.ts";

export type Filter = {
  name: string;
  label: string;
  value: string;
  options: readonly Option[];
};

/** A form for the query. Filters apply immediately, and the button reloads the list. */
export function ListFilters({ filters }: { filters: readonly Filter[] }) {
  const submit = useSubmit();
  const options = { replace: true, preventScrollReset: true, state: byFilters };
  return (
    <Form
      key={useFilterFormKey()}
      className="list-filters"
      onChange={(event) => void submit(event.currentTarget, options)}
      {...options}
    >
      {filters.map(({ name, label, value, options: choices }) => (
        <SelectField
          key={name}
          label={<span className="sr-only">{label}</span>}
          name={name}
          options={choices}
          defaultValue={value}
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
