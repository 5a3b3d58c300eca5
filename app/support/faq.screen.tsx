import { Link } from "react-router";
import { appContext } from "../platform/app-context.server.ts";
import { Drawn } from "../ui/brand/drawings.tsx";
import { Page } from "../ui/layout/page.tsx";
import { published, type PublicScreen } from "../ui/meta/published.ts";
import type { Route } from "./+types/faq.screen.ts";
import { faqPage } from "./pages.ts";
import { questions } from "./questions.tsx";
import styles from "./legal.css?url";

export const handle: PublicScreen = { page: faqPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => published(matches, faqPage);

export function loader({ context }: Route.LoaderArgs) {
  return context.get(appContext).config.product;
}

export default function Faq({ loaderData: { supportEmail } }: Route.ComponentProps) {
  return (
    <Page
      title="Frequently asked questions"
      intro="About reviews, what to send, what comes back, and the jobs on the board."
      aside={
        <div className="faq-more">
          <Drawn name="lost" />
          <h2>Not here?</h2>
          <p>
            Write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>, or send a message from
            the <Link to="/contact">contact page</Link>.
          </p>
          <p>
            What can be cancelled and refunded stands in the <Link to="/refund">refund policy</Link>
            .
          </p>
        </div>
      }
    >
      <link rel="stylesheet" href={styles} precedence="default" />
      <div className="questions">
        {questions.map(({ question, answer }) => (
          // One name for all: the browser keeps at most one of them open.
          <details key={question} name="faq">
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </Page>
  );
}
