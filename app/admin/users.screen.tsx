import { Form, useFetcher, useSearchParams, useSubmit } from "react-router";
import { z } from "zod";
import { currentActor } from "../accounts/actor.server.ts";
import { requireRecentSignIn } from "../accounts/guards.server.ts";
import { formatShortDate } from "../platform/clock.ts";
import { createFormAction, buildSuccess } from "../platform/forms.server.ts";
import { appContext } from "../platform/app-context.server.ts";
import { Icon } from "../ui/brand/icon.tsx";
import { Button, SubmitButton } from "../ui/form/button.tsx";
import { peopleDrawing } from "../ui/feedback/people-drawing.tsx";
import { Badge } from "../ui/layout/card.tsx";
import { byFilters, useFilterFormKey, useSearchDebounce } from "../ui/list/filtering.ts";
import { CopyId, HistoryLink, RowMenu } from "../ui/list/row-menu.tsx";
import { maxSearchLength } from "../ui/list/search.ts";
import { loadList } from "../ui/list/load-list.server.ts";
import { StaffList } from "../ui/list/staff-list.tsx";
import { type Column, getAriaSort, SortHeader } from "../ui/list/table.tsx";
import { buildPrivateMeta } from "../ui/meta.ts";
import { revalidateAfterRefusal } from "../ui/refused-forms.ts";
import { sendFormWithTitles } from "../ui/feedback/titled-forms.ts";
import type { Route } from "./+types/users.screen.ts";
import { listUsers } from "./list-users.server.ts";
import { sendPasswordReset } from "../accounts/password-reset/reset-password.server.tsx";
import { Link } from "../ui/link.tsx";
import { parseUsersQuery, buildUsersAddress, userSorts, type UsersQuery } from "./users-query.ts";
import * as listsStyles from "../ui/list/lists.module.css";
import * as fieldStyles from "../ui/form/field.module.css";
import * as selectStyles from "../ui/form/select.module.css";

const title = "Users Management";

export const middleware = [requireRecentSignIn("forms")];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = parseUsersQuery(new URL(request.url).searchParams);
  return loadList(
    context,
    async () => {
      const { rows, ...page } = await listUsers(
        context.get(appContext).db,
        context.get(currentActor),
        query,
      );
      const toRow = ({ registeredAt, ...row }: (typeof rows)[number]) => ({
        ...row,
        registered: formatShortDate(registeredAt),
      });
      return { ...page, rows: rows.map(toRow) };
    },
    { fallback: "Failed to fetch users", none: {} },
  );
}

const failed = "Failed to send password reset email";

export const action = createFormAction({
  schema: z.object({ userId: z.string() }),
  run({ context, value: { userId } }) {
    const { db, config } = context.get(appContext);
    return sendPasswordReset(db, context.get(currentActor), userId, config);
  },
  done: () => buildSuccess("Password reset email sent successfully"),
  failed,
});

export const clientAction = (args: Route.ClientActionArgs) =>
  sendFormWithTitles(args, { "": failed });

export const shouldRevalidate = revalidateAfterRefusal;

export default function Users({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const query = parseUsersQuery(params);
  return (
    <StaffList
      title={title}
      actions={<UserSearch query={query} />}
      loaded={loaderData}
      caption="Users"
      columns={buildUserColumns(query)}
      rowKey={({ id }) => id}
      empty={
        query.search
          ? { title: "No users match your search", drawing: "search" }
          : { title: "No users found", drawing: peopleDrawing }
      }
      after={query.after}
      address={(after) => buildUsersAddress({ ...query, after })}
    />
  );
}

type UserRow = {
  id: string;
  email: string;
  name: string | null;
  registered: string;
  role: string;
  isBanned: boolean;
};

function buildUserColumns(query: UsersQuery): Column<UserRow>[] {
  return [
    {
      ...buildSortedUserColumn(query, "email", "Email", ({ id, email, name }) => (
        <>
          <Link to={`/admin/users/${id}`}>{email}</Link>
          {name && <span className={listsStyles.rowName}>{name}</span>}
        </>
      )),
      wide: true,
      bare: true,
    },
    buildSortedUserColumn(query, "registered", "Registered", ({ registered }) => (
      <span className="whitespace-nowrap">{registered}</span>
    )),
    buildSortedUserColumn(query, "role", "Role", ({ role }) => role),
    {
      header: "Status",
      cell: ({ isBanned }) => (isBanned ? <Badge tone="danger">Banned</Badge> : "Active"),
    },
    { header: "Actions", wide: true, bare: true, cell: (user) => <UserActions user={user} /> },
  ];
}

function buildSortedUserColumn(
  query: UsersQuery,
  by: UsersQuery["by"],
  label: string,
  cell: Column<UserRow>["cell"],
): Column<UserRow> {
  const direction = query.by === by ? query.direction : null;
  const next = direction === "asc" ? "desc" : "asc";
  const to = buildUsersAddress({ ...query, by, direction: next, after: null });
  return {
    label,
    header: <SortHeader label={label} direction={direction} to={to} />,
    sorted: getAriaSort(direction),
    cell,
  };
}

function UserActions({ user: { id, email } }: { user: UserRow }) {
  const fetcher = useFetcher();
  return (
    <div className={listsStyles.rowActions}>
      <fetcher.Form method="post" preventScrollReset>
        <input type="hidden" name="userId" value={id} />
        <SubmitButton
          variant="ghost"
          size="sm"
          pending={fetcher.state !== "idle"}
          pendingLabel="Sending..."
          aria-description={email}
        >
          Reset Password
        </SubmitButton>
      </fetcher.Form>
      <RowMenu id={id} label={`Actions for ${email}`}>
        {() => (
          <>
            <Link to={`/admin/users/${id}`}>Roles and access</Link>
            <HistoryLink type="user" id={id} />
            <CopyId id={id} label="user ID" />
          </>
        )}
      </RowMenu>
    </div>
  );
}

const labels = { email: "Email", registered: "Registered", role: "Role" };

/** The search, with sorting on phones. With scripts, the form submits as it changes. */
function UserSearch({ query }: { query: UsersQuery }) {
  const submit = useSubmit();
  const debounce = useSearchDebounce();
  const sort = `${query.by}.${query.direction}`;
  return (
    <search aria-label="Users">
      <Form
        key={useFilterFormKey()}
        className={listsStyles.userSearch}
        onChange={({ currentTarget }) => {
          const options = { replace: true, preventScrollReset: true, state: byFilters };
          debounce.before(() => void submit(currentTarget, options));
        }}
        onSubmit={debounce.end}
        preventScrollReset
        state={byFilters}
      >
        <div className={listsStyles.userSearchWords}>
          <input
            type="search"
            name="search"
            className={fieldStyles.input}
            aria-label="Search users"
            placeholder="Search by email or role..."
            maxLength={maxSearchLength}
            autoComplete="off"
            enterKeyHint="search"
            defaultValue={query.search}
          />
          <Button type="submit" aria-label="Search">
            <Icon name="search" />
          </Button>
        </div>
        {/* Hidden on wider screens, where it only submits the current sorting. */}
        <span className={`${selectStyles.inputSelect} narrow-only`}>
          <select
            key={sort}
            name="sort"
            className={fieldStyles.input}
            aria-label="Sort by"
            defaultValue={sort}
          >
            {userSorts.flatMap((by) => [
              <option key={`${by}.asc`} value={`${by}.asc`}>{`${labels[by]}, ascending`}</option>,
              <option
                key={`${by}.desc`}
                value={`${by}.desc`}
              >{`${labels[by]}, descending`}</option>,
            ])}
          </select>
          <Icon name="chevron-down" />
        </span>
      </Form>
    </search>
  );
}
