/**
 * Formats rows as a CSV file for spreadsheets: UTF-8 with a byte order mark, and lines that end in CRLF.
 *
 * @param rows the first one has the names of the columns; null is an empty cell
 */
export function formatCsv(rows: readonly (readonly (string | null)[])[]): string {
  const text = rows.map((cells) => cells.map(formatCell).join(",")).join("\r\n");
  return `\uFEFF${text}\r\n`;
}

/**
 * Spreadsheets run a cell that begins with one of these as a formula, also in the full-width forms. A quote keeps it a
 * text.
 */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function formatCell(cell: string | null): string {
  const text = cell ?? "";
  const safe = formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
