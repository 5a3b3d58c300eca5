import type { ReactNode } from "react";
import { day } from "../platform/clock.ts";
import { formatBytes, uploadRules } from "../files/rules.ts";
import { appContext } from "../platform/app-context.server.ts";
import { DrawingSvg } from "../ui/feedback/empty-state.tsx";
import { Page } from "../ui/layout/page.tsx";
import { Link } from "../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import { verifiedMeaning } from "../jobs/check-rules.ts";
import { turnaround } from "../reviews/rules.ts";
import type { Route } from "./+types/faq.screen.ts";
import { faqPage } from "./pages.ts";
import stylesheet from "./faq.screen.css?url";
import * as styles from "./legal.module.css";
import * as questionsStyles from "../ui/layout/questions.module.css";

export const handle: PublicScreen = { page: faqPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, faqPage);

export function loader({ context }: Route.LoaderArgs) {
  const { product, checks } = context.get(appContext).config;
  return { supportEmail: product.supportEmail, checkDays: checks.checkEvery / day };
}

export default function Faq({ loaderData: { supportEmail, checkDays } }: Route.ComponentProps) {
  return (
    <Page
      title="Frequently asked questions"
      intro="About reviews, what to send, what you get, and the jobs on the board."
      aside={
        <div className={styles.faqMore}>
          <DrawingSvg name="lost" />
          <h2>Still have a question?</h2>
          <p>
            Email <a href={`mailto:${supportEmail}`}>{supportEmail}</a>, or send us a message from
            the <Link to="/contact">contact page</Link>.
          </p>
          <p>
            See for free what software reads in your resume, with the{" "}
            <Link to="/services/resume-check">resume check</Link>.
          </p>
          <p>
            See the <Link to="/refund">refund policy</Link> for cancellations and refunds.
          </p>
        </div>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <div className={questionsStyles.questions}>
        {buildQuestions(checkDays).map(({ question, answer }) => (
          // The browser keeps at most one of the elements with the same name open.
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

const buildQuestions = (checkDays: number): { question: string; answer: ReactNode }[] => [
  {
    question: "How long does a review take?",
    answer: `${turnaround.standard}. Combined reviews with priority service are ${turnaround.priority}.`,
  },
  {
    question: "How do I send my resume?",
    answer: `Upload it as a PDF. A Word document (.doc or .docx) works too. The limit is ${formatBytes(resume.maxBytes)}.`,
  },
  {
    question: "How do I send my portfolio?",
    answer: `Upload a file (${portfolio.types}, up to ${formatBytes(portfolio.maxBytes)}), or enter its URL. You can also do both.`,
  },
  {
    question: "Can I change my materials after submission?",
    answer:
      "No. Materials cannot be changed after submission. To get changed materials reviewed, buy a new review.",
  },
  {
    question: "Will the reviewer edit my resume or portfolio?",
    answer:
      "Reviewers may suggest edits and sometimes supply edited versions. You'll find both on your profile once the review is completed.",
  },
  {
    question: "Who can see what I send?",
    answer: (
      <>
        Your reviewer, who is an industry professional or an IIT alumnus or alumna, and the admins
        who assign reviews. No one else can open your files. See our{" "}
        <Link to="/privacy">privacy policy</Link>.
      </>
    ),
  },
  {
    question: "Are the jobs on the board real?",
    answer: `Yes. Job-board postings are verified. ${verifiedMeaning} Our team asks the contact of each job every ${checkDays === 1 ? "day" : `${checkDays} days`} if it is still open. The newest jobs come first, and no one can pay for a higher place. Log in to see a job's point of contact, and ask them about it.`,
  },
  {
    question: "Can I cancel or get a refund?",
    answer: (
      <>
        You can cancel an order only right after you place it. See the refund policy for what
        applies after that, and how long a refund takes. To cancel a review in time, open{" "}
        <Link to="/profile/payments">Payments</Link> in your profile and take the refund before a
        reviewer starts. You don&apos;t need our approval.
      </>
    ),
  },
];
