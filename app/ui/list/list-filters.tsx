import { type ChangeEvent, useId } from "react";
import { Form, useSubmit } from "react-router";
import { Button } from "../form/button.tsx";
import { type Option, SelectField } from "../form/field.tsx";
import { byFilters, useFilterFormKey, useSearchDebounce } from "./filtering.ts";
import { maxSearchLength } from "./search.ts";
import * as styles from "./lists.module.css";
import * as fieldStyles from "../form/field.module.css";

export type Filter = {
  name: string;
  label: string;
  value: string;
  options: readonly Option[];
};

type ListSearch = {
  label: string;
  placeholder: string;
  /** The things that it finds, shown below the field while it has the focus. */
  hint: string;
  value: string;
};

/**
 * A form for the query. Filters apply immediately and a search when typing pauses. The button reloads the list.
 */
export function ListFilters({
  filters,
  search,
}: {
  filters: readonly Filter[];
  search?: ListSearch;
}) {
  const submit = useSubmit();
  const debounce = useSearchDebounce();
  const options = { replace: true, preventScrollReset: true, state: byFilters };
  function apply({ currentTarget: form, target }: ChangeEvent<HTMLFormElement>) {
    const send = () => void submit(form, options);
    if ((target as Element).matches("[type=search]")) debounce.before(send);
    else {
      debounce.end();
      send();
    }
  }
  return (
    <Form
      key={useFilterFormKey()}
      className={styles.filters}
      onChange={apply}
      onSubmit={debounce.end}
      {...options}
    >
      {search && <SearchField {...search} />}
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
        {filters.length === 0 && !search ? (
          "Refresh"
        ) : (
          <>
            <span className="scripts-only">Refresh</span>
            <span className="no-scripts-only">Filter and refresh</span>
          </>
        )}
      </Button>
    </Form>
  );
}

function SearchField({ label, placeholder, hint, value }: ListSearch) {
  const id = useId();
  return (
    <search className={styles.search} aria-label={label}>
      <input
        type="search"
        name="search"
        className={fieldStyles.input}
        aria-label={label}
        aria-describedby={id}
        placeholder={placeholder}
        maxLength={maxSearchLength}
        autoComplete="off"
        enterKeyHint="search"
        defaultValue={value}
      />
      <span id={id} className={styles.searchHint}>
        {hint}
      </span>
    </search>
  );
}
