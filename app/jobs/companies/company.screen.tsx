import { CompanyLogo } from "../../companies/logo/company-logo.tsx";
import { buildLogoAddress } from "../../companies/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import * as proseStyles from "../../ui/layout/prose.module.css";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta, buildPublicMeta, type PublicScreen } from "../../ui/meta.ts";
import { buildCompanyPage } from "./pages.ts";
import { describeLateReplies, describeReplies } from "../replies/reply-records.server.ts";
import { payUnstated, splitIntoParagraphs } from "../rules.ts";
import type { Route } from "./+types/company.screen.ts";
import stylesheet from "./company.screen.css?url";
import * as styles from "./companies.module.css";
import { findCompany, listCompanyJobs } from "./find-companies.server.ts";

const notFoundTitle = "Company Not Found";

export const handle: PublicScreen = { page: null, isCached: true };

export const meta: Route.MetaFunction = ({ matches, loaderData, location }) =>
  loaderData
    ? buildPublicMeta(matches, buildCompanyPage(loaderData.company), {
        isListed: loaderData.jobs.length > 0 && location.search === "",
      })
    : buildPrivateMeta(matches, notFoundTitle);

export async function loader({ params: { slug }, url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const company = await findCompany(db, slug);
  if (!company) throw new NotFound(notFoundTitle);
  const { replies, ...facts } = company;
  const after = url.searchParams.get("after");
  const { jobs, next } = await listCompanyJobs(db, company.id, after);
  return {
    company: facts,
    replies: replies && [describeReplies(replies), describeLateReplies(replies)],
    jobs: jobs.map(({ id, title, place, pay, jobType, check, isChecked, applyBy }) => ({
      id,
      title,
      place,
      pay,
      jobType,
      dated: applyBy ?? (isChecked ? null : check),
    })),
    next,
    isFirst: after === null,
  };
}

export default function Company({ loaderData }: Route.ComponentProps) {
  const { company, replies, jobs, next, isFirst } = loaderData;
  return (
    <Page
      width="text"
      back={
        <ButtonLink to="/companies" variant="ghost">
          <Icon name="arrow-left" />
          All companies
        </ButtonLink>
      }
      title={
        <span className={styles.title}>
          <CompanyLogo address={buildLogoAddress(company)} alt="" size={72} />
          {company.name}
        </span>
      }
      intro={
        <p>
          <a href={company.website} rel="noopener noreferrer nofollow" className="wrap-anywhere">
            {company.website.replace(/^https:\/\//, "").replace(/\/$/, "")}
          </a>
        </p>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {company.about && (
        <div className={`${proseStyles.prose} ${styles.about}`}>
          {splitIntoParagraphs(company.about).map((paragraph, index) => (
            <p key={index}>{paragraph}</p>
          ))}
        </div>
      )}
      {replies && (
        <section aria-labelledby="replies" className={styles.replies}>
          <h2 id="replies" className={styles.heading}>
            Replies
          </h2>
          <p>{replies.filter(Boolean).join(". ")}.</p>
          <p>
            People who applied told us this in the last 90 days. The numbers change once a week.
          </p>
        </section>
      )}
      <section aria-labelledby="open-jobs">
        <h2 id="open-jobs" className={styles.heading}>
          Open jobs
        </h2>
        {jobs.length === 0 ? (
          <EmptyState
            title={`${company.name} has no open jobs now`}
            level={3}
            drawing="search"
            action={<ButtonLink to="/jobs">See all jobs</ButtonLink>}
          />
        ) : (
          <ul className={styles.jobs}>
            {jobs.map(({ id, title, place, pay, jobType, dated }) => (
              <li key={id}>
                <Link to={`/jobs/${id}`} prefetch="intent">
                  {title}
                </Link>
                <p>{place}</p>
                <p>{[pay ?? payUnstated, jobType, dated].filter(Boolean).join(" · ")}</p>
              </li>
            ))}
          </ul>
        )}
        <div className="row mt-6">
          {!isFirst && (
            <ButtonLink to="." variant="secondary">
              Newest jobs
            </ButtonLink>
          )}
          {next && (
            <ButtonLink
              to={`/companies/${company.slug}${writeQuery({ after: next })}`}
              variant="secondary"
            >
              Older jobs
            </ButtonLink>
          )}
        </div>
      </section>
    </Page>
  );
}
