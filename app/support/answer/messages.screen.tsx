import { Form, useSearchParams } from "react-router";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDateTime, now } from "../../platform/clock.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import { buildDueView } from "../../reviews/due-dates/due-dates.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { Button } from "../../ui/form/button.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import { byFilters, useFilterFormKey } from "../../ui/list/filtering.ts";
import { maxSearchLength } from "../../ui/list/search.ts";
import { loadList } from "../../ui/list/load-list.server.ts";
import { StaffList } from "../../ui/list/staff-list.tsx";
import type { Column } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import {
  kindLabels,
  listLabels,
  type MessageList,
  messageLists,
  buildMessagesAddress,
  type MessagesQuery,
  parseMessagesQuery,
  stateTones,
} from "../rules.ts";
import type { Route } from "./+types/messages.screen.ts";
import { type ListedMessage, listMessages } from "./list-messages.server.ts";
import * as listsStyles from "../../ui/list/lists.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";

const title = "Messages";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = parseMessagesQuery(new URL(request.url).searchParams);
  const { db } = context.get(appContext);
  return loadList(
    context,
    async () => {
      const { rows, ...page } = await listMessages(db, getSignedInActor(context), query);
      return { ...page, rows: rows.map((message) => toMessageRow(message, now())) };
    },
    { fallback: "Failed to load the messages", none: { counts: null } },
  );
}

function toMessageRow({ createdAt, nextDueAt, ...message }: ListedMessage, moment: Date) {
  return {
    ...message,
    sent: formatShortDateTime(createdAt),
    due: nextDueAt && buildDueView(nextDueAt, moment),
  };
}

export default function Messages({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const query = parseMessagesQuery(params);
  return (
    <StaffList
      title={title}
      actions={<MessageSearch query={query} />}
      tabs={
        <TabLinks
          label="Messages"
          items={messageLists.map((list) => ({
            label: listLabels[list],
            to: buildMessagesAddress({ ...query, list, after: null }),
            current: list === query.list,
            count: loaderData.counts?.[list],
          }))}
        />
      }
      loaded={loaderData}
      caption="Messages"
      columns={columns}
      rowKey={({ id }) => id}
      empty={
        query.search
          ? { title: "No messages match your search", drawing: "search" }
          : { title: emptyTitles[query.list] ?? "No messages", drawing: "inbox" }
      }
      after={query.after}
      address={(after) => buildMessagesAddress({ ...query, after })}
    />
  );
}

function MessageSearch({ query: { list, search } }: { query: MessagesQuery }) {
  return (
    <search aria-label="Messages">
      <Form
        key={useFilterFormKey()}
        className={listsStyles.userSearch}
        action={"/admin/messages" satisfies OwnPath}
        state={byFilters}
      >
        {list !== "open" && <input type="hidden" name="state" value={list} />}
        <div className={listsStyles.userSearchWords}>
          <input
            type="search"
            name="search"
            className={fieldStyles.input}
            aria-label="Search messages"
            placeholder="Ticket, name, email or subject"
            maxLength={maxSearchLength}
            autoComplete="off"
            enterKeyHint="search"
            defaultValue={search}
          />
          <Button type="submit" aria-label="Search">
            <Icon name="search" />
          </Button>
        </div>
      </Form>
    </search>
  );
}

const emptyTitles: Partial<Record<MessageList, string>> = {
  open: "No open messages",
  overdue: "Nothing is overdue",
  mine: "You haven't taken over any messages",
  answered: "No messages wait for their writer",
  spam: "No spam",
};

type MessageRow = ReturnType<typeof toMessageRow>;

const columns: Column<MessageRow>[] = [
  {
    header: "Message",
    wide: true,
    bare: true,
    cell: ({ ticket, subject, preview, kind }) => (
      <>
        <Link to={`/admin/messages/${ticket}`}>{subject}</Link>{" "}
        {kind !== "question" && <Badge tone="outline">{kindLabels[kind]}</Badge>}
        <span className={listsStyles.preview}>{preview}</span>
      </>
    ),
  },
  {
    header: "From",
    wide: true,
    cell: ({ name, email }) => (
      <>
        {name}
        <span className={`${listsStyles.preview} wrap-anywhere`}>{email}</span>
      </>
    ),
  },
  {
    header: "Sent",
    cell: ({ sent, ticket }) => (
      <span className="nowrap-wide">
        {sent}
        <span className={listsStyles.preview}>
          <code>{ticket}</code>
        </span>
      </span>
    ),
  },
  {
    header: "Due",
    cell: ({ due, isAcknowledged }) =>
      due && (
        <>
          <DueDate due={due} />
          <span className={listsStyles.preview}>{isAcknowledged ? "To settle" : "To read"}</span>
        </>
      ),
  },
  {
    header: "State",
    cell: ({ state, isSuspected, owner, hasUndelivered }) => (
      <>
        {isSuspected ? (
          <Badge tone="danger">Spam</Badge>
        ) : (
          <Badge tone={stateTones[state]}>{listLabels[state]}</Badge>
        )}{" "}
        {hasUndelivered && <Badge tone="danger">Reply not delivered</Badge>}
        {owner && <span className={listsStyles.preview}>{owner}</span>}
      </>
    ),
  },
];
