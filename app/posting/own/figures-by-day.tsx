import type { Figures, ListingFigures } from "../../jobs/figures/figures.server.ts";
import { countNoun } from "../../platform/count-noun.ts";
import * as styles from "./own.module.css";

/** The figures of a listing in the last 30 days: the sums in one line, which opens to the days. */
export function FiguresByDay({
  title,
  figures: { sums, days },
  today,
}: {
  title: string;
  figures: ListingFigures;
  /** Figures of a listing that nobody has seen start today at the earliest. */
  today: string;
}) {
  if (days.length === 0)
    return <p className={styles.figures}>No views yet. Figures start on {today}.</p>;
  return (
    <details className={styles.figures}>
      <summary>
        {formatSums(sums)} in 30 days<span className="sr-only">: {title}</span>
      </summary>
      <table>
        <thead>
          <tr>
            {["Day", ...columns.map(([header]) => header)].map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, ...figures }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {columns.map(([header, name]) => (
                <td key={header}>{figures[name]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-ink-soft">
        Portal: “Apply via Portal” pressed. Contact: people who saw the contact that day. Only your
        company sees these figures, and nobody sees who it was.
      </p>
    </details>
  );
}

const columns: [string, keyof Figures][] = [
  ["Views", "views"],
  ["Portal", "portal"],
  ["Contact", "contact"],
  ["Saves", "saves"],
];

function formatSums({ views, portal, contact, saves }: Figures): string {
  return [
    countNoun(views, "view"),
    countNoun(portal, "portal visit"),
    countNoun(contact, "contact view"),
    countNoun(saves, "save"),
  ].join(", ");
}
