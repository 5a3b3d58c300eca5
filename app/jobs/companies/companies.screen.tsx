import { CompanyLogo } from "../../companies/logo/company-logo.tsx";
import { buildLogoAddress } from "../../companies/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { type Count, countLabel, writeQuery } from "../../platform/lists/lists.ts";
import { getFirstCharacter } from "../../platform/text/cut-text.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPublicMeta, type PublicScreen } from "../../ui/meta.ts";
import { describeReplies } from "../replies/reply-records.server.ts";
import { companiesPage } from "./pages.ts";
import type { Route } from "./+types/companies.screen.ts";
import stylesheet from "./companies.screen.css?url";
import * as styles from "./companies.module.css";
import { listCompanies } from "./find-companies.server.ts";

export const handle: PublicScreen = { page: companiesPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches, location }) =>
  buildPublicMeta(matches, companiesPage, { isListed: location.search === "" });

export async function loader({ url, context }: Route.LoaderArgs) {
  const after = url.searchParams.get("after");
  const { rows, next } = await listCompanies(context.get(appContext).db, { after });
  return {
    companies: rows.map(({ name, slug, logoHash, openJobs, replies }) => ({
      name,
      slug,
      logo: buildLogoAddress({ slug, logoHash }),
      initial: getFirstCharacter(name),
      facts: [describeOpenJobs(openJobs), ...(replies ? [describeReplies(replies)] : [])].join(
        " · ",
      ),
    })),
    next,
    isFirst: after === null,
  };
}

function describeOpenJobs(count: Count): string {
  if (count.isMore) return `${countLabel(count)} open jobs`;
  return count.counted > 0 ? countNoun(count.counted, "open job") : "No open jobs";
}

export default function Companies({ loaderData }: Route.ComponentProps) {
  const { companies, next, isFirst } = loaderData;
  return (
    <Page
      width="text"
      title={companiesPage.title}
      intro="Companies that post their jobs here themselves. Our team checks each of them, and reads every listing before it goes online."
      actions={
        <ButtonLink to="/post" variant="secondary">
          Post a job
        </ButtonLink>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {companies.length === 0 ? (
        <EmptyState
          title="No companies yet"
          drawing="map"
          action={<ButtonLink to="/jobs">See all jobs</ButtonLink>}
        >
          The jobs on the board come from our team so far.
        </EmptyState>
      ) : (
        <ul className={styles.companies}>
          {companies.map(({ name, slug, logo, initial, facts }) => (
            <li key={slug}>
              {logo ? (
                <CompanyLogo address={logo} alt="" size={48} />
              ) : (
                <span aria-hidden="true" className={styles.initial}>
                  {initial}
                </span>
              )}
              <div>
                <Link to={`/companies/${slug}`} prefetch="intent">
                  {name}
                </Link>
                <p>{facts}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className="row mt-6">
        {!isFirst && (
          <ButtonLink to="/companies" variant="secondary">
            First page
          </ButtonLink>
        )}
        {next && (
          <ButtonLink to={`/companies${writeQuery({ after: next })}`} variant="secondary">
            Next page
          </ButtonLink>
        )}
      </div>
    </Page>
  );
}
