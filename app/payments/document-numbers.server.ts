import { sql } from "drizzle-orm";
import type { Database } from "../platform/database.server.ts";
import { invoiceSeries } from "./tables.server.ts";

/** The first letters of each kind of document. With seven digits, a serial has the 16 characters that GST allows. */
export const documentSeries = { invoice: "NK", creditNote: "CN" } as const;

/** The digits of most serials. The millionth document of a year has one more. */
const minDigits = 6;

/**
 * Creates the next number of a series, dated by the database's clock in India. The series stays locked until the
 * transaction ends, so that none is skipped or used twice: call it last, when nothing else is left to lock.
 */
export async function createDocumentNumber(
  tx: Database,
  series: (typeof documentSeries)[keyof typeof documentSeries],
) {
  const [row] = await tx
    .insert(invoiceSeries)
    .values({
      series,
      financialYear: sql`${formatYearAfter("-3 months")} || '-' || ${formatYearAfter("9 months")}`,
      lastNumber: 1,
      lastIssuedAt: sql`now()`,
    })
    .onConflictDoUpdate({
      target: [invoiceSeries.series, invoiceSeries.financialYear],
      set: {
        lastNumber: sql`${invoiceSeries.lastNumber} + 1`,
        lastIssuedAt: sql`greatest(${invoiceSeries.lastIssuedAt}, now())`,
      },
    })
    .returning();
  const { financialYear, lastNumber: number, lastIssuedAt: issuedAt } = row!;
  const serial = `${series}/${financialYear}/${String(number).padStart(minDigits, "0")}`;
  return { series, financialYear, number, serial, issuedAt };
}

/** A financial year starts on April 1 in India, at 18:30 UTC on March 31. */
function formatYearAfter(interval: "-3 months" | "9 months") {
  return sql`to_char(now() at time zone 'Asia/Kolkata' + interval ${sql.raw(`'${interval}'`)}, 'YY')`;
}
