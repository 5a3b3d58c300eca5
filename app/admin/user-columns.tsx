import { useFetcher } from "react-router";
import { Badge } from "../ui/layout/card.tsx";
import { SubmitButton } from "../ui/form/button.tsx";
import type { Column } from "../ui/list/table.tsx";
import { HistoryLink } from "../ui/list/history-link.tsx";
import { RowMenu } from "../ui/list/row-menu.tsx";
import { SortHeader, sortedWords } from "../ui/list/sort-header.tsx";
import { type UsersQuery, usersAddress } from "./users-query.ts";

export type UserRow = {
  id: string;
  email: string;
  registered: string;
  role: string;
  isBanned: boolean;
};

export function userColumns(query: UsersQuery): Column<UserRow>[] {
  return [
    { ...sorted(query, "email", "Email", ({ email }) => email), wide: true },
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
        <HistoryLink type="user" id={id} />
      </RowMenu>
    </div>
  );
}
