import type { NewMail, Sender } from "../../mail/deliver-mail.server.ts";
import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { countNoun } from "../../platform/count-noun.ts";
import { cleanLine } from "../../platform/text/text.ts";
import { MailJob, type MailedJob } from "../emails.tsx";
import { trackerPath } from "../tracker/rules.ts";

/** The jobs that one email lists. */
const maxJobs = 20;

/**
 * Builds the email about a person's saved jobs that close soon. The first names its cause, since they hear of a job once.
 *
 * @param jobs the next to close first
 */
export function buildClosingMail(
  { origin, product }: Sender,
  person: { id: string; email: string },
  jobs: readonly [MailedJob, ...MailedJob[]],
): NewMail {
  const [first, ...others] = jobs;
  const isOne = others.length === 0;
  const title = isOne
    ? `“${cleanLine(first.title)}” closes soon`
    : `${countNoun(jobs.length, "saved job")} close soon`;
  const rest = jobs.length - maxJobs;
  return {
    cause: `saved-job-closes:${person.id}:${first.id}`,
    to: person.email,
    subject: title,
    body: (
      <MailLayout
        product={product}
        title={title}
        preview={`${first.applyBy}: ${cleanLine(first.title)}`}
        choicesAt={`${origin}/profile/mails`}
      >
        <MailText>
          {isOne
            ? "You saved this job. Your list doesn't say that you applied."
            : "You saved these jobs. Your list doesn't say that you applied."}
        </MailText>
        {jobs.slice(0, maxJobs).map((job) => (
          <MailJob key={job.id} origin={origin} job={job} />
        ))}
        {rest > 0 && <MailText>{countNoun(rest, "more job")}: see your list.</MailText>}
        <MailAction href={`${origin}${trackerPath}?state=saved`}>See your saved jobs</MailAction>
      </MailLayout>
    ),
  };
}
