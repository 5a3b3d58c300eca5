import { formatBytes } from "../../files/rules.ts";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import type { FileReading } from "./file-reading.ts";
import * as styles from "./file-reading.module.css";

/** Shows the facts of a file, the result of each check, and its text, collapsed. */
export function FileReadingResult({ reading }: { reading: FileReading }) {
  const { size, pageCount, characters, findings, pages, isCut } = reading;
  const facts = [
    { name: "Pages", value: formatIndianNumber(pageCount) },
    { name: "Size", value: formatBytes(size) },
    { name: "Text", value: `${formatIndianNumber(characters)} characters` },
  ];
  return (
    <div className={styles.fileReading}>
      <dl className={styles.facts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ul className={styles.findings}>
        {findings.map(({ isProblem, text }) => (
          <li key={text} data-problem={isProblem || undefined}>
            <Icon name={isProblem ? "warning" : "check"} />
            <span>
              {isProblem && <span className="sr-only">Problem: </span>}
              {text}
            </span>
          </li>
        ))}
      </ul>
      <details className={styles.text}>
        <summary>What software reads</summary>
        {pages.map(({ number, text }) => (
          <div key={number}>
            <h3>Page {number}</h3>
            <p>{text || "Nothing."}</p>
          </div>
        ))}
        {isCut && <p>The rest of the text is left out.</p>}
      </details>
    </div>
  );
}
