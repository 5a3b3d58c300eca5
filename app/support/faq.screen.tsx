import type { ReactNode } from "react";
import { formatBytes, uploadRules } from "../files/rules.ts";
import { appContext } from "../platform/app-context.server.ts";
import { DrawingSvg } from "../ui/feedback/empty-state.tsx";
import { Page } from "../ui/layout/page.tsx";
import { Link } from "../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import { offer } from "../reviews/rules.ts";
import type { Route } from "./+types/faq.screen.ts";
import { faqPage } from "./pages.ts";
import styles from "./legal.css?url";

export const handle: PublicScreen = { page: faqPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, faqPage);

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
          <DrawingSvg name="lost" />
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

const { resume, portfolio } = uploadRules;

/** The eight questions of the FAQ. */
const questions: { question: string; answer: ReactNode }[] = [
  {
    question: "How long does a review take?",
    answer: `${offer.standard}. Combined reviews with priority service are ${offer.priority}.`,
  },
  {
    question: "How do I send my resume?",
    answer: `Upload it as a PDF; a Word document (.doc or .docx) works too. It may have up to ${formatBytes(resume.maxBytes)}.`,
  },
  {
    question: "How do I send my portfolio?",
    answer: `Upload it as a file, a ${portfolio.types} of up to ${formatBytes(portfolio.maxBytes)}, or give its URL. You can also do both.`,
  },
  {
    question: "Can I change my materials after submission?",
    answer:
      "No. Materials cannot be changed after submission. To have changed materials reviewed, a new review must be bought.",
  },
  {
    question: "Will the reviewer edit my resume or portfolio?",
    answer:
      "Reviewers may suggest edits, and sometimes they supply edited versions. You find both on your profile once the review is completed.",
  },
  {
    question: "Who reads what I send?",
    answer: (
      <>
        Your reviewer, an industry professional or an IIT alumnus or alumna, and the admins who
        assign the review. Nobody else can open your files; the{" "}
        <Link to="/privacy">privacy policy</Link> says more.
      </>
    ),
  },
  {
    question: "Are the jobs on the board real?",
    answer:
      "Job-board postings are verified. Sign in to see the point of contact of a job, and ask them about it.",
  },
  {
    question: "Can I cancel, or get my money back?",
    answer:
      "An order can be cancelled only right after it was placed. The refund policy says what holds after that, and how long a refund takes.",
  },
];
