import { Form, useSubmit } from "react-router";
import { Button } from "../../ui/form/button.tsx";
import { SelectField } from "../../ui/form/field.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { useKeyOfOutside } from "../board/board-filters.tsx";
import { longestSearch } from "../board/board-query.ts";
import { jobTypes } from "../rules.ts";
import type { ManageQuery } from "./query.ts";

const byFilters = { byFilters: true };

/** Search and type, as on the public board, and the button that reads the list anew. */
export function ManageFilters({ path, query }: { path: string; query: ManageQuery }) {
  const submit = useSubmit();
  const here = { replace: true, preventScrollReset: true, state: byFilters };
  return (
    <search aria-label="Job listings">
      <Form key={useKeyOfOutside()} action={path} className="flex flex-wrap gap-2" {...here}>
        {query.isArchived && <input type="hidden" name="tab" value="archived" />}
        <div className="flex min-w-0 flex-[1_1_16rem]">
          <input
            type="search"
            name="search"
            aria-label="Search jobs"
            placeholder="Search jobs..."
            className="input rounded-e-none"
            maxLength={longestSearch}
            autoComplete="off"
            enterKeyHint="search"
            defaultValue={query.search}
          />
          <Button
            type="submit"
            variant="secondary"
            className="rounded-s-none border-s-0"
            aria-label="Search"
          >
            <Icon name="search" />
          </Button>
        </div>
        <SelectField
          label={<span className="sr-only">Job Type</span>}
          name="type"
          className="flex-[1_1_9rem] gap-0 sm:flex-none"
          defaultValue={query.type ?? ""}
          onChange={({ target }) => target.form && void submit(target.form, here)}
          options={[
            { value: "", label: "All" },
            ...jobTypes.map((type) => ({ value: type, label: type })),
          ]}
        />
        <Button type="submit" variant="secondary">
          Refresh
        </Button>
      </Form>
    </search>
  );
}
