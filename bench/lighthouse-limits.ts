import type { Result } from "lighthouse";

type Limit = {
  read(result: Result): number;
  show(value: number): string;
  limit: { atLeast: number } | { atMost: number };
};

/** What is read from each load of a page, and what its median must keep to. */
export const readings = {
  performance: { read: score("performance"), show: whole, limit: { atLeast: 98 } },
  accessibility: { read: score("accessibility"), show: whole, limit: { atLeast: 100 } },
  "best practices": { read: score("best-practices"), show: whole, limit: { atLeast: 100 } },
  SEO: { read: score("seo"), show: whole, limit: { atLeast: 100 } },
  LCP: { read: value("largest-contentful-paint"), show: seconds, limit: { atMost: 1800 } },
  CLS: {
    read: value("cumulative-layout-shift"),
    show: (shift) => shift.toFixed(3),
    limit: { atMost: 0.01 },
  },
  TBT: {
    read: value("total-blocking-time"),
    show: (time) => `${time.toFixed(0)} ms`,
    limit: { atMost: 100 },
  },
} satisfies Record<string, Limit>;

export type Reading = keyof typeof readings;

/** The head of the table. */
export const title = row(["page", ...Object.keys(readings)]);

/** One row of the table: a page's medians. */
export function line(page: string, medians: Record<Reading, number>): string {
  return row([page, ...entries().map(([name, { show }]) => show(medians[name]))]);
}

/** What is beyond its limit, in words. */
export function failures(medians: Record<Reading, number>): string[] {
  return entries().flatMap(([name, { limit, show }]) => {
    const found = medians[name];
    if ("atLeast" in limit)
      return found >= limit.atLeast ? [] : [`${name} must be at least ${show(limit.atLeast)}`];
    return found <= limit.atMost ? [] : [`${name} must be at most ${show(limit.atMost)}`];
  });
}

export function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN;
}

function entries(): [Reading, Limit][] {
  return Object.entries(readings) as [Reading, Limit][];
}

function score(category: string): Limit["read"] {
  return ({ categories }) => Math.round((categories[category]?.score ?? 0) * 100);
}

function value(audit: string): Limit["read"] {
  return ({ audits }) => audits[audit]?.numericValue ?? NaN;
}

function whole(number: number): string {
  return number.toFixed(0);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

function row([page = "", ...cells]: string[]): string {
  return page.padEnd(10) + cells.map((cell) => cell.padStart(16)).join("");
}
