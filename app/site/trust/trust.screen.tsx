import { appContext } from "../../platform/app-context.server.ts";
import { day } from "../../platform/clock.ts";
import { minCasesForFigures } from "../../reviews/due-dates/due-dates.ts";
import { figuresFor } from "../../reviews/rules.ts";
import { LegalPage, type LegalSection } from "../../support/legal-page.tsx";
import { type PublicScreen, buildPublicMeta } from "../../ui/meta.ts";
import { Link } from "../../ui/link.tsx";
import { trustPage } from "./pages.ts";
import type { Route } from "./+types/trust.screen.ts";
import { darkPatterns } from "./dark-patterns.ts";
import { describeFigures, type Figure } from "./describe-figures.server.ts";
import { getTrustFigures } from "./trust-figures.server.ts";
import stylesheet from "./trust.screen.css?url";
import * as styles from "./trust.module.css";

export const handle: PublicScreen = { page: trustPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, trustPage);

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const figures = describeFigures(await getTrustFigures(db));
  return { product: config.product, figures, days: figuresFor / day, minCases: minCasesForFigures };
}

const tooFew = "Not enough yet";

export default function Trust({ loaderData: { product, ...figures } }: Route.ComponentProps) {
  return (
    <LegalPage
      stylesheet={stylesheet}
      title="Trust"
      intro={`What ${product.name} promises, and how often we keep it. We count, so that you don't have to believe us.`}
      sections={[buildFiguresSection(figures), ...sections]}
      product={product}
    />
  );
}

function buildFiguresSection({
  figures,
  days,
  minCases,
}: {
  figures: Figure[];
  days: number;
  minCases: number;
}): LegalSection {
  return {
    id: "figures",
    title: `The last ${days} days`,
    text: (
      <>
        <dl className={styles.figures}>
          {figures.map(({ name, value, about }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={value ? styles.value : styles.none}>{value ?? tooFew}</dd>
              <dd>{about}</dd>
            </div>
          ))}
        </dl>
        <p>
          The server counts these figures from its records, once a minute. With fewer than{" "}
          {minCases} cases, a figure says “{tooFew}”.
        </p>
      </>
    ),
  };
}

const sections: LegalSection[] = [
  {
    id: "dark-patterns",
    title: "No dark patterns",
    text: (
      <>
        <p>
          India&apos;s Guidelines for Prevention and Regulation of Dark Patterns, 2023 name 13 ways
          to trick people. We checked the site against each of them.
        </p>
        <dl className={styles.patterns}>
          {darkPatterns.map(({ name, answer, seenAt }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {answer} See <Link to={seenAt.path}>{seenAt.label}</Link>.
              </dd>
            </div>
          ))}
        </dl>
        <p>
          Did you find one? <Link to="/contact">Tell us</Link>.
        </p>
      </>
    ),
  },
  {
    id: "check",
    title: "Check for yourself",
    text: (
      <ul>
        <li>
          The <Link to="/privacy/notice">privacy notice</Link> lists each kind of data that we
          store.
        </li>
        <li>
          <Link to="/jobs/removed">Listings we removed</Link>, by month and reason.
        </li>
        <li>
          The <Link to="/refund">refund policy</Link> says when you get your money back without
          asking us.
        </li>
        <li>
          The <Link to="/services/example-review">example review</Link> is what you buy.
        </li>
        <li>
          <Link to="/accessibility">Accessibility</Link> says what doesn&apos;t work yet.
        </li>
        <li>
          Found a security problem? <a href="/.well-known/security.txt">security.txt</a> says where
          to write.
        </li>
      </ul>
    ),
  },
];
