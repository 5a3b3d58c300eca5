import { formatRupees } from "../payments/money.ts";
import { appContext } from "../platform/app-context.server.ts";
import { ButtonLink } from "../ui/form/button.tsx";
import { Card } from "../ui/layout/card.tsx";
import { Page } from "../ui/layout/page.tsx";
import { Link } from "../ui/link.tsx";
import { buildPublicMeta, type PublicScreen } from "../ui/meta.ts";
import type { Route } from "./+types/post.screen.ts";
import { postPage } from "./pages.ts";
import stylesheet from "./post.screen.css?url";
import * as styles from "./posting.module.css";
import { decidedWithinHours } from "./rules.ts";

export const handle: PublicScreen = { page: postPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, postPage);

export function loader({ context }: Route.LoaderArgs) {
  const { listingPrice } = context.get(appContext).config;
  return { price: listingPrice === null ? null : formatRupees(listingPrice) };
}

const listSteps = (price: string | null) => [
  ["Add your company", "Confirm your work email. Its domain is the one of your company's website."],
  ["Write the listing", "Save it as often as you like, and see it as designers will."],
  [
    "We check it",
    `We read every listing before it goes online, and aim to do so within ${decidedWithinHours} hours. If something needs to change, we tell you what.`,
  ],
  ...(price ? [["You pay", `Once we have approved it, you pay ${price} within a week.`]] : []),
  [
    "It goes live",
    "It is first on the board, and in the emails of designers who asked for such jobs.",
  ],
];

const rules = [
  "The job is real and open now.",
  "It names a person whom designers can ask, and how to reach them.",
  "Nobody pays to apply: no fee, no deposit, no paid course.",
  "It asks for no bank details, no Aadhaar number and no codes.",
  "Every two weeks you say whether it is still open. If you don't, it leaves the board.",
] as const;

export default function Post({ loaderData: { price } }: Route.ComponentProps) {
  return (
    <Page
      width="text"
      title={postPage.title}
      intro="Your listing reaches designers across India, newest first. Nobody can buy a higher place."
      actions={<ButtonLink to="/post/listings">Write a listing</ButtonLink>}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <Card title="The price">
        <p>
          <strong className={styles.price}>{price ?? "Free"}</strong>
        </p>
        <p className="text-ink-soft">
          {price
            ? "For each listing, and only after we have approved it. Changing it later costs nothing."
            : "You pay nothing, before or after your listing is published."}
        </p>
      </Card>
      <section aria-labelledby="steps" className={styles.section}>
        <h2 id="steps">How it works</h2>
        <ol className={styles.steps}>
          {listSteps(price).map(([name, text]) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="rules" className={styles.section}>
        <h2 id="rules">What we publish</h2>
        <ul className={styles.rules}>
          {rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
        <p className="mt-4 text-sm text-ink-soft">
          See <Link to="/companies">the companies that post here</Link>, and{" "}
          <Link to="/jobs/removed">the listings that we removed</Link>.
        </p>
      </section>
    </Page>
  );
}
