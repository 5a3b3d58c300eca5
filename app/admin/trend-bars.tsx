import * as styles from "./figures.module.css";
/** The drawing's size in its own units; it stretches to the card's width. */
const [width, height] = [100, 24];

/** The parts of a day's width and of the height that the smallest bar takes. */
const [barShare, minHeight] = [0.6, 1.5];

/** The least value of a bar of full height, so that a single event is not a peak. */
const minPeak = 4;

export type Trend = {
  /** A value for each day, oldest first. */
  values: number[];
  /** The first day, such as "Oct 28", and the last. */
  from: string;
  to: string;
  /** The sum, such as "12 new in 30 days". */
  text: string;
};

/** Draws a bar for each day, with today at the right and lighter, since it isn't over, and a sentence that gives their sum. */
export function TrendBars({ values, from, to, text }: Trend) {
  const maxValue = Math.max(...values, minPeak);
  const bars = values.map((value, index) => {
    if (value === 0) return "";
    const x = ((index + (1 - barShare) / 2) / values.length) * width;
    const right = x + (barShare / values.length) * width;
    const top = height - Math.max((value / maxValue) * height, minHeight);
    return `M${x.toFixed(2)} ${height}V${top.toFixed(2)}H${right.toFixed(2)}V${height}Z`;
  });
  return (
    <span className={styles.trend}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={bars.slice(0, -1).join("")} />
        <path className={styles.trendToday} d={bars.at(-1)} />
      </svg>
      <span className={styles.trendDays} aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </span>
      <span>{text}</span>
    </span>
  );
}
