import type { NewMail } from "../../mail/deliver-mail.server.ts";
import { MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { hairline, mailColors } from "../../mail/mail-style.ts";
import { toIsoDay } from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { cleanLine } from "../../platform/text/text.ts";
import { buildBoardPath, describeAlert } from "./alert-query.server.ts";
import type { ReplyQuestion } from "../tracker/replies.server.ts";
import { trackerPath } from "../tracker/rules.ts";
import { faintText, MailJob, type MailedJob } from "../emails.tsx";
import {
  type Alert,
  type AlertSettings,
  buildStopPath,
  listAddressHashes,
} from "./alerts.server.ts";
import { type AlertFrequency, frequencyPhrases } from "./rules.ts";

/** The new jobs of one alert. */
export type DigestSection = {
  alertId: string;
  /** The filters in words. */
  name: string;
  frequency: AlertFrequency;
  jobs: MailedJob[];
  /** The number of its new jobs, with those that the email doesn't list. */
  count: number;
  /** The address of the board with its filters. */
  board: string;
  /** The address where the reader stops it. */
  stop: string;
};

/**
 * Names the digest of an address and a day, so that there is only one.
 *
 * @returns the name of a new one first, then those that it has if the secret has changed since
 */
export function listDigestCauses(
  config: Pick<AlertSettings, "secrets">,
  email: string,
  end: Date,
): [string, ...string[]] {
  const [own, ...earlier] = listAddressHashes(config, email);
  const toCause = (hash: string) => `alert-digest:${hash}:${toIsoDay(end)}`;
  return [toCause(own), ...earlier.map(toCause)];
}

/** Builds the part of a digest with the new jobs of one alert. @param count their number, with those not listed */
export function buildDigestSection(
  config: AlertSettings,
  { id, query, frequency }: Pick<Alert, "id" | "query" | "frequency">,
  { jobs, count }: Pick<DigestSection, "jobs" | "count">,
): DigestSection {
  return {
    alertId: id,
    name: describeAlert(query),
    frequency,
    jobs,
    count,
    board: config.origin + buildBoardPath(query),
    stop: config.origin + buildStopPath(config, id, "stop"),
  };
}

/**
 * Builds the digest of an address. The button of mail programs stops the alerts that are in it: its only one, or all.
 *
 * @param end the end of the latest daily window
 */
export function buildDigestMail(
  config: AlertSettings,
  email: string,
  {
    sections,
    end,
    question = null,
  }: {
    sections: readonly [DigestSection, ...DigestSection[]];
    end: Date;
    /** A job of the reader's list, with the question if its company answered. */
    question?: ReplyQuestion | null;
  },
): NewMail {
  const { origin, product } = config;
  const [first, ...others] = sections;
  const stopAll = origin + buildStopPath(config, first.alertId, "stop-all");
  return {
    cause: listDigestCauses(config, email, end)[0],
    to: email,
    subject: formatDigestSubject(sections),
    // RFC 2369, RFC 8058 and RFC 2919.
    headers: {
      "List-Unsubscribe": `<${others.length === 0 ? first.stop : stopAll}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-Id": `<job-alerts.${new URL(origin).hostname}>`,
    },
    body: (
      <DigestMail
        product={product}
        origin={origin}
        sections={sections}
        question={question}
        stopAll={stopAll}
      />
    ),
  };
}

/** Formats the subject of a digest: "New job: “Product Designer” at Acme", or "12 new jobs: UX design, Pune". */
function formatDigestSubject(sections: readonly DigestSection[]): string {
  const [first, ...others] = sections;
  const count = sections.reduce((sum, section) => sum + section.count, 0);
  const [job] = first!.jobs;
  if (count === 1 && job) return `New job: “${cleanLine(job.title)}” at ${cleanLine(job.company)}`;
  const jobs = formatJobCount(count);
  return others.length === 0 ? `${jobs}: ${first!.name}` : `${jobs} for your alerts`;
}

function formatJobCount(count: number): string {
  return countNoun(count, "new job");
}

type Digest = {
  product: AlertSettings["product"];
  origin: string;
  sections: readonly DigestSection[];
  question: ReplyQuestion | null;
  /** The address where the reader stops all alerts. */
  stopAll: string;
};

/** The email with the new jobs of all alerts of an address. */
function DigestMail({ product, origin, sections, question, stopAll }: Digest) {
  const count = sections.reduce((sum, section) => sum + section.count, 0);
  const titles = sections.flatMap(({ jobs }) => jobs.map(({ title }) => cleanLine(title)));
  return (
    <MailLayout
      product={product}
      title={`${formatJobCount(count)} for you`}
      preview={titles.slice(0, 3).join(", ")}
      reason={
        <>
          You get this email because you asked {product.name} for job alerts.{" "}
          <a href={stopAll} style={plainLink}>
            Stop all alerts
          </a>
        </>
      }
    >
      {sections.map((section) => (
        <Section key={section.alertId} origin={origin} {...section} />
      ))}
      {question && (
        <MailText>
          You applied for “{cleanLine(question.title)}”.{" "}
          <a href={`${origin}${trackerPath}/${question.id}`} style={plainLink}>
            Did {cleanLine(question.company)} answer?
          </a>
        </MailText>
      )}
    </MailLayout>
  );
}

function Section({
  origin,
  name,
  frequency,
  jobs,
  count,
  board,
  stop,
}: DigestSection & { origin: string }) {
  return (
    <>
      <h2 style={sectionTitle}>{name}</h2>
      {jobs.map((job) => (
        <MailJob key={job.id} origin={origin} job={job} />
      ))}
      <p style={sectionEnd}>
        <a href={board} style={plainLink}>
          {count > jobs.length ? `See all ${formatJobCount(count)}` : "See them on the board"}
        </a>
        <br />
        <span className="mail-faint" style={faintText}>
          You get this alert {frequencyPhrases[frequency]}.
        </span>{" "}
        <a href={stop} style={plainLink}>
          Stop this alert
        </a>
      </p>
    </>
  );
}

const { ink } = mailColors;
const plainLink = { color: "inherit" };
const sectionTitle = {
  borderTop: `2px solid ${ink}`,
  color: ink,
  fontSize: 18,
  lineHeight: "26px",
  margin: "28px 0 0",
  padding: "12px 0 4px",
};
const sectionEnd = {
  borderTop: hairline,
  color: ink,
  fontSize: 14,
  lineHeight: "22px",
  margin: 0,
  padding: "12px 0 0",
};
