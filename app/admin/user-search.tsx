import { useEffect, useRef } from "react";
import { Form, useSubmit } from "react-router";
import { Button } from "../ui/form/button.tsx";
import { Icon } from "../ui/brand/icon.tsx";
import { longestUserSearch, userSorts, type UsersQuery } from "./users-query.ts";

/** A pause in typing after which the search is done. */
const typingPause = 250;

const labels = { email: "Email", registered: "Registered", role: "Role" };

/** The search, and for phones the sorting: a plain form that, with scripts, is sent as it changes. */
export function UserSearch({ query }: { query: UsersQuery }) {
  const submit = useSubmit();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const sort = `${query.by}.${query.direction}`;
  return (
    <search aria-label="Users">
      <Form
        className="user-search"
        onChange={({ currentTarget }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(
            () => void submit(currentTarget, { replace: true, preventScrollReset: true }),
            typingPause,
          );
        }}
        onSubmit={() => clearTimeout(timer.current)}
        preventScrollReset
      >
        <div className="user-search-words">
          <input
            type="search"
            name="search"
            className="input"
            aria-label="Search users"
            placeholder="Search by email or role..."
            maxLength={longestUserSearch}
            autoComplete="off"
            enterKeyHint="search"
            defaultValue={query.search}
          />
          <Button type="submit" aria-label="Search">
            <Icon name="search" />
          </Button>
        </div>
        {/* On wider screens it only carries the sorting along. */}
        <select
          key={sort}
          name="sort"
          className="input md:hidden"
          aria-label="Sort by"
          defaultValue={sort}
        >
          {userSorts.flatMap((by) => [
            <option key={`${by}.asc`} value={`${by}.asc`}>{`${labels[by]}, ascending`}</option>,
            <option key={`${by}.desc`} value={`${by}.desc`}>{`${labels[by]}, descending`}</option>,
          ])}
        </select>
      </Form>
    </search>
  );
}
