import { useEffect, useRef } from "react";
import { Form, Link, useFetcher, useSubmit } from "react-router";
import { Icon } from "../ui/brand/icon.tsx";
import { Button, SubmitButton } from "../ui/form/button.tsx";
import { Badge } from "../ui/layout/card.tsx";
import { HistoryLink, RowMenu } from "../ui/list/row-menu.tsx";
import { sortedWords, SortHeader } from "../ui/list/sort-header.tsx";
import type { Column } from "../ui/list/table.tsx";
import { longestUserSearch, usersAddress, userSorts, type UsersQuery } from "./users-query.ts";

export type UserRow = {
  id: string;
  email: string;
  registered: string;
  role: string;
  isBanned: boolean;
};

export function userColumns(query: UsersQuery): Column<UserRow>[] {
  return [
    {
      ...sorted(query, "email", "Email", ({ id, email }) => (
        <Link to={`/admin/users/${id}`}>{email}</Link>
      )),
      wide: true,
    },
    sorted(query, "registered", "Registered", ({ registered }) => (
      <span className="whitespace-nowrap">{registered}</span>
    )),
    sorted(query, "role", "Role", ({ role }) => role),
    {
      header: "Status",
      cell: ({ isBanned }) =>
        isBanned ? <Badge tone="danger">Banned</Badge> : <Badge tone="success">Active</Badge>,
    },
    { header: "Actions", wide: true, cell: (user) => <Actions user={user} /> },
  ];
}

function sorted(
  query: UsersQuery,
  by: UsersQuery["by"],
  label: string,
  cell: Column<UserRow>["cell"],
): Column<UserRow> {
  const direction = query.by === by ? query.direction : null;
  const next = direction === "asc" ? "desc" : "asc";
  const to = usersAddress({ ...query, by, direction: next, after: null });
  return {
    label,
    header: <SortHeader label={label} direction={direction} to={to} />,
    sorted: sortedWords(direction),
    cell,
  };
}

function Actions({ user: { id, email } }: { user: UserRow }) {
  const fetcher = useFetcher();
  return (
    <div className="row-actions">
      <fetcher.Form method="post" preventScrollReset>
        <input type="hidden" name="userId" value={id} />
        <SubmitButton
          variant="secondary"
          size="sm"
          pending={fetcher.state !== "idle"}
          pendingLabel="Sending..."
        >
          Reset Password <span className="sr-only">of {email}</span>
        </SubmitButton>
      </fetcher.Form>
      <RowMenu label={`Actions for ${email}`}>
        <Link to={`/admin/users/${id}`}>Roles and bans</Link>
        <HistoryLink type="user" id={id} />
      </RowMenu>
    </div>
  );
}

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
