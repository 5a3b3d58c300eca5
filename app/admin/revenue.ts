/** What is said of a month's revenue beside that of the month before; safe for the browser. */

/** In percent; 100 when there was none before and some now. Amounts in paise. */
export function percentChange(current: number, previous: number): number {
  if (previous === 0) return current > 0 ? 100 : 0;
  return ((current - previous) / previous) * 100;
}

export type RevenueChange = { direction: "up" | "down"; words: string };

/** "+12.5% from last month"; null when nothing has changed that one decimal could show. */
export function revenueChange(current: number, previous: number): RevenueChange | null {
  const percent = percentChange(current, previous).toFixed(1);
  if (Number(percent) === 0) return null;
  return percent.startsWith("-")
    ? { direction: "down", words: `${percent}% from last month` }
    : { direction: "up", words: `+${percent}% from last month` };
}
