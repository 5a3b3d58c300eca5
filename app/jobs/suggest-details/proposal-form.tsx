import { Form } from "react-router";
import type { FormProblems } from "../../platform/forms.server.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Link } from "../../ui/link.tsx";
import type { ShownProposal } from "./format-proposals.server.ts";
import { chosenPrefix } from "./proposals.ts";
import * as cardStyles from "../../ui/layout/card.module.css";
import * as styles from "./proposals.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";

type Listing = {
  id: string;
  title: string;
  company: string;
  location: string;
  jobType: string;
  posted: string;
  version: string;
  /** Two names in the location that don't fit together. */
  conflict: readonly [string, string] | null;
  proposals: ShownProposal[];
};

/** A listing with its proposals: a box for each, beside the words that state it. */
export function ProposalForm({
  listing: { id, title, company, location, jobType, posted, version, conflict, proposals },
  next,
  skip,
  refused,
}: {
  listing: Listing;
  /** The id of the listing to open afterwards, or "". */
  next: string;
  /** The address of the next listing; null for the last one. */
  skip: OwnPath | null;
  refused: FormProblems | null;
}) {
  // After a refused form, the boxes stay as they were chosen.
  const typed = refused?.values.seen === version ? refused.values : null;
  return (
    <section className={cardStyles.card} aria-labelledby="proposals-of">
      <header className={cardStyles.head}>
        <h2 id="proposals-of">
          <Link to={`/jobs/${id}`}>{title}</Link>
        </h2>
        <p>
          {company} · {location} · {jobType} · Posted {posted}
        </p>
      </header>
      <Form method="post">
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="seen" value={version} />
        <input type="hidden" name="next" value={next} />
        <ul className={cardStyles.body} aria-label="Proposals">
          {proposals.map((proposal) => (
            <ProposalBox
              key={proposal.key}
              proposal={proposal}
              isChosen={typed === null || `${chosenPrefix}${proposal.key}` in typed}
            />
          ))}
          {conflict && (
            <li>
              Place not proposed: “{conflict[0]}” and “{conflict[1]}” don't fit together.
            </li>
          )}
          {proposals.length === 0 && (
            <li>The text states no details that we can read. Edit the listing to add them.</li>
          )}
        </ul>
        <div className={cardStyles.foot}>
          {proposals.length > 0 && <SubmitButton pendingLabel="Saving...">Accept</SubmitButton>}
          <ButtonLink
            to={`/admin/jobs?edit=${id}`}
            variant={proposals.length > 0 ? "secondary" : "primary"}
          >
            Edit
          </ButtonLink>
          {skip && (
            <ButtonLink to={skip} variant="ghost">
              Skip
            </ButtonLink>
          )}
        </div>
      </Form>
    </section>
  );
}

function ProposalBox({
  proposal: { key, name, value, source, before, quote, after },
  isChosen,
}: {
  proposal: ShownProposal;
  isChosen: boolean;
}) {
  const id = `proposal-${key}`;
  return (
    <li className={styles.proposal}>
      <label className={fieldStyles.tick} htmlFor={id}>
        <input
          type="checkbox"
          id={id}
          name={`${chosenPrefix}${key}`}
          value="yes"
          defaultChecked={isChosen}
          aria-describedby={`${id}-quote`}
        />
        <span>
          {name}: <strong>{value}</strong>
        </span>
      </label>
      <p id={`${id}-quote`} className={styles.quote}>
        <span className={styles.source}>{source}: </span>
        {before}
        <mark>{quote}</mark>
        {after}
      </p>
    </li>
  );
}
