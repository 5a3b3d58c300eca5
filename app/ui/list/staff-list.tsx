import type { ReactNode } from "react";
import type { Count } from "../../platform/lists/lists.ts";
import type { OwnAddress } from "../../platform/own-path.ts";
import { EmptyState } from "../feedback/empty-state.tsx";
import { useProblemToasts } from "../feedback/problem-toasts.ts";
import { FormAlert } from "../form/field.tsx";
import { Page } from "../layout/page.tsx";
import { type Beside, type Column, Pager, Table } from "./table.tsx";

/** A page of a list as its loader returns it. A list that failed to load has a problem and no rows. */
export type LoadedList<Row> = Beside & { problem: string | null; rows: Row[]; total?: Count };

/**
 * The frame of a staff list: title, filters, the reason why it failed to load, then a table or an empty state,
 * and the links to other pages.
 */
export function StaffList<Row>({
  back,
  title,
  intro,
  actions,
  tabs,
  loaded,
  children,
  caption = title,
  columns,
  rowKey,
  renderTable = (table) => table,
  empty,
  after,
  address,
}: {
  /** The link back to the screen that this list belongs to. */
  back?: ReactNode;
  title: string;
  intro?: string;
  /** The search and the filters. */
  actions?: ReactNode;
  tabs?: ReactNode;
  /** The loader's data. It must be a new object for each load. */
  loaded: LoadedList<Row>;
  /** Dialogs and notes above the table. */
  children?: ReactNode;
  /** The table's name for screen readers. */
  caption?: string;
  columns: readonly Column<Row>[];
  rowKey(row: Row): string;
  /** Wraps the table. */
  renderTable?(table: ReactNode): ReactNode;
  empty: Pick<Parameters<typeof EmptyState>[0], "title" | "drawing">;
  /** The cursor of this page, or null for the first page. */
  after: string | null;
  /** The address of the page with this cursor. */
  address(cursor: string | null): OwnAddress;
}) {
  const { problem, rows, previous, next, total } = loaded;
  useProblemToasts(loaded, problem);
  return (
    <Page back={back} title={title} intro={intro} actions={actions}>
      {tabs}
      <FormAlert>{problem}</FormAlert>
      {children}
      {rows.length > 0 &&
        renderTable(<Table caption={caption} columns={columns} rows={rows} rowKey={rowKey} />)}
      {rows.length === 0 && !problem && <EmptyState {...empty} />}
      <Pager {...{ total, previous, next, after, address }} rowCount={rows.length} />
    </Page>
  );
}
