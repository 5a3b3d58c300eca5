import type { ContactPart } from "../../jobs/contact/parse-contact.ts";
import { ContactText } from "../../jobs/listing/contact-text.tsx";
import type { OwnPath } from "../../platform/own-path.ts";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import type { DueView } from "../../reviews/due-dates/due-dates.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { Badge } from "../../ui/layout/card.tsx";
import { Link } from "../../ui/link.tsx";
import { SelectAll, SelectedCount, type Selection } from "../../ui/list/selection.tsx";
import type { Column } from "../../ui/list/table.tsx";
import { answers } from "./rules.ts";
import * as listsStyles from "../../ui/list/lists.module.css";
import * as styles from "./queue.module.css";

/** The name of the boxes that select listings. */
export const tickedJob = "job";

const intents = Object.keys(answers) as (keyof typeof answers)[];

/** The buttons that answer for all ticked listings. */
export function AnswerBar({
  selection,
  of,
  isSending,
}: {
  selection: Selection;
  /** The number of listings on the page. */
  of: number;
  isSending: boolean;
}) {
  const hydrated = useHydrated();
  return (
    <div className={listsStyles.assignBar}>
      <SelectAll selection={selection} of={of} />
      <div className={`${listsStyles.assignActions} ${styles.actions}`}>
        {intents.map((intent) => (
          <SubmitButton
            key={intent}
            intent={intent}
            className={styles.answer}
            variant={intent === "still-open" ? "primary" : "secondary"}
            pendingLabel="Saving..."
            disabled={hydrated && (selection.count === 0 || isSending)}
          >
            {answers[intent].label} <SelectedCount of={selection} />
          </SubmitButton>
        ))}
      </div>
    </div>
  );
}

/** A listing in the queue as the screen shows it. */
type CheckRow = {
  id: string;
  title: string;
  company: string;
  /** A reason to look twice. */
  warning: string | null;
  posted: string;
  lastCheck: string;
  due: DueView | null;
  leaves: string | null;
  contact: {
    /** False if applicants have nobody to ask. */
    isNamed: boolean;
    name: string | null;
    parts: ContactPart[];
    email: string | null;
    portal: string | null;
  };
};

/** @param answerOne returns the address that answers for one listing */
export function buildCheckColumns(answerOne: (id: string) => OwnPath): Column<CheckRow>[] {
  return [
    {
      header: <span className="sr-only">Select</span>,
      label: "Select",
      cell: ({ id, title, company }) => (
        <label className={listsStyles.rowTick}>
          <input
            type="checkbox"
            name={tickedJob}
            value={id}
            aria-label={`Select ${title} at ${company}`}
          />
        </label>
      ),
    },
    {
      header: "Job",
      wide: true,
      bare: true,
      cell: ({ id, title, company, warning }) => (
        <>
          <Link to={`/jobs/${id}`} className={styles.job}>
            {title}
          </Link>
          <span className="text-ink-soft">{company}</span>
          {warning && <span className="block text-sm text-danger">{warning}</span>}
        </>
      ),
    },
    {
      header: "Posted",
      cell: ({ posted }) => <span className="whitespace-nowrap">{posted}</span>,
    },
    { header: "Last check", cell: ({ lastCheck }) => lastCheck },
    {
      header: "Due",
      cell: ({ due, leaves }) => (
        <>
          {due ? <DueDate due={due} /> : "No date"}
          {leaves && <span className={listsStyles.preview}>{leaves}</span>}
        </>
      ),
    },
    { header: "Contact", wide: true, cell: ({ contact }) => <ContactCell contact={contact} /> },
    {
      header: <span className="sr-only">Actions</span>,
      cell: (row) => <AnswerButtons row={row} address={answerOne(row.id)} />,
    },
  ];
}

/** The ways to ask if the job is open. */
function ContactCell({
  contact: { isNamed, name, parts, email, portal },
}: Pick<CheckRow, "contact">) {
  return (
    <>
      {!isNamed && (
        <span className="block">
          <Badge tone="danger">Nobody to ask</Badge>
        </span>
      )}
      {name && <span className="block">{name}</span>}
      {parts.length > 0 && <ContactText parts={parts} />}
      {email && (
        <a href={`mailto:${encodeURIComponent(email)}`} className="block text-sm wrap-anywhere">
          {email}
        </a>
      )}
      {portal && (
        <a href={portal} target="_blank" rel="noopener noreferrer" className="text-sm">
          Application page
        </a>
      )}
    </>
  );
}

/** The answers for one listing. They send the form around the table to another address. */
function AnswerButtons({ row: { title, company }, address }: { row: CheckRow; address: OwnPath }) {
  return (
    <div className={`${listsStyles.rowActions} ${styles.answers}`}>
      {intents.map((intent) => (
        <SubmitButton
          key={intent}
          intent={intent}
          formAction={address}
          variant="ghost"
          size="sm"
          className="whitespace-nowrap"
          pendingLabel="Saving..."
          aria-description={`${title} at ${company}`}
        >
          {answers[intent].label}
        </SubmitButton>
      ))}
    </div>
  );
}
