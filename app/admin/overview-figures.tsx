import type { ReactNode } from "react";
import { day } from "../platform/clock.ts";
import { type Count, countLabel } from "../platform/lists/lists.ts";
import { formatIndianNumber } from "../platform/numbers.ts";
import type { OwnPath } from "../platform/own-path.ts";
import { dueFirst } from "../review-staff/assign/reviews-query.ts";
import type { ServiceFigures } from "../reviews/due-dates/due-dates.ts";
import type { OpenCounts } from "../reviews/due-dates/due-dates.server.ts";
import { figuresFor } from "../reviews/rules.ts";
import { type DeadlineCount, messageFiguresDays } from "../support/rules.ts";
import { Icon } from "../ui/brand/icon.tsx";
import { Link } from "../ui/link.tsx";
import type { Overview } from "./overview.server.ts";
import { type Trend, TrendBars } from "./trend-bars.tsx";
import * as styles from "./figures.module.css";

/** Four figures, each linked to the list it counts. Null while they load. */
export function OverviewCards({ figures }: { figures: Overview["figures"] | null }) {
  const trends = figures ? figures.trends : loadingTrends;
  return (
    <ul className={`${styles.figures} ${styles.main}`}>
      <Figure
        label="Total Users"
        trend={trends?.users}
        to="/admin/users"
        value={figures && formatCountOrDash(figures.users)}
        about="User accounts in the platform"
      />
      <Figure
        label="Active Reviews"
        trend={trends?.reviews}
        to="/admin/reviews"
        value={figures && formatCountOrDash(figures.reviews)}
        about="Currently assigned reviews"
      />
      <Figure
        label="Active Jobs"
        trend={trends?.jobs}
        to="/admin/jobs"
        value={figures && formatCountOrDash(figures.jobs)}
        about="Published job listings"
      />
      <Figure
        label="Revenue"
        trend={trends?.revenue}
        to="/admin/orders"
        value={figures && (figures.revenue ?? "–")}
        about={
          figures?.revenue ? (
            <>
              <RevenueChangeText change={figures.change} />
              {figures.refunded && (
                <span className="block">After {figures.refunded} in refunds</span>
              )}
            </>
          ) : null
        }
      />
    </ul>
  );
}

/** Trends without bars, which take the room of the trends while they load. */
const flat = { values: [0, 0], from: "\u00a0", to: "", text: "\u00a0" };
const loadingTrends = { users: flat, reviews: flat, jobs: flat, revenue: flat };

function formatCountOrDash(count: number | null): string {
  return count === null ? "–" : formatIndianNumber(count);
}

function Figure({
  level = 2,
  label,
  to,
  value,
  about,
  trend,
}: {
  level?: 2 | 3;
  label: string;
  to?: OwnPath;
  value: string | null;
  about: ReactNode;
  trend?: Trend;
}) {
  const Heading = `h${level}` as const;
  return (
    <li className={styles.figure}>
      <Heading>
        {to ? (
          <Link to={to} className={styles.cardLink}>
            {label}
            <Icon name="arrow-right" />
          </Link>
        ) : (
          label
        )}
      </Heading>
      <p className={styles.value} aria-busy={value === null || undefined}>
        {value ?? "Loading..."}
      </p>
      <p className={styles.about}>{about}</p>
      {trend && <TrendBars {...trend} />}
    </li>
  );
}

function RevenueChangeText({ change }: { change: Overview["figures"]["change"] }) {
  if (!change) return "No change from last month";
  const [amount, ...rest] = change.text.split(" ");
  return (
    <>
      <strong className={change.direction === "up" ? "text-success" : "text-danger"}>
        {amount}
      </strong>{" "}
      {rest.join(" ")}
    </>
  );
}

/** The recent share of reviews on time, and the number due today. Null where a read failed. */
export function DueDates({
  dueToday,
  service,
}: {
  dueToday: OpenCounts | null;
  service: ServiceFigures | null;
}) {
  return (
    <section className={styles.dueDates} aria-labelledby="due-dates">
      <h2 id="due-dates">Due dates</h2>
      <ul className={styles.figures}>
        <Figure
          level={3}
          label="On time"
          value={(service && formatOnTimeShare(service)) ?? "–"}
          about={service && formatOnTime(service)}
        />
        <DueTodayFigure counts={dueToday} />
      </ul>
    </section>
  );
}

function formatOnTimeShare({ completed, onTime }: ServiceFigures): string | null {
  return completed === 0 ? null : formatPercentage(onTime, completed);
}

function formatOnTime({ completed, onTime }: ServiceFigures): string {
  const days = figuresFor / day;
  return completed === 0
    ? `No reviews with a due date completed in the last ${days} days`
    : `${formatCountOrDash(onTime)} of ${formatCountOrDash(completed)} completed in the last ${days} days`;
}

/** Links to both lists of the counted reviews, sorted to show them first. */
function DueTodayFigure({ counts }: { counts: OpenCounts | null }) {
  return (
    <Figure
      level={3}
      label="Due today"
      value={counts ? countLabel(sumCounts(counts.pending, counts.assigned)) : "–"}
      about={
        <>
          Due before midnight
          {counts && (
            <span className={styles.ways}>
              <Link
                to={`/admin/reviews?sort=${dueFirst.value}`}
                data-zero={counts.pending.counted === 0 || undefined}
              >
                {countLabel(counts.pending)} pending
                <span className="sr-only">, due today</span>
              </Link>
              <Link
                to={`/admin/reviews/assigned?sort=${dueFirst.value}`}
                data-zero={counts.assigned.counted === 0 || undefined}
              >
                {countLabel(counts.assigned)} assigned
                <span className="sr-only">, due today</span>
              </Link>
            </span>
          )}
        </>
      }
    />
  );
}

/** Shows the share of messages read and settled in time, and counts those that are due. Null if the read failed. */
export function MessageFigures({ figures }: { figures: Overview["desk"] }) {
  return (
    <section className={styles.dueDates} aria-labelledby="message-figures">
      <h2 id="message-figures">Messages</h2>
      <ul className={styles.figures}>
        <DeadlineFigure label="Read in time" figure={figures?.acknowledged} />
        <DeadlineFigure label="Settled in time" figure={figures?.settled} />
        <Figure
          level={3}
          label="Due today"
          to="/admin/messages"
          value={figures ? formatIndianNumber(figures.dueToday) : "–"}
          about="To read or settle before midnight"
        />
      </ul>
    </section>
  );
}

function DeadlineFigure({ label, figure }: { label: string; figure?: DeadlineCount }) {
  return (
    <Figure
      level={3}
      label={label}
      value={figure && figure.total > 0 ? formatPercentage(figure.inTime, figure.total) : "–"}
      about={
        figure &&
        (figure.total > 0
          ? `${formatIndianNumber(figure.inTime)} of ${formatIndianNumber(figure.total)} in the last ${messageFiguresDays} days`
          : `No messages in the last ${messageFiguresDays} days`)
      }
    />
  );
}

function formatPercentage(part: number, total: number): string {
  return `${Math.round((part / total) * 100)}%`;
}

function sumCounts(first: Count, second: Count): Count {
  return { counted: first.counted + second.counted, isMore: first.isMore || second.isMore };
}
