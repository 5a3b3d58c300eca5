/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   rows shown as cards lose the meaning of a table in some browsers, so the roles are spelled out */
import type { ReactNode } from "react";

export type Column<Row> = {
  header: ReactNode;
  cell(row: Row): ReactNode;
  /** Names the cell on phones, where rows are cards; the header itself if that is a text. */
  label?: string;
  align?: "start" | "end";
  /** Takes the whole width of the card on phones. */
  wide?: boolean;
  sorted?: "ascending" | "descending";
};

/** A dense table; below 768 px each row is a card whose cells carry their column's name. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
}: {
  /** What the table lists, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  /** Stands in the place of the rows when there are none. */
  empty?: ReactNode;
}) {
  return (
    <div className="table-frame">
      <table className="table" role="table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column, index) => (
              <th
                key={index}
                role="columnheader"
                scope="col"
                data-align={column.align}
                aria-sort={column.sorted}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr role="row" key={rowKey(row)}>
              {columns.map((column, index) => (
                <td
                  key={index}
                  role="cell"
                  data-align={column.align}
                  data-label={nameOf(column)}
                  data-wide={column.wide}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && empty}
    </div>
  );
}

function nameOf<Row>({ label, header }: Column<Row>): string | undefined {
  return label ?? (typeof header === "string" ? header : undefined);
}
