import type { ReactNode } from "react";
import { Link } from "react-router";
import type { RevenueChange } from "./revenue.ts";

/** Null where a figure could not be read. */
export type Figures = {
  users: number | null;
  reviews: number | null;
  jobs: number | null;
  revenue: string | null;
  /** Null when nothing has changed. */
  change: RevenueChange | null;
};

/** The four numbers of the product; three lead to what they count. Null while they are on their way. */
export function OverviewCards({ figures }: { figures: Figures | null }) {
  return (
    <ul className="figures">
      <Figure
        label="Total Users"
        to="/admin/users"
        value={figures && counted(figures.users)}
        about="User accounts in the platform"
      />
      <Figure
        label="Active Reviews"
        to="/admin/reviews"
        value={figures && counted(figures.reviews)}
        about="Currently assigned reviews"
      />
      <Figure
        label="Active Jobs"
        to="/admin/jobs"
        value={figures && counted(figures.jobs)}
        about="Published job listings"
      />
      <Figure
        label="Revenue"
        value={figures && (figures.revenue ?? "–")}
        about={figures?.revenue ? <Change change={figures.change} /> : null}
      />
    </ul>
  );
}

function counted(count: number | null): string {
  return count === null ? "–" : count.toLocaleString("en-IN");
}

function Figure({
  label,
  to,
  value,
  about,
}: {
  label: string;
  to?: string;
  value: string | null;
  about: ReactNode;
}) {
  return (
    <li className="figure">
      <h2>{to ? <Link to={to}>{label}</Link> : label}</h2>
      <p className="figure-value" aria-busy={value === null || undefined}>
        {value ?? "Loading..."}
      </p>
      <p className="figure-about">{about}</p>
    </li>
  );
}

function Change({ change }: { change: RevenueChange | null }) {
  if (!change) return "No change from last month";
  const [amount, ...rest] = change.words.split(" ");
  return (
    <>
      <strong className={change.direction === "up" ? "text-success" : "text-danger"}>
        {amount}
      </strong>{" "}
      {rest.join(" ")}
    </>
  );
}
