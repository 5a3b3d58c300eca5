import type { OwnPath } from "../../platform/own-path.ts";
import { FormAlert } from "../../ui/form/field.tsx";
import type { RefusedFollowUp } from "./follow-up-form.tsx";
import type { FollowUpText } from "./rules.ts";
import * as styles from "./follow-up.module.css";
import * as otherTextStyles from "../../ui/form/other-text.module.css";

/**
 * Renders a question or an answer with its date.
 *
 * @param verb "Asked" or "Answered"
 * @param remarks the remarks that the text can link to
 * @param page the address of the page with the remarks, if it is another one
 */
export function FollowUpQuote({
  content: { text, remark, on },
  verb,
  remarks,
  page = "",
}: {
  content: FollowUpText;
  verb: "Asked" | "Answered";
  remarks: readonly { id: string; number: number }[];
  page?: OwnPath | "";
}) {
  const linked = remarks.find(({ id }) => id === remark);
  return (
    <figure className={styles.asked}>
      <blockquote>{text}</blockquote>
      <figcaption>
        {verb} on {on}
        {linked && (
          <>
            {verb === "Asked" ? ", about " : ". See "}
            <a href={`${page}#remark-${linked.number}`}>{`remark ${linked.number}`}</a>
          </>
        )}
      </figcaption>
    </figure>
  );
}

/** Shows a text that could not be sent, so that it can be copied. It renders nothing without one. */
export function UnsentText({ refused }: { refused: RefusedFollowUp | undefined }) {
  if (!refused?.values.text) return null;
  return (
    <>
      <FormAlert>{refused.errors[""] ?? Object.values(refused.errors)[0]}</FormAlert>
      <div className={otherTextStyles.otherText}>
        <p>Your text:</p>
        <blockquote>{refused.values.text}</blockquote>
      </div>
    </>
  );
}
