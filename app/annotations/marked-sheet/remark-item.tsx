import { type ComponentProps, type MouseEvent, type ReactNode, useState } from "react";
import { criteria } from "../../reviews/rubric.ts";
import { severities } from "../severities.ts";
import { isActionable, type NumberedRemark } from "../marked.ts";
import { PinSign } from "../pin-sign.tsx";
import { formatSquare } from "../sheet-grid.ts";
import * as styles from "./remark-item.module.css";

/** Renders one remark of the list, linked to its pin. A remark that is done is one line, which opens. */
export function RemarkItem({
  remark,
  isLit,
  isDone,
  tick,
  ask,
}: {
  remark: NumberedRemark;
  /** True while it or its pin is hovered or current. */
  isLit: boolean;
  isDone: boolean;
  /** The control that ticks off an actionable remark. */
  tick: ReactNode;
  /** The link that asks a question about it. */
  ask?: ReactNode;
}) {
  const { id, number, severity, criterion, text, area } = remark;
  const sign = <PinSign severity={severity} number={number} />;
  const words = (
    <>
      <p className={styles.text}>{text}</p>
      <Wording remark={remark} />
      {ask}
    </>
  );
  return (
    <li
      id={`remark-${number}`}
      className={styles.remarkItem}
      tabIndex={-1}
      aria-labelledby={`remark-${number}-kind`}
      data-remark={id}
      data-severity={severity}
      data-lit={isLit || undefined}
      data-done={isDone || undefined}
    >
      <div className={styles.head}>
        {area ? (
          <a href={`#pin-${number}`} aria-label={`Remark ${number}: to its place on the page`}>
            {sign}
          </a>
        ) : (
          <span className={styles.sign}>{sign}</span>
        )}
        <p className={styles.kind} id={`remark-${number}-kind`}>
          <span className="sr-only">{`Remark ${number}: `}</span>
          <strong>{severities[severity].label}</strong>
          <span>
            {[criterion && criteria[criterion].label, area && formatSquare(area)]
              .filter(Boolean)
              .join(" · ")}
          </span>
        </p>
        {isActionable(remark) && tick}
      </div>
      {isDone ? (
        <details>
          <summary>
            Read<span className="sr-only">{` remark ${number}`}</span>
          </summary>
          {words}
        </details>
      ) : (
        words
      )}
    </li>
  );
}

/** Ticks a remark off. It is a button, so that it submits a form without scripts. */
export function TickBox({
  number,
  isDone,
  ...button
}: { number: number; isDone: boolean } & ComponentProps<"button">) {
  return (
    <button type="button" role="checkbox" aria-checked={isDone} {...button}>
      Done<span className="sr-only">{` with remark ${number}`}</span>
    </button>
  );
}

/** Copies a suggestion. Without permission, as on pages without TLS, it selects the text instead. */
function CopySuggestion({ suggestion }: { suggestion: string }) {
  const [isCopied, setIsCopied] = useState(false);

  async function copy({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    const words = currentTarget.parentElement!.nextElementSibling!;
    try {
      await navigator.clipboard.writeText(suggestion);
      setIsCopied(true);
    } catch {
      getSelection()?.selectAllChildren(words);
    }
  }

  return (
    <button
      type="button"
      className={`${styles.copy} needs-scripts`}
      aria-live="polite"
      onClick={copy}
    >
      {isCopied ? "Copied" : "Copy"}
      <span className="sr-only"> the suggestion</span>
    </button>
  );
}

/** Shows the quoted words and the suggested replacement. */
export function Wording({ remark: { quote, suggestion } }: { remark: NumberedRemark }) {
  if (!quote && !suggestion) return null;
  return (
    <dl className={styles.wording}>
      {quote && (
        <div>
          <dt>{suggestion ? "Before" : "On the page"}</dt>
          <dd>{suggestion ? <del>{quote}</del> : <q>{quote}</q>}</dd>
        </div>
      )}
      {suggestion && (
        <div>
          <dt>
            {quote ? "After" : "Suggestion"}
            <CopySuggestion suggestion={suggestion} />
          </dt>
          <dd>{quote ? <ins>{suggestion}</ins> : suggestion}</dd>
        </div>
      )}
    </dl>
  );
}
