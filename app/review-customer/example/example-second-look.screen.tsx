import { formatRupees } from "../../payments/money.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { SecondLookResult } from "../../annotations/second-look/comparison.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { type PublicScreen, buildPublicMeta } from "../../ui/meta.ts";
import type { Route } from "./+types/example-second-look.screen.ts";
import { buildExampleSecondLook } from "./example-review.server.ts";
import stylesheet from "./example-second-look.screen.css?url";
import { exampleReviewPath } from "./pages.ts";
import { exampleSecondLookPage } from "./second-look-page.ts";
import * as styles from "./example-review.module.css";
import * as haveYoursReadStyles from "../../annotations/share/have-yours-read.module.css";

export const handle: PublicScreen = { page: exampleSecondLookPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPublicMeta(matches, exampleSecondLookPage);

/** Returns the texts with the page, so that the browser doesn't load them twice. */
export function loader({ context }: Route.LoaderArgs) {
  const { prices, days } = context.get(appContext).config.secondLooks;
  const pricePaise = prices.combined_review;
  const offer =
    pricePaise === null
      ? null
      : `You can buy a second look at both for ${formatRupees(pricePaise)}, up to ${days} days after the review.`;
  return { comparison: buildExampleSecondLook(), offer };
}

/** The second look at the revised works of the example, as a customer gets it. */
export default function ExampleSecondLook({
  loaderData: { comparison, offer },
}: Route.ComponentProps) {
  return (
    <Page
      back={
        <ButtonLink to={exampleReviewPath} variant="ghost" prefetch="intent">
          <Icon name="arrow-left" />
          Back to the example review
        </ButtonLink>
      }
      title="An example second look"
      intro={
        <>
          <p>Everything in a second look: what changed, remark by remark.</p>
          <p className={styles.madeUp}>
            <Badge tone="outline">Made up</Badge> We invented Ira Banerjee, her work and her
            employers.
          </p>
        </>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <SecondLookResult comparison={comparison}>
        <p>
          Ira changed her resume and portfolio after the review. The reviewer compared them and
          looked at her website again.
        </p>
      </SecondLookResult>
      <section className={haveYoursReadStyles.haveYoursRead}>
        <h2>Get your review</h2>
        {offer && <p>{offer}</p>}
        <ButtonLink to="/services" prefetch="intent">
          See the review services
        </ButtonLink>
      </section>
    </Page>
  );
}
