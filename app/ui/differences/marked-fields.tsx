import * as styles from "./differences.module.css";
import type { ChangedField, Part } from "./list-text-parts.server.ts";

/** The fields that differ from their published version, with the words that were added and removed. */
export function MarkedFields({ fields }: { fields: readonly ChangedField[] }) {
  return (
    <dl className={`${styles.facts} ${styles.marked}`}>
      {fields.map(({ label, parts }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {parts.map((part, index) => (
              <MarkedPart key={index} {...part} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Screen readers rarely announce `ins` and `del`, so words say it too. */
function MarkedPart({ kind, text }: Part) {
  if (kind === "same") return text;
  const Mark = kind === "added" ? "ins" : "del";
  return (
    <Mark>
      <span className="sr-only">{kind === "added" ? "Added: " : "Removed: "}</span>
      {text}
      <span className="sr-only">. </span>
    </Mark>
  );
}
