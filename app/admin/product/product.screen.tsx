import { getSignedInActor } from "../../accounts/actor.server.ts";
import { formatBytes } from "../../files/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { day, hour, minute, now, second, formatShortDateTime } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { Fact, FailingList } from "../parts.tsx";
import type { Route } from "./+types/product.screen.ts";
import { type ProductFacts, getProductFacts } from "./read-product.server.ts";
import * as figuresStyles from "../figures.module.css";
import * as factsStyles from "../../ui/layout/facts.module.css";
import * as listsStyles from "../../ui/list/lists.module.css";

const title = "System";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const facts = await getProductFacts(db, getSignedInActor(context), config);
  return { ...toProductView(facts, config), settings: config.settings };
}

function toProductView(facts: ProductFacts, { mode, origin, role, s3 }: Config) {
  const { database, store, queues, mails, runs, failing, lastBackup } = facts;
  const { known, applied, newest } = database.migrations;
  return {
    failing: failing.map(({ since, ...rest }) => ({ ...rest, since: formatShortDateTime(since) })),
    process: {
      version: facts.version,
      mode: mode === "demo" ? "Demo" : "Production",
      origin,
      role: roles[role],
      started: `${formatShortDateTime(facts.startedAt)}, ${formatDuration(now().getTime() - facts.startedAt.getTime())} ago`,
      node: process.version,
    },
    database: {
      version: `PostgreSQL ${database.version}`,
      size: formatSize(database.size),
      migrations:
        applied === known
          ? `All ${known} applied, latest ${newest}`
          : `${applied} of ${known} applied`,
    },
    store: {
      kind: s3 ? `Bucket ${s3.bucket} at ${new URL(s3.endpoint).host}` : "A folder in DATA_DIR",
      usage: `${countNoun(store.files, "file")}, ${formatSize(store.bytes)}`,
      free: store.free === null ? "Unknown" : formatSize(store.free),
    },
    mails: `${formatIndianNumber(mails.waiting)} queued, ${formatIndianNumber(mails.failed)} failed in the last week`,
    lastBackup: lastBackup
      ? `${formatShortDateTime(lastBackup.at)} (${lastBackup.name})`
      : "None recorded",
    queues: queues.map(({ queue, waiting, oldestSeconds }) => ({
      queue,
      waiting,
      oldest: waiting === 0 ? "" : formatDuration(oldestSeconds * second),
    })),
    runs: runs.map(({ task, schedule, endedAt, state }) => ({
      task,
      schedule,
      ended: endedAt ? formatShortDateTime(endedAt) : "Not in the last week",
      hasFailed: state === "failed",
    })),
  };
}

const roles: Record<Config["role"], string> = {
  all: "Serves requests and runs tasks",
  web: "Serves requests",
  worker: "Runs tasks",
};

/** Formats a size, in GB from 1 GB up. */
function formatSize(bytes: number): string {
  const gigabyte = 1024 ** 3;
  return bytes < gigabyte ? formatBytes(bytes) : `${(bytes / gigabyte).toFixed(1)} GB`;
}

/** Returns "3 days" or "2 hours": the largest unit, rounded down. */
function formatDuration(milliseconds: number): string {
  const units = [
    [day, "day"],
    [hour, "hour"],
    [minute, "minute"],
    [second, "second"],
  ] as const;
  const [length, name] = units.find(([unit]) => milliseconds >= unit) ?? [second, "second"];
  const count = Math.floor(milliseconds / length);
  return countNoun(count, name);
}

export default function Product({ loaderData }: Route.ComponentProps) {
  const { failing, process: server, database, store, mails, lastBackup } = loaderData;
  const { queues, runs, settings } = loaderData;
  return (
    <Page title={title} intro="Version, services, queues and settings.">
      <FailingList rows={failing} />
      <div className={figuresStyles.factCards}>
        <Card title="Server process">
          <dl className={factsStyles.facts}>
            <Fact name="Version">{server.version}</Fact>
            <Fact name="Mode">{server.mode}</Fact>
            <Fact name="Address">{server.origin}</Fact>
            <Fact name="Role">{server.role}</Fact>
            <Fact name="Started">{server.started}</Fact>
            <Fact name="Node">{server.node}</Fact>
          </dl>
        </Card>
        <Card title="Database">
          <dl className={factsStyles.facts}>
            <Fact name="Server">{database.version}</Fact>
            <Fact name="Size">{database.size}</Fact>
            <Fact name="Migrations">{database.migrations}</Fact>
            <Fact name="Last backup">{lastBackup}</Fact>
          </dl>
        </Card>
        <Card title="Files and email">
          <dl className={factsStyles.facts}>
            <Fact name="File store">{store.kind}</Fact>
            <Fact name="Stored">{store.usage}</Fact>
            <Fact name="Free in DATA_DIR">{store.free}</Fact>
            <Fact name="Email">{mails}</Fact>
          </dl>
        </Card>
      </div>
      <section className={figuresStyles.attention} aria-labelledby="queues">
        <h2 id="queues">Queued tasks</h2>
        <p className="text-ink-soft">Across all server processes.</p>
        <Table
          caption="Queued tasks"
          columns={queueColumns}
          rows={queues}
          rowKey={({ queue }) => queue}
        />
      </section>
      <section className={figuresStyles.attention} aria-labelledby="runs">
        <h2 id="runs">Scheduled tasks</h2>
        <p className="text-ink-soft">The last run of each task and its result.</p>
        <Table
          caption="Scheduled tasks"
          columns={runColumns}
          rows={runs}
          rowKey={({ task }) => task}
        />
      </section>
      <section className={figuresStyles.attention} aria-labelledby="settings">
        <h2 id="settings">Settings</h2>
        <p className="text-ink-soft">Read from the environment when this process started.</p>
        <Table
          caption="Settings"
          columns={settingColumns}
          rows={settings}
          rowKey={({ name }) => name}
        />
      </section>
    </Page>
  );
}

const tasks: Record<string, string> = {
  "check-jobs": "Archive lapsed listings and ask for checks",
  "check-orders": "Check open payments with PayU",
  "copy-shared-pages": "Copy pages to share",
  "deliver-mail": "Send an email",
  "forget-expired": "Delete expired data",
  "make-blacked-out-copy": "Make a blacked-out copy",
  "make-exports": "Prepare copies of people's data",
  "remind-of-reviews": "Send reminders about reviews",
  "watch-messages": "Warn admins about messages that are due",
  "remove-stale-uploads": "Delete abandoned uploads",
  "render-pages": "Prepare pages of a file",
  "send-alerts": "Send job alerts",
  "send-closing-mails": "Email people about saved jobs that close soon",
  "send-refunds": "Send refunds to PayU",
  "sweep-annotated": "Delete old annotated PDFs",
  "sweep-exports": "Delete expired copies of people's data",
  "sweep-files": "Delete unused files",
  "sweep-shares": "Delete expired shared links",
  "close-unused-accounts": "Close accounts that nobody uses",
  "purge-accounts": "Delete the data of closed accounts",
  "update-board-counts": "Count the jobs of each filter",
  "update-reply-records": "Count each week how many people companies replied to",
  "update-search-words": "Collect the words of searches",
};

const schedules: [RegExp, string][] = [
  [/^\* \* \* \* \*$/, "Every minute"],
  [/^\*\/5 \* \* \* \*$/, "Every 5 minutes"],
  [/^\d+ \* \* \* \*$/, "Every hour"],
  [/^\d+ \d+ \* \* \*$/, "Every day"],
];

type QueueRow = Route.ComponentProps["loaderData"]["queues"][number];

const queueColumns: Column<QueueRow>[] = [
  { header: "Task", wide: true, cell: ({ queue }) => tasks[queue] ?? queue },
  { header: "Queued", cell: ({ waiting }) => formatIndianNumber(waiting) },
  { header: "Oldest overdue by", cell: ({ oldest }) => oldest || "–" },
];

type RunRow = Route.ComponentProps["loaderData"]["runs"][number];

const runColumns: Column<RunRow>[] = [
  { header: "Task", wide: true, cell: ({ task }) => tasks[task] ?? task },
  {
    header: "Schedule",
    cell: ({ schedule }) => schedules.find(([pattern]) => pattern.test(schedule))?.[1] ?? schedule,
  },
  { header: "Last run", cell: ({ ended }) => ended },
  {
    header: "Result",
    cell: ({ ended, hasFailed }) =>
      ended.startsWith("Not") ? (
        "–"
      ) : hasFailed ? (
        <Badge tone="danger">Failed</Badge>
      ) : (
        <Badge tone="success">Done</Badge>
      ),
  },
];

type SettingRow = Route.ComponentProps["loaderData"]["settings"][number];

const settingColumns: Column<SettingRow>[] = [
  {
    header: "Setting",
    wide: true,
    cell: ({ name, about }) => (
      <>
        <code>{name}</code>
        <span className={listsStyles.preview}>{about}</span>
      </>
    ),
  },
  {
    header: "Value",
    wide: true,
    cell: ({ value }) => <span className="wrap-anywhere">{value}</span>,
  },
  {
    header: "Source",
    cell: ({ isGiven }) => (isGiven ? "Set" : "Default"),
  },
];
