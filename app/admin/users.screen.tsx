import { data, useSearchParams } from "react-router";
import { z } from "zod";
import { currentActor } from "../accounts/actor.server.ts";
import { provedGuard } from "../accounts/guards.server.ts";
import { shortDate } from "../platform/clock.ts";
import { attempt, formAction, succeeded } from "../platform/forms.server.ts";
import { appContext } from "../platform/app-context.server.ts";
import { FormAlert } from "../ui/form/field.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Page } from "../ui/layout/page.tsx";
import { Table } from "../ui/list/table.tsx";
import { titled } from "../ui/meta/title.ts";
import type { Route } from "./+types/users.screen.ts";
import { listUsers } from "./list-users.server.ts";
import { Pager } from "../ui/list/pager.tsx";
import { sendPasswordReset } from "../accounts/password-reset/reset-password.server.tsx";
import { useProblemToasts } from "../ui/feedback/toasts.tsx";
import { userColumns, UserSearch } from "./user-list.tsx";
import { readUsersQuery, usersAddress } from "./users-query.ts";

const title = "Users Management";

export const middleware = [provedGuard("forms")];

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = readUsersQuery(new URL(request.url).searchParams);
  const found = await attempt(
    context,
    () => listUsers(context.get(appContext).db, context.get(currentActor), query),
    { fallback: "Failed to fetch users" },
  );
  if (!found.ok) {
    return data({ problem: found.message, ...nobody }, { status: 500 });
  }
  const { rows, ...page } = found.value;
  return data({
    ...page,
    problem: null,
    rows: rows.map(({ registeredAt, ...row }) => ({ ...row, registered: shortDate(registeredAt) })),
  });
}

const nobody = { rows: [], previous: null, next: null, total: { counted: 0, isMore: false } };

export const action = formAction({
  schema: z.object({ userId: z.string() }),
  run({ context, value: { userId } }) {
    const { db, config } = context.get(appContext);
    return sendPasswordReset(db, context.get(currentActor), userId, config);
  },
  done: () => succeeded("Password reset email sent successfully"),
  failed: "Failed to send password reset email",
});

export default function Users({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const query = readUsersQuery(params);
  const { problem, rows, ...page } = loaderData;
  useProblemToasts(problem);
  return (
    <Page title={title} actions={<UserSearch query={query} />}>
      <FormAlert>{problem}</FormAlert>
      {rows.length > 0 ? (
        <>
          <Table caption="Users" columns={userColumns(query)} rows={rows} rowKey={({ id }) => id} />
          <Pager
            {...page}
            shown={rows.length}
            after={query.after}
            address={(after) => usersAddress({ ...query, after })}
          />
        </>
      ) : (
        !problem && (
          <EmptyState
            title={query.search ? "No users match your search" : "No users found"}
            drawing={query.search ? "search" : "people"}
          />
        )
      )}
    </Page>
  );
}
