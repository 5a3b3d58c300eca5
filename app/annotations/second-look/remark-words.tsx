import type { NumberedRemark } from "../marked.ts";
import * as styles from "./remark-words.module.css";

/** Renders a remark's text with the quoted words and the suggestion, in few bytes. */
export function RemarkWords({
  remark: { text, quote, suggestion },
}: {
  remark: Pick<NumberedRemark, "text" | "quote" | "suggestion">;
}) {
  return (
    <div className={styles.words}>
      <p>{text}</p>
      {quote && <p>{suggestion ? <del>{quote}</del> : <q>{quote}</q>}</p>}
      {suggestion && (
        <p>
          <ins>{suggestion}</ins>
        </p>
      )}
    </div>
  );
}
