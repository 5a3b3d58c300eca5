import { data, Form, useSearchParams } from "react-router";
import { currentActor } from "../accounts/actor.server.ts";
import { formatShortDateTime } from "../platform/clock.ts";
import { runCommand } from "../platform/forms.server.ts";
import { writeQuery } from "../platform/lists.ts";
import { appContext } from "../platform/app-context.server.ts";
import { Button } from "../ui/form/button.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { FormAlert, SelectField } from "../ui/form/field.tsx";
import { Page } from "../ui/layout/page.tsx";
import { type Column, ShortId, Pager, Table } from "../ui/list/table.tsx";
import { buildPrivateMeta } from "../ui/meta.ts";
import type { Route } from "./+types/history.screen.ts";
import {
  type Change,
  listChanges,
  formatEvent,
  type HistoryQuery,
  listHistory,
} from "./history.server.ts";
import { useProblemToasts } from "../ui/feedback/problem-toasts.ts";
import { Link } from "../ui/link.tsx";

const title = "Audit log";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = parseHistoryQuery(new URL(request.url).searchParams);
  const result = await runCommand(
    context,
    () => listHistory(context.get(appContext).db, context.get(currentActor), query),
    { fallback: "Failed to load the audit log" },
  );
  const emptyPage = { events: [], actor: null, previous: null, next: null };
  if (!result.ok) return data({ problem: result.message, ...emptyPage }, { status: 500 });
  const { events, names, previous, next } = result.value;
  return data({
    problem: null,
    previous,
    next,
    actor: (query.by && names[query.by]) || null,
    events: events.map(({ at, before, after, event, ...rest }) => ({
      ...rest,
      when: formatShortDateTime(at),
      label: formatEvent(event),
      subjectName: names[rest.subjectId] ?? extractJobTitle(after) ?? extractJobTitle(before),
      changes: listChanges(event, before, after, names),
    })),
  });
}

/** The audit trail is the only source of a deleted job's title. */
function extractJobTitle(state: unknown): string | null {
  const title = (state as { title?: unknown } | null)?.title;
  return typeof title === "string" ? title : null;
}

function parseHistoryQuery(params: URLSearchParams): HistoryQuery {
  const text = (name: string) => params.get(name)?.replaceAll("\u0000", "").trim() || null;
  return { type: text("type"), id: text("id"), by: text("by"), after: text("after") };
}

function buildHistoryAddress(query: HistoryQuery): string {
  return writeQuery(query) || ".";
}

export default function History({ loaderData }: Route.ComponentProps) {
  const { problem, events, actor, ...cursors } = loaderData;
  const [params] = useSearchParams();
  const query = parseHistoryQuery(params);
  useProblemToasts(loaderData, problem);
  return (
    <Page title={title} actions={<SubjectFilter key={buildHistoryAddress(query)} query={query} />}>
      <FormAlert>{problem}</FormAlert>
      {query.by && (
        <p>
          Showing actions by {actor ?? "one person"}. <Link to="/admin/history">Show everyone</Link>
        </p>
      )}
      {events.length > 0 ? (
        <Table
          caption="Audit log"
          columns={buildHistoryColumns(query)}
          rows={events}
          rowKey={({ id }) => id}
        />
      ) : (
        !problem && <EmptyState title="No actions recorded yet" drawing="table" />
      )}
      <Pager
        {...cursors}
        shown={events.length}
        after={query.after}
        address={(after) => buildHistoryAddress({ ...query, after })}
      />
    </Page>
  );
}

/** Choosing all subjects clears the filter by id too, since an id belongs to a type. */
function SubjectFilter({ query: { type, id, by } }: { query: HistoryQuery }) {
  return (
    <Form className="list-filters">
      {by && <input type="hidden" name="by" value={by} />}
      <SelectField
        label={<span className="sr-only">Subject</span>}
        name="type"
        defaultValue={type ?? ""}
        options={[
          { value: "", label: "All subjects" },
          { value: "review", label: "Reviews" },
          { value: "user", label: "Users" },
          { value: "job", label: "Jobs" },
          { value: "order", label: "Orders" },
          { value: "mail", label: "Emails" },
          { value: "message", label: "Messages" },
          { value: "product", label: "System" },
        ]}
      />
      <input
        name="id"
        className="input"
        aria-label="Subject ID"
        placeholder="Subject ID"
        autoComplete="off"
        spellCheck={false}
        defaultValue={id ?? ""}
      />
      <Button type="submit" variant="secondary">
        Filter
      </Button>
    </Form>
  );
}

type EventRow = {
  id: string;
  when: string;
  actorName: string;
  label: string;
  subjectType: string;
  subjectId: string;
  subjectName: string | null;
  changes: Change[];
};

function buildHistoryColumns(query: HistoryQuery): Column<EventRow>[] {
  return [
    { header: "When", cell: ({ when }) => <span className="md:whitespace-nowrap">{when}</span> },
    {
      header: "Who",
      cell: ({ actorName }) => <span className="person">{actorName}</span>,
    },
    {
      header: "Action",
      wide: true,
      // Labels are short, so their words never need to break.
      cell: ({ label }) => <span className="wrap-break-word">{label}</span>,
    },
    {
      header: "Subject",
      wide: true,
      cell: ({ subjectType: type, subjectId: id, subjectName }) => {
        const name = subjectName ?? <ShortId>{id}</ShortId>;
        return (
          <span>
            {!subjectName && `${type} `}
            {id === query.id ? (
              name
            ) : (
              <Link to={buildHistoryAddress({ type, id, after: null })}>{name}</Link>
            )}
          </span>
        );
      },
    },
    { header: "Change", wide: true, cell: ({ changes }) => <ChangeList changes={changes} /> },
  ];
}

function ChangeList({ changes }: { changes: Change[] }) {
  if (changes.length === 0) return null;
  return (
    <ul className="changes">
      {changes.map(({ what, before, after }) => (
        <li key={what}>
          {`${what}: `}
          {before !== null && <del>{before}</del>}
          {before !== null && after !== null && " → "}
          {after !== null && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  );
}
