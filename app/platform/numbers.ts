/**
 * A whole number as India writes it: 1234567 → "12,34,567". By hand, since a browser's first `Intl.NumberFormat`
 * holds a phone up for some 10 ms before a page answers.
 */
export function formatIndianNumber(count: number): string {
  return String(count).replace(/\d(?=(\d\d)+\d$)/g, "$&,");
}
