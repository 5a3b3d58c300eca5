/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   rows shown as cards lose the meaning of a table in some browsers, so the roles are spelled out */
import { Fragment, type ReactNode } from "react";
import { type Count, countLabel } from "../../platform/lists/lists.ts";
import type { Direction } from "../../platform/lists/sorts.ts";
import type { OwnAddress } from "../../platform/own-path.ts";
import { Icon } from "../brand/icon.tsx";
import { Tooltip } from "../feedback/tooltip.tsx";
import { Link } from "../link.tsx";
import * as styles from "./table.module.css";
import * as listsStyles from "./lists.module.css";

export type Column<Row> = {
  header: ReactNode;
  cell(row: Row): ReactNode;
  /** The name of the cell on phones, where rows are cards. By default the header, if that is a text. */
  label?: string;
  align?: "end";
  /** Takes the full width of the card on phones. */
  wide?: boolean;
  /** Shows no name on phones, because the value says what it is. Screen readers still get the name. */
  bare?: boolean;
  /** The place on the card on phones, for cells before or after the others. 1 and 2 are its title and subtitle. */
  phone?: 1 | 2 | 3 | 4 | "last";
  sorted?: "ascending" | "descending";
};

/** A dense table. Below 768 px each row is a card whose cells show their column's name. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  groupOf,
}: {
  /** The caption of the table, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  /** The name of a row's group, shown above the first row of each. The rows are sorted by it. */
  groupOf?(row: Row): string;
}) {
  const isFirstOfGroup = (index: number) =>
    index === 0 || groupOf?.(rows[index]!) !== groupOf?.(rows[index - 1]!);
  return (
    <div className={styles.frame}>
      <table className={styles.table} role="table" aria-label={caption}>
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
          {rows.map((row, rowIndex) => (
            <Fragment key={rowKey(row)}>
              {groupOf && isFirstOfGroup(rowIndex) && (
                <tr role="row" className={styles.group}>
                  <th role="rowheader" scope="rowgroup" colSpan={columns.length}>
                    {groupOf(row)}
                  </th>
                </tr>
              )}
              <tr role="row">
                {columns.map((column, index) => (
                  <td
                    key={index}
                    role="cell"
                    data-align={column.align}
                    data-label={getColumnName(column)}
                    data-wide={column.wide}
                    data-bare={column.bare}
                    data-phone={column.phone}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function getColumnName<Row>({ label, header }: Column<Row>): string | undefined {
  return label ?? (typeof header === "string" ? header : undefined);
}

/** A column header that sorts by its column, and in reverse when pressed again. */
export function SortHeader({
  label,
  direction,
  to,
}: {
  label: string;
  /** The current direction if the list is sorted by this column. */
  direction: Direction | null;
  /** The address for the next sort. */
  to: OwnAddress;
}) {
  return (
    <Link
      to={to}
      replace
      preventScrollReset
      className={styles.sortHeader}
      data-direction={direction ?? undefined}
    >
      {label}
      <Icon name="chevron-down" />
    </Link>
  );
}

/** Returns the value of a column's `aria-sort`. */
export function getAriaSort(direction: Direction | null) {
  if (!direction) return undefined;
  return direction === "asc" ? ("ascending" as const) : ("descending" as const);
}

/** Shows the first characters of an id. The complete id can be copied and is read out. */
export function ShortId({ children }: { children: string }) {
  return (
    <Tooltip words={children}>
      <code className={listsStyles.shortId}>{children}</code>
    </Tooltip>
  );
}

/** The cursors of the previous and next page. */
export type Beside = { previous: string | null; next: string | null };

/** Shows how much of a list is visible, and links to its other pages. */
export function Pager({
  rowCount,
  total,
  after,
  previous,
  next,
  address,
}: Beside & {
  rowCount: number;
  /** The total over all pages, if it is counted. */
  total?: Count;
  /** The cursor of this page, or null for the first page. */
  after: string | null;
  /** The address of the page with this cursor. */
  address(cursor: string | null): OwnAddress;
}) {
  if (rowCount === 0 && !after) return null;
  return (
    <nav className={listsStyles.pager} aria-label="Pages">
      <span className="tabular">
        {total ? `${rowCount} of ${countLabel(total)} shown` : `${rowCount} shown`}
      </span>
      {after && <Link to={address(null)}>First page</Link>}
      {previous && <Link to={address(previous)}>Previous page</Link>}
      {next && <Link to={address(next)}>Next page</Link>}
    </nav>
  );
}
