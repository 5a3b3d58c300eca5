import type { NewMail } from "../../mail/deliver-mail.server.ts";
import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { formatLongDate } from "../../platform/clock.ts";
import type { Product } from "../../platform/config.server.ts";
import { cleanLine } from "../../platform/text/text.ts";
import { linkLifetime } from "./rules.ts";

/** A question to a contact: the listing, and the link where they answer. */
export type QuestionAbout = {
  questionId: string;
  /** Asks if they agree to be named, if the job is still open, or the latter once more. */
  kind: "consent" | "check" | "reminder";
  title: string;
  company: string;
  link: string;
};

type Questions = [QuestionAbout, ...QuestionAbout[]];

/** The causes of emails to contacts start with it. */
export const questionCause = "check";

/**
 * Builds the email that asks a contact about one or several listings.
 *
 * @param askedAt when the questions were asked, from which their links work
 */
export function buildQuestionMail(
  { product }: { product: Product },
  to: string,
  questions: Questions,
  askedAt: Date,
): NewMail {
  const [{ questionId, kind }] = questions;
  return {
    cause: `${questionCause}:${questionId}${kind === "reminder" ? ":reminder" : ""}`,
    to,
    subject: formatQuestion(questions),
    body: <QuestionMail product={product} questions={questions} askedAt={askedAt} />,
  };
}

function formatQuestion(questions: Questions): string {
  const [first, ...others] = questions;
  if (areAll(questions, "consent"))
    return others.length === 0
      ? `Are you the contact for ${formatListing(first)}?`
      : `Are you the contact for these ${questions.length} jobs?`;
  return others.length === 0
    ? `Is ${formatListing(first)} still open?`
    : `Are your ${others.length + 1} jobs still open?`;
}

function areAll(questions: Questions, kind: QuestionAbout["kind"]): boolean {
  return questions.every((question) => question.kind === kind);
}

function formatListing({ title, company }: QuestionAbout): string {
  // Imported titles may have line breaks.
  return `“${cleanLine(title)}” at ${cleanLine(company)}`;
}

function QuestionMail({
  product,
  questions,
  askedAt,
}: {
  product: Product;
  questions: Questions;
  askedAt: Date;
}) {
  const [first, ...others] = questions;
  const isOne = others.length === 0;
  const isConsent = areAll(questions, "consent");
  const title = isConsent
    ? `Are you the contact for ${isOne ? "this job" : "these jobs"}?`
    : `${isOne ? "Is this job" : "Are these jobs"} still open?`;
  return (
    <MailLayout
      product={product}
      title={title}
      preview={isOne ? formatListing(first) : `${questions.length} jobs name you as the contact.`}
    >
      {areAll(questions, "reminder") && (
        <MailText>We asked you a few days ago and got no answer.</MailText>
      )}
      <MailText>
        The job board of {product.name} lists{" "}
        {isOne
          ? `${formatListing(first)}. You are the contact for this job. `
          : "these jobs. You are their contact. "}
        {isConsent ? "Please tell us if you agree to be named." : formatRequest(isOne)}
      </MailText>
      {isOne ? (
        <MailAction href={first.link}>Answer</MailAction>
      ) : (
        questions.map((question) => (
          <MailText key={question.questionId}>
            <a href={question.link}>{formatListing(question)}</a>
          </MailText>
        ))
      )}
      <MailText>
        {isOne ? "The link works" : "The links work"} until{" "}
        {formatLongDate(new Date(askedAt.getTime() + linkLifetime))}. You don't need an account.
        With “Still open” you also agree that people who are logged in see your name and how to
        reach you. If you don't want to be the contact, use the same link and press “Remove my
        name”.
      </MailText>
    </MailLayout>
  );
}

function formatRequest(isOne: boolean): string {
  return isOne
    ? "Please tell us if it is still open."
    : "Please tell us for each one if it is still open.";
}
