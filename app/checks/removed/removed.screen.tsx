import { appContext } from "../../platform/app-context.server.ts";
import { formatLongDate, formatShortDate } from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../../ui/meta.ts";
import { removedPage } from "../pages.ts";
import { categoryLabels, maxRemovals } from "../rules.ts";
import type { Route } from "./+types/removed.screen.ts";
import { countRemovals, listRemovals } from "./list-removals.server.ts";
import stylesheet from "./removed.screen.css?url";
import * as styles from "./removed.module.css";

// Its path matches that of a job, whose page is shared too.
export const handle: PublicScreen = { page: removedPage, isCached: true, isShared: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, removedPage);

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const [months, removals] = await Promise.all([countRemovals(db), listRemovals(db)]);
  return {
    months: months.map(({ monthStart, listings }) => ({
      // "November 1, 2026" → "November 2026"
      month: formatLongDate(monthStart).replace(/ \d+,/, ""),
      listings: countNoun(listings, "listing"),
    })),
    removals: removals.map(({ id, reason, at }) => ({
      id,
      category: categoryLabels[reason],
      date: formatShortDate(at),
    })),
  };
}

export default function Removed({ loaderData: { months, removals } }: Route.ComponentProps) {
  return (
    <Page
      width="text"
      title="Listings we removed"
      intro="People report listings that look fake or ask for money. We check each report, and remove the listing if the report is right."
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {removals.length === 0 ? (
        <EmptyState
          title="No listings removed yet"
          drawing="inbox"
          action={<ButtonLink to="/jobs">Back to Jobs</ButtonLink>}
        >
          Each listing that we remove after a report is counted here.
        </EmptyState>
      ) : (
        <>
          <section aria-labelledby="by-month">
            <h2 id="by-month">By month</h2>
            <dl className={styles.removals}>
              {months.map(({ month, listings }) => (
                <div key={month}>
                  <dt>{month}</dt>
                  <dd>{listings}</dd>
                </div>
              ))}
            </dl>
          </section>
          <section aria-labelledby="newest">
            <h2 id="newest">
              {removals.length === maxRemovals ? `The last ${maxRemovals}` : "All removals"}
            </h2>
            <dl className={styles.removals}>
              {removals.map(({ id, category, date }) => (
                <div key={id}>
                  <dt>{date}</dt>
                  <dd>{category}</dd>
                </div>
              ))}
            </dl>
          </section>
        </>
      )}
      <p className={styles.removalsNote}>
        We don&apos;t name companies here, since fake listings often use the name of a real one. Did
        you see a listing that isn&apos;t right? Open it on <Link to="/jobs">the board</Link> and
        choose “Report this listing”.
      </p>
    </Page>
  );
}
