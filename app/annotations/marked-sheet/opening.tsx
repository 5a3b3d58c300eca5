import {
  extractFirstSentence,
  formatFirstThingsTitle,
  type NumberedRemark,
  type Sheet,
} from "../marked.ts";
import { PinSign } from "../pin-sign.tsx";
import { Plate } from "../plate/plate.tsx";
import { severities } from "../severities.ts";
import { Bands } from "./bands.tsx";
import { Wording } from "./remark-item.tsx";
import * as plateStyles from "../plate/plate.module.css";
import * as styles from "./opening.module.css";
import * as reviewResultStyles from "./review-result.module.css";

/**
 * Opens a review: the first page with its pins, beside the first things to do. On phones these are a row of cards that
 * are swiped.
 */
export function Opening({
  sheet,
  isComing,
  firstThings,
  done,
  isLit,
  legend,
}: {
  /** The first page with remarks; undefined if none is shown. */
  sheet: Sheet | undefined;
  /** True while pages are being prepared. A blank page is shown until the first one is ready. */
  isComing: boolean;
  firstThings: NumberedRemark[];
  /** The ids of remarks that are ticked off. */
  done: readonly string[];
  isLit: (id: string) => boolean;
  legend: string;
}) {
  const isBlank = !sheet && isComing;
  if (!sheet && !isBlank && firstThings.length === 0) return null;
  return (
    <div className={styles.opening}>
      {sheet && (
        <Plate
          sheet={{ ...sheet, title: `${sheet.title}, at the top` }}
          isLit={isLit}
          hasTargets={false}
          legend={legend}
        >
          <Bands sheet={sheet} isFirst />
        </Plate>
      )}
      {isBlank && (
        <div className={plateStyles.plate} aria-hidden="true">
          <span className={plateStyles.rows} />
          <div className={`${plateStyles.paper} ${reviewResultStyles.blankPage}`} />
        </div>
      )}
      <FirstThings remarks={firstThings} done={done} />
    </div>
  );
}

/** The first sentence of a remark. On wide screens also its suggested words. */
function FirstThing({ remark, isDone }: { remark: NumberedRemark; isDone: boolean }) {
  const { id, number, severity, text } = remark;
  return (
    <li data-done={isDone || undefined}>
      <PinSign severity={severity} number={number} />
      <div>
        <p>
          {isDone && <strong>Done </strong>}
          {`${extractFirstSentence(text)} `}
          <a href={`#remark-${number}`} data-remark={id}>
            {`Read remark ${number}`}
            <span className="sr-only">{`, ${severities[severity].label}`}</span>
          </a>
        </p>
        <Wording remark={remark} />
      </div>
    </li>
  );
}

function FirstThings({ remarks, done }: { remarks: NumberedRemark[]; done: readonly string[] }) {
  if (remarks.length === 0) return null;
  return (
    <section className={styles.first}>
      <h2>{formatFirstThingsTitle(remarks)}</h2>
      <ol>
        {remarks.map((remark) => (
          <FirstThing key={remark.id} remark={remark} isDone={done.includes(remark.id)} />
        ))}
      </ol>
    </section>
  );
}
