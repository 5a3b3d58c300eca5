/**
 * Days and times as the product's clock shows them, in the forms of fields and lists. Beside clock.ts, since that one
 * comes with every page.
 */
import { aheadOfUtc, inZone } from "../../platform/clock.ts";

/** The calendar day of a moment, as in "2026-01-31". */
export function dayOf(date: Date): string {
  return inZone(date).toISOString().slice(0, 10);
}

/** "21:40" */
export function timeOf(date: Date): string {
  return inZone(date).toISOString().slice(11, 16);
}

/** A moment as a field for a date and a time holds it, as in "2026-01-31T21:40"; seconds are dropped. */
export function writeLocal(date: Date): string {
  return `${dayOf(date)}T${timeOf(date)}`;
}

/** The moment that such a field holds; null for what is none. */
export function readLocal(text: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text)) return null;
  const local = Date.parse(`${text}Z`);
  return Number.isNaN(local) ? null : new Date(local - aheadOfUtc);
}
