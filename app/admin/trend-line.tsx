/** The drawing's size in its own units; it stretches to the card's width. */
const [width, height] = [100, 24];

/**
 * Draws a line of daily values, with today at the right, and a sentence that gives their sum.
 *
 * @param values a value for each day, oldest first
 * @param text such as "12 new in 30 days"
 */
export function TrendLine({ values, text }: { values: number[]; text: string }) {
  const most = Math.max(...values, 1);
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width;
    return `${x.toFixed(2)} ${(height - (value / most) * height).toFixed(2)}`;
  });
  const line = `M${points.join("L")}`;
  return (
    <span className="trend">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="trend-area" d={`${line}V${height}H0Z`} />
        <path className="trend-line" d={line} />
      </svg>
      <span>{text}</span>
    </span>
  );
}
