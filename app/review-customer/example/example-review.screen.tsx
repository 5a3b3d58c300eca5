import { useState } from "react";
import { appContext } from "../../platform/app-context.server.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../../ui/meta.ts";
import { buildExampleReviewPage } from "./pages.ts";
import { countBySeverity, type NumberedRemark } from "../../annotations/marked.ts";
import { MarkedResult, SeverityCount } from "../../annotations/marked-sheet/marked-result.tsx";
import { TickBox } from "../../annotations/marked-sheet/remark-item.tsx";
import { severities, type Severity } from "../../annotations/severities.ts";
import { formatPrices, services } from "../../reviews/rules.ts";
import type { Route } from "./+types/example-review.screen.ts";
import { buildExampleReview } from "./example-review.server.ts";
import stylesheet from "./example-review.screen.css?url";
import * as styles from "./example-review.module.css";
import * as remarkItemStyles from "../../annotations/marked-sheet/remark-item.module.css";
import * as haveYoursReadStyles from "../../annotations/share/have-yours-read.module.css";
import * as pinSignStyles from "../../annotations/pin-sign.module.css";

export const handle: PublicScreen = { page: buildExampleReviewPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData && buildPublicMeta(matches, buildExampleReviewPage(loaderData.prices));

/** Returns the texts with the page, so that the browser doesn't load them twice. */
export function loader({ context }: Route.LoaderArgs) {
  const { reviewPrices, secondLooks } = context.get(appContext).config;
  const hasSecondLook = secondLooks.prices.combined_review !== null;
  return { ...buildExampleReview(), prices: reviewPrices, hasSecondLook };
}

/** A complete combined review of works made for this example. Ticks are lost when the page closes. */
export default function ExampleReview({
  loaderData: { summary, marked, signature, prices, hasSecondLook },
}: Route.ComponentProps) {
  const { single, both } = formatPrices(prices);
  const [done, setDone] = useState<string[]>([]);
  return (
    <Page
      back={
        <ButtonLink to="/services" variant="ghost" prefetch="intent">
          <Icon name="arrow-left" />
          Back to Services
        </ButtonLink>
      }
      title="An example review"
      intro={
        <>
          <p>
            {`Everything in a ${both} ${services.combined_review.shortLabel}: a summary, scores and ${marked.remarks.length} remarks pinned to the page.`}
          </p>
          <p className={styles.madeUp}>
            <Badge tone="outline">Made up</Badge> We invented Ira Banerjee, her work and her
            employers for this example.
          </p>
        </>
      }
      actions={<SeverityLegend remarks={marked.remarks} />}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <MarkedResult
        summary={summary}
        aside={<SentMaterials />}
        signature={signature}
        marked={marked}
        done={done}
        renderTick={({ id, number }, isDone) => (
          <TickBox
            number={number}
            isDone={isDone}
            className={`${remarkItemStyles.tick} needs-scripts`}
            onClick={() =>
              setDone((before) => (isDone ? before.filter((one) => one !== id) : [...before, id]))
            }
          />
        )}
      />
      <section className={haveYoursReadStyles.haveYoursRead}>
        <h2>Get your review</h2>
        <p>
          {`Get both reviewed for ${both} within ${services.combined_review.turnaroundHours} hours, or one for ${single} within ${services.resume_review.turnaroundHours}. See `}
          <Link to="/services#rubric">how we score</Link>
          {hasSecondLook && (
            <>
              {" and "}
              <Link to="/services/example-review/second-look">her second look</Link>
            </>
          )}
          .
        </p>
        <ButtonLink to="/services" prefetch="intent">
          See the review services
        </ButtonLink>
      </section>
    </Page>
  );
}

/** Counts the remarks of each severity. Each count leads to its filter, which scripts also choose. */
function SeverityLegend({ remarks }: { remarks: NumberedRemark[] }) {
  const counts = countBySeverity(remarks);
  return (
    <nav className={`${pinSignStyles.legend} ${styles.legend}`} aria-label="Remarks by importance">
      {(Object.keys(severities) as Severity[]).map((severity) => (
        <a
          key={severity}
          href={`#show-${severity}`}
          onClick={() => document.getElementById(`show-${severity}`)?.click()}
        >
          <SeverityCount severity={severity} count={counts[severity]} />
        </a>
      ))}
    </nav>
  );
}

/** The customer's files and brief. */
function SentMaterials() {
  return (
    <dl className={styles.sent}>
      <div>
        <dt>Sent</dt>
        <dd>A resume of 2 pages, a portfolio of 8, and a website</dd>
      </div>
      <div>
        <dt>Target role</dt>
        <dd>Product designer for subscriptions or payments, in a small team</dd>
      </div>
      <div>
        <dt>Experience</dt>
        <dd>6 years</dd>
      </div>
    </dl>
  );
}
