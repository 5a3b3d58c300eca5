import { Form, useSearchParams } from "react-router";
import { currentActor } from "../accounts/actor.server.ts";
import { formatShortDateTime } from "../platform/clock.ts";
import { writeQuery } from "../platform/lists/lists.ts";
import { appContext } from "../platform/app-context.server.ts";
import type { OwnAddress } from "../platform/own-path.ts";
import { Button } from "../ui/form/button.tsx";
import { SelectField } from "../ui/form/field.tsx";
import { loadList } from "../ui/list/load-list.server.ts";
import { StaffList } from "../ui/list/staff-list.tsx";
import { type Column, ShortId } from "../ui/list/table.tsx";
import { buildPrivateMeta } from "../ui/meta.ts";
import type { Route } from "./+types/history.screen.ts";
import {
  type Change,
  listChanges,
  formatEvent,
  type HistoryQuery,
  listHistory,
} from "./history.server.ts";
import { Link } from "../ui/link.tsx";
import * as listsStyles from "../ui/list/lists.module.css";
import * as fieldStyles from "../ui/form/field.module.css";
import * as tableStyles from "../ui/list/table.module.css";
import * as styles from "./figures.module.css";

const title = "Audit log";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = parseHistoryQuery(new URL(request.url).searchParams);
  return loadList(
    context,
    async () => {
      const { db } = context.get(appContext);
      const { events, names, ...cursors } = await listHistory(db, context.get(currentActor), query);
      return {
        ...cursors,
        actor: (query.by && names[query.by]) || null,
        rows: events.map(({ at, before, after, event, ...rest }) => ({
          ...rest,
          when: formatShortDateTime(at),
          label: formatEvent(event),
          subjectName: names[rest.subjectId] ?? extractJobTitle(after) ?? extractJobTitle(before),
          changes: listChanges(event, before, after, names),
        })),
      };
    },
    { fallback: "Failed to load the audit log", none: { actor: null } },
  );
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

function buildHistoryAddress(query: HistoryQuery): OwnAddress {
  return writeQuery(query) || ".";
}

export default function History({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const query = parseHistoryQuery(params);
  return (
    <StaffList
      title={title}
      actions={<SubjectFilter key={buildHistoryAddress(query)} query={query} />}
      loaded={loaderData}
      caption="Audit log"
      columns={buildHistoryColumns(query)}
      rowKey={({ id }) => id}
      empty={{ title: "No actions recorded yet", drawing: "table" }}
      after={query.after}
      address={(after) => buildHistoryAddress({ ...query, after })}
    >
      {query.by && (
        <p>
          Showing actions by {loaderData.actor ?? "one person"}.{" "}
          <Link to="/admin/history">Show everyone</Link>
        </p>
      )}
    </StaffList>
  );
}

/** Choosing all subjects clears the filter by id too, since an id belongs to a type. */
function SubjectFilter({ query: { type, id, by } }: { query: HistoryQuery }) {
  return (
    <Form className={listsStyles.filters}>
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
        className={fieldStyles.input}
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
    { header: "When", cell: ({ when }) => <span className="whitespace-nowrap">{when}</span> },
    {
      header: "Who",
      cell: ({ actorName }) => <span className={tableStyles.person}>{actorName}</span>,
    },
    {
      header: "Action",
      wide: true,
      // Labels are short, so their words never need to break.
      cell: ({ label }) => <span className={styles.event}>{label}</span>,
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
    <ul className={styles.changes}>
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
