/** Calendar months and financial years in India, as addresses name them: "2026-11"; safe for the browser. */
import { getDayStart, getMonthStart, now, toIsoDay } from "./clock.ts";

export type Month = {
  /** "2026-11" */
  key: string;
  start: Date;
  /** The start of the next month. */
  end: Date;
};

/** Returns the month of an address; the current one for none or an invalid one. */
export function parseMonth(text: string | null): Month {
  const isMonth = /^20\d\d-(0[1-9]|1[0-2])$/.test(text ?? "");
  return toMonth(isMonth ? getDayStart(`${text}-01`) : now());
}

/** Returns another month. A negative `offset` counts back. */
export function getMonthAway({ start }: Month, offset: number): Month {
  return toMonth(getMonthStart(start, offset));
}

function toMonth(moment: Date): Month {
  const start = getMonthStart(moment);
  return { key: toIsoDay(start).slice(0, 7), start, end: getMonthStart(moment, 1) };
}

/** Returns the financial year of a month such as "2026-11", from April to March: "2026-27". */
export function formatFinancialYear(monthKey: string): string {
  const [year, month] = monthKey.split("-").map(Number) as [number, number];
  const first = month < 4 ? year - 1 : year;
  return `${first}-${String((first + 1) % 100).padStart(2, "0")}`;
}
