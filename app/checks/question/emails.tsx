import type { NewMail } from "../../mail/deliver-mail.server.ts";
import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { formatLongDate } from "../../platform/clock.ts";
import type { Product } from "../../platform/config.server.ts";
import { cleanLine } from "../../platform/text/text.ts";
import { linkLifetime } from "./rules.ts";

/** A question to a contact: the listing, and the link where they answer. */
export type QuestionAbout = {
  questionId: string;
  isReminder: boolean;
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
  const [{ questionId, isReminder }] = questions;
  return {
    cause: `${questionCause}:${questionId}${isReminder ? ":reminder" : ""}`,
    to,
    subject: formatQuestion(questions),
    body: <QuestionMail product={product} questions={questions} askedAt={askedAt} />,
  };
}

function formatQuestion([first, ...others]: Questions): string {
  return others.length === 0
    ? `Is ${formatListing(first)} still open?`
    : `Are your ${others.length + 1} jobs still open?`;
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
  const isReminder = questions.every((question) => question.isReminder);
  const title = isOne ? "Is this job still open?" : "Are these jobs still open?";
  return (
    <MailLayout
      product={product}
      title={title}
      preview={isOne ? formatListing(first) : `${questions.length} jobs name you as the contact.`}
    >
      {isReminder && <MailText>We asked you a few days ago and got no answer.</MailText>}
      <MailText>
        {isOne ? (
          <>
            The job board of {product.name} lists {formatListing(first)}. You are the contact for
            this job. Please tell us if it is still open.
          </>
        ) : (
          <>
            The job board of {product.name} lists these jobs. You are their contact. Please tell us
            for each one if it is still open.
          </>
        )}
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
        {formatLongDate(new Date(askedAt.getTime() + linkLifetime))}. You don't need an account. If
        you don't want to be the contact, use the same link and press “Remove my name”.
      </MailText>
    </MailLayout>
  );
}
