import type { ListedJob } from "../../jobs/find.server.ts";
import { payUnstated, reportedNotice } from "../../jobs/rules.ts";
import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { hairline, mailColors } from "../../mail/mail-style.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { cleanLine } from "../../platform/text/text.ts";
import { type AlertFrequency, maxAlertsPerAddress } from "./rules.ts";

type Product = { name: string; supportEmail: string };

/** An alert in an email: its filters in words, and its frequency. */
type NamedAlert = { name: string; frequency: AlertFrequency };

/** "every day" */
const often: Record<AlertFrequency, string> = { daily: "every day", weekly: "every Monday" };

/** To a visitor who asked for an alert. It has none of their text, since anyone can enter any address. */
export function AlertConfirmationMail({
  product,
  alert,
  link,
}: {
  product: Product;
  alert: NamedAlert;
  /** The address where they confirm it. */
  link: string;
}) {
  return (
    <MailLayout
      product={product}
      title="Confirm your job alert"
      preview="Open this email to start your alert."
    >
      <MailText>
        Someone, probably you, asked us to email new jobs to this address {often[alert.frequency]}:
      </MailText>
      <MailText>
        <strong>{alert.name}</strong>
      </MailText>
      <MailText>To start the alert, open this link within 48 hours.</MailText>
      <MailAction href={link}>Confirm your alert</MailAction>
      <MailText>If you didn&apos;t ask for it, ignore this email. We then delete it.</MailText>
    </MailLayout>
  );
}

/** To an address that has this alert already. */
export function AlertKnownMail({
  product,
  alert,
  link,
}: {
  product: Product;
  alert: NamedAlert;
  /** The address where they stop it. */
  link: string;
}) {
  return (
    <MailLayout
      product={product}
      title="You already have this job alert"
      preview="Nothing has changed."
    >
      <MailText>
        Someone, probably you, asked for an alert that this address already gets{" "}
        {often[alert.frequency]}. Nothing has changed:
      </MailText>
      <MailText>
        <strong>{alert.name}</strong>
      </MailText>
      <MailText>To stop it, open this link.</MailText>
      <MailAction href={link}>Stop this alert</MailAction>
    </MailLayout>
  );
}

/** To an address that can't have another alert. */
export function AlertsFullMail({
  product,
  link,
}: {
  product: Product;
  /** The address where they stop all alerts. */
  link: string;
}) {
  return (
    <MailLayout
      product={product}
      title={`You have ${maxAlertsPerAddress} job alerts`}
      preview="Stop one to add another."
    >
      <MailText>
        Someone, probably you, asked for another job alert. This address has {maxAlertsPerAddress},
        the most that an address can have. To stop one, use the link below it in any of its emails.
      </MailText>
      <MailText>Or stop all of them here.</MailText>
      <MailAction href={link}>Stop all alerts</MailAction>
    </MailLayout>
  );
}

/** The new jobs of one alert. */
export type DigestSection = NamedAlert & {
  alertId: string;
  jobs: Pick<
    ListedJob,
    "id" | "title" | "company" | "place" | "jobType" | "pay" | "isReported" | "check" | "applyBy"
  >[];
  /** The number of its new jobs, with those that the email doesn't list. */
  count: number;
  /** The address of the board with its filters. */
  board: string;
  /** The address where the reader stops it. */
  stop: string;
};

type Digest = {
  product: Product;
  origin: string;
  sections: readonly DigestSection[];
  /** The address where the reader stops all alerts. */
  stopAll: string;
};

/** Formats the subject of a digest: "New job: “Product Designer” at Acme", or "12 new jobs: UX design, Pune". */
export function formatDigestSubject(sections: readonly DigestSection[]): string {
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

/** The email with the new jobs of all alerts of an address. */
export function DigestMail({ product, origin, sections, stopAll }: Digest) {
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
        <DigestEntry key={job.id} origin={origin} {...job} />
      ))}
      <p style={sectionEnd}>
        <a href={board} style={plainLink}>
          {count > jobs.length ? `See all ${formatJobCount(count)}` : "See them on the board"}
        </a>
        <br />
        <span className="mail-faint" style={faint}>
          You get this alert {often[frequency]}.
        </span>{" "}
        <a href={stop} style={plainLink}>
          Stop this alert
        </a>
      </p>
    </>
  );
}

function DigestEntry({
  origin,
  id,
  title,
  company,
  place,
  jobType,
  pay,
  isReported,
  check,
  applyBy,
}: DigestSection["jobs"][number] & { origin: string }) {
  const terms = [jobType, pay ?? payUnstated];
  return (
    <p style={entry}>
      <a href={`${origin}/jobs/${id}`} style={entryTitle}>
        {cleanLine(title)}
      </a>
      <br />
      {cleanLine(company)} · {cleanLine(place)}
      <br />
      {terms.map(cleanLine).join(" · ")}
      <br />
      <span className="mail-faint" style={faint}>
        {[check, applyBy].filter(Boolean).join(" · ")}
      </span>
      {isReported && (
        <>
          <br />
          {reportedNotice}
        </>
      )}
    </p>
  );
}

const { ink } = mailColors;
const plainLink = { color: "inherit" };
const faint = { color: mailColors.faint, fontSize: 14 };
const sectionTitle = {
  borderTop: `2px solid ${ink}`,
  color: ink,
  fontSize: 18,
  lineHeight: "26px",
  margin: "28px 0 0",
  padding: "12px 0 4px",
};
const entry = {
  borderTop: hairline,
  color: ink,
  fontSize: 16,
  lineHeight: "24px",
  margin: 0,
  padding: "14px 0",
};
const entryTitle = { color: ink, fontSize: 18, fontWeight: 700, lineHeight: "26px" };
const sectionEnd = {
  borderTop: hairline,
  color: ink,
  fontSize: 14,
  lineHeight: "22px",
  margin: 0,
  padding: "12px 0 0",
};
