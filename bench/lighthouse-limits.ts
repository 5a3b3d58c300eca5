import type { RunnerResult } from "lighthouse";

/** Lighthouse's result for one page load, with the browser's records. */
export type Load = Pick<RunnerResult, "lhr" | "artifacts">;

type Limit = {
  read(load: Load): number;
  show(value: number): string;
  limit: { min: number } | { max: number };
};

/** The metrics of each page load, with limits for their medians. */
export const readings = {
  performance: { read: score("performance"), show: wholeNumber, limit: { min: 100 } },
  accessibility: { read: score("accessibility"), show: wholeNumber, limit: { min: 100 } },
  "best practices": { read: score("best-practices"), show: wholeNumber, limit: { min: 100 } },
  SEO: { read: score("seo"), show: wholeNumber, limit: { min: 100 } },
  LCP: { read: value("largest-contentful-paint"), show: seconds, limit: { max: 1250 } },
  CLS: {
    read: value("cumulative-layout-shift"),
    show: (shift) => shift.toFixed(3),
    limit: { max: 0 },
  },
  TBT: {
    read: value("total-blocking-time"),
    show: (time) => `${time.toFixed(0)} ms`,
    limit: { max: 30 },
  },
  page: { read: bodies("Document"), show: kilobytes, limit: { max: 12 } },
  styles: { read: bodies("Stylesheet"), show: kilobytes, limit: { max: 10 } },
  fonts: { read: bodies("Font"), show: kilobytes, limit: { max: 25 } },
  scripts: { read: bodies("Script"), show: kilobytes, limit: { max: 110 } },
  // The half page of the example on home and services is the largest.
  pictures: { read: bodies("Image"), show: kilobytes, limit: { max: 24 } },
  total: { read: bodies(), show: kilobytes, limit: { max: 170 } },
} satisfies Record<string, Limit>;

/** Larger limits of single pages, as in tests/page-weight.test.ts. The board contains all of its filters. */
const exceptions: Record<string, Partial<Record<Reading, number>>> = {
  board: { page: 16, styles: 12, scripts: 112, total: 176 },
};

export type Reading = keyof typeof readings;

/** The header row of the table. */
export const title = row(["page", ...Object.keys(readings)]);

/** Formats a page's medians as a row of the table. */
export function line(page: string, medians: Record<Reading, number>): string {
  return row([page, ...entries().map(([name, { show }]) => show(medians[name]))]);
}

/** Describes the metrics of a page that exceed their limits. */
export function failures(page: string, medians: Record<Reading, number>): string[] {
  return entries().flatMap(([name, { limit, show }]) => {
    const value = medians[name];
    if ("min" in limit)
      return value >= limit.min ? [] : [`${name} must be at least ${show(limit.min)}`];
    const max = exceptions[page]?.[name] ?? limit.max;
    return value <= max ? [] : [`${name} must be at most ${show(max)}`];
  });
}

export function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN;
}

function entries(): [Reading, Limit][] {
  return Object.entries(readings) as [Reading, Limit][];
}

function score(category: string): Limit["read"] {
  return ({ lhr }) => Math.round((lhr.categories[category]?.score ?? 0) * 100);
}

function value(audit: string): Limit["read"] {
  return ({ lhr }) => lhr.audits[audit]?.numericValue ?? NaN;
}

/** Returns the kilobytes of one resource type or of all, without response headers, which HTTP/2 compresses. */
function bodies(kind?: string): Limit["read"] {
  return ({ artifacts }) => {
    const headerSizes = new Map<string, number>();
    let bytes = 0;
    for (const { method, params } of artifacts.DevtoolsLog) {
      if (method === "Network.responseReceived" && (!kind || params.type === kind))
        headerSizes.set(params.requestId, params.response.encodedDataLength);
      if (method === "Network.loadingFinished" && headerSizes.has(params.requestId))
        bytes += params.encodedDataLength - headerSizes.get(params.requestId)!;
    }
    return headerSizes.size > 0 ? bytes / 1024 : NaN;
  };
}

function wholeNumber(number: number): string {
  return number.toFixed(0);
}

function kilobytes(number: number): string {
  return `${number.toFixed(1)} KB`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

function row([page = "", ...cells]: string[]): string {
  const widths = Object.keys(readings).map((name) => Math.max(name.length, 8) + 2);
  return page.padEnd(8) + cells.map((cell, place) => cell.padStart(widths[place]!)).join("");
}
