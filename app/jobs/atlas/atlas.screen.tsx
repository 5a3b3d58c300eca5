import { appContext } from "../../platform/app-context.server.ts";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../../ui/meta.ts";
import { atlasPage } from "./pages.ts";
import type { Route } from "./+types/atlas.screen.ts";
import { atlasSize, type DrawnCity, grid } from "./draw-stations.ts";
import { loadAtlas } from "./load-atlas.server.ts";
import stylesheet from "./atlas.screen.css?url";
import * as styles from "./atlas.module.css";

// Its path matches that of a job, whose page is shared too.
export const handle: PublicScreen = { page: atlasPage, isCached: true, isShared: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, atlasPage);

export async function loader({ context }: Route.LoaderArgs) {
  return loadAtlas(context.get(appContext).db);
}

export default function Atlas({ loaderData }: Route.ComponentProps) {
  const { cities, abroad, remote, open } = loaderData;
  return (
    <Page
      back={
        <ButtonLink to="/jobs" variant="ghost">
          <Icon name="arrow-left" />
          Back to Jobs
        </ButtonLink>
      }
      title={atlasPage.title}
      intro={`${formatOpenJobs(open)} on the board. A city's number includes remote jobs that you can do from there.`}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {cities.length + abroad.length + remote === 0 ? (
        <EmptyState
          title="No jobs on the map yet"
          drawing="search"
          action={<ButtonLink to="/jobs">See all jobs</ButtonLink>}
        >
          Jobs appear here when they name a city or are remote.
        </EmptyState>
      ) : (
        <div className={styles.atlas}>
          <div className={styles.drawing}>
            <AtlasDrawing cities={cities} />
          </div>
          <div>
            <CityTable caption="Jobs by city" cities={cities} />
            {remote > 0 && (
              <p className={styles.remote}>
                <Link to="/jobs?mode=remote">Remote jobs</Link>
                <span>{formatIndianNumber(remote)}</span>
              </p>
            )}
            {abroad.length > 0 && <CityTable caption="Abroad" cities={abroad} />}
          </div>
        </div>
      )}
    </Page>
  );
}

function formatOpenJobs(count: number): string {
  return countNoun(count, "open job");
}

/** The map for people who see it. The tables beside it have the same links, also for keyboards. */
function AtlasDrawing({ cities }: { cities: DrawnCity[] }) {
  const { width, height } = atlasSize;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {grid.meridians.map(({ degrees, x }) => (
        <g key={degrees}>
          <path d={`M${x} 0V${height}`} />
          <text x={x + 4} y={height - 6}>{`${degrees}° E`}</text>
        </g>
      ))}
      {grid.parallels.map(({ degrees, y }) => (
        <g key={degrees}>
          <path d={`M0 ${y}H${width}`} />
          <text x={4} y={y - 4}>{`${degrees}° N`}</text>
        </g>
      ))}
      {cities.map(({ slug, name, jobs, x, y, radius, label }) => (
        <a key={slug} href={`/jobs?place=${slug}`} tabIndex={-1}>
          <title>{`${name}, ${formatOpenJobs(jobs)}`}</title>
          <circle cx={x} cy={y} r={radius} />
          {label && (
            <text x={label.x} y={label.y} textAnchor={label.anchor}>
              {name} <tspan>{jobs}</tspan>
            </text>
          )}
        </a>
      ))}
    </svg>
  );
}

function CityTable({
  caption,
  cities,
}: {
  caption: string;
  cities: { slug: string; name: string; jobs: number }[];
}) {
  if (cities.length === 0) return null;
  return (
    <table className={styles.cities}>
      <caption>{caption}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">City</th>
          <th scope="col">Open jobs</th>
        </tr>
      </thead>
      <tbody>
        {cities.map(({ slug, name, jobs }) => (
          <tr key={slug}>
            <th scope="row">
              <Link to={`/jobs?place=${slug}`}>{name}</Link>
            </th>
            <td>{formatIndianNumber(jobs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
